from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation.counts import SupportCounts, check_cells, exactly, of_one_group, set_codes
from privacy.estimation.design_index import index_of
from privacy.estimation.drawing import Drawing
from privacy.estimation.estimates import estimate
from privacy.estimation.events import pattern_terms
from privacy.estimation.intervals import measure_rules
from privacy.estimation.required_counts import required_counts
from privacy.estimation.rule_tests import p_values
from privacy.estimation.skipped_share import skipped_interval, skipped_terms
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import ROTATING, TWO_OF_THREE, design, protected, yes_no
from tests.privacy.estimation.drawn_rows import a_law, counted, sent
from tests.privacy.estimation.pattern_table import patterns
from tests.vectors.designs import opened

COUNTS = SupportCounts({(): (3, 10), (0,): (1, 6), (0, 4): (0, 2)})


def test_missing_counts_are_named_in_the_error() -> None:
    with refused("missing_count", "(1, 2)"):
        COUNTS[1, 2]
    with refused("missing_count", "(1, 2)"):
        COUNTS.table([(0,), (1, 2)])


WIDE = tuple(range(40))


@pytest.mark.parametrize(
    "counts",
    [
        COUNTS,
        SupportCounts({(4,): (1, 2), (1, 4): (1, 1), (0, 1, 4): (0, 1)}),
        # Numbers for sets of forty columns would need more than 63 bits.
        SupportCounts({WIDE: (0, 1), (3,): (2, 2), (): (2, 3)}),
        SupportCounts.from_array([(), (0,), (), (0, 4)], [(2, 9), (1, 6), (2, 9), (0, 2)]),
    ],
    ids=["three", "without all rows", "wide", "twice"],
)
def test_counts_of_sets_in_an_array_are_those_of_the_sets(counts: SupportCounts) -> None:
    width = 1 + max(map(len, counts))
    padded = np.array([(-1,) * (width - len(columns)) + columns for columns in counts])
    assert counts.at(padded).tolist() == counts.table(list(counts)).tolist()
    for unknown in ((2,), (0, 5), (0, 4, 1000), (2**40,)):
        with refused("missing_count", repr(unknown)):
            counts.at(np.array([(-1,) * (width + 3 - len(unknown)) + unknown]))


def test_an_array_of_no_sets_has_no_counts() -> None:
    assert COUNTS.at(np.empty((0, 2), dtype=np.int64)).shape == (0, 2)
    with refused("missing_count", "(0,)"):
        SupportCounts({}).at(np.array([[0]]))


def test_merging_combines_counts_of_the_same_rows() -> None:
    merged = COUNTS.merge(SupportCounts({(0,): (1, 6), (7,): (2, 2)}))
    assert dict(merged) == {**COUNTS, (7,): (2, 2)}


@pytest.mark.parametrize("all_rows", [False, True])
def test_merging_preserves_which_rows_are_counted(all_rows: bool) -> None:
    counts = SupportCounts(dict(COUNTS), all_rows=all_rows)
    assert counts.merge(SupportCounts({(7,): (2, 2)})).all_rows is all_rows


def test_merging_refuses_contradictory_counts() -> None:
    with refused("count", "(0,)", "(1, 6)", "(1, 5)"):
        COUNTS.merge(SupportCounts({(0,): (1, 5)}))


@pytest.mark.parametrize("columns", [(1, 0), (2, 2)])
def test_columns_must_be_ascending(columns: tuple[int, ...]) -> None:
    with refused("columns", columns):
        SupportCounts({columns: (1, 1)})


@pytest.mark.parametrize(("pair", "named"), [((-1, 2), -1), ((0, 2**52 + 1), 2**52 + 1)])
def test_counts_out_of_range_are_refused(pair: tuple[int, int], named: int) -> None:
    with refused("count", named):
        SupportCounts({(): pair})
    assert SupportCounts({(): (0, 2**52)})[()] == (0, 2**52)


