"""Two disguised columns together: shares, the odds ratio, and how often its interval holds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from privacy import designs
from privacy.estimation.empirical_likelihood import likelihood_ratio, likelihood_sets
from privacy.response_design import ResponseDesign
from privacy.two_way import CrossTab, crosstab
from tests.cast.refusals import refused
from tests.statistics import binomial_range

FORCED = designs.forced_response(yes=1 / 6, no=1 / 6)
WARNER = designs.warner(p=0.8)
GROUPING = designs.grouping(p=0.5, theta=0.4)
# P(no, no), P(no, yes), P(yes, no), P(yes, yes)
TRUTH = np.array([0.5, 0.2, 0.15, 0.15])


def frame_of(cells: list[int], names: tuple[str, str] = ("a", "b")) -> pd.DataFrame:
    """One row per person from the counts of no/no, no/yes, yes/no, yes/yes."""
    pairs = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], cells, axis=0)
    return pd.DataFrame(pairs, columns=list(names))


def joint(law: ResponseDesign) -> np.ndarray:
    """The channel of two questions: one row under one coin, else a Kronecker product."""
    if law.shared_coin:
        return law.row_of(2).matrix.as_array()
    return np.kron(law.channel.as_array(), law.channel.as_array())


def exact_cells(law: ResponseDesign, n: int) -> list[int]:
    """Reports as they are expected, where these are whole numbers."""
    expected = n * (joint(law) @ TRUTH)
    assert np.allclose(expected, expected.round(), atol=1e-6)
    return [int(count) for count in expected.round()]


@pytest.mark.parametrize("law", [designs.truthful(), WARNER, GROUPING], ids=repr)
def test_expected_reports_give_the_true_table_back(law: ResponseDesign) -> None:
    found = crosstab(frame_of(exact_cells(law, 100_000)), "a", "b", designs=law)
    assert found.shares.to_numpy().ravel() == pytest.approx(TRUTH, abs=1e-9)
    assert found.odds_ratio.value == pytest.approx(0.5 * 0.15 / (0.2 * 0.15), abs=1e-7)
    low, high = found.odds_ratio.interval()
    assert low < 2.5 < high
    assert found.frame()["share"].to_numpy() == pytest.approx(TRUTH, abs=1e-9)


def test_columns_may_have_designs_of_their_own() -> None:
    expected = 100_000 * np.kron(WARNER.channel.as_array(), np.eye(2)) @ TRUTH
    frame = frame_of([round(count) for count in expected])
    found = crosstab(frame, "a", "b", designs={"b": designs.truthful(), "a": WARNER})
    assert found.shares.to_numpy().ravel() == pytest.approx(TRUTH, abs=1e-9)
    assert "warner(p=0.8) and truthful()" in found.summary()


def test_one_coin_for_both_questions_is_another_law_than_two() -> None:
    cells = exact_cells(GROUPING, 100_000)
    apart = crosstab(frame_of(cells), "a", "b", designs=designs.unrelated_question(p=0.5, theta=0.4))
    assert abs(apart.odds_ratio.value - 2.5) > 0.5


def test_reports_stand_as_they_came_in() -> None:
    found = crosstab(frame_of([5, 2, 1, 3]), "a", "b", designs=FORCED)
    assert found.observed.loc["no", "yes"] == 2
    assert found.observed.loc["yes", "no"] == 1
    assert (found.observed.index.name, found.observed.columns.name, found.n) == ("a", "b", 11)
    assert repr(found) == "<crosstab of a and b: 2 x 2, n = 11>"


def test_the_interval_of_the_odds_ratio_inverts_the_empirical_likelihood_test() -> None:
    ratio = crosstab(frame_of([300, 250, 220, 230]), "a", "b", designs=FORCED).odds_ratio
    threshold = chi2.isf(0.05, 1)
    for end in ratio.interval():
        statistic = likelihood_ratio(ratio.counts, ratio.constant + end * ratio.slope)
        assert float(statistic) == pytest.approx(threshold, abs=1e-6)


@pytest.mark.parametrize("law", [designs.truthful(), FORCED, GROUPING], ids=repr)
def test_the_interval_of_the_odds_ratio_holds_as_often_as_it_says(law: ResponseDesign) -> None:
    """Of 1,200 samples of 2,000 people at a level of 90 %; the budget of false alarms is 1e-6."""
    rng = np.random.default_rng(20261121)
    scores, samples = crosstab(frame_of([1, 1, 1, 1]), "a", "b", designs=law).scores, 1_200
    drawn = rng.multinomial(2_000, joint(law) @ TRUTH, size=samples)
    ratios = [
        CrossTab(names=("a", "b"), designs=(law, law), scores=scores, counts=cells.reshape(2, 2)).odds_ratio
        for cells in drawn
    ]
    # What `interval` does, for all at once.
    parts = (np.stack([getattr(one, name) for one in ratios]) for name in ("counts", "constant", "slope"))
    ends = likelihood_sets(*parts, float(chi2.isf(0.1, 1))).inside(0, np.inf)
    assert ratios[0].interval(0.9) == pytest.approx((ends.low[0], ends.high[0]), rel=1e-9)
    held = int(((ends.low <= 2.5) & (ends.high >= 2.5)).sum())
    least, most = binomial_range(samples, 0.9)
    assert least <= held <= most


def test_an_odds_ratio_that_the_reports_do_not_bound_says_so() -> None:
    ratio = crosstab(frame_of([9, 2, 1, 3]), "a", "b", designs=WARNER).odds_ratio
    assert ratio.interval()[1] == np.inf
    assert "few rows" in ratio.summary()


def test_more_answers_than_two_have_shares_and_no_odds_ratio() -> None:
    law = designs.generalised_rr(["never", "once", "often"], p=0.8)
    frame = pd.DataFrame({"a": ["never", "once", "often"] * 4, "b": [1, 0, 0, 1] * 3})
    found = crosstab(frame, "a", "b", designs={"a": law, "b": WARNER})
    assert found.shares.shape == (3, 2)
    assert found.shares.to_numpy().sum() == pytest.approx(1)
    with refused("crosstab", "3 x 2"):
        _ = found.odds_ratio
    with refused("designs", "'twice'"):
        found.share("twice", "yes")
    assert "odds ratio" not in found.summary()


def test_columns_and_designs_are_checked() -> None:
    frame = frame_of([3, 3, 3, 3])
    with refused("crosstab", "'a'"):
        crosstab(frame, "a", "a", designs=FORCED)
    with refused("crosstab", "'b'"):
        crosstab(frame, "a", "b", designs={"a": FORCED})
    with refused("crosstab", "grouping"):
        crosstab(frame, "a", "b", designs={"a": GROUPING, "b": GROUPING})
    with refused("frame", "'c'"):
        crosstab(frame, "a", "c", designs=FORCED)
    with refused("frame", "2 columns"):
        crosstab(pd.concat([frame, frame], axis=1), "a", "b", designs=FORCED)
    with refused("answers", "column b"):
        crosstab(frame.assign(b=[1.0, None] * 6), "a", "b", designs=FORCED)
    with refused("answers", "all 12"):
        crosstab(frame.assign(b=1), "a", "b", designs=FORCED)
    with refused("frame", "no row"):
        crosstab(frame[:0], "a", "b", designs=FORCED)
