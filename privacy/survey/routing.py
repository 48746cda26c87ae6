"""Which blocks a respondent is asked: decided by the design and by open answers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from privacy.errors import DesignError
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
    DesignError
        ``asked_if``: the question is unknown, protected, not earlier or a multi-select, or an option
        is unknown.
    """
    return tuple(
        None if block.asked_if is None else _route(blocks, number, block.asked_if)
        for number, block in enumerate(blocks)
    )


def _route(blocks: Sequence[Block], number: int, condition: Condition) -> Route:
    def refuse(problem: str, value: str, remedy: str) -> DesignError:
        message = f"asked_if of block {blocks[number].key} on {condition.question!r}: {problem}"
        return DesignError("asked_if", message, value, remedy)

    for source, block in enumerate(blocks):
        for position, question in enumerate(block.questions):
            if question.key != condition.question:
                continue
            if block.protected:
                raise refuse(
                    "that question is protected, its decoys would give themselves away",
                    condition.question,
                    "let it depend on an open question",
                )
            if source >= number:
                raise refuse(
                    "that question is not asked earlier",
                    condition.question,
                    "let it depend on a question of an earlier block",
                )
            if question.kind == "multi":
                raise refuse(
                    "that question allows several options",
                    condition.question,
                    "let it depend on a yes/no or single-choice question",
                )
            known = question.options or ("no", "yes")
            for option in condition.options:
                if option not in known:
                    raise refuse(
                        f"option {option!r} is unknown", option, f"use options out of {', '.join(known)}"
                    )
            values = frozenset(known.index(option) for option in condition.options)
            return Route(block=source, question=position, values=values)
    raise refuse("there is no such question", condition.question, "name an open question")


def is_asked(route: Route | None, answers: Sequence[Sequence[Value | None]]) -> bool:
    """Whether the open `answers`, by block and question (None: empty), lead to the block of `route`."""
    return route is None or answers[route.block][route.question] in route.values
