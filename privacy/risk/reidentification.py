"""The share of sent rows that reveal the truth, at several levels of certainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from privacy.risk.row_distribution import RowDistribution

CERTAINTY_LEVELS: Final = (0.5, 0.9, 0.95)
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, kw_only=True)
class Reidentification:
    """Shares of rows identified as true.

    Parameters
    ----------
    truthful : tuple of float
        For each of the `CERTAINTY_LEVELS`, the share of true rows whose truthful posterior exceeds it.
    highest : float
        Largest truthful posterior of any possible row.
    exact : bool
        False if the shares are upper bounds, because the block has too many kinds of rows.
    """

    truthful: tuple[float, ...]
    highest: float
    exact: bool


def reidentification_rate(distribution: RowDistribution) -> tuple[float, ...]:
    """Return, for each of the `CERTAINTY_LEVELS`, the share of true rows whose truthful posterior exceeds it.

    Parameters
    ----------
    distribution : RowDistribution
        Distribution of the rows of a block.
    """
    coin, truthful = distribution.highest_truthful_posterior, distribution.prior_mass
    return tuple(min(1.0, float(truthful[coin > level + _ROUNDING].sum())) for level in CERTAINTY_LEVELS)


def reidentification(distribution: RowDistribution) -> Reidentification:
    """Measure the share of rows identified as true by an adversary with the prior P.

    Parameters
    ----------
    distribution : RowDistribution
        Distribution of the rows of a block.

    Notes
    -----
    A row y is recognised at level t if p P(y)/(p P(y) + (1 - p) q(y)) > t, that is, if
    P(y)/q(y) > t (1 - p)/((1 - t) p). The share of true rows that are recognised is the sum of P(y) over
    these y.

    Examples
    --------
    Ten independent yes/no questions with prevalence .2, p = .5 and theta = .5: rows with at most one yes are
    recognised with more than 95% certainty. Their share of the true rows is .8^10 + 10 * .2 * .8^9.

    >>> from privacy.risk.prior import independent
    >>> from privacy.risk.row_distribution import row_distribution
    >>> from privacy.survey.design import Block, Question
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(10))
    >>> block = Block(key="b", protected=True, truth_probability=5000,
    ...               questions=questions)
    >>> prior = independent(block, {question.key: [2000] for question in questions})
    >>> rates = reidentification(row_distribution(prior))
    >>> round(rates.truthful[2], 3)
    0.376
    """
    coin, p_sent = distribution.highest_truthful_posterior, distribution.sent_mass
    return Reidentification(
        truthful=reidentification_rate(distribution),
        highest=float(coin[p_sent > 0].max()),
        exact=distribution.exact,
    )
