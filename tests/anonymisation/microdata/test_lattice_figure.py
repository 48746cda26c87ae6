"""The figure of a lattice: its rows say what its marks say, also those of deposits of earlier versions."""

from anonymisation.microdata.lattice_figure import lattice_document, lattice_drawing
from privacy.sdc import Lattice, flat_hierarchy
from privacy.sdc.lattice import lattice_tradeoff
from tests.fixtures.tables import table_of


def test_every_node_has_a_row_and_the_chosen_one_is_named():
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


def test_a_lattice_of_an_earlier_version_is_still_drawn():
    path = [
        {"height": 0, "levels": [0, 0], "below_k": 9, "alone": 3, "at_risk": 1.0, "mean": 0.5, "ncp": 1.0},
        {"height": 1, "levels": [0, 1], "below_k": 0, "alone": 0, "at_risk": 0.0, "mean": 0.1, "ncp": 0.4},
    ]
    drawn = lattice_drawing({"names": ["age", "work"], "path": path})
    assert [(row["kind"], row["smallest"]) for row in drawn["rows"]] == [("below", "–"), ("chosen", "–")]