def test_counts_must_be_pairs_of_integers() -> None:
    with refused("count", "float64"):
        SupportCounts({(): (0.5, 1.0)})  # type: ignore[dict-item]  # that it is refused is the point
    with refused("count", "(1, 3)"):
        SupportCounts.from_array([()], [[1, 2, 3]])


@pytest.mark.parametrize(
    ("counts", "more", "less"),
    [
        ({(): (0, 100), (0,): (0, 120)}, "(0,) counts (0, 120)", "subset with columns () counts (0, 100)"),
        ({(): (9, 100), (3,): (10, 20)}, "(3,) counts (10, 20)", "subset with columns () counts (9, 100)"),
        (
            {(1,): (2, 5), (0, 1, 2): (2, 6)},
            "(0, 1, 2) counts (2, 6)",
            "subset with columns (1,) counts (2, 5)",
        ),
        ({(0, 9): (0, 3), (0, 4, 9): (0, 3), (0, 4, 7, 9): (0, 4)}, "(0, 4, 7, 9)", "(0, 3)"),
        (
            {tuple(range(8)): (0, 6), tuple(range(9)): (0, 7)},
            "(0, 1, 2, 3, 4, 5, 6, 7, 8) counts (0, 7)",
            "subset with columns (0, 1, 2, 3, 4, 5, 6, 7) counts (0, 6)",
        ),
    ],
)
def test_a_superset_counted_more_often_than_its_subset_is_refused(
    counts: dict[tuple[int, ...], tuple[int, int]], more: str, less: str
) -> None:
    with refused("count", more, less):
        SupportCounts(counts)


@pytest.mark.parametrize(("length", "is_refused"), [(6, True), (7, False)])
def test_sets_of_up_to_six_columns_are_compared_with_all_their_subsets(length: int, is_refused: bool) -> None:
    """Larger ones are compared with the rows, and with the sets that lack one column."""
    counts = {(): (0, 9), (0, 1): (0, 3), tuple(range(length)): (0, 4)}
    if is_refused:
        with refused("count", "(0, 4)", "(0, 3)"):
            SupportCounts(counts)
    else:
        assert SupportCounts(counts)[0, 1] == (0, 3)


ALONE = design(protected("b", 5000, yes_no("a", 5000)), protected("c", 6000, yes_no("d", 4000)))


def test_counts_of_different_rows_are_refused_immediately() -> None:
    # Counts above the number of respondents are refused immediately, for every engine.
    with refused("count", "(0,) counts (0, 120)", "(0, 100)"):
        SupportCounts.from_array([(), (0,)], np.array([[0, 100], [0, 120]]))
    with refused("count", "(0,) counts (0, 120)", "(0, 100)"):
        SupportCounts({(): (0, 100)}).merge(SupportCounts({(0,): (0, 120)}))
    # A pair that is counted more often than one of its items is refused when figures are computed.
    keys = [(), (0,), (1,), (0, 1)]
    for group in ((1, 0), (0, 1)):
        made = SupportCounts.from_array(keys, np.array([[100], [30], [40], [35]]) * np.array(group))
        for use in (
            lambda made=made: measure_rules(made, [((0,), (1,))], ALONE)[0],
            lambda made=made: patterns(made, (0, 1), ALONE),
            lambda made=made: p_values(made, [((1,), (0,))], ALONE),
        ):
            with refused("count", "-5 rows"):
                use()
    with refused("count", "-5 rows"):
        estimate(made, (0, 1), ALONE)


def test_the_first_contradictory_count_is_named() -> None:
    """An empty cell is valid, so the itemset without rows before it is not named."""
    rows = np.array([[0, 3], [2, -1], [-2, 1]], dtype=np.int64)
    with refused("count", "second", "-1"):
        check_cells(rows, ["first", "second", "third"].__getitem__)
    check_cells(rows[:1], ["first"].__getitem__)


