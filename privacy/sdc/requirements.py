"""Measuring all models of a table at once, and comparing them with what is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from privacy.errors import PrivacyError
from privacy.sdc.classes import ClassMatrix
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.models import (
    alpha_share,
    basic_beta,
    closeness,
    delta_disclosure,
    distinct_diversity,
    enhanced_beta,
    entropy_diversity,
    k_anonymity,
    recursive_c,
    rho_bound,
)

__all__ = ["ModelMeasures", "Requirement", "Verdict", "measure_models", "verify"]


@dataclass(frozen=True, kw_only=True)
class ModelMeasures:
    """What one sensitive column of a table reaches by every model.

    Parameters
    ----------
    sensitive : str
        The column.
    k, distinct_l : int
        Smallest class, fewest distinct values.
    entropy_l, alpha, t, basic_beta, enhanced_beta, delta : float
        As the functions of this module; `t` by the ground distance asked for.
    c : float
        Infimum of recursive (c, l)-diversity at ``recursive_l``.
    recursive_l : int
        The l used for `c`.
    rho1, rho2 : float or None
        With `rho1` given, `rho2` is the least bound of (rho1, rho2)-privacy that the table keeps.
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
    """Measure all models at once; `recursive_l` defaults to the distinct l of the table, at least 2.

    Examples
    --------
    >>> measure_models(ClassMatrix.from_counts([[1, 1], [1, 1]]), "disease").t
    0.0
    """
    distinct = distinct_diversity(matrix)
    l_value = max(2, distinct) if recursive_l is None else recursive_l
    return ModelMeasures(
        sensitive=sensitive,
        k=k_anonymity(matrix),
        distinct_l=distinct,
        entropy_l=entropy_diversity(matrix),
        c=recursive_c(matrix, l_value),
        recursive_l=l_value,
        alpha=alpha_share(matrix),
        t=float(closeness(matrix, ground=ground, hierarchy=hierarchy).max()),
        ground=ground,
        basic_beta=basic_beta(matrix),
        enhanced_beta=enhanced_beta(matrix),
        delta=delta_disclosure(matrix),
        rho1=rho1,
        rho2=None if rho1 is None else rho_bound(matrix, rho1),
    )


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """Bounds that a table has to keep; None asks for nothing.

    Raises
    ------
    PrivacyError
        When a bound lies outside its model's range, or nothing is asked for.
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
        """Names of the models that are asked for."""
        names = (
            *("k", "distinct_l", "entropy_l", "c", "alpha", "t"),
            *("basic_beta", "enhanced_beta", "delta", "rho2"),
        )
        return tuple(name for name in names if getattr(self, name) is not None)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One model against one bound: `reached` is what the table has, `holds` the answer."""

    model: str
    sensitive: str
    asked: float
    reached: float
    holds: bool


def verify(measures: ModelMeasures, requirement: Requirement) -> tuple[Verdict, ...]:
    """Compare measures with bounds.

    Notes
    -----
    k, l: at least; alpha, t, beta: at most; recursive c and delta: strictly below, as defined.

    Examples
    --------
    >>> table = measure_models(ClassMatrix.from_counts([[1, 1], [1, 1]]), "disease")
    >>> [verdict.holds for verdict in verify(table, Requirement(k=2, distinct_l=3))]
    [True, False]
    """
    # A share such as 1/3 reaches the bound .3333333333333333 only up to the last bit of the division.
    slack = 1e-12
    verdicts = []
    for name in requirement.models:
        required = float(getattr(requirement, name))
        reached = float(getattr(measures, name))
        if name in ("k", "distinct_l", "entropy_l"):
            holds = reached >= required - slack
        elif name in ("c", "delta"):
            holds = reached < required
        else:
            holds = reached <= required + slack
        verdicts.append(
            Verdict(model=name, sensitive=measures.sensitive, asked=required, reached=reached, holds=holds)
        )
    return tuple(verdicts)
