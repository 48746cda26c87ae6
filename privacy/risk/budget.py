"""Privacy budget of a design: amplification and epsilon of each protected block, and their total."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy.channels import effective_epsilon, retention_gamma
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.answer_probabilities import check_protected, unrelated_probability
from privacy.survey.block import SKIPPED, Block, BlockAnswers
from privacy.survey.design import Design
from privacy.survey.rotation import Rotation


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
