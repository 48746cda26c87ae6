"""The booklet of a rotating block whose questions weigh most."""

from __future__ import annotations

from collections.abc import Sequence

from privacy.survey.block import Block
from privacy.survey.booklets import Booklet

__all__ = ["heaviest_booklet"]


def heaviest_booklet(block: Block, weights: Sequence[float], *, holding: int | None = None) -> Booklet:
    """Return the booklet of a block with the largest sum of weights.

    Parameters
    ----------
    block : Block
        Where everybody is asked all of its questions there is one booklet.
    weights : sequence of float
        One per question.
    holding : int, optional
        Position of a question that is in it.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abcd")
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=questions, questions_per_person=2)
    >>> weights = [3.0, 1.0, 2.0, 0.0]
    >>> heaviest_booklet(block, weights), heaviest_booklet(block, weights, holding=1)
    ((0, 2), (0, 1))
    """
    everything = range(len(block.questions))
    if not block.is_rotating:
        return tuple(everything)
    if block.booklets is not None:
        offered = (booklet for booklet in block.booklets if holding is None or holding in booklet)
        return max(offered, key=lambda booklet: sum(weights[position] for position in booklet))
    order = sorted(everything, key=lambda position: (position != holding, -weights[position]))
    return tuple(sorted(order[: block.most_asked]))
