import math
from itertools import pairwise

import pytest

from privacy.errors import PrivacyError
from privacy.planning.frontier import design_points, frontier, optimise
from privacy.planning.power import Plan, standard_error
from privacy.risk.budget import budget
from privacy.risk.constrained_prior import independent
from privacy.risk.leakage import leakage
from privacy.risk.row_distribution import row_distribution
from tests.cast.blocks import even, stated
from tests.cast.refusals import refused
from tests.vectors.designs import live

POINTS = design_points([2000] * 6, truths=range(1000, 10_000, 1000), unrelateds=[3000, 5000])


def test_a_point_says_what_the_parts_of_the_audit_say() -> None:
    (point,) = design_points([2000] * 5, truths=[4000], unrelateds=[3000], block_sizes=[2])
    block, last = even(4000, 2, theta=3000), even(4000, 1, theta=3000)
    told = [
        leakage(row_distribution(independent(part, stated(part, 2000)))).mutual_information
        for part in (block, last)
    ]
    assert point.leakage == pytest.approx(2 * told[0] + told[1])
    assert point.epsilon == pytest.approx(2 * budget(live(block)).epsilon + budget(live(last)).epsilon)
    assert point.distortion == pytest.approx(0.6 * (0.2 * 0.7 + 0.8 * 0.3))
    assert point.standard_error == pytest.approx(standard_error(Plan(p=0.4, theta_a=0.3), 0.2, 1))


def test_the_frontier_holds_every_point_that_no_other_one_beats() -> None:
    found = frontier(POINTS)
    for point in POINTS:
        beaten = any(
            other.distortion <= point.distortion + 1e-9 and other.leakage <= point.leakage + 1e-12
            for other in found
        )
        assert beaten
    for one, other in pairwise(found):
        assert one.distortion < other.distortion
        assert one.leakage > other.leakage


def test_each_limit_has_its_best_design_and_both_have_the_most_precise_one() -> None:
    by_distortion = optimise(POINTS, most_distortion=0.25)
    assert by_distortion.leakage == min(point.leakage for point in POINTS if point.distortion <= 0.25)
    by_leakage = optimise(POINTS, most_leakage=1.0)
    assert by_leakage.distortion == min(point.distortion for point in POINTS if point.leakage <= 1)
    both = optimise(POINTS, most_distortion=0.3, most_leakage=1.5)
    kept = [point for point in POINTS if point.distortion <= 0.3 and point.leakage <= 1.5]
    assert both.standard_error == min(point.standard_error for point in kept)


def test_mean_bits_alone_are_kept_low_by_designs_with_a_large_epsilon() -> None:
    free = optimise(POINTS, most_leakage=1.0)
    bound = optimise(POINTS, most_leakage=1.0, most_epsilon=6)
    assert free.epsilon > 6 >= bound.epsilon
    assert bound.distortion > free.distortion


def test_what_is_out_of_reach_is_refused_with_what_is_in_reach() -> None:
    with refused("limits"):
        optimise(POINTS)
    with pytest.raises(PrivacyError, match=r"allow at least .* bits"):
        optimise(POINTS, most_distortion=0.1, most_leakage=0.001)
    with pytest.raises(PrivacyError, match="allow a distortion of at least"):
        optimise(POINTS, most_distortion=0.0)
    with pytest.raises(PrivacyError) as refusal:
        optimise(POINTS, most_leakage=0.0)
    assert "no design keeps leakage at most 0 bits" in str(refusal.value)
    least = float(refusal.value.remedy.split("allow at least ")[1].split()[0])
    assert optimise(POINTS, most_leakage=least).leakage <= least
    with pytest.raises(PrivacyError, match="allow a larger epsilon"):
        optimise(POINTS, most_distortion=1.0, most_epsilon=0.01)
    with refused("limits", "D0", -1):
        optimise(POINTS, most_distortion=-1)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"prevalences": []}, "prevalence"),
        ({"prevalences": [2000] * 61}, "prevalence"),
        ({"prevalences": [10_001]}, "prevalence"),
        ({"prevalences": [2000], "truths": [0]}, "truth_probability"),
        ({"prevalences": [2000], "unrelateds": [10_000]}, "unrelated_probability"),
        ({"prevalences": [2000], "block_sizes": [0]}, "block_size"),
    ],
)
def test_grids_that_make_no_sense_are_refused(arguments: dict[str, list[int]], code: str) -> None:
    with refused(code):
        design_points(**arguments)


def test_a_block_size_beyond_the_questions_is_all_of_them() -> None:
    points = design_points([2000] * 3, truths=[5000], unrelateds=[5000])
    assert [point.block_size for point in points] == [1, 2, 3]
    assert math.isclose(points[-1].epsilon, math.log(9))
