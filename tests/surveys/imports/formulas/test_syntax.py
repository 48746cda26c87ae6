"""Formulas have the values that XPath and REDCap give them."""

from fractions import Fraction

import pytest

from surveys.imports.formulas.syntax import MOST_BRACKETS, Unsayable, names_in, tree_of, value_of

ANSWERS = {"a": "3", "b": "", "c": "x y", "d": "0"}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("${a} + 1", 4),
        ("${a} - ${d} * 2", 3),
        ("${a} div 2", Fraction(3, 2)),
        ("${a} div ${d}", None),
        ("-${a} + 0.5", Fraction(-5, 2)),
        ("${b} + 1", None),
        ("${b} + 1 >= 0", False),
        ("${b} != 1", True),
        ("${b} = ''", True),
        ("${a} = '3' and ${a} = 3", True),
        ("${a} <> 3 || ${a} < 3", False),
        ("${c} = 1", False),
        ("${a} and ${d}", True),
        ("number(${d}) or false()", False),
        ("selected(${c}, 'y')", True),
        ("selected(${c}, 'x y')", False),
        ("count-selected(${c}) + count-selected(${b})", 2),
        ("coalesce(${b}, 7)", 7),
        ("coalesce(${a}, 7)", "3"),
        ("if(${a} > 2, 'many', 'few')", "many"),
        ("not(selected(${c}, 'z')) and true()", True),
        ("sum(${a}, ${b}, ${d})", 3),
        ("mean(${a}, ${b}, ${d})", Fraction(3, 2)),
        ("mean(${b})", None),
        ("round(2.5) + round(-2.5) + int(2.9)", 3),
        ("once(string(${a}))", "3"),
        ("boolean(${b})", False),
    ],
)
def test_a_formula_has_the_value_of_its_language(formula: str, value: object) -> None:
    tree = tree_of(formula)
    assert tree is not None
    assert value_of(tree, ANSWERS) == value


@pytest.mark.parametrize(
    "formula",
    ["${e}", "pow(${a}, 2)", "${a} mod 2", "not(1, 2)", "1 < 2 < 3", "${a} if ${b} else 1", "x", "(1, 2)"],
)
def test_other_formulas_have_no_value(formula: str) -> None:
    tree = tree_of(formula)
    assert tree is not None
    with pytest.raises(Unsayable):
        value_of(tree, ANSWERS)


@pytest.mark.parametrize("formula", ["", "${a} +", "(${a}", "if(", "(" * (MOST_BRACKETS + 1), "1" * 20_000])
def test_malformed_formulas_have_no_tree(formula: str) -> None:
    assert tree_of(formula) is None


def test_signs_and_words_in_quotation_marks_stay() -> None:
    tree = tree_of("${a} = 'x or (${b} = 2'")
    assert tree is not None
    assert names_in(tree) == {"a"}
    assert value_of(tree, {"a": "x or (${b} = 2"}) is True
