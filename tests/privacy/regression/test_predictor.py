"""Open columns as predictors: numbers, and all values but the first."""

import pandas
import pytest

from privacy.errors import PrivacyError
from privacy.regression.logistic import Predictor

PEOPLE = pandas.DataFrame({"age": [30, 41, 25], "two": [0.0, 1.0, 1.0], "city": ["b", "a", "b"], "same": "x"})


def test_numbers_stand_as_they_are_and_two_of_them_can_be_compared() -> None:
    age, two = (Predictor.of(PEOPLE, name) for name in ("age", "two"))
    assert (age.values, age.terms, age.covariates([31, 2.5]).tolist()) == ((), ["age"], [[31.0], [2.5]])
    assert (two.values, two.terms) == ((0.0, 1.0), ["two"])


def test_texts_are_compared_with_the_first_in_order() -> None:
    city = Predictor.of(PEOPLE, "city")
    assert (city.terms, city.covariates(["b", "a"]).tolist()) == (["city=b"], [[1.0], [0.0]])


@pytest.mark.parametrize("name", ["same", "nowhere"])
def test_a_column_that_tells_nobody_apart_or_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(PrivacyError, match=name):
        Predictor.of(PEOPLE, name)


def test_a_value_that_no_row_had_is_refused_with_those_that_some_had() -> None:
    with pytest.raises(PrivacyError, match="column 'city' has no value 'c'; use some of a, b"):
        Predictor.of(PEOPLE, "city").covariates(["a", "c"])
