import pytest

from surveys.authoring.accounted_lines import source_lines
from surveys.imports.lines.lost_breaks import usual_breaks, with_line_breaks
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Club 1. Haben Sie Asthma? □ ja □ nein 2. Wie schlafen Sie? □ gut □ schlecht", ["yes_no", "single"]),
        ("Sub 1) Ha la tessera? [ ] sì [ ] no 2) Altezza: ____ cm\n", ["yes_no", "number"]),
        ("潜水 1、您有哮喘吗？（ ）有（ ）没有 2、您潜过多少次？____次", ["yes_no", "number"]),
        ("Club Q1. Do you dive? yes / no Q2. How deep? ____ m", ["yes_no", "number"]),
        ("1. Do you dive? 1. yes 2. no 2. Why? 1. fun 2. work 3. both", ["yes_no", "single"]),
    ],
)
def test_a_text_on_one_line_is_read_by_its_numbers(text: str, kinds: list[str]) -> None:
    survey = read_paste(text)
    assert [question.kind for question in survey.questions] == kinds
    # The page shows the lines to which the report refers.
    lines = source_lines(text)
    assert all(
        lines[question.line - 1].count("?") + lines[question.line - 1].count("？") <= 1
        for question in survey.questions
    )
    assert [each.line for each in survey.lines] == [*range(1, len(lines) + 1)]


def test_the_report_says_that_line_breaks_were_put_back() -> None:
    survey = read_paste("Club 1. Do you dive? yes / no 2. Do you swim? yes / no")
    # Differences of the report are notes with this effect.
    assert [
        note.line for note in survey.notes if note.effect == "changed" and "one line" in note.message
    ] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "Do you dive? 1. yes 2. no",
        "1. Do you dive? 1. yes 2. no 3. I do not know",
        "Club\n1. Do you dive? yes no 2. How deep? ____ m",
        "We met on 1. May and on 2. June. Did you come?",
        "",
    ],
)
def test_other_texts_keep_their_lines(text: str) -> None:
    assert with_line_breaks(text) == text


@pytest.mark.parametrize("sign", ["\r\n", "\r", "\v", "\x85", "\u2028", "\u2029"])
def test_each_kind_of_line_break_ends_a_line(sign: str) -> None:
    """Vertical tabs, with which slides break lines, used to join all lines to one."""
    usual = "Club\n1. Do you dive?\n- yes\n- no\n2. Where?\n- sea\n- lake\n"
    survey = read_paste(usual.replace("\n", sign))
    assert survey.questions == read_paste(usual).questions
    assert [question.line for question in survey.questions] == [2, 5]


def test_a_new_page_ends_a_line_but_adds_none() -> None:
    assert usual_breaks("1. Sea?\n\f2. Lake?\f3. Pool?") == "1. Sea?\n\f2. Lake?\n3. Pool?"
