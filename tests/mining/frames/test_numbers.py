"""Quantiles and bars of numbers, and randomised groups, agree with the product's figures."""

from collections.abc import Callable

import numpy as np
import pandas
import pytest

from mining.columns.row_patterns import sent_counts
from mining.frames.answer_kinds import number, one_of
from mining.frames.survey import Survey
from privacy.estimation.arm_effects import GroupSums, arm_effects
from privacy.scales.region_share import bars, quantiles
from tests.fixtures.refusals import refused

SURVEY = Survey(
    blocks={
        "b": ["a", "c"],
        "m": {"job": one_of("x", "y", "z")},
        "pay": number(low=0, high=79, bin=10, epsilon=3),
    },
    p={"b": 0.7, "m": 0.6},
)
RNG = np.random.default_rng(12)
N = 3000
ARM = pandas.Categorical(RNG.choice(["none", "leaflet", "talk"], N), ["none", "leaflet", "talk"])
TRUTH = pandas.DataFrame(
    {
        "a": RNG.random(N) < np.where(ARM == "talk", 0.6, 0.2),
        "c": RNG.random(N) < 0.5,
        "job": RNG.choice(["x", "y", "z"], N),
        "pay": RNG.integers(0, 80, N),
    }
)
SENT = SURVEY.disguise(TRUTH, seed=4).assign(arm=ARM, school=np.arange(N) % 30)
REPORTS = SURVEY.on(SENT)


def test_medians_and_bars_match_the_product() -> None:
    channel = SURVEY.design.questions[3].disguise
    groups = sent_counts(SURVEY.design, 3, REPORTS.packed).groups(channel)
    (wanted,) = quantiles(channel, groups, [0.5])
    median = REPORTS.quantile("pay")
    assert median == wanted
    assert median.low < TRUTH.pay.median() < median.high
    table = REPORTS.histogram("pay")
    assert table.index.tolist()[:2] == ["0–9", "10–19"]
    every = bars(channel, groups)
    assert table.share.tolist() == every.shares.tolist()
    assert table.high.tolist() == every.high.tolist()


def test_disguised_values_never_count_as_true_answers() -> None:
    assert REPORTS.compare("a", by="job", at="x").interval() == REPORTS.compare("a", by="job=x").interval()
    requests: dict[str, Callable[[], object]] = {
        "job": lambda: REPORTS.compare("job", by="a"),
        "c": lambda: REPORTS.compare("a", by="c", at="no"),
        "pay": lambda: REPORTS.regression("a ~ c + np.log(pay + 1)"),
        "a": lambda: REPORTS.arms("a"),
    }
    for name, request in requests.items():
        with refused("reports", f"{name!r} are disguised"):
            request()


def test_numbers_of_other_types_are_read_as_python_numbers() -> None:
    assert number(low=np.int64(0), high=np.float64(79), bin=10) == number(low=0, high=79, bin=10)
    dropped = SURVEY.on(
        SENT.assign(pay=SENT.pay.astype(object).where(SENT.index > 4, pandas.NA)), missing="drop"
    )
    assert dropped.dropped == 5


@pytest.mark.filterwarnings("error")
def test_small_samples_give_few_bars_or_none() -> None:
    rows = {n: len(SURVEY.on(SENT.head(n)).histogram("pay")) for n in (20, 120, 3000)}
    assert rows[20] == 0
    assert 2 <= rows[120] < rows[3000] == 8


def test_arm_comparisons_match_did_it_help() -> None:
    table = REPORTS.arms("arm")
    assert table.index.names == ["item", "arm"]
    assert table.index[:2].tolist() == [("a", "leaflet"), ("a", "talk")]
    scores = np.stack([(SENT[name] - 0.15) / 0.7 for name in ("a", "c")])
    theta = np.array([0.3334, 0.3333, 0.3333])
    jobs = [((option == SENT.job) - 0.4 * theta[at]) / 0.6 for at, option in enumerate("xyz")]
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
    heavy = SURVEY.on(SENT.assign(w=1.5, arm=ARM.add_categories("film")), weights="w").arms("arm")
    assert heavy.difference.to_numpy() == pytest.approx(table.difference.to_numpy())


def test_questions_without_quantiles_or_arms_are_refused() -> None:
    with refused("reports", "weights w"):
        SURVEY.on(SENT.assign(w=1.5), weights="w").quantile("pay")
    with refused("lone", "a"):
        REPORTS.histogram("a")
    with refused("unknown_question", "wage"):
        REPORTS.quantile("wage")
    with refused("share"):
        REPORTS.quantile("pay", 1)
    with refused("reports", "one"):
        SURVEY.on(SENT.assign(one="x")).arms("one")
    with refused("reports", "arm"):
        SURVEY.on(SENT, clusters="school").arms("arm")
    with refused("frame", "arm"):
        SURVEY.on(SENT.assign(arm=SENT.arm.where(SENT.index > 3))).arms("arm")
