import math

import numpy as np
import pytest

from privacy.planning.planned_survey import PlannedSurvey
from privacy.planning.planning import figures_of
from privacy.planning.power import (
    Plan,
    detectable_lift,
    detectable_support,
    itemset_error,
    needed_n,
    standard_error,
)
from privacy.risk.budget import budget
from tests.cast.refusals import refused

SURVEY = PlannedSurvey(truth_probability=5000, unrelated=5000, block_sizes=(3, 2), prevalence=2000, n=2000)


def planned(**changes: object) -> PlannedSurvey:
    given: dict[str, object] = {
        "truth_probability": 5000,
        "unrelated": 5000,
        "block_sizes": (3, 2),
        "prevalence": 2000,
        "n": 2000,
    }
    return PlannedSurvey(**(given | changes))  # type: ignore[arg-type]  # some are wrong on purpose


def test_figures_are_those_of_the_audit_and_of_the_planner() -> None:
    found = figures_of(SURVEY)
    plan = Plan(p=0.5, theta_a=0.5, theta_b=0.5)
    assert found.audit.epsilon == budget(SURVEY.design()).epsilon
    assert found.errors[0].standard_error == pytest.approx(standard_error(plan, 0.2, 2000))
    assert found.needed_n == needed_n(plan, 0.2, 0.02)
    assert found.detectable_support == detectable_support(plan, 2000)
    assert found.detectable_lift == detectable_lift(plan, 2000, first=0.2, second=0.2)
    own = next(point for point in found.frontier if point[0] == 0.5)
    assert own[1:] == pytest.approx((found.audit.epsilon, found.errors[0].standard_error))


def test_two_questions_under_one_coin_are_planned_under_one_coin_and_have_no_larger_itemsets() -> None:
    found = figures_of(planned(block_sizes=(2,)))
    together, apart = (Plan(p=0.5, theta_a=0.5, theta_b=0.5, one_block=joined) for joined in (True, False))
    assert found.detectable_lift == detectable_lift(together, 2000, first=0.2, second=0.2)
    assert found.detectable_lift != detectable_lift(apart, 2000, first=0.2, second=0.2)
    assert [error.size for error in found.errors] == [1, 2]


@pytest.mark.parametrize("sizes", [(1,), (2,), (1, 1), (2, 1)])
@pytest.mark.parametrize("k", [0.0, 0.3])
def test_the_error_of_an_itemset_is_that_of_all_rows_written_out(sizes: tuple[int, ...], k: float) -> None:
    p, theta, share = 0.4, 0.3, 0.2

    def scores(size: int) -> tuple[list[float], list[float]]:
        """Chances and values of a block's score, for independent items."""
        decoy = (1 - p) * theta**size
        shown = p * share**size + decoy
        return [1 - shown, shown], [-decoy / p, (1 - decoy) / p]

    chance, value = np.ones(1), np.ones(1)
    for size in sizes:
        one, two = scores(size)
        chance, value = np.kron(chance, one), np.kron(value, two)
    support = share ** sum(sizes)
    chance = np.concatenate([[k * (1 - support), k * support], (1 - k) * chance])
    value = np.concatenate([[0, 1], value])
    assert chance @ value == pytest.approx(support)
    expected = math.sqrt(float(chance @ value**2) - support**2)
    assert itemset_error(p, theta, k, [(size, share) for size in sizes], 1) == pytest.approx(expected)


def test_each_block_may_have_its_own_prevalence() -> None:
    found = figures_of(planned(prevalence=(3000, 500)))
    plan = Plan(p=0.5, theta_a=0.5, theta_b=0.5)
    assert [item.prevalence for item in found.audit.items] == [0.3, 0.3, 0.3, 0.05, 0.05]
    assert found.errors[3].support == pytest.approx(0.3**3 * 0.05)
    assert found.errors[0].standard_error == pytest.approx(standard_error(plan, 0.3, 2000))
    # The item with the largest error decides: the more even one.
    assert found.needed_n == needed_n(plan, 0.3, 0.02) > needed_n(plan, 0.05, 0.02)
    own = next(point for point in found.frontier if point[0] == 0.5)
    assert own[2] == pytest.approx(found.errors[0].standard_error)
    apart = figures_of(planned(block_sizes=(1, 1), prevalence=(3000, 4000), n=9000))
    assert apart.detectable_lift == detectable_lift(
        Plan(p=0.5, theta_a=0.5, theta_b=0.5, one_block=False), 9000, first=0.3, second=0.4
    )
    assert figures_of(planned(prevalence=(2000, 2000))).errors == figures_of(SURVEY).errors


