"""Distortion of a block's answers, and information of its rows about them, in bits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Final

import numpy as np

from privacy.arrays import Array
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.posterior import Prevalence, check_prevalence
from privacy.risk.row_distribution import RowDistribution, log_chance
from privacy.survey.block import Block


@dataclass(frozen=True, kw_only=True)
class Leakage:
    """Information of a sent row about the true one, in bits.

    Parameters
    ----------
    entropy : float
        H(V): the uncertainty about the true row before the report.
    mutual_information : float
        I(V; E): the average information in the sent row, equal to the mean Kullback-Leibler divergence of
        the posterior from the prior. No guess based on the row gains more.
    worst_prior : float
        max over priors of I(V; E): equation 5 applied to the worst prior, the channel's capacity.
    """

    entropy: float
    mutual_information: float
    worst_prior: float


def distortion(block: Block, prevalence: Prevalence) -> Fraction:
    """Return D: the mean share of a person's answers that are sent otherwise than they are.

    Parameters
    ----------
    block : Block
        Protected.
    prevalence : mapping
        Ten-thousandths of each answer, by the key of the question.

    Notes
    -----
    Mean over the questions that are asked, a multi-select counting the mean over its options; skipping where
    the truth answers, or answering where it skips, changes all of them. The mean square of equation 1 for
    answers 0 and 1.

    References
    ----------
    Yu 2016.

    Examples
    --------
    p = .5, theta = .5, prevalence .2: a decoy differs with .2 * .5 + .8 * .5.

    >>> from privacy.survey.design import Question
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=(affair,))
    >>> distortion(block, {"affair": [2000]})
    Fraction(1, 4)
    """
    check_prevalence(block.questions, prevalence)
    total = Fraction(0)
    for position, question in enumerate(block.questions):
        true, decoy = question.tables(prevalence[question.key]), question.tables(question.unrelated)
        same = [sum(map(mul, *pair)) for pair in zip(true, decoy, strict=True)]
        changed = 1 - Fraction(sum(same), len(same) * SCALE**2)
        total += block.share_asked([position]) * changed
    skip = Fraction(block.refusal or 0, SCALE)
    all_changed = 2 * skip * (1 - skip) + (1 - skip) ** 2 * total / block.most_asked
    return (1 - Fraction(block.truth_probability, SCALE)) * all_changed


def leakage(distribution: RowDistribution) -> Leakage:
    """Measure the information of rows about their answers.

    Parameters
    ----------
    distribution : RowDistribution
        With exact classes.

    Raises
    ------
    PrivacyError
        ``too_large``: the classes are not exact.

    References
    ----------
    Yu 2016.

    Examples
    --------
    One yes/no question of prevalence 1/2, p = 1/2, theta = 1/2: a channel that errs with 1/4, 1 - H(1/4).

    >>> from privacy.risk.constrained_prior import independent
    >>> from privacy.risk.row_distribution import row_distribution
    >>> from privacy.survey.design import Question
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=(affair,))
    >>> leak = leakage(row_distribution(independent(block, {"affair": [5000]})))
    >>> [round(bits, 3) for bits in (leak.mutual_information, leak.worst_prior)]
    [0.189, 0.189]
    """
    if not distribution.exact:
        raise PrivacyError(
            "too_large.block", len(distribution.log_prior), count=len(distribution.log_prior) - 1
        )
    sent = _Sent(distribution)
    return Leakage(
        entropy=sent.entropy / math.log(2),
        mutual_information=max(0.0, sent.mutual_information()) / math.log(2),
        worst_prior=worst_prior(distribution),
    )


class _Sent:
    """Probabilities around a sent row, in natural logarithms; one entry a class."""

    def __init__(self, distribution: RowDistribution) -> None:
        self.p = distribution.truth
        self.prior = np.exp(distribution.log_prior)
        self.prior_mass, self.decoy_mass, self.sent_mass = (
            distribution.prior_mass,
            distribution.decoy_mass,
            distribution.sent_mass,
        )
        self.rows = np.exp(distribution.log_rows)
        # Probability of a row from its owner, from anyone else, and altogether.
        self.log_other = distribution.log_decoy + log_chance(1 - self.p)
        self.log_own = np.logaddexp(log_chance(self.p), self.log_other)
        self.log_sent = np.logaddexp(log_chance(self.p) + distribution.log_prior, self.log_other)
        self.coin = distribution.coin
        self.entropy = -_sum(self.prior_mass, distribution.log_prior)

    def mutual_information(self) -> float:
        of_sent = -_sum(self.sent_mass, self.log_sent)
        elsewhere = _times_logs(np.exp(self.log_other), self.log_other)
        own = _times_logs(np.exp(self.log_own), self.log_own) - elsewhere
        given_true = float((self.prior_mass * own).sum()) + _sum(
            (1 - self.p) * self.decoy_mass, self.log_other
        )
        return of_sent + given_true


def worst_prior(distribution: RowDistribution) -> float:
    """Return the largest I(V; E) that any prior can have, in bits: the capacity of the block's channel.

    Parameters
    ----------
    distribution : RowDistribution
        Distribution of the rows of a block.

    Notes
    -----
    With a = p + (1 - p) q and b = (1 - p) q, a true row x reveals

        D(x) = a ln(a/r) - b ln(b/r) + S,  S = sum_y b ln(b/r),  r = p P(x) + b,

    and a prior is optimal if D is equal for all rows with P > 0 and no larger for the others. So
    r = t w with w = exp((a ln a - b ln b)/p) for these rows, r = b for the others, and t follows because the
    prior sums to 1: rows are added in order of decreasing w/b until the next one would have a negative prior.
    """
    p = distribution.truth
    if p in (0.0, 1.0):
        return 0.0 if p == 0 else float(np.log2(np.exp(distribution.log_rows).sum()))
    log_other = distribution.log_decoy + log_chance(1 - p)
    log_own = np.logaddexp(log_chance(p), log_other)
    log_w = (_times_logs(np.exp(log_own), log_own) - _times_logs(np.exp(log_other), log_other)) / p
    order = np.argsort(log_other - log_w, kind="stable")
    # Counts of rows relative to the largest one: together they may be beyond all floats.
    highest = float(distribution.log_rows.max())
    rows = np.exp(distribution.log_rows[order] - highest)
    level = (p * math.exp(-highest) + np.cumsum(rows * np.exp(log_other[order]))) / np.cumsum(
        rows * np.exp(log_w[order])
    )
    log_t = float(_logs(level)[np.flatnonzero(_logs(level) + log_w[order] >= log_other[order])[-1]])
    log_sent = np.maximum(log_t + log_w, log_other)
    spread = float(((1 - p) * distribution.decoy_mass * (log_other - log_sent)).sum())
    return max(0.0, spread - p * log_t) / math.log(2)


def _logs(values: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(values))


def _times_logs(weights: Array, logs: Array) -> Array:
    """Return weights * logs, with 0 ln 0 = 0."""
    return np.asarray(weights * np.where(weights > 0, logs, 0.0))


def _sum(weights: Array, logs: Array) -> float:
    return float(_times_logs(weights, logs).sum())


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
        Distribution of the rows of a block.
    """
    coin, truthful = distribution.highest_truthful_posterior, distribution.prior_mass
    return tuple(min(1.0, float(truthful[coin > level + _ROUNDING].sum())) for level in LEVELS)


def reidentification(distribution: RowDistribution) -> Reidentification:
    """Measure the share of rows identified as true by an adversary with the prior P.

    Parameters
    ----------
    distribution : RowDistribution
        Distribution of the rows of a block.

    Notes
    -----
    A row y is recognised at level t if p P(y)/(p P(y) + (1 - p) q(y)) > t, that is, if
    P(y)/q(y) > t (1 - p)/((1 - t) p). The share of truthful rows with such a y is the sum of P(y) over them.

    Examples
    --------
    Ten independent yes/no questions of prevalence .2, p = .5, theta = .5: rows with at most one yes are
    recognised with more than 95%, .8^10 + 10 * .2 * .8^9 of the truthful ones.

    >>> from privacy.risk.constrained_prior import independent
    >>> from privacy.risk.row_distribution import row_distribution
    >>> from privacy.survey.design import Block, Question
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
