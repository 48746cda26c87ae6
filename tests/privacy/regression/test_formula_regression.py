"""Formulas mean the same as in patsy and R, and disguised predictors are fitted like undisguised ones."""

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import formulaic
import numpy as np
import pandas
import pyarrow
import pytest
from scipy import stats
from scipy.special import expit
from statsmodels.discrete.discrete_model import Logit

from privacy.estimation.sampling_units import SamplingUnits
from privacy.library import designs
from privacy.regression.formula import Formula
from privacy.regression.formula_regression import FormulaRegression, fit_formula, logistic_regression
from privacy.regression.latent_parts import LatentReports
from tests.fixtures.refusals import refused

RNG = np.random.default_rng(4)
N = 1500
FRAME = pandas.DataFrame(
    {
        "age": RNG.normal(size=N).round(2),
        "pay": RNG.uniform(1, 9, N).round(1),
        "town": RNG.choice(["big", "none", "small"], N),
        "size": pandas.Categorical(RNG.choice(["S", "M", "L"], N), ["S", "M", "L", "XL"]),
        "year": RNG.integers(2020, 2023, N),
        "old": RNG.random(N) < 0.5,
        "my age": RNG.normal(size=N),
        "\u5e74\u7ea7": RNG.integers(0, 2, N),
        "z": RNG.integers(0, 2, N),
        "club": RNG.integers(0, 30, N),
    }
)
FRAME["y"] = (RNG.random(N) < expit(0.5 * FRAME.age + FRAME.z * (FRAME.town == "big") - 0.3)).astype(int)
CERTAIN = 1e-7
"""Probability of a random answer, so small that p is practically 1."""
ALMOST = np.stack([(1 - CERTAIN) * np.eye(2) + CERTAIN / 2] * 2)
BLOCKS = [
    LatentReports(names=(name,), channels=ALMOST, reports=FRAME[name].to_numpy()) for name in ("y", "z")
]

FORMULAS = [
    "y ~ z",
    "y ~ z + age",
    "y ~ z + town",
    "y ~ z + size",
    "y ~ z + C(year)",
    "y ~ z * age",
    "y ~ z * town",
    "y ~ z:town",
    "y ~ town + z:town",
    "y ~ age:town + z",
    "y ~ C(z) * size",
    "y ~ z + np.log(pay)",
    "y ~ z * np.log(pay) + I(age**2)",
    "y ~ (age + z + old)**2",
    "y ~ 0 + town + z",
    "y ~ z/town",
    "y ~ z + C(town, contr.treatment('small'))",
    "y ~ z + poly(age, 2)",
    "y ~ z:age + `my age` + \u5e74\u7ea7",
    "y ~ z*age*old - z:age:old",
]


