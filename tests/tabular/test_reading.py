import csv
import gzip
import hashlib
import io
import os
import sys
import unicodedata

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from hardy.exceptions import InputError, MissingExtraError
from hardy.tabular import check_target, describe_columns, read_table

PLAIN = "size,colour\n1.5,red\n2.5,blue\n"
EXPECTED = pd.DataFrame({"size": [1.5, 2.5], "colour": ["red", "blue"]})


def assert_plain(table):
    pd.testing.assert_frame_equal(table.frame, EXPECTED, check_dtype=False)
    assert table.frame["size"].dtype == np.float64


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_each_separator_is_found(write, separator):
    table = read_table(write(PLAIN.replace(",", separator)))
    assert_plain(table)
    assert table.source.separator == separator


def test_a_separator_inside_values_does_not_mislead(write):
    table = read_table(write("words;n\na, b;1\nc, d, e;2\n"))
    assert table.source.separator == ";"
    assert table.frame["words"].tolist() == ["a, b", "c, d, e"]


def test_the_separator_can_be_named(write):
    table = read_table(write("a;b,c\n1;2,3\n"), separator=";")
    assert list(table.frame) == ["a", "b,c"]


def test_a_single_column_needs_no_separator(write):
    assert read_table(write("n\n1\n2\n")).frame["n"].tolist() == [1, 2]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marked_encodings_are_found(write, encoding):
    table = read_table(write("name,n\nJürgen,1\n", encoding=encoding))
    assert list(table.frame) == ["name", "n"]
    assert table.frame["name"].tolist() == ["Jürgen"]
    assert table.source.encoding == encoding


@pytest.mark.parametrize("order", ["le", "be"])
def test_both_byte_orders_of_utf_16(write, order):
    mark = {"le": b"\xff\xfe", "be": b"\xfe\xff"}[order]
    path = write(mark + "name,n\nJürgen,1\n".encode(f"utf-16-{order}"))
    assert read_table(path).frame["name"].tolist() == ["Jürgen"]


def test_latin_1_is_the_fallback(write):
    table = read_table(write("name,price\nJürgen,5 €\n", encoding="cp1252"))
    assert table.frame.iloc[0].tolist() == ["Jürgen", "5 €"]
    assert table.source.encoding == "cp1252"


def test_the_encoding_can_be_named(write):
    path = write("name,n\nŽofie,1\n", encoding="iso8859-2")
    assert read_table(path, encoding="iso8859-2").frame["name"].tolist() == ["Žofie"]


def test_gzip_is_found_by_its_content(write):
    table = read_table(write(gzip.compress(PLAIN.encode()), name="table.data"))
    assert_plain(table)
    assert table.source.compression == "gzip"


def test_decimal_commas_in_files_with_semicolons(write):
    table = read_table(write("a;b;c;d\n1,5;1.25;x;\n-2,5e1;2.5;y;1.5\n;3;z;2\n"))
    np.testing.assert_array_equal(table.frame["a"], [1.5, -25.0, np.nan])
    np.testing.assert_array_equal(table.frame["b"], [1.25, 2.5, 3])
    np.testing.assert_array_equal(table.frame["d"], [np.nan, 1.5, 2])
    assert table.source.decimal == ","


def test_decimal_commas_late_in_the_file(write):
    rows = ["1;2"] * 3000 + ["1,5;2"]
    table = read_table(write("a;b\n" + "\n".join(rows) + "\n"))
    assert table.frame["a"].iloc[-1] == 1.5


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_the_lines_of_rows(write, end):
    text = end.join(["", "a,b", "1,x", "", '2,"two', 'lines"', "3,z"])
    table = read_table(write(text))
    assert table.lines.tolist() == [3, 5, 7]
    assert table.frame["a"].tolist() == [1, 2, 3]
    assert table.frame["b"].tolist() == ["x", f"two{end}lines", "z"]


