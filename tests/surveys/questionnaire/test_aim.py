"""A survey's aim is stored with the survey, and the builder's page uses the same limits."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from privacy.planning.protection import PROTECTIONS
from privacy.planning.use import use_of
from privacy.risk.promise import percent
from surveys.questionnaire.aim import Aim, aim_or_default
from surveys.questionnaire.unique_words import unique_figure, unique_sentence
from surveys.questionnaire.use_words import (
    change_sentences,
    draft_payoff_sentences,
    item_names,
    short_sentences,
    use_sentences,
)
from tests.fixtures.checked_surveys import protected, survey_of, unprotected, yes_no
from tests.fixtures.planned_drafts import CHOICE, EIGHT, JOB, number_part, planned

SCRIPT = Path(__file__).resolve().parents[3] / "surveys/static/surveys/js/authoring/strength.js"
CEILING = r"\{ up: (\d+)n, down: (\d+)n \}"


def test_the_three_protections_promise_fixed_percentages() -> None:
    found = {
        name: (percent(row.everything), percent(row.answer), percent(row.skip))
        for name, row in PROTECTIONS.items()
    }
    assert found == {"light": (95, 90, 90), "medium": (95, 80, 90), "strong": (88, 70, 80)}


@pytest.mark.parametrize("name", PROTECTIONS)
def test_the_builder_page_uses_the_same_ceilings(name: str) -> None:
    stated = re.search(
        rf"{name}: \{{ everything: {CEILING}, answer: {CEILING}, skip: {CEILING} \}}",
        SCRIPT.read_text(encoding="utf-8"),
    )
    assert stated is not None
    numbers = [int(number) for number in stated.groups()]
    row = PROTECTIONS[name]
    limits = [Fraction(up, down) for up, down in zip(numbers[::2], numbers[1::2], strict=True)]
    assert [row.everything, row.answer, row.skip] == limits


def test_an_aim_survives_a_round_trip_through_json() -> None:
    aim = Aim(people=400, wanted=("a", "c"), shares={"a": 1234}, strength="strong")
    assert Aim.from_json(aim.to_json()) == aim
    assert Aim.from_json(None) is None
    assert (Aim.people_of(aim.to_json()), Aim.people_of(None)) == (400, None)


def test_items_removed_from_the_draft_are_dropped_from_the_aim() -> None:
    design = survey_of(protected("b", yes_no("a"))).design
    aim = Aim(people=400, wanted=("gone", "a"), shares={"gone": 1, "a": 2})
    assert aim.within(design) == Aim(people=400, wanted=("a",), shares={"a": 2})


DRAFT = survey_of(protected("b", yes_no("a"), yes_no("c"), p=6000), protected("d", CHOICE, p=3000))
CHANGE = (
    "If both starred answers ask one thing, then and now, the net change of the same people would be known "
    "within ±%s points. This assumes that both answers are unrelated; if most people stay the same, it is "
    "narrower."
)


def test_starred_estimates_come_first_and_wider_ones_follow() -> None:
    even = {"a": 5000, "c": 5000}
    use = use_of(DRAFT.design, Aim(people=400, wanted=("a", "c"), shares=even))
    said = use_sentences(use, item_names(DRAFT))
    assert said == [
        "400 answers: “Did you ever a?” ±8.2 points, “Did you ever c?” ±8.2 points, the other shares ±15.4 "
        "points.",
        "You find a link 8 times in 10 if “Did you ever c?” is 24 points more common among people with “Did "
        "you ever a?”.",
    ]
    # One coin, p = .6, half of all changed: 1.96 sqrt((.6 (.5) + .4 (.5)) / .36 / 400), rounded up.
    assert change_sentences(use) == [CHANGE % "11.6"]
    apart = replace(use, change=None)
    assert change_sentences(apart) == []
    (first, *_) = use_sentences(use_of(DRAFT.design, Aim(people=400)), item_names(DRAFT))
    assert first == "400 answers: each share ±8.2 to ±15.4 points."


def test_undetectable_differences_are_reported() -> None:
    use = use_of(DRAFT.design, Aim(people=10, wanted=("a", "c")))
    assert use_sentences(use, item_names(DRAFT))[1].endswith("you find it less than 8 times in 10.")


def test_power_without_a_guess_says_which_share_it_assumes() -> None:
    def said(**shares: int) -> list[str]:
        aim = Aim(people=400, wanted=("a", "c"), shares=shares)
        return use_sentences(use_of(DRAFT.design, aim), item_names(DRAFT))[1:]

    link, assumed = said()
    assert link.startswith("You find a link 8 times in 10 if “Did you ever c?” is 37 points more common")
    assert assumed == (
        "This assumes that 20% of people have each of these two answers, because there are no guesses."
    )
    assert said(a=2000) == [
        link,
        "This assumes that 20% of people have “Did you ever c?”, because there is no guess.",
    ]
    assert said(a=2000, c=2000) == [link]
    # Margins still assume one half, and answers that are not yes or no are equally likely.
    choice = use_of(DRAFT.design, Aim(people=400, wanted=("a", "often=o0")))
    assert choice.assumed == ("a",)
    assert choice.half_widths == use_of(DRAFT.design, Aim(people=400)).half_widths


def test_options_are_named_with_their_question_and_shortened() -> None:
    names = item_names(survey_of(protected("d", CHOICE, yes_no("x" * 64, text={"en": "y" * 99}))))
    assert names["often=o1"] == "How often? – once"
    assert names["x" * 64] == "y" * 59 + "…"
    # A dash in an option's text does not cut the question's name.
    dashed = {**CHOICE, "options": [option | {"text": {"en": "1 – none"}} for option in CHOICE["options"]]}
    assert item_names(survey_of(protected("d", dashed)))["often"] == "How often?"


def test_surveys_without_disguised_shares_are_described_so() -> None:
    plain = survey_of(unprotected("o", JOB))
    assert use_sentences(use_of(plain.design, Aim(people=400)), {}) == [
        "400 answers, all stored as answered."
    ]


def test_the_payoff_of_protection_is_stated_for_wanted_items() -> None:
    aim = Aim(people=1000, wanted=("a",), shares={"a": 2000})
    assert draft_payoff_sentences(DRAFT.design, aim, item_names(DRAFT)) == [
        "With 1,000 people, protection gives the better estimate if at least 2.1 in 100 people would hide "
        "the truth when asked directly. This assumes that no one hides it when protected."
    ]


def test_the_payoff_covers_only_wanted_items_and_may_be_none() -> None:
    aim = Aim(people=500, wanted=("a",), shares={"a": 200})
    said = draft_payoff_sentences(DRAFT.design, aim, item_names(DRAFT))
    assert said[0].startswith("With 500 people, protection does not pay off here")
    assert draft_payoff_sentences(DRAFT.design, Aim(people=500), item_names(DRAFT)) == []


def test_two_starred_answers_are_named_separately() -> None:
    aim = Aim(people=1000, wanted=("a", "c"))
    said = draft_payoff_sentences(DRAFT.design, aim, item_names(DRAFT))
    assert [sentence.split(":")[0] for sentence in said] == ["“Did you ever a?”", "“Did you ever c?”"]


@pytest.mark.parametrize("document", [None, {}, {"people": 0, "wanted": []}])
def test_an_aim_without_people_is_none(document: dict[str, Any] | None) -> None:
    assert Aim.from_json(document) is None
    assert Aim.people_of(document) is None
    assert aim_or_default(document).people == 400


def test_shares_are_other_shares_only_beside_a_starred_share() -> None:
    mixed = survey_of(protected("b", *EIGHT[:3]), number_part())
    names = item_names(mixed)
    for wanted, words in (
        (("hours",), "each share ±"),
        (("q0",), "the other shares ±"),
        ((), "each share ±"),
    ):
        (sentence,) = use_sentences(use_of(mixed.design, Aim(people=400, wanted=wanted)), names)
        assert words in sentence


def test_guesses_that_leave_no_link_are_not_described_as_a_link_that_is_missed() -> None:
    """The page said that any link would be missed, and below that there was nothing to find."""
    pair = survey_of(protected("b", yes_no("a"), yes_no("c"), p=6000))
    aim = Aim(people=400, wanted=("a", "c"), shares={"a": 9_999, "c": 1})
    use, names = use_of(pair.design, aim), item_names(pair)
    for sentences in (use_sentences(use, names), short_sentences(use, names)):
        assert sentences[1] == "By these guesses, there is no link to find."


def test_people_alone_with_their_questions_have_one_figure_and_no_bound_of_zero() -> None:
    """Plans without open questions stated "on average at most 0" people."""
    drawn = planned(survey_of(protected("b", *EIGHT)), Aim(people=60, wanted=("q0", "q1"))).definition.design
    assert drawn.rotates
    for people, alone in ((60, "about 3 of 60"), (5_000, "fewer than 1 of 5,000")):
        assert unique_figure(drawn, people) == f"Unique people: {alone}."
        assert unique_sentence(drawn, people) == (
            f"On average, it happens to {alone} people that no one else is asked the same questions."
        )
