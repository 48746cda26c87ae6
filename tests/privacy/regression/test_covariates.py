"""Covariates that no regression can use are refused."""

from fractions import Fraction

import numpy as np
import pytest

from privacy.channels import Retention
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.regression import regress
from tests.fixtures.refusals import refused

DIE = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
SEXES = np.array([[1.0, 0.0], [1.0, 1.0]])
TERMS = ["constant", "woman"]


def test_collinear_covariates_are_rejected() -> None:
    answers, counts = LatentAnswers.of(response=[DIE]), np.array([[600.0, 400.0], [500.0, 500.0]])
    twice = np.column_stack([SEXES, 1 - SEXES[:, 1]])
    with refused("regression", "man"):
        regress(answers, twice, [*TERMS, "man"], counts)
    with refused("regression", "woman"):
        regress(answers, np.ones((2, 2)), TERMS, counts)
    with refused("regression", "age"):
        regress(answers, np.array([[1.0, np.nan], [1.0, 2.0]]), ["constant", "age"], counts)


@pytest.mark.parametrize("size", [1e-60, 1e60, 1e300])
@pytest.mark.filterwarnings("error")
def test_columns_whose_squares_are_no_numbers_are_rejected(size: float) -> None:
    answers, counts = LatentAnswers.of(response=[DIE]), np.array([[600.0, 400.0], [500.0, 500.0]])
    with refused("regression", "values of age are too large or too small"):
        regress(answers, np.array([[1.0, size], [1.0, size / 2]]), ["constant", "age"], counts)


def test_empty_data_are_rejected() -> None:
    with refused("regression", "0 rows"):
        regress(LatentAnswers.of(response=[DIE]), SEXES, TERMS, np.zeros((2, 2)))
