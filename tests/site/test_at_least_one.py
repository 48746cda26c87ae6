"""The share and the comparison of "at least one of" in the library: estimates, exact coverage, refusals."""

import numpy as np
import pandas
import pytest
from scipy.stats import binom

import sottovoce
from mining.frames.plan import Plan
from mining.frames.reports import Reports
from privacy.estimation.composed_parts import Side, event_factors
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.levels import chi_square_quantile
from tests.fixtures.refusals import refused

FORMS = ("physical", "sexual", "psychological")


@pytest.fixture(scope="module")
def plan() -> Plan:
    """Three forms of violence, each computed from four acts; 300 people who may decline."""
    kinds = {form: sottovoce.at_least(1, *(f"{form}-{act}" for act in range(4))) for form in FORMS}
    return sottovoce.Survey(blocks={"violence": kinds}, p=0.5, skip={"violence": 0.2}).plan(300)


def test_three_forms_and_at_least_one_reach_the_goal_under_one_coin(plan: Plan) -> None:
    assert len(plan.planned.design.blocks) == 1
    assert plan.to_frame().half_width.max().round(3) == 0.101
    widths = {share: half_width(plan, share)[0] for share in (0.0, 0.05, 0.1, 0.3, 0.5)}
    assert {share: round(100 * half, 1) for share, half in widths.items()} == {
        0.0: 9.5, 0.05: 9.6, 0.1: 9.8, 0.3: 10.1, 0.5: 9.9,
    }  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("share", [0.01, 0.02, 0.05, 0.1, 0.3])
def test_intervals_cover_rare_shares_exactly_as_often_as_they_say(plan: Plan, share: float) -> None:
    assert 0.93 < half_width(plan, share)[1] < 0.97


def half_width(plan: Plan, share: float) -> tuple[float, float]:
    """Return the mean half-width and the coverage of the interval, over all numbers of reports."""
    design = plan.planned.design
    (block,) = design.blocks
    (factor,) = event_factors(Side(at_least_one=(0, 1, 2)), design)
    scores = factor.scores[0, : factor.split]
    p, r = block.truth_probability / 10_000, block.refusal / 10_000  # type: ignore[operator]
    any_of = np.arange(301)
    probability = binom.pmf(any_of, 300, p * share + (1 - p) * (1 - r) * 7 / 8)
    counts = np.stack([300 - any_of, any_of], axis=1)
    cells = np.tile([scores[0], scores[1]], (301, 1))
    sets = likelihood_sets(counts, cells, -np.ones_like(cells), chi_square_quantile(0.95))
    covers = (sets.low <= share) & (share <= sets.high)
    return float(probability @ (sets.high - sets.low)) / 2, float(probability @ covers)


@pytest.fixture(scope="module")
def reports() -> Reports:
    """Return reports whose 85 of 100 rows have one of two answers."""
    sent = {"hit": [1] * 45 + [0] * 55, "insulted": [0] * 30 + [1] * 55 + [0] * 15, "age": [0, 1] * 50}
    return sottovoce.Survey(blocks={"violence": ["hit", "insulted"]}, p=0.5).on(pandas.DataFrame(sent))


def test_the_share_of_at_least_one_inverts_the_probability_of_a_random_one(
    reports: Reports,
) -> None:
    # A random answer has one of two with probability 3/4: (.85 - .375)/.5.
    figure = reports.share(at_least_one=["hit", "insulted"])
    assert repr(figure) == "<share of at least one of hit, insulted: 0.95, standard error 0.071, n = 100>"
    both = reports.share("hit", "insulted").value
    assert figure.value == pytest.approx(reports.share("hit").value + reports.share("insulted").value - both)


def test_it_is_compared_like_any_other_answer(reports: Reports) -> None:
    found = reports.compare(by="age", at_least_one=["hit", "insulted"])
    assert repr(found).startswith("<at least one of hit, insulted by age: difference ")
    halves = [reports.frame.iloc[start::2] for start in (0, 1)]
    shares = [(((half.hit + half.insulted) > 0).mean() - 0.375) / 0.5 for half in halves]
    assert found.value == pytest.approx(shares[1] - shares[0])


def test_with_weights_and_clusters_every_row_is_scored_alone() -> None:
    frame = pandas.DataFrame({"a": [1, 0, 0, 1] * 25, "b": [0, 1, 0, 1] * 25, "w": [1.0] * 50 + [2.0] * 50})
    survey = sottovoce.Survey(blocks={"x": ["a", "b"]}, p=0.6)
    plain, weighted = survey.on(frame), survey.on(frame, weights="w")
    assert weighted.share(at_least_one=["a", "b"]).value == pytest.approx(
        plain.share(at_least_one=["a", "b"]).value, abs=0.02
    )


def test_a_skip_has_none_of_them() -> None:
    survey = sottovoce.Survey(blocks={"x": ["a", "b"]}, p=0.5, skip={"x": 0.2})
    truth = pandas.DataFrame({"a": [None] * 600, "b": [None] * 600, "x.skipped": [1] * 600})
    sent = survey.disguise(truth, seed=3)
    low, high = survey.on(sent).share(at_least_one=["a", "b"]).interval(1 - 1e-6)
    assert low < 0 < high


def test_events_of_several_coins_or_of_questions_never_asked_together_are_refused(
    reports: Reports,
) -> None:
    with refused("at_least_one", "names only 'hit'"):
        reports.share(at_least_one="hit")
    with refused("reports", "compare() needs `by`"):
        reports.compare("hit")
    with refused("reports", "compare() needs `by`"):
        reports.compare("hit", by="age", at_least_one=["hit", "insulted"])
    two = sottovoce.Survey(blocks={"x": ["a"], "y": ["b"]}, p=0.5)
    sent = two.disguise(pandas.DataFrame({"a": [0, 1] * 100, "b": [0, 0, 1, 1] * 50}), seed=1)
    with refused("at_least_one", "'a', 'b' were not sent under one coin"):
        two.on(sent).share(at_least_one=["a", "b"])
    rotating = sottovoce.Survey(blocks={"x": ["a", "b", "c"]}, p=0.5, questions_per_person={"x": 2})
    truth = pandas.DataFrame({key: [0, 1] * 200 for key in "abc"})
    drawn = rotating.on(rotating.disguise(truth, seed=1))
    with refused("never_together", "no respondent is asked 'a', 'b', 'c' together"):
        drawn.share(at_least_one=["a", "b", "c"])
    assert drawn.share(at_least_one=["a", "b"]).n < 400
