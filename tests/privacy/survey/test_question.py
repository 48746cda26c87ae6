from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from privacy.scales.window import WindowChannel
from privacy.survey.choices import YesNo
from privacy.survey.composite import Composite
from privacy.survey.design import Question
from tests.fixtures.refusals import refused
from tests.vectors.composite_designs import NONE_LEFT, at_least, yes
from tests.vectors.designs import choice, yes_no


def _question(**changes: Any) -> Question:
    parts: dict[str, Any] = {"key": "q", "kind": "yes_no", "options": (), "unrelated": (5000,)}
    return Question(**(parts | changes))


@pytest.mark.parametrize("theta", [0, 10_000, -1, 10_001])
def test_decoy_probabilities_of_zero_or_one_are_rejected(theta: int) -> None:
    with refused("unrelated_probability", theta, "q"):
        _question(unrelated=(theta,))


@pytest.mark.parametrize("theta", [True, 0.5, "5000", None])
def test_unrelated_probabilities_must_be_whole_numbers(theta: object) -> None:
    with refused("unrelated_probability", repr(theta)):
        _question(unrelated=(theta,))


@pytest.mark.parametrize(
    ("kind", "options", "shares"),
    [("yes_no", (), (5000, 5000)), ("single", ("a", "b"), (9999,)), ("multi", ("a", "b"), (1, 1, 1))],
)
def test_each_item_needs_one_decoy_probability(
    kind: str, options: tuple[str, ...], shares: tuple[int, ...]
) -> None:
    with refused("unrelated_probability", shares):
        _question(kind=kind, options=options, unrelated=shares)


def test_duplicate_options_are_rejected() -> None:
    with refused("duplicate_key", "'a'"):
        _question(kind="multi", options=("a", "b", "a"), unrelated=())


def test_a_question_has_at_most_two_hundred_options() -> None:
    assert choice("q", options=200).n_items == 200
    with refused("too_large", 201):
        choice("q", options=201)


@pytest.mark.parametrize("kind", ["text", "", None, 1, ["yes_no"]])
def test_unknown_question_kinds_are_rejected(kind: object) -> None:
    with refused("kind", repr(kind)):
        _question(kind=kind)


@pytest.mark.parametrize("options", ["ab", {"a": 1}, None, 2])
def test_options_must_be_a_list(options: object) -> None:
    with refused("malformed", repr(options)):
        _question(kind="multi", options=options)


@pytest.mark.parametrize(
    "changes", [{"key": "a b"}, {"kind": "multi", "options": ("a", "b=c"), "unrelated": ()}]
)
def test_ambiguous_keys_are_rejected(changes: dict[str, Any]) -> None:
    with refused("bad_key"):
        _question(**changes)


ARMS = Question(key="arm", kind="single", options=("a", "b", "c"), unrelated=(), shares=(2000, 3000, 5000))


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "multi"},
        {"unrelated": (2000, 3000, 5000)},
        {"shares": (5000, 5000)},
        {"shares": (2000, 3000, 5001)},
        {"shares": (999, 4001, 5000)},
        {"options": ("a", "b"), "shares": (999, 9001)},
        {"options": tuple("abcdefg"), "shares": (1000,) * 6 + (4000,)},
    ],
)
def test_an_experiment_has_two_to_six_arms_of_at_least_a_tenth(changes: dict[str, Any]) -> None:
    parts = {"key": "arm", "kind": "single", "options": ARMS.options, "shares": ARMS.shares, "unrelated": ()}
    with refused("arms"):
        _question(**(parts | changes))


def test_arms_may_have_a_tenth_or_nine_tenths_and_be_six() -> None:
    assert replace(ARMS, options=("a", "b"), shares=(1000, 9000)).is_arm
    assert replace(ARMS, options=tuple("abcdef"), shares=(1000,) * 5 + (5000,)).n_items == 6
    assert not choice("q", options=3).is_arm


RULE = Composite(components=(yes("a"), yes("b")), missing=NONE_LEFT, levels=at_least(2))


@pytest.mark.parametrize(
    "make",
    [
        lambda: _question(kind="multi", options=("yes", "no"), unrelated=(), computed=RULE),
        lambda: _question(anchor="nobody", computed=RULE),
        lambda: replace(ARMS, options=("yes", "no"), shares=(5000, 5000), computed=RULE),
        lambda: _question(computed=replace(RULE, levels=())),
        lambda: _question(kind="single", options=("yes", "often"), unrelated=(), computed=RULE),
        lambda: _question(kind="single", options=("yes", "no", "often"), unrelated=(), computed=RULE),
    ],
)
def test_a_rule_gives_each_option_of_a_choice_one_level(make: Any) -> None:
    with refused("computed"):
        make()