def test_a_coin_for_each_question_with_the_same_epsilon_is_less_precise() -> None:
    found = figures_of(SURVEY)
    coins, direct = found.alternatives
    assert (coins.name, direct.name) == ("independent_coins", "direct")
    odds = coins.truth_probability / (1 - coins.truth_probability)
    assert 5 * math.log1p(2 * odds) == pytest.approx(found.audit.epsilon)
    for own, apart, asked in zip(found.errors, coins.errors, direct.errors, strict=True):
        assert asked.standard_error < own.standard_error < apart.standard_error
    assert direct.errors[0].standard_error == pytest.approx(math.sqrt(0.2 * 0.8 / 2000))


def test_a_ceiling_has_its_best_p_and_its_largest_block() -> None:
    # Three questions beside two: 9 times 5.
    found = figures_of(SURVEY, most_epsilon=math.log(45.001))
    assert (found.best_truth_probability, found.largest_block) == (5000, 3)
    one = figures_of(planned(block_sizes=(3,)), most_epsilon=math.log(9.001))
    assert (one.best_truth_probability, one.largest_block) == (5000, 3)
    none = figures_of(SURVEY, most_epsilon=0.0001)
    assert (none.best_truth_probability, none.largest_block) == (None, 0)
    assert figures_of(SURVEY).largest_block is None


@pytest.mark.parametrize("sizes", [(1,), (1, 1), (3, 2), (2,) * 5])
@pytest.mark.parametrize("ceiling", [0.5, 2.0, 6.0])
def test_a_ceiling_is_of_a_person_over_all_blocks(sizes: tuple[int, ...], ceiling: float) -> None:
    """Two blocks at a ceiling of 2 come to 2 in all, not to 4; one ten-thousandth more is too much."""
    plan = figures_of(planned(block_sizes=sizes), most_epsilon=ceiling)
    best = plan.best_truth_probability
    assert best is not None
    within, beyond = (
        budget(planned(block_sizes=sizes, truth_probability=truth).design()).epsilon
        for truth in (best, best + 1)
    )
    assert within <= ceiling < beyond
    # So it is with the largest block: one question more in it is too much.
    *others, _largest = sorted(sizes)
    count = plan.largest_block
    assert count is not None
    for questions, keeps in ((count, True), (count + 1, False)):
        if questions:
            grown = planned(block_sizes=(*others, questions))
            assert (budget(grown.design()).epsilon <= ceiling) is keeps


def test_too_few_respondents_find_nothing_and_one_question_has_no_rule() -> None:
    few = figures_of(planned(n=3))
    assert (few.detectable_support, few.detectable_lift) == (None, None)
    assert figures_of(planned(block_sizes=(1,))).detectable_lift is None


def test_direct_answers_make_estimates_more_precise() -> None:
    assert (
        figures_of(planned(direct_share=0.3)).errors[2].standard_error
        < figures_of(SURVEY).errors[2].standard_error
    )
    assert planned(direct_share=0.3).audit().group.has_direct


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"truth_probability": 0}, "truth_probability"),
        ({"truth_probability": 10_000}, "truth_probability"),
        ({"unrelated": 0}, "unrelated_probability"),
        ({"prevalence": 10_000}, "prevalence"),
        ({"prevalence": (2000, 0)}, "prevalence"),
        ({"prevalence": (2000, 1000, 500)}, "prevalence"),
        ({"prevalence": ()}, "prevalence"),
        ({"block_sizes": ()}, "block_sizes"),
        ({"block_sizes": (0,)}, "block_sizes"),
        ({"block_sizes": (60, 1)}, "block_sizes"),
        ({"block_sizes": "3"}, "block_sizes"),
        ({"n": 0}, "n"),
        ({"direct_share": 1.0}, "direct_share"),
        ({"direct_share": -0.1}, "direct_share"),
        ({"error": 0.0}, "error"),
    ],
)
def test_surveys_that_cannot_be_planned_are_refused(changes: dict[str, object], code: str) -> None:
    with refused(code):
        planned(**changes)


@pytest.mark.parametrize("ceiling", [0.0, -1.0, 701.0])
def test_ceilings_that_are_none_are_refused(ceiling: float) -> None:
    with refused("epsilon"):
        figures_of(SURVEY, most_epsilon=ceiling)


@pytest.mark.parametrize("theta", [1000, 3000])
def test_a_ceiling_allows_as_much_whether_decoys_are_mostly_yes_or_mostly_no(theta: int) -> None:
    one, mirrored = (
        figures_of(planned(unrelated=unrelated), most_epsilon=3.0) for unrelated in (theta, 10_000 - theta)
    )
    assert one.best_truth_probability is not None
    assert one.best_truth_probability == mirrored.best_truth_probability
