"""Linear combinations of coefficients are read by name or by position, or refused."""

import numpy as np
import pandas
import pytest

from privacy.regression.contrasts import read_combinations
from tests.fixtures.refusals import refused

TERMS = ["Intercept", "age", "female"]


@pytest.mark.parametrize(
    "combination",
    [{"female": 2, "age": 10}, pandas.Series({"age": 10, "female": 2}), [0, 10, 2], np.array([[0, 10, 2]])],
)
def test_a_combination_may_be_written_in_several_ways(combination: object) -> None:
    assert read_combinations(combination, TERMS).tolist() == [[0, 10, 2]]


def test_a_table_has_one_combination_in_each_row() -> None:
    table = pandas.DataFrame({"age": [1, 2], "female": [0, 1]})
    assert read_combinations(table, TERMS).tolist() == [[0, 1, 0], [0, 2, 1]]


@pytest.mark.parametrize(
    ("combination", "words"),
    [({"pay": 1}, "'pay'"), ([1, 2], "2 factors"), ({"age": "ten"}, "'ten'"), ("age", "'age'")],
)
def test_other_values_are_refused(combination: object, words: str) -> None:
    with refused("regression", words):
        read_combinations(combination, TERMS)
