"""Bars start at 0 and are proportional; lattice pictures show kinds by shape."""

from xml.dom.minidom import parseString

import pytest

from anonymisation.microdata.report import (
    HEIGHT,
    TOP,
    WIDTH,
    Bar,
    Dot,
    bars_svg,
    lattice_document,
    lattice_drawing,
    lattice_svg,
)
from privacy.sdc.hierarchy import flat_hierarchy
from privacy.sdc.lattice import Lattice, lattice_tradeoff
from surveys.formats import svg
from tests.fixtures.svg_reading import SPACE, Drawing, assert_readable
from tests.fixtures.tables import table_of

PAIRED = [
    bar
    for label, before, after in (("never married", 0.33, 0.5), ("<x>", 0.5, 0.0))
    for bar in (Bar(label=label, value=before, kind=1), Bar(label="", value=after))
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
        bars_svg([Bar(label="a & b", value=1.0), Bar(label="c", value=0.0)], title="<b>", most=1.0),
        bars_svg([Bar(label="w" * 90, value=12345.678)], title="t"),
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
    made = bars_svg([Bar(label="a", value=1.0), Bar(label="b", value=0.5)], title="t", most=1.0)
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


DOTS = [
    Dot(loss=0, risk=1, kind="below"),
    Dot(loss=0.5, risk=0.4, kind="good"),
    Dot(loss=0.5, risk=0.4, kind="good"),
    Dot(loss=0.4, risk=0.2, kind="minimal", text="[1, 0]"),
    Dot(loss=0.6, risk=0, kind="chosen", text="[1, 1]"),
]


def test_each_kind_has_its_own_shape_and_the_path_is_dashed():
    picture = lattice_svg(DOTS, [DOTS[0], DOTS[3], DOTS[4]])
    assert_readable(picture)
    drawing = parseString(picture)
    circles = drawing.getElementsByTagName("circle")
    polygons = drawing.getElementsByTagName("polygon")
    # The legend has one of each; equal marks in one place are drawn once.
    assert sorted(one.getAttribute("r") for one in circles) == ["1.75", "1.75", "3.5", "3.5"]
    assert sorted(len(one.getAttribute("points").split()) for one in polygons) == [3, 3, 4, 4]
    (_key, way) = drawing.getElementsByTagName("polyline")
    assert way.getAttribute("stroke-dasharray")
    assert len(way.getAttribute("points").split()) == 3


def test_lattice_plots_loss_rightwards_and_risk_upwards():
    drawing = parseString(lattice_svg(DOTS, DOTS[:1]))
    marks = [one for one in drawing.getElementsByTagName("circle") if float(one.getAttribute("cy")) > 60]
    below, good = ((float(one.getAttribute("cx")), float(one.getAttribute("cy"))) for one in marks)
    assert below[0] < good[0] < WIDTH
    assert TOP <= below[1] < good[1] < HEIGHT


def test_every_node_has_a_row_and_the_chosen_node_is_marked():
    table = table_of(["a", "b"], [("x", "1"), ("y", "2"), ("x", "2"), ("y", "1")])
    lattice = Lattice(table, {name: flat_hierarchy(name, table.column(name).values) for name in "ab"}, k=2)
    chosen, other = lattice.search()
    drawn = lattice_drawing(lattice_document(lattice_tradeoff(lattice, chosen)))
    kinds = {tuple(row["levels"]): row["kind"] for row in (*drawn["rows"], *drawn["others"])}
    assert kinds == {(0, 0): "below", chosen.levels: "chosen", other.levels: "minimal", (1, 1): "good"}
    assert [row["what"] for row in drawn["rows"]] == ["on the path", "chosen", "no finer one reaches k"]
    assert [row["levels"] for row in drawn["others"]] == [[1, 1]]
    assert drawn["whole"]
    assert lattice_document(None) == lattice_drawing({}) == {}
