"""The utility matrix of Zhu et al. 2010: how useful each quasi-identifier is for each sensitive value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.sdc.generalisation import Space
from privacy.sdc.table import Column

LEVEL_WORDS: Final = {"very high": 1.0, "high": 0.8, "medium": 0.6, "low": 0.4, "very low": 0.2}


def utility_matrix(space: Space, sensitive: Column) -> Array:
    """Compute u[value, axis] from the records, each in [0, 1].

    Parameters
    ----------
    space : Space
        Quasi-identifiers; columns of the result are in the order of ``space.axes``.
    sensitive : Column
        The values of this column are the rows of the result.

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


def axis_weights(matrix: Array, space: Space) -> dict[str, float]:
    """Return w[axis]: the utilities summed over the sensitive values, normalised over the whole matrix.

    The weights sum to 1, so that all algorithms share one ILP. They are the w_i of Bottom-up in section 5.2
    of Zhu et al. 2010. That section does not define its tau; here it is u, since the paper calls the matrix
    utility and sums it to get weights.

    Parameters
    ----------
    matrix : ndarray of shape (values, axes)
        Utility of each quasi-identifier for each sensitive value, 0 or more.
    space : Space
        The space of these axes.

    Raises
    ------
    PrivacyError
        ``weight.none``: all utilities are 0.
    """
    total = matrix.sum()
    if not total:
        raise PrivacyError("weight.none", 0)
    return {
        axis.name: float(weight) for axis, weight in zip(space.axes, matrix.sum(axis=0) / total, strict=True)
    }


def own_weights(matrix: Array, factors: Sequence[float]) -> Array:
    """Return the weights of the axes for the records of each sensitive value, shape (m, d); rows sum to 1.

    Parameters
    ----------
    matrix : float64 array, shape (m, d)
        Utilities.
    factors : sequence of float
        Factor of each axis, at least 0.

    Raises
    ------
    PrivacyError
        ``weight.none``: all weights of a value are 0.

    Notes
    -----
    Zhu et al. 2010 sum their weights over all sensitive values (section 3.2), so all records have the same
    weights. But they justify weights by axes that are more useful for some values than for others (section
    3.1). This is a reason to weight each record by its own value: ILP(t) = sum_i w'[s(t), i] NCP_i(t).

    Examples
    --------
    >>> own_weights(np.array([[0.5, 0.5], [0.25, 0.75]]), [1, 1]).tolist()
    [[0.5, 0.5], [0.25, 0.75]]
    """
    products = matrix * np.asarray(factors, dtype=float)
    totals = products.sum(axis=1, keepdims=True)
    if not totals.all():
        raise PrivacyError("weight.none", 0)
    return np.asarray(products / totals)
