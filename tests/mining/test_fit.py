"""The fit check: rotation, two strengths, skips, numbers, weights and clusters pass; slips do not."""

import numpy as np
import pandas
import pytest

from mining.columns.row_patterns import SentCounts
from mining.frames.plan import number, one_of
from mining.frames.survey import Survey
from mining.pipeline import _of_number
from privacy.errors import PrivacyError
from tests.fixtures.refusals import refused

N = 800
ITEMS = [f"q{at}" for at in range(60)]


@pytest.mark.parametrize("share", [0, 1])
def test_rotating_weighted_clustered_surveys_fit_at_shares_0_and_1(share: int) -> None:
    survey = Survey(blocks={"b": ITEMS[:30], "c": ITEMS[30:]}, p=0.6, questions_per_person={"b": 4, "c": 4})
    reports = survey.disguise(pandas.DataFrame(dict.fromkeys(ITEMS, [share] * N)), seed=56)
    reports["w"] = np.random.default_rng(56).uniform(0.2, 5, N)
    reports["school"] = np.repeat(np.arange(20), N // 20)
    figure = survey.on(reports, weights="w", clusters="school").share("q0")
    low, high = figure.interval(0.999999)
    assert low <= share <= high


@pytest.mark.parametrize("share", [0, 1])
def test_two_strengths_skips_choices_and_numbers_fit(share: int) -> None:
    survey = Survey(
        blocks={
            "work": ["cheat", "drugs"],
            "place": {"where": one_of("home", "school", "road")},
            "age": number(low=0, high=79, bin=10, epsilon=1),
        },
        p={"work": 0.5, "place": 0.4, "age": 0.5},
        skip={"work": 0.2, "age": 0.4},
    )
    truth = {
        "cheat": share,
        "drugs": share,
        "where": "home",
        "age": 75 * share,
        "work.skipped": 0,
        "age.skipped": 0,
    }
    survey.on(survey.disguise(pandas.DataFrame([truth] * N), seed=56))


def test_undisguised_columns_are_refused_before_any_estimate() -> None:
    survey = Survey(blocks={"work": ["cheat", "drugs"]}, p=0.5)
    frame = pandas.DataFrame({"cheat": [1] * 60 + [0] * 740, "drugs": [1, 0] * 400})
    with refused("misfit", "cheat"):
        survey.on(frame)


def test_undisguised_numbers_are_refused() -> None:
    survey = Survey(blocks={"age": number(low=0, high=79, bin=10, epsilon=0.5)})
    sent = survey.disguise(pandas.DataFrame({"age": [5] * N}), seed=56)
    survey.on(sent)
    with pytest.raises(PrivacyError, match="sent by another disguise"):
        survey.on(pandas.DataFrame({"age": [sent["age"].max()] * N}))


def test_pairs_reveal_one_coin_stated_as_two() -> None:
    one = Survey(blocks={"work": ["cheat", "drugs"]}, p=0.5)
    two = Survey(blocks={"a": ["cheat"], "b": ["drugs"]}, p=0.5)
    truth = pandas.DataFrame({"cheat": [1] * 10_000, "drugs": [1] * 10_000})
    reports = one.disguise(truth, seed=56)
    one.on(reports)
    with pytest.raises(PrivacyError, match="questions that share a coin differ"):
        two.on(reports)


def test_the_channel_of_a_skippable_number_is_exact() -> None:
    survey = Survey(blocks={"age": number(low=0, high=79, bin=10, epsilon=1)}, skip={"age": 0.4})
    skipping = survey.design.blocks[0].skipping
    assert skipping is not None
    exact = skipping.channel.as_array()
    counts = np.zeros(len(exact), dtype=np.int64)
    sent = SentCounts(direct=counts, protected=counts)
    (reported,) = _of_number(survey.design, 0, sent)
    assert reported.low[0] == pytest.approx(exact.min(axis=1), abs=1e-12)
    assert reported.high[0] == pytest.approx(exact.max(axis=1), abs=1e-12)
