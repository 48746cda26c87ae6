"""A proposed rule computes the same as its formula, for all answers and for the gaps that it allows."""

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from surveys.imports.formulas.formula_rules import Rule, composite_of, rule_of
from surveys.imports.formulas.formula_sums import Answers
from surveys.imports.formulas.syntax import Unsayable, tree_of
from tests.conftest import SOAK

QUESTIONS: Mapping[str, Answers] = {
    "a": Answers(names=("0", "1", "3"), components=("a",)),
    "b": Answers(names=("0", "1"), components=("b",)),
    "c": Answers(names=("2", "1", "0"), components=("c",)),
    "m": Answers(names=("p", "q", "r"), components=("m_p", "m_q", "m_r"), is_several=True),
}
Given: TypeAlias = dict[str, Any]
"""By name: None for a gap, a number for a, b and c, and a set of options for m."""
Meaning: TypeAlias = Callable[[Given], Any]
Formula: TypeAlias = tuple[str, Meaning]
"""A formula as text, and what it means: its value computed without reading the text."""


def number_of(name: str) -> Formula:
    return f"${{{name}}}", lambda given: given[name]


def ticked(option: str) -> Formula:
    return f"selected(${{m}}, '{option}')", lambda given: option in given["m"]


def equals(name: str, value: int) -> Formula:
    return f"${{{name}}} = '{value}'", lambda given: given[name] == value


def counted() -> Formula:
    return "count-selected(${m})", lambda given: len(given["m"])


def or_zero(name: str) -> Formula:
    return f"coalesce(${{{name}}}, 0)", lambda given: given[name] or 0


def added(parts: list[Formula], signs: list[int]) -> Formula:
    text = " + ".join(f"{sign} * {part}" for sign, (part, _own) in zip(signs, parts, strict=True))
    own = [meaning for _text, meaning in parts]
    return text, lambda given: sum(sign * each(given) for sign, each in zip(signs, own, strict=True))


def joined(word: str, parts: list[Formula]) -> Formula:
    text = f" {word} ".join(f"({part})" for part, _own in parts)
    join = any if word == "or" else all
    return text, lambda given: join(bool(own(given)) for _text, own in parts)


def negated(part: Formula) -> Formula:
    return f"not({part[0]})", lambda given: not part[1](given)


def compared(part: Formula, sign: str, bound: int) -> Formula:
    compare = {
        ">=": lambda one: one >= bound,
        ">": lambda one: one > bound,
        "<": lambda one: one < bound,
        "<=": lambda one: one <= bound,
        "=": lambda one: one == bound,
        "!=": lambda one: one != bound,
    }[sign]
    return f"{part[0]} {sign} {bound}", lambda given: compare(part[1](given))


def banded(part: Formula, first: int, second: int) -> Formula:
    text = f"if({part[0]} >= {second}, 'high', if({part[0]} > {first}, 'middle', 'low'))"
    return (
        text,
        lambda given: "high" if part[1](given) >= second else "middle" if part[1](given) > first else "low",
    )


LEAVES = st.one_of(
    st.sampled_from("pqr").map(ticked),
    st.builds(equals, st.sampled_from("abc"), st.integers(0, 3)),
)
NUMBERS = st.one_of(st.just(counted()), st.sampled_from("abc").map(or_zero))
SUMS = st.lists(NUMBERS, min_size=1, max_size=4).flatmap(
    lambda parts: st.lists(st.sampled_from([1, 1, 2, -1]), min_size=len(parts), max_size=len(parts)).map(
        lambda signs: added(parts, signs)
    )
)
COMPARED = st.builds(compared, SUMS, st.sampled_from([">=", ">", "<", "<=", "=", "!="]), st.integers(-2, 7))
CONDITIONS = st.recursive(
    LEAVES | COMPARED,
    lambda inner: st.one_of(
        st.builds(joined, st.sampled_from(["or", "and"]), st.lists(inner, min_size=2, max_size=3)),
        inner.map(negated),
    ),
    max_leaves=6,
)
FORMULAS = CONDITIONS | st.builds(banded, SUMS, st.integers(-1, 2), st.integers(3, 6))


def values(name: str) -> list[Any]:
    if name == "m":
        return [{*ticks} for n in range(4) for ticks in itertools.combinations("pqr", n)]
    return [None, *map(int, QUESTIONS[name].names)]


