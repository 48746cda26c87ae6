"""Other forms of questions: each leaves a draft that can be read, and its stars follow."""

from typing import Any

import pytest

from privacy.planning import design_forms
from privacy.planning.design_forms import DesignDraft
from privacy.planning.forms import FormChange
from privacy.planning.use import Goal
from privacy.survey.design import Design
from surveys.questionnaire import form_changes
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.form_changes import possible_forms, stems_of, with_forms
from surveys.questionnaire.form_words import form_words
from surveys.questionnaire.open_filter import OPEN_FILTER
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import CHOICE, NUMBER, union

NO_AIM = Aim(people=400)


def number_block(**range_: Any) -> dict[str, Any]:
    number = {**NUMBER["number"], **range_}
    return {
        "key": "n", "protected": True, "title": {"en": "Work"}, "refusal": True,
        "questions": [{**NUMBER, "number": number}],
    }  # fmt: skip


def choice(count: int, **more: Any) -> dict[str, Any]:
    texts = ("Never", "Once", "Twice", "Often", "Daily")[:count]
    even = [10_000 // count] * count
    even[0] += 10_000 - sum(even)
    options = [{"key": f"o{n}", "text": {"en": text}} for n, text in enumerate(texts)]
    return {**CHOICE, "options": options, "unrelated": even, "prevalence": even, **more}


def draft(*blocks: dict[str, Any], **members: Any) -> Definition:
    return definition_parse(document_of(*blocks, **members))


def formed(definition: Definition, *codes: str, aim: Aim = NO_AIM) -> tuple[dict[str, Any], Aim]:
    changes = [FormChange.of_code(code) for code in codes]
    document, aim = with_forms(definition.document, definition.design, aim, changes)
    definition_parse(document)
    return document, aim


def codes_of(definition: Definition, aim: Aim = NO_AIM) -> list[str]:
    return [form.code for form in possible_forms(definition.document, definition.design, aim)]


@pytest.mark.parametrize(
    ("texts", "merged"),
    [
        (("Woman", "Man", "Non-binary", "Prefer not to say"), "merge,q,o1,o2"),
        (("Oui", "Non", "Parfois", "Ne sait pas"), "merge,q,o1,o2"),
        (("Yes", "No", "Don't know", "Prefer not to say"), "merge,q,o2,o3"),
        (("Yes", "Don't know", "No"), ""),
        # Nothing would be left to tell apart, or the answer would mean nothing.
        (("Yes", "No", "Don't know"), ""),
        (("Drivers", "Office", "Don't know"), ""),
        (("Ja", "Nein", "Manchmal"), "merge,q,o1,o2"),
        (("Manchmal", "Nein", "Ja"), "merge,q,o0,o1"),
    ],
)
def test_an_answer_is_never_merged_with_one_that_gives_none(texts: tuple[str, ...], merged: str) -> None:
    """A proposal merged "Non-binary" with "Prefer not to say", its neighbour."""
    options = [{"key": f"o{n}", "text": {"en": text}} for n, text in enumerate(texts)]
    even = [10_000 // len(texts)] * len(texts)
    even[0] += 10_000 - sum(even)
    asked = {**CHOICE, "key": "q", "options": options, "unrelated": even, "prevalence": even}
    found = [code for code in codes_of(draft(protected("b", asked))) if code.startswith("merge")]
    assert found == [merged] * bool(merged)


@pytest.mark.parametrize(
    ("number", "texts"),
    [
        ({"low": 0, "high": 40, "bin": 1}, ["0–12", "13–26", "27–40"]),
        ({"unit": {"en": "hours"}}, ["0–12 hours", "13–26 hours", "27–40 hours"]),
        ({"low": -5, "high": 24, "bin": 10}, ["-5–4", "5–14", "15–24"]),
        ({"low": 0, "high": 8.9, "bin": 0.1, "decimals": 1}, ["0.0–2.9", "3.0–5.9", "6.0–8.9"]),
        ({"low": "2025-01", "high": "2025-12", "bin": 1, "calendar": "month"},
         ["2025-01–2025-04", "2025-05–2025-08", "2025-09–2025-12"]),
    ],
)  # fmt: skip
def test_a_number_becomes_three_levels_that_cover_its_range(number: dict[str, Any], texts: list[str]) -> None:
    definition = draft(number_block(**number))
    assert codes_of(definition) == ["levels,hours", "leave_out,hours"]
    document, _aim = formed(definition, "levels,hours")
    (entry,) = document["blocks"]
    (question,) = entry["questions"]
    assert [option["text"]["en"] for option in question["options"]] == texts
    assert (question["kind"], question["key"], question["text"]) == ("single", "hours", NUMBER["text"])
    assert entry["title"] == {"en": "Work"}
    # People could skip the number, so they can skip the levels.
    assert entry["refusal"] > 0


def test_a_number_of_two_bins_or_with_a_star_stays_a_number() -> None:
    assert codes_of(draft(number_block(low=0, high=1))) == ["leave_out,hours"]
    assert codes_of(draft(number_block()), Aim(people=400, wanted=("hours",))) == []


def test_merged_answers_keep_their_place_texts_and_guesses() -> None:
    definition = draft(protected("p", choice(4)))
    aim = Aim(people=400, shares={"often=o0": 5000, "often=o1": 3000, "often=o2": 500, "often=o3": 1500})
    assert codes_of(definition, aim) == ["merge,often,o2,o3", "lines,often", "leave_out,often"]
    document, merged = formed(definition, "merge,often,o1,o2", aim=aim)
    (question,) = document["blocks"][0]["questions"]
    assert [option["text"]["en"] for option in question["options"]] == ["Never", "Once / Twice", "Often"]
    assert sum(question["unrelated"]) == 10_000
    assert merged.shares == {"often=o0": 5000, "often=o1+": 3500, "often=o3": 1500}


@pytest.mark.parametrize(
    ("texts", "merged"),
    [
        (["0–12 drinks", "13–26 drinks", "27–40 drinks"], "13–40 drinks"),
        (["0–12", "13–26", "30–40"], "13–26 / 30–40"),
        (["0–12", "13–26 hours", "27–40 days"], "13–26 hours / 27–40 days"),
        (["none", "13–26", "more"], "13–26 / more"),
    ],
)
def test_merged_ranges_that_continue_each_other_become_one_range(texts: list[str], merged: str) -> None:
    """On other pages " / " separates answers, so two answers looked like three."""
    question = choice(3)
    for option, text in zip(question["options"], texts, strict=True):
        option["text"] = {"en": text}
    document, _aim = formed(draft(protected("p", question)), "merge,often,o1,o2")
    (changed,) = document["blocks"][0]["questions"]
    assert [option["text"]["en"] for option in changed["options"]] == [texts[0], merged]


def test_answers_that_something_refers_to_are_not_merged() -> None:
    star = Aim(people=400, wanted=("often=o2",))
    assert codes_of(draft(protected("p", choice(3))), star) == ["merge,often,o0,o1", "one_option,often,o2"]
    exclusive = protected("p", choice(4), yes_no("q"), exclusive=[["often=o0", "q"]])
    assert codes_of(draft(exclusive)) == ["leave_out,often", "leave_out,q"]
    assert codes_of(draft(protected("p", choice(2)))) == ["leave_out,often"]


def test_a_choice_becomes_a_list_of_yes_no_questions() -> None:
    aim = Aim(people=400, wanted=("q",), shares={"often=o1": 1200}, names={"often": {"en": "how often"}})
    definition = draft(protected("p", choice(3), yes_no("q")))
    document, listed = formed(definition, "lines,often", aim=aim)
    questions = document["blocks"][0]["questions"]
    # "Never" is no line: it is no to all of them.
    assert [(each["key"], each["kind"]) for each in questions] == [
        ("often_o1", "yes_no"), ("often_o2", "yes_no"), ("q", "yes_no"),
    ]  # fmt: skip
    assert document["stems"][0]["text"] == CHOICE["text"]
    assert (listed.shares, listed.names) == ({"often_o1": 1200}, {})
    assert (
        formed(definition, "lines,often", aim=Aim(people=400, wanted=("often=o1",)))[0] == definition.document
    )


STEMS = [{"key": "acts", "text": {"en": "Which of these have you done?"}}]


def line(key: str) -> dict[str, Any]:
    return yes_no(key, stem="acts", text={"en": key})


@pytest.mark.parametrize("layout", ["together", "in turn"])
def test_a_list_is_sent_as_one_answer_wherever_a_layout_put_its_lines(layout: str) -> None:
    lines = [line(key) for key in ("lied", "stole", "hit")]
    if layout == "together":
        definition = draft(protected("p", yes_no("q"), *lines, yes_no("r")), stems=STEMS)
    else:
        parts = [protected(each["key"], each) for each in (yes_no("q"), *lines, yes_no("r"))]
        rotations = [{"blocks": ["q", "lied", "stole", "hit", "r"], "parts_per_person": 2}]
        definition = draft(*parts, stems=STEMS, rotations=rotations)
    aim = Aim(people=400, wanted=("q",), shares={"lied": 500, "q": 100}, names={"hit": {"en": "violence"}})
    assert "one_answer,acts" in codes_of(definition, aim)
    document, answered = formed(definition, "one_answer,acts", aim=aim)
    questions = [each for block in document["blocks"] for each in block["questions"]]
    first, composite, last = questions
    assert (first["key"], last["key"]) == ("q", "r")
    assert [each["key"] for each in composite["computed"]["components"]] == ["lied", "stole", "hit"]
    assert (composite["kind"], composite["text"]) == ("yes_no", STEMS[0]["text"])
    assert (answered.wanted, answered.shares, answered.names) == (("q",), {"q": 100}, {})
    # A list with a star is sent line by line.
    star = Aim(people=400, wanted=("stole",))
    assert "one_answer,acts" not in codes_of(definition, star)
    assert formed(definition, "one_answer,acts", aim=star)[0] == definition.document
    assert form_words(
        definition.document, definition.design, aim, [FormChange.of_code("one_answer,acts")]
    ) == ["Send “Which of these have you done?” as one answer: at least one of these"]


def test_a_starred_choice_becomes_a_yes_no_question_and_keeps_its_star() -> None:
    aim = Aim(people=400, wanted=("often=o1", "q"), shares={"often=o1": 1200, "q": 300})
    document, moved = formed(draft(protected("p", choice(3), yes_no("q"))), "one_option,often,o1", aim=aim)
    (question, _other) = document["blocks"][0]["questions"]
    assert (question["kind"], question["text"]["en"]) == ("yes_no", "How often? – Once")
    assert (moved.wanted, moved.shares) == (("often", "q"), {"often": 1200, "q": 300})


def test_a_question_left_out_leaves_nothing_that_names_it() -> None:
    rotations = [{"blocks": ["a", "b"], "parts_per_person": 1}]
    wanted = {"question": "job", "options": ["yes"]}
    definition = draft(
        unprotected("open", {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}),
        protected("a", yes_no("q0"), yes_no("q1"), yes_no("q2"), exclusive=[["q0", "q1"], ["q1", "q2"]]),
        protected("b", yes_no("q3")),
        protected("c", yes_no("q4"), asked_if=wanted),
        rotations=rotations,
    )
    document, _aim = formed(definition, "leave_out,q0")
    assert document["blocks"][1]["exclusive"] == [["q1", "q2"]]
    document, _aim = formed(definition, "leave_out,q3")
    assert [entry["key"] for entry in document["blocks"]] == ["open", "a", "c"]
    assert "rotations" not in document
    document, _aim = formed(definition, "leave_out,job")
    assert [entry["key"] for entry in document["blocks"]] == ["a", "b", "c"]
    assert "asked_if" not in document["blocks"][2]


@pytest.mark.parametrize(
    "code",
    ["", "levels", "levels,q", "merge,q,a,b", "merge,often,o0", "merge,often,o0,x", "merge,often,o0,o2",
     "merge,often,o0,o1,o2,o3", "one_option,often,x",
     "one_option,q,o0", "one_answer,q", "one_answer,acts", "lines,q", "leave_out,x", "enlarge,q",
     "levels,often", ",,,,"],
)  # fmt: skip
def test_codes_that_do_not_fit_the_draft_change_nothing(code: str) -> None:
    definition = draft(protected("p", choice(4), yes_no("q")))
    document, aim = formed(definition, code)
    assert (document, aim) == (definition.document, NO_AIM)


def test_a_starred_question_and_the_only_question_are_not_left_out() -> None:
    alone = draft(protected("p", yes_no("q")))
    assert formed(alone, "leave_out,q")[0] == alone.document
    star = Aim(people=400, wanted=("q",))
    two = draft(protected("p", yes_no("q"), yes_no("r")))
    assert formed(two, "leave_out,q", aim=star)[0] == two.document


def test_changes_are_said_in_words() -> None:
    definition = draft(protected("p", choice(5), *(yes_no(f"q{n}") for n in range(5))), number_block())
    aim = Aim(people=400, names={"q0": {"en": "first"}})
    changes = [
        FormChange.of_code(code)
        for code in (
            "leave_out,q0", "merge,often,o3,o4", "levels,hours", "leave_out,q1", "leave_out,q2",
            "leave_out,q3", "merge,often,o0,o1", "one_option,often,o2",
        )
    ]  # fmt: skip
    assert form_words(definition.document, definition.design, aim, changes) == [
        "Merge the answers “Often”, “Daily” to “How often?”",
        "Ask “How many hours?” as 3 levels",
        "Merge the answers “Never”, “Once” to “How often?”",
        "Ask “How often?” with yes or no: “Twice”",
        "Leave out 4 questions",
    ]


def shape_of(design: Design) -> list[list[tuple[str, str, int]]]:
    """Return key, kind and number of options of the questions of each block.

    An answer that is computed is named after its part in a questionnaire, and after its list in a design.
    """
    return [
        [
            ("one answer" if each.computed else each.key, each.kind, len(each.options))
            for each in block.questions
        ]
        for block in design.blocks
    ]


@pytest.mark.parametrize(
    "code",
    ["levels,hours", "merge,often,o1,o2", "one_option,often,o1", "lines,often", "one_answer,acts",
     "leave_out,q", "leave_out,hours", "leave_out,lied", "after,r,q", "after,q,often", "each_form,any"],
)  # fmt: skip
def test_a_questionnaire_and_a_design_change_alike(code: str) -> None:
    lines = [line(key) for key in ("lied", "stole", "hit")]
    # Only a text says that an answer means none: a design makes it a line, too.
    options = [{"key": f"o{n}", "text": {"en": text}} for n, text in enumerate(("Once", "Twice", "Often"))]
    asked, kept = union("any", 2, 3)
    definition = draft(
        protected("p", choice(3, options=options), yes_no("q"), yes_no("r"), refusal=1000),
        protected("l", *lines),
        number_block(),
        protected("u", asked),
        stems=STEMS,
        set_aside=[kept],
    )
    form = FormChange.of_code(code)
    document, _aim = formed(definition, code)
    assert document != definition.document
    stems = {key: stem for key, stem in stems_of(definition.document).items() if stem}
    on_design = DesignDraft(questions=definition.design, goal=Goal(people=400), stems=stems).formed([form])
    assert on_design is not None
    assert shape_of(definition_parse(document).design) == shape_of(on_design.design)


def test_designs_can_change_in_every_way_in_which_questionnaires_can() -> None:
    # Only the plan page offers to store a filter as answered.
    assert form_changes._DOCUMENT_CHANGES.keys() - {OPEN_FILTER} == design_forms._DESIGN_CHANGES.keys()


def test_a_list_that_is_sent_as_one_answer_keeps_its_text_above_the_lines() -> None:
    """People read only "Noise: yes or no", but not the question about it."""
    stem = {"key": "what", "text": {"en": "What troubles you?"}}
    lines = [yes_no(key) | {"stem": "what"} for key in ("noise", "time")]
    definition = draft(protected("p", yes_no("hit"), *lines), stems=[stem])
    document, _aim = formed(definition, "one_answer,what")
    (answer,) = [each for each in document["blocks"][0]["questions"] if "computed" in each]
    texts = [each["text"]["en"] for each in answer["computed"]["components"]]
    assert all(text.startswith("What troubles you?") for text in texts), texts