def fitted(text: str, **stated: object) -> FormulaRegression:
    return fit_formula(
        FRAME,
        Formula.of(text, FRAME.columns),
        BLOCKS,
        group=np.ones(N, dtype=np.int64),
        is_complete=np.ones(N, dtype=bool),
        **stated,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("text", FORMULAS)
def test_as_p_approaches_one_the_fit_matches_statsmodels(text: str) -> None:
    rows = FRAME.assign(size=FRAME["size"].cat.remove_unused_categories())
    x = formulaic.model_matrix(text.partition("~")[2], rows)
    known = Logit(FRAME.y, x).fit(disp=0, method="newton", tol=1e-10, cov_type="HC0")
    fit = fitted(text)
    assert fit.params.index.tolist() == x.columns.tolist()
    assert fit.params.to_numpy() == pytest.approx(known.params.to_numpy(), abs=1e-4)
    assert fit.bse.to_numpy() == pytest.approx(known.bse.to_numpy(), rel=1e-4)
    assert fit.predict(FRAME.head(9)).to_numpy() == pytest.approx(known.predict(x).head(9), abs=1e-4)


def test_without_a_main_effect_every_level_gets_a_slope() -> None:
    """As in R: colnames(model.matrix(~ age:town)), and for ~ town + age:town."""
    slopes = ["age:town[big]", "age:town[none]", "age:town[small]"]
    assert fitted("y ~ age:town + z").params.index.tolist() == ["Intercept", "z", *slopes]
    levels = ["town[T.none]", "town[T.small]"]
    assert fitted("y ~ town + age:town").params.index.tolist() == ["Intercept", *levels, *slopes]


FORMULA = "y ~ z * age + town"


@pytest.mark.parametrize("clusters", [None, "club"])
def test_errors_tests_and_intervals_match_the_coefficients(clusters: str | None) -> None:
    members = None if clusters is None else FRAME[clusters].to_numpy()
    fit = fitted(FORMULA, units=None if members is None else SamplingUnits(members=members))
    x = formulaic.model_matrix(FORMULA.partition("~")[2], FRAME).to_numpy()
    g = expit(x @ fit.params.to_numpy())
    bread = np.linalg.inv(x.T @ (x * (g * (1 - g))[:, None]))
    scores = pandas.DataFrame(x * (FRAME.y.to_numpy() - g)[:, None])
    meat = scores.groupby(np.arange(N) if members is None else members).sum().to_numpy()
    meat = meat.T @ meat
    degrees = np.inf
    if members is not None:
        sizes = np.unique(members, return_counts=True)[1]
        meat *= len(sizes) / (len(sizes) - 1)
        squares = (sizes / sizes.sum()) ** 2
        degrees = min(1 / squares.sum() - 1, squares.sum() ** 2 / (squares**2).sum())
    covariance = bread @ meat @ bread
    assert fit.cov_params().to_numpy() == pytest.approx(covariance, rel=1e-4)
    assert fit.bse.to_numpy() == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-4)
    t = (fit.params / fit.bse).to_numpy()
    assert fit.tvalues.to_numpy() == pytest.approx(t)
    # Of 1,500 rows, or 30 clusters, score intervals are close to Wald intervals.
    half = stats.t.isf(0.05, degrees) * fit.bse.to_numpy()[:, None]
    ends = fit.params.to_numpy()[:, None] + half * [-1, 1]
    apart = np.abs(fit.conf_int(0.1).to_numpy() - ends) / half
    assert apart.max() < (0.05 if members is None else 0.3)
    # 0 is an end of the interval at the level of its p-value. Each level searches the intervals of all terms.
    for term, p in fit.pvalues.iloc[[1, -1]].items():
        low, high = fit.conf_int(p).loc[term]
        assert min(abs(low), abs(high)) <= 1e-3 * fit.bse[term]
    factors = np.zeros(len(t))
    factors[[1, 4]] = 1, 2
    found = fit.t_test({fit.params.index[1]: 1, fit.params.index[4]: 2}, level=0.9).iloc[0]
    assert found.t == pytest.approx(found.value / found.standard_error)
    error = np.sqrt(factors @ covariance @ factors)
    assert found.value == pytest.approx(factors @ fit.params.to_numpy())
    assert found.standard_error == pytest.approx(error, rel=1e-4)
    assert found.low < found.value < found.high
    assert fit.t_test(np.eye(len(t))).p_value.to_numpy() == pytest.approx(fit.pvalues.to_numpy())
    assert np.log(fit.to_frame().low.to_numpy()) == pytest.approx(fit.conf_int()[0].to_numpy())
    assert "n = 1,500" in fit.summary()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("y", "'y' is not a formula"),
        ("y ~ 0", "'y ~ 0' is not a formula"),
        ("y ~ z ~ age", "y ~ z ~ age"),
        ("y ~ z | age", "y ~ z | age"),
        ("y ~ z +", "y ~ z +"),
        (3, "3"),
        ("np.log(y) ~ z", "np.log"),
        ("C(y) ~ z", "C(y)"),
        ("y + z ~ age", "y + z"),
        ("y ~ y", "'y'"),
        ("y ~ z + np.log(y + 1)", "'y'"),
        ("y ~ center(z)", "center(z)"),
        ("y ~ age + scale(z):age", "scale(z)"),
        ("y ~ I(z - np.mean(z))", "np.mean(z)"),
        ("y ~ age + np.cumsum(z)", "np.cumsum(z)"),
        ("y ~ z + nothing(age)", "nothing"),
    ],
)
def test_invalid_formulas_are_refused_by_name(text: str, named: str) -> None:
    with refused("formula", named):
        fitted(text)


def test_unusable_predictor_columns_are_refused_by_name() -> None:
    with refused("frame", "nobody"):
        fitted("y ~ z + nobody")
    with refused("regression", "I(z ** 2)"):
        fitted("y ~ z + I(z**2)")
    with refused("regression", "np.log(age)"):
        fitted("y ~ z + np.log(age)")
    with refused("formula", "village"):
        fitted(FORMULA).predict(FRAME.head(2).assign(town="village"))
    with refused("frame", "'z'"):
        fitted(FORMULA).predict(FRAME.head(2).drop(columns="z"))
    assert len(fitted(FORMULA).predict(FRAME.head(3).assign(town="big"))) == 3
    with refused("regression", "unknown"):
        fitted(FORMULA).t_test({"unknown": 1})
    with refused("regression", "2 factors"):
        fitted(FORMULA).t_test([1, 0])
    blocks = [*BLOCKS, LatentReports(names=("w",), channels=ALMOST, reports=FRAME["z"].to_numpy())]
    ones = np.ones(N, dtype=np.int64)
    with refused("regression", "2 predictors are disguised: z, w"):
        fit_formula(FRAME, Formula.of("y ~ z + w", "yzw"), blocks, group=ones, is_complete=ones == 1)
    alike = FRAME.assign(alike="same")
    with refused("regression", "alike"):
        fit_formula(alike, Formula.of("y ~ z + alike", alike), BLOCKS, group=ones, is_complete=ones == 1)


