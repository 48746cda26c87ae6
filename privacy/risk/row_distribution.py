"""The distribution of a block's reports, as truth and as decoy.

Rows with equal probabilities are grouped into classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from privacy.arrays import Array
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.posterior import conditional
from privacy.risk.prevalences import Prevalence, outer
from privacy.risk.prior import BlockPrior, Together
from privacy.risk.row_classes import DIGITS, DecoyPart, Gathering
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
        ln P(y) and ln q(y) of one row y of each class; ``-inf`` if P(y) = 0, as for "skipped".
    log_rows : float array, shape (classes,)
        ln of the number of rows in each class. A rotating block collects the rows of all booklets, each
        weighted by its booklet's probability; all probabilities are conditional on the booklet, which is
        sent undisguised.
    slack : float
        Largest difference between ln P(y)/q(y) of a row and that of its class. 0 if the classes are exact;
        positive only for blocks with more than 16,384 kinds of rows.

    Notes
    -----
    A block of m yes/no questions with the same prevalence and theta has 2^m rows but only m + 1 classes, so
    sums over all rows become short.
    """

    truth: float
    log_prior: Array
    log_decoy: Array
    log_rows: Array
    slack: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether all rows of a class have exactly equal probabilities."""
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
        """Probability that a sent protected row is in the class."""
        return np.asarray(self.truth * self.prior_mass + (1 - self.truth) * self.decoy_mass)

    @property
    def coin(self) -> Array:
        """Truthful posterior of each class: p P / (p P + (1 - p) q)."""
        return truthful_posteriors(self.truth, self.log_prior - self.log_decoy)

    @property
    def highest_truthful_posterior(self) -> Array:
        """Upper bound on the truthful posterior of every row in the class."""
        return truthful_posteriors(self.truth, self.log_prior - self.log_decoy + self.slack)


def row_distribution(prior: BlockPrior) -> RowDistribution:
    """Group the rows of a protected block into classes, for a respondent who answers.

    An attacker cannot know that she would skip, and a true skip makes every answer less certain.

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
    Ten yes/no questions: eleven classes; the second has ten rows with a single yes.

    >>> from privacy.risk.prior import independent
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(10))
    >>> block = Block(key="b", protected=True, truth_probability=5000,
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
        distribution = _distribution_of(block, _empty_gathering(block).with_parts(_joined_parts(prior)))
    return _with_skip(distribution, block)


def parts_of(block: Block, prevalence: Prevalence) -> tuple[DecoyPart, ...]:
    """Return the parts of a block, with stated prevalences as probabilities of true answers.

    Parameters
    ----------
    block : Block
        Protected.
    prevalence : mapping
        Ten-thousandths of each answer, by question key.
    """
    return tuple(part for question in block.questions for part in parts_of_question(question, prevalence))


def parts_of_question(question: Question, prevalence: Prevalence) -> Iterator[DecoyPart]:
    """Yield the parts of a question: one for each option of a multi-select, otherwise one.

    Parameters
    ----------
    question : Question
        A question of a protected block.
    prevalence : mapping
        Ten-thousandths of each answer by question key.
    """
    shares, decoys = np.array(prevalence[question.key]) / SCALE, np.array(question.unrelated) / SCALE
    if question.is_exhaustive:
        yield DecoyPart(key=question.key, prior=shares, decoy=decoys)
        return
    for key, share, decoy in zip(question.item_keys, shares, decoys, strict=True):
        yield DecoyPart(key=key, prior=np.array([1 - share, share]), decoy=np.array([1 - decoy, decoy]))


def _joined_parts(prior: BlockPrior) -> tuple[DecoyPart, ...]:
    """Return the parts of a block, joining parts whose answers depend on each other."""
    plain = parts_of(prior.block, prior.shares)
    taken = {part for group in prior.together for part in group.parts}
    alone = tuple(part for number, part in enumerate(plain) if number not in taken)
    # Combine joined parts first, while there are still few classes.
    return (*(_join_group(plain, group) for group in prior.together), *alone)


def _join_group(plain: Sequence[DecoyPart], group: Together) -> DecoyPart:
    prior = (np.asarray(outer([plain[part].prior for part in group.parts])) * group.allowed).ravel()
    decoy = np.asarray(outer([plain[part].decoy for part in group.parts])).ravel()
    with np.errstate(divide="ignore"):
        kinds = np.log([prior, decoy]).round(DIGITS)
    _, first, rows = np.unique(kinds, axis=1, return_index=True, return_counts=True)
    return DecoyPart(
        key=", ".join(plain[part].key for part in group.parts),
        prior=prior[first] / (float(prior.sum()) or 1.0),
        decoy=decoy[first],
        rows=rows.astype(np.float64),
    )


def _over_booklets(block: Block, prevalence: Prevalence) -> RowDistribution:
    """Return the distribution of the rows of all booklets of a rotating block, without "skipped"."""
    parts = [tuple(parts_of_question(question, prevalence)) for question in block.questions]
    nothing = _empty_gathering(block)
    if block.booklets is not None:
        ways = [
            nothing.with_parts([part for position in booklet for part in parts[position]])
            for booklet in block.booklets
        ]
        gathering = Gathering.of_all(ways)
    else:
        gathering = _sets_of_size(parts, block.most_asked, nothing)
    distribution = _distribution_of(block, gathering)
    return replace(distribution, log_rows=distribution.log_rows - math.log(block.n_booklets))


def _sets_of_size(questions: Sequence[Sequence[DecoyPart]], count: int, nothing: Gathering) -> Gathering:
    """Return the classes of all sets of `count` questions, adding one question at a time."""
    by_size = [nothing]
    for parts in questions:
        more = [way.with_parts(parts) for way in by_size[:count]]
        counts = by_size[1:]
        # Each set either includes this question or does not.
        unions = [Gathering.of_all(pair) for pair in zip(more, counts, strict=False)]
        by_size = [nothing, *unions, *more[len(counts) :]]
    return by_size[count]


def _empty_gathering(block: Block) -> Gathering:
    skip = (block.refusal or 0) / SCALE
    return Gathering(math.log(1 - skip))


def _distribution_of(block: Block, gathering: Gathering) -> RowDistribution:
    log_prior, log_decoy, log_rows = gathering.classes
    return RowDistribution(
        truth=block.truth_probability / SCALE,
        log_prior=log_prior,
        log_decoy=log_decoy,
        log_rows=log_rows,
        slack=gathering.slack,
    )


def _with_skip(distribution: RowDistribution, block: Block) -> RowDistribution:
    """Add a class for the row "skipped", if a skip is offered."""
    if block.refusal is None:
        return distribution
    return replace(
        distribution,
        log_prior=np.append(distribution.log_prior, -np.inf),
        log_decoy=np.append(distribution.log_decoy, math.log(block.refusal / SCALE)),
        log_rows=np.append(distribution.log_rows, 0.0),
    )


def truthful_posteriors(truth: float, log_ratio: Array) -> Array:
    """Return the truthful posterior p R / (p R + 1 - p) of rows, with R = P(y)/q(y).

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
