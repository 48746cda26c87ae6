"""Disguising one question of a draft, or storing it as answered."""

import copy

import pytest

from privacy.risk.amplification import promise
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse, definition_without_texts
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive
from surveys.questionnaire.use_words import between_sentences, item_names
from tests.fixtures.checked_surveys import document_of, protected, unprotected
from tests.fixtures.planned_drafts import (
    DRAFTS,
    EIGHT,
    OPEN_CHOICE,
    composite,
    drafted,
    held_plan,
    in_one_piece,
    planned,
    without_protection,
)


def test_a_question_can_be_disguised_and_opened_again() -> None:
    document = document_of(
        protected("b", *copy.deepcopy(EIGHT[:3]), refusal=1112), unprotected("o", OPEN_CHOICE)
    )
    made = with_sensitive(document, {"q0", "q2", "often"})
    assert [(block["protected"], [one["key"] for one in block["questions"]]) for block in made["blocks"]] == [
        (True, ["q0"]),
        (False, ["q1"]),
        (True, ["q2"]),
        (True, ["often"]),
    ]
    assert len({block["key"] for block in made["blocks"]}) == 4
    whole = definition_parse(made)
    assert promise(whole.design) is not None
    assert "unrelated" not in made["blocks"][1]["questions"][0]
    assert with_sensitive(document, {"q0", "q1", "q2"}) == document


def test_a_number_can_be_disguised_and_stored_as_answered_again() -> None:
    number = {"mechanism": "hybrid", "epsilon": 1.1, "low": 0, "high": 24, "bin": 5}
    asked = {"key": "sleep", "kind": "number", "text": {"en": "How long?"}, "number": number}
    short = {"key": "short", "text": {"en": "Short"}, "from": 0, "to": 4}
    part = {"key": "n", "protected": True, "refusal": True, "title": {"en": "Sleep"}, "questions": [asked]}
    document = document_of(part, protected("b", *copy.deepcopy(EIGHT[:2]), refusal=2000))
    assert "sleep" in [question["key"] for question in choosable_questions(document)]
    assert with_sensitive(document, {"sleep", "q0", "q1"}) == document
    stored = with_sensitive(document, {"q0", "q1"})
    assert stored["blocks"][0] == {
        "key": "n",
        "protected": False,
        "title": {"en": "Sleep"},
        "questions": [asked | {"number": {"low": 0, "high": 24, "bin": 1}}],
    }
    draft = definition_without_texts(stored)
    assert draft is not None
    made = planned(draft, Aim(people=400))
    assert [block.protected for block in made.definition.design.blocks].count(False) == 1
    stored["blocks"][0]["questions"][0]["options"] = [short]
    again = with_sensitive(stored, {"sleep", "q0", "q1"})["blocks"][0]
    assert (again["protected"], again["refusal"]) == (True, True)
    assert again["questions"][0]["number"] == {
        "mechanism": "keep",
        "epsilon": 1.38,
        "low": 0,
        "high": 24,
        "bin": 5,
    }
    assert definition_without_texts({**stored, "blocks": [again]}) is not None


def test_everyone_is_asked_what_depends_on_a_question_that_becomes_protected() -> None:
    document = DRAFTS["some people only"].document
    assert "job" in [question["key"] for question in choosable_questions(document)]
    assert any(block.get("asked_if") for block in with_sensitive(document, set())["blocks"])
    made = with_sensitive(document, {"job"})
    assert made["blocks"][0]["protected"]
    assert not any(block.get("asked_if") for block in made["blocks"])
    assert definition_without_texts(made) is not None


def test_storing_one_question_openly_keeps_skips_of_others() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:4]), refusal=589))
    for kept in ({"q0", "q2", "q3"}, {"q1"}):
        draft = definition_without_texts(with_sensitive(document, kept))
        assert draft is not None
        assert all(block.refusal for block in draft.design.blocks if block.protected)
        made = planned(draft, Aim(people=400))
        assert all(block.refusal for block in made.definition.design.blocks if block.protected)


def test_a_question_disguised_again_can_be_skipped_again() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:2]), refusal=2000))
    again = with_sensitive(with_sensitive(document, set()), {"q0", "q1"})
    assert [bool(block.get("refusal")) for block in again["blocks"] if block["protected"]] == [True]


def test_removed_skips_are_not_restored() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:2])), unprotected("o", OPEN_CHOICE))
    made = with_sensitive(document, {"q0", "often"})
    assert not any(block.get("refusal") for block in made["blocks"])


def test_a_question_stored_between_protected_ones_can_widen_others_and_the_page_says_so() -> None:
    """Rotating among five, one is asked of everyone if another one divides them: ±6.8 became ±7.5 points."""
    part = protected("b", composite("k0", 3), *EIGHT[:4], refusal=100)
    draft, aim = drafted(part), Aim(people=3700, strength="strong")
    before = planned(draft, aim)
    divided = without_protection(draft, "q0")
    held, moved = held_plan(divided, before.aim), held_plan(in_one_piece(divided), before.aim)
    assert held is not None
    assert moved is not None
    widths = [made.use.widths["k0=o0"] for made in (before, held, moved)]
    assert widths[1] > widths[0] + 0.005
    assert widths[2] <= widths[0]
    (sentence,) = between_sentences(held.definition.design, item_names(held.definition))
    assert "would not divide them" in sentence


@pytest.mark.parametrize("is_stored", [True, False], ids=["repeats its question", "has no title"])
def test_parts_without_titles_stay_without(is_stored: bool) -> None:
    """Earlier versions stored the text of the first question as the title of such a part."""
    part = protected("b", *copy.deepcopy(EIGHT[:4]), refusal=589)
    del part["title"]
    if is_stored:
        part["title"] = dict(part["questions"][0]["text"])
    document = with_sensitive(document_of(part), {"q0", "q2", "q3"})
    assert len(document["blocks"]) == 3
    draft = definition_without_texts(document)
    assert draft is not None
    for block in [*document["blocks"], *planned(draft, Aim(people=400)).definition.document["blocks"]]:
        assert "title" not in block


def test_planning_keeps_a_missing_skip_and_its_reason() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:4])))
    draft = definition_without_texts(with_sensitive(document, {"q0", "q2", "q3"}))
    assert draft is not None
    made = planned(draft, Aim(people=400)).definition.document["blocks"]
    assert [block.get("no_skip") for block in made if block["protected"]] == ["Made for a test."] * (
        len(made) - 1
    )
    assert not any(block.get("refusal") for block in made)
