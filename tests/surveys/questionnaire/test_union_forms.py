"""One answer for each form of a union: drafts remember lists and headings, and presses can be taken back."""

from typing import Any

import pytest

from privacy.planning.protection import PROTECTIONS
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.one_answer import AGAIN, AT_LEAST, HOW_MANY, with_each_answer, with_one_answer
from surveys.questionnaire.union_forms import component_stems, forms_in, with_each_form
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.surveys.questionnaire.test_each_heading import PASTED

MEDIUM = PROTECTIONS["medium"]
STEMS = [{"key": key, "text": {"en": f"Has a partner ({key})"}} for key in ("body", "mind")]
LINES = [
    yes_no(f"{stem}{number}", stem=stem, text={"en": f"act {number}"})
    for stem in ("body", "mind")
    for number in range(5)
]


def _united(document: dict[str, Any], way: str = AT_LEAST) -> tuple[dict[str, Any], str]:
    return with_one_answer(document, document["blocks"][0]["key"], way, protection=MEDIUM)


def _found(document: dict[str, Any], key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return next(
        (entry, question)
        for entry in document["blocks"]
        for question in entry["questions"]
        if question["key"] == key
    )


def test_the_headings_of_a_pasted_text_are_the_forms_of_its_union() -> None:
    document, key = _united(draft_of(read_paste(PASTED)))
    assert [text["en"] for text in forms_in(document, key).values()] == [
        "Physical violence", "Sexual violence", "Psychological violence",
    ]  # fmt: skip
    aim = Aim(people=300, wanted=(key,), shares={key: 3000}, names={key: {"en": "violence"}})
    changed = with_each_form(document, aim, _found(document, key))
    assert changed is not None
    after, then = changed
    (part,) = after["blocks"]
    assert [(each["text"]["en"], len(each["computed"]["components"])) for each in part["questions"]] == [
        ("Physical violence", 4), ("Sexual violence", 3), ("Psychological violence", 3),
    ]  # fmt: skip
    assert (then.wanted, then.shares, then.names) == ((), {}, {})
    definition_parse(after, is_worded=False)
    # A form has no forms.
    assert all(forms_in(after, each["key"]) == {} for each in part["questions"])


def test_the_lists_of_a_part_are_the_forms_of_its_union_and_the_presses_can_be_taken_back() -> None:
    before = document_of(protected("p", *LINES, refusal=1000), stems=STEMS)
    document, key = _united(before)
    assert {*component_stems(document).values()} == {"body", "mind"}
    changed = with_each_form(document, Aim(people=300), _found(document, key))
    assert changed is not None
    after, _aim = changed
    (part,) = after["blocks"]
    assert [each["text"]["en"] for each in part["questions"]] == [
        "Has a partner (body)",
        "Has a partner (mind)",
    ]
    # A fifth of the components of each may stay empty.
    assert [each["computed"]["missing"]["at_most"] for each in part["questions"]] == [1, 1]
    definition_parse(after)
    for question in part["questions"]:
        after = with_each_answer(after, question["key"], protection=MEDIUM)
    assert after["blocks"] == before["blocks"]
    assert after["stems"] == STEMS
    again, _key = _united(after, AGAIN)
    assert [len(each["computed"]["components"]) for each in again["blocks"][0]["questions"]] == [10]


@pytest.mark.parametrize("way", [HOW_MANY, "one list"])
def test_other_answers_have_no_forms(way: str) -> None:
    lines = LINES[:5] if way == "one list" else LINES
    before = document_of(protected("p", *lines, refusal=1000), stems=STEMS if way == HOW_MANY else STEMS[:1])
    document, key = _united(before, AT_LEAST if way == "one list" else way)
    assert forms_in(document, key) == {}
    assert with_each_form(document, Aim(people=300), _found(document, key)) is None
