"""Bars start at 0 and are proportional."""

import pytest

from anonymisation.microdata.bars_picture import RiskBar, bars_svg
from surveys.formats import svg
from tests.fixtures.svg_reading import SPACE, Drawing, assert_readable

PAIRED = [
    bar
    for label, before, after in (("never married", 0.33, 0.5), ("<x>", 0.5, 0.0))
    for bar in (RiskBar(label=label, value=before, kind=1), RiskBar(label="", value=after))
]
KINDS = ("after", "before")


def widths(svg):
    return [
        float(part.attrib["width"])
        for part in Drawing(svg).all("rect")
        if part.attrib.get("height") == "10" and "stroke" in part.attrib
    ]


@pytest.mark.parametrize(
    "drawn",
    [
        bars_svg([RiskBar(label="a & b", value=1.0), RiskBar(label="c", value=0.0)], title="<b>", most=1.0),
        bars_svg([RiskBar(label="w" * 90, value=12345.678)], title="t"),
        bars_svg(PAIRED, title="t", kinds=KINDS),
        bars_svg([], title="empty"),
    ],
    ids=range(4),
)
def test_text_overlaps_no_other_text_line_bar_or_edge(drawn):
    picture = assert_readable(drawn)
    assert not [part for part in picture.root.iter() if "style" in part.attrib]
    for part in picture.all("rect"):
        if "stroke" in part.attrib:
            x, y, wide, high = (float(part.attrib[name]) for name in ("x", "y", "width", "height"))
            assert not any(
                box.crossed_by(((x, y + high / 2), (x + wide, y + high / 2))) for box in picture.texts
            )


def test_bar_lengths_are_proportional_and_labelled_with_numbers():
    made = bars_svg([RiskBar(label="a", value=1.0), RiskBar(label="b", value=0.5)], title="t", most=1.0)
    full, half = widths(made)
    assert full == pytest.approx(2 * half, abs=0.2)
    assert [box.words for box in Drawing(made).texts] == ["a", "1", "b", "0.5"]


def test_filled_and_outlined_bars_are_labelled_above():
    made = Drawing(bars_svg(PAIRED, title="t", kinds=KINDS))
    fills = [part.attrib["fill"] for part in made.all("rect")]
    assert fills[:2] == [svg.ACCENT, svg.PAPER]
    assert fills[2:] == [svg.PAPER, svg.ACCENT] * 2
    assert [box.words for box in made.texts][:2] == ["after", "before"]


def test_the_chart_description_contains_every_number():
    said = Drawing(bars_svg(PAIRED, title="t", kinds=KINDS)).root.find(f"{SPACE}desc").text
    assert said == "never married before 0.33; after 0.5; <x> before 0.5; after 0"
