"""What the reader leaves in a text shows that it misread a question, in any language."""

from pathlib import Path

import pytest

from benchmarks.shapes import report_on
from surveys.imports.misreadings import MISREAD
from surveys.imports.pasted_text import read_paste


def noted(text: str) -> list[tuple[int, str]]:
    return [(note.line, note.message) for note in read_paste(text).notes if note.cause == MISREAD]


@pytest.mark.parametrize(
    ("text", "line", "sign"),
    [
        ("T\n2^ Do you lie?\n2^ Do you steal?", 2, "begins with a number"),
        ("T\n1. Has anyone at work ...\n2. Do you lie?", 2, "incomplete"),
        ("T\n1. (Show card B) How often\n- Never\n- Often", 2, "a remark"),
        ("Form\n\n• How many eat with you?\n• Other people\n• Remarks", 1, "questions of their own"),
        ("T\n1. Who? ____ When? ____", 2, "several spaces"),
        ("T\n1. How often?\n- Never 31 %\n- Often 69 %\n- Now", 2, "end with numbers"),
        ("T\n1. Bist du da?\n- x ja\n- x nein\n- x egal", 2, "the same sign"),
        ("T\n1. I lie.   V   F\n2. I steal.   V   F", 2, "abbreviations"),
        ("T\n1. How often?\n- never\n- REFUSED (DO NOT READ)", 2, "an instruction"),
        ("T\n1. How many hours, 3 or 5 of 7? ____", 2, "other numbers"),
        ("T\n\nAnswer each: never / once.\n\nI lie ____\nI steal ____\n", 3, "have no answers"),
        ("T\n\nAct\tYes\tNo\tDate\nI lied\t\t\t\nI stole\t\t\t", 4, "a column for remarks"),
        (
            "T\n\nAct\tNever\tOften\nI lie at work\t\t\nI lie at home\t\t\nRumours\t\t",
            6,
            "from the other rows",
        ),
        ("T\nSay who does it: Ann, Ben, Cy or the dog.\n\n• Cooking\n• Shopping", 4, "parts of a sentence"),
    ],
)
def test_each_sign_is_noted_at_its_line(text: str, line: int, sign: str) -> None:
    assert [own for own, message in noted(text) if sign in message][:1] == [line], noted(text)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("T\n\n2-1 Tell of your day.\n2-2 When do you lie?\n   → ask for one case\n2-3 And then.", [3]),
        ("a | b | c | d\n\nx | f | one | Do you lie? |\ny | f | two | Your age |\nz | f | one | Why? |", [4]),
        (
            "T\nName: ____\nHome: ____\nSex: 1 = f; 2 = m\n\nPet: 1. dog  2. cat\n\nWay: 1. bus  2. car",
            [],
        ),
    ],
)
def test_a_line_like_those_that_are_asked_is_asked_or_noted(text: str, lines: list[int]) -> None:
    reading = read_paste(text)
    asked = {question.line for question in reading.questions}
    seen = asked | {note.line for note in reading.notes}
    alike = [
        number
        for number, line in enumerate(text.split("\n"), start=1)
        if line[:2] == "2-" or line.count("|") > 3 or ": " in line
    ]
    assert {*alike} <= seen, (alike, seen)
    assert [
        number for number, sign in noted(text) if "may contain a question" in sign and number in lines
    ] == lines


def test_questions_of_a_form_share_their_doubts() -> None:
    text = "T\n1. Do you?\n- a lot\n- a little: x\n2. Did you?\n- now\n- then"
    assert [line for line, _sign in noted(text)] == [2, 5]
    assert "the same layout" in noted(text)[1][1]


@pytest.mark.parametrize(
    "text",
    [
        "T\n1. Do you lie?\n2. How often?\n- Never\n- Often\n3. How many hours? 0-24",
        "T\n1. How old are you?\n- 18-29\n- 30-49\n- 50 or older",
        "T\n1. How often?\n- Once\n- Other: ____\n2. Where?\n- Home\n- Other: ____",
        "题\n1、您抽烟吗？\n2、您多大？\nA、三十以下\nB、以上",
        "T\n1. How sad? (1 = not, 5 = very)",
        "T\nHow often?\n(0 = Not at all, 1 = Often)\n\n1. Feeling sad\n2. Being ill\n\n3. Hard?\n- No\n- Yes",
    ],
)
def test_plain_questionnaires_have_none_of_these_notes(text: str) -> None:
    assert noted(text) == []


@pytest.mark.parametrize(
    ("number", "count", "right"),
    [(1, 60, 49), (2, 60, 39), (3, 60, 42), (4, 87, 82), (5, 50, 16), (6, 50, 17)],
)
def test_shapes_are_read_or_flagged(number: int, count: int, right: int) -> None:
    report = report_on(Path(__file__).with_name(f"shapes-{number}.jsonl"))
    assert len(report.results) == count
    assert [each.shape.name for each in report.results if each.verdict == "silent"] == []
    assert report.counts["right"] >= right


@pytest.mark.parametrize(
    ("text", "line", "sign"),
    [
        ("T\n1. How?\n- a lot\n\n- little\n2. Why?\n- fun\n- work", 2, "a blank line"),
        (
            "T\n1. Wie?\n- viel\n- wenig\n- Ich grabe\n- Ich singe\n2. Wo?\n- hier\n- dort",
            2,
            "a capital letter",
        ),
        ("T\n1. Сколько?\n- мало\n- Много\n- очень\n2. Где?\n- тут\n- там", 2, "a capital letter"),
        (
            "T\n1. Wo?\n- hier im Garten hinter dem Haus\n- dort\n2. Wie?\n- a\n- b",
            2,
            "longer than the question",
        ),
        ("T\n1. How do you dig?\n- well\n- badly\n- 2\n3. Why do you?\n- fun\n- work\n", 2, "is a number"),
        ("T\n1. Do you dig?\n> Yes\n> No\n> At night\n2. Do you sing?\n> Yes\n> No", 2, "the lines below it"),
    ],
)
def test_answers_that_differ_are_noted(text: str, line: int, sign: str) -> None:
    assert line in [own for own, message in noted(text) if sign in message], noted(text)


@pytest.mark.parametrize("labels", [("never", "rarely", "often"), ("никогда", "редко", "часто")])
def test_each_line_of_a_list_that_may_hold_questions_is_noted(labels: tuple[str, ...]) -> None:
    items = ["I dig at night", "I sing to beans", "I talk to worms", "I sleep"]
    below = [*labels, *items]
    text = "\n".join(
        ["T", "How is it?", *below, "Who digs?", "I", "you", "Why?", "fun", "work", "Where?", "here", "there"]
    )
    found = {line for line, _message in noted(text)}
    assert {*range(3 + len(labels), 3 + len(below))} <= found, noted(text)
