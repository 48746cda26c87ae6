"""Shares from a disguised column: the estimate, its error, its interval, and its words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2

from privacy.errors import PrivacyError
from privacy.library import designs
from privacy.library.designs import ResponseDesign, scores_of
from privacy.library.shares import distribution, prevalence
from tests.fixtures.refusals import refused
from tests.privacy.library.test_designs import ALL

FORCED = designs.forced_response(yes=1 / 6, no=1 / 6)


@pytest.mark.parametrize("design", ALL, ids=repr)
def test_the_mean_of_the_scores_is_unbiased_for_each_share(design: ResponseDesign) -> None:
    assert (
        np.abs(scores_of(design.retention) @ design.channel.as_array() - np.eye(len(design.values))).max()
        < 1e-12
    )


def test_a_share_is_the_moment_estimate_of_the_source() -> None:
    found = prevalence({"yes": 60, "no": 40}, FORCED)
    assert found.value == pytest.approx((0.6 - 1 / 6) / (2 / 3), abs=1e-12)
    assert found.standard_error == pytest.approx(math.sqrt(0.6 * 0.4 / 100) / (2 / 3), abs=1e-12)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_the_interval_inverts_the_likelihood_ratio_of_the_reports(level: float) -> None:
    def ratio(share: float) -> float:
        return 2 * (60 * math.log(0.6 / share) + 40 * math.log(0.4 / (1 - share))) - chi2.isf(1 - level, 1)

    ends = [brentq(ratio, 1e-9, 0.6), brentq(ratio, 0.6, 1 - 1e-9)]
    wanted = [(end - 1 / 6) / (2 / 3) for end in ends]
    assert prevalence({"yes": 60, "no": 40}, FORCED).interval(level) == pytest.approx(wanted, abs=1e-8)


def test_an_estimate_outside_the_possible_is_shown_and_labelled() -> None:
    found = prevalence({"yes": 10, "no": 90}, FORCED)
    assert found.value == pytest.approx(-0.1)
    assert "outside [0, 1] by chance; shown as it is" in found.summary()
    assert "outside" not in prevalence({"yes": 60, "no": 40}, FORCED).summary()


def test_few_rows_and_too_few_rows_are_labelled() -> None:
    assert "few rows" in prevalence({"yes": 4, "no": 90}, FORCED).summary()
    assert "few rows" not in prevalence({"yes": 5, "no": 90}, FORCED).summary()
    few = prevalence({"yes": 2, "no": 2}, designs.warner(p=0.6)).summary()
    assert "too few answers to say: 95% interval 0 to 1" in few


def test_the_shares_of_levels_are_a_table_that_sums_to_one() -> None:
    law = designs.generalised_rr(["never", "once", "often"], p=1 / 2)
    table = distribution({"never": 500, "once": 300, "often": 200}, law)
    assert table["share"].tolist() == pytest.approx([(x - 1 / 6) / 0.5 for x in (0.5, 0.3, 0.2)])
    assert table["share"].sum() == pytest.approx(1)
    assert (table["low"] < table["share"]).all()
    assert (table["share"] < table["high"]).all()
    assert (
        table.loc["once", "share"]
        == prevalence({"never": 500, "once": 300, "often": 200}, law, value="once").value
    )


def test_what_is_asked_for_is_checked() -> None:
    with refused("designs", "'perhaps'", "forced_response"):
        prevalence({"yes": 6, "no": 4}, FORCED, value="perhaps")
    with refused("designs", "'yes'", "generalised_rr"):
        prevalence({"a": 6, "b": 4}, designs.generalised_rr(["a", "b"], p=0.7))
    with refused("designs"):
        prevalence({"yes": 6, "no": 4}, "forced_response")  # type: ignore[arg-type]
    for level in (0, 1, 95):
        with pytest.raises(PrivacyError, match="level"):
            prevalence({"yes": 6, "no": 4}, FORCED).interval(level)


def test_no_figure_is_printed_where_the_interval_holds_every_share() -> None:
    """Warner's design with p = .4999 reports nearly nothing of the truth: the estimate is -200 or 888."""
    found = prevalence({"yes": 54, "no": 46}, designs.warner(p=0.4999))
    assert repr(found).endswith("too few answers to say, 0 to 1, n = 100>")
    assert "estimate" not in found.summary()
    assert found.to_frame()[["estimate", "standard_error"]].isna().all(axis=None)
    assert found.to_frame()["low"].iloc[0] < 0