def test_rows_with_empty_cells_are_refused_or_omitted_and_counted() -> None:
    frame, ones = FRAME.copy(), np.ones(N, dtype=np.int64)
    frame.loc[:9, "age"] = np.nan
    formula = Formula.of(FORMULA, frame)
    with refused("frame", "'age' has no value in 10 of 1,500 rows"):
        fit_formula(frame, formula, BLOCKS, group=ones, is_complete=ones == 1)
    fit = fit_formula(frame, formula, BLOCKS, group=ones, is_complete=ones == 1, drop=True)
    assert (fit.nobs, fit.dropped) == (1490, 10)
    assert "10 rows with empty cells left out" in fit.summary()
    short = fit_formula(frame, formula, BLOCKS, group=ones, is_complete=np.arange(N) > 9)
    assert fit.params.equals(short.params)


def test_the_formula_library_is_loaded_only_when_fitting() -> None:
    code = "import sys, sottovoce; sottovoce.Survey; assert 'formulaic' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


TEXT_TYPES = [
    "object", "str", "string", "string[python]", "string[pyarrow]", "category",
    pandas.ArrowDtype(pyarrow.string()), pandas.ArrowDtype(pyarrow.large_string()),
    pandas.ArrowDtype(pyarrow.dictionary(pyarrow.int32(), pyarrow.string())),
]  # fmt: skip


@pytest.mark.parametrize("kind", TEXT_TYPES, ids=str)
@pytest.mark.parametrize("text", ["y ~ town", "y ~ C(town) * age", "y ~ z + town:age"])
@pytest.mark.few(
    "y ~ town-object",
    "y ~ C(town) * age-category",
    "y ~ z + town:age-string[python]",
    why="each formula once, with the types that pandas treats differently",
)
def test_text_of_any_type_has_categories(text: str, kind: object) -> None:
    """Types other than object and category gave "could not convert string to float: 'f'"."""
    formula = Formula.of(text, FRAME.columns)
    group, every = np.zeros(N, dtype=np.int64), np.ones(N, dtype=bool)
    blocks = BLOCKS if "z" in formula.names else BLOCKS[:1]
    wanted = fit_formula(FRAME, formula, blocks, group=group, is_complete=every)
    frame = FRAME.assign(town=FRAME.town.astype(kind))
    found = fit_formula(frame, formula, blocks, group=group, is_complete=every)
    assert found.params.index.tolist() == wanted.params.index.tolist()
    assert found.params.tolist() == pytest.approx(wanted.params.tolist(), abs=1e-9)
    assert wanted.predict(frame).tolist() == pytest.approx(wanted.predict(FRAME).tolist(), abs=1e-9)


def test_decimals_are_numbers() -> None:
    kind = pandas.ArrowDtype(pyarrow.decimal128(24, 2))
    formula = Formula.of("y ~ age", FRAME.columns)
    group, every = np.zeros(N, dtype=np.int64), np.ones(N, dtype=bool)
    fits = [
        fit_formula(own, formula, BLOCKS[:1], group=group, is_complete=every).params.tolist()
        for own in (FRAME, FRAME.assign(age=FRAME.age.astype(kind)))
    ]
    assert fits[0] == pytest.approx(fits[1], abs=1e-9)


