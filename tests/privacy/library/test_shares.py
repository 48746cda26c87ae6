"""Shares of one disguised column, computed by hand: estimate, error, interval and summary."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy

from privacy.library.designs import (
    ResponseDesign,
    forced_response,
    generalised_rr,
    unrelated_question,
    warner,
)
from privacy.library.sampling_units import UnitSums
from privacy.library.shares import Figure, distribution, prevalence, share_frame, share_of, unread
from tests.fixtures.refusals import refused

DIE = forced_response(yes=1 / 6, no=1 / 6)
"""The reports of a share t are "yes" with probability 1/6 + 2 t/3."""


def likelihood_ends(yes: int, n: int, level: float) -> list[float]:
    """Return the shares at which twice the binomial log-likelihood falls by the chi-square quantile."""
    seen, threshold = yes / n, scipy.stats.chi2.ppf(level, 1)

    def above(share: float) -> float:
        p = 1 / 6 + 2 * share / 3
        lost = yes * math.log(seen / p) + (n - yes) * math.log((1 - seen) / (1 - p))
        return 2 * lost - threshold

    top = (seen - 1 / 6) * 1.5
    return [scipy.optimize.brentq(above, *ends) for ends in ((-0.2499, top), (top, 1.2499))]


def figure(
    counts: tuple[int, ...], constant: tuple[float, ...], slope: tuple[float, ...], **fields: Any
) -> Figure:
    """Return a share of 100 rows that was not read from a column."""
    value = -np.dot(counts, constant) / np.dot(counts, slope)
    given: dict[str, Any] = {"possible": (0.0, math.inf), "clipped": True, "effective_n": 100.0, **fields}
    return Figure(
        name="ratio", design="made up", value=float(value), counts=np.array(counts),
        constant=np.array(constant), slope=np.array(slope), n=100, **given,
    )  # fmt: skip


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(("yes", "n"), [(60, 100), (95, 125), (15, 30)])
def test_a_share_has_the_likelihood_interval_of_its_reports(yes: int, n: int, level: float) -> None:
    found = prevalence({"yes": yes, "no": n - yes}, DIE)
    assert found.value == pytest.approx((yes / n - 1 / 6) * 1.5)
    assert found.standard_error == pytest.approx(1.5 * math.sqrt(yes * (n - yes) / n**3))
    assert found.interval(level) == pytest.approx(likelihood_ends(yes, n, level), abs=1e-6)
    assert (found.n, found.effective_n, found.possible) == (n, n, (0.0, 1.0))


def test_prevalence_divides_by_n_like_rrtcs() -> None:
    found = prevalence({"yes": 60, "no": 65}, warner(p=0.7))
    assert (round(found.value, 2), round(found.standard_error, 4)) == (0.45, 0.1117)


def test_fewer_than_30_answers_leave_the_possible_range() -> None:
    few, enough = prevalence({"yes": 15, "no": 14}, DIE), prevalence({"yes": 15, "no": 15}, DIE)
    assert (few.interval(), few.basis(), few.estimable()) == ((0.0, 1.0), "too few", False)
    assert enough.interval() == pytest.approx((0.24, 0.76), abs=0.005)
    assert (enough.basis(), enough.estimable()) == ("estimate", True)
    assert few.summary().splitlines() == [
        "share of yes in the answers, forced_response(yes=1/6, no=1/6), n = 29",
        "too few answers to say: 95% interval 0 to 1",
    ]
    with refused("level"):
        few.interval(1.0)


def test_a_report_of_four_rows_is_named() -> None:
    assert [prevalence({"yes": yes, "no": 60}, DIE).few_rows for yes in (4, 5, 6)] == [True, False, False]
    found = prevalence({"yes": 4, "no": 12}, DIE)
    assert found.summary().splitlines()[-1] == "few rows: a report came from fewer than 5"
    assert [
        figure((60, 40), (-0.5, -0.2), (1, -0.5), smallest_cell=least).few_rows for least in (4, 5, None)
    ] == [True, False, False]


def test_an_impossible_estimate_is_printed_as_a_bound() -> None:
    """4% "yes" is below the 1/6 that the die forces: (.04 - 1/6) 1.5 = -.19."""
    found = prevalence({"yes": 4, "no": 96}, DIE)
    low, high = likelihood_ends(4, 100, 0.95)
    assert found.interval() == pytest.approx((low, high), abs=1e-6)
    assert found.basis() == "at most"
    lines = prevalence({"yes": 14, "no": 86}, DIE).summary(0.8).splitlines()
    low, high = likelihood_ends(14, 100, 0.8)
    assert lines[1:] == [
        f"too few answers to say: at most {high:.4g}, 80% interval {low:.4g} to {high:.4g}",
        "only for combining studies: unclipped -0.04, standard error 0.052",
    ]
    assert np.isnan(prevalence({"yes": 14, "no": 86}, DIE).shown()).all()
    assert prevalence({"yes": 60, "no": 40}, DIE).shown() == pytest.approx((0.65, 0.0734847))


def test_a_summary_gives_estimate_error_and_interval() -> None:
    found = prevalence({"yes": 60, "no": 40}, DIE)
    low, high = likelihood_ends(60, 100, 0.95)
    assert found.summary().splitlines() == [
        "share of yes in the answers, forced_response(yes=1/6, no=1/6), n = 100",
        f"estimate 0.65, standard error 0.073, 95% interval {low:.4g} to {high:.4g}",
    ]
    row = found.to_frame(0.8).iloc[0]
    assert (row.low, row.high) == pytest.approx(likelihood_ends(60, 100, 0.8), abs=1e-6)
    assert (row.estimate, row.standard_error, row.n, row.level) == pytest.approx((0.65, 0.0734847, 100, 0.8))


def test_ratios_are_cut_to_their_range() -> None:
    """.65 is the estimate, and its interval ends at .789, below the least possible value .9."""
    cut: dict[str, Any] = {"possible": (0.9, 1.0)}
    values = (1.25, -0.25), (-1.0, -1.0)
    assert figure((60, 40), *values, **cut).interval() == (0.9, 0.9)
    assert figure((60, 40), *values, **cut, has_point=False).interval() == (0.9, 1.0)
    assert figure((60, 40), *values, **cut, is_lost=True).interval() == (0.9, 1.0)
    wide: dict[str, Any] = {"possible": (0.6, 1.0), "has_point": False}
    assert figure((60, 40), *values, **wide).interval() == pytest.approx(
        (0.6, likelihood_ends(60, 100, 0.95)[1]), abs=1e-6
    )
    low, high = likelihood_ends(60, 100, 0.95)
    assert figure((60, 40), *values, **cut, clipped=False).interval() == pytest.approx((low, high), abs=1e-6)


def test_a_ratio_with_a_denominator_near_zero_says_so() -> None:
    """Denominators .4 and .36; five errors are 5 sqrt(.54/100) = .367 and 5 sqrt(.6144/100) = .392."""
    sure, near = (figure((60, 40), (-0.5, -0.2), (1, slope)) for slope in (-0.5, -0.6))
    assert (sure.shown_because_estimable(), near.shown_because_estimable()) == (False, True)
    assert (sure.value, near.value) == pytest.approx((0.38 / 0.4, 0.38 / 0.36))
    assert near.summary().splitlines()[2:] == [
        "shown because estimable: printed ratios of few people miss their level more often"
    ]
    assert repr(near) == "<ratio: 1.056, standard error 0.19, shown because estimable, n = 100>"
    assert repr(sure).endswith(", n = 100>")
    assert "shown" not in repr(sure)
    assert not figure((60, 40), (-0.5, -0.2), (1, -0.6), clipped=False).shown_because_estimable()
    assert not figure((60, 40), (-0.5, -0.2), (1, -0.6), effective_n=29.0).shown_because_estimable()


def test_the_error_of_a_ratio_divides_by_its_mean_slope() -> None:
    """Residuals at t = .95: .45 and -.675, of mean 0 and variance .30375; the mean slope is .4."""
    found = figure((60, 40), (-0.5, -0.2), (1, -0.5))
    assert found.standard_error == pytest.approx(math.sqrt(0.30375 / 100) / 0.4)


@pytest.mark.parametrize(("clusters", "said"), [(19, True), (20, False)])
def test_fewer_than_20_clusters_are_named(clusters: int, said: bool) -> None:
    size = 4
    column = pd.Series([1, 1, 1, 0, 1, 0, 1, 0] * (clusters * size // 8 + 1), name="affair")
    column = column[: clusters * size]
    found = prevalence(column, warner(0.9), clusters=[row // size for row in range(clusters * size)])
    line = f"few clusters: as many as {clusters:.1f} of one size"
    assert (line in found.summary().splitlines()) is said
    assert found.clusters is not None
    assert found.clusters.count == clusters


def test_rows_with_weights_are_no_clusters() -> None:
    column = pd.Series([1, 0] * 40, name="affair")
    found = prevalence(column, warner(0.9), weights=[1.0, 1.0, 1.0, 40.0] * 20)
    assert found.effective_n == pytest.approx(860**2 / (60 + 20 * 1_600))
    assert "clusters" not in found.summary()
    # Of the weights, 2/43 belong to "yes" reports: (2/43 - .1)/.8.
    assert found.value == pytest.approx((2 / 43 - 0.1) / 0.8)


COLUMN = pd.DataFrame(
    {
        "affair": ["yes"] * 30 + ["no"] * 50,
        "weight": [2.0] * 30 + [1.0] * 50,
        "school": [row % 40 for row in range(80)],
    }
)


def test_columns_of_a_table_are_given_by_name() -> None:
    found = prevalence(COLUMN, warner(0.9), column="affair", weights="weight", clusters="school")
    assert found.value == pytest.approx((60 / 110 - 0.1) / 0.8)
    assert found.clusters is not None
    assert found.clusters.count == 40
    assert found.name == "share of yes in column affair"
    unweighted = prevalence(COLUMN, warner(0.9), column="affair")
    assert unweighted.value == pytest.approx((30 / 80 - 0.1) / 0.8)
    assert unweighted.clusters is None
    by_rows = prevalence(COLUMN, warner(0.9), column="affair", weights=COLUMN.weight)
    assert by_rows.value == pytest.approx(found.value)


def test_designs_that_differ_by_row_are_named_and_weighted() -> None:
    """With p = .9 and .6 the scores of "yes" are 9/8 and 3, those of "no" -1/8 and -2."""
    laws = [warner(0.9), warner(0.6)] * 40
    reports = [1, 1, 0, 0] * 20
    found = prevalence(pd.Series(reports, name="affair"), laws)
    assert found.value == pytest.approx((9 / 8 + 3 - 1 / 8 - 2) / 4)
    assert found.design == "warner(p=0.9) and 1 more design"
    assert found.n == 80


def test_rows_without_an_answer_are_counted() -> None:
    column = pd.Series(["yes"] * 30 + ["no"] * 50 + [None] * 2, name="affair")
    with refused("answers", "2 of 82"):
        prevalence(column, warner(0.9))
    found = prevalence(column, warner(0.9), missing="drop")
    assert (found.n, found.value) == pytest.approx((80, (30 / 80 - 0.1) / 0.8))
    assert found.design == "warner(p=0.9), 2 rows without an answer left out"
    table = distribution(column, warner(0.9), missing="drop")
    assert table.attrs["dropped"] == 2
    assert table.share.tolist() == pytest.approx([(50 / 80 - 0.1) / 0.8, (30 / 80 - 0.1) / 0.8])
    assert distribution(column[:80], warner(0.9)).attrs["dropped"] == 0


def test_counts_have_no_weights_clusters_or_strata() -> None:
    samples: list[dict[str, Any]] = [{"weights": [1, 2]}, {"clusters": [1, 2]}, {"strata": [1, 2]}]
    for sample in samples:
        with refused("answers", "counts"):
            prevalence({"yes": 30, "no": 50}, warner(0.9), **sample)
        with refused("answers", "counts"):
            prevalence(pd.Series({"yes": 30, "no": 50}), warner(0.9), **sample)


def test_spellings_of_reports_are_read_and_reported() -> None:
    column = pd.Series(["Ja"] * 30 + ["no"] * 50, name="affair")
    found = prevalence(column, warner(0.9))
    assert found.value == pytest.approx((30 / 80 - 0.1) / 0.8)
    (said,) = map(str, found.decisions)
    assert "“affair”: “Ja” was read as “yes”" in said
    assert found.summary().splitlines()[3:] == [said]
    assert [*prevalence(column.replace("Ja", "yes"), warner(0.9)).decisions] == []
    assert distribution(column, warner(0.9)).attrs["decisions"] == [said]


def test_each_level_has_its_own_share() -> None:
    """Each level is reported with 1/6 at random and 1/2 more if it is true: (share - 1/6)/(1/2)."""
    design: ResponseDesign = generalised_rr(["never", "once", "often"], p=0.5)
    counts = {"never": 500, "once": 300, "often": 200}
    table = distribution(counts, design, level=0.9)
    assert table.share.tolist() == pytest.approx([2 / 3, 4 / 15, 1 / 15])
    assert table.standard_error.tolist() == pytest.approx(
        [math.sqrt(share * (1 - share) / 1_000) * 2 for share in (0.5, 0.3, 0.2)]
    )
    assert (table.level == 0.9).all()
    assert [prevalence(counts, design, value=name).value for name in counts] == table.share.tolist()


def test_weighted_units_have_their_own_base() -> None:
    """Two kinds of units, with the weights 1 and 3 for each of their 60 and 40 rows: (60 + 0)/(60 + 120)."""
    units = UnitSums.of(
        np.array([[1.0] * 60 + [0.0] * 40]), np.array([1] * 60 + [0] * 40),
        np.array([1.0] * 60 + [3.0] * 40), None,
    )  # fmt: skip
    found = share_of("share", "none", units.counts, units.scores[0], units)
    assert found.value == pytest.approx(1 / 3)
    assert found.n == 100
    assert found.effective_n == pytest.approx(180**2 / (60 + 40 * 9))
    assert found.smallest_cell == 40


def test_a_table_of_figures_says_how_they_were_made() -> None:
    ratio, share = figure((60, 40), (-0.5, -0.2), (1, -0.5)), prevalence({"yes": 60, "no": 40}, DIE)
    lost = figure((60, 40), (-0.5, -0.2), (1, -0.5), has_point=False)
    table = share_frame([ratio, lost], ["a", "b"], "figure", 0.95)
    assert table.unclipped.isna().tolist() == [False, True]
    by = "interval by empirical likelihood"
    assert table.attrs["about"]["method"] == [f"ratio or difference of mean scores; {by}"]
    method = share_frame([share], ["a"], "figure", 0.95).attrs["about"]["method"]
    assert method == [f"mean of unbiased scores of the disguised answers; {by}"]
    assert len(share_frame([], [], "figure", 0.95)) == 0


def test_only_names_of_columns_are_read_later() -> None:
    assert unread("a", ["b"], ("c", 1), None) == {"a": None, ("c", 1): None, None: None}


def test_counts_that_contradict_their_design_are_refused() -> None:
    """With p = .5 and even decoys, at most 3 in 4 of 1,000 rows say yes."""
    with refused("misfit", "990 of 1,000"):
        prevalence({"yes": 990, "no": 10}, unrelated_question(p=0.5, theta=0.5))
