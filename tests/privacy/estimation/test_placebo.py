"""The difference between an index and its placebo index, whose answers one coin disguises."""

import math
from dataclasses import replace

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.counts import SupportCounts
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.paired_reports import paired_reports
from privacy.estimation.placebo import columns_of_placebo, index_of_placebo, placebo_differences
from privacy.survey.composite import Composite
from privacy.survey.design import Design
from tests.privacy.estimation.test_paired_reports import counted
from tests.vectors.composite_designs import (
    NONE_LEFT,
    SEX,
    TOGETHER,
    acts,
    design,
    levels,
    opened,
    together,
    yes,
)

OWN = TOGETHER["index and placebo"]
TRUE = np.array([0.01, 0.09, 0.04, 0.84, 0.02])
"""Both, the index alone, the placebo alone, none, skipped."""


def expected(own: Design, true: np.ndarray = TRUE) -> np.ndarray:
    reports = paired_reports(counted(own, 0, 1, [0] * 5, [1] * 5), own, 0, 1)
    return reports.truths[0] * true + (1 - reports.truths[0]) * reports.decoys


def test_the_placebo_names_its_index() -> None:
    assert [index_of_placebo(OWN, number) for number in (0, 1)] == [None, 0]
    after = design(opened("you", SEX), together("b", ("x", acts("x1", placebo_of="y")), ("y", acts("y1"))))
    assert [index_of_placebo(after, number) for number in range(3)] == [None, 2, None]
    with pytest.raises(PrivacyError, match="no placebo index"):
        placebo_differences(counted(OWN, 0, 1, [0] * 5, [1] * 5), OWN, 0)


def test_expected_counts_give_the_true_difference() -> None:
    counts = np.rint(expected(OWN) * 1_000_000).astype(int).tolist()
    found = placebo_differences(counted(OWN, 0, 1, [0] * 5, counts), OWN, 1)["yes"]
    assert found.value == pytest.approx(0.05, abs=1e-4)
    assert found.low < 0.05 < found.high


def test_the_error_includes_the_covariance_under_one_coin() -> None:
    reports = [40, 55, 45, 140, 20]
    found = placebo_differences(counted(OWN, 0, 1, [0] * 5, reports), OWN, 1)["yes"]
    # (n10 - n01) / n / p, because random answers cancel: .75 / 4 for each of the two.
    n = sum(reports)
    assert found.value == pytest.approx((55 - 45) / n / 0.5)
    variance = ((55 + 45) / n - ((55 - 45) / n) ** 2) / 0.5**2 / n
    assert found.standard_error == pytest.approx(math.sqrt(variance))
    # The two shares' variances added up would overstate it: both answers are often random together.
    shares = [(40 + 55) / n, (40 + 45) / n]
    apart = sum(share * (1 - share) for share in shares) / 0.5**2 / n
    assert variance < 0.9 * apart


def test_both_ends_are_where_the_likelihood_ratio_is_3_84() -> None:
    rows = [40, 55, 45, 140, 20]
    found = placebo_differences(counted(OWN, 0, 1, [0] * 5, rows), OWN, 1)["yes"]
    h = np.array([0.0, 2.0, -2.0, 0.0, 0.0])
    for end in (found.low, found.high):
        ratio = likelihood_ratio(np.array([rows]), (h - end)[None])[0]
        assert ratio == pytest.approx(3.8415, abs=1e-3)


@pytest.mark.parametrize("n", [150, 300])
@pytest.mark.parametrize("true", [TRUE, np.array([0.0, 0.0, 0.01, 0.97, 0.02])])
@pytest.mark.soak
def test_intervals_cover_the_difference_also_of_rare_acts(n: int, true: np.ndarray) -> None:
    rng, surveys, covered = np.random.default_rng(84), 400, 0
    difference = true[1] - true[2]
    for rows in rng.multinomial(n, expected(OWN, true), size=surveys):
        found = placebo_differences(counted(OWN, 0, 1, [0] * 5, rows.tolist()), OWN, 1)["yes"]
        covered += found.low <= difference <= found.high
    # Fewer than 356 has a probability of 5e-7 under a coverage of .95, and of .99 under .85.
    assert covered >= 356


def test_each_answer_of_a_choice_has_its_difference() -> None:
    rule = Composite(
        components=tuple(yes(key) for key in "ab"),
        missing=NONE_LEFT,
        levels=levels(("none", None), ("one", 1), ("two", 2)),
    )
    calm = replace(rule, components=tuple(yes(key) for key in "cd"), placebo_of="index")
    own = design(together("b", ("index", rule), ("calm", calm)))
    assert len(columns_of_placebo(own, 1)) == 11
    counts = {(): (0, 90)}
    for columns in columns_of_placebo(own, 1):
        items = [column for column in columns if column < 6]
        counts[columns] = (0, {0: 90, 1: 30, 2: 10}[len(items)])
    found = placebo_differences(SupportCounts(counts), own, 1)
    assert list(found) == ["none", "one", "two"]
    assert found["two"].value == pytest.approx(0.0)
