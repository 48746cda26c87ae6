"""The distribution of the rows that a block can show, and the bits that they reveal about the answers.

Rows that are equally likely in every way are gathered into classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Final

import numpy as np

from privacy.arrays import Array
from privacy.channels import conditional
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.beliefs import BlockPrior, Prevalence, Together, check_prevalence, outer
from privacy.risk.budget import DIGITS, Gathering, Part
from privacy.survey.block import Block
from privacy.survey.question import Question


@dataclass(frozen=True, kw_only=True, eq=False)
class RowDistribution:
    """Prior and decoy probability of every row of a protected block, by classes of rows.

    Parameters
    ----------
    truth : float
        p of the block.
    log_prior, log_decoy : float array, shape (classes,)
        ln P(y) and ln q(y) of one row y of each class; ``-inf`` where P(y) = 0.
    log_rows : float array, shape (classes,)
        ln of the number of rows in each class. A rotating block collects the rows of all booklets, each
        weighted by its booklet's probability; all probabilities are conditional on the booklet, which is
        sent undisguised.
    slack : float
        Largest distance of ln P(y)/q(y) from that of its class. 0 if the classes are exact; positive
        only for blocks with more than 16,384 kinds of rows.
    log_held : float array, shape (classes,), or None
        ln of the probability that the adversary assigns to a row of the class; None if it equals P. The
        masses always follow P.

    Notes
    -----
    A block of m yes/no questions with one prevalence and one theta has 2^m rows and m + 1 classes, so that
    sums over all rows are sums over few classes.
    """

    truth: float
    log_prior: Array
    log_decoy: Array
    log_rows: Array
    slack: float = 0.0
    log_held: Array | None = None

    @property
    def exact(self) -> bool:
        """Whether every row of a class is exactly as likely as the others."""
        return self.slack == 0

    @property
    def prior_mass(self) -> Array:
        """Probability that a true row is in the class."""
        return np.asarray(np.exp(self.log_prior + self.log_rows))

    @property
    def decoy_mass(self) -> Array:
        """Probability that a decoy is in the class."""
        return np.asarray(np.exp(self.log_decoy + self.log_rows))

    @property
    def sent_mass(self) -> Array:
        """Probability that a protected row that is sent is in the class."""
        return np.asarray(self.truth * self.prior_mass + (1 - self.truth) * self.decoy_mass)

    @property
    def log_belief(self) -> Array:
        """ln of the probability that the adversary gives a true row of the class."""
        return self.log_prior if self.log_held is None else self.log_held

    @property
    def coin(self) -> Array:
        """Truthful posterior of each class: p P / (p P + (1 - p) q)."""
        return truthful_posteriors(self.truth, self.log_belief - self.log_decoy)

    @property
    def highest_truthful_posterior(self) -> Array:
        """Bound on the truthful posterior of every row of the class."""
        return truthful_posteriors(self.truth, self.log_belief - self.log_decoy + self.slack)

    def seen_by(self, log_held: Array) -> RowDistribution:
        """Return the same rows under an adversary's prior of true rows other than P."""
        return replace(self, log_held=log_held)


def row_distribution(prior: BlockPrior) -> RowDistribution:
    """Gather the rows of a protected block, which is skipped as frequently as in decoys.

    Parameters
    ----------
    prior : BlockPrior
        Prior of the true rows.

    Returns
    -------
    RowDistribution

    Raises
    ------
    PrivacyError
        ``open_block``.

    Examples
    --------
    Ten yes/no questions: eleven classes, the second one of ten rows with a single yes.

    >>> from privacy.risk.beliefs import independent
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(10))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=questions)
    >>> rows = row_distribution(independent(block, {question.key: [2000] for question in questions}))
    >>> len(rows.log_prior), np.sort(rows.prior_mass)[-2:].round(3).tolist()
    (11, [0.268, 0.302])
    """
    block = prior.block
    if not block.protected:
        raise PrivacyError("open_block", block.key)
    if block.is_rotating:
        distribution = _over_booklets(block, prior.shares)
    else:
        distribution = gathered(block, joined_parts(prior))
    return with_skip(distribution, block)


