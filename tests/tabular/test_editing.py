import csv
import gzip
import io
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardy.exceptions import InputError
from hardy.tabular.editing import TableEdit, edit_table, pack

PATH = Path("table.csv")
TEXT = {"format": "text", "encoding": "utf-8", "separator": ",", "decimal": "."}
PARQUET = {"format": "parquet", "encoding": None, "separator": None, "decimal": None}
FIELDS = st.lists(
    st.tuples(st.text('a1 ,"\n\ré', max_size=5), st.booleans()), min_size=2, max_size=2
)


def edit(text, encoding="utf-8", separator=",", **changes):
    how = {**TEXT, "encoding": encoding, "separator": separator}
    return edit_table(text.encode(encoding), PATH, how, TableEdit("kind", **changes)).decode(
        encoding
    )


class TestText:
    def test_only_the_label_changes_and_it_is_spelled_as_elsewhere(self):
        text = 'a,kind,b\r\n1, x ,p\n\n\'2\',"y""z","q\nq"\r\n3,x,r'
        assert edit(text, labels={0: 1}) == text.replace(" x ", '"y""z"')
        assert edit(text, labels={1: 2}) == text.replace('"y""z"', '"x"')

    @pytest.mark.parametrize(
        ("before", "after", "written"),
        [
            ('"x"', "y", '"y"'),
            ("x", '"y"', "y"),
            ("x", '"y,z"', '"y,z"'),
            ("", '"y"', '"y"'),
            ('""', "y", '"y"'),
        ],
    )
    def test_a_new_label_has_quotes_where_the_old_one_had_them(self, before, after, written):
        text = f"a,kind\n1,{before}\n2,{after}\n"
        assert edit(text, labels={0: 1}) == f"a,kind\n1,{written}\n2,{after}\n"

    def test_dropped_records_go_with_their_line_ends_and_blank_lines_stay(self):
        text = 'kind,b\r\nx,1\r\n\r\ny,"2\r\n2"\r\nz,3\r\n'
        assert edit(text, drop={1}) == "kind,b\r\nx,1\r\n\r\nz,3\r\n"
        assert edit(text, drop={0, 1, 2}) == "kind,b\r\n\r\n"

    def test_a_line_that_names_the_separator_stays(self):
        text = "sep=;\r\nkind;b\r\nx;1,5\r\ny;2,5\r\n"
        assert edit(text, separator=";", labels={0: 1}) == text.replace("x;", "y;")

    def test_a_column_is_added_before_the_line_ends_with_the_file_s_decimal_mark(self):
        how = {**TEXT, "separator": ";", "decimal": ","}
        change = TableEdit("kind", drop={1}, column=("weight", [0.25, 0.5, 1.0]))
        data = edit_table(b"a;kind\r\n1,5;x\r\n2,5;y\r\n3,5;z", PATH, how, change)
        assert data == b"a;kind;weight\r\n1,5;x;0,25\r\n3,5;z;1"

    @pytest.mark.parametrize(
        ("mark", "encoding", "codec"),
        [
            (b"\xef\xbb\xbf", "utf-8-sig", "utf-8"),
            (b"\xff\xfe", "utf-16", "utf-16-le"),
            (b"\xfe\xff", "utf-16", "utf-16-be"),
            (b"\xfe\xff", "utf-16-be", "utf-16-be"),
            (b"\x00\x00\xfe\xff", "utf-32", "utf-32-be"),
            (b"", "cp1252", "cp1252"),
            (b"", "shift_jis", "shift_jis"),
        ],
    )
    def test_marks_and_encodings_stay(self, mark, encoding, codec):
        letter = "ü" if codec != "shift_jis" else "ラ"
        text = f"kind,word\nx,{letter}\ny,b\n"
        how = {**TEXT, "encoding": encoding}
        data = edit_table(mark + text.encode(codec), PATH, how, TableEdit("kind", labels={0: 1}))
        assert data == mark + text.replace("x,", "y,").encode(codec)

    def test_what_could_not_be_written_back_is_refused(self):
        # A shift to ASCII that is there already: Python doesn't write it again.
        data = b"kind,b\nx,1\n\x1b(By,2\n"
        with pytest.raises(InputError, match="byte for byte in iso2022_jp"):
            edit_table(data, PATH, {**TEXT, "encoding": "iso2022_jp"}, TableEdit("kind"))

    @given(st.lists(FIELDS, min_size=2, max_size=6), st.sampled_from([",", ";", "\t"]), st.data())
    def test_what_the_csv_module_reads_is_as_asked(self, rows, separator, data):
        def spell(word, quoted):
            quoted = quoted or any(c in word for c in '"\r\n' + separator) or not word.strip()
            return '"' + word.replace('"', '""') + '"' if quoted else word

        lines = [f"kind{separator}b"]
        lines += [separator.join(spell(*cell) for cell in row) for row in rows]
        text = "\r\n".join(lines) + "\r\n"
        places = st.integers(0, len(rows) - 1)
        labels = data.draw(st.dictionaries(places, places))
        drop = data.draw(st.sets(places))
        assert edit(text, separator=separator) == text
        new = edit(text, separator=separator, labels=labels, drop=drop)
        read = list(csv.reader(io.StringIO(new, newline=""), delimiter=separator))[1:]
        assert read == [
            [rows[labels.get(at, at)][0][0], row[1][0]]
            for at, row in enumerate(rows)
            if at not in drop
        ]


class TestParquet:
    def test_values_types_and_notes_stay(self):
        frame = pd.DataFrame(
            {
                "kind": pd.Categorical(["x", "y", "x", None]),
                "when": pd.to_datetime(["2024-01-01"] * 4),
                "n": pd.array([1, None, 3, 2**60 + 1], dtype="Int64"),
            },
            index=pd.Index(list("abcd"), name="name"),
        )
        buffer = io.BytesIO()
        frame.to_parquet(buffer, compression="gzip")
        change = TableEdit("kind", labels={0: 1}, drop={2})
        data = edit_table(buffer.getvalue(), Path("t.parquet"), PARQUET, change)
        expected = frame.iloc[[0, 1, 3]].copy()
        expected.loc["a", "kind"] = "y"
        pd.testing.assert_frame_equal(pd.read_parquet(io.BytesIO(data)), expected)
        before, after = (pq.ParquetFile(io.BytesIO(d)) for d in (buffer.getvalue(), data))
        assert after.schema_arrow.equals(before.schema_arrow, check_metadata=True)
        assert after.metadata.row_group(0).column(0).compression == "GZIP"

    def test_a_column_is_added(self):
        buffer = io.BytesIO()
        pq.write_table(pa.table({"kind": [True, False]}), buffer)
        change = TableEdit("kind", column=("weight", [0.5, 1]))
        data = edit_table(buffer.getvalue(), Path("t.parquet"), PARQUET, change)
        assert pd.read_parquet(io.BytesIO(data)).to_dict("list") == {
            "kind": [True, False],
            "weight": [0.5, 1.0],
        }


def test_the_name_says_whether_it_is_gzipped():
    assert pack(b"a", Path("t.csv")) == b"a"
    packed = pack(b"a", Path("t.csv.gz"))
    assert gzip.decompress(packed) == b"a"
    assert packed == pack(b"a", Path("u.CSV.GZ"))
