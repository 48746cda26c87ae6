"""Designs of the golden vectors with numbers and places."""

from dataclasses import replace

from privacy.scales.area import Area
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skips import Disguise
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Condition, Design, Question, default_refusal
from tests.vectors.designs import CHOICE, assigned, live, opened, shielded, study, yes_no


def scale_block(key: str, disguise: Disguise, *options: str, asked_if=None) -> Block:
    kind = "number" if isinstance(disguise, WindowChannel) else "place"
    question = Question(key=key, kind=kind, options=options, unrelated=(), disguise=disguise)
    return Block(
        key=f"b-{key}", protected=True, truth_probability=0, asked_if=asked_if, questions=(question,)
    )


def open_number(key: str, disguise: WindowChannel, *options: str, asked_if=None) -> Block:
    """Return an open block with a number that is stored as answered."""
    question = Question(key=key, kind="number", options=options, unrelated=(), disguise=disguise)
    return Block(
        key=f"b-{key}", protected=False, truth_probability=10_000, asked_if=asked_if, questions=(question,)
    )


WAVE = WindowChannel(
    mechanism="square_wave",
    range=NumberRange(low=0, high=119, bin=10),
    window=5,
    floor=1 << 20,
    peak=(1 << 20) + 12_345,
)
KEEP = replace(WAVE, mechanism="keep_or_any", window=1, peak=1 << 40)
ROUND = replace(WAVE, mechanism="wide_or_any", cyclic=True, window=4, floor=7, peak=9)
COIN = WindowChannel(
    mechanism="duchi",
    range=NumberRange(low=-50, high=49, decimals=1, bin=10),
    window=0,
    floor=0,
    peak=0,
    coin=(3 + 1) * 9,
    lean=9,
    step=2,
)
BOTH = replace(COIN, mechanism="hybrid", window=3, floor=2, peak=5)
_SHIFT = replace(ROUND, mechanism="shift", floor=0, peak=1)
HUGE = replace(WAVE, floor=10**30, peak=10**31 + 1)

_MAP = Area(west=1_187_000_000, south=320_000_000, east=1_187_100_000, north=320_080_000, columns=10, rows=8)
WHOLE = PlanarLevel(
    numerator=20_000_001, denominator=1 << 20, rectangles=((0, 0, 10, 8),), frames=((0, 0, 10, 8, 4, 4),)
)
PARTS = PlanarLevel(
    numerator=7,
    denominator=2,
    rectangles=((1, 1, 4, 3), (1, 4, 2, 3), (7, 5, 3, 3)),
    frames=((1, 1, 4, 3, 2, 2), (1, 1, 2, 6, 2, 2), (7, 5, 3, 3, 2, 2)),
)
FLAT = PlanarLevel(
    numerator=3,
    denominator=1,
    rectangles=((0, 0, 6, 2), (7, 3, 3, 4)),
    frames=((0, 0, 6, 2, 3, 2), (7, 3, 3, 4, 2, 3)),
)
TILES = PlanarLevel(
    numerator=5,
    denominator=1,
    rectangles=((0, 0, 6, 2), (6, 4, 3, 4)),
    frames=((0, 0, 6, 2, 3, 2), (6, 4, 3, 4, 3, 2)),
    snap=True,
)
UNEVEN = PlanarLevel(
    numerator=5, denominator=2, rectangles=((0, 0, 10, 8),), frames=(), snap=True, tiles=((3, 3),)
)
UNEVEN_PARTS = PlanarLevel(
    numerator=7,
    denominator=1,
    rectangles=((0, 1, 7, 3), (8, 0, 2, 8)),
    frames=(),
    snap=True,
    tiles=((3, 2), (1, 3)),
)
SECOND = PlanarLevel(numerator=9, denominator=4, rectangles=((6, 0, 3, 3),), frames=((6, 0, 3, 3, 2, 2),))
SECOND_OF_TILES = PlanarLevel(
    numerator=9, denominator=4, rectangles=((3, 4, 4, 3),), frames=((3, 4, 4, 3, 2, 2),)
)


def places(mechanism: str, *levels: PlanarLevel, regions=()) -> PlanarWindowChannel:
    return PlanarWindowChannel(mechanism=mechanism, area=_MAP, levels=levels, regions=regions)


_USM = places("usm", PARTS)


def may_skip(block: Block, more: int = 0) -> Block:
    """Return a skippable block of a number or place, with the least refusal or `more`."""
    return replace(block, refusal=default_refusal(block) + more)


