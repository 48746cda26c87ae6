"""A plan's figures, its text for a protocol and its refusals."""

import math
from typing import Any

import numpy as np
import pandas
import pytest

from mining.frames.answer_kinds import any_of, number, one_of
from mining.frames.plan import times_of
from mining.frames.survey import Survey
from mining.frames.survey_design import column_designs
from privacy.errors import PrivacyError
from privacy.library.cross_table import crosstab
from privacy.library.designs import grouping
from privacy.library.shares import distribution, prevalence
from privacy.planning.power import AskedItem, AskedPair, detectable_difference, power_for_difference
from privacy.planning.protection import PROTECTIONS
from privacy.regression.formula_regression import logistic_regression
from privacy.risk.amplification import promise
from tests.fixtures.refusals import refused
from tests.mining.frames.surveys import WORK
from tests.vectors.designs import choice, live, opened, shielded, yes_no

LAID = WORK.plan(1000, guesses=0.1, wanted=("cheat", "debts"))
KEPT = WORK.plan(1000, guesses=0.1, wanted=("cheat", "debts"), protection=None)


def test_plans_that_keep_the_blocks_match_their_channels() -> None:
    assert KEPT.survey.design == WORK.design
    shown = 0.5 * 0.1 + 0.5 * 0.4
    half = 1.959964 * math.sqrt(shown * (1 - shown) / 1000) / 0.5
    row = KEPT.to_frame().loc["cheat"]
    assert row.half_width == pytest.approx(half, abs=1e-6)
    assert (row.low, row.high) == pytest.approx((0.1 - half, 0.1 + half), abs=1e-6)
    assert row.asked == 1000
    wider = KEPT.to_frame(0.99).loc["cheat", "half_width"]
    assert wider == pytest.approx(half * 2.575829 / 1.959964, abs=1e-6)
    # Each item in its own block.
    items = [AskedItem(truth=0.5, decoy=decoy, share=0.1) for decoy in (0.4, 0.3)]
    pair = AskedPair(first=items[0], second=items[1], skipped=None)
    assert KEPT.power == pytest.approx(power_for_difference(pair, 0.3, 1000))
    assert KEPT.detectable_difference == detectable_difference(pair, 1000)
    line = f"Smallest difference found 8 times in 10: {detectable_difference(pair, 1000):.3f}"
    assert line in KEPT.summary().splitlines()
    assert "Smallest difference" not in WORK.plan(1000).summary()


@pytest.mark.parametrize("strength", PROTECTIONS)
def test_a_new_layout_keeps_the_protection_and_the_questions(strength: str) -> None:
    made = WORK.plan(1000, protection=strength)
    odds = promise(made.survey.design)
    assert odds == made.promise
    assert odds is not None
    assert odds.everything <= PROTECTIONS[strength].everything
    assert odds.answer <= PROTECTIONS[strength].answer
    keys = {question.key for question in WORK.design.questions}
    assert {question.key for question in made.survey.design.questions} == keys
    assert made.power is None


def test_a_new_layout_has_more_power_than_the_original() -> None:
    assert LAID.power is not None
    assert KEPT.power is not None
    assert LAID.power > KEPT.power
    (block,) = LAID.survey.design.blocks
    # By hand: three even answers have 8 rows, and one answer allows p = .6, so 1 + 1.5 * 8.
    assert LAID.promise is not None
    assert (block.truth_probability, LAID.promise.everything) == (6000, 13)


def test_a_planned_number_gets_a_new_epsilon_and_keeps_its_skip() -> None:
    pay = number(low=0, high=79, bin=10, epsilon=3)
    survey = Survey(blocks={"b": ["a"], "pay": pay}, p=0.5, skip={"pay": 0.3, "b": 0.1})
    made = survey.plan(2000, wanted=["pay"])
    assert made.planned.epsilons["pay"] < 3
    row = made.to_frame().loc["pay"]
    assert row.half_width == pytest.approx(made.use.numbers["pay"] * 70)
    assert pandas.isna(row.share)
    assert all(block.refusal for block in made.survey.design.blocks)
    both = survey.plan(2000).use.numbers["pay"]
    assert made.use.numbers["pay"] <= both


