"""Conditions on earlier open answers that decide who is asked a block, resolved to positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.component import YES_NO
from privacy.survey.conditions import Condition, Joined
from privacy.survey.question import Value


@dataclass(frozen=True, kw_only=True)
class Step:
    """A condition on one question, with its names resolved to positions.

    Parameters
    ----------
    block, question : int
        Number of the earlier open block, and position of the question in it.
    values : frozenset of int
        Answers that meet the condition: option positions, or 0 and 1 for a yes/no question.
    """

    block: int
    question: int
    values: frozenset[int]


@dataclass(frozen=True, kw_only=True)
class Route:
    """An `asked_if` resolved to steps.

    Parameters
    ----------
    joined : {"all", "any"}
        Whether all steps must hold, or any of them.
    steps : tuple of Step
        At least one, each on a different question.
    """

    joined: Joined
    steps: tuple[Step, ...]


def routes(blocks: Sequence[Block]) -> tuple[Route | None, ...]:
    """Resolve the condition of each block; None for a block that everyone is asked.

    Parameters
    ----------
    blocks : sequence of Block
        In survey order, because conditions name earlier questions.

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
    if question.route_refusal:
        raise PrivacyError(question.route_refusal, key, block=own)
    choices = question.options or YES_NO
    for option in condition.options:
        if option not in choices:
            raise PrivacyError("asked_if.option", option, known=", ".join(choices), block=own, question=key)
    values = frozenset(choices.index(option) for option in condition.options)
    return Step(block=source, question=position, values=values)


def is_asked(route: Route | None, answers: Sequence[Sequence[Value | None]]) -> bool:
    """Whether these open answers meet the condition of a block.

    An empty answer meets no step.

    Parameters
    ----------
    route : Route or None
        The condition; None if everyone is asked the block.
    answers : sequence of sequence
        By block and question; None for an empty answer.

    Examples
    --------
    >>> married = Step(block=0, question=0, values=frozenset({1}))
    >>> steps = (married, Step(block=0, question=1, values=frozenset({2})))
    >>> [is_asked(Route(joined=joined, steps=steps), [(1, None)]) for joined in ("all", "any")]
    [False, True]
    """
    if route is None:
        return True
    step_results = (answers[step.block][step.question] in step.values for step in route.steps)
    return all(step_results) if route.joined == "all" else any(step_results)
