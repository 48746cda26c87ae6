"""A condition or jump that was not read concerns all questions behind it, up to its end."""

import pytest

from surveys.imports.doubts import audiences
from surveys.imports.doubts.audiences import Audiences, audiences_of
from surveys.imports.doubts.weights import blocks_of
from surveys.imports.drafts.questionnaire import Option, Part, Question, Questionnaire
from surveys.imports.lines.source_lines import read_line

TEXT = """1. Do you smoke?
- yes
- no (skip to the last one)
2. How many a day?
3. Since when?
- May
4. Do you drink?
5. How old are you?"""


def audiences_in(
    text: str, monkeypatch: pytest.MonkeyPatch, *, limited: dict[int, int], roles: dict[int, str]
) -> Audiences:
    monkeypatch.setattr(audiences, "unread_conditions", lambda *arguments: limited)
    texts = text.split("\n")
    source = [read_line(number, each, has_gap=False) for number, each in enumerate(texts, 1) if each]
    questions: list[Question] = []
    for line in source:
        line.give(roles.get(line.number, "answer" if line.text[0] == "-" else "question"))
        if line.role == "question":
            questions.append(Question(line=line.number, texts={"en": line.body}))
        elif line.role == "answer":
            questions[-1].options.append(Option(line=line.number, texts={"en": line.body}))
    survey = Questionnaire(parts=[Part(line=0, texts={}, questions=questions)])
    return audiences_of(survey, texts, source, blocks_of(questions, source))


def test_all_questions_behind_a_jump_are_limited_as_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found = audiences_in(TEXT, monkeypatch, limited={4: 3}, roles={})
    assert found.limited == {4: 3, 5: 3, 7: 3, 8: 3}


@pytest.mark.parametrize(
    ("old", "new", "role"),
    [
        ("4. Do you drink?", "Part B\n4. Do you drink?", "heading"),
        ("(skip to the last one)", "(skip to 4)", ""),
        ("(skip to the last one)", "(weiter mit Frage 4)", ""),
        ("(skip to the last one)", "(vai alla 4)", ""),
    ],
)
def test_they_end_at_a_heading_and_at_the_question_that_the_jump_names(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, role: str
) -> None:
    found = audiences_in(TEXT.replace(old, new), monkeypatch, limited={4: 3}, roles={7: role} if role else {})
    assert found.limited == {4: 3, 5: 3}


def test_a_condition_in_a_question_concerns_only_that_question(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT.replace("a day?", "a day, if you do?").replace(" (skip to the last one)", "")
    found = audiences_in(text, monkeypatch, limited={4: 4}, roles={})
    assert found.limited == {4: 4}


@pytest.mark.parametrize("clause", ["If you smoke, how many?", "How many (if you smoke)?"])
def test_a_clause_of_a_question_may_state_who_is_asked(monkeypatch: pytest.MonkeyPatch, clause: str) -> None:
    found = audiences_in(
        TEXT.replace("How many a day?", clause).replace(" (skip to the last one)", ""),
        monkeypatch,
        limited={},
        roles={},
    )
    assert {*found.stated} == {4}
    assert {4, 5} <= {*found.near}


def test_words_behind_yes_or_no_that_were_not_read_limit_the_questions_below(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = audiences_in(TEXT.replace("skip to the", "only the"), monkeypatch, limited={}, roles={})
    assert found.limited == {4: 1, 5: 1, 7: 1, 8: 1}