def test_quotes_hold_separators_and_quotes(write):
    table = read_table(write('a,b\n"x, y","say ""hi"""\n'))
    assert table.frame.iloc[0].tolist() == ["x, y", 'say "hi"']


def test_fields_longer_than_the_csv_modules_limit(write):
    limit = csv.field_size_limit()
    table = read_table(write(f"a,b\n{'x' * 200_000},1\n"))
    assert len(table.frame["a"][0]) == 200_000
    assert csv.field_size_limit() == limit


def test_missing_values_of_features(write):
    table = read_table(write("a,b\n?,None\n1,x\nNA,\n"))
    np.testing.assert_array_equal(table.frame["a"], [np.nan, 1, np.nan])
    assert table.frame["b"].tolist()[:2] == ["None", "x"]
    assert table.frame["b"].isna().tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        (["01", "02", "02"], ["01", "02", "02"]),
        (["1", "2", "1"], [1, 2, 1]),
        (["-1", "1", "0"], [-1, 1, 0]),
        (["1.0", "0.0", "1.0"], ["1.0", "0.0", "1.0"]),
        (["+1", "-1", "1"], ["+1", "-1", "1"]),
        (["True", "False", "True"], ["True", "False", "True"]),
        (["None", "?", "None"], ["None", "?", "None"]),
        ([" a", "a ", "b"], ["a", "a", "b"]),
    ],
)
def test_labels_keep_their_spelling(write, spelled, expected):
    path = write("x,y\n" + "".join(f"1,{label}\n" for label in spelled))
    labels = read_table(path, target="y").frame["y"].tolist()
    assert labels == expected
    assert [type(label) for label in labels] == [type(label) for label in expected]


def test_missing_labels(write):
    labels = read_table(write("x,y\n1,1\n2,\n3,NA\n4,2\n"), target="y").frame["y"]
    assert labels.isna().tolist() == [False, True, True, False]
    assert labels.dropna().tolist() == [1, 2]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_codes_keep_their_zeros(write, end):
    lines = ["zip,n,t,hole", "01234,1,0.5,07", "99999,2,00.5,", ""]
    table = read_table(write(end.join(lines)))
    assert table.frame["zip"].tolist() == ["01234", "99999"]
    assert table.frame["hole"].tolist()[0] == "07"
    assert table.frame["hole"].isna().tolist() == [False, True]
    assert table.frame["n"].tolist() == [1, 2]
    assert table.frame["t"].tolist() == [0.5, 0.5]


def test_columns_named_as_text_keep_their_spelling(write):
    table = read_table(write("a,b\n1,2\n"), text=["b", "no such column"])
    assert table.frame.iloc[0].tolist() == [1, "2"]


