"""Regression with liars: the published study, derivatives, and refusals."""

import io

import numpy as np
import pandas as pd
import polars
import pytest
from scipy import optimize

from privacy.library import LieDetectorRegression
from privacy.library.lie_detector_regression import LieDetectorModel, lie_detector_regression
from tests.fixtures.published_studies import published
from tests.fixtures.refusals import refused

NO = {1: 2 / 12, 2: 10 / 12}


def minarets() -> LieDetectorRegression:
    rows = published("rrreg_minarets.csv").query("RRdesign == 1")
    rows = rows.assign(both=rows["age.c"] * rows["leftRight.c"])
    return lie_detector_regression(rows, "rrt", ["age.c", "leftRight.c", "both"], sample="condition", no=NO)


@pytest.mark.soak
def test_the_minaret_study_reaches_at_least_the_published_likelihood() -> None:
    found = minarets()
    assert found.n == 1_256
    assert round(found.log_likelihood, 3) == -821.084
    # RRreg prints these figures; it stops within a millionth of the maximum, where the slope is not 0.
    printed = [1.89659, 0.01364, 0.62442, -0.02039, 0.65170]
    assert found.to_frame()["estimate"].tolist() == pytest.approx(printed, abs=2.5e-4)
    assert found.to_frame()["standard_error"].tolist() == pytest.approx(
        [0.38104, 0.06071, 0.15681, 0.01168, 0.01800], abs=2e-4
    )
    rows = published("rrreg_minarets.csv").query("RRdesign == 1")
    age, side = rows["age.c"].to_numpy(), rows["leftRight.c"].to_numpy()
    model = LieDetectorModel(
        design=np.column_stack([np.ones(len(rows)), age, side, age * side]),
        reports=rows["rrt"].to_numpy(),
        forced=1 - rows["condition"].map(NO).to_numpy(),
    )
    assert found.log_likelihood > model.log_likelihood(np.array(printed))
    _, slope, u = model.slopes(found.coefficients)
    assert np.abs(slope.T @ u).max() < 1e-4


def people(n: int = 4_000) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    x = rng.normal(size=n)
    has = rng.random(n) < 1 / (1 + np.exp(-(x - 0.3)))
    sample = rng.integers(1, 3, size=n)
    told_no = rng.random(n) < np.where(sample == 1, NO[1], NO[2])
    yes = np.where(has, rng.random(n) < 0.7, ~told_no)
    return pd.DataFrame({"yes": yes.astype(int), "x": x, "sample": sample})


def test_second_derivatives_match_the_likelihood() -> None:
    rows = people(300)
    model = LieDetectorModel(
        design=np.column_stack([np.ones(300), rows["x"]]),
        reports=rows["yes"].to_numpy(float),
        forced=1 - rows["sample"].map(NO).to_numpy(),
    )
    at, step = np.array([-0.2, 0.7, 0.6]), 1e-5

    def score(point: np.ndarray) -> np.ndarray:
        _, slope, u = model.slopes(point)
        return slope.T @ u

    by_steps = np.array([(score(at + step * e) - score(at - step * e)) / (2 * step) for e in np.eye(3)])
    assert model.hessian(at) == pytest.approx(by_steps, rel=1e-5, abs=1e-4)


def test_studies_that_cannot_be_fitted_are_refused() -> None:
    rows = people(200)
    with refused("paper", "sample 2"):
        lie_detector_regression(rows, "yes", ["x"], sample="sample", no={1: 0.2})
    with refused("paper", "both"):
        lie_detector_regression(rows, "yes", ["x"], sample="sample", no={1: 0.2, 2: 0.2})
    with refused("paper", "predictor"):
        lie_detector_regression(rows.assign(x="a"), "yes", ["x"], sample="sample", no=NO)
    with refused("paper", "predictor"):
        lie_detector_regression(rows.assign(x=np.inf), "yes", ["x"], sample="sample", no=NO)
    with refused("paper", "determined by the others"):
        lie_detector_regression(rows.assign(z=rows.x), "yes", ["x", "z"], sample="sample", no=NO)
    with refused("paper", "no maximum"):
        told = rows.assign(yes=(rows["sample"] == 1).astype(int))
        lie_detector_regression(told, "yes", ["x"], sample="sample", no=NO)
    with refused("frame"):
        lie_detector_regression(rows, "yes", ["age"], sample="sample", no=NO)


