"""Means of a number in groups, by hand and over all reports."""

import itertools

import numpy as np
import pandas
import pytest

from mining.frames.answer_kinds import number
from mining.frames.survey import Survey
from tests.fixtures.refusals import refused

PAY = Survey(
    blocks={"pay": number(low=0, high=29, bin=10, epsilon=2, mechanism="keep"), "work": ["cheat"]}, p=0.5
)
CHANNEL = PAY.design.questions[0].disguise.channel.as_array()  # type: ignore[union-attr]
MIDDLES = np.array([4.5, 14.5, 24.5])


def every_report(truth: dict[tuple[int, int], float]) -> pandas.DataFrame:
    """Return all reports of these people (bin of pay, cheat) with their probabilities as weights."""
    rows = [
        (sent, yes, share * CHANNEL[sent, own] * (0.75 if yes == has else 0.25))
        for (own, has), share in truth.items()
        for sent, yes in itertools.product(range(len(CHANNEL)), (0, 1))
    ]
    return pandas.DataFrame(rows, columns=["pay", "cheat", "w"])


TRUTH = {(0, 0): 0.4, (2, 0): 0.1, (1, 1): 0.2, (2, 1): 0.3}


def test_means_by_a_disguised_answer_are_those_of_the_truth_over_all_reports() -> None:
    assert len(CHANNEL) == 3
    means = PAY.on(every_report(TRUTH), weights="w").means("pay", "cheat")
    has = (0.2 * 14.5 + 0.3 * 24.5) / 0.5
    assert means.unclipped.to_dict() == pytest.approx({"cheat": has, "not cheat": 0.8 * 4.5 + 0.2 * 24.5})


def test_means_by_a_column_are_those_of_its_rows() -> None:
    rng = np.random.default_rng(1)
    truth = pandas.DataFrame({"pay": rng.choice([0, 10, 20], 900), "cheat": 0})
    sent = PAY.disguise(truth, seed=3).assign(town=np.repeat(["c", "a", "b"], 300))
    means = PAY.on(sent).means("pay", "town")
    for town in "abc":
        alone = PAY.on(sent[sent.town == town]).mean("pay")
        assert means.unclipped[town] == pytest.approx(alone.value)
        assert means.standard_error[town] == pytest.approx(alone.standard_error)
        assert (means.low[town], means.high[town]) == pytest.approx(alone.interval())
    assert means.n.tolist() == [300] * 3
    assert (means.index.name, means.index.tolist()) == ("town", ["a", "b", "c"])


def test_few_people_in_a_group_have_no_mean() -> None:
    truth = pandas.DataFrame({"pay": [0] * 200, "cheat": 0})
    sent = PAY.disguise(truth, seed=3).assign(town=["rare"] * 20 + ["common"] * 180)
    means = PAY.on(sent).means("pay", "town")
    assert means.basis["rare"] == "too few"
    assert (means.low["rare"], means.high["rare"]) == (4.5, 24.5)


def test_groups_that_cannot_be_formed_are_refused() -> None:
    sent = PAY.disguise(pandas.DataFrame({"pay": [0] * 50, "cheat": 0}), seed=1)
    sent = sent.assign(row=range(50), some=[None, *range(49)])
    reports = PAY.on(sent)
    with refused("reports", "'row'", "50 values"):
        reports.means("pay", "row")
    with refused("reports", "21 values"):
        PAY.on(sent.assign(row=sent.row.clip(upper=20))).means("pay", "row")
    assert len(PAY.on(sent.assign(row=sent.row.clip(upper=19))).means("pay", "row")) == 20
    with refused("reports", "cheat"):
        reports.means("cheat", "row")
    with refused("reports", "pay"):
        reports.means("pay", "pay")
    with refused("frame", "'some'"):
        reports.means("pay", "some")
    with refused("frame", "'nothing'"):
        reports.means("pay", "nothing")
    skipped = Survey(
        blocks={"pay": number(low=0, high=29, bin=10, epsilon=2), "work": ["cheat"]},
        p=0.5,
        skip={"work": 0.2},
    )
    own = skipped.disguise(pandas.DataFrame({"pay": [0] * 50, "cheat": 0}), seed=1)
    with refused("reports", "skip 'cheat'"):
        skipped.on(own).means("pay", "cheat")