def test_options_without_a_guess_share_the_remainder() -> None:
    job = Survey(blocks={"work": {"job": one_of("a", "b", "c"), "perks": any_of("car", "phone")}}, p=0.5)
    shares = job.plan(500, guesses={"job=a": "1/5"}).to_frame().share
    by_answer = job.plan(500, guesses={"job": {"a": "1/5"}})
    assert by_answer.to_frame().share.tolist() == shares.tolist()
    assert shares.to_dict() == pytest.approx(
        {"job=a": 0.2, "job=b": 0.4, "job=c": 0.4, "perks=car": 0.5, "perks=phone": 0.5}
    )


@pytest.mark.parametrize("waves", [2, 3])
def test_waves_share_the_limits_and_their_total_is_stated(waves: int) -> None:
    one = Survey(blocks={"a": ["cheat"]}, p=0.5, skip={"a": 0.3})
    made = one.plan(300, waves=waves)
    assert made.promise is not None
    total = made.promise.waves
    assert total is not None
    assert total.skip is not None
    assert (total.count, total.everything) == (waves, made.promise.everything**waves)
    assert (total.everything <= 9, total.answer <= 4, total.skip <= 9) == (True, True, True)
    # The plan page prints the same widths: ±17.0 and ±24.9 for a question without skips.
    plain = Survey(blocks={"a": ["cheat"]}, p=0.5).plan(300, waves=waves)
    assert round(100 * max(plain.use.widths.values()), 1) == {2: 17.0, 3: 24.9}[waves]
    for text in (made.summary(), made.preregistration(), repr(made)):
        assert f"in all {waves} waves" in text
    kept = one.plan(300, protection=None, waves=waves)
    assert kept.promise is not None
    assert kept.promise.waves is not None
    assert kept.promise.waves.everything == kept.promise.everything**waves
    assert one.plan(300).promise == one.plan(300, waves=1).promise


def test_a_preregistration_contains_what_reviewers_need() -> None:
    text = LAID.preregistration()
    for part in ("p = 0.6", "1,000 people", "6 hypotheses", "cheat", "13 by everything"):
        assert part in text
    assert LAID.survey.design.design_id in text
    assert "odds at most 4 by one answer, 13 by everything" in LAID.summary()
    few = WORK.plan(50)
    assert f"with {few.people_needed} people" in few.summary()
    assert few.people_needed >= 100
    first, second = WORK.plan(400).to_frame().index[:2]
    rare = WORK.plan(400, wanted=(first, second), guesses={first: 0.01, second: 0.01})
    assert rare.people_needed > 400
    assert f"compared, with {rare.people_needed:,} people" in rare.summary()


def test_impossible_plans_are_refused() -> None:
    requests: list[tuple[str, object, dict[str, Any]]] = [
        ("plan", 3, {"wanted": ("cheat", "drugs", "debts")}),
        ("unknown_item", "gone", {"wanted": ["gone"]}),
        ("unknown_item", "gone", {"guesses": {"gone": 0.5}}),
        ("unknown_item", "cheat=maybe", {"guesses": {"cheat": {"maybe": 0.5}}}),
        ("plan", 0, {"people": 0}),
        ("plan", "iron", {"protection": "iron"}),
        *(("plan", waves, {"waves": waves}) for waves in (0, 25, 1.5)),
        *(("plan", share * 10_000, {"guesses": share}) for share in (0, 1)),
    ]
    for code, named, request in requests:
        with refused(code, named):
            WORK.plan(**({"people": 100} | request))
    many = Survey(blocks={f"n{count}": number(low=0, high=9, epsilon=3) for count in range(12)})
    with refused("plan", "strong"):
        many.plan(100, protection="strong")


def test_a_plan_states_how_pairs_will_be_predicted() -> None:
    """With two of eight questions each, one in 28 people is asked a pair, so 100 people need 2,800."""
    survey = Survey(blocks={"b": [f"q{at}" for at in range(8)]}, p=0.5, questions_per_person={"b": 2})
    assert survey.plan(2800, protection=None).prediction == "shrunk"
    assert survey.plan(2799, protection=None).prediction == "pooled"
    # Fewer than 20 pairs are pooled, however many people answer. Two items have no other pairs.
    few = Survey(blocks={"b": ["a", "b", "c"]}, p=0.5)
    assert few.plan(100_000, protection=None).prediction == "pooled"
    assert Survey(blocks={"b": ["a", "b"]}, p=0.5).plan(1000, protection=None).prediction is None


