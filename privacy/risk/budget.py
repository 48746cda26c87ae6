"""Privacy budget of a design, and the promise to a respondent that follows from it.

The budget states amplification and epsilon for each protected block, and their total. The promise says how
sure anyone can become about a respondent from everything the device sends, and from a single answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.channels import effective_epsilon, retention_gamma
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.filter_odds import filter_odds
from privacy.risk.promise import Figures as Figures
from privacy.risk.promise import Promise as Promise
from privacy.risk.promise import Waves as Waves
from privacy.risk.promise import once_in as once_in
from privacy.risk.promise import percent as percent
from privacy.survey.block import SKIPPED, Block, BlockAnswers
from privacy.survey.booklets import Rotation
from privacy.survey.design import Design
from privacy.survey.grouping import check_protected, unrelated_probability


@dataclass(frozen=True, kw_only=True)
class BlockBudget:
    """Bounds of one protected block.

    Parameters
    ----------
    key : str
        The block's key.
    least_likely : tuple of values, or "skipped"
        The most revealing row. For a rotating block, the answers to its worst booklet.
    amplification : Fraction or None
        gamma at that row; None if it is infinite.
    epsilon : float
        ln gamma; ``inf`` if gamma is infinite.
    exact_outside : bool
        Whether the bound covers only a part of the map: a place outside the sensitive cells is sent
        unchanged. Such an epsilon is reported separately and never summed.
    is_anchor : bool
        Whether the true answer is publicly known. The epsilon then only protects how the respondent answered;
        it is also reported separately.
    """

    key: str
    least_likely: BlockAnswers
    amplification: Fraction | None
    epsilon: float
    exact_outside: bool = False
    is_anchor: bool = False

    @property
    def is_summed(self) -> bool:
        """Whether the block's epsilon is part of the device's sum."""
        return not (self.exact_outside or self.is_anchor)


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Bounds of a whole design, for the protected group; for the direct group, use `Design.in_group`.

    Parameters
    ----------
    blocks : tuple of BlockBudget
        One per protected block, in design order.
    epsilon : float
        Largest sum over the blocks that one device can be asked, excluding those reported separately. It
        bounds all of one respondent's answers to these blocks.
    """

    blocks: tuple[BlockBudget, ...]
    epsilon: float


def least_likely_decoy(block: Block) -> BlockAnswers:
    """Return the least likely decoy of a protected block.

    Ties go to the row with most "yes", then to the first in design order. The result is "skipped" only if
    that is less likely than every answer.

    Parameters
    ----------
    block : Block
        Protected.

    Raises
    ------
    PrivacyError
        ``open_block``: an open block has no decoys. ``lone``: a number or a place has no such row.

    Notes
    -----
    If all rows are equally likely, this returns the row with "yes" to every question.
    """
    check_protected(block)
    if block.is_scale:
        raise PrivacyError("lone", block.key)
    row = tuple(question.least_likely for question in block.questions)
    if block.refusal is not None and Fraction(block.refusal, SCALE) < unrelated_probability(block, row):
        return SKIPPED
    return row


def block_budget(block: Block) -> BlockBudget:
    """Return the bounds of a protected block.

    Parameters
    ----------
    block : Block
        Protected.

    Raises
    ------
    PrivacyError
        ``open_block``: an open block has no bound.

    Notes
    -----
    A device sends the booklet J of a rotating block undisguised, but J depends only on coins. So only the
    answers to J are informative, and gamma is the largest over all J.

    Examples
    --------
    Asking two of three questions gives the same gamma as asking everyone two: 1 + .5 / (.5 * .25).

    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> block = Block(key="b", protected=True, truth_probability=5000,
    ...               questions=questions, questions_per_person=2)
    >>> block_budget(block).amplification
    Fraction(5, 1)
    """
    check_protected(block)
    return _scale_budget(block) if block.is_scale else budget_by_truth(block)(block.truth)


def budget_by_truth(block: Block) -> Callable[[Fraction], BlockBudget]:
    """Return a function from a retention probability p to the bounds of a protected block with this p.

    The least likely decoy does not depend on p, so a search for p computes it only once.

    Parameters
    ----------
    block : Block
        Protected, without a number or place.

    Notes
    -----
    gamma(y) = (p + (1 - p) q(y)) / ((1 - p) q(y)) = 1 + p / ((1 - p) q(y)). A respondent whose true row is y
    is this many times as likely to report it as anyone else.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003 (amplification).

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> block = Block(key="b", protected=True, truth_probability=5000,
    ...               questions=(affair,))
    >>> [budget_by_truth(block)(p).amplification for p in (Fraction(1, 3), block.truth)]
    [Fraction(2, 1), Fraction(3, 1)]
    """
    worst = block.of_booklet(block.worst_booklet)
    row = least_likely_decoy(worst)
    decoy = unrelated_probability(worst, row)

    def budget_at(p: Fraction) -> BlockBudget:
        gamma = retention_gamma(p, decoy)
        return BlockBudget(
            key=block.key,
            least_likely=row,
            amplification=gamma,
            epsilon=effective_epsilon(gamma),
            is_anchor=block.is_anchor,
        )

    return budget_at


