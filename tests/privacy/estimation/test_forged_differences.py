"""Flips and shifts of a difference, against every number of rows of every score."""

import numpy as np
import pytest

from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.comparison import compare, comparison_factors
from privacy.estimation.composed_parts import Side
from privacy.estimation.forged_differences import (
    _measures,
    _most_influential,
    _together,
    difference_flips,
    measure_shifts,
)
from privacy.estimation.joined_rows import JoinedRows, joined_rows
from privacy.policy import SIGNIFICANCE_LEVEL
from tests.privacy.estimation.designs import TWO_OF_THREE

LOW, HIGH = -0.25, 1.25
"""Scores of "no" and "yes" under a disguise with p = 2/3 and theta = 1/2."""


def rows_of(counts: list[int]) -> JoinedRows:
    """Return rows with two disguised answers: neither, the outcome, the answer that divides, both."""
    by, outcome = np.array([LOW, LOW, HIGH, HIGH]), np.array([LOW, HIGH, LOW, HIGH])
    return JoinedRows(
        counts=np.array(counts),
        scores=np.stack([by * outcome, by, outcome]),
        n_direct=0,
        n_protected=sum(counts),
        smallest_cell=min(counts),
    )


def verdict(counts: list[int]) -> int:
    found = compare(rows_of(counts))
    value = found.difference.value
    return (value > 0) - (value < 0) if found.p_value < SIGNIFICANCE_LEVEL else 0


@pytest.mark.parametrize(
    "counts",
    [
        [80, 60, 50, 40],
        [80, 60, 30, 90],
        [40, 90, 80, 20],
        [100, 90, 80, 70],
        [70, 70, 35, 70],
        [90, 30, 60, 60],
    ],
)
@pytest.mark.few("counts0", "counts5", why="the fewest and the most rows")
def test_no_smaller_number_of_rows_of_any_score_changes_the_verdict(counts: list[int]) -> None:
    start, stated = verdict(counts), difference_flips(rows_of(counts))
    assert stated is not None

    def changed(number: int) -> bool:
        for kind in range(4):
            other = list(counts)
            other[kind] += -min(number, counts[kind]) if start else number
            if verdict(other) != start:
                return True
        return False

    assert changed(stated)
    assert not any(changed(number) for number in range(1, stated))


@pytest.mark.parametrize("forged", [1, 5, 20])
def test_a_shift_is_the_farthest_measure_without_rows_of_one_score(forged: int) -> None:
    counts = [80, 60, 50, 40]
    names = ("having", "others", "difference", "lift", "leverage")

    def values(counts: list[int]) -> np.ndarray:
        found = compare(rows_of(counts))
        return np.array([getattr(found, name).value for name in names])

    own, moved = values(counts), []
    for kind in range(4):
        other = list(counts)
        other[kind] -= forged
        moved.append(abs(values(other) - own))
    farthest = np.max(moved, axis=0)
    assert measure_shifts(rows_of(counts), forged) == pytest.approx(farthest)
    found = compare(rows_of(counts), forged=forged)
    assert [getattr(found, name).shift for name in names] == pytest.approx(farthest.tolist())


@pytest.mark.parametrize(("most", "kinds"), [(4, [4, 1, 3, 0]), (5, [4, 1, 2, 3, 0]), (9, [4, 1, 2, 3, 0])])
def test_only_kinds_at_both_ends_are_tried_if_there_are_many(most: int, kinds: list[int]) -> None:
    assert _most_influential(np.array([3.0, -1, 0, 2, -5]), most) == kinds


def test_clusters_and_empty_tables_have_no_number() -> None:
    own = rows_of([80, 60, 50, 40])
    clustered = JoinedRows(
        counts=own.counts,
        scores=own.scores,
        n_direct=0,
        n_protected=own.n_protected,
        smallest_cell=40,
        clusters=ClusterCount.of(np.ones(230)),
    )
    assert difference_flips(clustered) is None
    assert difference_flips(rows_of([0, 0, 0, 0])) is None


@pytest.mark.filterwarnings("error")
def test_a_difference_without_a_group_has_no_bound() -> None:
    """No one has the answer that divides: no measure is known, and no two of them are subtracted."""
    nobody = JoinedRows(
        counts=np.array([5, 5]),
        scores=np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 1.0]]),
        n_direct=10,
        n_protected=0,
        smallest_cell=0,
    )
    assert measure_shifts(nobody, 3).tolist() == [np.inf] * 5
    # Without three of its rows the group would be empty, so that nothing bounds the measures.
    few = JoinedRows(
        counts=np.array([5, 5, 3]),
        scores=np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]]),
        n_direct=13,
        n_protected=0,
        smallest_cell=3,
    )
    assert measure_shifts(few, 3).tolist() == [np.inf] * 5
    assert np.isfinite(measure_shifts(few, 2)).all()


def test_an_empty_group_leaves_all_measures_unknown() -> None:
    """Four of ten rows have the outcome, three of them in the group of six, none or all ten."""
    known = _measures(np.array([3.0, 6, 4, 6, 10]))
    assert known == pytest.approx([0.5, 0.25, 0.25, 1.25, 0.3 - 0.6 * 0.4])
    for group in (0, 10):
        assert np.isinf(_measures(np.array([3.0, group, 4, group, 10]))).all()


def test_a_shift_among_rotating_questions_scores_the_other_rows_again() -> None:
    """Ten forged rows can be all of their kind: those are the ones that move the difference most."""
    forged = 10
    factors = comparison_factors(Side(items=(0,)), Side(items=(1,)), TWO_OF_THREE)
    is_asked = np.array([[1, 1, 1, 1, 0, 0, 1, 1, 0], [1, 1, 1, 1, 1, 1, 0, 0, 0]], dtype=bool)
    codes, counts = [np.array([0, 1, 2, 3, 0, 2, 0, 1, 0])], np.array([40, 10, 10, 20, 25, 15, 20, 10, 5])
    names = ("having", "others", "difference", "lift", "leverage")

    def joined(counts: np.ndarray) -> JoinedRows:
        return joined_rows(factors, codes, counts, direct=np.zeros(9, dtype=bool), is_asked=is_asked)

    def values(counts: np.ndarray) -> np.ndarray:
        found = compare(joined(counts))
        return np.array([getattr(found, name).value for name in names])

    found = values(counts)
    removed = [forged * own for own in np.eye(9, dtype=int) if own @ counts >= forged]
    moved = [abs(values(counts - own) - found) for own in removed]
    assert np.argmax(moved, axis=0)[2] == 1
    assert measure_shifts(joined(counts), forged) == pytest.approx(np.max(moved, axis=0))


def test_the_influence_of_a_score_is_its_product_about_both_means() -> None:
    """Of two and one rows, the last counting twice, 2/4 have the answer that divides and 3/4 the outcome."""
    scores = np.array([[1.0, 0], [9, 9], [1, 1], [1, 0], [1, 2]])
    assert _together(scores, np.array([[2.0, 1]])).tolist() == [[0.125, 0.25]]
