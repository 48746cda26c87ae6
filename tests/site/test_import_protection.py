"""Sensitive questions come in protected from every source; plain background questions are proposed as stored.

The two files next to this one were written after the rule; neither the rule nor its patterns quote them.
"""

from pathlib import Path
from typing import Any, Final

import pytest

from surveys.authoring.import_answers import apply_answers
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.protection import store_question
from surveys.imports.drafts.questionnaire import STORED, Questionnaire
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.definition import definition_read
from surveys.questionnaire.readable import readable_questions
from surveys.questionnaire.stated_protection import with_stated_protection
from tests.fixtures.workbooks import workbook, xlsform_read

_TAGS: Final = {"zh": "zh-hans"}
_YES_NO: Final = {
    "en": ("Yes", "No"), "de": ("Ja", "Nein"), "fr": ("Oui", "Non"), "es": ("Sí", "No"), "pt": ("Sim", "Não"),
    "it": ("Sì", "No"), "zh": ("是", "否"),
}  # fmt: skip
Case = tuple[str, str, list[str]]


def cases(name: str) -> list[Case]:
    """Return language, text and answers of each question of a file; a range is a single answer."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [
        (_TAGS.get(row[0], row[0]), row[1], row[2].split("|") if len(row) > 2 else [*_YES_NO[row[0]]])
        for row in rows
    ]


SENSITIVE: Final = cases("sensitive_questions.tsv")
BACKGROUND: Final = cases("background_questions.tsv")


def as_text(case: Case) -> Questionnaire:
    language, text, answers = case
    options = answers if len(answers) == 1 else [f"- {answer}" for answer in answers]
    return read_paste("\n".join(["Survey", f"1. {text}", *options]), [language])


def as_form(case: Case) -> Questionnaire:
    language, text, answers = case
    kind = "integer" if len(answers) == 1 else "select_one answers"
    low, _dash, high = answers[0].partition("-")
    bounds = f". >= {low} and . <= {high}" if len(answers) == 1 else None
    choices = [["answers", f"a{number}", answer] for number, answer in enumerate(answers)]
    label = f"label::Language ({language})"
    return xlsform_read(
        workbook(
            survey=[["type", "name", label, "constraint"], [kind, "q", text, bounds]],
            choices=[["list_name", "name", label], *choices],
        )
    )


def as_definition(case: Case) -> dict[str, Any]:
    """Return a definition with one part, which does not say whether it is protected."""
    language, text, answers = case
    question: dict[str, Any] = {"key": "q", "kind": "single", "text": {language: text}}
    if len(answers) == 1:
        low, _dash, high = answers[0].partition("-")
        question |= {"kind": "number", "number": {"low": int(low), "high": int(high), "bin": 1}}
    else:
        question["options"] = [
            {"key": f"a{number}", "text": {language: answer}} for number, answer in enumerate(answers)
        ]
    return {
        "languages": [language],
        "blocks": [{"key": "b", "title": {language: "B"}, "questions": [question]}],
    }


def protection(survey: Questionnaire) -> list[bool]:
    assert [question.is_asked for question in survey.questions] == [True]
    return [block["protected"] for block in draft_of(survey)["blocks"]]


@pytest.mark.parametrize("case", SENSITIVE, ids=lambda case: case[1])
def test_sensitive_questions_are_protected_from_every_source(case: Case) -> None:
    for survey in (as_text(case), as_form(case)):
        assert protection(survey) == [True]
        assert not [note for note in survey.notes if note.effect == STORED]
    document, notes = with_stated_protection(as_definition(case))
    assert document["blocks"][0]["protected"] is True
    assert readable_questions(document) == []
    assert len(notes) == 1


def test_there_are_at_least_fifty_sensitive_and_fifty_background_questions() -> None:
    assert len(SENSITIVE) >= 50
    assert len(BACKGROUND) >= 50
    assert len({language for language, *_more in BACKGROUND}) == 7


@pytest.mark.parametrize("source", [as_text, as_form])
@pytest.mark.few("as_text", why="the others execute nothing more")
def test_plain_background_questions_are_proposed_as_stored_with_a_note(source: Any) -> None:
    surveys = {case[1]: source(case) for case in BACKGROUND}
    protected_ones = [text for text, survey in surveys.items() if protection(survey) == [True]]
    assert len(protected_ones) <= 5, protected_ones
    for text, survey in surveys.items():
        lines = [note.line for note in survey.notes if note.effect == STORED]
        assert lines == ([] if text in protected_ones else [survey.questions[0].line])


@pytest.mark.parametrize(("answer", "is_protected"), [("Law", False), ("I was expelled for drugs", True)])
def test_a_plain_question_without_answers_is_decided_again_with_them(answer: str, is_protected: bool) -> None:
    survey = read_paste("Study\n\n1. Your faculty or school:", ["en"])
    (question,) = survey.questions
    assert (question.is_asked, question.is_protected) == (False, False)
    assert not [note for note in survey.notes if note.effect == STORED]
    (number,) = [number for number, note in enumerate(survey.notes) if note.asks == "answers"]
    assert apply_answers(survey, {f"how-{number}": "keep", f"said-{number}": f"Arts\n{answer}"}) == {}
    assert (question.is_asked, question.is_protected) == (True, is_protected)
    assert [note.line for note in survey.notes if note.effect == STORED] == ([] if is_protected else [3])


@pytest.mark.parametrize(
    ("language", "labels", "left"),
    [
        ("en", ["Heroin", "Cannabis", "None of these", "Don’t know", "Prefer not to say"], 2),
        ("de", ["Heroin", "Cannabis", "Keine davon", "Weiß nicht", "Keine Angabe"], 2),
        ("fr", ["Héroïne", "Cannabis", "Aucune de ces drogues", "Ne sait pas", "Refus de répondre"], 2),
        ("es", ["Heroína", "Cannabis", "Ninguna de las anteriores", "No sabe", "Prefiero no decirlo"], 2),
        ("pt", ["Heroína", "Canábis", "Nenhuma", "Não sabe", "Prefiro não dizer"], 2),
        ("it", ["Eroina", "Cannabis", "Nessuna", "Non so", "Preferisco non rispondere"], 2),
        ("zh-hans", ["海洛因", "大麻", "以上都没有", "不知道", "不愿回答"], 2),
        ("en", ["Heroin", "None of these"], 1),
        # A list of nothing else keeps its options.
        ("en", ["Don’t know", "None of these"], 2),
    ],
)
def test_a_protected_list_leaves_out_what_the_page_offers_with_a_note(
    language: str, labels: list[str], left: int
) -> None:
    label = f"label::Language ({language})"
    survey = xlsform_read(
        workbook(
            survey=[["type", "name", label], ["select_multiple answers", "q", "Q"]],
            choices=[
                ["list_name", "name", label],
                *(["answers", f"a{n}", text] for n, text in enumerate(labels)),
            ],
        )
    )
    (block,) = draft_of(survey)["blocks"]
    assert [each["text"][language] for each in block["questions"]] == labels[:left]
    assert {(each["kind"], each["stem"]) for each in block["questions"]} == {("yes_no", "q")}
    notes = [note.message for note in survey.notes if note.cause == "offered"]
    assert bool(notes) == (left < len(labels))
    for text in labels[left:]:
        assert text in notes[0]
    assert definition_read(draft_of(survey), is_worded=False).definition is not None
    assert draft_of(survey)["stems"] == [{"key": "q", "text": {language: "Q"}}]
    # Stored as answered, the list has boxes, as in its source.
    store_question(survey, survey.questions[0])
    assert draft_of(survey)["stems"][0]["look"] == "boxes"
    assert len(draft_of(survey)["blocks"][0]["questions"]) == left
