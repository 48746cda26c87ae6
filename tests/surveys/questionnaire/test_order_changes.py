"""Another order of questions is a change with a name; it moves these questions and nothing else."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.planning.forms import FormChange, possible_orders
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse, definition_without_texts
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.form_changes import stems_of, with_forms
from surveys.questionnaire.form_words import form_words
from surveys.questionnaire.order_changes import asked_after
from surveys.questionnaire.plan_changes import changes
from surveys.questionnaire.use_words import between_sentences, item_names
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import EIGHT, JOB, drafted, guessed_drafts, number_part, planned

SKIP = {"refusal": 1000}


def order_of(document: dict[str, Any]) -> list[str]:
    return [question["key"] for entry in document["blocks"] for question in entry["questions"]]


def texts_of(document: dict[str, Any]) -> dict[str, Any]:
    return {
        question["key"]: question["text"] for entry in document["blocks"] for question in entry["questions"]
    }


def orders(definition: Definition, *wanted: str) -> list[tuple[str, tuple[str, ...]]]:
    aim = Aim(people=300, wanted=wanted)
    return [*possible_orders(definition.design, aim, stems_of(definition.document))]


def divided() -> Definition:
    return drafted(
        protected("b", *EIGHT[:3], **SKIP), unprotected("o", JOB), protected("c", *EIGHT[3:6], **SKIP)
    )


def test_no_plan_changes_the_order_even_if_another_one_is_more_exact() -> None:
    """Parts after an open one were moved before it, and starred questions to the front."""
    for draft, wanted in ((divided(), ("q1", "q4")), (drafted(protected("b", *EIGHT)), ("q2", "q6"))):
        for people in (100, 300, 2_000):
            made = planned(draft, Aim(people=people, wanted=wanted))
            assert order_of(made.definition.document) == order_of(draft.document)


def test_the_plan_says_which_stored_questions_divide_the_protected_ones() -> None:
    """A number between them divides them, too, but is protected and can become a choice."""
    (sentence,) = between_sentences(divided().design, item_names(divided()))
    assert sentence.startswith("“Have you a job?” is stored as answered between protected questions")
    assert "Asked after “Did you ever q5?”, it would not divide them." in sentence
    apart = drafted(
        unprotected("o", JOB), protected("b", *EIGHT[:3]), number_part(), protected("c", EIGHT[3])
    )
    assert between_sentences(apart.design, item_names(apart)) == []


def test_questions_between_protected_ones_can_move_after_them() -> None:
    assert orders(divided()) == [("job", ("q5",))]
    document = asked_after(divided().document, ["job"], "q5")
    assert document is not None
    assert order_of(document) == ["q0", "q1", "q2", "q3", "q4", "q5", "job"]
    with_condition = drafted(
        protected("b", *EIGHT[:2]),
        unprotected("o", JOB),
        protected("c", *EIGHT[2:4], asked_if={"question": "job", "options": ["yes"]}),
        protected("d", *EIGHT[4:6]),
    )
    # A part with a condition stays where it is.
    assert orders(with_condition) == []


def test_starred_questions_can_be_asked_next_to_each_other_or_at_the_end() -> None:
    eight = drafted(protected("b", *EIGHT))
    assert orders(eight, "q2", "q6") == [("q6", ("q2",)), ("q2", ("q5",))]
    assert orders(eight, "q2", "q3") == [("q2", ("q7", "q3"))]
    assert orders(eight, "q4") == [("q4", ("q7",))]
    assert orders(eight, "q0", "q1") == orders(eight, "q6", "q7") == orders(eight, "q0") == []
    apart = asked_after(eight.document, ["q2", "q3"], "q7")
    assert apart is not None
    assert order_of(apart) == ["q0", "q1", "q4", "q5", "q6", "q7", "q2", "q3"]
    definition_parse(apart)


def test_another_order_is_priced_named_and_improves_the_star() -> None:
    draft, aim = divided(), Aim(people=250, wanted=("q0",))
    (change,) = [each for each in changes(draft, aim) if [form.kind for form in each.forms] == ["after"]]
    assert form_words(draft.document, draft.design, aim, change.forms) == [
        "Ask “Have you a job?” after “Did you ever q5?”"
    ]
    assert change.plan.use.half_widths["q0"] < planned(draft, aim).use.half_widths["q0"]
    assert order_of(change.plan.document)[-1] == "job"


@pytest.mark.parametrize(
    ("keys", "after"),
    [(["q0"], "q0"), (["q0"], "gone"), (["gone"], "q1"), (["q0"], "q2")],
    ids=["itself", "unknown place", "unknown question", "exclusive answers"],
)
def test_a_move_that_does_not_fit_the_draft_changes_nothing(keys: list[str], after: str) -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:3]), exclusive=[["q0", "q1"]]))
    assert asked_after(document, keys, after) is None
    aim = Aim(people=300)
    form = FormChange(kind="after", key=keys[0], options=(after, *keys[1:]))
    design = definition_parse(document).design
    assert with_forms(document, design, aim, [form]) == (document, aim)
    assert with_forms(document, design, aim, [FormChange(kind="after", key="q0")]) == (document, aim)


def test_a_divided_part_keeps_its_own_title_and_gets_names_of_its_questions_otherwise() -> None:
    document = document_of(protected("b", *copy.deepcopy(EIGHT[:4]), **SKIP), protected("c", EIGHT[4]))
    moved = asked_after(document, ["q4"], "q1")
    assert moved is not None
    assert [(entry["key"], len(entry["questions"])) for entry in moved["blocks"]] == [
        ("b", 2), ("c", 1), ("b-2", 2),
    ]  # fmt: skip
    assert {entry["title"]["en"] for entry in moved["blocks"] if entry["key"] != "c"} == {
        document["blocks"][0]["title"]["en"]
    }
    named = asked_after({**document, "blocks": [number_part(), *document["blocks"]]}, ["hours"], "q4")
    assert named is not None
    assert order_of(named)[-1] == "hours"


@settings(max_examples=60, deadline=None)
@given(guessed_drafts(), st.data())
@pytest.mark.soak
def test_a_proposed_order_moves_the_named_questions_only(
    drafted_aim: tuple[Definition, Aim], data: st.DataObject
) -> None:
    draft, aim = drafted_aim
    found = orders(draft, *aim.wanted)
    if not found:
        return
    key, (after, *others) = data.draw(st.sampled_from(found))
    document = asked_after(draft.document, [key, *others], after)
    if document is None:
        return
    moved = [key, *others]
    before, now = order_of(draft.document), order_of(document)
    assert [each for each in now if each not in moved] == [each for each in before if each not in moved]
    assert now[now.index(after) + 1 :][: len(moved)] == moved
    definition = definition_without_texts(document)
    assert definition is not None
    made = plan(definition, aim)
    assert made is None or order_of(made.document) == now
    assert texts_of(draft.document) == texts_of(document)


def test_a_list_stays_together() -> None:
    lines = [yes_no(f"l{number}", stem="acts") for number in range(3)]
    stems = [{"key": "acts", "text": {"en": "Which?"}}]
    draft = drafted(protected("b", *EIGHT[:2], *lines, EIGHT[2]), stems=stems)
    assert ("q0", ("l2",)) not in orders(draft, "q0", "q2")
    assert orders(draft, "l0", "q2") == []