def test_combinations_name_their_terms_in_any_order() -> None:
    formula = Formula.of("y ~ age + pay", FRAME.columns)
    group, every = np.zeros(N, dtype=np.int64), np.ones(N, dtype=bool)
    fit = fit_formula(FRAME, formula, BLOCKS[:1], group=group, is_complete=every)
    wanted = fit.t_test({"age": 10, "pay": -1})
    by_term = {"pay": -1.0, "age": 10.0}
    for given in (pandas.Series(by_term), pandas.DataFrame([by_term])):
        pandas.testing.assert_frame_equal(fit.t_test(given), wanted)
    pandas.testing.assert_frame_equal(fit.t_test([[0, 10, -1]]), wanted)
    for text in ("age = 0", ["age"], {"age": "ten"}):
        with refused("regression", "not a combination"):
            fit.t_test(text)
    with refused("regression", "'size'"):
        fit.t_test(pandas.Series({"size": 1.0}))
    assert fit.predict(pyarrow.Table.from_pandas(FRAME[["age", "pay"]])).tolist() == pytest.approx(
        fit.predict(FRAME).tolist()
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("share", [0.01, 1e-9, 1e-40])
def test_a_unit_far_beyond_a_columns_range_has_no_odds_ratio_but_its_parts_have(share: float) -> None:
    """With x in units of a thousandth, the coefficient is a thousand times as large, as are its ends."""
    frame = pandas.DataFrame(
        {"ill": [0] * 35 + [1] * 25 + [0] * 30 + [1] * 30, "old": [0.0] * 60 + [1.0] * 60}
    )
    frame["scaled"] = frame.old * share
    design = {"ill": designs.grouping(p="1/2", theta="1/2")}
    plain = logistic_regression(frame, "ill ~ old", designs=design)
    scaled = logistic_regression(frame, "ill ~ scaled", designs=design)
    low, high = plain.conf_int().loc["old"]
    assert -15 < low < -0.15
    assert 0.15 < high < 15
    assert plain.to_frame().basis.tolist() == ["estimate", "estimate"]
    table = scaled.to_frame()
    assert table.basis.tolist() == ["estimate", "too few"]
    assert table.loc["scaled", ["odds_ratio", "coefficient", "p_value"]].isna().all()
    assert table.loc["scaled", ["low", "high"]].tolist() == [0, np.inf]
    assert scaled.t_test({"scaled": 1}).basis.tolist() == ["too few"]
    assert "not determined: scaled; any odds ratio is possible for one unit" in scaled.summary()
    assert "not determined" not in plain.summary()
    part = scaled.t_test({"scaled": share}).iloc[0]
    assert part[["value", "low", "high"]].tolist() == pytest.approx([plain.params.old, low, high], abs=1e-3)
    assert scaled.pvalues.scaled == pytest.approx(plain.pvalues.old, abs=1e-6)
    assert scaled.fitted.table()[1].odds_ratio.basis == "too few"


def test_reports_that_contradict_their_design_are_refused() -> None:
    """With p = .5 and even decoys, at most 3 in 4 of 1,000 rows say yes."""
    frame = pandas.DataFrame({"ill": [1] * 990 + [0] * 10, "old": [0, 1] * 500})
    with refused("misfit", "990 of 1,000"):
        logistic_regression(frame, "ill ~ old", designs={"ill": designs.unrelated_question(p=0.5, theta=0.5)})


def test_reports_are_named_by_their_design() -> None:
    """In the crosswise model, people report whether two answers are the same."""
    codes = pandas.DataFrame({"ill": [1] * 400 + [0] * 700, "old": [1, 1, 1, 0, 0] * 220})
    words = pandas.DataFrame(
        {"ill": np.where(codes.ill, "same", "different"), "old": np.where(codes.old, "yes", "no")}
    )
    for formula, design in (
        ("old ~ ill", {"ill": designs.crosswise(p=0.25)}),
        ("old ~ ill", {"ill": designs.crosswise(p=0.25), "old": designs.warner(p=0.25)}),
    ):
        found, known = (logistic_regression(frame, formula, designs=design) for frame in (words, codes))
        assert found.params.tolist() == pytest.approx(known.params.tolist(), abs=1e-9)
    with refused("answers", "maybe"):
        logistic_regression(words.replace("same", "maybe"), "old ~ ill", designs=design)


def test_a_fit_knows_which_predictors_are_numbers() -> None:
    assert fitted("y ~ age * town + size").formula.kinds == {
        "age": "numeric", "town": "categorical", "size": "categorical"
    }  # fmt: skip


@pytest.mark.parametrize(("effective_n", "is_known"), [(29.9, False), (30.0, True)])
def test_at_least_30_rows_have_a_p_value(effective_n: float, is_known: bool) -> None:
    own: Any = SimpleNamespace(effective_n=effective_n, p_value=lambda row: 0.25 * row[0], rows=100)
    found = replace(fitted("y ~ age"), fitted=own)._tested(np.eye(2), ["estimate", "too few"])
    wanted = [0.25 if is_known else np.nan, np.nan]
    assert found.printed.tolist() == pytest.approx(wanted, nan_ok=True)


def test_points_are_marked_if_both_ends_exist_only_because_the_answers_came_out_well() -> None:
    own: Any = SimpleNamespace(is_near_no_end=lambda row: bool(row[0]))
    found = replace(fitted("y ~ age"), fitted=own)
    rows = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    shown = found._labels(rows, ["estimate", "estimate", "too few", "too few"])
    assert shown == {"shown_because_estimable": [True, False, False, False]}
