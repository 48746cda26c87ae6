"""Measure a table by all privacy models, and compare the result with bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import ClassMatrix
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.privacy_models import (
    class_alphas,
    class_betas,
    class_crowds,
    class_deltas,
    class_entropies,
    class_rhos,
    class_tails,
    closeness,
    enhanced_beta,
    gain_caps,
    gains,
    recursive_c,
)

SLACK: Final = 1e-12
"""Tolerance for rounding: a share such as 1/3 may differ from the bound .3333333333333333 in the last bit."""


@dataclass(frozen=True, kw_only=True)
class ModelMeasures:
    """Measures of one sensitive column by every model.

    Parameters
    ----------
    sensitive : str
        The column.
    k, distinct_l : int
        Smallest class size, and fewest distinct values in a class.
    entropy_l, alpha, t, basic_beta, enhanced_beta, delta : float
        As defined in `privacy.sdc.privacy_models`; `t` uses the ground distance `ground`.
    c : float
        Infimum of recursive (c, l)-diversity at ``recursive_l``.
    recursive_l : int
        The l used for `c`.
    rho1, rho2 : float or None
        Given `rho1`, `rho2` is the smallest bound of (rho1, rho2)-privacy that the table satisfies.
    """

    sensitive: str
    k: int
    distinct_l: int
    entropy_l: float
    c: float
    recursive_l: int
    alpha: float
    t: float
    ground: str
    basic_beta: float
    enhanced_beta: float
    delta: float
    rho1: float | None = None
    rho2: float | None = None


def measure_models(
    matrix: ClassMatrix,
    sensitive: str,
    *,
    ground: str = "equal",
    hierarchy: Hierarchy | None = None,
    recursive_l: int | None = None,
    rho1: float | None = None,
) -> ModelMeasures:
    """Measure all models at once; `recursive_l` defaults to the distinct l of the table, but at least 2.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.
    sensitive : str
        Name of the column.
    ground : str, optional
        Distance of values for t: "ordered", "equal" or "hierarchical".
    hierarchy : Hierarchy, optional
        Hierarchy of the values, for the hierarchical distance.
    recursive_l : int, optional
        The l of recursive (c, l)-diversity.
    rho1 : float, optional
        The prior bound of (rho1, rho2)-privacy, in (0, 1).

    Examples
    --------
    >>> measure_models(ClassMatrix.from_counts([[1, 1], [1, 1]]), "disease").t
    0.0
    """
    distinct = int(matrix.distinct.min())
    l_value = max(2, distinct) if recursive_l is None else recursive_l
    return ModelMeasures(
        sensitive=sensitive,
        k=int(class_crowds(matrix).min()),
        distinct_l=distinct,
        entropy_l=float(np.exp(class_entropies(matrix).min())),
        c=recursive_c(matrix, l_value),
        recursive_l=l_value,
        alpha=float(class_alphas(matrix).max()),
        t=float(closeness(matrix, ground=ground, hierarchy=hierarchy).max()),
        ground=ground,
        basic_beta=float(class_betas(matrix).max()),
        enhanced_beta=enhanced_beta(matrix),
        delta=float(class_deltas(matrix).max()),
        rho1=rho1,
        rho2=None if rho1 is None else float(class_rhos(matrix, rho1).max()),
    )


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """Bounds that a table must satisfy; None means no requirement.

    Raises
    ------
    PrivacyError
        If a bound is outside its model's range, or only one is given of `c` and `recursive_l`, or of `rho1`
        and `rho2`.
    """

    k: int | None = None
    distinct_l: float | None = None
    entropy_l: float | None = None
    c: float | None = None
    recursive_l: int | None = None
    alpha: float | None = None
    t: float | None = None
    basic_beta: float | None = None
    enhanced_beta: float | None = None
    delta: float | None = None
    rho1: float | None = None
    rho2: float | None = None

    def __post_init__(self) -> None:
        least = {"k": 1, "distinct_l": 1, "entropy_l": 1, "recursive_l": 1}
        for name, low in least.items():
            value = getattr(self, name)
            if value is not None and not value >= low:
                raise PrivacyError("share.low", value, code=name, name=name, low=low)
        for name in ("alpha", "t"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise PrivacyError("share.closed", value, code=name, name=name)
        for name in ("c", "basic_beta", "enhanced_beta", "delta"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise PrivacyError("share.positive", value, code=name, name=name)
        if (self.c is None) != (self.recursive_l is None):
            raise PrivacyError("recursive", self.c or self.recursive_l)
        if self.rho1 is not None or self.rho2 is not None:
            rho1, rho2 = self.rho1 or 0.0, self.rho2 or 0.0
            if not 0 < rho1 < rho2 < 1:
                raise PrivacyError("rho.breach", rho1, rho2=rho2)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the required models."""
        names = (
            *("k", "distinct_l", "entropy_l", "c", "alpha", "t"),
            *("basic_beta", "enhanced_beta", "delta", "rho2"),
        )
        return tuple(name for name in names if getattr(self, name) is not None)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One model's reached figure, compared with its required bound."""

    model: str
    sensitive: str
    asked: float
    reached: float
    holds: bool


