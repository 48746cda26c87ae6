"""Which answers to the composite questions of a block can be true together, given their shared filters.

Components other than shared filters are in one question only. So for each combination of answers to the
filters, and to the open questions that rules use, every combination of the answers that they leave to each
question is possible.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Final, TypeAlias

from privacy.survey.block import Block
from privacy.survey.component import YES_NO
from privacy.survey.composed_block import block_components

MOST_COMBINATIONS: Final = 2_000
"""Largest number of combinations of answers to shared filters and to the open questions that rules use; with
more, all answers count as possible."""

Box: TypeAlias = tuple[frozenset[int], ...]
"""For each question of the block, the positions of possible answers: 0 and 1, or those of the options. Empty
for questions that are not composite, all of whose answers are possible."""


@lru_cache(maxsize=64)
def possible_answers(block: Block) -> tuple[Box, ...]:
    """Return sets of answers that can be true together; every possible row is in one of them.

    Parameters
    ----------
    block : Block
        With at least one filter that its composite questions share.

    Returns
    -------
    tuple of Box
        Without those that another contains; empty if the block shares no filter, or if there are too many
        combinations of answers.

    Examples
    --------
    A filter and two follow-ups in three levels: everyone who says no is in the first level of both.

    >>> from privacy.survey.component import Component, When, Whens
    >>> from privacy.survey.composite import Composite
    >>> from privacy.survey.composite_parts import Gaps, Level
    >>> from privacy.survey.question import Question
    >>> ever = Component(key="ever", kind="yes_no", points=(0, 1), shared=True)
    >>> after_yes = Whens(terms=(When(component="ever", options=("yes",)),))
    >>> levels = (Level(option="never"), Level(start=1, option="once"), Level(start=2, option="often"))
    >>> rules = [Composite(
    ...     components=(ever, Component(key=key, kind="yes_no", points=(0, 1), asked_if=after_yes)),
    ...     levels=levels, missing=Gaps(at_most=0, fill="no_points")) for key in ("hit", "kicked")]
    >>> block = Block(key="b", protected=True, truth_probability=5000, questions=tuple(
    ...     Question(key=f"{rule.components[1].key}-often", kind="single", options=("never", "once", "often"),
    ...              unrelated=(3334, 3333, 3333), computed=rule) for rule in rules))
    >>> [[sorted(answers) for answers in box] for box in possible_answers(block)]
    [[[0], [0]], [[1, 2], [1, 2]]]
    """
    answers: dict[str, set[int | str | None]] = {
        component.key: {*range(len(component.choices)), None}
        for component in block_components(block)
        if component.shared
    }
    if not answers:
        return ()
    for question in block.questions:
        for key, named in question.computed.sources if question.computed else ():
            answers.setdefault(key, {None}).update(named)
    if math.prod(map(len, answers.values())) > MOST_COMBINATIONS:
        return ()
    found: dict[Box, None] = {}
    for given in itertools.product(*answers.values()):
        fixed = dict(zip(answers, given, strict=True))
        box = []
        for question in block.questions:
            choices = question.options or YES_NO
            rule = question.computed
            options = () if rule is None else rule.reachable_options(fixed)
            if rule is not None and not options:
                # These answers make the whole block a skip.
                break
            box.append(frozenset(choices.index(option) for option in options))
        else:
            found[tuple(box)] = None
    return tuple(box for box in found if not any(_contains(other, box) for other in found if other != box))


def _contains(larger: Box, smaller: Box) -> bool:
    return all(inner <= outer for outer, inner in zip(larger, smaller, strict=True))


def impossible_pairs(block: Block) -> tuple[tuple[str, str], ...]:
    """Return pairs of items of different questions that a shared filter keeps from being true together.

    Parameters
    ----------
    block : Block

    Returns
    -------
    tuple of (str, str)
        Keys of items, in the order of the questions. A single item is the "yes" of a yes/no question.
    """
    boxes = possible_answers(block)
    shown = [
        [(key, item if len(question.item_keys) > 1 else 1) for item, key in enumerate(question.item_keys)]
        for question in block.questions
    ]
    return tuple(
        (one, other)
        for first, second in itertools.combinations(range(len(block.questions)), 2)
        if boxes and block.questions[first].computed and block.questions[second].computed
        for one, value in shown[first]
        for other, also in shown[second]
        if not any(value in box[first] and also in box[second] for box in boxes)
    )