def test_two_times_are_laid_out_under_one_coin_and_told_the_width_of_the_change() -> None:
    """±5.6 points with 1,000 people, 80% sure from one answer and 88% from both; ±12.6 from two waves."""
    survey = Survey(blocks={"a": ["then"], "b": ["now"]}, p=0.6)
    guesses = {"then": 0.1, "now": 0.08}
    plan = survey.plan(1000, guesses=guesses, wanted=("then", "now"), protection="medium")
    assert len(plan.survey.design.blocks) == 1
    assert plan.promise is not None
    assert (plan.promise.answer, plan.promise.everything) == (4, 7)
    assert plan.change_half_width == pytest.approx(0.0564, abs=5e-5)
    assert "±0.056" in plan.summary()
    wave = Survey(blocks={"a": ["now"]}, p=0.6).plan(
        1000, guesses={"now": 0.1}, wanted=("now",), protection="medium", waves=2
    )
    assert wave.change_half_width is None
    assert "Net change" not in wave.summary()
    assert math.hypot(*[wave.to_frame().half_width["now"]] * 2) == pytest.approx(0.126, abs=1e-3)


def test_two_times_are_two_different_disguised_yes_no_questions() -> None:
    design = live(
        opened("o", yes_no("old")),
        shielded("a", 5000, yes_no("then", 5000), yes_no("now", 5000), choice("mood", 5000, 5000)),
    )
    assert times_of(design, ["then", "now"]) == ("then", "now")
    for keys in (["then"], ["then", "then"], ["then", "old"], ["then", "mood=o0"], ["then", "now", "old"]):
        with refused("plan"):
            times_of(design, keys)


def test_column_functions_use_the_designs_of_a_survey() -> None:
    """Two questions of a block share its coin; choices, and names that are no valid keys, keep names."""
    survey = Survey(
        blocks={"work": ["cheat", "poor sleep"], "time": {"often": one_of("never", "once a week")}},
        p=0.6,
        theta=0.4,
        open=["sex"],
    )
    rng = np.random.default_rng(1)
    names = ["cheat", "poor sleep", "sex"]
    truth = pandas.DataFrame(rng.random((4000, 3)) < [0.3, 0.5, 0.5], columns=names)
    truth["often"] = np.where(rng.random(4000) < 0.2, "once a week", "never")
    sent = survey.disguise(truth.replace({True: 1, False: 0}), seed=1)
    cross = crosstab(sent, "cheat", "poor sleep", designs=survey)
    coin = grouping(p=0.6, theta=0.4, block="work")
    by_coin = crosstab(sent, "cheat", "poor sleep", designs=coin)
    assert cross.share("yes", "yes").value == by_coin.share("yes", "yes").value
    reports = survey.on(sent)
    assert cross.share("yes", "yes").value == pytest.approx(reports.share("cheat", "poor sleep").value)
    other = crosstab(sent, "often", "sex", designs=survey).share("once a week", "yes").value
    assert other == pytest.approx((truth.often == "once a week").mean() / 2, abs=0.05)
    # Shares and regressions agree too.
    assert prevalence(sent["poor sleep"], survey).value == prevalence(sent["poor sleep"], coin).value
    assert list(distribution(sent.often, survey).index) == ["never", "once a week"]
    fit = logistic_regression(sent, "cheat ~ sex", designs=survey)
    assert fit.params.equals(reports.regression("cheat ~ sex").params)
    by_coin = logistic_regression(sent, "cheat ~ sex", designs={"cheat": coin})
    assert fit.params.tolist() == pytest.approx(by_coin.params.tolist())
    with refused("designs", "wages"):
        prevalence(sent.sex.rename("wages"), survey)