def question_odds(block: Block) -> Fraction | None:
    """Return the largest likelihood ratio of one reported answer, true versus false; None for p = 1.

    The bound covers one answer, ignoring everything else that the device sent. Designs limit it in addition
    to epsilon: at equal epsilon, a block that asks fewer questions reveals more about each.

    Parameters
    ----------
    block : Block
        Protected, of one strength.

    Notes
    -----
    This is the largest of 1 + p / ((1 - p)(1 - r) q_i(v)) over questions i and answers v. With fair decoys
    and without a skip, it is (1 + p) / (1 - p). A number or a place is one answer, so its odds are the
    amplification of its disguise.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> question_odds(Block(key="b", protected=True, truth_probability=5000,
    ...                     questions=questions))
    Fraction(3, 1)
    """
    check_protected(block)
    if block.is_scale:
        return _scale_budget(block).amplification
    rarest = min(question.rarest_decoy for question in block.questions)
    return retention_gamma(block.truth, (1 - Fraction(block.refusal or 0, SCALE)) * rarest)


def skip_odds(block: Block) -> Fraction | None:
    """Return the largest likelihood ratio of a reported skip, skipped versus answered.

    None if respondents cannot skip, and for p = 1.

    Parameters
    ----------
    block : Block
        Protected, of one strength.

    Notes
    -----
    "Skipped" is sent with probability p + (1 - p) r if the truth is a skip and (1 - p) r if it is an answer,
    so the ratio is 1 + p / ((1 - p) r). For a number or a place, p is that of its skip. Devices send the
    questions drawn from a rotating block whether or not it is skipped, so rotation changes nothing.

    Examples
    --------
    p = 1/2, r = 1/4: (1/2 + 1/8) / (1/8).

    >>> from privacy.survey.question import Question
    >>> affair = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> skip_odds(Block(key="b", protected=True, truth_probability=5000, refusal=2500,
    ...                 questions=(affair,)))
    Fraction(5, 1)
    """
    return None if block.refusal is None else retention_gamma(block.truth, Fraction(block.refusal, SCALE))


def _scale_budget(block: Block) -> BlockBudget:
    """Return the bounds of a number or a place: those of its disguise, for any answer."""
    disguise = block.disguise
    gamma = disguise.sensitive_amplification
    return BlockBudget(
        key=block.key,
        least_likely=(0,),
        amplification=gamma,
        epsilon=effective_epsilon(gamma),
        exact_outside=gamma is not None and disguise.amplification is None,
    )


def budget(design: Design) -> Budget:
    """Return the bounds of a design.

    Parameters
    ----------
    design : Design
        Design of a survey.

    Notes
    -----
    Coins of different blocks are independent, so their epsilons add up. For a rotation, only the blocks that
    one device is asked count. The bounds exclude what the open answers already reveal.
    """
    blocks = tuple(block_budget(block) for block in design.blocks if block.protected)
    return Budget(
        blocks=blocks, epsilon=math.fsum(bound.epsilon for bound in binding_bounds(blocks, design.rotations))
    )


def binding_bounds(bounds: Iterable[BlockBudget], rotations: Sequence[Rotation]) -> tuple[BlockBudget, ...]:
    """Return the bounds of the blocks with the largest total epsilon that one device can be asked.

    Anchors and blocks that are exact outside are excluded. From each rotation come the blocks with the
    largest epsilons, as many as one device is asked.

    Parameters
    ----------
    bounds : iterable of BlockBudget
    rotations : sequence of Rotation

    Examples
    --------
    >>> bounds = [BlockBudget(key=key, least_likely=(1,), amplification=None, epsilon=epsilon)
    ...           for key, epsilon in (("a", 1.0), ("b", 3.0), ("c", 2.0), ("d", 2.5))]
    >>> turns = [Rotation(blocks=("a", "b", "c"), parts_per_person=2)]
    >>> [bound.key for bound in binding_bounds(bounds, turns)]
    ['b', 'c', 'd']
    """
    left = [bound for bound in bounds if bound.is_summed]
    for rotation in rotations:
        by_size = sorted(
            (bound for bound in left if bound.key in rotation.blocks), key=lambda bound: -bound.epsilon
        )
        out = {bound.key for bound in by_size[rotation.parts_per_person :]}
        left = [bound for bound in left if bound.key not in out]
    return tuple(left)


