"""JSON from strangers."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardy._json import LISTS, VALUES, read_json

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(), parts),
)


def count(value, marks):
    """Count the lists in a value, and what stands in them."""
    if not isinstance(value, list | dict):
        return 0
    parts = value if isinstance(value, list) else value.values()
    between = max(len(parts) - 1, 0) if marks == VALUES else 0
    return 1 + between + sum(count(part, marks) for part in parts)


def words(value):
    if isinstance(value, dict):
        return len(value) + sum(map(words, value.values()))
    return sum(map(words, value)) if isinstance(value, list) else isinstance(value, str)


@given(ANY, st.sampled_from([LISTS, VALUES]), st.booleans())
def test_parts_are_counted_outside_of_words(value, marks, is_ascii):
    text = json.dumps(value, ensure_ascii=is_ascii).encode(errors="surrogatepass")
    most = count(value, marks) + (words(value) if marks == VALUES else 0)
    if is_ascii:
        assert read_json(text, most, marks) == value
    if count(value, marks):
        # Marks in words only add to what is looked at more closely.
        with pytest.raises(ValueError, match="more than"):
            read_json(text, count(value, marks) - 1, marks)


@pytest.mark.parametrize("word", [b"a" * 2**20, rb"\n" * 2**19, b"[" * 2**20])
def test_long_words_take_no_memory_to_be_counted(word):
    text = b"[" * 20 + b'"' + word + b'"'
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="more than 10 lists"):
            read_json(text, 10, LISTS)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(text)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig"])
def test_in_no_other_encoding_marks_are_hidden(encoding):
    with pytest.raises(ValueError, match=r"decode|BOM|value"):
        read_json("[[], []]".encode(encoding), 10)
