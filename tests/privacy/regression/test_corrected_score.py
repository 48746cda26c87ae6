"""Derivatives of the corrected likelihood agree with differences of a separate 60-digit implementation."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privacy.channels import Retention
from privacy.errors import PrivacyError
from privacy.regression import corrected_score
from privacy.regression.corrected_score import CorrectedLogit, Derivatives, _step, inverse, maximum
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.regression import regress
from tests.fixtures.refusals import refused

STRONG = Retention.grouping(
    Fraction(2, 5),
    [Fraction(1, 10), Fraction(3, 10), Fraction(2, 10), Fraction(4, 10)],
    skip_probability=Fraction(1, 5),
)
LIGHT = Retention.grouping(
    Fraction(4, 5),
    [Fraction(1, 10), Fraction(3, 10), Fraction(2, 10), Fraction(4, 10)],
    skip_probability=Fraction(1, 5),
)
# A constant and a number, with both strengths.
COVARIATES = [(1, Fraction(1, 2)), (1, Fraction(-1, 4)), (1, Fraction(3, 2)), (1, Fraction(0))]
GROUPS = [0, 0, 1, 1]
COUNTS = np.array([[7, 3, 5, 2, 4], [1, 6, 2, 8, 3], [9, 0, 4, 5, 1], [2, 3, 6, 1, 7]], dtype=float)
# Constant and number for skip, predictor and response; the response also depends on the predictor.
COEFFICIENTS = [Fraction(tenths, 10) for tenths in (-12, 4, -5, 3, 2, -7, 8)]


def two_answers() -> CorrectedLogit:
    """Return the model of two answers in one skippable part."""
    answers = LatentAnswers.together([STRONG, LIGHT])
    designs = np.zeros((4, 4, 7))
    for cell, x in enumerate(COVARIATES):
        for place, first in enumerate((0, 2, 4, 4)):
            designs[cell, place, first : first + 2] = [float(value) for value in x]
    designs[:, 3, 6] = 1
    assert answers.logits == (("skipped", None), ("predictor", None), ("response", 0), ("response", 1))
    return CorrectedLogit(
        channels=answers.channels,
        unbiased=answers.unbiased,
        branches=answers.branches,
        designs=designs,
        group=np.array(GROUPS),
        counts=COUNTS,
        squares=COUNTS,
    )


def chance(logit: Decimal) -> Decimal:
    return 1 / (1 + (-logit).exp())


def exact(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def log_likelihood(b: Sequence[Decimal]) -> Decimal:
    """Return the log-likelihood by definition: a report counts for (report - (1 - p) q) / p letters."""
    total = Decimal(0)
    for (_, number), group, counts in zip(COVARIATES, GROUPS, COUNTS, strict=True):
        x = exact(number)
        skips, has = chance(b[0] + b[1] * x), chance(b[2] + b[3] * x)
        without, with_it = chance(b[4] + b[5] * x), chance(b[4] + b[5] * x + b[6])
        truth = [(1 - has) * (1 - without), (1 - has) * without, has * (1 - with_it), has * with_it]
        truth = [(1 - skips) * share for share in truth] + [skips]
        law = (STRONG, LIGHT)[group]
        p, rows = exact(law.retention_probability), Decimal(int(counts.sum()))
        for share, decoy, count in zip(truth, law.unrelated, counts, strict=True):
            total += (Decimal(int(count)) - (1 - p) * exact(decoy) * rows) / p * share.ln()
    return total


def differences(
    f: Callable[[Sequence[Decimal]], Decimal], b: list[Decimal]
) -> tuple[list[float], list[list[float]]]:
    """Return first and second central differences with a step of 1e-12, right to 24 digits."""
    step = Decimal("1e-12")

    def at(*moves: tuple[int, int]) -> Decimal:
        moved = list(b)
        for place, sign in moves:
            moved[place] += sign * step
        return f(moved)

    size = range(len(b))
    first = [float((at((j, 1)) - at((j, -1))) / (2 * step)) for j in size]
    corners = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    second = [
        [float(sum(a * c * at((j, a), (k, c)) for a, c in corners) / (4 * step**2)) for k in size]
        for j in size
    ]
    return first, second


def test_score_and_hessian_are_derivatives_of_the_likelihood() -> None:
    with localcontext() as context:
        context.prec = 60
        b = [exact(value) for value in COEFFICIENTS]
        value = float(log_likelihood(b))
        first, second = differences(log_likelihood, b)
    found = two_answers().derivatives(np.array([float(one) for one in COEFFICIENTS]))
    assert found.log_likelihood == pytest.approx(value, rel=1e-13)
    assert found.score == pytest.approx(np.array(first), rel=1e-11)
    assert found.hessian == pytest.approx(np.array(second), rel=1e-11, abs=1e-12)
    assert found.information == pytest.approx(-found.hessian)


def test_the_remaining_information_matches_the_textbook_formula() -> None:
    """With l = c g + d, a report keeps c^2 g (1 - g) / (l (1 - l)) of the information."""
    c, d, x = 0.4, 0.6 * 0.3, np.array([[1.0, -1.0], [1.0, 0.5], [1.0, 2.0]])
    law = Retention.unrelated_question(Fraction(2, 5), Fraction(3, 10))
    answers = LatentAnswers.of(response=[law])
    counts = np.array([[5.0, 4.0], [3.0, 6.0], [2.0, 9.0]])
    model = CorrectedLogit(
        channels=answers.channels,
        unbiased=answers.unbiased,
        branches=answers.branches,
        designs=x[:, None, :],
        group=np.zeros(3, dtype=int),
        counts=counts,
        squares=counts,
    )
    b = np.array([-0.3, 0.8])
    g = 1 / (1 + np.exp(-x @ b))
    y = (counts[:, 1] - d * counts.sum(axis=1)) / c
    found = model.derivatives(b)
    assert found.score == pytest.approx((y - counts.sum(axis=1) * g) @ x)
    says_yes = c * g + d
    _, tried, kept = model.information_retained(b)
    assert tried[:, 0] == pytest.approx(1)
    assert kept[:, 0] == pytest.approx(c**2 * g * (1 - g) / (says_yes * (1 - says_yes)))


LAW = Retention.unrelated_question(Fraction(4, 5), Fraction(1, 2))


def two_cells(first: tuple[float, float], second: tuple[float, float]) -> CorrectedLogit:
    """Return the model of one disguised answer by a yes/no covariate, from counts of no and yes."""
    answers = LatentAnswers.of(response=[LAW])
    counts = np.array([first, second], dtype=float)
    return CorrectedLogit(
        channels=answers.channels,
        unbiased=answers.unbiased,
        branches=answers.branches,
        designs=np.array([[[1.0, 0.0]], [[1.0, 1.0]]]),
        group=np.zeros(2, dtype=int),
        counts=counts,
        squares=counts,
    )


NAMES = [("response", "constant"), ("response", "old")]
# (yes - .1 n) / .8 of 100 reports: 37.5 and 62.5 truly say yes.
MODEL = two_cells((60, 40), (40, 60))
BEST = np.array([np.log(3 / 5), 2 * np.log(5 / 3)])


def test_the_maximum_of_two_cells_has_their_corrected_log_odds() -> None:
    coefficients, derivatives = maximum(MODEL, ["response"], NAMES)
    assert coefficients == pytest.approx(BEST, rel=1e-6)
    assert derivatives.score == pytest.approx([0, 0], abs=1e-6)
    # The information of 100 letters in each cell is 100 g (1 - g).
    assert inverse(derivatives.information)[0, 0] == pytest.approx(1 / (100 * 0.375 * 0.625), rel=1e-6)
    assert derivatives.log_likelihood == pytest.approx(200 * (0.375 * np.log(0.375) + 0.625 * np.log(0.625)))


def test_logits_that_leave_every_bound_are_refused() -> None:
    """Of 100 reports, 90 yes are what 100 true yes send, and 10 what none sends."""
    with refused("regression", "old"):
        maximum(two_cells((90, 10), (10, 90)), ["response"], NAMES)


def test_a_step_is_shortened_to_the_longest_and_until_it_does_not_lose() -> None:
    start = np.zeros(2)
    derivatives = MODEL.derivatives(start)
    after, distance = MODEL.climb(derivatives, start, 10 * BEST, longest=0.25)
    assert distance == 0.25
    assert np.abs(MODEL.logits(after)).max() == pytest.approx(0.25)
    assert after / after[1] == pytest.approx(BEST / BEST[1])
    whole, distance = MODEL.climb(derivatives, start, BEST)
    assert whole == pytest.approx(BEST)
    assert distance == pytest.approx(np.log(5 / 3))
    # From the maximum, every long step loses.
    best = MODEL.derivatives(BEST)
    after, distance = MODEL.climb(best, BEST, np.array([1.0, -1.0]))
    assert after == pytest.approx(BEST, abs=1e-4)
    assert 0 < distance < 1e-4


def test_only_definite_matrices_have_an_inverse() -> None:
    third = np.array([[2.0, -1.0], [-1.0, 2.0]]) / 3
    assert inverse(np.array([[2.0, 1.0], [1.0, 2.0]])) == pytest.approx(third)
    assert inverse(np.diag([1e-8, 1e8])) == pytest.approx(np.diag([1e8, 1e-8])), "scaled first"
    for matrix in (
        [[1.0, 2.0], [2.0, 1.0]],
        [[1.0, 0.0], [0.0, 0.0]],
        [[-1.0, 0.0], [0.0, 1.0]],
        [[1.0, 1.0]] * 2,
    ):
        with refused("regression"):
            inverse(np.array(matrix))


def test_newtons_step_is_taken_near_the_maximum_of_a_concave_likelihood() -> None:
    near = Derivatives(
        log_likelihood=0.0,
        score=np.array([2.0, 4.0]),
        hessian=-np.diag([1.0, 2.0]),
        information=np.diag([4.0, 8.0]),
        outer=np.eye(2),
    )
    saddle = replace(near, hessian=np.diag([-1.0, 2.0]))
    steps = [_step(own, newton=newton) for own in (near, saddle) for newton in (True, False)]
    assert steps == [
        pytest.approx(np.array(wanted)) for wanted in ([2, 2], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5])
    ]


def fitted(answers: LatentAnswers, covariates: np.ndarray, counts: np.ndarray) -> object:
    """Return all figures of a regression, or its refusal."""
    try:
        found = regress(answers, covariates, ["constant", "x"], counts)
    except PrivacyError as error:
        return error.case, error.fields
    return found.skips, found.events, found.corrected.coefficients.tobytes()


@pytest.mark.parametrize("one_part", [False, True])
def test_a_search_that_ends_early_changes_no_figure(monkeypatch: pytest.MonkeyPatch, one_part: bool) -> None:
    """In half of the tables, fewer rows are reported as skipped than the disguise alone would report."""
    part = Retention.grouping(Fraction(1, 2), [Fraction(1, 2)] * 2, skip_probability=Fraction(1, 5))
    answers = LatentAnswers.together([STRONG]) if one_part else LatentAnswers.of(response=[part])
    covariates, draws = np.array([[1.0, -1.0], [1.0, 0.5], [1.0, 2.0]]), np.random.default_rng(20)
    n_reports = answers.channels.shape[1]
    chances = np.full(n_reports - 1, 1 / (n_reports - 1)) @ answers.channels[0][:, :-1].T
    tables = draws.multinomial(400, chances, size=(4, 3)).astype(float)
    tried: list[float] = []
    one_step = corrected_score._step
    monkeypatch.setattr(
        corrected_score, "_step", lambda *given, **named: tried.append(0) or one_step(*given, **named)
    )
    early = [fitted(answers, covariates, table) for table in tables]
    n_early = len(tried)
    tried.clear()
    monkeypatch.setattr(corrected_score, "_is_lost", lambda *given: False)
    assert early == [fitted(answers, covariates, table) for table in tables]
    assert n_early < len(tried)


def test_a_search_goes_on_while_other_logits_move() -> None:
    """The logit of skips is refused and has no maximum, but that of the predictor still moves."""
    model = two_answers()
    endless = np.array([True, False, False, False])
    coefficients, step = np.zeros(7), np.zeros(7)
    coefficients[0], step[0], step[2] = -20.0, -3000.0, 100.0
    assert not corrected_score._is_lost(model, coefficients, step, endless)
    step[2] = 10.0
    assert corrected_score._is_lost(model, coefficients, step, endless)
    coefficients[2] = 9.0
    assert not corrected_score._is_lost(model, coefficients, step, endless)
    coefficients[[0, 2]] = -14.0, 0.0
    assert not corrected_score._is_lost(model, coefficients, step, endless)


@pytest.mark.parametrize(
    ("large", "is_settled", "is_refused"),
    [(6, True, True), (5, True, False), (1, False, True), (0, False, False)],
)
def test_large_logits_are_refused_in_most_rows_or_in_any_that_do_not_settle(
    large: int, is_settled: bool, is_refused: bool
) -> None:
    """Of ten rows, some have a logit of 50."""
    logits = np.array([[50.0], [0.0]])
    model: Any = SimpleNamespace(
        logits=lambda _: logits, counts=np.array([[large], [10 - large]]), designs=np.ones((2, 1, 1))
    )
    refusal = refused("regression", "x") if is_refused else nullcontext()
    with refusal:
        corrected_score._check_logits(model, np.ones(1), ["ill"], [("ill", "x")], is_settled=is_settled)
