from privacy.sdc import Lattice, flat_hierarchy
from releases.microdata.drawings import lattice_picture
from tests.cast.drawn import assert_readable
from tests.cast.tables import table_of


def test_the_lattice_has_a_mark_per_node_and_a_path_through_all_heights():
    table = table_of(["a", "b"], [("x", "1"), ("y", "2"), ("x", "2"), ("y", "1")])
    lattice = Lattice(table, {name: flat_hierarchy(name, table.column(name).values) for name in "ab"}, k=4)
    found = lattice.search()
    drawn = assert_readable(lattice_picture(lattice, found, found.nodes[0]))
    (path,) = drawn.curves
    assert len(path) == found.height + 1
    # One mark of each kind is in the key.
    assert len(drawn.all("rect")) - 1 == len(path)
    assert len(drawn.all("rect")) - 1 + len(drawn.all("circle")) - 1 == lattice.size == 4
    assert not [part for part in drawn.root.iter() if "style" in part.attrib]
