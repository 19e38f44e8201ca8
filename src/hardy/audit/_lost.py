"""What people are told of decisions whose rows aren't found."""

from hardy.audit._plain import has_ids
from hardy.audit.result import LabelAudit


def describe_lost(audit: LabelAudit, n_lost: int) -> str:
    """Say how many decisions are left out, and why; the empty string where none is."""
    if not n_lost:
        return ""
    some, are = ("decisions", "are") if n_lost > 1 else ("decision", "is")
    if has_ids(audit.index):
        where = "on rows that are gone from the data, or have another label there by now"
    else:
        where = (
            "on another version of the data, whose rows have no names (--id of hardy audit) by "
            "which they could be found again"
        )
    return f"{n_lost:,} {some} {are} {where}; {'they are' if n_lost > 1 else 'it is'} left out."
