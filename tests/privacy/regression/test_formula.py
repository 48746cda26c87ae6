"""Formulas: what is read, and that everything else is refused by name."""

from __future__ import annotations

import pytest

from privacy.regression.formula import Variable, parsed
from tests.fixtures.refusals import refused


def test_terms_are_columns_categories_and_products() -> None:
    formula = parsed(" cheat~age + C( year ) + a:C(b):c.d + job=office ")
    assert formula.response == "cheat"
    assert formula.terms == (
        (Variable("age"),),
        (Variable("year", True),),
        (Variable("a"), Variable("b", True), Variable("c.d")),
        (Variable("job=office"),),
    )
    assert formula.names == ["age", "year", "a", "b", "c.d", "job=office"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("cheat", "cheat"),
        ("a ~ b ~ c", "a ~ b ~ c"),
        ("a ~", ""),
        ("a ~ 1", "1"),
        ("a ~ 0 + b", "0"),
        ("a ~ b - 1", "b - 1"),
        ("a ~ b*c", "b*c"),
        ("a ~ b**2", "b**2"),
        ("a ~ (b + c)", "(b"),
        ("a ~ I(b/2)", "I(b/2)"),
        ("a ~ np.log(b)", "np.log(b)"),
        ("a ~ b + + c", ""),
        ("a ~ b:", ""),
        ("C(a) ~ b", "C(a)"),
        ("a ~ a", "a"),
        ("a ~ b + b", "b"),
        ("a ~ b:c + c:b", "c:b"),
        ("a ~ b:b", "b:b"),
        (3, "3"),
    ],
)
def test_everything_else_is_refused_by_name(text: str, named: str) -> None:
    with refused("formula", named):
        parsed(text)
