"""Write the awkward files beside this one anew: ``python tests/data/make_awkward.py``.

Files as programs and people leave them. What each one holds is said once more, by hand, in
``truth.py``.
"""

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

FOLDER = Path(__file__).parent / "awkward"
# Numbers in German and French dress: in groups of three, with commas for decimals.
GERMAN = "Größe;Preis;Datum;Verkauft;Sorte\r\n" + (
    "1,5;1.234,50;31.12.2025;WAHR;Äpfel\r\n2,25;12.000,00;01.01.2026;FALSCH;Birnen\r\n"
    "3,5;999,95;02.01.2026;WAHR;Äpfel\r\n4;1.000.000,00;03.01.2026;FALSCH;Birnen\r\n"
)
FRENCH = "taille;prix;date;vendu;variété\r\n" + (
    "1,5;1\xa0234,50;31/12/2025;VRAI;pêche\r\n2,25;12\xa0000,00;01/01/2026;FAUX;poire\r\n"
    "3,5;999,95;02/01/2026;VRAI;pêche\r\n4;1\xa0000\xa0000,00;03/01/2026;FAUX;poire\r\n"
)
ENGLISH = "size,price,date,sold,kind\r\n" + (
    '1.5,"1,234.50",12/31/2025,TRUE,apple\r\n2.25,"12,000.00",1/1/2026,FALSE,pear\r\n'
    '3.5,999.95,1/2/2026,TRUE,apple\r\n4,"1,000,000.00",1/3/2026,FALSE,pear\r\n'
)
PLAIN = "size,label\n1.5,apple\n2.5,plum\n3.5,apple\n4.5,plum\n"

