"""Lattice pictures show kinds by shape."""

from xml.dom.minidom import parseString

from anonymisation.microdata.bars_picture import WIDTH
from anonymisation.microdata.lattice_picture import (
    HEIGHT,
    TOP,
    Dot,
    lattice_document,
    lattice_drawing,
    lattice_svg,
)
from privacy.sdc.hierarchy import flat_hierarchy
from privacy.sdc.lattice import Lattice
from privacy.sdc.lattice_tradeoff import lattice_tradeoff
from tests.fixtures.svg_reading import assert_readable
from tests.fixtures.tables import table_of

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