def parts_of(block: Block, prevalence: Prevalence) -> tuple[Part, ...]:
    """Return the parts of a block, with stated prevalences as probabilities of a true answer.

    Parameters
    ----------
    block : Block
        Protected.
    prevalence : mapping
        Ten-thousandths of each answer, by the key of the question.
    """
    return tuple(part for question in block.questions for part in parts_of_question(question, prevalence))


def parts_of_question(question: Question, prevalence: Prevalence) -> Iterator[Part]:
    """Yield the parts of a question: one for each option of a multi-select, one else.

    Parameters
    ----------
    question : Question
        A question of a protected block.
    prevalence : mapping
        Ten-thousandths of each answer by question key.
    """
    shares, decoys = np.array(prevalence[question.key]) / SCALE, np.array(question.unrelated) / SCALE
    if question.is_exhaustive:
        yield Part(key=question.key, prior=shares, decoy=decoys)
        return
    for key, share, decoy in zip(question.item_keys, shares, decoys, strict=True):
        yield Part(key=key, prior=np.array([1 - share, share]), decoy=np.array([1 - decoy, decoy]))


def joined_parts(prior: BlockPrior, known: tuple[int, int] | None = None) -> tuple[Part, ...]:
    """Return the parts of a block, those joined whose answers depend on each other.

    Parameters
    ----------
    prior : BlockPrior
    known : tuple of int, optional
        Number of a part, which is left out, and its answer, which the others are given.
    """
    plain = parts_of(prior.block, prior.shares)
    taken = {part for group in prior.together for part in group.parts} | ({known[0]} if known else set())
    alone = tuple(part for number, part in enumerate(plain) if number not in taken)
    # Combine joined parts first, while there are still few classes.
    return (*(_joined(plain, group, known) for group in prior.together), *alone)


def answer_shares(prior: BlockPrior, part: int) -> Array:
    """Return how frequent each answer of a part is among those who answer.

    Parameters
    ----------
    prior : BlockPrior
    part : int
        Position of the part in the block.
    """
    plain = parts_of(prior.block, prior.shares)
    for group in prior.together:
        if part in group.parts:
            table = np.asarray(outer([plain[part].prior for part in group.parts])) * group.allowed
            axis = group.parts.index(part)
            shares = table.sum(axis=tuple(other for other in range(table.ndim) if other != axis))
            return np.asarray(shares / shares.sum())
    return plain[part].prior


def _joined(plain: Sequence[Part], group: Together, known: tuple[int, int] | None) -> Part:
    left = [part for part in group.parts if known is None or part != known[0]]
    allowed = group.allowed
    if known is not None and known[0] in group.parts:
        allowed = np.take(allowed, [known[1]], axis=group.parts.index(known[0])).squeeze(
            axis=group.parts.index(known[0])
        )
    prior = (np.asarray(outer([plain[part].prior for part in left])) * allowed).ravel()
    decoy = np.asarray(outer([plain[part].decoy for part in left])).ravel()
    with np.errstate(divide="ignore"):
        kinds = np.log([prior, decoy]).round(DIGITS)
    _, first, rows = np.unique(kinds, axis=1, return_index=True, return_counts=True)
    return Part(
        key=", ".join(plain[part].key for part in left),
        prior=prior[first] / (float(prior.sum()) or 1.0),
        decoy=decoy[first],
        rows=rows.astype(np.float64),
    )


def gathered(block: Block, parts: Sequence[Part]) -> RowDistribution:
    """Return the distribution of the rows that these parts of a block make, "skipped" left out.

    Parameters
    ----------
    block : Block
        Protected.
    parts : sequence of Part
        Independent of each other.
    """
    return _distribution_of(block, _nothing_asked(block).with_parts(parts))


