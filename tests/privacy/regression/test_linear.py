"""Linear regression on scores: least squares without disguise, unbiased with it."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from privacy.arrays import Array
from privacy.estimation.sampling_units import SamplingUnits
from privacy.regression.linear import LinearFit, NumberScores, largest_pull, p_value
from privacy.scales.decoded_numbers import MEAN
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr, hybrid, square_wave
from privacy.scales.scale_skips import answer_scores
from privacy.scales.skips import Skipping
from privacy.survey.question import Question
from tests.fixtures.refusals import refused

HOURS = NumberRange(low=0, high=3)
RNG = np.random.default_rng(11)


def fit_of(x: Array, y: Array, mass: Array | None = None) -> LinearFit:
    """Return the fit of undisguised numbers."""
    ones = np.ones(len(y))
    return LinearFit(
        terms=[f"x{number}" for number in range(x.shape[1])],
        designs=x[:, None],
        chances=ones[:, None],
        number=NumberScores(total=y, answered=ones),
        mass=ones if mass is None else mass,
    )


def predictors(rows: int) -> Array:
    return np.column_stack([np.ones(rows), RNG.random(rows) < 0.4, RNG.normal(size=rows)])


def test_without_disguise_it_is_weighted_least_squares() -> None:
    x, mass = predictors(60), RNG.uniform(0.5, 2, 60)
    y = x @ [1, 2, 3] + RNG.normal(size=60)
    root = np.sqrt(mass)
    expected = np.linalg.lstsq(x * root[:, None], y * root, rcond=None)[0]
    assert fit_of(x, y, mass).coefficients == pytest.approx(expected)


def scores_of(channel, skipping: Skipping | None) -> tuple[Array, Array, Array]:  # type: ignore[no-untyped-def]
    """Return the law of the outputs given each number (and a skip), and their two scores."""
    question = Question(key="n", kind="number", options=(), unrelated=(), disguise=channel)
    first, last = (float(channel.range.middle(at)) for at in (0, channel.inputs - 1))
    _, mean = question.part_scores(channel, MEAN)  # type: ignore[attr-defined]
    if skipping is None:
        law = channel.as_array()
        return law, first + (last - first) * mean, np.ones(len(law))
    ones = np.ones(len(mean))
    total = first * answer_scores(skipping, ones) + (last - first) * answer_scores(skipping, mean)
    return skipping.channel.as_array(), total, answer_scores(skipping, ones)


@pytest.mark.parametrize("make", [generalised_rr, square_wave, hybrid])
@pytest.mark.parametrize("with_group", [False, True])
def test_over_all_reports_the_coefficients_are_those_of_the_truth(make, with_group: bool) -> None:  # type: ignore[no-untyped-def]
    """Every report of every person, with its probability as its weight."""
    channel = make(HOURS, 5000) if make is generalised_rr else make(HOURS, 1.5)
    law, total, answered = scores_of(channel, None)
    x = predictors(7)
    group, bins = RNG.integers(0, 2, 7), RNG.integers(0, channel.inputs, 7)
    group[:2] = 0, 1
    coin, shown = 0.6, 0.3  # probability of the truth, and of "yes" otherwise
    group_scores = np.array([-(1 - coin) * shown / coin, (1 - (1 - coin) * shown) / coin])
    rows = []
    for person, sent, yes in itertools.product(range(7), range(len(law)), (0, 1)):
        chance = law[sent, bins[person]]
        chance *= coin * (group[person] == yes) + (1 - coin) * (shown if yes else 1 - shown)
        rows.append((person, sent, group_scores[yes], chance))
    people, outputs = (np.array([row[at] for row in rows]) for at in (0, 1))
    has_group, mass = (np.array([row[at] for row in rows]) for at in (2, 3))
    own = x[people]
    if with_group:
        designs = np.stack(
            [np.column_stack([own, 0 * has_group]), np.column_stack([own, 1 + 0 * has_group])], 1
        )
        chances = np.stack([1 - has_group, has_group], axis=1)
        truth = np.column_stack([x, group])
    else:
        designs, chances, truth = own[:, None], np.ones((len(rows), 1)), x
    fit = LinearFit(
        terms=["a", "b", "c", "group"][: truth.shape[1]],
        designs=designs,
        chances=chances,
        number=NumberScores(total=total[outputs], answered=answered[outputs]),
        mass=mass,
    )
    numbers = np.array([float(channel.range.middle(at)) for at in bins])
    assert fit.coefficients == pytest.approx(np.linalg.lstsq(truth, numbers, rcond=None)[0])


def test_with_skips_the_coefficients_are_those_of_people_who_answer() -> None:
    """Least squares on the scores alone takes a skip for a number."""
    channel = generalised_rr(HOURS, 5000)
    law, total, answered = scores_of(channel, Skipping(disguise=channel, refusal=6000))
    assert law.sum(axis=0) == pytest.approx(np.ones(5))
    x = np.column_stack([np.ones(9), np.arange(9)])
    answers = np.array([0, 0, 1, 1, 2, 2, 3, 3, 4])  # the last is a skip
    people, outputs = (own.ravel() for own in np.indices((9, len(law))))
    number = NumberScores(total=total[outputs], answered=answered[outputs])
    assert number.may_be_skipped
    fit = LinearFit(
        terms=["Intercept", "x"],
        designs=x[people][:, None],
        chances=np.ones((len(people), 1)),
        number=number,
        mass=law[outputs, answers[people]],
    )
    assert fit.coefficients == pytest.approx(np.linalg.lstsq(x[:8], answers[:8], rcond=None)[0])
    naive = replace(fit, number=replace(number, answered=np.ones(len(people))))
    assert naive.coefficients[1] < fit.coefficients[1] / 2


def test_a_coefficient_is_the_ratio_whose_equation_it_solves() -> None:
    x = predictors(50)
    fit = fit_of(x, x @ [1, -2, 0.5] + RNG.normal(size=50))
    for figure, value in zip(fit.figures(), fit.coefficients, strict=True):
        assert figure.value == pytest.approx(value)
        assert figure.constant.sum() + figure.slope.sum() * value == pytest.approx(0, abs=1e-9)
        # At another value all other equations stay solved: the terms of the sum are those of a refit.
        low, high = figure.interval()
        assert low < value < high


def test_a_combination_is_linear_in_the_coefficients() -> None:
    x = predictors(50)
    fit = fit_of(x, x @ [1, -2, 0.5] + RNG.normal(size=50))
    both = fit.combination(np.array([0, 1.0, 1.0]), "both")
    assert both.value == pytest.approx(fit.coefficients[1] + fit.coefficients[2])
    # Reparametrised, the sum is a coefficient of its own, with the same error and interval.
    other = fit_of(np.column_stack([x[:, 0], x[:, 1], x[:, 2] - x[:, 1]]), fit.number.total)
    own = other.figures()[1]
    assert own.standard_error == pytest.approx(both.standard_error)
    assert own.interval() == pytest.approx(both.interval())


def test_the_error_is_robust() -> None:
    """Against White's formula with residuals divided by 1 - h, where all rows have the same weight."""
    y = RNG.normal(3, 2, 40)
    (mean,) = fit_of(np.ones((40, 1)), y).figures()
    assert mean.standard_error == pytest.approx(y.std() / np.sqrt(40) * 40 / 39)


