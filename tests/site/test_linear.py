"""Reading a pasted text takes linear time, measured in executed lines, not seconds.

`tests/test_linear_patterns.py` tests regular expressions.
"""

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, Final

import pytest

from surveys.imports.drafts import imported_drafts
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.lines.text_lines import lines_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.roles import outline
from surveys.imports.words.kept_readings import forget_readings
from surveys.questionnaire import background, plain_words
from surveys.questionnaire.displayed import as_read, limit_marks

QUESTION: Final = "Title\n1. Which of these?\n"

TEXTS: Final = {
    "blanks": lambda n: f"{QUESTION[:-1]}{' ' * 40 * n}x",
    "wide blanks": lambda n: f"{QUESTION[:-1]}{chr(0x2003) * 40 * n}x",
    "tabs": lambda n: f"{QUESTION[:-1]}{chr(9) * 40 * n}x",
    "parentheses": lambda n: f"{QUESTION[:-1]} {'(' * 20 * n}",
    "pairs of parentheses": lambda n: f"{QUESTION[:-1]} {'( a ) ' * 4 * n}",
    "question marks": lambda n: f"Title\nWhich{'?!' * 20 * n}x",
    "colons": lambda n: f"{QUESTION}purpose{':' * 20 * n}",
    "flags": lambda n: f"{QUESTION[:-1]} {'[open]' * 4 * n}",
    "equal options": lambda n: QUESTION + "- a\n" * n,
    "different options": lambda n: QUESTION + "".join(f"- a{number}\n" for number in range(n)),
    "Chinese options": lambda n: QUESTION + "".join(f"- 是{number}\n" for number in range(n)),
    "equal questions": lambda n: "Title\n" + "1. Did you?\n" * n,
    "different questions": lambda n: "Title\n" + "".join(f"1. Did you a{number}?\n" for number in range(n)),
    "questions without numbers": lambda n: "Title\n\n" + "Did you?\n\n" * n,
    "parts": lambda n: "Title\n" + "# Part\n1. Did you?\n" * n,
    "headings alone": lambda n: "Title\n" + "# Part\nline\n" * n,
    "an introduction": lambda n: "Title\n" + "x y\n" * n + "1. Did you?",
    "empty lines": lambda n: "\n" * 4 * n,
    "two languages side by side": lambda n: "Title | 题目\n" + "1. Did you? | 您呢？\n" * n,
    "plain options": lambda n: "Title\n" + "1. Did you?\nsometimes\noften\n" * n,
    "notes in two languages": lambda n: (
        "Title | 题目\n1. Which? | 哪个？\n"
        + "".join(f"Do you {number}? | 您 {number} 吗？\n" for number in range(n))
    ),
    "bullets in two levels": lambda n: "Title\n" + "● Did you?\n○ Yes\n○ No\n" * n,
    "the same answers behind each item": lambda n: "Title\nHow often?\n" + "It: Never / Once\n" * n,
    "numbers of another language": lambda n: (
        "Title\n" + "".join(f"Frage {number}: Lügen Sie?\n" for number in range(1, n))
    ),
    "buttons": lambda n: "Title\n" + "1. Did you?\n○ Yes\n○ No\nNext\n\n" * n,
    "items and their scale": lambda n: "Title\n" + "1. How much?\n1_1 a\n1_2 b\n1 no\n2 yes\n" * n,
    "a shape of its own for each question": lambda n: (
        "Title\n" + "".join(f"{chr(0x4E00 + k)} 1: Did you?\n{chr(0x4E00 + k)} 2: a\n" for k in range(n))
    ),
    "legends and their codes": lambda n: "Title\n" + "0 = never, 1 = once, 2 = often\n1. It\n0 1 2\n" * n,
    "rules": lambda n: "Title\n1. How?\n" + "|---|---|\n" * n,
    "rows of a table": lambda n: "Title\n1. How?\n\tNever\tOften\n" + "It\t○\t○\n" * n,
    "steps of a scale": lambda n: "Title\n1. How?\n" + "".join(f"{k}\n" for k in range(n)),
    "stated scales above answers": lambda n: "Title\n" + "1. Rate it from 1 to 5\n" * n + "- Yes\n- No\n",
    "stated scales above items": lambda n: "Title\n" + "Rate it from 1 to 5.\n1. It\n2. Me\n" * n,
    "starred questions": lambda n: "Title\n" + "How often? *\nNever\nOften\nYour answer\n" * n,
    "the same answers below each line": lambda n: "Title\n" + "It\nNever / Often\n" * n,
    "labels before answers": lambda n: "Title\n" + "1. How?\nOptions: well, badly\n" * n,
    "parts with the word of the first line": lambda n: "Part A: Me\n" + "Part B: You\n1. Did you?\n" * n,
    "two languages in turn": lambda n: "Title\n题目\n" + "1. Did you?\n您呢？\n" * n,
}


