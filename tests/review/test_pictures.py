import numpy as np
import pandas as pd
import pytest

from hardy.review.pictures import WIDTH, Column
from hardy.review.words import Piece, TextColumn, cut_into_stretches
from hardy.tabular import describe_columns


def column(values, codes, n_classes=2):
    frame = pd.DataFrame({"c": values})
    return Column(describe_columns(frame)[0], frame["c"], np.asarray(codes), n_classes)


class TestNumbers:
    def test_a_value_of_the_other_class_speaks_for_it(self):
        rng = np.random.default_rng(0)
        codes = np.arange(200) % 2
        values = codes * 5 + rng.normal(size=200)
        values[0] = 5.0
        drawn = column(values, codes).draw(0, 0, 1)
        assert drawn.speaks_for > 2
        assert drawn.mark > WIDTH / 2
        assert column(values, codes).draw(2, 0, 1).speaks_for < -0.5

    def test_a_missing_value_has_no_place(self):
        drawn = column([1.0, 2.5, None, 4.0], [0, 1, 0, 1]).draw(2, 0, 1)
        assert (drawn.mark, drawn.speaks_for, drawn.value) == (None, 0.0, "–")

    def test_moments_have_a_scale(self):
        days = pd.to_datetime(["2024-01-01", "2024-02-01", None, "2024-03-01"])
        drawn = column(days, [0, 1, 0, 1]).draw(3, 0, 1)
        assert drawn.mark == pytest.approx(WIDTH)
        assert column(days, [0, 1, 0, 1]).draw(2, 0, 1).mark is None

    def test_equal_values_are_drawn(self):
        assert column([1.5, 1.5, 1.5], [0, 1, 0]).draw(0, 0, 1).speaks_for == pytest.approx(
            np.log((1 + 0.5) / (1 + 12) * (1 + 12) / (1 + 0.5)), abs=0.5
        )


class TestWords:
    def test_shares_without_the_row_itself(self):
        drawn = column(
            ["red", "red", "blue", "red", "blue", "blue"] * 5, [0, 0, 0, 1, 1, 1] * 5
        ).draw(0, 0, 1)
        # 9 of the other 14 rows of its class, 5 of the 15 of the other one.
        assert drawn.shares == pytest.approx((9 / 14, 5 / 15))

    def test_without_a_given_label_only_the_suggested_one_is_compared(self):
        drawn = column(["red", "blue", "red", "blue"] * 5, [-1, 1, 1, 1] * 5).draw(0, -1, 1)
        assert drawn.shares == pytest.approx((0, 1 / 3))
        assert drawn.speaks_for == 0


class TestText:
    def read(self, texts, codes, at, given=0, suggested=1):
        return TextColumn("t", pd.Series(texts), np.asarray(codes), 2).read(at, given, suggested)

    def test_words_that_are_twice_as_frequent_are_marked_as_they_are_written(self):
        texts = ["A Shark, in the sea!", *["minnow in the brook"] * 4, *["shark in the sea"] * 4]
        pieces = self.read(texts, [0] * 5 + [1] * 4, 0)
        assert "".join(piece.text for piece in pieces) == texts[0]
        assert [p.text for p in pieces if p.speaks_for == "suggested"] == ["Shark", "sea"]
        pieces = self.read(texts, [0] * 5 + [1] * 4, 1)
        assert [p.text for p in pieces if p.speaks_for == "given"] == ["minnow", "brook"]

    def test_a_word_of_this_row_alone_says_nothing(self):
        pieces = self.read(["unheard", "a", "b", "c"], [0, 0, 1, 1], 0)
        assert [piece.speaks_for for piece in pieces] == [""]

    @pytest.mark.parametrize(
        ("text", "lengths"),
        [
            ("x" * 9_000, [4_000, 4_000, 1_000]),
            ("x" * 2_500 + "\n" + "y " * 1_000, [2_501, 2_000]),
            ("word " * 900, [4_000, 500]),
            ("short", [5]),
            ("", []),
        ],
    )
    def test_long_texts_come_in_stretches_that_are_laid_out_alone(self, text, lengths):
        half = len(text) // 2
        pieces = [Piece(text[:half], "given"), Piece(text[half:], "")] if text else []
        stretches = cut_into_stretches(pieces)
        assert [sum(len(piece.text) for piece in stretch) for stretch in stretches] == lengths
        together = [piece for stretch in stretches for piece in stretch]
        assert "".join(piece.text for piece in together) == text
        assert "".join(p.text for p in together if p.speaks_for) == text[:half]

    def test_a_missing_text_has_no_pieces(self):
        assert self.read([None, "a", "b"], [0, 0, 1], 0) == []