def _over_booklets(block: Block, prevalence: Prevalence) -> RowDistribution:
    """Return the distribution of the rows of all booklets of a rotating block, "skipped" left out."""
    parts = [tuple(parts_of_question(question, prevalence)) for question in block.questions]
    nothing = _nothing_asked(block)
    if block.booklets is not None:
        ways = [
            nothing.with_parts([part for position in booklet for part in parts[position]])
            for booklet in block.booklets
        ]
        gathering = Gathering.of_all(ways)
    else:
        gathering = _any_of(parts, block.most_asked, nothing)
    distribution = _distribution_of(block, gathering)
    return replace(distribution, log_rows=distribution.log_rows - math.log(block.n_booklets))


def _any_of(questions: Sequence[Sequence[Part]], count: int, nothing: Gathering) -> Gathering:
    """Return the classes of all sets of so many questions, taking up question after question."""
    drawn = [nothing]
    for parts in questions:
        more = [way.with_parts(parts) for way in drawn[:count]]
        counts = drawn[1:]
        # Add one more question: each set either includes it or does not.
        joined = [Gathering.of_all(pair) for pair in zip(more, counts, strict=False)]
        drawn = [nothing, *joined, *more[len(counts) :]]
    return drawn[count]


def _nothing_asked(block: Block) -> Gathering:
    skip = (block.refusal or 0) / SCALE
    return Gathering(log_chance(1 - skip), math.log1p(-skip))


def _distribution_of(block: Block, gathering: Gathering) -> RowDistribution:
    log_prior, log_decoy, log_rows = gathering.classes
    return RowDistribution(
        truth=block.truth_probability / SCALE,
        log_prior=log_prior,
        log_decoy=log_decoy,
        log_rows=log_rows,
        slack=gathering.slack,
    )


def with_skip(distribution: RowDistribution, block: Block) -> RowDistribution:
    """Return a distribution with one more class where a skip is offered, the row that says "skipped".

    Parameters
    ----------
    distribution : RowDistribution
        Distribution of the rows of a block, without "skipped".
    block : Block
        The block with these rows.
    """
    if block.refusal is None:
        return distribution
    skip = math.log(block.refusal / SCALE)
    return replace(
        distribution,
        log_prior=np.append(distribution.log_prior, skip),
        log_decoy=np.append(distribution.log_decoy, skip),
        log_rows=np.append(distribution.log_rows, 0.0),
        log_held=None if distribution.log_held is None else np.append(distribution.log_held, skip),
    )


def given_answer(rests: Sequence[RowDistribution], shares: Array, decoys: Array) -> RowDistribution:
    """Return the distribution for an adversary who knows which of some answers is the true one.

    Parameters
    ----------
    rests : sequence of RowDistribution
        Distributions of the rest of a row, by answer.
    shares, decoys : float array, shape (answers,)
        Probability of each answer as a truth, and of a decoy that shows it.
    """
    with np.errstate(divide="ignore"):
        of_answer = list(zip(rests, np.log(shares), np.log(decoys), strict=True))
    return replace(
        rests[0],
        log_prior=np.concatenate([rest.log_prior + share for rest, share, _decoy in of_answer]),
        log_decoy=np.concatenate([rest.log_decoy + decoy for rest, _share, decoy in of_answer]),
        log_rows=np.concatenate([rest.log_rows for rest in rests]),
        log_held=np.concatenate([rest.log_prior for rest in rests]),
        slack=max(rest.slack for rest in rests),
    )


def log_chance(share: float) -> float:
    """Return ln of a probability, minus infinity at 0.

    Parameters
    ----------
    share : float
        In [0, 1].
    """
    return math.log(share) if share > 0 else -math.inf


def truthful_posteriors(truth: float, log_ratio: Array) -> Array:
    """Return p R / (p R + 1 - p), the truthful posterior of rows by ln R = ln P(y)/q(y).

    Parameters
    ----------
    truth : float
        Retention probability p, in [0, 1].
    log_ratio : ndarray
        ln R of each row.
    """
    if truth in (0.0, 1.0):
        return np.full(len(log_ratio), truth)
    with np.errstate(over="ignore"):
        decoy = np.exp(-log_ratio)
    return conditional(np.full(len(decoy), truth), truth + (1 - truth) * decoy)


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

    >>> from privacy.risk.beliefs import independent
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

    >>> from privacy.risk.beliefs import independent
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
