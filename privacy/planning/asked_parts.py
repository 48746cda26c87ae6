"""Parts of a design for the planner: questions, draws and probabilities."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from privacy.coins import SCALE
from privacy.planning.part_variance import AskedPart, AskedQuestion, Turns, mean_variance
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.question import Question

__all__ = ["asked_part", "mean_variance_of"]

_SIZES: Final = (1, 2, 3)
"""Of itemsets that a planner knows of."""


def asked_part(block: Block) -> AskedPart:
    """Return a protected block with a coin as a planner computes with it; a skip is left aside.

    Parameters
    ----------
    block : Block
        Of two strengths that of the strong one. Where a list of sets asks some questions together more often
        than others, sets of as many questions count alike.

    Examples
    --------
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> part = asked_part(Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...                         questions=questions, questions_per_person=2,
    ...                         booklets=((0, 1), (0, 2), (1, 2))))
    >>> part.truth, [part.inverse_share(size) for size in (1, 2, 3)]
    (0.5, [1.5, 3.0, inf])
    """
    return AskedPart(
        questions=len(block.questions),
        truth=block.truth_probability / SCALE,
        per_person=block.questions_per_person,
        inverse_shares=_inverse_shares(block),
        kinds=tuple(_asked_question(question) for question in block.questions),
        radius=block.radius,
    )


def mean_variance_of(design: Design, sizes: Sequence[int]) -> float:
    """Return n times the mean variance of supports in a design, over the sizes of itemsets.

    Parameters
    ----------
    design : Design
        Numbers and places are left out, and conditions too: n counts the people who come to a part.
    sizes : sequence of int
    """
    blocks = [block for block in design.blocks if block.protected and not block.is_scale]
    strong = [block.in_group(direct=False) or block for block in blocks]
    return mean_variance([asked_part(block) for block in strong], sizes, rotations=_turns(design, blocks))


def _asked_question(question: Question) -> AskedQuestion:
    return AskedQuestion(
        items=question.n_items,
        exclusive=question.kind == "single",
        unrelated=tuple(share / SCALE for share in question.unrelated),
    )


def _inverse_shares(block: Block) -> tuple[float, ...] | None:
    """Return by size of a list of sets the mean of 1 / share asked together; None without a list."""
    if block.booklets is None:
        return None
    shares = []
    for size in _SIZES:
        booklets_with = Counter(
            chosen for booklet in block.booklets for chosen in itertools.combinations(booklet, size)
        )
        total = math.comb(len(block.questions), size)
        never = not total or len(booklets_with) < total
        shares.append(
            math.inf
            if never
            else math.fsum(block.n_booklets / count for count in booklets_with.values()) / total
        )
    return tuple(shares)


def _turns(design: Design, blocks: Sequence[Block]) -> list[Turns]:
    """Return which of these parts take turns; others, after them, keep their slots."""
    order = [block.key for block in blocks]
    order += [block.key for block in design.blocks if block.key not in order]
    return [
        (tuple(order.index(key) for key in rotation.blocks), rotation.parts_per_person)
        for rotation in design.rotations
    ]
