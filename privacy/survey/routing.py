"""Routing: which blocks a respondent is asked, by the design and open answers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.condition import Condition, Joined
from privacy.survey.question import Value

__all__ = ["Route", "Step", "is_asked", "routes"]


@dataclass(frozen=True, kw_only=True)
class Step:
    """A condition on one question, with its names resolved to positions.

    Parameters
    ----------
    block, question : int
        The earlier open block, and the position of the question inside it.
    values : frozenset of int
        Answers that lead on: option positions, or 0 and 1 for a yes/no question.
    """

    block: int
    question: int
    values: frozenset[int]


@dataclass(frozen=True, kw_only=True)
class Route:
    """An `asked_if` as steps, of which all or any have to hold.

    Parameters
    ----------
    joined : {"all", "any"}
    steps : tuple of Step
        At least one, each on a question of its own.
    """

    joined: Joined
    steps: tuple[Step, ...]


def routes(blocks: Sequence[Block]) -> tuple[Route | None, ...]:
    """Resolve the condition of each block; None where a block is asked of all.

    Parameters
    ----------
    blocks : sequence of Block
        In the order of the survey: a condition names earlier questions.

    Raises
    ------
    PrivacyError
        ``asked_if``: a question is unknown, protected, not earlier, a multi-select or a number, or an option
        is unknown.
    """
    return tuple(
        None
        if block.asked_if is None
        else Route(
            joined=block.asked_if.joined,
            steps=tuple(_step(blocks, number, term) for term in block.asked_if.terms),
        )
        for number, block in enumerate(blocks)
    )


def _step(blocks: Sequence[Block], number: int, condition: Condition) -> Step:
    key, own = condition.question, blocks[number].key
    matches = (
        (source, position)
        for source, block in enumerate(blocks)
        for position, question in enumerate(block.questions)
        if question.key == key
    )
    source, position = next(matches, (None, 0))
    if source is None:
        raise PrivacyError("asked_if.unknown", key, block=own)
    question = blocks[source].questions[position]
    if blocks[source].protected:
        raise PrivacyError("asked_if.protected", key, block=own)
    if source >= number:
        raise PrivacyError("asked_if.later", key, block=own)
    if question.kind == "multi":
        raise PrivacyError("asked_if.several", key, block=own)
    if question.is_scale:
        raise PrivacyError("asked_if.number", key, block=own)
    known = question.options or ("no", "yes")
    for option in condition.options:
        if option not in known:
            raise PrivacyError("asked_if.option", option, known=", ".join(known), block=own, question=key)
    values = frozenset(known.index(option) for option in condition.options)
    return Step(block=source, question=position, values=values)


def is_asked(route: Route | None, answers: Sequence[Sequence[Value | None]]) -> bool:
    """Whether the open `answers`, by block and question (None: empty), lead to the block of `route`.

    An empty answer fulfils no step.

    Parameters
    ----------
    route : Route or None
        None where the block is asked of all.
    answers : sequence of sequence
        By block and question; None where nothing was answered.

    Examples
    --------
    >>> married = Step(block=0, question=0, values=frozenset({1}))
    >>> steps = (married, Step(block=0, question=1, values=frozenset({2})))
    >>> [is_asked(Route(joined=joined, steps=steps), [(1, None)]) for joined in ("all", "any")]
    [False, True]
    """
    if route is None:
        return True
    fulfilled = (answers[step.block][step.question] in step.values for step in route.steps)
    return all(fulfilled) if route.joined == "all" else any(fulfilled)
