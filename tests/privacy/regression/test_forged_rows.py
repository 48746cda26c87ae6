"""How many forged rows overturn the sign of a coefficient, against a search of every kind of row."""

from fractions import Fraction

import numpy as np
import pytest

from privacy.arrays import Array
from privacy.channels import Retention
from privacy.errors import PrivacyError
from privacy.regression.forged_rows import coefficient_flips, influential_kinds
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.logistic import FittedLogit
from privacy.regression.regression import regress

DIE = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
COVARIATES = np.array([[1.0, 0.0], [1.0, 1.0]])


def refit(counts: Array) -> FittedLogit:
    return regress(LatentAnswers.of(response=[DIE]), COVARIATES, ["constant", "woman"], counts).corrected


def sign(counts: Array) -> int:
    """Return the sign of the second coefficient if its interval excludes 0."""
    try:
        line = refit(counts).table()[1]
    except PrivacyError:
        return 0
    return int(line.low > 0) - int(line.high < 0)


def least(counts: Array) -> int:
    """Return the least number of rows of any kind that changes the sign, by trying all numbers."""
    start = sign(counts)
    for number in range(1, 400):
        for kind in range(counts.size):
            changed = counts.ravel().copy()
            changed[kind] += -number if start else number
            if (changed >= 0).all() and sign(changed.reshape(counts.shape)) != start:
                return number
    raise AssertionError("no number of rows changes the sign")


@pytest.mark.parametrize(
    "counts",
    [
        [[120.0, 80.0], [110.0, 90.0]],
        [[120.0, 80.0], [80.0, 120.0]],
        [[180.0, 60.0], [165.0, 75.0]],
        [[60.0, 140.0], [120.0, 80.0]],
    ],
    ids=["no sign", "positive", "skewed", "negative"],
)
@pytest.mark.few("no sign", "negative", why="rows that are added, and rows that are left out")
def test_no_smaller_number_of_rows_of_any_kind_changes_the_sign(counts: list[list[float]]) -> None:
    rows = np.array(counts)
    _constant, found = coefficient_flips(refit, refit(rows))
    assert found == least(rows)


def test_kinds_are_those_with_the_most_influence() -> None:
    """The influence of a row is the change of the coefficient when a little of such a row is added."""
    rows = np.array([[120.0, 80.0], [110.0, 90.0]])
    fit = refit(rows)
    step, changes = 1e-3, []
    for kind in range(4):
        more = rows.ravel().copy()
        more[kind] += step
        changes.append((refit(more.reshape(2, 2)).coefficients[1] - fit.coefficients[1]) / step)
    _, kinds = influential_kinds(fit)
    assert set(kinds) == set(np.argsort(changes)[[0, 1, -2, -1]].tolist())


def test_cells_without_rows_are_not_forged() -> None:
    rows = np.array([[120.0, 80.0], [110.0, 90.0], [0.0, 0.0]])
    wide = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.5]])
    fit = regress(LatentAnswers.of(response=[DIE]), wide, ["constant", "woman"], rows).corrected
    assert all(max(kinds) < 4 for kinds in influential_kinds(fit))
    # A single row far from all others has the most influence on a slope.
    rows, wide = np.array([[120.0, 80.0], [110.0, 90.0], [1.0, 0.0]]), np.array([[1, 0], [1, 1], [1, 4.0]])
    fit = regress(LatentAnswers.of(response=[DIE]), wide, ["constant", "woman"], rows).corrected
    assert 4 in influential_kinds(fit)[1]
