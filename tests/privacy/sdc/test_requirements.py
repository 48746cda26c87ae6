import math

import pytest

from privacy.errors import PrivacyError
from privacy.sdc.classes import ClassMatrix
from privacy.sdc.requirements import Requirement, measure_models, misses, verify


def test_verdicts_report_whether_each_model_holds():
    measured = measure_models(ClassMatrix.from_counts([[3, 1], [1, 3]]), "s", recursive_l=2)
    asked = Requirement(k=4, distinct_l=3, t=0.25, alpha=0.7, c=3, recursive_l=2, delta=1.0)
    verdicts = {one.model: one.holds for one in verify(measured, asked)}
    assert verdicts == {"k": True, "distinct_l": False, "t": True, "alpha": False, "c": False, "delta": True}


@pytest.mark.parametrize(
    "wish",
    [
        {"k": 0},
        {"distinct_l": 0},
        {"t": 1.5},
        {"alpha": -0.1},
        {"basic_beta": 0},
        {"delta": -1},
        {"c": 2},
        {"rho1": 0.2},
        {"rho2": 0.2},
        {"rho1": 0.5, "rho2": 0.2},
        {"k": math.nan},
    ],
)
def test_out_of_range_bounds_are_rejected(wish):
    with pytest.raises(PrivacyError):
        Requirement(**wish)


# Two classes of four people; shares of the values are 3/4, 1/4, 0 and 0, 1/4, 3/4; overall 3/8, 1/4, 3/8.
MATRIX = ClassMatrix.from_counts([[3, 1, 0], [0, 1, 3]])


@pytest.mark.parametrize(
    ("kept", "missed"),
    [
        ({"k": 4}, {"k": 5}),
        ({"distinct_l": 2}, {"distinct_l": 3}),
        # Entropy ln 4 - .75 ln 3, whose exponential is 4 / 3^.75.
        ({"entropy_l": 4 / 3**0.75}, {"entropy_l": 4 / 3**0.75 + 1e-6}),
        ({"alpha": 0.75}, {"alpha": 0.7499}),
        # The most frequent value has 3 people, the others 1: strictly below c = 3.01.
        ({"c": 3.01, "recursive_l": 2}, {"c": 3, "recursive_l": 2}),
        # Equal distance: half of |3/4 - 3/8| + |1/4 - 1/4| + |0 - 3/8|.
        ({"t": 0.375}, {"t": 0.3749}),
        # The share of a value doubles, a gain of 1.
        ({"basic_beta": 1.0}, {"basic_beta": 0.999}),
    ],
)
def test_a_class_misses_a_bound_by_what_it_lacks(kept, missed):
    assert (misses(MATRIX, Requirement(**kept)) <= 0).all()
    assert (misses(MATRIX, Requirement(**missed)) > 0).all()


def test_an_enhanced_bound_is_at_most_the_log_of_the_inverse_share():
    """ln 8/3 is below the gain of 1, whatever the bound."""
    assert misses(MATRIX, Requirement(enhanced_beta=9)) == pytest.approx([1 - math.log(8 / 3)] * 2)
    assert misses(MATRIX, Requirement(enhanced_beta=0.9)) == pytest.approx([0.1] * 2)


def test_the_largest_gap_counts_and_a_strict_bound_may_not_be_reached():
    assert misses(MATRIX, Requirement(k=6, distinct_l=3)).tolist() == [2, 2]
    assert misses(MATRIX, Requirement(k=1)).tolist() == [-1, -1]
    assert misses(MATRIX, Requirement(c=3, recursive_l=2)).tolist() == [1, 1]
    assert misses(MATRIX, Requirement(c=2, recursive_l=2)).tolist() == [2, 2]
