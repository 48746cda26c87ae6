"""Regressions of a survey's reports: the kind of the response decides which."""

import numpy as np
import pandas
import pytest

from mining.frames.answer_kinds import number
from mining.frames.survey import Survey
from privacy.regression.formula_linear import LinearRegression
from privacy.regression.formula_regression import FormulaRegression
from tests.fixtures.refusals import refused

RNG = np.random.default_rng(8)
N = 4000


def survey_of(**options) -> Survey:  # type: ignore[no-untyped-def]
    pay = number(low=0, high=99, bin=10, epsilon=3)
    return Survey(blocks={"pay": pay, "work": ["cheat", "drugs"], "home": ["debts"]}, p=0.8, **options)


PEOPLE = pandas.DataFrame({name: RNG.random(N) < 0.3 for name in ("cheat", "drugs", "debts")})
PEOPLE["pay"] = np.clip(20 + 30 * PEOPLE.cheat + 10 * PEOPLE.debts + RNG.integers(0, 30, N), 0, 99)
AGE = RNG.integers(20, 60, N)
PLAIN = survey_of()
SENT = PLAIN.disguise(PEOPLE, seed=2).assign(age=AGE)
REPORTS = PLAIN.on(SENT)


def test_a_number_has_a_linear_regression_and_an_item_a_logistic_one() -> None:
    assert isinstance(REPORTS.regression("pay ~ cheat + age"), LinearRegression)
    assert isinstance(REPORTS.regression("cheat ~ age"), FormulaRegression)


def test_planted_differences_are_in_the_intervals() -> None:
    """One draw, at a level of 1 - 1e-6; as it is sent, `cheat` would have .8 of the difference at most."""
    table = REPORTS.regression("pay ~ cheat + age").to_frame(1 - 1e-6)
    assert table.low["cheat"] < 30 < table.high["cheat"]
    assert table.low["age"] < 0 < table.high["age"]
    assert table.high["cheat"] - table.low["cheat"] < 30


def test_weights_and_clusters_of_the_survey_are_used() -> None:
    frame = SENT.assign(w=RNG.uniform(1, 3, N), school=np.arange(N) // 20)
    weighted = PLAIN.on(frame, weights="w", clusters="school").regression("pay ~ age")
    assert isinstance(weighted, LinearRegression)
    assert weighted.fitted.effective_n == pytest.approx(frame.w.sum() ** 2 / (frame.w**2).sum())
    assert weighted.fitted.figures()[0].clusters.count == N // 20  # type: ignore[union-attr]


def test_a_number_that_may_be_skipped_has_the_coefficients_of_those_who_answer() -> None:
    survey = survey_of(skip={"pay": 0.4})
    skips = RNG.random(N) < 0.2
    truth = PEOPLE.assign(pay=PEOPLE.pay.mask(skips), **{"pay.skipped": skips})
    found = survey.on(survey.disguise(truth, seed=4).assign(age=AGE)).regression("pay ~ cheat")
    table = found.to_frame(1 - 1e-6)
    assert table.low["cheat"] < 30 < table.high["cheat"]


def test_what_cannot_be_fitted_is_refused() -> None:
    with refused("regression", "2 predictors are disguised: cheat, debts"):
        REPORTS.regression("pay ~ cheat + debts")
    with refused("reports", "'pay'"):
        REPORTS.regression("cheat ~ pay")
    with refused("regression", "option"):
        REPORTS.regression("pay ~ age", cov_type="HC1")
    skipped = survey_of(skip={"work": 0.2})
    sent = skipped.disguise(PEOPLE, seed=5)
    with refused("reports", "skip 'cheat'"):
        skipped.on(sent).regression("pay ~ cheat")
    with refused("regression", "2 rows for 3 coefficients"):
        PLAIN.on(SENT.iloc[:2].assign(b=[0, 1])).regression("pay ~ age + b")


def test_an_undisguised_response_has_the_log_odds_of_the_corrected_table() -> None:
    """240 of 400 people who pass report cheating; 210 of 600 who fail do.

    With p = .8 and decoys of 1 in 2, "yes" is sent by .1 + .8 share, so 5/8 and 5/16 of them cheat: 250 and
    150, 187.5 and 412.5.
    """
    survey = Survey(blocks={"work": ["cheat"]}, p=0.8)
    sent = pandas.DataFrame({"cheat": [1] * 240 + [0] * 160 + [1] * 210 + [0] * 390})
    rows = survey.on(sent.assign(passes=[1] * 400 + [0] * 600))
    params = rows.regression("passes ~ cheat").params
    assert params["Intercept"] == pytest.approx(np.log(150 / 412.5), abs=1e-5)
    assert params["cheat"] == pytest.approx(np.log(250 / 187.5) - np.log(150 / 412.5), abs=1e-5)
