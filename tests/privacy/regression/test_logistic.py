"""Regressions on columns of a DataFrame."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from privacy.channels import Retention
from privacy.estimation.cluster_count import ClusterCount
from privacy.library import designs
from privacy.policy import SURE_CLUSTERS
from privacy.printed import CHECKED
from privacy.regression.corrected_score import CorrectedLogit, maximum
from privacy.regression.formula_regression import logistic_regression
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.logistic import Coefficient, FittedLogit
from privacy.regression.regression import regress
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


def test_the_nigeria_study_is_reproduced_from_its_columns() -> None:
    names = ["asset_index", "married", "age10", "age10_squared", "education", "female"]
    found = logistic_regression(nigeria(), f"rr_q1 ~ {' + '.join(names)}", designs=DIE)
    assert found.to_frame().index.tolist() == ["Intercept", *names]
    # The maximum likelihood coefficients, as the study printed them, are -.55440 (.16244) and .40656.
    # Wald intervals of the odds ratio end at .4114 and .7817.
    *female, low, high = found.to_frame().loc["female", COLUMNS]
    assert [round(value, 5) for value in female] == [-0.56725, 0.16377, 0.56708]
    assert (low, high) == pytest.approx((0.4114, 0.7817), abs=0.005)
    head = "rr_q1, logistic regression by the corrected score, n = 2,423, 95% intervals"
    assert found.summary().splitlines()[0] == head


def test_designs_with_the_same_block_share_one_coin() -> None:
    home, work = (designs.grouping(p=0.5, theta=0.4, block=block) for block in ("home", "work"))
    for stated, channel in (
        ({"affair": DIE, "debts": DIE}, (5 / 6) ** 2),
        ({"affair": home, "debts": home}, 0.5 + 0.5 * 0.6**2),
        ({"affair": home, "debts": work}, 0.8**2),
    ):
        found = logistic_regression(people(), "affair ~ debts", designs=stated)
        assert found.fitted.answers.channels[0, 0, 0] == pytest.approx(channel)
    for unsaid in ({"affair": DIE, "debts": GROUPING}, {"affair": GROUPING, "debts": GROUPING}):
        with refused("crosstab", "the block is not named"):
            logistic_regression(people(), "affair ~ debts", designs=unsaid)


def test_weighting_matches_duplicated_rows() -> None:
    frame = people()
    twice = logistic_regression(pd.concat([frame, frame.query("works == 1")]), "affair ~ age", designs=DIE)
    weighted = logistic_regression(
        frame.assign(weight=1 + frame["works"]), "affair ~ age", designs=DIE, weights="weight"
    )
    assert weighted.params.to_numpy() == pytest.approx(twice.params.to_numpy())
    assert (weighted.bse > twice.bse).all()
    with refused("regression", "weight"):
        logistic_regression(frame.assign(weight=0), "affair ~ age", designs=DIE, weights="weight")


def test_invalid_requests_are_rejected_with_the_column_name() -> None:
    frame = people()
    with refused("regression", "age"):
        logistic_regression(frame.assign(age=40), "affair ~ age", designs=DIE)
    three = designs.generalised_rr(["never", "once", "often"], p=0.5)
    with refused("regression", "affair"):
        answers = frame["affair"].map({0: "never", 1: "once"})
        logistic_regression(frame.assign(affair=answers), "affair ~ age", designs=three)
    with refused("regression", "errors = 'HC3'"):
        logistic_regression(frame, "affair ~ age", designs=DIE, errors="HC3")


def test_predictions_apply_the_coefficients_to_new_rows() -> None:
    stated = {"affair": DIE, "debts": DIE}
    found = logistic_regression(people(), "affair ~ town + age + debts", designs=stated)
    names = ["Intercept", "town[T.none]", "town[T.small]", "age", "debts"]
    assert found.params.index.tolist() == names
    someone = pd.DataFrame({"town": ["small", "big"], "age": [40, 20], "debts": [1, 0]})
    b = found.params
    logits = [b.iloc[0] + b["town[T.small]"] + 40 * b["age"] + b["debts"], b.iloc[0] + 20 * b["age"]]
    assert found.predict(someone).tolist() == pytest.approx([1 / (1 + math.exp(-z)) for z in logits])
    with refused("formula", "village"):
        found.predict(someone.assign(town="village"))


def test_designs_must_belong_to_columns_in_the_formula() -> None:
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


def test_each_row_can_have_its_own_design_weight_and_cluster() -> None:
    frame, other = people(), designs.forced_response(yes=1 / 6, no=1 / 3)
    frame = frame.assign(w=1 + frame.works, school=np.arange(len(frame)) % 40)
    laws = np.where(frame.town == "big", 1, 0)
    by_row = pd.Series([(DIE, other)[own] for own in laws])
    one = logistic_regression(frame, "affair ~ age + debts", designs={"affair": DIE, "debts": DIE})
    each = {"affair": [DIE] * len(frame), "debts": DIE}
    same = logistic_regression(frame, "affair ~ age + debts", designs=each)
    assert same.params.to_numpy() == pytest.approx(one.params.to_numpy(), abs=1e-9)
    # Separate coefficients for each design equal separate fits of its rows.
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


def test_a_ratio_is_the_exponential_of_the_coefficient_and_its_ends() -> None:
    measured = {
        "estimable": True,
        "n": 50,
        "effective_n": 50.0,
        "level": 0.95,
        "possible": (-math.inf, math.inf),
    }
    one = Coefficient(
        equation="response", term="old", near_no_end=False, value=math.log(2), low=0.0, high=math.log(4),
        standard_error=0.3, method="wald", shift=math.log(3), origin=CHECKED,
        **measured,  # type: ignore[arg-type]
    )  # fmt: skip
    ratio = one.odds_ratio
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((2, 1, 4))
    assert ratio.shift == pytest.approx(2 * 3 - 2)
    assert (ratio.standard_error, ratio.possible) == (None, (0, math.inf))
    assert replace(one, shift=None).odds_ratio.shift is None


def test_a_table_has_errors_from_the_sandwich_and_ends_of_a_score_test() -> None:
    """Undisguised, B = -H for counts of a saturated logit, so errors are those of log odds."""
    table = pd.DataFrame({"ill": [0] * 60 + [1] * 40 + [0] * 30 + [1] * 70, "old": [0] * 100 + [1] * 100})
    found = logistic_regression(table, "ill ~ old", designs={"ill": designs.truthful()})
    frame = found.to_frame()
    odds = math.log(40 / 60), math.log(70 / 30) - math.log(40 / 60)
    errors = math.sqrt(1 / 40 + 1 / 60), math.sqrt(1 / 40 + 1 / 60 + 1 / 70 + 1 / 30)
    assert frame["coefficient"].tolist() == pytest.approx(odds)
    assert frame["standard_error"].tolist() == pytest.approx(errors, rel=0.02)
    assert frame["odds_ratio"].tolist() == pytest.approx(np.exp(odds).tolist())
    # 40 of 100 are ill. The binomial log likelihood ratio is half of t^2 / .99^2 at shares .30542 and .49987,
    # with t of 99 degrees of freedom.
    ends = [math.log(share / (1 - share)) for share in (0.30542, 0.49987)]
    assert np.log([frame["low"].iloc[0], frame["high"].iloc[0]]).tolist() == pytest.approx(ends, abs=1e-4)


def intercept(
    counts: list[list[float]], squares: list[list[float]] | None = None, **members: object
) -> FittedLogit:
    """Fit a constant to cells of undisguised answers, "no" first."""
    model = CorrectedLogit(
        channels=np.eye(2)[None], unbiased=np.eye(2)[None], branches=np.array([[0], [1]]),
        designs=np.ones((len(counts), 1, 1)), group=np.zeros(len(counts), dtype=np.intp),
        counts=np.array(counts), squares=np.array(counts if squares is None else squares),
    )  # fmt: skip
    names = (("response", "Intercept"),)
    coefficients, derivatives = maximum(model, ["response"], names)
    answers = LatentAnswers(letters=(), channels=model.channels)
    return FittedLogit(
        names=names, answers=answers, model=model, coefficients=coefficients, at=derivatives, **members  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_constant_is_the_log_odds_with_their_binomial_error() -> None:
    """Of 80 rows 40 say yes: the information is 80 / 4 = 20."""
    fit = intercept([[30, 10], [10, 30]])
    assert fit.coefficients == pytest.approx([0], abs=1e-9)
    assert fit.bread == pytest.approx(np.array([[1 / 20]]))
    assert fit.standard_errors() == pytest.approx([math.sqrt(1 / 20)])
    assert (fit.n, fit.effective_n) == (80, 80)


def test_equal_weights_do_not_change_the_effective_number_of_rows() -> None:
    """40 rows of weight 2 count as 40; 40 rows of weight 1 and 20 of weight 2 as 80^2 / 120."""
    assert intercept([[60, 20]], [[120, 40]]).effective_n == pytest.approx(40)
    mixed = intercept([[30, 10], [10, 30]], [[30, 10], [20, 60]])
    assert (mixed.n, mixed.effective_n) == (80, pytest.approx(80**2 / 120))


def test_a_row_holds_its_weight_of_the_information() -> None:
    assert intercept([[30, 10], [10, 30]]).largest_row == pytest.approx([1 / 80])
    assert intercept([[30, 10], [10, 30]], [[30, 10], [20, 60]]).largest_row == pytest.approx([2 / 80])
    heavy = intercept([[200, 100], [0, 100]], [[200, 100], [0, 10_000]])
    assert heavy.largest_row == pytest.approx([0.25])
    assert "one row: 25% of what is known about Intercept" in heavy.labels(301)


def test_warnings_name_few_events_and_few_clusters() -> None:
    many = [[300.0, 100.0], [100.0, 300.0]]
    assert intercept(many, events=10.0).labels(800) == ""
    assert "few events" in intercept(many, events=9.99).labels(800)
    few = intercept(many, clusters=ClusterCount.of(np.ones(5)))
    assert few.labels(800) == "\nfew clusters: as many as 5.0 of one size"
    edge = intercept(many, clusters=ClusterCount.of(np.ones(SURE_CLUSTERS)))
    assert edge.labels(800) == ""


def test_ten_events_are_needed_for_each_coefficient_of_the_response() -> None:
    names = (("response", "a"), ("skipped", "c"), ("response", "b"))
    for events, is_few in ((19.9, True), (20.0, False)):
        fit = replace(intercept([[30, 10]]), names=names, events=events)
        assert fit.of("response").tolist() == [0, 2]
        assert fit.few_events is is_few


def test_thirty_effective_rows_have_a_point() -> None:
    for n, is_enough in ((28.0, False), (30.0, True)):
        (row,) = intercept([[n / 2, n / 2]]).table()
        assert (row.estimable, row.n, row.term) == (is_enough, n, "Intercept")
    assert not row.shown_because_estimable
    assert replace(row, near_no_end=True).shown_because_estimable
    assert not replace(row, near_no_end=True, estimable=False).shown_because_estimable


def test_a_row_of_the_smaller_group_holds_most_about_a_difference() -> None:
    """A log odds ratio has the information 1 / (1 / (n0 w0) + 1 / (n1 w1)), where w = g (1 - g).

    So a row of a group of n holds 1 / (n^2 w) of 1 / (n0 w0) + 1 / (n1 w1).
    """
    counts = np.array([[260.0, 90.0], [80.0, 40.0]])
    answers = LatentAnswers.of(response=[Retention.unrelated_question(Fraction(7, 10), Fraction(1, 2))])
    designs = np.array([[1.0, 0.0], [1.0, 1.0]])
    fit = regress(answers, designs, ["constant", "group"], counts).corrected
    n = counts.sum(axis=1)
    g = (counts[:, 1] / n - 0.15) / 0.7
    parts = 1 / (n * g * (1 - g))
    assert fit.largest_row == pytest.approx([1 / n[0], (parts / n).max() / parts.sum()], rel=1e-6)
