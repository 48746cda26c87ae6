"""Designs of the golden vectors with two strengths."""

from __future__ import annotations

from dataclasses import replace

from privacy.scales.skips import Disguise
from privacy.survey.design import Block, Condition, Design
from tests.vectors.designs import CHOICE, assigned, choice, live, opened, shielded, study, yes_no
from tests.vectors.scale_designs import (
    BOTH,
    COIN,
    HUGE,
    KEEP,
    ROUND,
    WAVE,
    WHOLE,
    may_skip,
    places,
    scale_block,
)

_MARRIED = Condition(question="married", options=("yes",))
_SPANS = ((0, 2), (3, 3))


def lightly(block: Block, light: int | Disguise) -> Block:
    """Return a block with a light strength."""
    return replace(block, light=light)


COINS: dict[str, Design] = {
    "one yes/no": live(lightly(shielded("a", 5000, yes_no("affair", 5000)), 8000), group=CHOICE),
    "skips, drawn": live(
        lightly(shielded("a", 5500, yes_no("affair", 3000), yes_no("late", 5000), refusal=2000), 9500),
        lightly(shielded("b", 3000, choice("mood", 2000, 3000, 5000)), 3001),
        group=assigned(2700),
    ),
    "routed": live(
        opened("you", yes_no("married"), choice("age", options=4)),
        lightly(shielded("a", 1, yes_no("affair", 5000), refusal=1250, asked_if=_MARRIED), 9999),
        lightly(shielded("b", 4500, choice("drugs", 1000, 2000, 3000, multi=True)), 6000),
        group=CHOICE,
    ),
    "nobody lightly": live(lightly(shielded("a", 6000, yes_no("affair", 5000)), 7000), group=assigned(0)),
    "study without strong truth": study(lightly(shielded("a", 0, yes_no("x", 3000)), 4000), group=CHOICE),
}

# Light channels: fewer outputs, other items, a steeper coin, wrap-around, several words per draw.
_NARROW = replace(WAVE, window=3, peak=(5 << 20) + 7)
_KEPT = replace(KEEP, peak=1 << 44)
_LEANS = replace(COIN, coin=(6 + 1) * 9, step=5)
_HYBRID = replace(BOTH, window=2, floor=1, peak=6, coin=(6 + 1) * 9, step=5)
_NEARER = replace(WHOLE, numerator=60_000_001, frames=((0, 0, 10, 8, 3, 3),))


def _items(band: Disguise) -> Disguise:
    return replace(band, spans=_SPANS)


SCALES: dict[str, Design] = {
    "square wave": live(lightly(scale_block("age", WAVE), _NARROW), group=CHOICE),
    "keep or any, skipped": live(
        lightly(may_skip(scale_block("age", _items(KEEP), "young", "middle")), _items(_KEPT)), group=CHOICE
    ),
    "wide or any": live(
        lightly(may_skip(scale_block("age", ROUND), 700), replace(ROUND, window=3, floor=1, peak=9)),
        group=CHOICE,
    ),
    "duchi": live(lightly(scale_block("mood", COIN), _LEANS), group=CHOICE),
    "hybrid": live(lightly(may_skip(scale_block("mood", BOTH), 500), _HYBRID), group=CHOICE),
    "huge weights": live(lightly(scale_block("age", HUGE), replace(HUGE, floor=10**29)), group=CHOICE),
    "square mechanism": live(
        lightly(may_skip(scale_block("home", places("sm", WHOLE))), places("sm", _NEARER)), group=CHOICE
    ),
    "all kinds, drawn": live(
        opened("you", yes_no("city")),
        lightly(scale_block("mood", BOTH), _HYBRID),
        lightly(shielded("a", 6000, yes_no("affair", 5000), refusal=2500), 8500),
        lightly(may_skip(scale_block("home", places("sm", WHOLE))), places("sm", _NEARER)),
        group=assigned(4000),
    ),
}