TEXTS = {
    "mark_of_byte_order.csv": PLAIN.encode("utf-8-sig"),
    "mark_before_a_quote.csv": b"\xef\xbb\xbf" + b'"size, mm",label\n1.5,apple\n2.5,plum\n',
    "line_ends_of_windows.csv": PLAIN.replace("\n", "\r\n").encode(),
    "line_ends_of_old_macs.csv": PLAIN.replace("\n", "\r").encode(),
    "line_ends_of_all_kinds.csv": b"size,label\r\n1.5,apple\n2.5,plum\r\n\r\n3.5,apple\n",
    "no_last_line_end.csv": PLAIN.rstrip().encode(),
    "semicolons.csv": b"size;note;label\n1.5;a,b;apple\n2.5;c,d;plum\n3.5;e,f;apple\n",
    "decimal_commas.csv": b"size;label\n1,5;apple\n-2,5e3;plum\n3;apple\n",
    "decimal_commas_in_quotes.csv": b'size,label\n"1,5",apple\n"2,5",plum\n"3,25",apple\n',
    "quoted_newlines.csv": b'note,label\n"one\ntwo",apple\n"say ""hi"",\r\nthen go",plum\nc,plum\n',
    "latin_1.csv": "größe,label\n1.5,Äpfel\n2.5,Birnen\n".encode("latin-1"),
    "euro_of_windows.csv": "price,label\n€ 1,dear\n€ 2,cheap\n".encode("cp1252"),
    "utf_16.csv": PLAIN.encode("utf-16"),
    "utf_16_big_end.tsv": b"\xfe\xff" + PLAIN.replace(",", "\t").encode("utf-16-be"),
    "utf_16_without_mark.csv": PLAIN.encode("utf-16-le"),
    "utf_16_cut_off.csv": PLAIN.encode("utf-16")[:-1],
    "names_twice.csv": b"size,size,label\n1,2,apple\n3,4,plum\n",
    "names_empty.csv": b"size,,label,\n1,2,apple,5\n3,4,plum,6\n",
    "names_with_blanks.csv": b" size , label\n1, apple\n2, plum\n",
    "one_row.csv": b"size,label\n1.5,apple\n",
    "one_column.csv": b"label\napple\nplum\napple\n",
    "header_alone.csv": b"size,label\n",
    "thousands_of_the_english.csv": b'people,label\n"1,234,567",large\n"12,345",small\n987,small\n',
    "thousands_of_the_swiss.csv": b"price,label\n1'234.50,dear\n12'000.00,dear\n999.95,cheap\n",
    "mixed_types.csv": b"size,label\n1.5,apple\nlarge,plum\n2025-01-01,apple\n,plum\ntrue,plum\n",
    "dates.csv": b"seen,label\n2025-12-31,a\n2026-01-01,b\n2026-02-28,a\n,b\n",
    "booleans_in_words.csv": b"ripe,label\nyes,a\nno,b\nYes,a\nNO,b\n,b\n",
    "booleans.csv": b"ripe,label\ntrue,a\nfalse,b\nTrue,a\n",
    "trailing_separators.csv": b"size,label,\n1,apple,\n2,plum,\n3,apple,\n",
    "trailing_separators_in_rows.csv": b"size,label\n1,apple,\n2,plum,\n",
    "nul_bytes.csv": b"size,label\n1,ap\0ple\n2,plum\n",
    "blank_lines.csv": b"\n\nsize,label\n\n1,apple\n   \n2,plum\n\n",
    "comments_first.csv": b"# made by a machine\nsize,label\n1,apple\n2,plum\n",
    "open_quote.csv": b'size,label\n1,"apple\n2,plum\n3,apple\n',
    "lone_quotes.csv": b'inches,label\n5" nail,long\n3" nail,short\n',
    "page_of_the_web.csv": b"<!DOCTYPE html>\n<html><body>Log in, please</body></html>\n",
    "german_excel.csv": GERMAN.encode("cp1252"),
    "german_excel_utf_8.csv": GERMAN.encode("utf-8-sig"),
    "french_excel.csv": FRENCH.encode("cp1252"),
    "english_excel.csv": ENGLISH.encode("cp1252"),
    "excel_with_separator.csv": b"sep=;\r\nsize;label\r\n1,5;apple\r\n2,5;plum\r\n",
    "cut_off.csv.gz": gzip.compress(PLAIN.encode() * 9, mtime=0)[:-6],
    "broken_end.csv.gz": gzip.compress(PLAIN.encode(), mtime=0)[:-8] + b"\1\2\3\4\5\6\7\0",
    "more_after_the_end.csv.gz": gzip.compress(PLAIN.encode(), mtime=0) + b"tail",
    "two_members.csv.gz": gzip.compress(PLAIN.encode(), mtime=0)
    + gzip.compress(b"5.5,plum\n", mtime=0),
}  # fmt: skip
PARQUETS = {
    "nested.parquet": {
        "size": pa.array([1.5, 2.5, 3.5]),
        "parts": pa.array([[1, 2], [], None], pa.list_(pa.int64())),
        "place": pa.array([{"x": 1, "y": "a"}, {"x": 2, "y": None}, None]),
        "label": pa.array(["apple", "plum", "apple"]),
    },
    "dictionary.parquet": {
        "size": pa.array([1.5, None, 3.5]),
        "colour": pa.array(["red", "green", None]).dictionary_encode(),
        "label": pa.array(["apple", "plum", "apple"]).dictionary_encode(),
    },
    "types_of_databases.parquet": {
        "price": pa.array([1, 2, None], pa.int32()).cast(pa.decimal128(12, 2)),
        "seen": pa.array([0, 86_400, None], pa.timestamp("s")),
        "day": pa.array([0, 1, 2], pa.date32()),
        "key": pa.array([b"a", b"\xff\x00", None]),
        "label": pa.array(["apple", "plum", "apple"]),
    },
    "no_rows.parquet": {"size": pa.array([], pa.float64()), "label": pa.array([], pa.string())},
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, content in TEXTS.items():
        (FOLDER / name).write_bytes(content)
    for name, columns in PARQUETS.items():
        pq.write_table(pa.table(columns), FOLDER / name)
