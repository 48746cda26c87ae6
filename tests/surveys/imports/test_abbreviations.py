"""Abbreviated answers are written out as the text explains them."""

import pytest

from surveys.imports.abbreviations import write_out
from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import labels_of

AGREE = ("strongly agree", "agree", "disagree", "strongly disagree")


@pytest.mark.parametrize(
    "legend",
    [
        "SA = strongly agree, A = agree, D = disagree, SD = strongly disagree",
        "Key: SA strongly agree, A agree, D disagree, SD strongly disagree",
        "Please circle SA (strongly agree), A (agree), D (disagree) or SD (strongly disagree).",
        "SD: strongly disagree; D: disagree; A: agree; SA: strongly agree",
    ],
)
@pytest.mark.parametrize("between", [" ", "\n", "   "])
@pytest.mark.parametrize("is_above", [True, False])
def test_letters_behind_or_below_items_become_answers(legend: str, between: str, *, is_above: bool) -> None:
    items = [
        f"{at}. {item}.{between}SA A D SD" for at, item in enumerate(("I lie", "I hide money", "I cheat"), 1)
    ]
    lines = [legend, *items] if is_above else [*items, legend]
    questions = read_paste("\n".join(["Scale", *lines])).questions
    assert [each.texts["en"] for each in questions] == ["I lie.", "I hide money.", "I cheat."]
    assert {labels_of(each) for each in questions} == {AGREE}


def test_signs_are_written_out_too() -> None:
    lines = [
        "I lie. ++ + o - --",
        "I hide. ++ + o - --",
        "-- = no, - = hardly, o = partly, + = mostly, ++ = yes",
    ]
    assert write_out(lines)[0] == "I lie.    ○ yes   ○ mostly   ○ partly   ○ hardly   ○ no"


@pytest.mark.parametrize(
    "lines",
    [
        ["I lie. S A N", "I hide. S A N"],
        ["I lie. S A N", "S = always, A = often, N = never"],
        ["(1) (2) (3)", "(1) (2) (3)", "(1) never (2) often (3) always"],
        ["Do as I do", "Do as I do", "as do I"],
    ],
)
def test_lines_without_an_explanation_stay(lines: list[str]) -> None:
    assert write_out(lines) == lines
