"""A harmless filter can be left open: what it gains, what the rest becomes, and what is never proposed."""

import copy
from typing import Any

import pytest

from privacy.planning.forms import FormChange
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse, definition_without_texts
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.form_changes import with_forms
from surveys.questionnaire.form_words import form_words
from surveys.questionnaire.open_filter import OpenFilter, open_filters, with_open_filter
from tests.fixtures.checked_surveys import protected, unprotected, yes_no
from tests.fixtures.filter_drafts import SHARES, bribe
from tests.fixtures.planned_drafts import JOB, drafted

AIM = Aim(people=300, wanted=("bribe=bribe",), shares=SHARES)


def found(draft: Definition, aim: Aim = AIM) -> list[OpenFilter]:
    return [*open_filters(draft, aim, plan(draft, aim))]


def opened(draft: Definition, aim: Aim = AIM) -> tuple[Definition, Aim]:
    changed = with_open_filter(draft.document, aim, "bribe")
    assert changed is not None
    return definition_parse(changed[0]), changed[1]


def test_300_people_with_60_percent_contact_get_11_4_instead_of_14_7_points() -> None:
    (each,) = found(drafted(protected("b", bribe())))
    assert (each.component, each.people) == ("contact", 180)
    assert [
        (share.item, round(100 * share.before, 1), round(100 * share.after, 1)) for share in each.shares
    ] == [("bribe=bribe", 14.7, 11.4), ("bribe=contact", 14.7, 11.4)]


def test_the_filter_is_asked_openly_before_the_rest_and_nothing_else_changes() -> None:
    draft = drafted(unprotected("you", JOB), protected("b", yes_no("q0"), bribe(), yes_no("q1"), refusal=500))
    made, aim = opened(draft)
    assert [
        (block.key, block.protected, [question.key for question in block.questions])
        for block in made.design.blocks
    ] == [
        ("you", False, ["job"]),
        ("b", True, ["q0"]),
        ("b-filter", False, ["contact"]),
        ("b-2", True, ["bribe"]),
        ("b-3", True, ["q1"]),
    ]
    conditions = [entry.get("asked_if") for entry in made.document["blocks"]]
    assert conditions == [None, None, None, {"question": "contact", "options": ["yes"]}, None]
    rule = made.design.questions[3].computed
    assert rule is not None
    assert [component.key for component in rule.components] == ["asked", "paid"]
    answers: list[dict[str, Any]] = [
        {"asked": 0, "paid": 0},
        {"asked": 1, "paid": 0},
        {"asked": 1, "paid": 1},
    ]
    assert [rule.evaluate(each) for each in answers] == ["contact", "bribe", "bribe"]
    before = draft.design.questions[2].computed
    assert before is not None
    assert [before.evaluate({"contact": 1, **each}) for each in answers] == ["contact", "bribe", "bribe"]
    assert aim.shares == {"bribe=contact": 8000, "bribe=bribe": 2000}
    assert aim.wanted == ("bribe=bribe",)


def test_a_press_is_a_change_of_form_that_says_what_it_stores() -> None:
    draft, change = drafted(protected("b", bribe())), FormChange.of_code("open_filter,bribe")
    document, _aim = with_forms(draft.document, draft.design, AIM, [change])
    assert document == with_open_filter(draft.document, AIM, "bribe")[0]  # type: ignore[index]
    (words,) = form_words(draft.document, draft.design, AIM, [change])
    assert words == "Store “Did you deal with an official?” as answered"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Did you take drugs?", "Work"),
        ("Did you have sex with a client?", "Work"),
        ("Did you deal with an official?", "Violence and abuse"),
    ],
)
def test_a_filter_that_looks_sensitive_is_never_proposed(text: str, title: str) -> None:
    draft = drafted(protected("b", bribe(text={"en": text})) | {"title": {"en": title}})
    assert with_open_filter(draft.document, AIM, "bribe") is not None
    assert found(draft) == []


def test_a_filter_in_a_language_that_no_list_reads_is_never_proposed() -> None:
    draft = drafted(protected("b", bribe()))
    document: dict[str, Any] = copy.deepcopy(draft.document)
    (component, *_others) = document["blocks"][0]["questions"][0]["computed"]["components"]
    component["text"] = {"fi": "Oletko ollut tekemisissä virkailijan kanssa?"}
    unread = definition_without_texts(document)
    assert unread is not None
    assert with_open_filter(unread.document, AIM, "bribe") is not None
    assert found(unread) == []


def test_other_rules_have_no_filter_to_leave_open() -> None:
    free = bribe()
    del free["computed"]["components"][2]["asked_if"]
    lone = bribe()
    lone["computed"]["levels"] = [
        {"option": "no-contact"},
        {"option": "contact", "from": 2},
        {"option": "bribe", "from": 3},
    ]
    mean = bribe()
    mean["computed"]["missing"] = {"at_most": 1, "as": "mean"}
    for question in (free, lone, mean):
        draft = drafted(protected("b", question))
        assert with_open_filter(draft.document, AIM, "bribe") is None
        assert found(draft) == []
    assert with_open_filter(drafted(protected("b", yes_no("q0"))).document, AIM, "q0") is None


def test_too_few_people_with_contact_are_not_promised_a_share() -> None:
    assert found(drafted(protected("b", bribe())), Aim(people=160, shares=SHARES)) == []