def test_never_together_itemsets_are_rejected_with_an_explanation() -> None:
    with refused("never_together", "no respondent is asked 'a', 'b', 'c' together"):
        required_counts([(0, 1, 2)], TWO_OF_THREE)
    with refused("never_together", "'a', 'b', 'c'"):
        required_counts([((0,), (1, 2))], TWO_OF_THREE)
    with refused("never_together", "'a', 'b', 'c'"):
        pattern_terms((0, 1, 2), TWO_OF_THREE)
    with refused("never_together", "'a', 'b', 'c'"):
        estimate(SupportCounts({}), (0, 1, 2), TWO_OF_THREE)


def test_an_answered_rotating_part_does_not_imply_which_questions_it_asked() -> None:
    rotating = ROTATING["with a skip"]
    answered, asked = rotating.answered_column(0), rotating.asked_column(0)
    assert index_of(rotating).key([(answered,), (asked,)]) == (asked, answered)
    parts = ROTATING["parts"]
    both = index_of(parts).key([(parts.answered_column(0),), (parts.asked_column(0),)])
    assert both == (parts.answered_column(0),)


def test_the_share_skipping_a_part_is_correct_under_rotation() -> None:
    rotating = ROTATING["with a skip"]
    law = a_law(rotating, seed=3, direct=Fraction(1, 4))
    counts = counted(rotating, sent(rotating, law), skipped_terms(0, rotating), all_rows=False)
    truth = sum(chance for row, chance in law.items() if dict(row.blocks)[0] is None)
    found = skipped_interval(counts, 0, rotating)
    assert found.value == pytest.approx(float(truth), abs=1e-9)


def test_sets_that_were_not_counted_have_a_default() -> None:
    counts = SupportCounts({(): (5, 7), (0,): (2, 3)})
    assert (counts.get((0,)), counts.get((1,)), counts.get((1,), (0, 0))) == ((2, 3), None, (0, 0))


def test_open_answers_of_two_disguised_groups_are_counted_together() -> None:
    counts = np.array([[2, 3], [5, 0]])
    one = design(protected("b", 6_000, yes_no("a", 5_000)))
    two = design(protected("b", 6_000, yes_no("a", 5_000), light=9_000))
    assert of_one_group(counts, one) is counts
    assert of_one_group(counts, two).tolist() == [[0, 5], [0, 5]]


def test_counts_of_three_nested_subsets_become_counts_of_rows() -> None:
    """Of 10 rows 6 were asked and 4 match: 4 were not asked, 2 do not match."""
    assert exactly(np.array([[10], [6], [4]]), (0,)).tolist() == [[4], [2], [4]]
    table = np.array([[10, 6, 4], [5, 3, 1]])
    assert exactly(table, (0, 1)).tolist() == [[2, 0, 3], [2, 2, 1]]
    assert table.tolist() == [[10, 6, 4], [5, 3, 1]]


def test_questions_of_a_rotating_block_after_others_are_drawn_as_often() -> None:
    """Each device asks two of x, y and z, in any pair, and then in two listed pairs."""
    some = [yes_no(key, 5000) for key in "xyz"]
    sets = np.array([[0, 1], [1, 2], [1, 3], [2, 3]])
    every = Drawing(design(opened("you", yes_no("o")), protected("b", 5000, *some, asks=2)))
    assert every.probability(sets).tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3, 1 / 3])
    listed = protected("b", 5000, *some, asks=2, booklets=((0, 1), (1, 2)))
    two = Drawing(design(opened("you", yes_no("o")), listed))
    assert two.probability(sets).tolist() == [0.5, 0.5, 0.0, 0.5]
    assert two.together(sets).tolist() == [True, True, False, True]


def test_codes_need_at_most_63_bits() -> None:
    """Three digits of base 2^21 - 1 fit, and three of base 2^21 do not."""
    sets = np.array([[0, 1, 2]])
    assert set_codes(sets, 2**21) is None
    assert set_codes(sets, 2**21 - 1) is not None
