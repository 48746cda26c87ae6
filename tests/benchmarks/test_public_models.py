"""Truths of the models that the benchmark on tables fits, its choice of columns, and its figures."""

import numpy as np
import pandas
import pytest
from statsmodels.discrete.discrete_model import Logit
from statsmodels.tools.tools import add_constant

from benchmarks.public_models import (
    NUMBER,
    analyses,
    has_all_cells,
    logistic,
    number_columns,
    open_groups,
    quantile,
)
from benchmarks.public_tables import measured

RNG = np.random.default_rng(8)
PEOPLE = 3000
QUESTIONS = ["rare", "common", "rarer", "other"]
TABLE = pandas.DataFrame(
    {
        "rare": RNG.random(PEOPLE) < 0.05, "common": RNG.random(PEOPLE) < 0.3,
        "rarer": RNG.random(PEOPLE) < 0.08, "other": RNG.random(PEOPLE) < 0.35,
        "few": RNG.random(PEOPLE) < 0.12, "many": RNG.random(PEOPLE) < 0.45,
        "drinks": RNG.poisson(2, PEOPLE), "hours": RNG.lognormal(1, 1, PEOPLE),
    }
).astype(float)  # fmt: skip
BINARY = (TABLE > 0).astype(int)


def test_logistic_coefficients_are_those_of_statsmodels() -> None:
    wanted = Logit(BINARY["common"], add_constant(BINARY[["few", "many"]])).fit(disp=False).params
    assert logistic(BINARY, "common", ["few", "many"]) == pytest.approx(wanted.to_numpy())


def test_a_regression_with_an_empty_cell_has_no_true_coefficient() -> None:
    assert has_all_cells(BINARY, "common", ["few", "many"])
    apart = BINARY.assign(few=BINARY.few * (1 - BINARY.common))
    assert not has_all_cells(apart, "common", ["many", "few"])


def test_groups_are_the_columns_closest_to_one_in_ten_and_one_half() -> None:
    assert open_groups(BINARY, QUESTIONS) == ["few", "many"]


def test_numbers_are_binned_and_the_most_skewed_come_first() -> None:
    values = number_columns(TABLE)
    assert list(values.columns) == [f"{NUMBER}hours", f"{NUMBER}drinks"]
    assert values.min().tolist() == [0, 0]
    assert values.max().tolist() == [15, 15]
    # Half of the people are in the first bin of a skewed number.
    assert (values[f"{NUMBER}hours"] == 0).mean() > 0.4


def test_a_quantile_lies_within_its_bin() -> None:
    # Half of the people are in bin 0, from -.5 to .5; the others in bin 3, from 2.5 to 3.5.
    values = pandas.Series([0, 0, 3, 3])
    assert [quantile(values, share) for share in (0.25, 0.5, 0.75)] == pytest.approx([0, 0.5, 3])


@pytest.mark.soak
def test_each_kind_of_figure_is_measured_next_to_its_truth() -> None:
    people = BINARY.join(number_columns(TABLE.drop(columns=QUESTIONS)))
    found = {}
    for by_setting in analyses(people, QUESTIONS).values():
        for analysis in by_setting.values():
            figures, refused = measured(people, analysis, 3000, 1, np.random.default_rng(5))
            assert refused == 0
            found |= dict(iter(figures.groupby("kind")))
    assert len(found) == 26
    share = found["groups: share, common group, common answer"]
    assert share.true.tolist() == [BINARY[name][BINARY.many == 1].mean() for name in ("common", "other")]
    difference = found["groups: difference, rare group, rare answer"]
    means = BINARY.groupby("few")[["rare", "rarer"]].mean()
    assert difference.true.to_numpy() == pytest.approx((means.loc[1] - means.loc[0]).to_numpy())
    mean = found["number: mean"]
    assert mean.true.tolist() == people.filter(like=NUMBER).mean().tolist()
    # 3,000 people say much: almost all points are printed, and within five errors of their truths.
    for figures in found.values():
        two_ends = figures[np.isfinite(figures.high - figures.low)]
        half = (two_ends.high - two_ends.low) / 2
        assert (abs((two_ends.high + two_ends.low) / 2 - two_ends.true) < 2.6 * half).all()
        assert figures.value.isna()[figures.index.difference(two_ends.index)].all()


def test_a_table_without_numbers_has_no_numbers() -> None:
    assert analyses(BINARY, QUESTIONS)["numbers"] == {}
