"""What the awkward files hold, by hand, and why some are refused."""

import datetime
from decimal import Decimal
from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).parent / "awkward"
PLAIN = {"size": [1.5, 2.5, 3.5, 4.5], "label": ["apple", "plum", "apple", "plum"]}
TWO_SIZES = {"size": [1.5, 2.5], "label": ["apple", "plum"]}
# Numbers in groups of three stay words: 1,234 is a thousand to some and about one to others.
GERMAN = {
    "Größe": [1.5, 2.25, 3.5, 4.0],
    "Preis": ["1.234,50", "12.000,00", "999,95", "1.000.000,00"],
    "Datum": ["31.12.2025", "01.01.2026", "02.01.2026", "03.01.2026"],
    "Verkauft": ["WAHR", "FALSCH", "WAHR", "FALSCH"],
    "Sorte": ["Äpfel", "Birnen", "Äpfel", "Birnen"],
}
# The values of each file, and the line (in Parquet the row) at which each of its rows starts.
READ = {
    "mark_of_byte_order.csv": (PLAIN, [2, 3, 4, 5]),
    "mark_before_a_quote.csv": ({"size, mm": [1.5, 2.5], "label": ["apple", "plum"]}, [2, 3]),
    "line_ends_of_windows.csv": (PLAIN, [2, 3, 4, 5]),
    "line_ends_of_old_macs.csv": (PLAIN, [2, 3, 4, 5]),
    "line_ends_of_all_kinds.csv": (
        {"size": [1.5, 2.5, 3.5], "label": ["apple", "plum", "apple"]},
        [2, 3, 5],
    ),
    "no_last_line_end.csv": (PLAIN, [2, 3, 4, 5]),
    "semicolons.csv": (
        {
            "size": [1.5, 2.5, 3.5],
            "note": ["a,b", "c,d", "e,f"],
            "label": ["apple", "plum", "apple"],
        },
        [2, 3, 4],
    ),
    "decimal_commas.csv": (
        {"size": [1.5, -2500.0, 3.0], "label": ["apple", "plum", "apple"]},
        [2, 3, 4],
    ),
    "decimal_commas_in_quotes.csv": (
        {"size": ["1,5", "2,5", "3,25"], "label": ["apple", "plum", "apple"]},
        [2, 3, 4],
    ),
    "quoted_newlines.csv": (
        {"note": ["one\ntwo", 'say "hi",\r\nthen go', "c"], "label": ["apple", "plum", "plum"]},
        [2, 4, 6],
    ),
    "latin_1.csv": ({"größe": [1.5, 2.5], "label": ["Äpfel", "Birnen"]}, [2, 3]),
    "euro_of_windows.csv": ({"price": ["€ 1", "€ 2"], "label": ["dear", "cheap"]}, [2, 3]),
    "utf_16.csv": (PLAIN, [2, 3, 4, 5]),
    "utf_16_big_end.tsv": (PLAIN, [2, 3, 4, 5]),
    "names_empty.csv": (
        {"size": [1, 3], "Unnamed: 1": [2, 4], "label": ["apple", "plum"], "Unnamed: 3": [5, 6]},
        [2, 3],
    ),
    "names_with_blanks.csv": ({"size": [1, 2], "label": ["apple", "plum"]}, [2, 3]),
    "one_row.csv": ({"size": [1.5], "label": ["apple"]}, [2]),
    "one_column.csv": ({"label": ["apple", "plum", "apple"]}, [2, 3, 4]),
    "thousands_of_the_english.csv": (
        {"people": ["1,234,567", "12,345", "987"], "label": ["large", "small", "small"]},
        [2, 3, 4],
    ),
    "thousands_of_the_swiss.csv": (
        {"price": ["1'234.50", "12'000.00", "999.95"], "label": ["dear", "dear", "cheap"]},
        [2, 3, 4],
    ),
    "mixed_types.csv": (
        {
            "size": ["1.5", "large", "2025-01-01", None, "true"],
            "label": ["apple", "plum", "apple", "plum", "plum"],
        },
        [2, 3, 4, 5, 6],
    ),
    "dates.csv": (
        {
            "seen": ["2025-12-31", "2026-01-01", "2026-02-28", None],
            "label": ["a", "b", "a", "b"],
        },
        [2, 3, 4, 5],
    ),
    "booleans_in_words.csv": (
        {"ripe": ["yes", "no", "Yes", "NO", None], "label": ["a", "b", "a", "b", "b"]},
        [2, 3, 4, 5, 6],
    ),
    "booleans.csv": ({"ripe": [True, False, True], "label": ["a", "b", "a"]}, [2, 3, 4]),
    "trailing_separators.csv": (
        {"size": [1, 2, 3], "label": ["apple", "plum", "apple"], "Unnamed: 2": [None] * 3},
        [2, 3, 4],
    ),
    "blank_lines.csv": ({"size": [1, 2], "label": ["apple", "plum"]}, [5, 7]),
    "lone_quotes.csv": ({"inches": ['5" nail', '3" nail'], "label": ["long", "short"]}, [2, 3]),
    "german_excel.csv": (GERMAN, [2, 3, 4, 5]),
    "german_excel_utf_8.csv": (GERMAN, [2, 3, 4, 5]),
    "french_excel.csv": (
        {
            "taille": [1.5, 2.25, 3.5, 4.0],
            "prix": ["1\xa0234,50", "12\xa0000,00", "999,95", "1\xa0000\xa0000,00"],
            "date": ["31/12/2025", "01/01/2026", "02/01/2026", "03/01/2026"],
            "vendu": ["VRAI", "FAUX", "VRAI", "FAUX"],
            "variété": ["pêche", "poire", "pêche", "poire"],
        },
        [2, 3, 4, 5],
    ),
    "english_excel.csv": (
        {
            "size": [1.5, 2.25, 3.5, 4.0],
            "price": ["1,234.50", "12,000.00", "999.95", "1,000,000.00"],
            "date": ["12/31/2025", "1/1/2026", "1/2/2026", "1/3/2026"],
            "sold": [True, False, True, False],
            "kind": ["apple", "pear", "apple", "pear"],
        },
        [2, 3, 4, 5],
    ),
    "excel_with_separator.csv": (TWO_SIZES, [3, 4]),
    "two_members.csv.gz": (
        {"size": [1.5, 2.5, 3.5, 4.5, 5.5], "label": [*PLAIN["label"], "plum"]},
        [2, 3, 4, 5, 6],
    ),
    "nested.parquet": (
        {
            "size": [1.5, 2.5, 3.5],
            "parts": [[1, 2], [], None],
            "place": [{"x": 1, "y": "a"}, {"x": 2, "y": None}, None],
            "label": ["apple", "plum", "apple"],
        },
        [1, 2, 3],
    ),
    "dictionary.parquet": (
        {
            "size": [1.5, None, 3.5],
            "colour": ["red", "green", None],
            "label": ["apple", "plum", "apple"],
        },
        [1, 2, 3],
    ),
    "types_of_databases.parquet": (
        {
            "price": [Decimal("1.00"), Decimal("2.00"), None],
            "seen": [pd.Timestamp("1970-01-01"), pd.Timestamp("1970-01-02"), None],
            "day": [datetime.date(1970, 1, day) for day in (1, 2, 3)],
            "key": [b"a", b"\xff\x00", None],
            "label": ["apple", "plum", "apple"],
        },
        [1, 2, 3],
    ),
}
REFUSED = {
    "utf_16_without_mark.csv": r"NUL byte \(byte 2, line 1\).* name its encoding, utf-16-le",
    "utf_16_cut_off.csv": r"can't be read as utf-16: byte 99 \(line 5\)",
    "names_twice.csv": "column name 'size' occurs more than once; rename",
    "header_alone.csv": "has a header but no rows",
    "trailing_separators_in_rows.csv": "line 2: 3 fields where the header has 2",
    "nul_bytes.csv": r"NUL byte \(byte 16, line 2\)",
    "comments_first.csv": "line 2: 2 fields where the header has 1",
    "open_quote.csv": "EOF inside string",
    "page_of_the_web.csv": "line 2: 2 fields where the header has 1",
    "cut_off.csv.gz": "is a damaged gzip file: Compressed file ended",
    "broken_end.csv.gz": "is a damaged gzip file: CRC check failed",
    "more_after_the_end.csv.gz": "is a damaged gzip file",
    "no_rows.parquet": "has no rows",
}


def target_of(columns):
    """Give the column of labels: the last one that has a name of its own."""
    return next(name for name in reversed(columns) if not name.startswith("Unnamed"))
