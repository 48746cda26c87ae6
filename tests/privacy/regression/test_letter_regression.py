"""Regressions on terms of a disguised predictor agree with undisguised answers, with valid errors."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from scipy.special import expit

from privacy.channels import Retention
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.latent_parts import LatentPart
from privacy.regression.letter_regression import fit_letters
from privacy.regression.logistic import FittedLogit
from privacy.regression.regression import PREDICTOR, regress
from tests.fixtures.refusals import refused

X = np.column_stack([np.ones(4), [-1.0, 0.0, 1.0, 2.0]])
TERMS = ("constant", "x")
ALL_TERMS = [*TERMS, "1"]
TRUTH = [-0.5, 0.3, 0.8]
ONE_GROUP = np.zeros(len(X), dtype=np.intp)


def part(*items: int, p: Fraction = Fraction(7, 10), skip: bool = False) -> LatentPart:
    letters = 1 << len(items)
    chance = Fraction(1, 5) if skip else None
    law = Retention.grouping(p, [Fraction(1, letters)] * letters, skip_probability=chance)
    return LatentPart(items=items, channels=law.matrix.as_array()[None])


def opened(item: int) -> LatentPart:
    return LatentPart(items=(item,), channels=np.eye(2)[None])


PARTS = {
    "two parts": [part(0), part(1)],
    "one part": [part(0, 1)],
    "parts that are skipped": [part(0, skip=True), part(1, skip=True)],
    "one part that is skipped": [part(1, 0, skip=True)],
    "an open response": [opened(0), part(1)],
}


def fitted(parts: Sequence[LatentPart], counts: np.ndarray) -> FittedLogit:
    """Regress item 0 on x and item 1."""
    designs = np.stack([np.column_stack([X, np.full(len(X), has)]) for has in (0.0, 1.0)], axis=1)
    return fit_letters(parts, 0, designs, ALL_TERMS, counts, group=ONE_GROUP)


def law_of(parts: Sequence[LatentPart], *, bent: bool) -> np.ndarray:
    """Return each true letter's probability by cell, with a logit that is linear or `bent`."""
    letters = list(itertools.product(*(own.letters for own in parts)))
    table = np.zeros((len(X), len(letters)))
    for row, (_, x) in enumerate(X):
        for at, letter in enumerate(letters):
            skips = sum(own is None for own in letter)
            has = {item: on for own in letter if own is not None for item, on in own.items()}
            a = has.get(1, 0)
            y = expit(-0.5 + 0.3 * x + 0.8 * a + bent * (0.9 * a * x - 0.4 * x * x))
            chances = y if has.get(0, 0) else 1 - y, expit(0.2 * x) if a else 1 - expit(0.2 * x)
            table[row, at] = np.prod([chances[item] for item in has]) * 0.1**skips
    return table / table.sum(axis=1, keepdims=True)


def sent(parts: Sequence[LatentPart], letters: np.ndarray) -> np.ndarray:
    return letters @ reduce(np.kron, (own.channels[0] for own in parts)).T


def undisguised(parts: Sequence[LatentPart]) -> list[LatentPart]:
    return [LatentPart(items=own.items, channels=np.eye(own.channels.shape[1])[None]) for own in parts]


@pytest.mark.parametrize("name", PARTS)
def test_the_fit_matches_undisguised_answers_under_any_distribution(name: str) -> None:
    parts = PARTS[name]
    letters = 50_000 * law_of(parts, bent=True)
    plain, found = fitted(undisguised(parts), letters), fitted(parts, sent(parts, letters))
    assert [term for _, term in found.names] == ALL_TERMS
    assert found.coefficients == pytest.approx(plain.coefficients, abs=1e-8)
    assert (found.standard_errors() >= plain.standard_errors() - 1e-12).all()
    exact = fitted(parts, sent(parts, 50_000 * law_of(parts, bent=False)))
    assert exact.coefficients == pytest.approx(TRUTH, abs=1e-8)


@pytest.mark.parametrize("together", [False, True])
def test_the_fit_equals_the_corrected_score_of_the_term_regression(together: bool) -> None:
    law = [Retention.grouping(Fraction(7, 10), [Fraction(1, 4)] * 4)]
    half = [Retention.grouping(Fraction(7, 10), [Fraction(1, 2)] * 2)]
    parts = [part(1, 0)] if together else [part(1), part(0)]
    answers = LatentAnswers.together(law) if together else LatentAnswers.of(response=half, predictor=half)
    counts = sent(parts, 5_000 * law_of(parts, bent=False))
    known, found = regress(answers, X, TERMS, counts).corrected, fitted(parts, counts)
    positions = [known.names.index(("response", term)) for term in (*TERMS, PREDICTOR)]
    assert found.coefficients == pytest.approx(known.coefficients[positions], abs=1e-8)
    assert found.standard_errors() == pytest.approx(known.standard_errors()[positions], rel=1e-6)


def test_too_few_rows_are_rejected_and_few_events_flagged() -> None:
    parts = PARTS["two parts"]
    with refused("regression", "undisguised ones"):
        fitted(parts, sent(parts, 30 * law_of(parts, bent=False)))
    assert fitted(parts, sent(parts, 60 * law_of(parts, bent=False))).few_events
    assert not fitted(parts, sent(parts, 30_000 * law_of(parts, bent=False))).few_events


def test_a_regression_on_a_constant_is_the_log_odds_of_the_estimated_share() -> None:
    """p = .5 and decoys of 1/2: of 1,000 rows 350 say yes, so (.35 - .25) / .5 = .2 have the answer."""
    half = np.array([[[0.75, 0.25], [0.25, 0.75]]])
    own = LatentPart(items=(4,), channels=half)
    fit = fit_letters(
        [own],
        4,
        np.ones((1, 1, 1)),
        ["Intercept"],
        np.array([[650.0, 350.0]]),
        group=np.zeros(1, dtype=np.intp),
    )
    assert fit.coefficients == pytest.approx([math.log(0.2 / 0.8)])
    # The variance of the share is .35 (.65) / .25 / 1000, instead of .2 (.8) / 1000 without the disguise.
    assert fit.events == pytest.approx(200 * (0.2 * 0.8) / (0.35 * 0.65 / 0.25))
    weighted = fit_letters(
        [own], 4, np.ones((1, 1, 1)), ["Intercept"], np.array([[1300.0, 700.0]]),
        group=np.zeros(1, dtype=np.intp), squares=np.array([[2600.0, 1400.0]]),
    )  # fmt: skip
    assert weighted.coefficients == pytest.approx(fit.coefficients)
    assert weighted.events == pytest.approx(fit.events)


def test_a_disguised_predictor_gives_the_odds_ratio_of_the_estimated_table() -> None:
    """Both answers are undisguised here: of 400 rows 40 of 200 without and 100 of 200 with the predictor."""
    same = np.eye(2)[None]
    parts = [LatentPart(items=(0,), channels=same), LatentPart(items=(1,), channels=same)]
    designs = np.array([[[1.0, 0.0], [1.0, 1.0]]])
    # Reports: predictor (0 or 1), then response.
    fit = fit_letters(
        parts, 1, designs, ["Intercept", "predictor"], np.array([[160.0, 40.0, 100.0, 100.0]]),
        group=np.zeros(1, dtype=np.intp),
    )  # fmt: skip
    assert fit.coefficients == pytest.approx([math.log(40 / 160), math.log(4)])
    assert fit.events == pytest.approx(140)
