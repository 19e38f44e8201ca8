"""From a labelled table to a ranked, explained list of suspects, and to the cleaned table."""

from hardy.audit.again import audit_again
from hardy.audit.cleaned import CleanedFile, clean_file
from hardy.audit.cleaner import LabelErrorCleaner
from hardy.audit.decisions import Decision, Decisions
from hardy.audit.files import audit_file
from hardy.audit.findings import Finding
from hardy.audit.labels import audit_labels
from hardy.audit.result import LabelAudit
from hardy.audit.storage import load_audit

__all__ = [
    "CleanedFile",
    "Decision",
    "Decisions",
    "Finding",
    "LabelAudit",
    "LabelErrorCleaner",
    "audit_again",
    "audit_file",
    "audit_labels",
    "clean_file",
    "load_audit",
]
