"""A formula describes the predictors of rows."""

import numpy as np

from privacy.regression.formula import Formula
from privacy.regression.predictor_rows import design_arrays, predictor_rows
from tests.fixtures.refusals import refused
from tests.privacy.regression.test_formula import PEOPLE


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
