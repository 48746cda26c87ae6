"""Measures of interest of a rule, from the supports of its sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import scipy
from numpy.typing import ArrayLike

from privacy.arrays import Array

_RESIDUE: Final = 1e-12


class Supports:
    """Inputs of measures: shares of rows, and their usual combinations.

    Parameters
    ----------
    support, first, second : array_like of float
        P(AB), P(A), P(B), not clipped to [0, 1].

    Attributes
    ----------
    both, a, b, either : float array
        P(AB), P(A), P(B), P(A or B).
    only_a, only_b, neither : float array
        The other three cells of the table of A and B.
    leverage, forward, backward, other : float array
        P(AB) - P(A)P(B), P(B|A), P(A|B), P(B|no A).
    gain, odds : float array
        P(B|A) - P(B), and the odds ratio.
    """

    def __init__(self, support: ArrayLike, first: ArrayLike, second: ArrayLike) -> None:
        both, a, b = (np.asarray(value, dtype=np.float64) for value in (support, first, second))
        self.both, self.a, self.b = both, a, b
        self.leverage = both - a * b
        self.only_a, self.only_b = _round_off(a - both), _round_off(b - both)
        self.neither = _round_off(1 - a - b + both)
        self.forward, self.backward, self.other = both / a, both / b, self.only_b / (1 - a)
        self.either = a + b - both
        # Odds are meaningless if an estimated cell is below 0.
        cells = np.array([both, self.only_a, self.only_b, self.neither])
        self.odds = np.where(
            (cells >= 0).all(axis=0), both * self.neither / (self.only_a * self.only_b), np.nan
        )
        self.gain = self.forward - b


Formula: TypeAlias = Callable[[Supports], Array]


@dataclass(frozen=True)
class Measure:
    """A measure: its formula as text (for files and the list of columns), its function, and its kind."""

    words: str
    compute: Formula
    kind: Literal["share", "difference", "ratio", "other"] = "other"


def interest(support: ArrayLike, first: ArrayLike, second: ArrayLike) -> dict[str, Array]:
    """Return the measures other than support, confidence, lift, leverage and conviction.

    Parameters
    ----------
    support, first, second : array_like of float
        P(AB), P(A), P(B), not clipped to [0, 1].

    Returns
    -------
    dict of str to float array
        By the names of `INTEREST`; NaN for 0/0 and if an estimate is outside a measure's domain.

    References
    ----------
    Tan, Kumar and Srivastava 2004; names as in R's arules (``interestMeasure``).

    Examples
    --------
    P(A) = .4, P(B) = .5, P(AB) = .3, so leverage .1:

    >>> measures = interest(.3, .4, .5)
    >>> {name: round(float(measures[name]), 4) for name in ("phi", "jaccard", "odds_ratio", "added_value")}
    {'phi': 0.4082, 'jaccard': 0.5, 'odds_ratio': 6.0, 'added_value': 0.25}
    """
    return _measures(INTEREST, support, first, second)


def true_measures(support: float, first: float, second: float) -> dict[str, float]:
    """Return the measures of `WITH_INTERVALS` for known shares, except those that divide by 0.

    Parameters
    ----------
    support, first, second : float
        P(AB), P(A), P(B).

    Examples
    --------
    >>> true_measures(.1, .2, 0)
    {'support': 0.1, 'confidence': 0.5, 'leverage': 0.1, 'conviction': 2.0}
    """
    found = {name: float(value) for name, value in _measures(WITH_INTERVALS, support, first, second).items()}
    return {name: value for name, value in found.items() if np.isfinite(value)}


def _measures(
    measures: Mapping[str, Measure], support: ArrayLike, first: ArrayLike, second: ArrayLike
) -> dict[str, Array]:
    with np.errstate(divide="ignore", invalid="ignore"):
        supports = Supports(support, first, second)
        return {name: measure.compute(supports) for name, measure in measures.items()}


def _round_off(cell: Array) -> Array:
    """Set shares within rounding error of 0 to 0, so that 0/0 does not give an arbitrary ratio."""
    return np.where(np.abs(cell) < _RESIDUE, 0.0, cell)


def _certainty(s: Supports) -> Array:
    return np.where(s.gain == 0, 0.0, np.where(s.gain > 0, s.gain / (1 - s.b), s.gain / s.b))


def _zhang(s: Supports) -> Array:
    scale = np.maximum(s.both * (1 - s.a), s.a * (s.b - s.both))
    return np.where(s.leverage == 0, 0.0, s.leverage / scale)


def _yule(ratio: Array) -> Array:
    """Return (ratio - 1) / (ratio + 1); an infinite ratio is perfect association, 1."""
    return np.where(np.isinf(ratio), 1.0, (ratio - 1) / (ratio + 1))


def _j_measure(s: Supports) -> Array:
    information: Array = scipy.special.xlogy(s.both, s.forward / s.b)
    information = information + scipy.special.xlogy(s.only_a, s.only_a / s.a / (1 - s.b))
    return information


def _gini(s: Supports) -> Array:
    with_a = s.a * (s.forward**2 + (1 - s.forward) ** 2)
    return with_a + (1 - s.a) * (s.other**2 + (1 - s.other) ** 2) - s.b**2 - (1 - s.b) ** 2


def _collective_strength(s: Supports) -> Array:
    agree, expected = s.both + s.neither, s.a * s.b + (1 - s.a) * (1 - s.b)
    return agree / expected * (1 - expected) / (1 - agree)


WITH_INTERVALS: Final[dict[str, Measure]] = {
    "support": Measure("P(AB)", lambda s: s.both, "share"),
    "confidence": Measure("P(B|A)", lambda s: s.forward, "share"),
    "lift": Measure("P(AB) / (P(A)P(B))", lambda s: s.forward / s.b, "ratio"),
    "leverage": Measure("P(AB) - P(A)P(B)", lambda s: s.leverage, "difference"),
    "conviction": Measure("P(A)P(no B) / P(A no B)", lambda s: s.a * (1 - s.b) / s.only_a, "ratio"),
}
"""Measures that also have intervals and errors: columns of every table and file of rules."""

INTEREST: Final[dict[str, Measure]] = {
    "coverage": Measure("P(A)", lambda s: s.a),
    "added_value": Measure("P(B|A) - P(B)", lambda s: s.gain),
    "certainty": Measure("(P(B|A) - P(B)) / (1 - P(B)), below 0 divided by P(B)", _certainty),
    "zhang": Measure("leverage / max(P(AB)(1-P(A)), P(A)(P(B)-P(AB)))", _zhang),
    "jaccard": Measure("P(AB) / P(A or B)", lambda s: s.both / s.either),
    "cosine": Measure("P(AB) / sqrt(P(A)P(B))", lambda s: s.both / np.sqrt(s.a * s.b)),
    "kulczynski": Measure("(P(B|A) + P(A|B)) / 2", lambda s: (s.forward + s.backward) / 2),
    "all_confidence": Measure("min(P(B|A), P(A|B))", lambda s: np.minimum(s.forward, s.backward)),
    "max_confidence": Measure("max(P(B|A), P(A|B))", lambda s: np.maximum(s.forward, s.backward)),
    "imbalance": Measure("|P(A) - P(B)| / P(A or B)", lambda s: np.abs(s.a - s.b) / s.either),
    "phi": Measure(
        "leverage / sqrt(P(A)(1-P(A))P(B)(1-P(B)))",
        lambda s: s.leverage / np.sqrt(s.a * (1 - s.a) * s.b * (1 - s.b)),
    ),
    "kappa": Measure(
        "2 leverage / (P(A)(1-P(B)) + P(B)(1-P(A)))",
        lambda s: 2 * s.leverage / (s.a * (1 - s.b) + s.b * (1 - s.a)),
    ),
    "odds_ratio": Measure("P(AB)P(no A, no B) / (P(A no B)P(B no A))", lambda s: s.odds),
    "yule_q": Measure("(odds ratio - 1) / (odds ratio + 1)", lambda s: _yule(s.odds)),
    "yule_y": Measure("the same of the root of the odds ratio", lambda s: _yule(np.sqrt(s.odds))),
    "j_measure": Measure("P(AB) ln(P(B|A)/P(B)) + P(A no B) ln(P(no B|A)/P(no B))", _j_measure),
    "rule_power": Measure("P(AB) P(B|A)", lambda s: s.both * s.forward),
    "relative_risk": Measure("P(B|A) / P(B|no A)", lambda s: s.forward / s.other),
    "gini": Measure("P(A)(P(B|A)^2 + P(no B|A)^2) + P(no A)(...) - P(B)^2 - P(no B)^2", _gini),
    "collective_strength": Measure(
        "(P(AB)+P(neither)) / expected * (1 - expected) / (1 - observed)", _collective_strength
    ),
}
"""Further measures, by the names that files use. An entry is a column of files and a choice on pages."""
