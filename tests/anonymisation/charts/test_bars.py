"""Pictures of bars: lengths in proportion from 0, figures clear of everything, kinds that hold in grey."""

import itertools

import pytest

from anonymisation.charts.bars import Bar, bars_svg
from surveys.charts import svg
from tests.fixtures.drawn import SPACE, Drawn, assert_readable

PAIRED = [
    bar
    for label, before, after in (("never married", 0.33, 0.5), ("<x>", 0.5, 0.0))
    for bar in (Bar(label=label, value=before, kind=1), Bar(label="", value=after))
]
ENGINES = [
    Bar(label="numba packed", value=0.00026, group="mushroom 0.3"),
    Bar(label="efficient-apriori", value=0.467, kind=1, group="mushroom 0.3"),
    Bar(label="mlxtend apriori", value=95, kind=1, group="mushroom 0.1"),
]
KINDS = ("after", "before")


def widths(svg):
    return [
        float(part.attrib["width"])
        for part in Drawn(svg).all("rect")
        if part.attrib.get("height") == "10" and "stroke" in part.attrib
    ]


@pytest.mark.parametrize(
    "drawn",
    [
        bars_svg([Bar(label="a & b", value=1.0), Bar(label="c", value=0.0)], title="<b>", most=1.0),
        bars_svg([Bar(label="w" * 90, value=12345.678)], title="t"),
        bars_svg(PAIRED, title="t", kinds=KINDS),
        bars_svg(
            PAIRED, title="A title that one line cannot hold, however it is told", kinds=KINDS, paper=True
        ),
        bars_svg(ENGINES, title="t", kinds=KINDS, logarithmic=True, unit="seconds", paper=True),
        bars_svg([], title="empty"),
    ],
    ids=range(6),
)
def test_no_text_meets_another_or_a_line_or_a_bar_or_the_edge(drawn):
    picture = assert_readable(drawn)
    assert not [part for part in picture.root.iter() if "style" in part.attrib]
    for part in picture.all("rect"):
        if "stroke" in part.attrib:
            x, y, wide, high = (float(part.attrib[name]) for name in ("x", "y", "width", "height"))
            assert not any(
                box.crossed_by(((x, y + high / 2), (x + wide, y + high / 2))) for box in picture.texts
            )


def test_lengths_are_in_proportion_and_a_figure_stands_behind_each():
    made = bars_svg([Bar(label="a", value=1.0), Bar(label="b", value=0.5)], title="t", most=1.0)
    full, half = widths(made)
    assert full == pytest.approx(2 * half, abs=0.2)
    assert [box.words for box in Drawn(made).texts] == ["a", "1", "b", "0.5"]


def test_equal_ratios_have_equal_lengths_on_a_logarithmic_axis():
    values = [Bar(label=str(n), value=10.0**n) for n in range(-3, 3)]
    made = widths(bars_svg(values, title="t", logarithmic=True))
    steps = [after - before for before, after in itertools.pairwise(made)]
    assert steps == pytest.approx([steps[0]] * 5, abs=0.3)


def test_full_and_hollow_bars_are_named_above_them():
    made = Drawn(bars_svg(PAIRED, title="t", kinds=KINDS))
    fills = [part.attrib["fill"] for part in made.all("rect")]
    assert fills[:2] == [svg.ACCENT, svg.PAPER]
    assert fills[2:] == [svg.PAPER, svg.ACCENT] * 2
    assert [box.words for box in made.texts][:2] == ["after", "before"]


def test_those_who_do_not_see_it_hear_every_figure():
    said = Drawn(bars_svg(PAIRED, title="t", kinds=KINDS)).root.find(f"{SPACE}desc").text
    assert said == "never married before 0.33; after 0.5; <x> before 0.5; after 0"
