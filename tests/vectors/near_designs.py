"""The designs of the golden vectors of which some parts send rows near the true one."""

from __future__ import annotations

from dataclasses import replace

from privacy.survey import Block, Condition, Design
from tests.vectors.designs import CHOICE, assigned, choice, live, opened, shielded, study, yes_no
from tests.vectors.rotation_designs import FANO, fair, rotating, turning
from tests.vectors.strength_designs import lightly

_MARRIED = Condition(question="married", options=("yes",))


def near(block: Block, radius: int) -> Block:
    """Return a block of which rows within a radius of the true one are sent."""
    return replace(block, radius=radius)


SMALL: dict[str, Design] = {
    "four, radius 1": live(near(fair("a", 4), 1)),
    "two of four, radius 0": turning(near(rotating(fair("a", 4), 2), 0), group=CHOICE),
    "six, radius 2": live(near(fair("a", 6, p=6667), 2)),
}
"""Of at most two bytes: every body is read and refused alike."""

DESIGNS: dict[str, Design] = SMALL | {
    "ten, radius 1": live(near(fair("a", 10, p=8121), 1)),
    "six of ten, radius 1": turning(near(rotating(fair("a", 10, p=7000), 6), 1)),
    "three of seven, listed": turning(near(rotating(fair("a", 7), 3, FANO), 0), group=assigned(3000)),
    # More sets than a word has numbers.
    "forty, radius 14": study(near(fair("a", 40), 14)),
    "all beside": turning(
        opened("you", yes_no("married"), choice("age", options=3)),
        replace(near(fair("a", 4), 1), asked_if=_MARRIED),
        shielded("b", 4000, yes_no("late", 3000), choice("mood", 2000, 3000, 5000), refusal=2000),
        near(rotating(fair("c", 6), 4), 1),
        group=CHOICE,
        rotation=("a", "b"),
    ),
    "two strengths": live(
        lightly(near(fair("a", 4, p=4000), 1), 8000),
        lightly(shielded("b", 5000, yes_no("debt", 5000)), 7000),
        group=CHOICE,
    ),
    "two strengths, drawn": turning(
        lightly(near(rotating(fair("a", 8, p=3000), 6), 1), 6000), group=assigned(4000)
    ),
}
