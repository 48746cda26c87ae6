"""Regression of columns of a DataFrame."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from privacy.library import designs
from privacy.library.shares import prevalence
from privacy.regression.logistic import LogisticRegression, logistic_regression
from tests.fixtures.published_studies import nigeria
from tests.fixtures.refusals import refused

DIE = designs.forced_response(yes=1 / 6, no=1 / 6)
COLUMNS = ["coefficient", "standard_error", "odds_ratio", "low", "high"]
GROUPING = designs.grouping(p=0.5, theta=0.4)


def people(n: int = 6_000) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    answers = {name: rng.integers(0, 2, size=n) for name in ("affair", "debts", "works")}
    return pd.DataFrame(
        {**answers, "age": rng.integers(18, 80, size=n), "town": rng.choice(["big", "none", "small"], size=n)}
    )


def test_the_study_of_nigeria_is_regressed_from_its_columns() -> None:
    names = ["asset_index", "married", "age10", "age10_squared", "education", "female"]
    found = logistic_regression(nigeria(), "rr_q1", names, designs=DIE)
    assert found.to_frame().index.tolist() == ["constant", *names]
    # The most likely coefficients, which the study printed, are -.55440 (.16244) and .40656.
    female = [-0.56725, 0.16377, 0.56708, 0.41138, 0.78172]
    assert found.to_frame().loc["female", COLUMNS].round(5).tolist() == female
    head = "rr_q1, logistic regression by the corrected score, n = 2,423"
    assert found.summary().splitlines()[0] == head
    civic = logistic_regression(nigeria(), "civic", [*names, "rr_q1"], designs={"rr_q1": DIE})
    of_disguised = [0.36503, 0.16057, 1.44056, 1.0516, 1.97338]
    assert civic.to_frame().loc["rr_q1", COLUMNS].round(5).tolist() == of_disguised
    assert civic.standardised("rr_q1").index.tolist() == ["no", "yes"]


def test_the_published_prevalence_of_nigeria_has_our_value_and_its_error_with_n_less_one() -> None:
    found = prevalence({"yes": 831, "no": 1_604}, DIE)
    assert round(found.value, 10) == 0.2619096509
    assert round(found.standard_error * np.sqrt(2_435 / 2_434), 10) == 0.0144156656


def test_texts_are_compared_with_the_first_of_them_and_numbers_stand_as_they_are() -> None:
    found = logistic_regression(people(), "affair", ["town", "age"], designs=DIE)
    assert found.to_frame().index.tolist() == ["constant", "town=none", "town=small", "age"]
    assert found.standardised("town").index.tolist() == ["big", "none", "small"]
    assert found.standardised("age", at=[25, 60]).index.tolist() == [25, 60]
    assert found.standardised("town", at=["small", "big"])["difference"].iloc[0] == 0
    assert repr(found) == "<logistic regression of affair on town, age: n = 6,000>"


def test_two_answers_may_have_a_coin_each_or_one_for_both() -> None:
    apart = logistic_regression(people(), "affair", ["debts"], designs={"affair": DIE, "debts": DIE})
    assert apart.fitted.corrected.answers.channels.shape == (1, 4, 4)
    home, work = (designs.grouping(p=0.5, theta=0.4, block=block) for block in ("home", "work"))
    shared = logistic_regression(people(), "affair", ["debts"], designs={"affair": home, "debts": home})
    assert shared.fitted.corrected.answers.one_part
    # p + (1 - p) q, q = .6 * .6.
    assert shared.fitted.corrected.answers.channels[0, 0, 0] == pytest.approx(0.5 + 0.5 * 0.36)
    two = logistic_regression(people(), "affair", ["debts"], designs={"affair": home, "debts": work})
    assert not two.fitted.corrected.answers.one_part
    for unsaid in ({"affair": DIE, "debts": GROUPING}, {"affair": GROUPING, "debts": GROUPING}):
        with refused("crosstab", "the block is not named"):
            logistic_regression(people(), "affair", ["debts"], designs=unsaid)


def test_weights_multiply() -> None:
    frame = people()
    twice = logistic_regression(pd.concat([frame, frame.query("works == 1")]), "affair", ["age"], designs=DIE)
    weighted = logistic_regression(
        frame.assign(weight=1 + frame["works"]), "affair", ["age"], designs=DIE, weights="weight"
    )
    assert weighted.to_frame()["coefficient"].to_numpy() == pytest.approx(
        twice.to_frame()["coefficient"].to_numpy()
    )
    assert (weighted.to_frame()["standard_error"] > twice.to_frame()["standard_error"]).all()
    with refused("regression", "weight"):
        logistic_regression(frame.assign(weight=0), "affair", ["age"], designs=DIE, weights="weight")


def test_a_column_may_have_a_number_for_a_name() -> None:
    frame = people().assign(weight=2.0)
    numbered = frame.rename(columns={"affair": 1, "age": 3, "debts": 5, "weight": 7})
    by_text = logistic_regression(
        frame, "affair", ["age", "debts"], designs={"affair": DIE}, weights="weight"
    )
    by_number = logistic_regression(numbered, 1, [3, 5], designs={1: DIE}, weights=7)
    assert by_number.to_frame().index.tolist() == ["constant", "3", "5"]
    assert (by_number.to_frame().to_numpy() == by_text.to_frame().to_numpy()).all()
    shares = by_number.standardised(3, at=[25, 60]).to_numpy()
    assert np.array_equal(shares, by_text.standardised("age", at=[25, 60]).to_numpy())
    with refused("frame", "column 3 has no value"):
        logistic_regression(numbered.replace({3: {25: np.nan}}), 1, [3], designs=DIE)


def fitted() -> LogisticRegression:
    return logistic_regression(
        people(), "affair", ["debts", "town", "age"], designs={"affair": DIE, "debts": DIE}
    )


@pytest.mark.slow
def test_what_is_asked_for_wrongly_is_refused_by_name() -> None:
    frame, both = people(), {"affair": DIE, "debts": DIE, "works": DIE}
    with refused("regression", "income"):
        fitted().standardised("income")
    with refused("regression", "village"):
        fitted().standardised("town", at=["village"])
    with refused("regression", "maybe"):
        fitted().standardised("debts", at=["maybe"])
    with refused("regression", "age"):
        fitted().standardised("age")
    with refused("regression", "old"):
        fitted().standardised("age", at=["old"])
    with refused("regression", "2 predictors"):
        logistic_regression(frame, "affair", ["debts", "works"], designs=both)
    with refused("regression", "works"):
        logistic_regression(frame, "affair", ["debts"], designs=both)
    with refused("regression", "debts"):
        logistic_regression(frame, "affair", ["debts", "debts"], designs=DIE)
    with refused("regression", "age"):
        logistic_regression(frame.assign(age=40), "affair", ["age"], designs=DIE)
    three = designs.generalised_rr(["never", "once", "often"], p=0.5)
    with refused("regression", "affair"):
        answers = frame["affair"].map({0: "never", 1: "once"})
        logistic_regression(frame.assign(affair=answers), "affair", ["age"], designs=three)


HOME = designs.grouping(p=0.5, theta=0.4, block="home")


@pytest.mark.parametrize("stated", [{"affair": DIE, "debts": DIE}, {"affair": HOME, "debts": HOME}, DIE])
def test_a_formula_is_the_same_fit_in_patsys_names(stated: object) -> None:
    by_columns = logistic_regression(people(), "affair", ["town", "age", "debts"], designs=stated)
    by_formula = logistic_regression(people(), "affair ~ town + age + debts", designs=stated)
    assert by_formula.params.to_numpy() == pytest.approx(by_columns.params.to_numpy(), abs=1e-8)
    assert by_formula.bse.to_numpy() == pytest.approx(by_columns.bse.to_numpy(), rel=1e-6)
    names = ["Intercept", "town[T.none]", "town[T.small]", "age", "debts"]
    assert by_formula.params.index.tolist() == names
    someone = pd.DataFrame({"town": ["small", "big"], "age": [40, 20], "debts": [1, 0]})
    b = by_columns.params
    logits = [b["constant"] + b["town=small"] + 40 * b["age"] + b["debts"], b["constant"] + 20 * b["age"]]
    assert by_formula.predict(someone).tolist() == pytest.approx([1 / (1 + math.exp(-z)) for z in logits])
    with refused("formula", "village"):
        by_formula.predict(someone.assign(town="village"))


def test_a_formula_needs_designs_of_its_own_columns() -> None:
    product = logistic_regression(people(), "affair ~ town:debts", designs={"affair": DIE, "debts": DIE})
    assert product.params.index.tolist() == [
        "Intercept",
        *(f"town[{x}]:debts" for x in ("big", "none", "small")),
    ]
    with refused("regression", "works"):
        logistic_regression(people(), "affair ~ age", designs={"affair": DIE, "works": DIE})
    with refused("regression", "debts, works"):
        both = {"affair": DIE, "debts": DIE, "works": DIE}
        logistic_regression(people(), "affair ~ debts + works", designs=both)


def test_rows_may_have_designs_weights_and_clusters_of_their_own() -> None:
    frame, other = people(), designs.forced_response(yes=1 / 6, no=1 / 3)
    frame = frame.assign(w=1 + frame.works, school=np.arange(len(frame)) % 40)
    laws = np.where(frame.town == "big", 1, 0)
    by_row = pd.Series([(DIE, other)[own] for own in laws])
    one = logistic_regression(frame, "affair ~ age + debts", designs={"affair": DIE, "debts": DIE})
    each = {"affair": [DIE] * len(frame), "debts": DIE}
    same = logistic_regression(frame, "affair ~ age + debts", designs=each)
    assert same.params.to_numpy() == pytest.approx(one.params.to_numpy(), abs=1e-9)
    # A coefficient for each design is the same as a fit of its rows alone.
    split = logistic_regression(frame.assign(big=laws), "affair ~ C(big) * age", designs=by_row)
    for own, law in enumerate((DIE, other)):
        alone = logistic_regression(frame[laws == own], "affair ~ age", designs=law)
        slope = split.params["age"] + own * split.params["C(big)[T.1]:age"]
        assert slope == pytest.approx(alone.params["age"], abs=1e-8)
    often = frame.loc[frame.index.repeat(frame.w)]
    weighted = logistic_regression(frame, "affair ~ age", designs=by_row, weights="w")
    repeated = logistic_regression(often, "affair ~ age", designs=by_row[often.index])
    assert weighted.params.to_numpy() == pytest.approx(repeated.params.to_numpy(), abs=1e-8)
    clustered = logistic_regression(frame, "affair ~ age", designs=DIE, clusters="school")
    assert clustered.fitted.clusters.count == 40
    for stated in ({"designs": by_row}, {"designs": DIE, "clusters": "school"}):
        with refused("formula", "need a formula"):
            logistic_regression(frame, "affair", ["age"], **stated)
