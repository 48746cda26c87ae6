"""A formula describes the predictors of rows."""

from typing import Any

import numpy as np
import pandas
import pytest

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
    designs, of_fit = design_arrays(rows, formula, "has")
    assert list(of_fit.terms.column_names) == ["Intercept", "age", "has", "age:has"]
    assert designs[1].tolist() == [[1, 40, 0, 0], [1, 40, 1, 40]]
    plain, _ = design_arrays(rows, Formula.of("y ~ age", ["age", "y"]), None)
    assert plain.shape == (4, 1, 2)


@pytest.mark.parametrize(
    ("term", "values", "kind"),
    [
        ("pay", [2, 7, 2, 3], "numeric"),
        ("np.log(pay)", [2.0, 7.5, 2.0, 3.0], "numeric"),
        ("C(pay)", [2020, 2021, 2022, 2020], "numeric"),
        ("pay", pandas.Categorical([2020, 2021, 2020, 2021]), "numeric"),
        ("pay", [True, False, True, True], "numeric"),
        ("pay", ["1", "2", "1", "2"], "categorical"),
        ("C(pay)", ["low", "high", "low", "high"], "categorical"),
        ("pay", pandas.Categorical(["a", "b", "a", "b"]), "categorical"),
        ("pay", ["2021-03-04", "2021-03-05", "2021-03-04", "2021-03-05"], "month"),
    ],
)
def test_a_fit_knows_the_kind_of_a_column_inside_a_function(term: str, values: Any, kind: str) -> None:
    rows, _ = predictor_rows(pandas.DataFrame({"pay": values}), ["pay"])
    for latent in (None, "has"):
        formula = Formula.of(f"y ~ {term}" + " + has" * bool(latent), ["pay", "has", "y"])
        assert design_arrays(rows, formula, latent)[1].kinds == {"pay": kind}


def test_a_fit_knows_the_kind_of_a_column_in_backticks() -> None:
    rows, _ = predictor_rows(PEOPLE, ["a b"])
    formula = Formula.of("y ~ I(`a b` + 1)", ["a b", "y"])
    assert design_arrays(rows, formula, None)[1].kinds == {"a b": "numeric"}


def test_a_term_without_a_value_for_some_rows_is_not_mistaken_for_one_that_uses_other_rows() -> None:
    rows, _ = predictor_rows(PEOPLE, ["age"])
    formula = Formula.of("y ~ I(age * np.where(age > 40, 1, np.nan)) + has", ["age", "has", "y"])
    designs, _ = design_arrays(rows, formula, "has")
    assert designs[:, 0, 1].tolist() == pytest.approx([np.nan, np.nan, 50, 60], nan_ok=True)


def test_terms_that_would_reveal_other_rows_answers_are_refused() -> None:
    rows, _ = predictor_rows(PEOPLE, ["age"])
    with refused("formula", "has"):
        design_arrays(rows, Formula.of("y ~ age + I(has - np.mean(has))", ["age", "has", "y"]), "has")
    same = PEOPLE.assign(town="x")
    with refused("regression", "'town' contains only 'x'"):
        design_arrays(same, Formula.of("y ~ town", ["town", "y"]), None)