MOST_CLASSES: Final = 1 << 14
MOST_PRODUCTS: Final = 1 << 22
"""Largest number of classes after combining with one more part; larger parts are coarsened first."""

DIGITS: Final = 8
"""Decimals to which logarithms are compared."""

_LEAST_WIDTH: Final = 1e-15


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """An independently drawn part of a decoy: a yes/no or single-choice question, or one multi-select option.

    Parameters
    ----------
    key : str
        The question's key, or ``question=option``.
    prior, decoy : float array, shape (answers,)
        Probabilities of each answer.
    rows : float array, shape (answers,), or None
        Number of answers that each entry represents; one by default.
    """

    key: str
    prior: Array
    decoy: Array
    rows: Array | None = None


class Gathering:
    """Classes of the rows of the parts added so far.

    Parameters
    ----------
    log_answered : float
        ln of the probability that a decoy answers the block. P(y) is given an answer.

    Attributes
    ----------
    classes : tuple of float array
        For each class: ln P(y) and ln q(y) of a row y in it, and ln of its number of rows.
    slack : float
        As in `privacy.risk.row_distribution.RowDistribution`.
    """

    def __init__(self, log_answered: float = 0.0) -> None:
        self.classes = (np.zeros(1), np.array([log_answered]), np.zeros(1))
        self.slack = 0.0

    def add(self, part: Part) -> None:
        """Combine each class with each answer of one more part."""
        with np.errstate(divide="ignore"):
            rows = np.zeros(len(part.prior)) if part.rows is None else np.log(part.rows)
            parts = np.log(part.prior), np.log(part.decoy), rows
        room = max(2, MOST_PRODUCTS // len(self.classes[0]))
        if len(rows) > room:
            parts = _merge_classes(self._coarse(parts[0] - parts[1], room), *parts)
        joint = [np.add.outer(so_far, part).ravel() for so_far, part in zip(self.classes, parts, strict=True)]
        self.classes = _merge_classes(self._class_of(joint[0], joint[1]), *joint)

    def with_parts(self, parts: Sequence[Part]) -> Gathering:
        """Return a copy with more parts added."""
        gathering = Gathering()
        gathering.classes, gathering.slack = self.classes, self.slack
        for part in parts:
            gathering.add(part)
        return gathering

    @classmethod
    def of_all(cls, ways: Sequence[Gathering]) -> Gathering:
        """Return the classes of several alternatives together; a row counts once for each alternative."""
        gathering = cls()
        gathering.slack = max(way.slack for way in ways)
        joint = [np.concatenate(kinds) for kinds in zip(*(way.classes for way in ways), strict=True)]
        gathering.classes = _merge_classes(gathering._class_of(joint[0], joint[1]), *joint)
        return gathering

    def _class_of(self, log_prior: Array, log_decoy: Array) -> Whole:
        """Return the number of each row's class."""
        if self.slack == 0 or len(log_prior) <= MOST_CLASSES:
            key = np.empty(len(log_prior), dtype=np.complex128)
            key.real, key.imag = log_prior.round(DIGITS), log_decoy.round(DIGITS)
            distinct, class_of = np.unique(key, return_inverse=True)
            if len(distinct) <= MOST_CLASSES:
                return class_of
        return self._coarse(log_prior - log_decoy, MOST_CLASSES // 2)

    def _coarse(self, log_ratio: Array, most: int) -> Whole:
        """Bin rows by likelihood ratio alone, so that ratios in a class differ by at most one bin width."""
        finite = np.isfinite(log_ratio)
        ratios = log_ratio[finite] if finite.any() else np.zeros(1)
        low = float(ratios.min())
        # Keep the width above 0, as all ratios can be equal.
        width = max((float(ratios.max()) - low) / most, _LEAST_WIDTH)
        self.slack += width
        bins = np.zeros(len(log_ratio), dtype=np.int64)
        bins[finite] = 1 + ((log_ratio[finite] - low) / width).astype(np.int64)
        # Renumber without the empty bins.
        return (np.cumsum(np.bincount(bins) > 0) - 1)[bins]


def _merge_classes(
    class_of: Whole, log_prior: Array, log_decoy: Array, log_rows: Array
) -> tuple[Array, Array, Array]:
    """Merge the rows of each class, keeping their total masses, so the ratio lies between theirs."""
    rows = _log_sums(log_rows, class_of)
    return (
        _log_sums(log_prior + log_rows, class_of) - rows,
        _log_sums(log_decoy + log_rows, class_of) - rows,
        rows,
    )


def _log_sums(logs: Array, class_of: Whole) -> Array:
    highest = np.full(int(class_of.max()) + 1, -np.inf)
    np.maximum.at(highest, class_of, logs)
    shift = np.where(np.isfinite(highest), highest, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(np.bincount(class_of, weights=np.exp(logs - shift[class_of]))))


def promise(design: Design) -> Promise | None:
    """Return the promise of a design of one strength; None if no protected block has a bound.

    Parameters
    ----------
    design : Design
        A design of one strength: see `Design.in_group`.

    Notes
    -----
    "Everything" is the largest product of amplifications of blocks that one device can be asked together
    (`largest_amplification`), "answer" the largest `question_odds`, "skip" the largest `skip_odds`, and
    "shared" the largest `privacy.risk.filter_odds.filter_odds`. One answer, and the answers computed from one
    filter, are parts of everything sent, so neither figure is above "everything".

    An anchor has the same true answer for everyone. Two respondents who answer it truthfully have equal
    probabilities for that report, whatever their other answers, so its factor is 1 and the product omits it.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003 (amplification).
    """
    bounds = {number: block_budget(block) for number, block in enumerate(design.blocks) if block.protected}
    summands = {number: bound for number, bound in bounds.items() if bound.is_summed}
    gamma = largest_amplification(design, summands) if summands else None
    if gamma is None:
        return None
    blocks = [design.blocks[number] for number in summands]
    answers = [odds for block in blocks if (odds := question_odds(block)) is not None]
    skips = [odds for block in blocks if (odds := skip_odds(block)) is not None]
    filters = [odds for block in blocks if (odds := filter_odds(block)) is not None]
    return Promise(
        everything=gamma,
        answer=max(answers),
        skip=max(skips, default=None),
        shared=max(filters, default=None),
        parts=len(binding_bounds(summands.values(), design.rotations)),
        not_composed=any(bound.exact_outside for bound in bounds.values()),
        anchors=sum(bound.is_anchor for bound in bounds.values()),
    )


def largest_amplification(design: Design, bounds: Mapping[int, BlockBudget]) -> Fraction | None:
    """Return G, the largest product of gammas of blocks that one device can be asked.

    Parameters
    ----------
    design : Design
    bounds : mapping of block number to BlockBudget
        The blocks to multiply.

    Returns
    -------
    Fraction or None
        None if a block has no bound.

    Notes
    -----
    The open answers determine which blocks are asked. The channels of these blocks are independent, so their
    joint amplification is prod gamma_b, however the answers to them are related. The posterior G / (1 + G) at
    an even prior is attained by a distribution that puts one half each on two whole rows.

    Conditions on one earlier open question each form a forest. Among the blocks that depend on one question,
    those that share one of its answers can be asked together; blocks that depend on different questions
    always can. A block with an AND of conditions is treated as depending only on the last of them, and a
    block with an OR as unconditional. Dropping a condition never reduces the blocks that can be asked
    together, and gammas are at least 1, so G remains an upper bound.

    From each rotation come the blocks with the largest gammas, as many as one device is asked, even if their
    conditions exclude each other. G is then an upper bound that no row attains.
    """
    if any(bound.amplification is None for bound in bounds.values()):
        return None
    whole = _largest_product(design, bounds)
    if not design.rotations:
        return whole
    rotated = {key for rotation in design.rotations for key in rotation.blocks}
    rest = {number: bound for number, bound in bounds.items() if bound.key not in rotated}
    worst = binding_bounds((bound for bound in bounds.values() if bound.key in rotated), design.rotations)
    gammas = (bound.amplification for bound in worst if bound.amplification is not None)
    return min(whole, _largest_product(design, rest) * math.prod(gammas, start=Fraction(1)))


def _largest_product(design: Design, bounds: Mapping[int, BlockBudget]) -> Fraction:
    """Return the largest product of gammas over all paths through the conditions."""
    steps = [None if route is None or route.joined == "any" else route.steps[-1] for route in design.routes]

    def together(numbers: Sequence[int]) -> Fraction:
        return math.prod((within(number) for number in numbers), start=Fraction(1))

    def within(number: int) -> Fraction:
        bound = bounds.get(number)
        if bound is not None and bound.amplification is not None:
            return bound.amplification
        return math.prod(
            (most(number, question) for question in range(len(design.blocks[number].questions))),
            start=Fraction(1),
        )

    def most(block: int, question: int) -> Fraction:
        conditional = [
            (number, step.values)
            for number, step in enumerate(steps)
            if step is not None and (step.block, step.question) == (block, question)
        ]
        answers = frozenset[int]().union(*(values for _number, values in conditional))
        ways = (
            together([number for number, values in conditional if answer in values]) for answer in answers
        )
        return max(ways, default=Fraction(1))

    return together([number for number, step in enumerate(steps) if step is None])