@pytest.mark.parametrize("stated", [{"skip": {"b": 0.1}}, {"light": 0.9}, {"questions_per_person": {"b": 1}}])
def test_column_functions_refuse_skips_rotation_and_two_groups(stated: dict[str, Any]) -> None:
    survey = Survey(blocks={"b": ["x", "y"]}, p=0.5, theta=0.5, **stated)
    with pytest.raises(PrivacyError, match="compare"):
        crosstab(pandas.DataFrame({"x": [1], "y": [0]}), "x", "y", designs=survey)
    with pytest.raises(PrivacyError, match=r"share\(\.\.\.\)"):
        prevalence(pandas.Series([1, 0], name="x"), survey)


def test_decoys_of_options_are_stated_together_or_one_by_one() -> None:
    work = {"work": {"cheat": None, "perks": any_of("car", "phone")}}

    def decoys(theta: object) -> list[tuple[int, ...]]:
        return [question.unrelated for question in Survey(work, p=0.5, theta=theta).design.questions]

    assert decoys(0.2) == [(2000,)] * 3
    assert decoys({"cheat": 0.5, "perks": 0.3}) == [(5000,), (3000,), (3000,)]
    assert decoys({"cheat": 0.5, "perks": {"car": 0.3, "phone": 0.4}}) == [(5000,), (3000,), (4000,)]
    with refused("blocks", "bike", "theta of perks"):
        decoys({"cheat": 0.5, "perks": {"bike": 0.3}})
    with refused("blocks", "phone", "theta"):
        decoys({"cheat": 0.5, "perks": {"car": 0.3}})
    for theta in (0, 1):
        with refused("blocks", "cheat"):
            decoys({"cheat": theta, "perks": 0.3})


def test_open_questions_share_a_block() -> None:
    survey = Survey({"b": ["a"]}, p=0.5, open={"city": None, "kids": one_of("0", "1", "2")})
    assert [block.key for block in survey.design.blocks] == ["open", "b"]
    assert [question.key for question in survey.design.blocks[0].questions] == ["city", "kids"]
    assert not survey.design.blocks[0].protected


def test_questions_of_a_block_share_its_coin() -> None:
    job = Survey(blocks={"work": {"job": one_of("a", "b", "c")}, "money": {"pay": one_of("a", "b")}}, p=0.5)
    found = column_designs(job.design, job.names)
    assert [(own.shared_coin, own.block) for own in found.values()] == [(True, "work"), (True, "money")]


def test_names_that_are_no_keys_get_one_that_is_free() -> None:
    survey = Survey({"b": ["q1", "poor sleep", "self=harm", "poor sleep too", "sleep = poor"]}, p=0.5)
    keys = [question.key for question in survey.design.questions]
    assert keys == ["q1", "q2", "self_harm", "q3", "q4"]
    assert survey.names == {
        "q2": "poor sleep", "self_harm": "self=harm", "q3": "poor sleep too", "q4": "sleep = poor"
    }  # fmt: skip


def test_a_plan_simulates_its_guesses_or_given_people() -> None:
    """Certain up to 1e-6: 10% and 90% of 1,000 people are 30 errors of a share apart."""
    shares = []
    people = pandas.DataFrame({"cheat": [1] * 9 + [0], "drugs": 0, "debts": 0})
    for drawn in (None, people):
        found = KEPT.simulate(
            lambda reports: reports.share("cheat"), drawn, rng=np.random.default_rng(2), surveys=2
        )
        shares.append((found.low.iloc[0] + found.high.iloc[0]) / 2)
    assert shares == pytest.approx([0.1, 0.9], abs=0.2)


def test_wrong_names_and_options_of_a_survey_are_refused() -> None:
    wrong = {"p": {"b": 0.5, "c": 0.5}}, {"p": 0.5, "light": {"c": 0.9}}, {"p": 0.5, "skip": {"c": 0.1}}
    for more in wrong:
        with refused("blocks", "'c'"):
            Survey({"b": ["a"]}, **more)  # type: ignore[arg-type]
    with refused("duplicate_key", "car"):
        Survey({"b": {"perks": any_of("car", "car")}}, p=0.5)
    with refused("blocks", "strong"):
        Survey({"b": ["a"]}, p=0.5, questions_per_person="strong")  # type: ignore[arg-type]
