"""Strata and replicate weights give the figures of the R package survey.

The golden values are those of R 4.2.2 and survey 4.1-1 on two public tables that are part of that package: a
stratified sample of schools in California (``apistrat``), and each eighth row with cholesterol of NHANES 2009
to 2010 (``nhanes``).
"""

import io
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas
import pytest
from scipy.stats import t

from mining.frames.replicates import _figures, replicated
from mining.frames.survey import Survey
from privacy.library.cross_table import crosstab
from privacy.library.designs import truthful, warner
from privacy.library.shares import distribution, prevalence
from privacy.printed import METHODS
from privacy.regression.formula_regression import logistic_regression
from privacy.regression.linear import LinearFit, NumberScores
from sottovoce.tables import read_table
from tests.fixtures.refusals import refused

FIXTURES = Path(__file__).parents[2] / "fixtures"
SCHOOLS = pandas.read_csv(FIXTURES / "api_schools.csv")
PEOPLE = pandas.read_csv(FIXTURES / "nhanes_cholesterol.csv")
PEOPLE["even"] = PEOPLE.index % 2
PEOPLE["unit"] = 10 * PEOPLE.stratum + PEOPLE.psu
DRAWN = {"weights": "weight", "clusters": "unit", "strata": "stratum"}
SURVEY = Survey(blocks={"b": ["even"]}, p=0.5)
"""A survey that the tables fit; its own answers are not analysed."""


def jackknife(people: pandas.DataFrame) -> tuple[pandas.DataFrame, list[str], list[float]]:
    """Return the table with the JKn weights: a unit is left out, the others of its stratum weigh more."""
    columns, factors = {}, []
    for stratum, units in people.groupby("stratum").unit.unique().items():
        for unit in sorted(units):
            more = np.where(people.stratum == stratum, len(units) / (len(units) - 1), 1.0)
            columns[f"r{len(columns)}"] = people.weight * more * (people.unit != unit)
            factors.append((len(units) - 1) / len(units))
    return people.assign(**columns), list(columns), factors


def test_a_stratified_share_and_its_error_are_those_of_r() -> None:
    found = prevalence(
        SCHOOLS, truthful(), column="wide", weights="pw", strata="stype"
    )  # svymean(~I(sch.wide == "Yes"), svydesign(id=~1, strata=~stype, weights=~pw, data=apistrat))
    assert found.value == pytest.approx(0.827948011416)
    assert found.standard_error == pytest.approx(0.0247568028755)
    assert found.clusters is not None
    assert found.clusters.degrees == 197
    # confint(..., df=degf) is symmetric: .7791 to .8768. Ours is by empirical likelihood.
    assert found.interval() == pytest.approx((0.7791, 0.8768), abs=0.006)


def test_shares_of_clusters_in_strata_are_those_of_r() -> None:
    found = prevalence(PEOPLE, truthful(), column="high", **DRAWN)
    assert found.value == pytest.approx(0.112663589293)
    assert found.standard_error == pytest.approx(0.0131981137233)
    assert found.clusters is not None
    assert found.clusters.degrees == 16
    table = distribution(PEOPLE, truthful(), column="high", **DRAWN)
    assert table.standard_error.tolist() == pytest.approx([0.0131981137233] * 2)


def test_the_share_of_a_part_of_the_sample_keeps_its_strata() -> None:
    """subset(design, sex == 2): a unit without women still counts in its stratum."""
    table = crosstab(PEOPLE.assign(woman=PEOPLE.sex == 2), "high", "woman", designs=truthful(), **DRAWN)
    assert table.share("yes", "yes").clusters.degrees == 16  # type: ignore[union-attr]
    woman = PEOPLE[PEOPLE.sex == 2]
    ratio = table.share("yes", "yes").value / (woman.weight.sum() / PEOPLE.weight.sum())
    assert ratio == pytest.approx(0.125488604237)


