"""A line whose words became a condition, answers or a range is not reported as left out."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from surveys.imports.drafts.questionnaire import LOST, Part, Question, Questionnaire, ReadLine
from surveys.imports.lines.used_lines import account_for
from surveys.imports.pasted_text import read_paste

FOLDER = Path(__file__).parent.parent
SMOKING = "T\n1. Do you smoke?\n- yes\n- no\n{}\n2. Do you smoke at home?\n- yes\n- no"


def lost(survey: Questionnaire) -> list[int]:
    return [note.line for note in survey.notes if note.cause in ("left", "uncertain")]


@pytest.mark.parametrize("words", ["If yes:", "If so:", "Only if yes:"])
def test_a_condition_on_a_line_of_its_own_is_not_reported_as_left_out(words: str) -> None:
    """It used to be reported three times: as a condition, as left out, and as uncertain."""
    survey = read_paste(SMOKING.format(words))
    assert survey.questions[1].condition == {"question": "smoke", "options": ["yes"]}
    assert lost(survey) == []
    assert [(line.role, line.is_certain) for line in survey.lines if line.line == 5] == [("skip", True)]


def test_a_condition_that_was_not_understood_still_is() -> None:
    survey = read_paste(SMOKING.format("Smokers who like tea:"))
    assert survey.questions[1].condition is None
    assert 5 in {note.line for note in survey.notes}


def test_words_for_letters_and_the_range_of_a_number_are_not_reported_as_left_out() -> None:
    letters = read_paste("T\n\nMark T (True) or F (False).\n1. Fire is hot. T F\n2. Ice is hot. T F\n3. Why?")
    assert [option.texts["en"] for option in letters.questions[0].options] == ["True", "False"]
    number = read_paste(
        "T\n1. How many minutes?\n(please enter a whole number between 0 and 600)\n___\n2. Why?"
    )
    assert number.questions[0].range == "0–600"
    assert lost(letters) == lost(number) == []


def _texts() -> Iterator[str]:
    for path in sorted(FOLDER.glob("shapes-*.jsonl")):
        yield from (json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines())


def _understood(survey: Questionnaire) -> dict[int, Any]:
    return {
        question.line: (
            question.condition,
            [[*option.texts.values()] for option in question.options],
            [option.points for option in question.options],
            question.points,
            question.range,
        )
        for question in survey.questions
    }


def _roles(survey: Questionnaire, without: int) -> list[tuple[int, str]]:
    return [(each.line, each.role) for each in survey.lines if each.line != without]


@pytest.mark.soak
def test_no_line_that_is_reported_as_left_out_was_used() -> None:
    """Without such a line, if others keep their roles, questions keep what was understood about them."""
    used = []
    for text in _texts():
        survey = read_paste(text, is_checked=False)
        lines = text.split("\n")
        for number in [note.line for note in survey.notes if note.cause == "left"]:
            rest = itertools.chain(lines[: number - 1], [""], lines[number:])
            tags = tuple(tag for tag in survey.languages if tag != "und")
            again = read_paste("\n".join(rest), tags, is_checked=False)
            is_alike = _roles(again, number) == _roles(survey, number)
            if is_alike and _understood(again) != _understood(survey):
                used.append(lines[number - 1])
    assert used == []


@pytest.mark.parametrize(
    ("text", "joined", "left"),
    [
        (
            "Mood\n\n                  not     a little\n                  at all  bit      much\n"
            "1. I am sad        0       1        2\n2. I am tired      0       1        2",
            [],
            [],
        ),
        ("Work\n1. Do you lie?\n2. Do you\nsteal?\n3. Do you cheat?\n\n                 61", [], [7]),
        (
            "Total 6 to 9: discuss today\nI stop the tablets when I feel better\t0\t1\t2\t3\n"
            "Patient name: ______   (staff use: total ____ )\n\n\nTotal 3 to 5: discuss at next visit\n"
            "\tNever\tSometimes\tUsually\tAlways\nTotal 0 to 2: on track\n"
            "I take my tablets as agreed\t3\t2\t1\t0\nI hide from my doctor how much I drink\t0\t1\t2\t3",
            [],
            [7],
        ),
        ("Sleep 睡眠\n1. Do you sleep?\n您睡觉吗？\n2. Do you dream?\n您做梦吗？", [], []),
    ],
)
def test_every_line_has_a_role(text: str, joined: list[int], left: list[int]) -> None:
    survey = read_paste(text)
    roles = {each.line: each.role for each in survey.lines}
    assert [*roles] == [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    assert {*joined} <= {number for number, role in roles.items() if role == "joined"}
    assert {*left} <= {number for number, role in roles.items() if role == "left"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Name: ______ Weight: ______ Height: ______", "Weight Height"),
    ],
)
def test_words_that_a_question_loses_are_asked_about(line: str, words: str) -> None:
    survey = read_paste(f"T\n1. {line}\n2. Do you smoke?\n- yes\n- no")
    own = [note.message for note in survey.notes if note.line == 2]
    assert all(any(word in message for message in own) for word in words.split())


@pytest.mark.parametrize(
    "line",
    [
        "Question One - Do you drink alone?",
        "Do you lie? (Yes=1, No=0)",
        "您抽烟吗？①从不 ②有时 ③经常",
        "Who? (tick all that apply)",
    ],
)
def test_numbers_answers_and_instructions_are_no_lost_words(line: str) -> None:
    survey = read_paste(f"T\n{line}\n{line.replace('One', 'Two')}")
    assert not [note for note in survey.notes if "left out: " in note.message]


@pytest.mark.parametrize(
    ("tag", "yes", "no"), [("en", "YES", "no"), ("de", "ja", "nein"), ("fr", "oui", "non")]
)
def test_the_words_of_a_yes_or_no_question_are_used(tag: str, yes: str, no: str) -> None:
    asked = Question(line=1, texts={tag: "?"}, kind="yes_no")
    survey = Questionnaire(languages=(tag,), parts=[Part(line=0, texts={}, questions=[asked])])
    account_for(survey, ["?", f"( ) {yes}  ( ) {no}", "Page 7"])
    assert {each.line: each.role for each in survey.lines} == {1: "left", 2: "joined", 3: "left"}


def test_a_question_that_no_step_kept_is_asked_about() -> None:
    survey = Questionnaire(parts=[Part(line=0, texts={}, questions=[Question(line=1, texts={"en": "Who?"})])])
    account_for(survey, ["Who?", "A2. Since when are you here?   within a year", "page 7"])
    assert [note.line for note in survey.notes] == [2]


def test_words_with_codes_of_a_table_are_used() -> None:
    asked = Question(line=1, texts={"en": "I left a room because of the noise"})
    survey = Questionnaire(parts=[Part(line=0, texts={}, questions=[asked])])
    account_for(survey, ["I left a room because of the", "noise    0   1   2   3"])
    assert [each.role for each in survey.lines] == ["joined", "joined"]


@pytest.mark.parametrize(
    ("line", "is_noted"),
    [
        ("Shown to smokers only", True),
        ("只有吸烟的人回答", True),
        ("Question 2", False),
        ("How often do you?", False),
    ],
)
def test_a_line_that_nothing_read_is_left_out_with_a_note(line: str, *, is_noted: bool) -> None:
    asked = Question(line=2, texts={"en": "How often do you?"})
    survey = Questionnaire(parts=[Part(line=0, texts={}, questions=[asked])])
    account_for(survey, [line])
    assert [note.cause for note in survey.notes] == ["left"] * is_noted


def test_a_line_whose_words_lead_a_question_is_not_left_out() -> None:
    """Its badge said *left out*, next to a question that began with its words."""
    remark = "(Only shown if yes at question 1)"
    first = "Question 1\nDo you drink?\n- yes\n- no\n"
    survey = read_paste(f"T\n\n{first}\nQuestion 2\n{remark}\nHow often?\n- rarely\n- often")
    assert next(line.role for line in survey.lines if line.line == 9) == "joined"


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("No\tQuestion\tKind\n1\tHow many rooms?\tnumber\tas in 2019\n2\tIs it cold?\tyes/no", ["2019"]),
        ("T\n\n1. Do you smoke? 1 yes 2 no 8 refused 9 missing\n2. Is it cold?", []),
        ("T\n\n1. How old are you? (18 to 70)\n2. Is it cold?", []),
        ("T\n\n[12/03 18:22] 1. Do you smoke? yes / no\n[12/03 18:23] 2. Is it cold? yes / no", []),
        ("T\n\n1. Do you smoke in 3 or more rooms? yes / no\n2. Is it cold? yes / no", []),
    ],
)
def test_numbers_behind_a_question_that_the_survey_lacks_are_asked_about(text: str, lost: list[str]) -> None:
    """A range, a code or a limit in an unknown place was lost in silence."""
    said = [note.message for note in read_paste(text).notes if "numbers of its line" in note.message]
    assert [message.rpartition(": ")[2] for message in said] == lost


@pytest.mark.parametrize("dots", ["..", "...", "…", "-"])
def test_dots_between_two_numbers_state_a_range(dots: str) -> None:
    cell = f"INTEGER, 1{dots}98"
    survey = read_paste(f"T\n\n1. How many hours did you work?\n    {cell}\n\n2. Do you smoke?\n- yes\n- no")
    assert survey.questions[0].range == "1–98"


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("I slept well", LOST),
        ("Karim 09:12", ""),
        ("(one answer)", ""),
        ("17", ""),
        ("I said I slept well", LOST),
    ],
)
def test_a_line_between_two_questions_is_never_left_out_silently(text: str, effect: str) -> None:
    """Lines of fewer than three words that a layout lost had no note."""
    asked = [Question(line=line, texts={"en": words}) for line, words in ((2, "I ran"), (4, "I sang"))]
    lines = [ReadLine(line=line, role="row", is_certain=True) for line in (2, 4)]
    survey = Questionnaire(parts=[Part(line=0, texts={}, questions=asked)], lines=lines)
    account_for(survey, ["", "I ran", text, "I sang"])
    assert [note.effect for note in survey.notes if note.line == 3] == [effect] * bool(effect)