def test_reading_changes_nothing_and_tells_the_checksum(write):
    path = write(PLAIN)
    before = path.read_bytes(), path.stat().st_mtime_ns
    table = read_table(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert table.source.sha256 == hashlib.sha256(before[0]).hexdigest()


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"", "a.csv", r"a\.csv is empty"),
        (b"\n \n", "a.csv", "no line with text"),
        (b"a,b\n", "a.csv", "has a header but no rows: read as utf-8, .* begins with 'a,b'"),
        (b'[{"a":1}, {"a":2}]\n', "a.csv", r"""record begins with '\[{"a":1}, {"a":2}\]'"""),
        (b"a,b,a,c,b\n1,2,3,4,5\n", "a.csv", r"names 'a', 'b' occur more than once"),
        (
            b"a,b\n1,2\n1,2,3\n1\n",
            "a.csv",
            r"line 3: 3 fields .* header has 2 .* 1 more line differs too",
        ),
        (b"a,b\n1\n1\n1\n", "a.csv", r"line 2: 1 field .* header has 2 .* 2 more lines differ too"),
        (
            ",".join("abcdefghijklmnopqrstuvw" * 2).encode() + b"\n",
            "a.csv",
            "'s', 't', … and 3 more occur more than",
        ),
        (b'a,b\n"x\ny",2\n1\n', "a.csv", "line 4: 1 field where"),
        (b'a,b\n1,"2\n3,4\n', "a.csv", "can't be read: .*EOF inside string"),
        (b"a,b\n1,2\0\n", "a.csv", r"NUL byte \(byte 8, line 2\)"),
        (b"a,b\n1,\x81\n", "a.csv", r"UTF-8 or Latin-1: byte 7 \(line 2\)"),
        (b"\xef\xbb\xbfa,b\n1,\xff\n", "a.csv", "can't be read as utf-8-sig"),
        (b"\xff\xfea\0,\0b", "a.csv", "can't be read as utf-16"),
        (gzip.compress(b"a,b\n1,2\n" * 99, mtime=0)[:-12], "a.csv.gz", "damaged gzip"),
        (gzip.compress(b"", mtime=0), "a.csv.gz", "is empty once unpacked"),
        (
            gzip.compress(gzip.compress(b"a,b\n1,2\n", mtime=0), mtime=0),
            "a.csv.gz",
            "is gzipped twice",
        ),
        (b"x,y\n1,2\n\n3,inf\n", "a.csv", "line 4: column 'y' has an infinite value"),
        (b"x,y\n-Infinity,2\ninf,3\n", "a.csv", r"line 2: column 'x' .* \(and 1 more\)"),
        (b"a,b\n1,2\n", "a.parquet", "is not a Parquet file"),
        (b"PAR1 is not enough", "a.parquet", "is a damaged Parquet file"),
        (b"PK\x03\x04rest", "a.xlsx", "an Excel workbook"),
    ],
)
def test_bad_files_get_one_clear_line(write, content, name, message):
    with pytest.raises(InputError, match=message) as raised:
        read_table(write(content, name))
    assert "\n" not in str(raised.value)


def test_infinite_values_in_columns_that_are_not_used(write):
    table = read_table(write("x,y\ninf,1\n2,3\n"), unchecked=["x", "no such column"])
    assert table.frame["x"].tolist() == [np.inf, 2]


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(InputError, match=r"There is no file .*none\.csv"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_table(tmp_path)


def test_an_unknown_target_and_encoding(write):
    path = write(PLAIN)
    with pytest.raises(InputError, match="did you mean 'colour'"):
        read_table(path, target="color")
    with pytest.raises(InputError, match="There is no encoding 'utf-9'"):
        read_table(path, encoding="utf-9")


def test_gzipped_parquet(tmp_path):
    packed = io.BytesIO()
    pd.DataFrame({"size": [1, 2], "kind": ["a", "b"]}).to_parquet(packed)
    path = tmp_path / "t.parquet.gz"
    path.write_bytes(gzip.compress(packed.getvalue()))
    table = read_table(path, target="kind")
    assert table.frame["size"].tolist() == [1, 2]
    assert (table.source.format, table.source.compression) == ("parquet", "gzip")


def test_parquet(tmp_path):
    frame = pd.DataFrame(
        {
            "n": [1.5, None],
            "word": ["a", "b"],
            "when": pd.to_datetime(["2024-01-01", "2024-01-02"]),
            "label": [1, 2],
        }
    )
    path = tmp_path / "table.data"
    frame.to_parquet(path)
    table = read_table(path, target="label")
    pd.testing.assert_frame_equal(table.frame, frame, check_dtype=False)
    assert table.lines.tolist() == [1, 2]
    assert table.source.format == "parquet"
    with pytest.raises(InputError, match="did you mean 'label'"):
        read_table(path, target="labels")


def test_parquet_index_becomes_a_column(tmp_path):
    pd.DataFrame({"n": [1, 2]}, index=pd.Index(["p", "q"], name="key")).to_parquet(
        tmp_path / "a.parquet"
    )
    assert read_table(tmp_path / "a.parquet").frame["key"].tolist() == ["p", "q"]


def test_parquet_infinite_and_empty(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"n": [1.0, -np.inf]}).to_parquet(path)
    with pytest.raises(InputError, match="row 2: column 'n' has an infinite value"):
        read_table(path)
    pd.DataFrame({"n": [1.0]}).iloc[:0].to_parquet(path)
    with pytest.raises(InputError, match="has no rows"):
        read_table(path)


