"""Which blocks a respondent is asked: decided by the design and by open answers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from privacy.errors import PrivacyError
from privacy.survey.block import Block, Condition
from privacy.survey.question import Value

__all__ = ["Route", "is_asked", "routes"]


@dataclass(frozen=True, kw_only=True)
class Route:
    """An `asked_if` with its names resolved to positions.

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


def routes(blocks: Sequence[Block]) -> tuple[Route | None, ...]:
    """Resolve the condition of each block; None where a block is asked of everybody.

    Raises
    ------
    PrivacyError
        ``asked_if``: the question is unknown, protected, not earlier or a multi-select, or an option
        is unknown.
    """
    return tuple(
        None if block.asked_if is None else _route(blocks, number, block.asked_if)
        for number, block in enumerate(blocks)
    )


def _route(blocks: Sequence[Block], number: int, condition: Condition) -> Route:
    for source, block in enumerate(blocks):
        for position, question in enumerate(block.questions):
            if question.key != condition.question:
                continue
            if block.protected:
                raise PrivacyError("asked_if.protected", condition.question, block=blocks[number].key)
            if source >= number:
                raise PrivacyError("asked_if.later", condition.question, block=blocks[number].key)
            if question.kind == "multi":
                raise PrivacyError("asked_if.several", condition.question, block=blocks[number].key)
            known = question.options or ("no", "yes")
            for option in condition.options:
                if option not in known:
                    raise PrivacyError(
                        "asked_if.option",
                        option,
                        known=", ".join(known),
                        block=blocks[number].key,
                        question=condition.question,
                    )
            values = frozenset(known.index(option) for option in condition.options)
            return Route(block=source, question=position, values=values)
    raise PrivacyError("asked_if.unknown", condition.question, block=blocks[number].key)


def is_asked(route: Route | None, answers: Sequence[Sequence[Value | None]]) -> bool:
    """Whether the open `answers`, by block and question (None: empty), lead to the block of `route`."""
    return route is None or answers[route.block][route.question] in route.values
