"""Measure privacy models on the class-by-value matrix of a table.

A measure is the strictest parameter that the table satisfies, so a check is one comparison and can report its
figure. t-closeness is the earth mover's distance of each class's values from the table's.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import ClassMatrix
from privacy.sdc.hierarchy import Hierarchy
from privacy.validation import number_of_rows, one_of


def class_crowds(matrix: ClassMatrix) -> Whole:
    """Return the number of people in each class, including those without a value; k is the smallest.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.

    Examples
    --------
    >>> class_crowds(ClassMatrix.from_counts([[1, 2], [4, 0]])).tolist()
    [3, 4]
    """
    return matrix.sizes if matrix.crowd is None else matrix.crowd


def class_entropies(matrix: ClassMatrix) -> Array:
    """Return the entropy of the values of each class, in nats.

    A class of entropy H satisfies entropy l-diversity for every l <= exp(H) (Machanavajjhala
    et al. 2007). An entropy of the whole table of at least log l is necessary but not sufficient.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.

    Examples
    --------
    >>> np.exp(class_entropies(ClassMatrix.from_counts([[1, 1], [2, 0]]))).tolist()
    [2.0, 1.0]
    """
    share = matrix.row_part
    return np.maximum(matrix.per_class(scipy.special.entr(share)), 0.0)


def class_tails(matrix: ClassMatrix, l_value: int) -> tuple[Whole, Array]:
    """Return r1 and r_l + r_(l+1) + ... of each class, where r1 >= r2 >= ... are its counts.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.
    l_value : int
        l of recursive (c, l)-diversity, 1 or more.

    Notes
    -----
    A class with fewer than l values has a tail of 0. If all people of a class share a value, it counts as one
    value even if some people have another.
    """
    most, rank = matrix.largest()
    tail = matrix.per_class(np.where(rank >= l_value - 1, matrix.counts, 0))
    return most, np.where(matrix.distinct < l_value, 0.0, tail)


def recursive_c(matrix: ClassMatrix, l_value: int) -> float:
    """Return the infimum of all c for which recursive (c, l)-diversity holds; it does not hold for that c.

    Parameters
    ----------
    matrix : ClassMatrix
        Counts of the table.
    l_value : int
        l >= 1. If some class has fewer than l values, no c is enough and the result is infinite.

    Notes
    -----
    If r1 >= r2 >= ... are the counts of a class, the condition is r1 < c (r_l + r_(l+1) + ... + r_m).

    Examples
    --------
    >>> recursive_c(ClassMatrix.from_counts([[4, 2, 2]]), 2)
    1.0
    >>> recursive_c(ClassMatrix.from_counts([[4, 2, 2]]), 4)
    inf
    """
    number_of_rows(l_value, "l", code="l")
    most, tail = class_tails(matrix, l_value)
    ratios = np.full(len(tail), np.inf)
    np.divide(most, tail, out=ratios, where=tail > 0)
    return float(ratios.max())


def class_alphas(matrix: ClassMatrix) -> Array:
    """Return the largest share of one value in each class, alpha of (alpha, k)-anonymity.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.

    Examples
    --------
    >>> class_alphas(ClassMatrix.from_counts([[1, 3]])).tolist()
    [0.75]
    """
    return matrix.largest_per_class(matrix.row_share)


def gains(matrix: ClassMatrix) -> Array:
    """Return the relative gain (p - q) / q of each pair of class and value.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.
    """
    share = matrix.table_share[matrix.values]
    return np.asarray((matrix.row_share - share) / share)


def gain_caps(matrix: ClassMatrix) -> Array:
    """Return -ln q of each pair, the largest gain that enhanced beta-likeness allows it.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.
    """
    return np.asarray(-np.log(matrix.table_share[matrix.values]))


def class_betas(matrix: ClassMatrix) -> Array:
    """Return the largest relative gain (p - q) / q in each class, the beta of basic beta-likeness.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.

    Examples
    --------
    >>> class_betas(ClassMatrix.from_counts([[2, 0], [0, 2]])).tolist()
    [1.0, 1.0]
    """
    return matrix.largest_per_class(gains(matrix))


def enhanced_beta(matrix: ClassMatrix) -> float:
    """Return the beta of enhanced beta-likeness, or infinity if no beta is large enough.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.

    Notes
    -----
    Every value must have (p - q)/q <= min(beta, -ln q). The cap -ln q does not depend on beta: if a value
    exceeds it, no beta is large enough. Otherwise the result is the largest of `class_betas`.

    Examples
    --------
    >>> enhanced_beta(ClassMatrix.from_counts([[2, 0], [0, 2]]))
    inf
    """
    if np.any(gains(matrix) > gain_caps(matrix)):
        return math.inf
    return float(class_betas(matrix).max())


def class_deltas(matrix: ClassMatrix) -> Array:
    """Return max |ln(p/q)| over the values in each class; delta-disclosure requires less than delta.

    A value that a class lacks has p = 0 and an infinite logarithm, so Brickell and Shmatikov's definition
    could not be satisfied. As in other tools, only values that occur are compared. The number of distinct
    values, and negative disclosures (`privacy.sdc.bayes_beliefs.disclosures`), cover the values that a class
    lacks.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.

    Examples
    --------
    >>> np.round(class_deltas(ClassMatrix.from_counts([[2, 0], [0, 2]])) / np.log(2), 12).tolist()
    [1.0, 1.0]
    """
    share = matrix.table_share[matrix.values]
    return matrix.largest_per_class(np.abs(np.log(matrix.row_share / share)))


def class_rhos(matrix: ClassMatrix, rho1: float) -> Array:
    """Return for each class the smallest rho2 of (rho1, rho2)-privacy, with the table's shares as prior.

    Parameters
    ----------
    matrix : ClassMatrix
    rho1 : float
        The prior bound, in (0, 1).

    Raises
    ------
    PrivacyError
        ``rho.breach``: rho1 is not between 0 and 1.

    Notes
    -----
    An attacker with prior f(s | q) = f(s) has posterior p (Machanavajjhala et al. 2007, theorem 3.1). A value
    with a share below rho1 in the table must not be above rho2 in a class: rho2 >= p. A value with a share
    above 1 - rho1 must not be below 1 - rho2: rho2 >= 1 - p. Values in between impose no bound. If there are
    no others, the smallest rho2 is 0.

    Examples
    --------
    >>> class_rhos(ClassMatrix.from_counts([[1, 1], [0, 2]]), 0.3).tolist()
    [0.5, 0.0]
    """
    if not 0 < rho1 < 1:
        raise PrivacyError("rho.breach", rho1, rho2=1)
    p, q = matrix.dense() / np.maximum(matrix.sizes, 1)[:, None], matrix.table_share
    # Equal quotients can differ in the last bit, so a tolerance keeps them on the same side of a bound.
    slack = 1e-12
    upward = np.where(q < rho1 - slack, p, 0.0).max(axis=1)
    downward = np.where(q > 1 - rho1 + slack, 1 - p, 0.0).max(axis=1)
    return np.asarray(np.maximum(upward, downward))


GROUND_DISTANCES = ("equal", "ordered", "hierarchical")


def closeness(matrix: ClassMatrix, *, ground: str, hierarchy: Hierarchy | None = None) -> Array:
    """Return the earth mover's distance of each class's values from the table's, each in [0, 1].

    Parameters
    ----------
    matrix : ClassMatrix
        Values in the order of their column, which defines the ground distance ``ordered``.
    ground : str
        ``equal`` (all values are equally far apart), ``ordered`` (neighbours are near) or ``hierarchical``
        (values with a low common ancestor are near).
    hierarchy : Hierarchy or None
        Needed for ``hierarchical``; leaf ``i`` is value ``i``.

    Raises
    ------
    PrivacyError
        If the ground distance is unknown, or the hierarchy does not fit the values.

    Notes
    -----
    Let d = p - q, and m be the number of values in the table. ``equal`` is sum|d|/2. ``ordered`` is
    sum|cumsum d|/(m-1). ``hierarchical`` is the sum over inner nodes N of height(N)/H min(pos, neg), where
    pos and neg are the surplus and the deficit that meet in N. t-closeness requires that no class exceeds t.

    References
    ----------
    Li, Li and Venkatasubramanian 2007, section 5: the class {3k, 4k, 5k} of its table has a distance of
    0.375.

    Examples
    --------
    >>> table = ClassMatrix.from_counts([[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1, 1]])
    >>> closeness(table, ground="ordered").round(4).tolist()
    [0.375, 0.1875]
    """
    one_of(ground, "ground distance", allowed=GROUND_DISTANCES, code="ground_distance")
    if ground == "hierarchical" and (hierarchy is None or len(hierarchy.labels[0]) != matrix.n_values):
        raise PrivacyError("ground_distance", None if hierarchy is None else hierarchy.name)
    share = matrix.table_part
    return np.concatenate(
        [
            earth_movers(
                block / np.maximum(block.sum(axis=1, keepdims=True), 1) - share,
                ground=ground,
                hierarchy=hierarchy,
            )
            for block in matrix.blocks()
        ]
    )


def earth_movers(difference: Array, *, ground: str, hierarchy: Hierarchy | None) -> Array:
    """Return the earth mover's distance of each row of p - q, as in `closeness`.

    Parameters
    ----------
    difference : ndarray of shape (classes, values)
        p - q: share in the class minus share in the table.
    ground : str
        "ordered", "equal" or "hierarchical".
    hierarchy : Hierarchy or None
        Hierarchy of the values, for the hierarchical distance.

    Examples
    --------
    >>> earth_movers(np.array([[0.5, -0.5, 0.0]]), ground="ordered", hierarchy=None).tolist()
    [0.25]
    """
    if ground == "hierarchical" and hierarchy is not None:
        return _hierarchical(difference, hierarchy)
    if ground == "ordered":
        return np.asarray(np.abs(np.cumsum(difference, axis=1)).sum(axis=1) / max(1, difference.shape[1] - 1))
    return np.asarray(np.abs(difference).sum(axis=1) / 2)


def _hierarchical(difference: Array, hierarchy: Hierarchy) -> Array:
    """Balance surplus and deficit within each node first; only the rest moves higher, at a higher cost."""
    cost = np.zeros(len(difference))
    surplus = difference
    for level in range(1, hierarchy.height + 1):
        parents = _parents(hierarchy, level)
        width = len(hierarchy.labels[level])
        above = np.zeros((len(difference), width))
        below = np.zeros((len(difference), width))
        for child, parent in enumerate(parents):
            above[:, parent] += np.maximum(surplus[:, child], 0)
            below[:, parent] += np.maximum(-surplus[:, child], 0)
        cost += level / hierarchy.height * np.minimum(above, below).sum(axis=1)
        surplus = above - below
    return cost


def _parents(hierarchy: Hierarchy, level: int) -> list[int]:
    """Return the parent at `level` of each node one level below."""
    parents = [0] * len(hierarchy.labels[level - 1])
    for child, parent in zip(hierarchy.node[level - 1].tolist(), hierarchy.node[level].tolist(), strict=True):
        parents[child] = parent
    return parents