def test_the_answer_of_a_rule_is_the_position_of_its_option() -> None:
    mood = _question(kind="single", options=("no", "yes"), unrelated=(), computed=RULE)
    assert [mood.computed_value(option) for option in ("no", "yes")] == [0, 1]
    reverse = _question(kind="single", options=("yes", "no"), unrelated=(), computed=RULE)
    assert [reverse.computed_value(option) for option in ("no", "yes")] == [1, 0]


DRUGS = choice("drugs", 3000, 7000, 5000, multi=True)


def test_the_rarest_decoy_of_independent_items_is_the_product_of_their_smaller_shares() -> None:
    assert yes_no("q", 3000).rarest_decoy == Fraction(3, 10)
    assert DRUGS.rarest_decoy == Fraction(3 * 3 * 5, 1000)
    assert (yes_no("q", 3000).least_likely, yes_no("q", 7000).least_likely) == (1, 0)
    assert DRUGS.least_likely == (1, 0, 1), "of two equally unlikely answers, the one with more items"


@pytest.mark.parametrize(("options", "bits"), [(2, 1), (3, 2), (4, 2), (5, 3), (200, 8)])
def test_a_choice_takes_the_bits_of_its_options_and_a_tick_one_each(options: int, bits: int) -> None:
    assert choice("q", options=options).width == bits
    assert choice("q", options=options, multi=True).width == options
    assert yes_no("q").width == 1


def test_decoy_shares_run_up_to_one_or_give_a_table_for_each_part() -> None:
    assert choice("q", 2000, 3000, 5000).cumulative == (2000, 5000, 10_000)
    assert DRUGS.tables((3000, 7000, 5000)) == [[7000, 3000], [3000, 7000], [5000, 5000]]
    assert DRUGS.of_tables(iter(np.array(DRUGS.tables(DRUGS.unrelated)))) == [3000, 7000, 5000]
    assert (DRUGS.even_shares, yes_no("q").even_shares) == ((5000,) * 3, (5000,))
    assert choice("q", options=3).even_shares == (3334, 3333, 3333)


def test_answers_are_read_within_their_range_and_split_into_parts() -> None:
    question, mood = yes_no("q", 3000), choice("mood", 2000, 3000, 5000)
    assert [question.read(answer) for answer in (0, 1)] == [0, 1]
    assert mood.read(2) == 2
    for refusing, answer in ((question, -1), (question, 2), (mood, 3), (question, True)):
        with refused("answer", answer):
            refusing.read(answer)
    assert (question.ticks(1), question.ticks((None,))) == ((1,), (None,))
    assert [question.probabilities((3000,), answer) for answer in (0, 1, (None,))] == [[7000], [3000], []]
    assert DRUGS.probabilities(DRUGS.unrelated, (1, None, 0)) == [3000, 5000]


def test_a_number_has_no_decoy_shares_without_items_or_as_answered() -> None:
    ages = NumberRange(low=0, high=9)
    keep = WindowChannel(mechanism="keep", range=ages, window=1, floor=1, peak=4)
    spans = ((0, 4), (9, 9))
    plain = _question(kind="number", unrelated=(), disguise=keep)
    banded = _question(
        kind="number", options=("low", "top"), unrelated=(), disguise=replace(keep, spans=spans)
    )
    as_given = replace(banded, disguise=replace(as_answered(ages), spans=spans))
    assert (plain.decoy_shares, as_given.decoy_shares) == ((), ())
    assert banded.decoy_shares == (Fraction(1, 2), Fraction(1, 10))
    with refused("unrelated_probability"):
        replace(banded, unrelated=(1, 1))
    with refused("disguise"):
        _question(disguise=keep)


def test_a_class_of_questions_has_only_its_own_kind() -> None:
    with refused("kind", "'single'"):
        YesNo(key="q", kind="single", options=("a", "b"), unrelated=())
    assert type(_question(kind="single", options=("a", "b"), unrelated=())) is not type(_question())


def test_anchors_and_rules_of_another_kind_are_refused() -> None:
    with refused("anchor", "maybe"):
        Question(key="a", kind="yes_no", options=(), unrelated=(5000,), anchor="maybe")
    rule: Any = ("a", 1)
    with pytest.raises(PrivacyError):
        Question(key="a", kind="yes_no", options=(), unrelated=(5000,), computed=rule)
