"""A card has one size, and everything in it stays inside."""

import itertools
import re
from dataclasses import replace

import pytest

from surveys.formats.card_picture import CARD_SIZE, card_svg
from surveys.formats.interval_chart import IntervalRow, Ruler, share_row
from surveys.formats.svg import size_of, text_width

ROWS = [share_row(name, "9 of 100", value=0.09, low=-0.1, high=0.3) for name in ("A", "B" * 200)]
HOURS = Ruler(
    low=0.0, high=24.0, ticks=((0.0, "0"), (10.0, "10"), (20.0, "20"), (24.0, "24")), unit="h" * 300
)
WORKED = IntervalRow(name="worked", text="8 hours", value=8.0, low=6.0, high=12.0, ruler=HOURS)


@pytest.mark.soak
@pytest.mark.parametrize("letter", ["w", "问", "a b "])
@pytest.mark.parametrize("length", [1, 40, 4_000])
@pytest.mark.parametrize("rows", [[], ROWS[:1], ROWS, [ROWS[0], WORKED], [WORKED]])
def test_texts_of_any_length_stay_inside(letter: str, length: int, rows: list[IntervalRow]) -> None:
    words = letter * length
    picture = str(card_svg(title=words, heading=words, lines=[words, words], rows=rows, foot=words))
    assert size_of(picture) == CARD_SIZE
    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*?font-size="(\d+)"[^>]*>([^<]*)<', picture)
    assert len(texts) >= 4
    for x, y, size, content in texts:
        assert int(size) >= 18
        assert float(y) < CARD_SIZE[1]
        is_end = content.startswith(("100 of 100 people", "24 h")) and float(x) > 1_000
        assert is_end or float(x) + text_width(content) * int(size) / 12 <= CARD_SIZE[0] - 40
    # No text is written over the axis or another line.
    lines = sorted({float(y) for _x, y, _size, _content in texts})
    assert min(after - before for before, after in itertools.pairwise(lines)) >= 18


def test_an_impossible_share_has_only_its_interval_and_texts_are_escaped() -> None:
    impossible = share_row("<b>", "at most 7", value=-0.1, low=-0.2, high=0.07)
    picture = str(card_svg(title="A & B", heading="C", lines=["<i>"], rows=[impossible], foot=""))
    assert "circle" not in picture
    assert "<b>" not in picture
    assert "<i>" not in picture
    assert "A &amp; B: C</title>" in picture


def test_each_unit_has_its_axis_and_the_last_label_says_it() -> None:
    hours = replace(HOURS, unit="hours")
    picture = str(
        card_svg(title="", heading="", lines=[], rows=[ROWS[0], replace(WORKED, ruler=hours)], foot="")
    )
    assert ">100 of 100 people<" in picture
    assert ">24 hours<" in picture
    first, second = (float(x) for x in re.findall(r'<circle cx="([\d.]+)"', picture))
    assert first == pytest.approx(60 + 0.09 * 1_080)
    assert second == pytest.approx(60 + 8 / 24 * 1_080)
