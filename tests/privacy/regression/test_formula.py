"""A formula is read into names and terms, and describes the predictors of rows."""

import numpy as np
import pandas
import pytest

from privacy.regression.formula import Formula, design_arrays, predictor_rows, quote_names
from tests.fixtures.refusals import refused

PEOPLE = pandas.DataFrame(
    {"age": [30.0, 40.0, 50.0, 60.0], "town": ["x", "y", "x", "y"], "a b": [1, 0, 0, 1]}
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("y ~ 1", ()),
        ("y ~ age + age:town", ("age", "town")),
        ("y ~ np.log(age) * C(town)", ("age", "town")),
        ("y ~ I(age**2) + `a b`", ("age", "a b")),
    ],
)
def test_the_columns_of_the_right_side_are_named_once(text: str, names: tuple[str, ...]) -> None:
    formula = Formula.of(text, [*PEOPLE.columns, "y"])
    assert (formula.response, formula.names) == ("y", names)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("y", "'y'"),
        ("y ~ age ~ town", "y ~ age ~ town"),
        ("np.log(y) ~ age", "np.log(y)"),
        ("y + age ~ town", "y + age"),
        ("y ~ y", "'y'"),
        (3, "3"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, named: str) -> None:
    with refused("formula", named):
        Formula.of(text, [*PEOPLE.columns, "y"])


def test_names_that_are_no_identifiers_get_backticks_once() -> None:
    quoted = quote_names("cheat ~ job=office + age", ["cheat", "job=office", "age"])
    assert quote_names(quoted, ["job=office"]) == quoted == "cheat ~ `job=office` + age"


def test_rows_with_empty_cells_are_refused_or_left_out() -> None:
    holes = PEOPLE.assign(age=[np.nan, 40, 50, 60])
    with refused("frame", "'age'"):
        predictor_rows(holes, ["age"])
    rows, is_empty = predictor_rows(holes, ["age", "town"], drop=True)
    assert rows.age.tolist() == [40, 50, 60]
    assert is_empty.tolist() == [True, False, False, False]


def test_each_answer_to_a_disguised_predictor_has_a_design() -> None:
    formula = Formula.of("y ~ age * has", ["age", "has", "y"])
    rows, _ = predictor_rows(PEOPLE, ["age"])
    designs, terms = design_arrays(rows, formula, "has")
    assert list(terms.column_names) == ["Intercept", "age", "has", "age:has"]
    assert designs[1].tolist() == [[1, 40, 0, 0], [1, 40, 1, 40]]
    plain, _ = design_arrays(rows, Formula.of("y ~ age", ["age", "y"]), None)
    assert plain.shape == (4, 1, 2)


def test_terms_that_would_reveal_other_rows_answers_are_refused() -> None:
    rows, _ = predictor_rows(PEOPLE, ["age"])
    with refused("formula", "has"):
        design_arrays(rows, Formula.of("y ~ age + I(has - np.mean(has))", ["age", "has", "y"]), "has")
    same = PEOPLE.assign(town="x")
    with refused("regression", "'town' contains only 'x'"):
        design_arrays(same, Formula.of("y ~ town", ["town", "y"]), None)
