"""Changes to files, as hypothesis draws them and shrinks them."""

from typing import Any

from hypothesis import strategies as st

# What formats and parsers stumble over: ends, quotes, marks, huge and negative numbers.
PIECES = [
    b"", b"\0", b"\xff", b'"', b"'", b",", b";", b"\t", b"|", b"\n", b"\r", b"\r\n", b" ",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b", b"PAR1", b"PK\x03\x04", b"\x93NUMPY",
    b"=", b"-", b"+", b".", b"0", b"00", b"1e999", b"-1e999", b"inf", b"nan", b"NA", b"null",
    b"true", b"[]", b"{}", b"[" * 2000, b"9" * 400, b"-1", b"2147483648", b"18446744073709551616",
    b"\x00\x00\x00\x00", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", "é".encode(), "\u2028".encode(),
    b"\xed\xa0\x80", b"sep=;", b"0001-01-01", b"9999-12-31", b"1,5", b"1_000", b"0x10",
]  # fmt: skip


@st.composite
def changed(draw: Any, files: list[bytes]) -> bytes:
    """Draw a file with one to six changes: pieces put in, taken out, doubled, bits flipped."""
    data = draw(st.sampled_from(files))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 40))
        kind = draw(st.sampled_from(["put", "replace", "cut", "double", "flip", "end", "join"]))
        before, middle, after = data[:at], data[at : at + length], data[at + length :]
        if kind == "put":
            data = before + draw(st.sampled_from(PIECES)) + middle + after
        elif kind == "replace":
            data = before + draw(st.sampled_from(PIECES) | st.binary(max_size=20)) + after
        elif kind == "cut":
            data = before + after
        elif kind == "double":
            data = before + middle * draw(st.integers(2, 30)) + after
        elif kind == "flip":
            data = before + bytes(byte ^ draw(st.integers(1, 255)) for byte in middle[:1]) + after
        elif kind == "end":
            data = before
        else:
            data = before + draw(st.sampled_from(files))[:4000]
    return data