NUMBERS: dict[str, Design] = {
    "square wave": live(scale_block("age", WAVE)),
    "keep or any": live(scale_block("age", replace(KEEP, spans=((0, 2), (3, 3))), "young", "middle")),
    "wide or any": live(scale_block("age", ROUND)),
    "duchi": live(scale_block("mood", COIN)),
    "hybrid": live(scale_block("mood", BOTH)),
    "shift, study": study(scale_block("age", _SHIFT)),
    "huge weights": live(scale_block("age", HUGE)),
    "two numbers, choice": live(
        opened("you", yes_no("city")),
        scale_block("age", KEEP),
        shielded("a", 6000, yes_no("affair", 5000), refusal=2500),
        scale_block("mood", BOTH),
        group=CHOICE,
    ),
}
PLACES: dict[str, Design] = {
    "square mechanism": live(scale_block("home", places("sm", WHOLE))),
    "utility-optimised": live(scale_block("home", _USM)),
    "windows of one area": live(scale_block("home", places("usm", FLAT))),
    "tiles": live(scale_block("home", places("grid", TILES))),
    "two levels": live(scale_block("home", places("levels", PARTS, SECOND))),
    "regions, assigned": live(
        scale_block("home", replace(_USM, regions=(((7, 5, 3, 3), (0, 0, 1, 8)),)), "east"),
        scale_block("age", WAVE),
        group=assigned(3000),
    ),
}
TILES_OF_ANY_SIZE: dict[str, Design] = {
    "the whole map": live(scale_block("home", places("grid", UNEVEN))),
    "parts of it": live(
        scale_block("home", places("ugrid", UNEVEN_PARTS, regions=(((0, 1, 2, 1),),)), "hall")
    ),
    "before another level": live(scale_block("home", places("levels", UNEVEN_PARTS, SECOND_OF_TILES))),
    "skipped": live(may_skip(scale_block("home", places("ugrid", UNEVEN_PARTS)))),
}
"""Tiles whose sides differ by a cell. They have a separate file, so that older vectors stay unchanged."""
SKIPS: dict[str, Design] = {
    "square wave": live(may_skip(scale_block("age", WAVE))),
    "keep or any": live(
        may_skip(scale_block("age", replace(KEEP, spans=((0, 2), (3, 3))), "young", "middle"))
    ),
    "wide or any": live(may_skip(scale_block("age", ROUND), 700)),
    "hybrid": live(may_skip(scale_block("mood", BOTH))),
    "huge weights": live(may_skip(scale_block("age", HUGE))),
    "utility-optimised": live(may_skip(scale_block("home", _USM))),
    "two levels": live(may_skip(scale_block("home", places("levels", PARTS, SECOND)))),
    "all kinds, choice": live(
        opened("you", yes_no("city")),
        may_skip(scale_block("mood", COIN)),
        shielded("a", 6000, yes_no("affair", 5000), refusal=2500),
        may_skip(scale_block("home", replace(_USM, regions=(((7, 5, 3, 3), (0, 0, 1, 8)),)), "east")),
        scale_block("age", KEEP),
        group=CHOICE,
    ),
}
"""Designs with skippable numbers and places, in a separate file, so that older vectors stay unchanged."""

_HOURS = as_answered(NumberRange(low=0, high=239, decimals=1, bin=5))
OPEN_NUMBERS: dict[str, Design] = {
    "alone": live(open_number("sleep", _HOURS)),
    "with ranges, beside a coin": live(
        open_number("sleep", replace(_HOURS, spans=((0, 11), (18, 47))), "short", "long"),
        shielded("a", 6000, yes_no("affair", 5000), refusal=2500),
    ),
    "beside others, choice": live(
        opened("you", yes_no("city")),
        open_number(
            "grade",
            as_answered(NumberRange(low=-2, high=14)),
            asked_if=Condition(question="city", options=("yes",)),
        ),
        scale_block("age", KEEP),
        shielded("a", 6000, yes_no("affair", 5000), refusal=2500),
        group=CHOICE,
    ),
}
"""Designs with numbers that are stored as answered, in a separate file."""


def additive_uniform(range: NumberRange, reach: int) -> WindowChannel:
    """Return a channel that adds -reach to reach bins, equally likely. It is invertible but not private."""
    return WindowChannel(mechanism="additive_uniform", range=range, window=2 * reach + 1, floor=0, peak=1)