def verify(measures: ModelMeasures, requirement: Requirement) -> tuple[Verdict, ...]:
    """Compare measures with bounds.

    Parameters
    ----------
    measures : ModelMeasures
        Measures of one sensitive column.
    requirement : Requirement
        The bounds.

    Notes
    -----
    k and l must be at least their bound; alpha, t, beta and rho2 at most; recursive c and delta strictly
    below, as they are defined.

    Examples
    --------
    >>> table = measure_models(ClassMatrix.from_counts([[1, 1], [1, 1]]), "disease")
    >>> [verdict.holds for verdict in verify(table, Requirement(k=2, distinct_l=3))]
    [True, False]
    """
    verdicts = []
    for name in requirement.models:
        required = float(getattr(requirement, name))
        actual = float(getattr(measures, name))
        if name in ("k", "distinct_l", "entropy_l"):
            holds = actual >= required - SLACK
        elif name in ("c", "delta"):
            holds = actual < required
        else:
            holds = actual <= required + SLACK
        verdicts.append(
            Verdict(model=name, sensitive=measures.sensitive, asked=required, reached=actual, holds=holds)
        )
    return tuple(verdicts)


def misses(
    matrix: ClassMatrix,
    requirement: Requirement,
    *,
    ground: str = "equal",
    hierarchy: Hierarchy | None = None,
) -> Array:
    """Return each class's distance from its worst bound; at most 0 if it satisfies all.

    Parameters
    ----------
    matrix : ClassMatrix
        The classes, and the table that they belong to.
    requirement : Requirement
    ground : str
        Ground distance of t-closeness.
    hierarchy : Hierarchy or None
        Hierarchy of the values, for the hierarchical distance.

    Examples
    --------
    >>> misses(ClassMatrix.from_counts([[1, 1], [3, 0]]), Requirement(k=3, distinct_l=2)).tolist()
    [1.0, 1.0]
    """
    gaps: list[Array] = [np.full(matrix.n_classes, -1.0)]
    if requirement.k is not None:
        gaps.append(requirement.k - class_crowds(matrix).astype(float))
    if requirement.distinct_l is not None:
        gaps.append(requirement.distinct_l - matrix.distinct.astype(float))
    if requirement.entropy_l is not None:
        gaps.append(np.log(requirement.entropy_l) - class_entropies(matrix) - SLACK)
    if requirement.alpha is not None:
        gaps.append(class_alphas(matrix) - requirement.alpha - SLACK)
    if requirement.c is not None and requirement.recursive_l is not None:
        most, tail = class_tails(matrix, requirement.recursive_l)
        gaps.append(_strict_gap(most, requirement.c * tail))
    if requirement.t is not None:
        gaps.append(closeness(matrix, ground=ground, hierarchy=hierarchy) - requirement.t - SLACK)
    if requirement.basic_beta is not None:
        gaps.append(class_betas(matrix) - requirement.basic_beta - SLACK)
    if requirement.enhanced_beta is not None:
        caps = np.minimum(requirement.enhanced_beta, gain_caps(matrix))
        gaps.append(matrix.largest_per_class(gains(matrix) - caps) - SLACK)
    if requirement.delta is not None:
        gaps.append(_strict_gap(class_deltas(matrix), np.full(matrix.n_classes, requirement.delta)))
    if requirement.rho1 is not None and requirement.rho2 is not None:
        gaps.append(class_rhos(matrix, requirement.rho1) - requirement.rho2 - SLACK)
    return np.asarray(np.max(gaps, axis=0))


def _strict_gap(value: Whole | Array, bound: Array) -> Array:
    """Return the gap for a strict bound."""
    return np.where(value < bound, -1.0, 1.0 + value - bound)