def test_parquet_without_pyarrow_names_the_extra(write, monkeypatch):
    def fail(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name="pyarrow")

    monkeypatch.setattr("hardy._extras.import_module", fail)
    with pytest.raises(MissingExtraError, match=r"pip install 'hardy\[parquet\]'"):
        read_table(write(b"PAR1", "a.parquet"))


cells = st.text(
    st.characters(codec="utf-8", exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=8
).map(lambda word: f"x{word}x")


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(cells, cells, st.integers(0, 10**9)), min_size=1, max_size=12),
    separator=st.sampled_from(",;\t|"),
)
def test_what_the_csv_module_writes_is_read_back(tmp_path_factory, rows, separator):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows([("a", "b", "c"), *rows])
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    table = read_table(path, separator=separator)
    assert list(table.frame.itertuples(index=False, name=None)) == rows
    # Each row takes one line, and one more for each line end within it.
    taken = [1 + first.count("\n") + second.count("\n") for first, second, _ in rows]
    assert table.lines.tolist() == [2 + sum(taken[:row]) for row in range(len(rows))]


@pytest.mark.parametrize("first", ["sep=;", "SEP=;", '"sep=;"', "sep=;;"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_excels_line_with_the_separator_is_no_header(write, first, end):
    # Commas would be the better guess here.
    table = read_table(write(end.join([first, "a,b;c,d", "1,5;2,5", "3,5;x,y", ""])))
    assert list(table.frame) == ["a,b", "c,d"]
    assert table.source.separator == ";"
    assert table.frame["a,b"].tolist() == [1.5, 3.5]
    assert table.lines.tolist() == [3, 4]


def test_excels_line_for_tabs_and_in_utf_16(write):
    table = read_table(write("sep=\t\r\na,b\tc\r\n1\t2\r\n", encoding="utf-16"))
    assert list(table.frame) == ["a,b", "c"]
    assert table.lines.tolist() == [3]


def test_a_column_named_sep_is_a_column(write):
    assert list(read_table(write("sep=x;n\n1;2\n")).frame) == ["sep=x", "n"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
def test_a_mark_is_no_part_of_the_first_name_in_a_named_encoding(write, encoding):
    path = write("\ufeffname,n\nŽofie,1\n", encoding=encoding)
    assert list(read_table(path, encoding=encoding).frame) == ["name", "n"]


@pytest.mark.parametrize(
    ("encoding", "message"),
    [
        ("hex", "There is no encoding 'hex' of text; utf-8, .* are some"),
        ("", r"There is no encoding '' of text"),
        ("idna", "There is no encoding 'idna' of text"),
        ("a\0", "There is no encoding"),
        ("unicode_escape", "There is no encoding 'unicode_escape' of text"),
        ("undefined", "There is no encoding 'undefined' of text"),
        ("ascii", r"can't be read as ascii: byte 7 \(line 2\)"),
        ("cp1252", r"can't be read as cp1252: byte 8 \(line 2\)"),
        ("utf-32", "can't be read as utf-32"),
    ],
)
def test_encodings_that_do_not_fit(write, encoding, message):
    with pytest.raises(InputError, match=message) as raised:
        read_table(write("a,b\n1,Á\n"), encoding=encoding)
    assert "\n" not in str(raised.value)


def test_lines_of_bad_bytes_in_wide_encodings(write):
    # A surrogate alone, after a letter one of whose bytes is that of a line end.
    content = "a,b\nĊ,1\n".encode("utf-16-le") + b"\x00\xdc,\x001\x00\n\x00"
    with pytest.raises(InputError, match=r"byte 17 \(line 3\)"):
        read_table(write(content), encoding="utf-16-le")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_pipes_are_refused_at_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(InputError, match=r"pipe is a pipe or a device; save .* to a file first"):
        read_table(path)


def test_blanks_around_missing_values(write):
    table = read_table(write("a, b,c,y\n1, 2, x,01\n , ?,NA ,  \n3, 4, z, 02\n"), target="y")
    np.testing.assert_array_equal(table.frame["a"], [1, np.nan, 3])
    np.testing.assert_array_equal(table.frame["b"], [2, np.nan, 4])
    assert table.frame["c"].isna().tolist() == [False, True, False]
    assert table.frame["y"].isna().tolist() == [False, True, False]
    assert table.frame["y"].tolist()[::2] == ["01", "02"]


@pytest.mark.parametrize("digits", [17, 19, 20, 31])
@pytest.mark.parametrize("hole", ["", "\n,1"])
def test_long_integers_keep_their_digits(write, digits, hole):
    words = [str(9 * 10 ** (digits - 1) + row) for row in range(40)]
    table = read_table(write("code,n\n" + "\n".join(f"{word},1" for word in words) + hole))
    assert [str(value) for value in table.frame["code"].dropna()] == words
    (code, _) = describe_columns(table.frame)
    assert code.set_aside == "it identifies rows: 40 of its 40 values are distinct"


def test_long_numbers_that_floats_tell_apart_stay_numbers(write):
    table = read_table(write("a,b\n1" + "0" * 30 + ",1e30\n2" + "0" * 30 + ",\n,2e30\n"))
    np.testing.assert_array_equal(table.frame["b"], [1e30, np.nan, 2e30])
    assert [column.kind for column in describe_columns(table.frame)] == ["numeric", "numeric"]


def test_long_integers_in_parquet_keep_their_digits(tmp_path):
    codes = [2**60 + row for row in range(30)]
    frame = pd.DataFrame({"code": pd.array([*codes, None], dtype="Int64"), "n": 1})
    frame.to_parquet(tmp_path / "a.parquet")
    read = read_table(tmp_path / "a.parquet").frame
    assert read["code"].tolist()[:-1] == codes
    assert describe_columns(read)[0].kind == "text"


def test_integer_labels_with_holes_in_parquet(tmp_path):
    frame = pd.DataFrame({"y": pd.array([1, None, 2, 1], dtype="Int64"), "n": [1, 2, 3, 4]})
    frame.to_parquet(tmp_path / "a.parquet")
    labels = read_table(tmp_path / "a.parquet", target="y").frame["y"]
    assert check_target(labels).classes.tolist() == [1, 2]
    assert check_target(labels).n_missing == 1


def test_places_are_lines_and_in_parquet_rows(write, tmp_path):
    assert read_table(write("a,b\n\n1,2\n3,4\n")).place(1) == "line 4"
    pd.DataFrame({"n": [1, 2]}).to_parquet(tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").place(1) == "row 2"


@pytest.mark.parametrize("digits", [309, 310, 1024, 5000])
@pytest.mark.parametrize("first", ["1", "0", "-9"])
@pytest.mark.parametrize("hole", ["", ",1\n"])
def test_integers_that_no_float_can_hold_are_codes(write, digits, first, hole):
    words = [f"{first}{row:0{digits - 1}b}" for row in range(30)]
    path = write("code,n\n" + "".join(f"{word},1\n" for word in words) + hole)
    for options in ({}, {"unchecked": ["code"]}, {"text": ["code"]}, {"target": "code"}):
        column = read_table(path, **options).frame["code"].dropna()
        assert [str(value) for value in column] == words


def test_one_code_that_no_float_can_hold(write):
    for words in (["1" * 400] * 3, ["1", "2", "3" * 400], ["1", "-" + "2" * 5000, "1"]):
        table = read_table(write("code,n\n" + "".join(f"{word},1\n" for word in words)))
        assert table.frame["code"].tolist() == words


@pytest.mark.parametrize("word", ["inf", "-Infinity"])
@pytest.mark.parametrize("beside", ["7", "007", "1.5"])
def test_what_is_infinite_by_its_word_is_no_code(write, word, beside):
    with pytest.raises(InputError, match="line 3: column 'x' has an infinite value"):
        read_table(write(f"x,n\n{beside},1\n{word},2\n{beside},3\n"))


def test_codes_beside_decimal_commas_keep_their_spelling(write):
    long = "9" * 29
    table = read_table(write(f"zip;long;x;y\n01;{long}8;1,5;1.5\n02;{long}9;2,5;2.5\n"))
    assert table.frame["zip"].tolist() == ["01", "02"]
    assert [str(value) for value in table.frame["long"]] == [f"{long}8", f"{long}9"]
    assert table.frame["x"].tolist() == table.frame["y"].tolist() == [1.5, 2.5]


def test_a_text_in_another_encoding_shows_its_beginning(write):
    path = write("ab,cd\n12,34\n")
    with pytest.raises(InputError, match=r"read as utf-16, its only record begins with '\w+"):
        read_table(path, encoding="utf-16-be" if sys.byteorder == "big" else "utf-16")


@pytest.mark.parametrize("separator", [";;", "\n", "\r", '"', "\0", "", "§", 3, b","])
def test_what_is_no_separator(write, separator):
    with pytest.raises(InputError, match="is no separator: give one ASCII character"):
        read_table(write("a,b\n1,2\n"), separator=separator)


@pytest.mark.parametrize("encoding", [3, b"utf-8"])
def test_what_is_no_name_of_an_encoding(write, encoding):
    with pytest.raises(InputError, match=r"There is no encoding (3|b'utf-8') of text"):
        read_table(write("a,b\n1,2\n"), encoding=encoding)


@pytest.mark.parametrize("target", [3, 1.5, b"lab", ["a"], {"a"}])
def test_what_is_no_name_of_a_target(write, tmp_path, target):
    pd.DataFrame({"a": [1], "b": [2]}).to_parquet(tmp_path / "a.parquet")
    for path in (write("a,b\n1,2\n"), tmp_path / "a.parquet"):
        with pytest.raises(InputError, match=r" is no name of a column; .* are 'a', 'b'\."):
            read_table(path, target=target)


@pytest.mark.parametrize("container", ["csv", "parquet"])
def test_names_in_another_unicode_form(tmp_path, container):
    here, there = (unicodedata.normalize(form, "é") for form in ("NFC", "NFD"))
    for mine, theirs in ((here, there), (there, here)):
        frame = pd.DataFrame({f"{theirs}1": [1], f"{theirs}2": [2], f"{theirs}3": [3]})
        path = tmp_path / f"a.{container}"
        frame.to_csv(path, index=False) if container == "csv" else frame.to_parquet(path)
        table = read_table(path, target=f"{mine}1", text=[f"{mine}2"])
        assert list(table.frame) == [f"{mine}1", f"{mine}2", f"{theirs}3"]
        if container == "csv":
            assert table.frame.iloc[0].tolist() == [1, "2", 3]


def test_names_that_differ_only_in_their_unicode_form(write):
    forms = [unicodedata.normalize(form, "ǖ") for form in ("NFC", "NFD")]
    table = read_table(write(f"{forms[0]},{forms[1]}\n1,2\n"), target=forms[1], text=["ü\u0304"])
    assert list(table.frame) == forms
    assert table.frame[forms[1]].tolist() == [2]


def test_a_repeated_name_in_parquet(tmp_path):
    columns = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    parquet.write_table(columns, tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"the column name 'a' occurs more than once; rename"):
        read_table(tmp_path / "a.parquet")


@pytest.mark.parametrize("labels", [[[1], [2]], [{"x": 1}, {"x": 2}]])
def test_containers_as_labels_in_parquet(tmp_path, labels):
    parquet.write_table(pa.table({"a": [1, 2], "y": labels}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"column 'y' holds values of the type (list|struct)<"):
        read_table(tmp_path / "a.parquet", target="y")
    assert len(read_table(tmp_path / "a.parquet").frame) == 2


def test_broken_letters_in_parquet(tmp_path):
    letters = pa.array([b"a", b"\xff"]).view(pa.string())
    parquet.write_table(pa.table({"a": letters}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"is a damaged Parquet file: .*UTF8"):
        read_table(tmp_path / "a.parquet")


def index_of(*names):
    levels = [["p", "q"], ["r", "s"]][: len(names)]
    if len(names) == 1:
        return pd.Index(levels[0], name=names[0])
    return pd.MultiIndex.from_arrays(levels, names=names)


@pytest.mark.parametrize(
    ("index", "columns", "expected"),
    [
        (pd.RangeIndex(2), ["a"], ["a"]),
        (pd.RangeIndex(2, name="key"), ["a"], ["a"]),
        (index_of("key"), ["a"], ["key", "a"]),
        (index_of(None), ["a"], ["index", "a"]),
        (index_of(None), ["a", "index"], ["level_0", "a", "index"]),
        (index_of(None), ["index", "level_0"], ["__index_level_0__", "index", "level_0"]),
        (index_of("key", "k"), ["a"], ["key", "k", "a"]),
        (index_of(None, "k"), ["a"], ["level_0", "k", "a"]),
        (index_of(None, None), ["a"], ["level_0", "level_1", "a"]),
        (index_of("a"), ["a", "b"], ["index", "a", "b"]),
        (index_of("k", "a"), ["a", "b"], ["k", "level_1", "a", "b"]),
        (index_of("key"), [], ["key"]),
        (pd.RangeIndex(2), [0, 1], ["0", "1"]),
    ],
)
def test_the_index_of_a_parquet_table(tmp_path, index, columns, expected):
    frame = pd.DataFrame([range(len(columns))] * 2, index=index, columns=columns)
    frame.to_parquet(tmp_path / "a.parquet")
    read = read_table(tmp_path / "a.parquet").frame
    assert list(read) == expected
    assert read.index.tolist() == [0, 1]
    for level in range(0 if isinstance(index, pd.RangeIndex) else index.nlevels):
        assert read.iloc[:, level].tolist() == index.get_level_values(level).tolist()


@pytest.mark.parametrize(
    "notes",
    [b"{broken", b"\xff", b"[" * 100_000, b"null", b"[]", b"{}", b'{"index_columns": 3}',
     b'{"index_columns": "a", "columns": []}', b'{"index_columns": [{}, 3, [], "no"]}'],
)  # fmt: skip
def test_broken_notes_of_pandas_in_parquet(tmp_path, notes):
    table = pa.table({"a": [1, 2], "__index_level_0__": [3, 4]})
    parquet.write_table(table.replace_schema_metadata({b"pandas": notes}), tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").frame.to_dict("list") == {
        "a": [1, 2],
        "index": [3, 4],
    }


def test_parquet_without_columns(tmp_path):
    pd.DataFrame(index=pd.RangeIndex(3)).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"has no (columns|rows)"):
        read_table(tmp_path / "a.parquet")


def test_types_of_pandas_in_parquet(tmp_path):
    frame = pd.DataFrame(
        {
            "flag": pd.array([True, None, False, True], dtype="boolean"),
            "n": pd.array([1.5, None, 2, 1], dtype="Float64"),
            "kind": pd.Categorical(["a", "b", "a", None]),
            "month": pd.period_range("2024-01", periods=4, freq="M"),
            "when": pd.date_range("2024", periods=4, tz="Europe/Paris"),
        }
    )
    frame.to_parquet(tmp_path / "a.parquet")
    read = read_table(tmp_path / "a.parquet").frame
    assert describe_columns(read) == describe_columns(frame)