def test_rows_of_a_cluster_count_as_one() -> None:
    y = np.repeat(RNG.normal(size=30), 4)
    x = np.ones((120, 1))
    alone = fit_of(x, y)
    together = replace(alone, units=SamplingUnits(members=np.repeat(np.arange(30), 4)))
    assert together.coefficients == pytest.approx(alone.coefficients)
    ratio = together.figures()[0].standard_error / alone.figures()[0].standard_error
    assert ratio == pytest.approx(2 * (30 / 29) / (120 / 119))


def test_a_row_that_holds_most_of_a_coefficient_is_found() -> None:
    x = np.column_stack([np.ones(50), np.zeros(50)])
    x[0, 1] = 1
    _, lone = fit_of(x, RNG.normal(size=50)).figures()
    x[:25, 1] = 1
    _, half = fit_of(x, RNG.normal(size=50)).figures()
    assert largest_pull(lone) > 0.9
    assert largest_pull(half) == pytest.approx(1 / 50)


def test_p_values_agree_with_intervals() -> None:
    x = predictors(200)
    for figure in fit_of(x, x @ [0.1, 0.4, 0.05] + RNG.normal(size=200)).figures():
        level = 1 - p_value(figure)
        low, high = figure.interval(level)
        assert min(abs(low), abs(high)) == pytest.approx(0, abs=0.01)


def test_equations_without_a_solution_are_refused() -> None:
    with refused("regression", "2 rows for 3 coefficients"):
        fit_of(predictors(2), np.ones(2))
    lost = fit_of(predictors(40), np.ones(40))
    with refused("regression", "no information"):
        replace(lost, number=replace(lost.number, answered=-np.ones(40)))
    with refused("regression", "no information"):
        replace(lost, designs=np.zeros((40, 1, 3)))


def test_unequal_weights_leave_fewer_effective_rows() -> None:
    """Weights 1, 1, 2 and 4 sum to 8, and their squares to 22."""
    fit = fit_of(
        np.array([[1.0, 0], [1, 1], [1, 2], [1, 4]]), np.array([1.0, 2, 3, 5]), np.array([1.0, 1, 2, 4])
    )
    assert fit.effective_n == pytest.approx(64 / 22)
    assert fit_of(fit.designs[:, 0], fit.number.total).effective_n == pytest.approx(4)


def test_only_scores_that_differ_from_one_allow_skips() -> None:
    total = np.array([1.0, 3.0])
    assert not NumberScores(total=total, answered=np.ones(2)).may_be_skipped
    assert NumberScores(total=total, answered=np.array([1.0, 0.5])).may_be_skipped
    assert NumberScores(total=total, answered=np.array([1.5, 1.0])).may_be_skipped


def test_a_difference_of_two_means_has_their_robust_error() -> None:
    """Means 2 and 5 of two rows each, all 1 away from their mean: variances (1 + 1) / 4 each."""
    fit = fit_of(np.array([[1.0, 0], [1, 0], [1, 1], [1, 1]]), np.array([1.0, 3, 4, 6]))
    found = fit.combination(np.array([0.0, 1.0]), "group")
    assert found.value == pytest.approx(3)
    equal = replace(found, clusters=None)
    assert equal.standard_error == pytest.approx(1.0)
    assert found.clipped


def test_units_of_the_predictors_change_only_their_coefficients() -> None:
    """Information is judged after scaling, so a predictor in millionths is no reason to refuse a fit."""
    x = predictors(60)
    y = x @ [1, 2, 3] + RNG.normal(size=60)
    units = np.array([1, 1e6, 1e-6])
    found = fit_of(x / units, y)
    assert found.coefficients == pytest.approx(fit_of(x, y).coefficients * units, rel=1e-6)
