"""Comparisons as a table, in words, and as a picture's data."""

from collections.abc import Callable

import numpy as np
import pandas
import pytest

from mining.frames.comparisons import TwoShares
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import GroupSums, arm_effects
from privacy.library.designs import grouping
from privacy.regression.formula_regression import logistic_regression
from tests.fixtures.refusals import refused
from tests.mining.frames.surveys import ARM, TRIAL, TRIAL_REPORTS, TRIAL_SENT

OPEN = pandas.DataFrame({"a": [1] * 4 + [0] * 4, "b": [1, 1, 1, 0, 1, 0, 0, 0]})
REPORTS = Survey(blocks={"x": ["c"]}, p=0.5, open=["a", "b"]).on(OPEN.assign(c=0))


def test_comparisons_of_open_answers_match_a_hand_calculation() -> None:
    found = REPORTS.compare("b", by="a")
    table = found.to_frame()
    assert table.unclipped.tolist() == pytest.approx([0.75, 0.25, 0.5, 1.5])
    # Eight people are too few for figures.
    assert set(table.basis) == {"too few"}
    assert table.estimate.isna().all()
    assert [*table.low] == [0, 0, -1, 0]
    assert table.index.tolist() == ["with a", "without a", "difference", "lift"]
    low, high = found.interval()
    assert (low, high) == (table.low["difference"], table.high["difference"])
    assert np.isnan(found.p_value)
    assert "no p-value: too few answers" in found.summary()
    assert "few rows" in found.summary()
    assert "few answers: 8; intervals" in found.summary()
    assert "difference too few answers to say: -1 to 1" in repr(found)
    assert "<table" in found._repr_html_()


