"""Risk and loss of every generalisation, counted by hand, and what is looked at of a large lattice."""

from itertools import pairwise

import numpy as np
import pytest

from privacy.sdc import Classes, Lattice, flat_hierarchy, interval_hierarchy
from privacy.sdc.lattice_tradeoff import MOST_NODES, lattice_tradeoff
from tests.cast.tables import WORK, random_table, table_of, tree_of


def small(**wish):
    """Four women of 21, 22, 31 and 38, a man of 23 and one of 36."""
    rows = [("21", "F"), ("22", "F"), ("31", "F"), ("38", "F"), ("23", "M"), ("36", "M")]
    table = table_of(["age", "sex"], rows)
    trees = {
        "age": interval_hierarchy("age", table.column("age").values, [10]),
        "sex": flat_hierarchy("sex", ["F", "M"]),
    }
    return Lattice(table, trees, k=2, **wish)


def test_every_node_of_a_small_lattice_has_the_risk_and_loss_that_are_counted_by_hand():
    """A decade holds three of the six ages, so it loses half of the age: a quarter of both columns."""
    lattice = small()
    minimal = {node.levels: node for node in lattice.minimal()}
    assert set(minimal) == {(1, 1), (2, 0)}
    found = lattice_tradeoff(lattice, minimal[1, 1], threshold=0.4)
    rows = {
        one.levels: (one.smallest, one.below_k, one.alone, one.at_risk, one.loss, one.good, one.minimal)
        for one in found.nodes
    }
    assert rows == {
        (0, 0): (1, 6, 6, 1.0, 0.0, False, False),
        # Two women of each decade are two; each man is alone in his.
        (1, 0): (1, 2, 2, 1.0, 0.25, False, False),
        (0, 1): (1, 6, 6, 1.0, 0.5, False, False),
        (2, 0): (2, 0, 0, 2 / 6, 0.5, True, True),
        (1, 1): (3, 0, 0, 0.0, 0.75, True, True),
        (2, 1): (6, 0, 0, 0.0, 1.0, True, False),
    }
    assert found.whole
    assert (found.size, found.chosen) == (6, (1, 1))
    assert [sum(levels) for levels in found.path] == [0, 1, 2]


def test_records_that_may_be_left_out_make_more_nodes_good_and_change_no_loss():
    strict, free = small(), small(max_suppressed=2)
    one, other = (lattice_tradeoff(each, each.search().nodes[0]) for each in (strict, free))
    assert [node.loss for node in one.nodes] == [node.loss for node in other.nodes]
    assert {node.levels for node in other.nodes if node.minimal} == {(1, 0)}


def test_the_tradeoff_agrees_with_classes_of_labels_written_down():
    table, _ = random_table(1, 60)
    trees = tree_of(table, {"work": WORK})
    for name, widths in (("age", [5, 10, 20]), ("school", [2, 4])):
        trees[name] = interval_hierarchy(name, table.column(name).values, widths)
    trees = {name: tree.for_values(table.column(name).values) for name, tree in trees.items()}
    lattice = Lattice(table, trees, k=4)
    found = lattice_tradeoff(lattice, lattice.search().nodes[0])
    assert len(found.nodes) == lattice.size <= MOST_NODES
    assert {one.levels for one in found.nodes if one.minimal} == {one.levels for one in lattice.minimal()}
    for one in found.nodes[::7]:
        sizes = Classes.from_numbers(lattice.class_numbers(one.levels)).sizes
        assert one.smallest == sizes.min()
        assert one.at_risk == pytest.approx(sizes[sizes < 5].sum() / 60)
        labels = [
            np.mean([_leaves(trees[name], text, level) for text in table.column(name).texts])
            for name, level in zip(lattice.names, one.levels, strict=True)
        ]
        assert one.loss == pytest.approx(np.mean(labels))
    by_levels = {one.levels: one for one in found.nodes}
    for below, above in pairwise(by_levels[levels] for levels in found.path):
        assert above.loss >= below.loss
        assert above.at_risk <= below.at_risk


def _leaves(tree, text, level):
    """Share of the leaves that have the label of a value at a level."""
    rows = tree.rows()
    label = next(row[level] for row in rows if row[0] == text)
    same = sum(row[level] == label for row in rows)
    return same / len(rows) if same > 1 else 0


def test_of_a_large_lattice_the_way_and_the_lowest_are_looked_at_and_the_watch_is_told():
    table = table_of([f"c{place}" for place in range(9)], [("1",) * 9, ("2",) * 9])
    trees = {column.name: flat_hierarchy(column.name, ["1", "2"]) for column in table.columns}
    lattice = Lattice(table, trees, k=2)
    told = []
    found = lattice_tradeoff(lattice, lattice.search().nodes[0], progress=lambda *now: told.append(now))
    assert lattice.size == 512 > MOST_NODES
    assert not found.whole
    # One chain of ten, at whose end is the only node that makes the two alike.
    assert [one.height for one in found.nodes] == list(range(10))
    assert [one.minimal for one in found.nodes] == [False] * 9 + [True]
    assert told == [(number, 10) for number in range(10)]
