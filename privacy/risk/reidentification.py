"""Reidentification: rows likelier as a truth than as a decoy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from privacy.risk.row_distribution import RowDistribution

__all__ = ["LEVELS", "Reidentification", "reidentification", "reidentification_rate"]

LEVELS: Final = (0.5, 0.9, 0.95)
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, kw_only=True)
class Reidentification:
    """Shares of rows identified as true.

    Parameters
    ----------
    truthful : tuple of float
        For each of the `LEVELS`: of the rows that are the truth, the share whose coin posterior exceeds it.
    sent : tuple of float
        For each level: of all protected rows, the share that is said to be true with more certainty than
        that.
    highest : float
        Largest coin posterior of any row that can be sent.
    exact : bool
        False where the shares are upper bounds, for blocks with too many kinds of rows.
    """

    truthful: tuple[float, ...]
    sent: tuple[float, ...]
    highest: float
    exact: bool


def reidentification_rate(distribution: RowDistribution) -> tuple[float, ...]:
    """Return for each of the `LEVELS` the share of truthful rows whose truthful posterior exceeds it.

    Parameters
    ----------
    distribution : RowDistribution
        Of the rows of a block.
    """
    coin, truthful = distribution.highest_truthful_posterior, distribution.prior_mass
    return tuple(min(1.0, float(truthful[coin > level + _ROUNDING].sum())) for level in LEVELS)


def reidentification(distribution: RowDistribution) -> Reidentification:
    """Measure the share of rows identified as true by an adversary with the prior P.

    Parameters
    ----------
    distribution : RowDistribution
        Of the rows of a block.

    Notes
    -----
    A row y is recognised at level t when p P(y)/(p P(y) + (1 - p) q(y)) > t, that is when
    P(y)/q(y) > t (1 - p)/((1 - t) p). Of truthful rows the share with such a y is the sum of P(y) over them.

    Examples
    --------
    Ten independent yes/no questions of prevalence .2, p = .5, theta = .5: rows with at most one yes are
    recognised with more than 95 %, .8^10 + 10 * .2 * .8^9 of the truthful ones.

    >>> from privacy.risk.constrained_prior import independent
    >>> from privacy.risk.row_distribution import row_distribution
    >>> from privacy.survey import Block, Question
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(10))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=questions)
    >>> prior = independent(block, {question.key: [2000] for question in questions})
    >>> rates = reidentification(row_distribution(prior))
    >>> round(rates.truthful[2], 3)
    0.376
    """
    coin, sent = distribution.highest_truthful_posterior, distribution.sent_mass
    return Reidentification(
        truthful=reidentification_rate(distribution),
        sent=tuple(min(1.0, float(sent[coin > level + _ROUNDING].sum())) for level in LEVELS),
        highest=float(coin[sent > 0].max()),
        exact=distribution.exact,
    )