def label(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def computed(rule: Rule, given: Given) -> str | None:
    """Return the label that the composite question has for these answers; None for a skip."""
    answers: dict[str, Any] = {
        name: None if given[name] is None else QUESTIONS[name].names.index(str(given[name])) for name in "abc"
    }
    answers |= {f"m_{option}": int(option in given["m"]) for option in "pqr"}
    found = composite_of(rule, QUESTIONS).evaluate(answers)
    return None if found is None else rule.levels[int(str(found)[1:])][1]


@settings(deadline=None, max_examples=3_000 if SOAK else 40)
@given(FORMULAS)
def test_a_proposed_rule_computes_the_formula_for_all_answers_and_gaps(formula: Formula) -> None:
    text, meaning = formula
    tree = tree_of(text)
    assert tree is not None
    try:
        rule = rule_of(tree, QUESTIONS)
    except Unsayable:
        assume(False)
    for own in itertools.product(*map(values, "abcm")):
        given_now = dict(zip("abcm", own, strict=True))
        found = computed(rule, given_now)
        # Without any answer to its components a composite question is a skip.
        if found is None:
            assert all(given_now[key] is None for key in rule.points if key in "abc")
            assert not any(key.startswith("m_") for key in rule.points)
        else:
            assert found == label(meaning(given_now)), (text, given_now, rule)


@pytest.mark.parametrize(
    "text",
    [
        "if(${a} + ${b} <= 2, 'low', if(${a} + ${b} < 4, 'middle', 'high'))",
        "if(${a} + ${b} > 2 and ${a} + ${b} < 4, 'middle', if(${a} + ${b} >= 4, 'high', 'low'))",
        "if(${a} + ${b} >= 4, 'high', if(${a} + ${b} > 9, 'never', if(${a} + ${b} = 3, 'middle', 'low')))",
    ],
    ids=["from below", "between", "a level that nothing reaches"],
)
def test_conditions_on_one_sum_are_its_levels(text: str) -> None:
    tree = tree_of(text)
    assert tree is not None
    assert rule_of(tree, QUESTIONS).levels == [(None, "low"), (3, "middle"), (4, "high")]


@pytest.mark.soak
@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from("abc"), min_size=2, max_size=3, unique=True),
    st.fractions(Fraction(-1, 2), 3, max_denominator=6),
    st.sampled_from([">=", ">"]),
)
def test_a_mean_is_computed_exactly_up_to_the_gaps_that_its_rule_allows(
    names: list[str], bound: Fraction, sign: str
) -> None:
    shown = round(float(abs(bound)), 3)
    exact = Fraction(str(shown))
    tree = tree_of(f"if(mean({', '.join(f'${{{name}}}' for name in names)}) {sign} {shown}, 'high', 'low')")
    assert tree is not None
    try:
        rule = rule_of(tree, QUESTIONS)
    except Unsayable:
        assume(False)
    for own in itertools.product(*map(values, names)):
        given_now = {"a": None, "b": None, "c": None, "m": set(), **dict(zip(names, own, strict=True))}
        present = [value for value in own if value is not None]
        found = computed(rule, given_now)
        if len(own) - len(present) > rule.missing["at_most"]:
            assert found is None
        elif present:
            mean = Fraction(sum(present), len(present))
            assert found == ("high" if (mean >= exact if sign == ">=" else mean > exact) else "low")


@pytest.mark.parametrize(("bound", "gaps"), [("0.5", 19), ("0.45", 1)])
def test_a_mean_allows_no_gaps_with_which_rounding_changes_a_level(bound: str, gaps: int) -> None:
    """Of 18 answers a sum of 8 is a mean of .444; extrapolated to 20 it is 8.9, which rounds to 9, or .45."""
    many = {f"q{n}": Answers(names=("0", "1"), components=(f"q{n}",)) for n in range(20)}
    names = ", ".join(f"${{{name}}}" for name in many)
    tree = tree_of(f"if(mean({names}) >= {bound}, 'high', 'low')")
    assert tree is not None
    assert rule_of(tree, many).missing == {"at_most": gaps, "as": "mean"}


@pytest.mark.parametrize(
    "text",
    [
        "${a} + ${b} + count-selected(${m})",
        "${a} + coalesce(${b}, 0) > 1",
        "${a} + ${b} > 99",
        "2000 * ${a} + ${b} > 2",
        "if(${a} + ${b} > 1, 'x', if(${b} + ${c} > 0, 'y', 'z'))",
        "if(${a} > ${b}, 'x', 'y')",
        "${a} + ${b} > 1 or ${c} = 1",
        "selected(${m}, 'p') and (${a} = 1 or ${b} = 1)",
        "${a} or ${b}",
    ],
)
def test_sums_that_no_rule_says_are_refused(text: str) -> None:
    tree = tree_of(text)
    assert tree is not None
    with pytest.raises(Unsayable):
        rule_of(tree, QUESTIONS)


def test_gaps_of_plain_sums_are_left_to_the_usual_rule_and_others_count_nothing() -> None:
    def missing(text: str) -> dict[str, Any]:
        tree = tree_of(text)
        assert tree is not None
        return rule_of(tree, QUESTIONS).missing

    assert missing("if(${a} + ${b} > 2, 'x', 'y')") == {}
    assert missing("if(sum(${a}, ${b}) > 2, 'x', 'y')") == {"at_most": 1, "as": "no_points"}


def test_a_plain_count_of_several_answers_has_a_level_for_each_number_of_them() -> None:
    tree = tree_of("count-selected(${m})")
    assert tree is not None
    rule = rule_of(tree, QUESTIONS)
    assert rule.levels == [(None, "0"), (1, "1"), (2, "2"), (3, "3")]
    options = tuple(f"o{number}" for number in range(7))
    asked = {"m": Answers(names=options, components=options, is_several=True)}
    with pytest.raises(Unsayable, match="many values"):
        rule_of(tree, asked)
