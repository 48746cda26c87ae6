"""Standardised shares agree with a manual calculation and numerical derivatives."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import expit

from privacy.channels import Retention
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.logistic import FittedLogit
from privacy.regression.regression import regress
from privacy.regression.standardised import Setting, standardised_shares
from tests.fixtures.published_studies import nigeria

DIE = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
X = np.array([[1.0, 0.0, 20.0], [1.0, 1.0, 20.0], [1.0, 0.0, 50.0], [1.0, 1.0, 60.0], [1.0, 1.0, 30.0]])
TERMS = ["constant", "woman", "age"]


def joint() -> FittedLogit:
    answers = LatentAnswers.of(response=[DIE], predictor=[DIE])
    truth = np.array([[0.4, 0.2, 0.1, 0.3], [0.3, 0.2, 0.2, 0.3], [0.4, 0.1, 0.2, 0.3], [0.2, 0.3, 0.2, 0.3],
                      [0.3, 0.3, 0.1, 0.3]])  # fmt: skip
    return regress(answers, X, TERMS, 5_000 * truth @ answers.channels[0].T).corrected


SETTINGS = {
    "as it is": Setting(),
    "everybody a woman": Setting(covariates=np.column_stack([X[:, 0], np.ones(5), X[:, 2]])),
    "everybody with the predictor": Setting(predictor=1),
    "both": Setting(covariates=np.column_stack([X[:, 0], np.zeros(5), X[:, 2]]), predictor=0),
}


def by_hand(fitted: FittedLogit, setting: Setting, b: np.ndarray) -> float:
    x = X if setting.covariates is None else setting.covariates
    has = expit(X @ b[:3])
    if setting.predictor is not None:
        has = np.full(5, float(setting.predictor))
    rows = fitted.model.counts.sum(axis=1)
    share = (1 - has) * expit(x @ b[3:6]) + has * expit(x @ b[3:6] + b[6])
    return float(rows @ share / rows.sum())


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_shares_average_over_the_sample_with_delta_method_errors(setting: Setting) -> None:
    fitted = joint()
    b, step = fitted.coefficients, 1e-6
    gradient = np.array(
        [
            (by_hand(fitted, setting, b + step * one) - by_hand(fitted, setting, b - step * one)) / (2 * step)
            for one in np.eye(len(b))
        ]
    )
    share = standardised_shares(fitted, [setting])[0].share
    assert share.value == pytest.approx(by_hand(fitted, setting, b))
    assert share.standard_error**2 == pytest.approx(gradient @ fitted.covariance() @ gradient, rel=1e-6)
    assert share.low < share.value < share.high


def test_differences_of_independent_shares_add_variances() -> None:
    """Shares of separate groups are independent, so their variances add up."""
    die = LatentAnswers.of(response=[DIE])
    sexes = np.array([[1.0, 0.0], [1.0, 1.0]])
    fitted = regress(die, sexes, ["constant", "woman"], np.array([[600.0, 400.0], [500.0, 500.0]])).corrected
    men, women = standardised_shares(
        fitted, [Setting(covariates=np.array([[1.0, one]] * 2)) for one in (0.0, 1.0)]
    )
    half = 1.959964 * np.sqrt(1.5**2 * (0.24 + 0.25) / 1000)
    assert (men.difference.value, men.difference.low, men.difference.high) == (0, 0, 0)
    # With 1,000 people in each group, score intervals differ from Wald intervals by a hundredth at most.
    assert (women.difference.low, women.difference.high) == pytest.approx(
        (0.15 - half, 0.15 + half), abs=half / 100
    )


def test_the_mean_predicted_share_in_nigeria_equals_the_plain_estimate() -> None:
    rows = nigeria()
    names = ["asset_index", "married", "age10", "age10_squared", "education", "female"]
    x = np.column_stack([np.ones(len(rows)), rows[names].to_numpy(float)])
    answers = LatentAnswers.of(response=[DIE])
    fitted = regress(answers, x, ["constant", *names], np.eye(2)[rows["rr_q1"].to_numpy(int)])
    # With a constant, the mean equals the estimate without a regression: (.343 - 1/6) / (2/3).
    share = standardised_shares(fitted.corrected, [Setting()])[0].share
    assert share.value == pytest.approx((rows["rr_q1"].mean() - 1 / 6) / (2 / 3))


def test_shares_exclude_respondents_who_skip() -> None:
    part = Retention.grouping(Fraction(1, 2), [Fraction(1, 2)] * 2, skip_probability=Fraction(1, 4))
    counts = 4_000 * np.array([[0.6, 0.2, 0.2]]) @ part.matrix.as_array().T
    fitted = regress(LatentAnswers.of(response=[part]), np.ones((1, 1)), ["constant"], counts).corrected
    assert standardised_shares(fitted, [Setting()])[0].share.value == pytest.approx(0.25)
    assert fitted.n == 4_000


@pytest.mark.parametrize(("effective_n", "is_enough"), [(29.9, False), (30.0, True)])
def test_thirty_rows_are_enough_for_shares_and_coefficients(
    effective_n: float, is_enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FittedLogit, "effective_n", effective_n)
    fitted = joint()
    assert standardised_shares(fitted, [Setting()])[0].share.estimable == is_enough
    assert {row.estimable for row in fitted.table()} == {is_enough}
