import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.imports.form_conditions import Term, asked_if_of, clauses_of
from surveys.imports.formulas import MOST_BRACKETS

A, B, C = (f"${{{name}}} = 'x'" for name in "abc")
a, b, c = ((name, False, "x", True) for name in "abc")


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        (A, [[a]]),
        (f"{A} or {B}", [[a, b]]),
        (f"{A} and {B}", [[a], [b]]),
        (f"({A}||{B})&&({C})", [[a, b], [c]]),
        (f"(({A}) AND (({B} OR {C})))", [[a], [b, c]]),
        (f"not({A} and {B}) and {C}", [[("a", True, "x", True), ("b", True, "x", True)], [c]]),
        (f"NOT({A} or not({B}))", [[("a", True, "x", True)], [b]]),
        (
            "selected( ${ a }, 'x') or not(selected(${b},\"x\"))",
            [[("a", False, "x", False), ("b", True, "x", False)]],
        ),
        (
            "${a}!=1 and ${b} = 'x or (y = 2'",
            [[("a", True, "1", True)], [("b", False, "x or (y = 2", True)]],
        ),
        (f"count-selected(${{n}}) > 2 and {A}", [[None], [a]]),
        (f"${{b}} = ${{c}} or {A}", [[None, a]]),
        ("(" * MOST_BRACKETS + A + ")" * MOST_BRACKETS, [[a]]),
        (f"{A} and {B} or {C}", []),
        (f"{A} or ({B} and {C})", []),
        (f"({A}", []),
        (f"{A})", []),
        (f"{A} or", []),
        (f"and {A}", []),
        ("", []),
        ("(" * (MOST_BRACKETS + 1) + A + ")" * (MOST_BRACKETS + 1), []),
        ("not " * 5_000 + A, []),
        ("-" * 9_000 + "1", []),
    ],
)
def test_conditions_are_parsed_completely_or_not_at_all(text: str, clauses: list[list[Term | None]]) -> None:
    assert clauses_of(text) == clauses


@st.composite
def _written(draw: st.DrawFn, depth: int = 2) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([A, B, C]))
    parts = draw(st.lists(_written(depth=depth - 1), min_size=1, max_size=3))
    negation = draw(st.sampled_from(["", "not"]))
    return negation + "(" + draw(st.sampled_from([" and ", " or "])).join(parts) + ")"


@given(_written())
@pytest.mark.soak
def test_clauses_are_equivalent_to_the_condition(text: str) -> None:
    clauses = clauses_of(text)
    if not clauses:
        # A negation swaps *or* and *and*.
        assert "not" in text or ("or" in text and "and" in text)
        return
    for values in itertools.product((False, True), repeat=3):
        truth = dict(zip("abc", values, strict=True))
        held = all(any(truth[term[0]] != term[1] for term in clause if term) for clause in clauses)
        plain = text
        for name in "abc":
            plain = plain.replace(f"${{{name}}} = 'x'", name)
        assert held == eval(plain, {}, truth)


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
