"""Formulas are sums of points, or refused; nothing is approximated."""

import ast
from collections.abc import Mapping
from fractions import Fraction

import pytest

from surveys.imports.formulas.formula_sums import Answers, Sum, is_condition, sum_of
from surveys.imports.formulas.syntax import Unsayable, tree_of

QUESTIONS: Mapping[str, Answers] = {
    "a": Answers(names=("0", "1", "3"), components=("a",)),
    "b": Answers(names=("0", "1"), components=("b",)),
    "c": Answers(names=("2", "1", "0"), components=("c",)),
    "m": Answers(names=("p", "q", "r"), components=("m_p", "m_q", "m_r"), is_several=True),
}


def tree(text: str) -> ast.expr:
    found = tree_of(text)
    assert found is not None
    return found


def read(text: str) -> Sum:
    return sum_of(tree(text), QUESTIONS)


@pytest.mark.parametrize(
    "text",
    [
        "${a} * ${b}",
        "max(${a}, ${b})",
        "${a} = ${c}",
        "${m} = 'p'",
        "selected(${m}, 'z') or ${a} = 1",
        "if(${a} + ${b} > 3, ${c}, 0) > 1",
        "mean(${a}, ${b}) + ${c}",
        "(${a} = 1 or ${b} = 1) + ${c}",
        "if(${a} + ${b} > 3, 2, 0)",
        "mean(${a}, ${b} + ${c}) > 1",
        "coalesce(${a} + ${b}, 0) > 1",
        "round((${a} + ${b}) div 2) > 1",
        "${a} or ${b}",
        "${a} > 1 and count-selected(${m})",
        "${z} + ${a} > 1",
        "(${a} + ${b}) div 0",
    ],
)
def test_a_formula_that_is_not_a_sum_of_points_is_refused(text: str) -> None:
    with pytest.raises(Unsayable):
        read(text)


def test_each_answer_adds_its_points_and_a_gap_leaves_no_value() -> None:
    found = read("2 * ${a} - ${b} div 4 + 5")
    assert found.constant == 5
    assert found.points == {"a": {"0": 0, "1": 2, "3": 6}, "b": {"0": 0, "1": Fraction(-1, 4)}}
    assert (found.required, found.is_mean) == ({"a", "b"}, False)


def test_a_question_whose_gap_has_a_value_is_not_required() -> None:
    assert read("coalesce(${a}, 0) + ${b}").required == {"b"}
    assert read("coalesce(${a}, 1)") == Sum(
        constant=Fraction(1), points={"a": {"0": Fraction(-1), "1": Fraction(0), "3": Fraction(2)}}
    )


def test_the_scale_makes_all_points_whole_and_starts_are_values_the_sum_can_have() -> None:
    found = Sum(constant=Fraction(1, 2), points={"a": {"1": Fraction(1, 3)}, "b": {"1": Fraction(1, 4)}})
    assert (found.scale, found.times(Fraction(3)).scale) == (12, 4)
    # Values are 1/2 and twelfths above or below.
    bounds = [(Fraction(1), False), (Fraction(1), True), (Fraction(3, 5), False)]
    assert [found.start_of(bound, is_strict=is_strict) for bound, is_strict in bounds] == [
        1, Fraction(13, 12), Fraction(2, 3),
    ]  # fmt: skip


def test_comparisons_and_selections_are_conditions_and_numbers_are_not() -> None:
    texts = (
        "${a} > 1",
        "not(${b})",
        "selected(${m}, 'p')",
        "${a} = 1 or ${b} = 1",
        "${a}",
        "count-selected(${m})",
    )
    assert [is_condition(tree(text)) for text in texts] == [True, True, True, True, False, False]
