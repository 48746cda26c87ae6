"""Sentences about the effects a survey can detect: rounded so that every promise holds."""

from __future__ import annotations

from privacy.planning.use import use_of
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.use_words import (
    draft_payoff_sentences,
    item_names,
    use_sentences,
)
from tests.fixtures.checked_surveys import protected, survey_of, unprotected, yes_no
from tests.surveys.questionnaire.test_plan import CHOICE, JOB

DRAFT = survey_of(protected("b", yes_no("a"), yes_no("c"), p=6000), protected("d", CHOICE, p=3000))


def test_the_wanted_figure_comes_first_and_the_others_where_they_are_wider() -> None:
    use = use_of(DRAFT.design, Aim(people=400, wanted=("a", "c")))
    said = use_sentences(use, item_names(DRAFT))
    assert said == [
        "400 answers: “Did you ever a?” and “Did you ever c?” ±8.2 points, the others ±15.4.",
        "You find a link 8 times in 10 if “Did you ever c?” is 24 points more common among people with “Did "
        "you ever a?”.",
    ]


def test_a_difference_that_cannot_be_found_is_said() -> None:
    use = use_of(DRAFT.design, Aim(people=10, wanted=("a", "c")))
    assert use_sentences(use, item_names(DRAFT))[-1].endswith("you find it less than 8 times in 10.")


def test_options_are_named_with_their_question_and_long_ones_are_cut() -> None:
    names = item_names(survey_of(protected("d", CHOICE, yes_no("x" * 64, text={"en": "y" * 99}))))
    assert names["often=o1"] == "How often? – once"
    assert names["x" * 64] == "y" * 59 + "…"


def test_without_a_disguised_share_that_is_said() -> None:
    plain = survey_of(unprotected("o", JOB))
    assert use_sentences(use_of(plain.design, Aim(people=400)), {}) == [
        "400 answers, all stored as answered."
    ]


def test_whether_protection_pays_is_said_of_what_is_wanted() -> None:
    aim = Aim(people=1000, wanted=("a",), shares={"a": 2000})
    assert draft_payoff_sentences(DRAFT.design, aim, item_names(DRAFT)) == [
        "With 1,000 people, protection pays off if at least 2.1 points would hide the truth when asked "
        "directly. This assumes that no one hides it when protected.",
    ]


def test_what_cannot_pay_is_said_and_nothing_is_said_of_what_is_not_wanted() -> None:
    aim = Aim(people=500, wanted=("a",), shares={"a": 200})
    said = draft_payoff_sentences(DRAFT.design, aim, item_names(DRAFT))
    assert said[0].startswith("With 500 people, protection does not pay off here")
    assert draft_payoff_sentences(DRAFT.design, Aim(people=500), item_names(DRAFT)) == []


def test_of_two_wanted_each_is_named() -> None:
    aim = Aim(people=1000, wanted=("a", "c"))
    said = draft_payoff_sentences(DRAFT.design, aim, item_names(DRAFT))
    assert [sentence.split(":")[0] for sentence in said] == ["“Did you ever a?”", "“Did you ever c?”"]