def test_logistic_regressions_are_those_of_r() -> None:
    schools = logistic_regression(SCHOOLS, "wide ~ meals", designs=truthful(), weights="pw", strata="stype")
    assert schools.params.tolist() == pytest.approx([1.582250582700, -0.000229799392464])
    assert schools.bse.tolist() == pytest.approx([0.3235691802264, 0.00584972581009], rel=1e-6)
    people = logistic_regression(PEOPLE, "high ~ C(age) + C(sex)", designs=truthful(), **DRAWN)
    assert people.params.tolist() == pytest.approx(
        [-4.590878747345, 2.008519638932, 2.790328070323, 3.096654436712, 0.187282157159], rel=1e-6
    )
    assert people.bse.tolist() == pytest.approx(
        [0.641642948219, 0.661527931888, 0.647033729973, 0.575725525593, 0.323275917241], rel=1e-6
    )


def test_linear_regressions_are_those_of_r() -> None:
    drawn = Survey(blocks={"b": ["wide"]}, p=0.5).on(
        SCHOOLS.assign(wide=SCHOOLS.wide), weights="pw", strata="stype"
    )
    x = np.column_stack([np.ones(len(SCHOOLS)), SCHOOLS.meals, SCHOOLS.awards == "Yes"])
    fit = LinearFit(
        terms=["Intercept", "meals", "awards"],
        designs=x[:, None],
        chances=np.ones((len(x), 1)),
        number=NumberScores(total=SCHOOLS.api00.to_numpy(float), answered=np.ones(len(x))),
        mass=SCHOOLS.pw.to_numpy(),
        units=drawn.units,
    )
    assert fit.coefficients.tolist() == pytest.approx([796.43569427995, -3.38628555665, 45.62714631498])
    errors = [figure.standard_error for figure in fit.figures()]
    assert errors == pytest.approx([11.507880639634, 0.163849422396, 10.959141174786])


@pytest.mark.soak
def test_replicate_weights_give_the_errors_of_r() -> None:
    table, names, factors = jackknife(PEOPLE)
    share = replicated(
        SURVEY,
        table,
        lambda reports: reports.regression("high ~ C(age) + C(sex)"),
        weights="weight", replicates=names, scale=1, factors=factors,
    )  # fmt: skip
    assert share.unclipped.tolist() == pytest.approx(
        [-4.590878747345, 2.008519638932, 2.790328070323, 3.096654436712, 0.187282157159], rel=1e-6
    )
    assert share.standard_error.tolist() == pytest.approx(
        [0.769211562843, 0.783717839029, 0.770341146181, 0.701775567158, 0.324679361467], rel=1e-5
    )
    assert share.attrs["about"]["method"] == [METHODS["replicates"]]


def test_disguise_changes_the_estimate_and_not_the_rule() -> None:
    """With Warner's design the score is linear in the report, and so is its error."""
    open_share = prevalence(PEOPLE, truthful(), column="even", **DRAWN)
    stretched = prevalence(PEOPLE, warner(p="1/5"), column="even", **DRAWN)
    assert stretched.standard_error == pytest.approx(open_share.standard_error / 0.6)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"psu": [None, *PEOPLE.psu[1:]]}, "1 row has none"),
        ({"stratum": [None, *PEOPLE.stratum[1:]]}, "'strata' has no stratum in 1 row"),
        ({"stratum": PEOPLE.stratum.where(PEOPLE.index > 0, 1000)}, "cluster"),
        ({"unit": PEOPLE.unit.where(PEOPLE.stratum != PEOPLE.stratum[0], 1)}, "only one cluster"),
    ],
)
def test_units_that_say_nothing_are_refused(change: dict[str, object], named: str) -> None:
    drawn = DRAWN | ({"clusters": "psu", "strata": None} if "psu" in change else {})
    with refused("clusters", named):
        prevalence(PEOPLE.assign(**change), truthful(), column="high", **drawn)


def test_strata_without_clusters_need_two_rows() -> None:
    one = SCHOOLS.assign(stype=SCHOOLS.stype.where(SCHOOLS.index > 0, "Z"))
    with refused("clusters", "'Z'", "only one cluster or row"):
        prevalence(one, truthful(), column="wide", weights="pw", strata="stype")


