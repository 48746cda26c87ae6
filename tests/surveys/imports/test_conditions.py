from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.imports.conditions import MOST_BRACKETS, asked_if_of, clauses_of


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("a", [["a"]]),
        ("a or b", [["a", "b"]]),
        ("a and b", [["a"], ["b"]]),
        ("(a||b)&&(c)", [["a", "b"], ["c"]]),
        ("((a) AND ((b or c)))", [["a"], ["b", "c"]]),
        ("x = 'a or b' and y = \"(\"", [["x = 'a or b'"], ['y = "("']]),
        ("{a and b} = 1", [["{a and b} = 1"]]),
        ("band or order", [["band", "order"]]),
        ("(" * MOST_BRACKETS + "a" + ")" * MOST_BRACKETS, [["a"]]),
        ("a and b or c", None),
        ("a or (b and c)", None),
        ("(a", None),
        ("a)", None),
        ("a or", None),
        ("and a", None),
        ("not (a)", None),
        ("(or a)", None),
        ("", None),
        ("(" * (MOST_BRACKETS + 1) + "a" + ")" * (MOST_BRACKETS + 1), None),
    ],
)
def test_a_condition_is_read_as_clauses_or_not_at_all(text: str, clauses: list[list[str]] | None) -> None:
    assert clauses_of(text) == clauses


@st.composite
def _written(draw: st.DrawFn, depth: int = 2) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(["a", "b", "c"]))
    parts = draw(st.lists(_written(depth=depth - 1), min_size=1, max_size=3))
    return "(" + draw(st.sampled_from([" and ", " or "])).join(parts) + ")"


@given(_written())
def test_clauses_hold_exactly_where_the_condition_does(text: str) -> None:
    clauses = clauses_of(text)
    if clauses is None:
        assert "or" in text
        assert "and" in text
        return
    for values in itertools.product((False, True), repeat=3):
        truth = dict(zip("abc", values, strict=True))
        held = all(any(truth[term] for term in clause) for clause in clauses)
        assert held == eval(text, {}, truth)


def test_a_part_waits_for_answers_joined_in_one_way() -> None:
    leads, young = {"leads": ["yes"]}, {"age": ["18", "25"]}
    said = [{"question": "leads", "options": ["yes"]}, {"question": "age", "options": ["18", "25"]}]
    assert asked_if_of([leads]) == said[0]
    assert asked_if_of([leads, young]) == {"all": said}
    assert asked_if_of([leads | young]) == {"any": said}
    assert asked_if_of([leads, leads | young]) is None


def test_what_nobody_can_answer_is_nothing_to_wait_for() -> None:
    assert asked_if_of([]) is None
    assert asked_if_of([{}]) is None
    assert asked_if_of([{"age": ["18"]}, {"age": ["25"]}]) is None
    assert asked_if_of([{"age": ["18", "18"]}]) == {"question": "age", "options": ["18"]}
