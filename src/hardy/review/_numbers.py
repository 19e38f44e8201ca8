"""Numbers as requests write them."""

# As many as every row and decision can be told by; Python refuses to read thousands of them.
_MOST_DIGITS = 15


def read_number(text: str) -> int | None:
    """Read a whole number of plain digits, without a sign; None where it is something else."""
    is_plain = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if is_plain else None