def steps_of(work: Callable[[], Any]) -> int:
    """Count the lines executed during a call; each turn of a loop or comprehension counts again."""
    steps = 0

    def trace(_frame: FrameType, event: str, _value: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return steps


_KEPT: Final = (
    background._bare,
    plain_words.plain_letters,
    background._plain_topics,
)


def _drafted(text: str) -> None:
    draft_of(read_paste(text))


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.few("different questions", "rows of a table", why="the longest text, and the deepest structure")
def test_reading_time_grows_linearly_with_the_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Skip the layout, whose size is limited by the number of questions in a draft.
    monkeypatch.setattr(imported_drafts, "planned_document", lambda definition, _aim: definition.document)
    # With these texts, what is quadratic is cheap, and shows only in longer ones.
    # Numbers of a scale have more digits in longer ones.
    least = 240 if name in ("plain options", "notes in two languages", "steps of a scale") else 60
    once, twice = (TEXTS[name](times) for times in (least, 2 * least))
    draft_of(read_paste(once))  # fill caches before counting
    counts = []
    for text in (once, twice):
        # What is kept of earlier texts would count for the shorter one only.
        forget_readings()
        re.purge()
        for kept in _KEPT:
            kept.cache_clear()
        counts.append(steps_of(partial(_drafted, text)))
    short, long = counts
    assert long <= 2.05 * short


@pytest.mark.soak
@pytest.mark.parametrize(
    "text",
    [
        lambda n: "Title\n1. Did you?\n" + "> At night.\n" * n,
        lambda n: "Title\n" + "x y\n" * n + "1. Did you?",
    ],
    ids=["help", "introduction"],
)
def test_long_texts_are_joined_once(text: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Joining a text anew with each of its lines copies it each time. Count the letters that are joined."""
    joined = 0
    real = outline.join_lines

    def join_lines(between: str, lines: list[str]) -> str:
        nonlocal joined
        joined += sum(map(len, lines))
        return real(between, lines)

    monkeypatch.setattr(outline, "join_lines", join_lines)
    copied = []
    for times in (500, 1_000):
        joined = 0
        read_paste(text(times))
        copied.append(joined)
    assert 0 < copied[1] <= 2.05 * copied[0]


def test_repeated_spaces_in_a_line_are_collapsed() -> None:
    read = lines_of("1.  Bad\u2003 \u3000at night?\n- a \t| b\n\n \u00a0 x")
    assert read == ["1. Bad at night?", "- a\t| b", "", "x"]


def test_runs_of_combining_marks_are_cut_before_normalising(monkeypatch: pytest.MonkeyPatch) -> None:
    piled = "a" + "\u0301\u0316" * 5_000
    longest: list[int] = []

    def normalize(form: str, text: str) -> str:
        rows = "".join("x" if unicodedata.combining(sign) else " " for sign in text).split()
        longest.append(max(map(len, rows), default=0))
        return text

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    lines_of(piled)
    as_read(piled)
    assert longest == [30, 30]
    assert limit_marks("Ça va? 您好") == "Ça va? 您好"
