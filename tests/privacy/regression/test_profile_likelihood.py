"""Intervals by the profile of the likelihood: solved otherwise, by definition, and where they are open."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy
from scipy.special import expit, logit

from privacy.channels.retention import Retention
from privacy.errors import PrivacyError
from privacy.regression.fitted_logit import FittedLogit
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.profile_likelihood import profile_interval
from privacy.regression.regression import regress

DIE = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
LIMIT = float(scipy.stats.chi2.ppf(0.95, 1))
WOMAN = ("response", "woman")


def sexes(*counts: tuple[float, float]) -> FittedLogit:
    """Forced response of men, then of women: how many said no, and yes."""
    return regress(
        LatentAnswers.of(response=[DIE]), np.array([[1.0, 0.0], [1.0, 1.0]]), ["constant", "woman"],
        np.array(counts),
    ).likelihood  # fmt: skip


def test_a_share_alone_has_the_ends_of_its_own_likelihood_ratio() -> None:
    found = regress(
        LatentAnswers.of(response=[DIE]), np.ones((1, 1)), ["constant"], np.array([[900.0, 300.0]])
    ).likelihood

    def excess(value: float) -> float:
        shown = 1 / 6 + 2 / 3 * float(expit(value))
        best = 300 * math.log(0.25) + 900 * math.log(0.75)
        return 2 * (best - 300 * math.log(shown) - 900 * math.log(1 - shown)) - LIMIT

    estimate = float(logit(0.125))
    low, high = profile_interval(found, ("response", "constant"))
    assert low == pytest.approx(scipy.optimize.brentq(excess, estimate - 3, estimate), abs=1e-8)
    assert high == pytest.approx(scipy.optimize.brentq(excess, estimate, estimate + 3), abs=1e-8)
    # Near an edge of the range it reaches farther down than up.
    assert estimate - low > 1.1 * (high - estimate)


def test_at_each_end_the_largest_likelihood_of_the_others_has_fallen_by_the_limit() -> None:
    found = sexes((1_400, 600), (1_250, 750))

    def best(held: float) -> float:
        def loss(constant: float) -> float:
            return -found.model.log_likelihood(np.array([constant, held]))

        return -float(scipy.optimize.minimize_scalar(loss, bounds=(-6, 6), options={"xatol": 1e-11}).fun)

    for end in profile_interval(found, WOMAN):
        assert 2 * (found.log_likelihood - best(end)) == pytest.approx(LIMIT, abs=1e-6)


def test_with_many_answers_it_is_that_of_the_information() -> None:
    found = sexes((1_400_000, 600_000), (1_250_000, 750_000))
    width = 1.959964 * found.standard_errors("information")[1]
    low, high = profile_interval(found, WOMAN)
    assert low == pytest.approx(found.coefficients[1] - width, abs=1e-4)
    assert high == pytest.approx(found.coefficients[1] + width, abs=1e-4)


def test_an_end_that_the_likelihood_does_not_bound_is_infinite() -> None:
    """Of 600 men .19 say yes, where .167 are forced to: that none of them has it is not ruled out."""
    found = sexes((486, 114), (400, 200))
    low, high = profile_interval(found, WOMAN)
    assert high == math.inf
    assert 0 < low < found.coefficients[1]


def test_what_is_no_level_or_no_coefficient_is_refused() -> None:
    found = sexes((1_400, 600), (1_250, 750))
    with pytest.raises(PrivacyError) as refusal:
        profile_interval(found, WOMAN, level=1.0)
    assert refusal.value.code == "level"
    with pytest.raises(KeyError):
        profile_interval(found, ("response", "man"))
