"""What sets a question, an answer or a row of a table apart from its siblings is a sign of a misreading."""

import pytest

from surveys.imports.doubts.layout_signs import Layout
from surveys.imports.doubts.misreadings import MISREAD
from surveys.imports.drafts.questionnaire import Option, Part, Question, Questionnaire
from surveys.imports.lines.source_lines import read_line
from surveys.imports.pasted_text import read_paste


def clear_signs(lines: list[str], kinds: list[str], answers: list[str], *, role: str) -> list[list[str]]:
    """Return the clear signs of questions that share answers, each on a line of its own."""
    source = [read_line(number, text, has_gap=False) for number, text in enumerate(lines, start=1)]
    questions = []
    for line, kind in zip(source, kinds, strict=True):
        line.give(role)
        options = [Option(line=line.number, texts={"en": answer}) for answer in answers]
        text = line.body.split(" (")[0]
        questions.append(Question(line=line.number, texts={"en": text}, kind=kind, options=options))
    layout = Layout(Questionnaire(parts=[Part(line=0, texts={}, questions=questions)]), source)
    return [[*layout.clear_signs(question)] for question in questions]


def noted(text: str) -> list[tuple[int, str]]:
    return [(note.line, note.message) for note in read_paste(text).notes if note.cause == MISREAD]


def test_a_row_of_another_kind_than_the_rows_around_it_is_noted() -> None:
    rows = ["1. I lie.", "2. I steal.", "3. I drink."]
    found = clear_signs(rows, ["single", "several", "single"], ["never", "rarely", "often"], role="row")
    assert [len(signs) for signs in found] == [0, 1, 0]
    assert "kind" in found[1][0]
    assert clear_signs(rows, ["single"] * 3, ["never", "rarely", "often"], role="row") == [[], [], []]


def test_a_line_that_allows_several_answers_but_is_read_for_one_is_noted() -> None:
    lines = ["1. Where (tick all that apply)? home, work, bar", "2. When? May, June, July"]
    found = clear_signs(lines, ["single", "single"], ["a", "b", "c"], role="question")
    assert ["several" in " ".join(signs) for signs in found] == [True, False]


@pytest.mark.parametrize(
    ("lines", "n_signs"), [(["1. Lie? [ ] a [ ] b [ ] c"], 1), (["1. Lie? [ ] a [ ] b"], 0)]
)
def test_more_boxes_than_answers_are_noted(lines: list[str], n_signs: int) -> None:
    found = clear_signs(lines, ["single"], ["a", "b"], role="question")
    assert sum("boxes" in sign for sign in found[0]) == n_signs


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        (
            "T\n1. Where do you usually drink?\n   - home\n   - work\n   - bar\n- ask the warden\n"
            "2. When do you drink?\n   - now\n   - later",
            "indented differently",
        ),
        ("T\nHow many meals did you skip?\n(maximum 21, minimum 0)\n_____\n\nHow many hours?", "its range"),
        ("T\nWie viele Stunden?\n(höchstens 90, mindestens 0)\n_____\n\nWie viele Tage?", "its range"),
    ],
)
def test_a_line_that_belongs_to_no_answer_or_number_is_asked_about(text: str, sign: str) -> None:
    assert any(sign in message for _line, message in noted(text)), noted(text)


def test_a_remark_between_two_lists_of_answers_is_asked_about_at_both() -> None:
    text = "T\n\n1. Who digs? (I; you; they)\n(several answers)\n2. What grows? (figs; leeks; beans)\n"
    notes = read_paste(text).notes
    assert {note.line for note in notes if "line above may say" in note.message} == {5}
    assert {note.line for note in notes if "line below may be about" in note.message} == {3}


@pytest.mark.parametrize("limit", ["\n(at most 14)", "\n____\nmax. 14"])
def test_a_limit_at_one_end_of_a_number_is_asked_about(limit: str) -> None:
    """The report said that the text gives no range, and the limit was left out."""
    notes = read_paste(f"T\n\n1. How many cats?{limit}\n\n2. Do you smoke?\n- yes\n- no\n").notes
    assert any(note.line == 3 and "may be misread" in note.message for note in notes)
