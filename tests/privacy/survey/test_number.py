"""A number that is stored as answered is an identity channel in an open block, never counted as protected."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Part, Side, event_factors
from privacy.risk.amplification import promise
from privacy.risk.budget import block_budget, budget, question_odds
from privacy.risk.design_audit import audit_design
from privacy.risk.open_answers import combinations_of, open_questions
from privacy.scales.decoded_numbers import MEAN, mean
from privacy.scales.number_range import NumberRange
from privacy.scales.number_statement import stated_number
from privacy.scales.numeric_mechanisms import as_answered, shift, square_wave
from privacy.scales.quantities import bars
from privacy.scales.scale_groups import scale_groups
from privacy.scales.window import AS_ANSWERED, WindowChannel
from privacy.survey.block_channel import block_channel
from privacy.survey.composite import Composite
from privacy.survey.design import Block, Condition, Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from tests.fixtures.refusals import refused
from tests.vectors.composite_designs import NONE_LEFT, at_least, scored
from tests.vectors.designs import CHOICE, live, opened, shielded, yes_no
from tests.vectors.scale_designs import KEEP, PLACES, open_number, scale_block

HOURS = as_answered(NumberRange(low=0, high=24))
SLEEP = open_number("sleep", replace(HOURS, spans=((0, 5), (9, 24))), "short", "long")
SECRET = shielded("a", 6000, yes_no("affair", 5000), refusal=2500)
DESIGN = live(SLEEP, SECRET)


def test_open_numbers_accept_only_the_identity() -> None:
    for changes in ({"floor": 1}, {"peak": 2}, {"window": 2}, {"coin": 2, "step": 0}):
        with refused("disguise"):
            replace(HOURS, **changes)  # type: ignore[arg-type]


def test_channels_state_which_answers_are_sent_themselves() -> None:
    place = PLACES["utility-optimised"].questions[0].disguise
    assert place is not None
    channels = (HOURS, replace(HOURS, range=NumberRange(low=1, high=24)), KEEP, place)
    assert [channel.sends_the_answer for channel in channels] == [True, False, False, False]
    assert [channel.exact_outside for channel in channels] == [False, False, False, True]


def test_numbers_without_epsilon_are_stored_as_answered() -> None:
    stated = {"low": 0, "high": 24, "bin": 1, "items": [{"key": "short", "from": 0, "to": 5}]}
    found = stated_number(stated)
    assert (found.disguise, found.options) == (replace(HOURS, spans=((0, 5),)), ("short",))
    for one in ({"mechanism": "keep"}, {"epsilon": 2}):
        with refused("malformed"):
            stated_number(stated | one)
    with refused("mechanism"):
        stated_number(stated | {"mechanism": AS_ANSWERED, "epsilon": 2})


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"questions": (*SLEEP.questions, yes_no("city"))}, "lone"),
        ({"protected": True, "truth_probability": 0}, "disguise"),
        ({"questions": (replace(SLEEP.questions[0], options=(), disguise=KEEP),)}, "disguise"),
        ({"questions": PLACES["utility-optimised"].questions}, "lone"),
        ({"truth_probability": 0}, "truth_probability"),
        ({"refusal": 2500}, "refusal"),
        ({"light": 6000}, "light"),
        ({"questions_per_person": 1}, "questions_per_person"),
    ],
)
def test_open_number_blocks_reject_other_settings(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(SLEEP, **changes)


def test_open_numbers_cannot_be_in_protected_study_blocks() -> None:
    question = SLEEP.questions[0]
    with refused("disguise", "sleep"):
        Block(key="b", protected=True, truth_probability=0, questions=(question,))


def test_open_numbers_survive_a_json_round_trip() -> None:
    document = json.loads(json.dumps(DESIGN.to_json()))
    assert Design.from_json(document) == DESIGN
    assert Design.from_json(document).design_id == DESIGN.design_id
    assert document["blocks"][0]["truth_probability"] == 10_000
    assert document["blocks"][0]["questions"][0]["disguise"]["mechanism"] == AS_ANSWERED


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("hours", [None, 0, 7, 24])
def test_devices_send_open_numbers_unchanged_or_empty(hours: int | None, direct: bool) -> None:
    design = replace(DESIGN, group=CHOICE)
    answers = {"b-sleep": {} if hours is None else {"sleep": hours}, "a": {"affair": 1}}
    for words in ([0, 0, 0], [9_999] * 3):
        coins = Coins(words)
        record = disguise(design, answers, direct=direct, coins=coins)
        assert record.answers[0] == (hours,)
        assert coins.words_read == design.draws == SECRET.n_draws
        body = Layout(design).pack(record)
        assert Layout(design).unpack(body) == record


def test_answers_out_of_range_are_rejected() -> None:
    with refused("answer", "sleep"):
        disguise(DESIGN, {"b-sleep": {"sleep": 25}, "a": {"affair": 1}}, direct=False, coins=Coins([0] * 3))


def test_open_numbers_add_nothing_to_budget_or_promise() -> None:
    alone = live(SECRET)
    assert budget(DESIGN) == budget(alone)
    assert promise(DESIGN) == promise(alone)
    assert promise(live(SLEEP)) is None
    for asked in (block_budget, question_odds, block_channel):
        with refused("open_block", "b-sleep"):
            asked(SLEEP)


def test_audits_count_open_numbers_as_open_questions() -> None:
    audit = audit_design(DESIGN, {"affair": [2000]}, n=100)
    assert audit.lone == ()
    assert audit.open.questions == ("sleep",)
    assert audit.open.combinations == combinations_of(DESIGN) == 25
    assert [question.key for question in open_questions(DESIGN)] == ["sleep"]


def test_conditions_cannot_use_numbers() -> None:
    with refused("asked_if", "sleep"):
        live(SLEEP, replace(SECRET, asked_if=Condition(question="sleep", options=("short",))))


def test_estimates_match_the_rows() -> None:
    counts = np.bincount([4, 4, 6, 7, 7, 7, 8, 10, 12], minlength=25)
    channel = SLEEP.questions[0].disguise
    assert isinstance(channel, WindowChannel)
    groups = scale_groups(channel, counts)
    middle = mean(channel, groups)
    assert middle.value == pytest.approx(65 / 9)
    values = np.repeat(np.arange(25), counts)
    assert middle.standard_error == pytest.approx(values.std() / 3)
    assert bars(channel, groups, [0, 6, 9, 25]).value == pytest.approx([2 / 9, 5 / 9, 2 / 9])


def test_range_scores_are_0_or_1_and_mean_scores_the_relative_position() -> None:
    (inside,) = event_factors(Side(parts=(Part(question=0, target=(6, 8)),)), DESIGN)
    own = inside.scores[0]
    assert own[:25].tolist() == [float(6 <= x <= 8) for x in range(25)]
    assert inside.is_open(direct=False)
    (middle,) = event_factors(Side(parts=(Part(question=0, target=MEAN),)), DESIGN)
    assert middle.scores[0][:25] == pytest.approx(np.linspace(0, 1, 25))


def test_places_cannot_be_in_open_blocks() -> None:
    with pytest.raises(PrivacyError) as caught:
        Block(
            key="b", protected=False, truth_probability=10_000,
            questions=PLACES["utility-optimised"].questions,
        )  # fmt: skip
    assert caught.value.case == "lone.open"


def test_disguised_numbers_keep_their_budget_with_open_numbers() -> None:
    both = live(SLEEP, scale_block("age", KEEP), opened("you", yes_no("city")))
    assert [bound.key for bound in budget(both).blocks] == ["b-age"]


def test_a_lighter_number_narrows_its_window() -> None:
    ages = NumberRange(low=0, high=99)
    block = scale_block("age", square_wave(ages, 1.0))
    assert block.lighter(2.0) == square_wave(ages, 2.0)
    assert block.lighter(2.0).window < block.disguise.window  # type: ignore[union-attr]


def test_mechanisms_without_an_epsilon_have_no_lighter_disguise() -> None:
    for channel in (shift(NumberRange(low=0, high=99), 3), KEEP):
        block = scale_block("age", channel)
        assert not block.has_lighter
        with refused("light", channel.mechanism):
            block.lighter(1.0)


RULE = Composite(components=(scored("a", 0, 3), scored("b", 1, 4)), missing=NONE_LEFT)
"""Its sums are 1, 4 and 7."""


def test_a_computed_number_is_whole_without_levels_and_within_its_range() -> None:
    range_ = NumberRange(low=1, high=8, bin=2)
    computed = replace(open_number("sum", as_answered(range_)).questions[0], computed=RULE)
    assert [computed.computed_value(total) for total in (1, 2, 4, 7)] == [0, 0, 1, 3]
    tight = NumberRange(low=1, high=7)
    assert replace(computed, disguise=as_answered(tight)).computed == RULE
    for changes in (
        {"disguise": as_answered(NumberRange(low=2, high=9))},
        {"disguise": as_answered(NumberRange(low=0, high=6))},
        {"disguise": as_answered(NumberRange(low=0, high=99, decimals=1))},
        {"computed": replace(RULE, levels=at_least(2))},
    ):
        with refused("computed"):
            replace(computed, **changes)  # type: ignore[arg-type]


def test_levels_of_a_number_share_its_bins_evenly() -> None:
    hours = open_number("h", as_answered(NumberRange(low=10, high=19, bin=2))).questions[0]
    assert hours.level_ends(2) == (("10", "13"), ("14", "19"))
    assert hours.level_ends(5)[-1] == ("18", "19")
    assert hours.level_ends(6) == ()