def test_impossible_replicates_are_refused() -> None:
    table, names, factors = jackknife(PEOPLE)

    def run(**changed: object) -> None:
        given = {"weights": "weight", "replicates": names, "scale": 1, "factors": factors} | changed
        replicated(SURVEY, table, lambda reports: reports.share("even"), **given)  # type: ignore[arg-type]

    with refused("replicates", "1 column of replicate weights"):
        run(replicates=names[:1])
    for factors_given in ([1, 1], "x", [[1]]):
        with refused("replicates", "no factors for"):
            run(factors=factors_given)
    with refused("replicates", "'text'"):
        replicated(
            SURVEY, table.assign(text="b"), lambda reports: reports.share("even"),
            weights="weight", replicates=["text", *names], scale=1,
        )  # fmt: skip
    for analysis, kind in (
        ("share", "str"),
        (lambda _reports: None, "NoneType"),
        (lambda _reports: "a", "str"),
    ):
        with refused("replicates", kind):
            replicated(SURVEY, table, analysis, weights="weight", replicates=names, scale=1)  # type: ignore[arg-type]
    with refused("replicates", "scale"):
        run(scale=0)
    table.loc[0, names[0]] = -1
    with refused("replicates", "'r0'"):
        run()
    table.loc[0, names[0]] = 1
    with refused("frame", "'none'"):
        run(replicates=[*names, "none"], factors=None)
    sizes = iter([2, 1])
    with refused("replicates", "1 figure with"):
        replicated(
            SURVEY, table, lambda reports: [0.0] * next(sizes),
            weights="weight", replicates=names, scale=1,
        )  # fmt: skip


def test_one_number_is_labelled_value_and_several_by_position() -> None:
    for found, labels in (([3.0], ["value"]), ([3.0, 4.0], [0, 1]), (np.float64(2), ["value"])):
        names, numbers = _figures(found)
        assert (names, numbers.tolist()) == (labels, np.atleast_1d(found).tolist())


def test_errors_of_replicates_are_squares_about_their_mean() -> None:
    """Of 11, 8 and 14 with the mean 11, the second counts twice: .5 (0 + 2 * 9 + 9)."""
    figures = {"weight": 10.0, "r0": 11.0, "r1": 8.0, "r2": 14.0}
    survey: Any = SimpleNamespace(on=lambda _frame, *, weights: weights, design=SURVEY.design, names={})
    replicates = np.tile([[0, 1, 1], [1, 0, 1], [1, 1, 0]], (20, 1))
    table = pandas.DataFrame(replicates, columns=["r0", "r1", "r2"]).assign(weight=1.0)
    found = replicated(
        survey, table, lambda weights: figures[weights],
        weights="weight", replicates=["r0", "r1", "r2"], scale=0.5, factors=[1, 2, 1],
    ).iloc[0]  # fmt: skip
    assert (found.unclipped, found.standard_error) == (10, pytest.approx(math.sqrt(13.5)))
    # Three columns of weights of rank three leave two degrees of freedom.
    half = t.isf(0.025, 2) * math.sqrt(13.5)
    assert (found.low, found.high) == pytest.approx((10 - half, 10 + half))


def test_weights_of_half_samples_are_numbers_in_files_and_texts() -> None:
    """In balanced half-samples of equal weights, a weight is 0 or 2, which elsewhere are no and yes."""
    halves = np.array([[1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]]) + 1
    names = ["r0", "r1", "r2"]
    people = pandas.DataFrame({"even": ([0] * 4 + [1] * 4) * 30, "size": [3, 5, 6, 8] * 60, "w": 1})
    people[names] = np.tile(halves, 60).T
    texts = people.astype(str)
    file = io.BytesIO(texts.to_csv(index=False).encode())
    file.name = "people.csv"
    found = [
        replicated(
            SURVEY, table, lambda own: own.frame["size"].mean(), weights="w", replicates=names, scale=1 / 3
        )
        for table in (people, texts, file, read_table(texts))
    ]
    assert found[0].unclipped.tolist() == [5.5]
    # The halves have the means 4, 4.5 and 5.5: squares about their mean sum to 7/6.
    assert found[0].standard_error.tolist() == pytest.approx([math.sqrt(7 / 6 / 3)])
    for other in found[1:]:
        pandas.testing.assert_frame_equal(other, found[0])
