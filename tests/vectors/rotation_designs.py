"""Designs of the golden vectors with rotation: of questions in a part, of parts, or both."""

from dataclasses import replace

from privacy.risk.prevalences import Prevalence
from privacy.survey.design import Block, Condition, Design, GroupPolicy
from privacy.survey.rotation import Rotation
from privacy.survey.turns import rotation_of_waves
from tests.vectors.designs import CHOICE, PROTECTED, assigned, choice, opened, shielded, yes_no
from tests.vectors.scale_designs import COIN, KEEP, may_skip, scale_block
from tests.vectors.strength_designs import lightly

# The seven lines of the Fano plane: any two of seven questions are in exactly one booklet.
FANO = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))

_MARRIED = Condition(question="married", options=("yes",))


def rotating(block: Block, per_person: int, booklets: tuple[tuple[int, ...], ...] | None = None) -> Block:
    """Return a block of which each device asks only some questions."""
    return replace(block, questions_per_person=per_person, booklets=booklets)


def turning(
    *blocks: Block, group: GroupPolicy = PROTECTED, rotation: tuple[str, ...] = (), most: int = 1
) -> Design:
    """Return a live design, with a rotation of parts if their keys are given."""
    rotations = (Rotation(blocks=rotation, parts_per_person=most),) if rotation else ()
    return Design(blocks=blocks, group=group, use="live", rotations=rotations)


def waves(*blocks: Block, count: int) -> Design:
    """Return a wave of a series of `count`, in which the protected parts take turns."""
    keys = tuple(block.key for block in blocks if block.protected)
    return Design(blocks=blocks, group=PROTECTED, use="live", rotations=(rotation_of_waves(keys, count),))


def fair(key: str, count: int, p: int = 5000, refusal: int | None = None) -> Block:
    """Return a block of yes/no questions whose decoys are fair coins."""
    return shielded(key, p, *(yes_no(f"{key}{number}", 5000) for number in range(count)), refusal=refusal)


_MIXED = shielded(
    "a",
    4000,
    yes_no("affair", 3000),
    choice("mood", 2000, 3000, 5000),
    choice("drugs", 2500, 5000, 9000, multi=True),
    yes_no("late", 5000),
    refusal=1250,
)
_ROUTED = (
    opened("you", yes_no("married"), choice("age", options=3)),
    replace(rotating(fair("a", 3, refusal=2000), 2), asked_if=_MARRIED),
    rotating(fair("b", 4), 1, ((0,), (1,), (2,), (3,))),
    scale_block("mood", COIN),
    shielded("c", 6000, yes_no("debt", 5000), choice("loan", 5000, 2500, 2500)),
)

SMALL: dict[str, Design] = {
    "two of three": turning(rotating(fair("a", 3), 2)),
    "two of three with skip": turning(rotating(fair("a", 3, refusal=2500), 2), group=CHOICE),
    "one of two parts": turning(fair("a", 2, refusal=2000), fair("b", 1), rotation=("b", "a")),
    "a part that is routed": turning(
        opened("you", yes_no("married")),
        replace(rotating(fair("a", 2, refusal=3333), 1), asked_if=_MARRIED),
        fair("b", 1, refusal=5000),
        fair("c", 1),
        rotation=("a", "b", "c"),
        most=2,
    ),
    "three of seven, listed": turning(rotating(fair("a", 7, refusal=1111), 3, FANO)),
    "one part in three waves": waves(fair("a", 2, refusal=2000), count=3),
    "three parts in two waves, one routed": waves(
        opened("you", yes_no("married")),
        replace(fair("a", 1, refusal=3333), asked_if=_MARRIED),
        fair("b", 1),
        fair("c", 1),
        count=2,
    ),
}
"""Designs with bodies of at most two bytes, so that every body can be tested."""

DESIGNS: dict[str, Design] = SMALL | {
    "four of ten": turning(rotating(fair("a", 10, p=5440), 4)),
    "twenty of fifty": turning(rotating(fair("a", 50), 20)),
    "all kinds, skipped": turning(rotating(_MIXED, 2), group=CHOICE),
    "two strengths, drawn": turning(
        opened("you", yes_no("city")),
        lightly(rotating(_MIXED, 3), 7000),
        lightly(fair("b", 2), 8000),
        group=assigned(4000),
    ),
    "two strengths, parts": turning(
        lightly(rotating(fair("a", 4, p=2000, refusal=4000), 2), 3000),
        lightly(may_skip(scale_block("age", KEEP), 700), replace(KEEP, peak=1 << 44)),
        rotation=("b-age", "a"),
        group=CHOICE,
    ),
    "parts and questions, routed": turning(*_ROUTED, rotation=("a", "b-mood", "c"), most=2),
    "two rotations": Design(
        blocks=tuple(fair(key, count) for key, count in (("a", 1), ("b", 2), ("c", 3), ("d", 1), ("e", 2))),
        group=PROTECTED,
        use="live",
        rotations=(
            Rotation(blocks=("e", "a"), parts_per_person=1),
            Rotation(blocks=("b", "c", "d"), parts_per_person=2),
        ),
    ),
}

_KEYS = ("never", "week", "year", "ever")
EXCLUSIVE: dict[str, tuple[Design, Prevalence, list[list[str]]]] = {
    "two pairs": (
        turning(rotating(shielded("a", 5000, *(yes_no(key, 5000) for key in _KEYS), refusal=1000), 2)),
        {"never": [3000], "week": [2000], "year": [1500], "ever": [4000]},
        [["never", "week"], ["never", "ever"]],
    ),
    "all kinds": (
        turning(rotating(_MIXED, 2)),
        {"affair": [1000], "mood": [2000, 3000, 5000], "drugs": [1000, 500, 300], "late": [4000]},
        [["affair", "mood=o0", "drugs=o2"], ["late", "drugs=o0"], ["drugs=o1", "mood=o1"]],
    ),
}
