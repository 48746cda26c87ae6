from itertools import pairwise, product

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.hierarchy import flat_hierarchy, interval_hierarchy
from privacy.sdc.lattice import MOST_NODES, Lattice, lattice_tradeoff
from tests.fixtures.tables import WORK, random_table, table_of, tree_of


def lattice(seed=1, n=120, k=4, **wish):
    table, _ = random_table(seed, n)
    trees = tree_of(table, {"work": WORK})
    for name, widths in (("age", [5, 10, 20]), ("school", [2, 4])):
        trees[name] = interval_hierarchy(name, table.column(name).values, widths)
    return Lattice(table, trees, k=k, **wish), table, trees


def plain_suppressed(table, trees, levels, k):
    """Count the records in classes below k from explicit labels."""
    ancestors = {name: {row[0]: row for row in tree.rows()} for name, tree in trees.items()}
    rows = list(
        zip(
            *(
                [ancestors[column.name][text][level] for text in column.texts]
                for column, level in zip(table.quasi_identifiers, levels, strict=True)
            ),
            strict=True,
        )
    )
    return sum(rows.count(row) < k for row in rows)


def test_nodes_suppress_the_records_of_small_classes():
    mine, table, trees = lattice()
    for levels in [(0, 0, 0, 0), (2, 1, 1, 0), (1, 3, 0, 1), mine.heights]:
        assert mine.report(levels).suppressed == plain_suppressed(table, trees, levels, 4)


@pytest.mark.parametrize("most", [0, 6, 30])
@pytest.mark.parametrize("k", [2, 5])
def test_bisection_matches_an_exhaustive_lattice_search(k, most):
    mine, _, _ = lattice(k=k, max_suppressed=most)
    good = {node for node in mine.all_nodes() if mine.good(node)}
    height = min(map(sum, good))
    found = mine.search()
    assert {node.height for node in found} == {height}
    assert [node.levels for node in found] == sorted(node for node in good if sum(node) == height)
    minimal = {node for node in good if not any(below in good for below in mine.predecessors(node))}
    assert {node.levels for node in mine.minimal()} == minimal
    assert {node.levels for node in found} <= minimal


def test_nodes_above_a_good_node_are_good():
    mine, _, _ = lattice(max_suppressed=10)
    for node in mine.all_nodes():
        for below in mine.predecessors(node):
            assert not mine.good(below) or mine.good(node)
            assert mine.report(below).suppressed >= mine.report(node).suppressed


def test_nodes_of_all_heights_cover_the_lattice():
    mine, _, _ = lattice()
    heights = range(sum(mine.heights) + 1)
    assert sorted(node for height in heights for node in mine.nodes_at(height)) == sorted(
        product(*(range(height + 1) for height in mine.heights))
    )


def test_kept_records_are_k_anonymous_under_their_labels():
    mine, table, _ = lattice(k=5, max_suppressed=20)
    node = mine.search()[0]
    rows = mine.kept_rows(node.levels)
    assert len(rows) == len(table) - node.suppressed
    assert Classes.from_numbers(mine.class_numbers(node.levels)[rows]).sizes.min() >= 5
    column = table.column("work")
    assert set(mine.labels(node.levels, column)) <= {"public", "private", "none", *column.values, "*"}


def test_a_path_climbs_one_level_at_a_time_to_the_chosen_node():
    mine, _, _ = lattice()
    node = mine.search()[0].levels
    path = [step.levels for step in mine.path(node)]
    assert path[0] == (0, 0, 0, 0)
    assert path[-1] == node
    assert all(sum(after) - sum(before) == 1 for before, after in pairwise(path))


def test_the_top_node_loses_everything_and_the_bottom_nothing():
    mine, table, _ = lattice(k=1)
    assert mine.report((0, 0, 0, 0)).ilp == 0
    assert mine.report(mine.heights).ilp == pytest.approx(len(table))
    assert set(mine.column_losses(mine.heights).values()) == {1.0}


def test_a_suppressed_record_costs_the_full_loss():
    table = table_of(["sex"], [("F",)] * 5 + [("M",)])
    mine = Lattice(table, {"sex": flat_hierarchy("sex", ["F", "M"])}, k=2, max_suppressed=1)
    assert mine.search()[0].ilp == 1
    assert mine.column_losses((0,)) == {"sex": 1 / 6}


def test_each_record_uses_its_own_weights_for_its_loss():
    """For rows (a, 1), (a, 1), (b, 1), (b, 2), the first two need only the letter, the others the digit."""
    table = table_of(["p", "q"], [("a", "1"), ("a", "1"), ("b", "1"), ("b", "2")])
    trees = {"p": flat_hierarchy("p", ["a", "b"]), "q": flat_hierarchy("q", ["1", "2"])}
    own = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    mine = Lattice(table, trees, k=2, own=own)
    # Generalising q loses all that matters for (b, 1) and (b, 2). Generalising p suppresses only (., 2).
    assert mine.report((0, 1)).ilp == 2.0
    assert mine.report((1, 0)).ilp == 2.0 + 1.0
    assert mine.report((1, 1)).ilp == 4.0
    assert Lattice(table, trees, k=2).report((0, 1)).ilp == 2.0
    assert Lattice(table, trees, k=2, own=np.full((4, 2), 0.5)).report((1, 0)).ilp == pytest.approx(
        Lattice(table, trees, k=2).report((1, 0)).ilp
    )


def test_too_many_generalisations_are_rejected_before_the_search():
    with pytest.raises(PrivacyError, match="120 generalisations, more than 100"):
        lattice(max_nodes=100)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"k": 121}, "k = 121"),
        ({"max_suppressed": 120}, "120 of 120 records may be suppressed"),
        ({"max_suppressed": -1}, "-1 of 120 records"),
    ],
)
def test_unattainable_requirements_are_rejected(wish, message):
    with pytest.raises(PrivacyError, match=message):
        lattice(**wish)


def test_a_column_without_a_hierarchy_is_refused_by_name():
    table, trees = random_table(1, 20)
    with pytest.raises(PrivacyError, match="'age' has no hierarchy"):
        Lattice(table, trees, k=2)


def test_a_table_without_quasi_identifiers_is_refused():
    with pytest.raises(PrivacyError, match="no column is a quasi-identifier"):
        Lattice(table_of(["s"], [("a",)], sensitive=["s"]), {}, k=1)


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
