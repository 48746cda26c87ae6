"""Twenty measures of a rule, from the three supports that it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import scipy
from numpy.typing import ArrayLike

from privacy.arrays import Array

__all__ = ["INTEREST", "interest"]


_RESIDUE: Final = 1e-12


def interest(support: ArrayLike, first: ArrayLike, second: ArrayLike) -> dict[str, Array]:
    """Return twenty measures beside support, confidence, lift, leverage and conviction.

    Parameters
    ----------
    support, first, second : array_like of float
        P(AB), P(A), P(B), raw.

    Returns
    -------
    dict of str to float array
        By the names of `mining.interest`; NaN for 0/0 and where a raw estimate leaves a
        measure's domain.

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
    both, a, b = (np.asarray(value, dtype=np.float64) for value in (support, first, second))
    with np.errstate(divide="ignore", invalid="ignore"):
        leverage = both - a * b
        only_a, only_b, neither = (_without_residue(cell) for cell in (a - both, b - both, 1 - a - b + both))
        forward, backward = both / a, both / b
        either = a + b - both
        odds = both * neither / (only_a * only_b)
        root = np.sqrt(odds)
        agree, expected = both + neither, a * b + (1 - a) * (1 - b)
        other = only_b / (1 - a)
        gain = forward - b
        # An infinite odds ratio is perfect association, 1.
        q, y = (np.where(np.isinf(ratio), 1.0, (ratio - 1) / (ratio + 1)) for ratio in (odds, root))
        values = {
            "coverage": a,
            "added_value": gain,
            "certainty": np.where(gain == 0, 0.0, np.where(gain > 0, gain / (1 - b), gain / b)),
            "zhang": _zhang(leverage, both, a, b),
            "jaccard": both / either,
            "cosine": both / np.sqrt(a * b),
            "kulczynski": (forward + backward) / 2,
            "all_confidence": np.minimum(forward, backward),
            "max_confidence": np.maximum(forward, backward),
            "imbalance": np.abs(a - b) / either,
            "phi": leverage / np.sqrt(a * (1 - a) * b * (1 - b)),
            "kappa": 2 * leverage / (a * (1 - b) + b * (1 - a)),
            "odds_ratio": odds,
            "yule_q": q,
            "yule_y": y,
            "j_measure": scipy.special.xlogy(both, forward / b)
            + scipy.special.xlogy(only_a, only_a / a / (1 - b)),
            "rule_power": both * forward,
            "relative_risk": forward / other,
            "gini": a * (forward**2 + (1 - forward) ** 2)
            + (1 - a) * (other**2 + (1 - other) ** 2)
            - b**2
            - (1 - b) ** 2,
            "collective_strength": agree / expected * (1 - expected) / (1 - agree),
        }
    return values


def _without_residue(cell: Array) -> Array:
    """Make a share 0 that is only what floating point left of it: else 0/0 would come out as any ratio."""
    return np.where(np.abs(cell) < _RESIDUE, 0.0, cell)


def _zhang(leverage: Array, both: Array, a: Array, b: Array) -> Array:
    scale = np.maximum(both * (1 - a), a * (b - both))
    result: Array = np.where(leverage == 0, 0.0, leverage / scale)
    return result


INTEREST: Final[Mapping[str, str]] = {
    "coverage": "P(A)",
    "added_value": "P(B|A) - P(B)",
    "certainty": "(P(B|A) - P(B)) / (1 - P(B)), below 0 divided by P(B)",
    "zhang": "leverage / max(P(AB)(1-P(A)), P(A)(P(B)-P(AB)))",
    "jaccard": "P(AB) / P(A or B)",
    "cosine": "P(AB) / sqrt(P(A)P(B))",
    "kulczynski": "(P(B|A) + P(A|B)) / 2",
    "all_confidence": "min(P(B|A), P(A|B))",
    "max_confidence": "max(P(B|A), P(A|B))",
    "imbalance": "|P(A) - P(B)| / P(A or B)",
    "phi": "leverage / sqrt(P(A)(1-P(A))P(B)(1-P(B)))",
    "kappa": "2 leverage / (P(A)(1-P(B)) + P(B)(1-P(A)))",
    "odds_ratio": "P(AB)P(no A, no B) / (P(A no B)P(B no A))",
    "yule_q": "(odds ratio - 1) / (odds ratio + 1)",
    "yule_y": "the same of the root of the odds ratio",
    "j_measure": "P(AB) ln(P(B|A)/P(B)) + P(A no B) ln(P(no B|A)/P(no B))",
    "rule_power": "P(AB) P(B|A)",
    "relative_risk": "P(B|A) / P(B|no A)",
    "gini": "P(A)(P(B|A)^2 + P(no B|A)^2) + P(no A)(...) - P(B)^2 - P(no B)^2",
    "collective_strength": "(P(AB)+P(neither)) / expected * (1 - expected) / (1 - observed)",
}
"""Names, as the report and the files use them, and formulas."""
