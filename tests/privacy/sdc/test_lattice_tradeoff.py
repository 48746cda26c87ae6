"""Risk and loss of the nodes of a lattice."""

from itertools import pairwise

import numpy as np
import pytest

from privacy.sdc.classes import Classes
from privacy.sdc.hierarchy import flat_hierarchy, interval_hierarchy
from privacy.sdc.lattice import Lattice
from privacy.sdc.lattice_tradeoff import MOST_NODES, lattice_tradeoff
from tests.fixtures.tables import WORK, random_table, table_of, tree_of


def small(**wish):
    """Return the lattice of four women aged 21, 22, 31 and 38, and two men aged 23 and 36."""
    rows = [("21", "F"), ("22", "F"), ("31", "F"), ("38", "F"), ("23", "M"), ("36", "M")]
    table = table_of(["age", "sex"], rows)
    trees = {
        "age": interval_hierarchy("age", table.column("age").values, [10]),
        "sex": flat_hierarchy("sex", ["F", "M"]),
    }
    return Lattice(table, trees, k=2, **wish)


def test_small_lattices_have_hand_counted_risk_and_loss():
    """A decade contains three of the six ages, so it loses half of the age, a quarter of both columns."""
    lattice = small()
    minimal = {node.levels: node for node in lattice.minimal()}
    assert set(minimal) == {(1, 1), (2, 0)}
    found = lattice_tradeoff(lattice, minimal[1, 1])
    rows = {
        one.levels: (one.smallest, one.below_k, one.alone, one.at_risk, one.loss, one.good, one.minimal)
        for one in found.nodes
    }
    assert rows == {
        (0, 0): (1, 6, 6, 1.0, 0.0, False, False),
        # Each decade has two women and one man.
        (1, 0): (1, 2, 2, 1.0, 0.25, False, False),
        (0, 1): (1, 6, 6, 1.0, 0.5, False, False),
        (2, 0): (2, 0, 0, 1.0, 0.5, True, True),
        (1, 1): (3, 0, 0, 1.0, 0.75, True, True),
        (2, 1): (6, 0, 0, 0.0, 1.0, True, False),
    }
    assert (found.size, found.path[-1]) == (6, (1, 1))
    assert [sum(levels) for levels in found.path] == [0, 1, 2]


def test_allowing_suppression_makes_more_nodes_good_at_equal_loss():
    strict, free = small(), small(max_suppressed=2)
    one, other = (lattice_tradeoff(each, each.search()[0]) for each in (strict, free))
    assert [node.loss for node in one.nodes] == [node.loss for node in other.nodes]
    assert {node.levels for node in other.nodes if node.minimal} == {(1, 0)}


def test_the_tradeoff_matches_classes_of_explicit_labels():
    table, _ = random_table(1, 60)
    trees = tree_of(table, {"work": WORK})
    for name, widths in (("age", [5, 10, 20]), ("school", [2, 4])):
        trees[name] = interval_hierarchy(name, table.column(name).values, widths)
    trees = {name: tree.for_values(table.column(name).values) for name, tree in trees.items()}
    lattice = Lattice(table, trees, k=4)
    found = lattice_tradeoff(lattice, lattice.search()[0])
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
    """Return the share of leaves with the same label as a value at a level."""
    rows = tree.rows()
    label = next(row[level] for row in rows if row[0] == text)
    same = sum(row[level] == label for row in rows)
    return same / len(rows) if same > 1 else 0


@pytest.mark.parametrize(("most", "nodes"), [(8, 8), (7, 4)])
def test_all_nodes_are_evaluated_up_to_a_number(most, nodes, monkeypatch):
    """Three columns of two values make eight nodes; above the limit, a chain of four remains."""
    monkeypatch.setattr("privacy.sdc.lattice_tradeoff.MOST_NODES", most)
    table = table_of(["a", "b", "c"], [("1",) * 3, ("2",) * 3])
    trees = {column.name: flat_hierarchy(column.name, ["1", "2"]) for column in table.columns}
    lattice = Lattice(table, trees, k=2)
    assert len(lattice_tradeoff(lattice, lattice.search()[0]).nodes) == nodes


def test_large_lattices_evaluate_one_chain_and_report_progress():
    table = table_of([f"c{place}" for place in range(9)], [("1",) * 9, ("2",) * 9])
    trees = {column.name: flat_hierarchy(column.name, ["1", "2"]) for column in table.columns}
    lattice = Lattice(table, trees, k=2)
    told = []
    found = lattice_tradeoff(lattice, lattice.search()[0], progress=lambda *now: told.append(now))
    assert lattice.size == 512 > MOST_NODES
    # A chain of ten, which ends at the only node that gives both records the same label.
    assert [sum(one.levels) for one in found.nodes] == list(range(10))
    assert [one.minimal for one in found.nodes] == [False] * 9 + [True]
    assert told == [(number, 10) for number in range(10)]


def test_classes_of_exactly_k_records_are_kept_in_the_losses_of_columns():
    """At ("*", sex) the two men are a class of two; no one is suppressed, and all ages are lost."""
    assert small().column_losses((2, 0)) == {"age": 1.0, "sex": 0.0}
    # In each decade one man is alone: he loses both columns, and the women half of their age.
    assert small().column_losses((1, 0)) == pytest.approx({"age": (4 / 2 + 2) / 6, "sex": 2 / 6})


def test_a_column_with_one_value_loses_nothing_at_any_level():
    rows = [("a", "1"), ("a", "1"), ("a", "2"), ("a", "2")]
    table = table_of(["town", "age"], rows)
    trees = {name: flat_hierarchy(name, sorted(table.column(name).values)) for name in ("town", "age")}
    found = Lattice(table, trees, k=2)
    assert found.column_losses((0, 1)) == {"town": 0.0, "age": 1.0}
    assert found.column_losses((1, 1))["town"] == 0.0
