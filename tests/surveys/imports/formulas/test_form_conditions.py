import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.imports.drafts.questionnaire import SEVERAL, Option, Question
from surveys.imports.formulas.form_conditions import asked_if_of, usable_clauses
from surveys.imports.formulas.syntax import MOST_BRACKETS, tree_of, truth, value_of

A, B, C = (f"${{{name}}} = 'x'" for name in "abc")
VALUES = {"x": "k-x", "1": "k-1", "2": "k-2"}
KNOWN = {name: (Question(line=1, texts={}, key=name, kind="single"), VALUES) for name in "abc"}
NONE = Option(line=1, texts={"en": "None of these"}, key="none")
KNOWN["m"] = (
    Question(line=1, texts={}, kind=SEVERAL, lines={"k-x": "m_x", "k-1": "m_1"}, options=[NONE]),
    {"x": "k-x", "1": "k-1", "no": "none"},
)
KNOWN["n"] = Question(line=1, texts={}, key="n", kind="number"), {}
NOT_X = ["k-1", "k-2"]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (A, [{"a": ["k-x"]}]),
        (f"{A} or {B}", [{"a": ["k-x"], "b": ["k-x"]}]),
        (f"{A} and {B}", [{"a": ["k-x"]}, {"b": ["k-x"]}]),
        (f"(({A}) AND (({B} OR ${{b}} > 1)))", [{"a": ["k-x"]}, {"b": ["k-x", "k-2"]}]),
        (f"not({A} and {B})", [{"a": NOT_X, "b": NOT_X}]),
        (f"NOT({A} or not({B}))", [{"a": NOT_X}, {"b": ["k-x"]}]),
        ("selected( ${ a }, 'x') or not(selected(${b},\"x\"))", [{"a": ["k-x"], "b": NOT_X}]),
        ("${a} != '' and ${b} = 2", [{"a": [*VALUES.values()]}, {"b": ["k-2"]}]),
        ("${a} >= 1 and ${a} + 1 < 3", [{"a": NOT_X}, {"a": ["k-1"]}]),
        ("selected(${m}, 'x')", [{"m_x": ["yes"]}]),
        ("not(selected(${m}, 'x')) or ${a} = 1", [{"m_x": ["no"], "a": ["k-1"]}]),
        ("${m} = 'x'", [{"m_x": ["yes"]}, {"m_1": ["no"]}]),
        ("${m} != 'no'", [{"m_x": ["yes"], "m_1": ["yes"]}]),
        ("(" * MOST_BRACKETS + A + ")" * MOST_BRACKETS, [{"a": ["k-x"]}]),
    ],
)
def test_conditions_become_clauses_of_answers(text: str, clauses: list[dict[str, list[str]]]) -> None:
    assert usable_clauses(text, KNOWN)[:2] == (clauses, True)


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (f"count-selected(${{m}}) > 2 and {A}", [{"a": ["k-x"]}]),
        (f"${{n}} > 17 and {A}", [{"a": ["k-x"]}]),
        (f"{A} and ({A} or {B})", [{"a": ["k-x"]}]),
        (f"{C} and ({A} or ({B} and {C}))", [{"c": ["k-x"]}]),
        (f"${{b}} = ${{c}} or {A}", []),
        (f"{A} and {B} or {C}", []),
        ("${a} = 'z'", []),
        ("selected(${m}, ${a})", []),
        ("selected(${m}, 'z')", []),
        ("${m} = 'x' or ${a} = 1", []),
        ("today() > ${a}", []),
        ("${z} = 1", []),
        (f"({A}", []),
        (f"{A} or", []),
        ("", []),
        ("(" * (MOST_BRACKETS + 1) + A + ")" * (MOST_BRACKETS + 1), []),
        ("not " * 5_000 + A, []),
        ("-" * 9_000 + "1", []),
    ],
)
def test_clauses_that_no_part_can_have_are_dropped(text: str, clauses: list[dict[str, list[str]]]) -> None:
    assert usable_clauses(text, KNOWN) == (clauses, False, False)


@st.composite
def _written(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([A, B, C, "${a} > 1", "${b} != 1", "${c} + 1 = 2"]))
    parts = draw(st.lists(_written(depth=depth - 1), min_size=1, max_size=3))
    negation = draw(st.sampled_from(["", "not"]))
    return negation + "(" + draw(st.sampled_from([" and ", " or "])).join(parts) + ")"


@given(_written())
@pytest.mark.soak
def test_clauses_exclude_no_one_whom_the_condition_asks(text: str) -> None:
    clauses, is_all, _holds_if_empty = usable_clauses(text, KNOWN)
    tree = tree_of(text)
    assert tree is not None
    for values in itertools.product(VALUES, repeat=3):
        answers = dict(zip("abc", values, strict=True))
        held = all(any(VALUES[answers[key]] in own for key, own in clause.items()) for clause in clauses)
        asked = truth(value_of(tree, answers))
        assert held >= asked
        assert held == asked or not is_all


def test_block_conditions_use_only_all_or_only_any() -> None:
    leads, young = {"leads": ["yes"]}, {"age": ["18", "25"]}
    said = [{"question": "leads", "options": ["yes"]}, {"question": "age", "options": ["18", "25"]}]
    assert asked_if_of([leads]) == said[0]
    assert asked_if_of([leads, young]) == {"all": said}
    assert asked_if_of([leads | young]) == {"any": said}
    assert asked_if_of([leads, leads | young]) is None


def test_impossible_conditions_are_dropped() -> None:
    assert asked_if_of([]) is None
    assert asked_if_of([{}]) is None
    assert asked_if_of([{"age": ["18"]}, {"age": ["25"]}]) is None
    assert asked_if_of([{"age": ["18", "18"]}]) == {"question": "age", "options": ["18"]}