def test_a_table_of_texts_gives_the_same_figures_as_numbers() -> None:
    """Before, "Ja", decimal commas and samples from a file were refused."""
    rows = people(600)
    texts = pd.DataFrame(
        {
            "yes": rows["yes"].map({1: "Ja", 0: "nein"}),
            "x": [f"{number!r}".replace(".", ",") for number in rows["x"].tolist()],
            "sample": rows["sample"].astype(str),
        }
    )
    file = io.BytesIO(texts.to_csv(index=False, sep=";").encode())
    file.name = "rows.csv"
    expected = lie_detector_regression(rows, "yes", "x", sample="sample", no=NO)
    for table in (texts, file, polars.from_pandas(texts)):
        found = lie_detector_regression(table, "yes", "x", sample="sample", no=NO)
        np.testing.assert_allclose(found.coefficients, expected.coefficients, rtol=1e-9)
        assert "“yes”: “Ja” was read as “yes”" in str(found.decisions)
    with refused("paper", "sample"):
        lie_detector_regression(texts, "yes", "x", sample="sample", no={1: 0.2, 3: 0.8})


def test_ends_are_where_a_separate_search_finds_the_likelihood_ratio_rejected() -> None:
    found = lie_detector_regression(people(600), "yes", ["x"], sample="sample", no=NO)
    frame, model = found.to_frame(), found.model
    for position, (low, high) in enumerate(zip(frame.low, frame.high, strict=True)):
        for value in (low, high):

            def cost(others: np.ndarray, position: int = position, value: float = value) -> float:
                likelihood = model.log_likelihood(np.insert(others, position, value))
                return -likelihood if np.isfinite(likelihood) else 1e9

            start = np.delete(found.coefficients, position)
            profile = -optimize.minimize(cost, start, method="Nelder-Mead", options={"xatol": 1e-6}).fun
            assert 2 * (found.log_likelihood - profile) == pytest.approx(3.8415, abs=0.02)


def test_an_end_that_does_not_exist_is_infinite_and_honesty_is_at_most_one() -> None:
    found = lie_detector_regression(people(60), "yes", ["x"], sample="sample", no=NO).to_frame()
    assert found.high["honesty"] <= 1
    is_point = found.basis == "estimate"
    assert np.isfinite(found[["low", "high"]][is_point].to_numpy()).all()
    assert not np.isfinite(found[["low", "high"]].to_numpy()).all()


def test_reports_that_cannot_occur_have_no_likelihood() -> None:
    """Nobody has the property, so a row with forced "yes" 0 never says yes, and one with 1 always does."""
    for forced, report in ((0.0, 0.0), (1.0, 1.0)):
        model = LieDetectorModel(
            design=np.ones((1, 1)), reports=np.array([report]), forced=np.array([forced])
        )
        assert model.log_likelihood(np.array([-800.0, 0.5])) == -np.inf
    even = LieDetectorModel(
        design=np.ones((2, 1)), reports=np.array([0.0, 1.0]), forced=np.array([0.25, 0.25])
    )
    # l = 1/4 + 1/2 (1 - 1/4) = 5/8.
    assert even.log_likelihood(np.array([0.0, 1.0])) == pytest.approx(np.log(3 / 8) + np.log(5 / 8))
    for honesty in (0.0, 1.01):
        assert even.log_likelihood(np.array([0.0, honesty])) == -np.inf


def test_a_regression_is_shown_with_its_predictors_and_rows() -> None:
    assert repr(minarets()) == "<lie detector regression on 3 predictors, n = 1,256>"


def test_a_unit_far_beyond_a_columns_range_is_not_determined() -> None:
    """In units of a ten-thousandth the ends are as many times as far; such odds ratios say nothing."""
    rows = people(300)
    rows["x"] = np.random.default_rng(8).permutation(rows["x"])
    plain = lie_detector_regression(rows, "yes", ["x"], sample="sample", no=NO).to_frame()
    assert -15 < plain.low.x < -0.0015
    assert 0.0015 < plain.high.x < 15
    rows["x"] *= 1e-4
    scaled = lie_detector_regression(rows, "yes", ["x"], sample="sample", no=NO).to_frame()
    assert (plain.basis.x, scaled.basis.x) == ("estimate", "too few")
    assert np.isnan(scaled.estimate.x)
    assert scaled.loc["honesty", ["low", "high"]].tolist() == pytest.approx(
        plain.loc["honesty", ["low", "high"]].tolist(), abs=1e-3
    )