def one_undisguised_group(seed: int, *, disguised: bool) -> pandas.DataFrame:
    """1,500 people in two groups, with 2% and 60% yes; the rows of group x are disguised or not."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["x", "y"], 1500)
    truth = pandas.DataFrame({"a": rng.random(1500) < np.where(group == "x", 0.02, 0.6)})
    sent = ONE.disguise(truth, seed=seed).a
    return pandas.DataFrame(
        {"a": sent if disguised else sent.where(group == "y", truth.a.astype(int)), "g": group}
    )


ONE = Survey(blocks={"q": ["a"]}, p=0.5)
ASK = {
    "arms": lambda frame: ONE.on(frame).arms("g"),
    "compare": lambda frame: ONE.on(frame).compare("a", by="g", at="x"),
    "compare, yes or no": lambda frame: ONE.on(frame.assign(h=frame.g == "x")).compare("a", by="h"),
    "regression": lambda frame: ONE.on(frame).regression("a ~ g"),
    "logistic_regression": lambda frame: logistic_regression(frame, "a ~ g", designs=LAW),
}
LAW = grouping(p=0.5, theta=0.5, block="q")


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK.keys())
def test_a_group_that_was_not_disguised_is_named(ask: Callable[[pandas.DataFrame], object]) -> None:
    """The total fits the design. Differences were above 1, and regressions blamed the predictor."""
    frame = one_undisguised_group(1, disguised=False)
    assert ONE.on(frame).share("a").n == 1500
    with pytest.raises(PrivacyError, match=r"contradict the design.*(g = x|h = yes)") as caught:
        ask(frame)
    assert caught.value.code == "misfit"
    ask(one_undisguised_group(1, disguised=True))


@pytest.mark.soak
def test_honest_groups_are_refused_at_most_once_in_ten_thousand_tables() -> None:
    """No one has the answer, so every group is at the end of the design: 200 tables of 25 groups.

    With a false alarm in 1 of 10,000 tables, 3 or more refusals have a probability of 1.3e-6.
    """
    rng = np.random.default_rng(5)
    refusals = 0
    for seed in range(200):
        sent = ONE.disguise(pandas.DataFrame({"a": np.zeros(500)}), seed=seed)
        try:
            ONE.on(sent.assign(g=rng.integers(0, 25, 500))).arms("g")
        except PrivacyError:
            refusals += 1
    assert refusals < 3


def test_denial_moves_only_shares() -> None:
    people = pandas.DataFrame(
        {"a": [1] * 100 + [0] * 100, "b": ([1] * 60 + [0] * 40) + ([1] * 20 + [0] * 80)}
    )
    survey = Survey(blocks={"x": ["c"]}, p=0.5, open=["a", "b"])
    found = survey.on(people.assign(c=[0, 1] * 100)).compare("b", by="a")
    assert found.tipping_denial() == pytest.approx(0.504, abs=5e-4)
    assert found.under_denial(0.0) == pytest.approx(found.interval(), abs=1e-9)
    assert found.under_denial(0.2)[0] < found.interval()[0]
    mean = TwoShares(outcome="b", by="a", rows=found.rows, mean=True)
    for call in (mean.tipping_denial, lambda: mean.under_denial(0.2), mean.then_and_now):
        with refused("denied", "b"):
            call()
    with refused("denied", 1.0):
        found.under_denial(1.0)


def test_two_questions_of_one_block_show_the_change_of_the_same_people() -> None:
    rng = np.random.default_rng(4)
    then = rng.random(4_000) < 0.2
    now = np.where(then, rng.random(4_000) < 0.8, rng.random(4_000) < 0.1)
    survey = Survey(blocks={"smoking": ["then", "now"]}, p=0.6)
    people = pandas.DataFrame({"then": then, "now": now}).astype(int)
    reports = survey.on(survey.disguise(people, seed=6))
    found = reports.compare("now", by="then").then_and_now()
    table = found.to_frame()
    truths = [then.mean(), now.mean(), (now & ~then).mean(), (then & ~now).mean(), now.mean() - then.mean()]
    assert list(table.index) == ["then: then", "now: now", "started", "stopped", "net change"]
    assert np.all(np.abs(table.estimate - truths) < 5 * table.standard_error)
    assert (table.low["net change"], table.high["net change"]) == found.interval()
    assert found.value == pytest.approx(reports.share("now").value - reports.share("then").value)
    assert found.standard_error < np.hypot(
        reports.share("now").standard_error, reports.share("then").standard_error
    )
    assert found.n == 4_000
    assert "net change" in found.summary()
    assert repr(found).startswith("<net change from then to now")


def test_too_few_people_print_no_net_change() -> None:
    survey = Survey(blocks={"smoking": ["then", "now"]}, p=0.6)
    people = pandas.DataFrame({"then": [0, 1] * 10, "now": [1, 1] * 10})
    found = survey.on(survey.disguise(people, seed=6)).compare("now", by="then").then_and_now()
    assert np.isnan(found.standard_error)
    assert found.interval() == (-1.0, 1.0)
    assert "few rows" in found.summary()


def test_arm_comparisons_match_did_it_help() -> None:
    table = TRIAL_REPORTS.arms("arm")
    assert table.index.names == ["item", "arm"]
    assert table.index[:2].tolist() == [("a", "leaflet"), ("a", "talk")]
    scores = np.stack([(TRIAL_SENT[name] - 0.15) / 0.7 for name in ("a", "c")])
    theta = np.array([0.3334, 0.3333, 0.3333])
    jobs = [((option == TRIAL_SENT.job) - 0.4 * theta[at]) / 0.6 for at, option in enumerate("xyz")]
    scores = np.concatenate([scores, jobs])
    inside = [np.asarray(name == ARM) for name in ARM.categories]
    sums = [GroupSums.of(np.ones((5, int(own.sum()))), scores[:, own]) for own in inside]
    known = arm_effects(sums, [[0], [1], [2, 3]])
    assert table.difference.to_numpy() == pytest.approx(known.differences.T.ravel(), abs=1e-9)
    assert table.p_value.unique() == pytest.approx(known.p_values)
    assert table.adjusted.unique() == pytest.approx(list(dict.fromkeys(known.adjusted)))
    assert table.attrs["joint"].p_value == pytest.approx(known.joint.p_value)
    row = table.loc[("a", "talk")]
    assert (row.low, row.high) == pytest.approx(known.interval(2, 0))
    assert (row.named_low, row.named_high) == pytest.approx(known.interval(2, 0, level=1 - 0.05 / 10))
    assert row.named_low < row.low < 0.4 < row.high < row.named_high
    # A category without rows is not an arm.
    heavy = TRIAL.on(TRIAL_SENT.assign(w=1.5, arm=ARM.add_categories("film")), weights="w").arms("arm")
    assert heavy.difference.to_numpy() == pytest.approx(table.difference.to_numpy())


def four(a: int, b: int, c: int, d: int) -> TwoShares:
    """Return a comparison of open answers: a and b of those with x say yes and no, c and d of the others."""
    cells = [(1, 1)] * a + [(1, 0)] * b + [(0, 1)] * c + [(0, 0)] * d
    frame = pandas.DataFrame(cells, columns=["x", "y"])
    survey = Survey(blocks={"q": ["c"]}, p=0.5, open=["x", "y"])
    return survey.on(frame.assign(c=[0, 1] * (len(frame) // 2))).compare("y", by="x")


def test_the_change_of_open_answers_is_that_of_the_four_cells() -> None:
    """60 said yes both times, 40 stopped, 20 started, 80 neither: 100/200, 80/200, .1, .2 and -.1."""
    found = four(60, 40, 20, 80).then_and_now()
    table = found.to_frame()
    assert table.estimate.tolist() == pytest.approx([0.5, 0.4, 0.1, 0.2, -0.1])
    # The changes are 20 times +1 and 40 times -1, so their mean square is .3.
    error = ((0.3 - 0.1**2) / 200) ** 0.5
    assert table.standard_error["net change"] == pytest.approx(error, rel=0.01)
    assert found.standard_error == table.standard_error["net change"]
    assert (found.value, found.n) == (pytest.approx(-0.1), 200)
    wide, narrow = found.interval(0.99), found.interval(0.8)
    assert wide[0] < narrow[0] < -0.1 < narrow[1] < wide[1]
    assert narrow[1] - narrow[0] == pytest.approx(2 * 1.2816 * error, rel=0.03)
    text = found.summary(0.9)
    assert text.startswith("x and y, n = 200, 90% intervals\n")
    assert "few rows" not in text
    assert repr(found).startswith("<net change from x to y: -0.1 [")


def test_a_comparison_states_its_level_and_its_lift_under_denial() -> None:
    """.6 of 100 and .2 of 100. If one in five denied, the lift is divided and multiplied by .8."""
    found = four(60, 40, 20, 80)
    assert found.value == pytest.approx(0.4)
    assert found.to_frame().estimate.tolist() == pytest.approx([0.6, 0.2, 0.4, 0.3 / (0.5 * 0.4)])
    text = found.summary(0.9)
    assert text.startswith("y by x, n = 200, 90% intervals\n")
    assert "few rows" not in text
    low, high = found.to_frame().loc["lift", ["low", "high"]]
    assert found.lift_under_denial(0.2) == pytest.approx((low * 0.8, high / 0.8))
    narrow = found.to_frame(0.8).loc["lift", ["low", "high"]]
    assert found.lift_under_denial(0.5, level=0.8) == pytest.approx((narrow.low / 2, narrow.high * 2))
    with refused("denied", 1.0):
        found.lift_under_denial(1.0)
    with refused("denied", "y"):
        TwoShares(outcome="y", by="x", rows=found.rows, mean=True).lift_under_denial(0.2)
