"""Formulas are sums of points and of gates, or refused; nothing is approximated."""

import ast
from collections.abc import Mapping
from fractions import Fraction

import pytest

from surveys.imports.formula_sums import Answers, Gate, Sum, is_condition, levels_of, sum_of
from surveys.imports.formulas import Unsayable, tree_of

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
        "mean(${a}, ${b}) + 1 > 2",
        "mean(${a}, ${b} + ${c}) > 1",
        "coalesce(${a} + ${b}, 0) > 1",
        "round((${a} + ${b}) div 2) > 1",
        "${a} or ${b}",
        "${a} > 1 and count-selected(${m})",
        "${z} + ${a} > 1",
        "(${a} + ${b}) div 0",
    ],
)
def test_what_is_no_sum_of_points_and_gates_is_refused(text: str) -> None:
    with pytest.raises(Unsayable):
        read(text)


def test_each_answer_adds_its_points_and_a_gap_leaves_no_value() -> None:
    found = read("2 * ${a} - ${b} div 4 + 5")
    assert found.constant == 5
    assert found.points == {"a": {"0": 0, "1": 2, "3": 6}, "b": {"0": 0, "1": Fraction(-1, 4)}}
    assert (found.required, found.gates, found.is_mean) == ({"a", "b"}, (), False)


def test_a_question_whose_gap_has_a_value_is_not_required() -> None:
    assert read("coalesce(${a}, 0) + ${b}").required == {"b"}
    assert read("coalesce(${a}, 1)") == Sum(
        constant=Fraction(1), points={"a": {"0": Fraction(-1), "1": Fraction(0), "3": Fraction(2)}}
    )


@pytest.mark.parametrize(("word", "needed"), [("or", 1), ("and", 3)])
def test_joined_conditions_are_a_gate_over_the_number_that_hold(word: str, needed: int) -> None:
    parts = ["selected(${m}, 'p')", "selected(${m}, 'r')", "${b} = 1"]
    ((factor, gate),) = read(f" {word} ".join(parts)).gates
    assert (factor, gate.levels) == (1, ((None, 0), (needed, 1)))
    assert {
        name: {key: own for key, own in points.items() if own} for name, points in gate.total.points.items()
    } == {
        "m": {"p": 1, "r": 1},
        "b": {"1": 1},
    }


def test_the_scale_makes_all_points_whole_and_starts_are_values_the_sum_can_have() -> None:
    gate = Gate(total=Sum(), levels=((None, Fraction(0)), (Fraction(1), Fraction(1, 4))))
    found = Sum(constant=Fraction(1, 2), points={"a": {"1": Fraction(1, 3)}}, gates=((Fraction(1), gate),))
    assert (found.scale, found.times(Fraction(3)).scale) == (12, 4)
    # Values are 1/2 and twelfths above or below.
    bounds = [(Fraction(1), False), (Fraction(1), True), (Fraction(3, 5), False)]
    assert [found.start_of(bound, is_strict=is_strict) for bound, is_strict in bounds] == [
        1, Fraction(13, 12), Fraction(2, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "if(${a} = 1, 'x', 'y')",
        "if(${a} > 1, 'x', if(${b} > 0, 'y', 'z'))",
        "if(${a} > 1, 'x', if(${a} > 2, 'y', 'z'))",
        "if(${a} > ${b}, 'x', 'y')",
        "${a} > 1",
    ],
    ids=["no order", "two sums", "a level that nothing reaches", "two answers", "no if"],
)
def test_only_ascending_cuts_of_one_sum_are_levels(text: str) -> None:
    assert levels_of(tree(text)) is None


def test_levels_ascend_whichever_side_a_condition_names_first() -> None:
    _subject, cuts, labels = levels_of(tree("if(${a} <= 4, 'low', if(${a} < 10, 'middle', 'high'))")) or (
        (),
        [],
        [],
    )
    assert [(int(bound), is_strict) for bound, is_strict in cuts] == [(4, True), (10, False)]
    assert labels == ["low", "middle", "high"]


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
