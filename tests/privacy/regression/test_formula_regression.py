"""A fitted formula in statsmodels' names: equal to a fit of true answers where nothing is disguised."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from scipy import stats
from scipy.special import expit

from privacy.regression.formula import parsed
from privacy.regression.formula_regression import FormulaRegression, LatentReports, fit_formula
from tests.fixtures.refusals import refused

RNG = np.random.default_rng(4)
FRAME = pandas.DataFrame(
    {
        "age": RNG.normal(size=1500).round(2),
        "town": RNG.choice(["big", "none", "small"], 1500),
        "z": RNG.integers(0, 2, 1500),
        "club": RNG.integers(0, 30, 1500),
    }
)
FRAME["y"] = (RNG.random(1500) < 1 / (1 + np.exp(-0.5 * FRAME.age - FRAME.z + 0.3))).astype(int)
TRUE = np.stack([np.eye(2)] * 2)
BLOCKS = [LatentReports(names=(name,), channels=TRUE, reports=FRAME[name].to_numpy()) for name in ("y", "z")]


def fitted(text: str, **stated: object) -> FormulaRegression:
    return fit_formula(
        FRAME,
        parsed(text),
        BLOCKS,
        group=np.ones(len(FRAME), dtype=np.int64),
        is_complete=np.ones(len(FRAME), dtype=bool),
        **stated,  # type: ignore[arg-type]
    )


def design(frame: pandas.DataFrame) -> pandas.DataFrame:
    none, small = (1.0 * (frame.town == name) for name in ("none", "small"))
    return pandas.DataFrame(
        {
            "constant": 1.0,
            "age": frame.age,
            "town=none": none,
            "town=small": small,
            "z": frame.z,
            "age:z": frame.age * frame.z,
        }
    )


FORMULA = "y ~ age + C(town) + z + age:z"


@pytest.mark.parametrize("clusters", [None, "club"])
def test_undisguised_it_is_the_fit_of_the_answers(clusters: str | None) -> None:
    known = None if clusters is None else FRAME[clusters].to_numpy()
    fit = fitted(FORMULA, clusters=known)
    x, y = design(FRAME).to_numpy(), FRAME.y.to_numpy()
    b = np.zeros(x.shape[1])
    for _ in range(30):
        g = expit(x @ b)
        bread = np.linalg.inv(x.T @ (x * (g * (1 - g))[:, None]))
        b += bread @ x.T @ (y - g)
    scores = pandas.DataFrame(x * (y - g)[:, None])
    meat = scores.groupby(np.arange(1500) if known is None else known).sum().to_numpy()
    meat = meat.T @ meat
    degrees = np.inf
    if known is not None:
        sizes = np.unique(known, return_counts=True)[1]
        meat *= len(sizes) / (len(sizes) - 1)
        degrees = sizes.sum() ** 2 / (sizes**2).sum() - 1
    errors = np.sqrt(np.diag(bread @ meat @ bread))
    assert fit.params.index.tolist() == design(FRAME).columns.tolist()
    assert fit.params.to_numpy() == pytest.approx(b, abs=1e-7)
    assert fit.bse.to_numpy() == pytest.approx(errors, abs=1e-7)
    assert fit.pvalues.to_numpy() == pytest.approx(2 * stats.t.sf(np.abs(b / errors), degrees), abs=1e-7)
    half = stats.t.isf(0.05, degrees) * errors
    ends = np.stack([b - half, b + half], axis=1)
    assert fit.conf_int(0.1).to_numpy() == pytest.approx(ends, abs=1e-6)
    new = FRAME.head(9)
    assert fit.predict(new).to_numpy() == pytest.approx(expit(design(new).to_numpy() @ b), abs=1e-7)
    table = fit.to_frame()
    assert table.low.to_numpy() == pytest.approx(np.exp(fit.conf_int()[0].to_numpy()))
    assert "n = 1,500" in fit.summary()


def test_prediction_needs_values_that_were_there() -> None:
    fit = fitted(FORMULA)
    with refused("regression", "village"):
        fit.predict(FRAME.head(2).assign(town="village"))
    with refused("frame", "z"):
        fit.predict(FRAME.head(2).drop(columns="z"))
    one_town = FRAME.head(3).assign(town="big")
    assert len(fit.predict(one_town)) == 3


def test_columns_that_say_nothing_are_refused() -> None:
    FRAME["alike"] = "same"
    with refused("regression", "alike"):
        fitted("y ~ z + alike")
    with refused("frame", "nobody"):
        fitted("y ~ z + nobody")


def test_a_second_disguised_predictor_is_refused_with_what_to_do() -> None:
    blocks = [*BLOCKS, LatentReports(names=("w",), channels=TRUE, reports=FRAME["z"].to_numpy())]
    with refused("regression", "2 predictors are disguised: z, w"):
        fit_formula(
            FRAME,
            parsed("y ~ z + w"),
            blocks,
            group=np.ones(len(FRAME), dtype=np.int64),
            is_complete=np.ones(len(FRAME), dtype=bool),
        )
