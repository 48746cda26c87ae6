"""The utility matrix of Zhu et al. 2010 (section 3.1) and the weights that follow from it (section 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.table import Column
from privacy.validation import one_of

__all__ = [
    "LEVELS",
    "READINGS",
    "axis_weights",
    "expert_matrix",
    "own_weights",
    "utility_matrix",
    "value_weights",
]

READINGS: Final = ("literal", "complement", "inverse", "uniform")
LEVELS: Final = {"very high": 1.0, "high": 0.8, "medium": 0.6, "low": 0.4, "very low": 0.2}


def utility_matrix(space: Space, sensitive: Column) -> Array:
    """Compute u[value, axis] from the records, each in [0, 1].

    Parameters
    ----------
    space : Space
        Quasi-identifiers; columns of the result are in the order of ``space.axes``.
    sensitive : Column
        Its values are the rows.

    Notes
    -----
    Numeric: range of the axis among the records with the value, divided by its range in the table.
    Categorical: distinct labels among them divided by distinct labels of the table. A constant column gives
    1.
    """
    m = len(sensitive.values)
    matrix = np.ones((m, len(space.axes)))
    for position, axis in enumerate(space.numeric):
        if axis.extent > 0:
            low = np.full(m, np.inf)
            high = np.full(m, -np.inf)
            numbers = axis.numbers[space.codes[:, position]]
            np.minimum.at(low, sensitive.codes, numbers)
            np.maximum.at(high, sensitive.codes, numbers)
            matrix[:, position] = (high - low) / axis.extent
    for offset, tree in enumerate(space.categorical):
        position = len(space.numeric) + offset
        leaves = len(tree.hierarchy.labels[0])
        pairs = np.unique(sensitive.codes.astype(np.int64) * leaves + space.codes[:, position])
        matrix[:, position] = np.bincount(pairs // leaves, minlength=m) / leaves
    return matrix


def expert_matrix(rows: Sequence[Sequence[float | str]], *, n_values: int, n_axes: int) -> Array:
    """Read a matrix given by an expert: numbers in [0, 1], or the levels very high ... very low.

    The source names the five levels without numbers; here they are 1, .8, .6, .4, .2, so that even "very low"
    keeps a weight.

    Parameters
    ----------
    rows : sequence of sequence
        A row for each sensitive value: of each quasi-identifier a number or a level.
    n_values : int
        Sensitive values.
    n_axes : int
        Quasi-identifiers.

    Raises
    ------
    PrivacyError
        On another shape, an unknown level, or a number outside [0, 1].

    Examples
    --------
    >>> expert_matrix([["very high", 0.25], ["low", "very low"]], n_values=2, n_axes=2).tolist()
    [[1.0, 0.25], [0.4, 0.2]]
    """
    if len(rows) != n_values or any(len(row) != n_axes for row in rows):
        shape = (len(rows), len(rows[0]) if rows else 0)
        raise PrivacyError("utility_matrix.shape", shape, n_values=n_values, n_axes=n_axes)
    matrix = np.empty((n_values, n_axes))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            value = LEVELS.get(cell) if isinstance(cell, str) else float(cell)
            if value is None or not 0 <= value <= 1:
                raise PrivacyError(
                    "utility_matrix.cell", cell, row=row + 1, column=column + 1, levels=", ".join(LEVELS)
                )
            matrix[row, column] = value
    return matrix


def value_weights(matrix: Array, *, reading: str = "literal") -> Array:
    """Return tau[value, axis] of section 5.2, which the source leaves undefined.

    Parameters
    ----------
    matrix : float64 array, shape (m, d)
        Utilities.
    reading : str
        ``literal``: tau = u (the matrix is called utility and summed as a weight). ``complement``: 1 - u and
        ``inverse``: 1 / u follow the sentence "the lower the probability, the more evident the utility".
        ``uniform``: 1.

    Raises
    ------
    PrivacyError
        When ``inverse`` meets a utility of 0, or all weights vanish.
    """
    one_of(reading, "reading of tau", allowed=READINGS, code="reading")
    if reading == "literal":
        tau = matrix.copy()
    elif reading == "complement":
        tau = 1 - matrix
    elif reading == "uniform":
        tau = np.ones_like(matrix)
    else:
        if (matrix == 0).any():
            value, axis = np.argwhere(matrix == 0)[0].tolist()
            raise PrivacyError("reading.infinite", 0.0, row=value, axis=axis)
        tau = 1 / matrix
    if tau.sum() == 0:
        raise PrivacyError("reading.vanish", reading)
    return np.asarray(tau)


def axis_weights(tau: Array, space: Space) -> dict[str, float]:
    """Return w[axis]: tau summed over the sensitive values, normalised over the whole matrix.

    The weights sum to 1, so that all algorithms share one ILP; this is the w_i that section 5.2 gives
    Bottom-up.

    Parameters
    ----------
    tau : ndarray of shape (values, axes)
        Utility of each quasi-identifier for each sensitive value, 0 or more.
    space : Space
        Whose axes they are.
    """
    total = tau.sum()
    return {
        axis.name: float(weight) for axis, weight in zip(space.axes, tau.sum(axis=0) / total, strict=True)
    }


def own_weights(tau: Array, factors: Sequence[float]) -> Array:
    """Return the weights of the axes for the records of each sensitive value, shape (m, d); rows sum to 1.

    Parameters
    ----------
    tau : float64 array, shape (m, d)
        As `value_weights` returns it.
    factors : sequence of float
        By which each axis counts more, at least 0.

    Raises
    ------
    PrivacyError
        ``reading.vanish``: all weights of a value are 0.

    Notes
    -----
    Zhu et al. 2010 sum their weights over all sensitive values (section 3.2), so every record has the same.
    The reason for them, that an axis is of more use for one value than for another (section 3.1), speaks
    for the record's own: ILP(t) = sum_i w'[s(t), i] NCP_i(t).

    Examples
    --------
    >>> own_weights(np.array([[0.5, 0.5], [0.25, 0.75]]), [1, 1]).tolist()
    [[0.5, 0.5], [0.25, 0.75]]
    """
    weighed = tau * np.asarray(factors, dtype=float)
    totals = weighed.sum(axis=1, keepdims=True)
    if not totals.all():
        raise PrivacyError("reading.vanish", "own values")
    return np.asarray(weighed / totals)
