"""A card has one size, and everything in it stays inside."""

import itertools
import re

import pytest

from surveys.formats.card_picture import CARD_SIZE, card_svg
from surveys.formats.interval_chart import IntervalRow
from surveys.formats.svg import size_of, text_width

ROWS = [IntervalRow(name=name, text="9 of 100", value=0.09, low=-0.1, high=0.3) for name in ("A", "B" * 200)]


@pytest.mark.parametrize("letter", ["w", "问", "a b "])
@pytest.mark.parametrize("length", [1, 40, 4_000])
@pytest.mark.parametrize("rows", [[], ROWS[:1], ROWS])
def test_texts_of_any_length_stay_inside(letter: str, length: int, rows: list[IntervalRow]) -> None:
    words = letter * length
    picture = str(
        card_svg(title=words, heading=words, lines=[words, words], rows=rows, unit="of 100", foot=words)
    )
    assert size_of(picture) == CARD_SIZE
    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*?font-size="(\d+)"[^>]*>([^<]*)<', picture)
    assert len(texts) >= 4
    for x, y, size, content in texts:
        assert int(size) >= 18
        assert float(y) < CARD_SIZE[1]
        is_end = content.endswith("of 100") and float(x) > 1_000
        assert is_end or float(x) + text_width(content) * int(size) / 12 <= CARD_SIZE[0] - 40
    # No text is written over the axis or another line.
    lines = sorted({float(y) for _x, y, _size, _content in texts})
    assert min(after - before for before, after in itertools.pairwise(lines)) >= 18


def test_an_impossible_share_has_only_its_interval_and_texts_are_escaped() -> None:
    impossible = IntervalRow(name="<b>", text="at most 7", value=-0.1, low=-0.2, high=0.07)
    picture = str(
        card_svg(title="A & B", heading="C", lines=["<i>"], rows=[impossible], unit="of 100", foot="")
    )
    assert "circle" not in picture
    assert "<b>" not in picture
    assert "<i>" not in picture
    assert "A &amp; B: C</title>" in picture
