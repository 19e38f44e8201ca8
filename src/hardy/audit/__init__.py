"""From a labelled table to a ranked, explained list of suspects."""

from hardy.audit.files import audit_file
from hardy.audit.findings import Finding
from hardy.audit.labels import audit_labels
from hardy.audit.result import LabelAudit
from hardy.audit.storage import load_audit

__all__ = ["Finding", "LabelAudit", "audit_file", "audit_labels", "load_audit"]
