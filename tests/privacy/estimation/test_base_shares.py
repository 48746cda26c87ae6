"""Shares among the people at or above the base of a composite question."""

import math
from dataclasses import replace

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.base_shares import base_shares, columns_of_base, options_from_base
from privacy.estimation.counts import SupportCounts
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.policy import RELIABLE_ERRORS
from privacy.survey.composite import Composite
from privacy.survey.design import Design, GroupPolicy
from tests.vectors.composite_designs import DESIGNS, NONE_LEFT, levels, sent, yes

BRIBE = DESIGNS["bribe"]
TRUTH = np.array([0.5, 0.3, 0.2])
"""No contact, contact, bribe."""


def expected_reports() -> np.ndarray:
    """Return the probability of each report: the options, then a skip."""
    decoys = [0.75 * share / 10_000 for share in BRIBE.questions[0].unrelated]
    return 0.6 * np.append(TRUTH, 0.0) + 0.4 * np.array([*decoys, 0.25])


def counted(design: Design, direct: list[int], protected: list[int]) -> SupportCounts:
    """Return the counts of reports: each option, then skips."""
    asked, *items = columns_of_base(design, 0)
    table = {asked: (sum(direct), sum(protected))}
    table |= {item: (direct[at] if direct else 0, protected[at]) for at, item in enumerate(items)}
    table[()] = table[asked]
    return SupportCounts(table)


def test_expected_counts_give_the_true_share() -> None:
    counts = np.rint(expected_reports() * 1_000_000).astype(int).tolist()
    share = base_shares(counted(BRIBE, [], counts), BRIBE, 0)["bribe"]
    assert share.value == pytest.approx(0.4, abs=1e-4)
    assert share.low < 0.4 < share.high
    assert share.estimable


def test_without_a_disguise_it_is_the_share_of_rows() -> None:
    group = GroupPolicy(policy="choice")
    design = replace(BRIBE, group=group)
    # Twenty of fifty; the other group has no rows.
    share = base_shares(counted(design, [50, 30, 20, 0], [0, 0, 0, 0]), design, 0)["bribe"]
    assert share.value == pytest.approx(0.4)
    assert share.standard_error == pytest.approx(math.sqrt(0.4 * 0.6 / 50), rel=1e-9)


def test_groups_of_two_strengths_count_by_their_people() -> None:
    """Of 200 direct people 10 had contact and 90 bribed; of 1,000 others 300 and 200: 290 of 600."""
    design = replace(BRIBE, group=GroupPolicy(policy="choice"))
    reports = np.rint(expected_reports() * 1e6).astype(int).tolist()
    direct = [100_000, 10_000, 90_000, 0]
    share = base_shares(counted(design, direct, reports), design, 0)["bribe"]
    assert share.value == pytest.approx(290 / 600, abs=1e-4)


def test_both_ends_of_the_interval_are_where_the_likelihood_ratio_is_3_84() -> None:
    reports = [230, 140, 90, 40]
    share = base_shares(counted(BRIBE, [], reports), BRIBE, 0)["bribe"]
    p, r = 0.6, 0.25
    q = [(1 - r) * own / 10_000 for own in BRIBE.questions[0].unrelated]
    z = [[((cell == option) - (1 - p) * q[option]) / p for cell in range(4)] for option in (1, 2)]
    for end in (share.low, share.high):
        h = np.array([z[1][cell] - end * (z[0][cell] + z[1][cell]) for cell in range(4)])
        ratio = likelihood_ratio(np.array([reports]), h[None])[0]
        assert ratio == pytest.approx(3.8415, abs=1e-3)


@pytest.mark.soak
def test_intervals_of_few_people_cover_and_say_when_there_is_nothing_to_say() -> None:
    rng, n, surveys = np.random.default_rng(84), 500, 400
    covered = 0
    for reports in rng.multinomial(n, expected_reports(), size=surveys):
        share = base_shares(counted(BRIBE, [], reports.tolist()), BRIBE, 0)["bribe"]
        covered += share.low <= 0.4 <= share.high
    # Fewer than 356 has a probability of 5e-7 under a coverage of .95, and of .99 under .85.
    assert covered >= 356
    nothing = base_shares(counted(BRIBE, [], [30, 5, 2, 3]), BRIBE, 0)["bribe"]
    assert not nothing.estimable or nothing.high - nothing.low > 0.5


def test_options_of_the_base_follow_the_levels() -> None:
    rule = Composite(
        components=tuple(yes(key) for key in "abcd"),
        missing=NONE_LEFT,
        levels=levels(("none", None), ("some", 1), ("more", 2), ("none", 3), ("all", 4)),
        base="some",
    )
    design = Design(blocks=(sent("x", rule),), group=GroupPolicy(), use="live")
    assert options_from_base(design, 0) == ("some", "more", "none", "all")
    assert options_from_base(BRIBE, 0) == ("contact", "bribe")
    assert options_from_base(DESIGNS["AUDIT"], 0) == ()


def test_a_question_without_a_base_is_refused() -> None:
    with pytest.raises(PrivacyError) as refusal:
        base_shares(SupportCounts({(): (0, 10)}), DESIGNS["AUDIT"], 0)
    assert refusal.value.case == "computed.no_base"


@pytest.mark.parametrize(("times", "has_error"), [(0.85, False), (1.15, True)])
def test_the_base_must_be_five_standard_errors_above_0(times: float, has_error: bool) -> None:
    """A report from the base scores (1 - .4 q) / .6, and another -.4 q / .6, with the mean .5."""
    reports = expected_reports()
    q = 0.75 * sum(share / 10_000 for share in BRIBE.questions[0].unrelated[1:])
    scores = (np.array([0.0, 1, 1, 0]) - 0.4 * q) / 0.6
    mean = reports @ scores
    assert mean == pytest.approx(0.5)
    people = RELIABLE_ERRORS**2 * (reports @ scores**2 - mean**2) / mean**2
    counts = np.rint(reports * people * times).astype(int).tolist()
    found = base_shares(counted(BRIBE, [], counts), BRIBE, 0)["bribe"]
    assert (found.standard_error is not None) == has_error
