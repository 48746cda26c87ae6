"""Layouts of printed instruments and survey tools' exports are read, or flagged at their line.

`shapes.txt` has the layouts; `surveys/imports/phrases.tsv` has the phrases of single tools.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from surveys.imports.imported_drafts import draft_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.printed_layouts import ROWS, is_step, meaning_of, split_count, split_skip
from surveys.imports.questionnaire import Questionnaire


def case(text: str) -> tuple[str, list[Any]]:
    """Return a pasted text, and the kind, the text and the options or the range of each of its questions."""
    pasted, _rule, below = text.replace("⇥", "\t").rpartition("\n--\n")
    questions: list[Any] = []
    for line in below.split("\n"):
        asked, *options = line.split(" | ")
        kind, _colon, words = asked.partition(": ")
        ends = tuple(map(int, options)) if kind == "number" else tuple(options)
        questions.append(("" if kind == "unclear" else kind, words, ends))
    return pasted, questions


_HEAD, *_CASES = Path(__file__).with_name("shapes.txt").read_text(encoding="utf-8").strip().split("\n\n## ")
SHAPES = {name: case(text) for name, _break, text in (each.partition("\n") for each in _CASES)}


@pytest.mark.parametrize(("meaning", "pattern", "example"), ROWS)
def test_every_phrase_is_recognised_in_its_example(meaning: str, pattern: str, example: str) -> None:
    if meaning == "count":
        assert split_count(example)[0]
    elif meaning == "skip":
        assert split_skip(example)[1]
    elif meaning == "step":
        assert is_step(example)
    elif meaning in ("yes", "no"):
        assert re.fullmatch(pattern, example.replace(",", ""), re.IGNORECASE)
    elif not meaning.startswith(
        (
            "asks-",
            "verb-",
            "which-",
            "either-",
            "any-",
            "indirect",
            "words-",
            "sheet",
            "scoring",
            "reversed",
            "or-more",
            "range-",
            "flag-",
            "about-",
            "english",
            "not-english",
            "other",
            "language-",
            "script-",
        )
    ):
        assert meaning_of(example) == meaning
    assert re.search(pattern, example, re.IGNORECASE)


def shape(reading: Questionnaire) -> list[Any]:
    found: list[Any] = []
    for question in reading.questions:
        stated = question.own.get("number")
        options = tuple(next(iter(option.texts.values())) for option in question.options)
        ends = (stated["low"], stated["high"]) if stated else options if question.kind else ()
        found.append((question.kind, next(iter(question.texts.values())), ends))
    return found


@pytest.mark.parametrize("name", SHAPES)
def test_layouts_are_read_and_unclear_lines_flagged(name: str) -> None:
    text, expected = SHAPES[name]
    reading = read_paste(text)
    assert shape(reading) == expected
    flagged = {note.line for note in reading.unclear}
    assert all(question.is_asked or question.line in flagged for question in reading.questions)


def test_all_layouts_are_tested() -> None:
    assert len(SHAPES) == 299
    # A range in parentheses needs no decision.
    clear = [text for name, (text, _expected) in SHAPES.items() if name.startswith("a range in parentheses")]
    assert [read_paste(text).notes for text in clear] == [[]] * 5


@pytest.mark.parametrize(
    ("name", "line", "effect", "said"),
    [
        ("codes in brackets, a line each", 2, "changed", "codes of the answers"),
        ("an instruction to skip behind an option", 3, "changed", "everyone is asked"),
        ("a Chinese instruction to skip", 4, "changed", "everyone is asked"),
        ("a display condition", 4, "unclear", "only after certain answers"),
        ("an answer to write", 4, "changed", "line to write on"),
        ("a form's page", 7, "changed", "left out"),
        ("a grid without labels", 3, "wrong", "this grid"),
        ("a table whose labels are gone", 3, "changed", "words of this scale"),
        ("an age", 2, "changed", "0 to 99"),
        ("free text", 3, "unclear", "free text"),
        ("a word without options", 2, "unclear", "needs options"),
        ("wenjuanxing depends", 8, "unclear", "only after certain answers"),
        ("page numbers", 14, "changed", "left out"),
    ],
)
def test_every_change_is_noted_with_a_remedy(name: str, line: int, effect: str, said: str) -> None:
    notes = [
        note for note in read_paste(SHAPES[name][0]).notes if note.line == line and note.effect == effect
    ]
    assert any(said in note.message for note in notes), read_paste(SHAPES[name][0]).notes
    assert all(note.remedy for note in notes)


@pytest.mark.parametrize("columns", ["Never\nSometimes\nOften", "从不\n有时\n经常"])
def test_rows_of_a_grid_without_an_instruction_are_flagged(columns: str) -> None:
    reading = read_paste(f"T\n\nHow often do you do it? *\n{columns}\nSmoke\nDrink\n\nDo you lie?", ("en",))
    assert [(note.line, note.effect) for note in reading.notes] == [(7, "wrong")]
    plain = read_paste(f"T\n\nHow often? *\n{columns}\nOnly at parties", ("en",))
    assert plain.notes == []


def test_joiners_are_kept_and_unknown_languages_asked_for() -> None:
    reading = read_paste("پرسش‌نامه\n1. آیا می‌خواهید؟\nبله\nخیر")
    assert reading.questions[0].texts["und"] == "آیا می‌خواهید؟"
    assert reading.questions[0].kind == "yes_no"
    assert [note.asks for note in reading.unclear] == ["language"]
    told = read_paste("پرسش‌نامه\n1. آیا می‌خواهید؟\nبله\nخیر", ("fa",))
    assert told.unclear == []
    assert draft_of(told)["languages"] == ["fa"]


@pytest.mark.parametrize(
    "text", ["Nyumba\n1. Je, umewahi kulala hapa?", "Dom\n1. Czy zrobił pan to już kiedyś?"]
)
def test_unknown_language_questions_are_not_assumed_yes_no(text: str) -> None:
    reading = read_paste(text)
    assert reading.questions[0].kind == ""
    assert {note.asks for note in reading.unclear} == {"language", "answers"}
