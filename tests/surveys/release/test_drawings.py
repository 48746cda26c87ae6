import xml.etree.ElementTree as ET

import pytest

from privacy.sdc import Lattice, flat_hierarchy
from surveys.release.drawings import bars, curve, lattice_picture, paired_bars
from tests.cast.tables import table_of


def parsed(svg):
    root = ET.fromstring(svg)
    assert not [element for element in root.iter() if "style" in element.attrib]
    return root


def count(root, name):
    return len(root.findall(f".//{{http://www.w3.org/2000/svg}}{name}"))


@pytest.mark.parametrize(
    "svg",
    [
        bars("<b>", [("a & b", 1.0), ("c", 0.0)]),
        paired_bars("t", [("<x>", 0.5, 0.0)]),
        curve("t", [("one", [(1, 2), (2, 3)]), ("two", [])], "k", "s"),
        bars("empty", []),
    ],
)
def test_pictures_are_well_formed_whatever_the_labels(svg):
    assert parsed(svg).tag.endswith("svg")


def test_bars_have_one_rectangle_per_row_in_proportion():
    root = parsed(bars("t", [("a", 1.0), ("b", 0.5)]))
    widths = [float(one.attrib["width"]) for one in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert widths == [300.0, 150.0]


def test_the_lattice_has_a_circle_per_node_and_a_path_through_all_heights():
    table = table_of(["a", "b"], [("x", "1"), ("y", "2"), ("x", "2"), ("y", "1")])
    lattice = Lattice(table, {name: flat_hierarchy(name, table.column(name).values) for name in "ab"}, k=4)
    found = lattice.search()
    root = parsed(lattice_picture(lattice, found, found.nodes[0]))
    assert count(root, "circle") == lattice.size == 4
    path = root.find(".//{http://www.w3.org/2000/svg}path").attrib["d"]
    assert path.count("L") == found.height == 2
