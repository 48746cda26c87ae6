"""Designs of the golden vectors with arm questions, including groups and rotation."""

from dataclasses import replace

from privacy.survey.design import Block, Condition, Design, Question
from tests.vectors.designs import CHOICE, PROTECTED, assigned, opened, yes_no
from tests.vectors.rotation_designs import fair, rotating, turning
from tests.vectors.scale_designs import KEEP, scale_block


def arms(key: str, *shares: int) -> Block:
    """Return the open block of an arm question."""
    options = tuple(f"o{number}" for number in range(len(shares)))
    return opened(key, Question(key=key, kind="single", options=options, unrelated=(), shares=shares))


_IN_FIRST = Condition(question="told", options=("o0",))

DESIGNS: dict[str, Design] = {
    "two arms": Design(blocks=(arms("told", 5000, 5000), fair("a", 2)), group=PROTECTED, use="live"),
    "unlike shares, skipped": Design(
        blocks=(opened("you", yes_no("city")), fair("a", 2, refusal=2000), arms("told", 1000, 2345, 6655)),
        group=CHOICE,
        use="live",
    ),
    "three questions, drawn group": Design(
        blocks=(
            arms("told", 4000, 6000),
            arms("asked", 3333, 3333, 3334),
            arms("many", 1000, 1000, 2000, 3000, 1000, 2000),
            fair("a", 3),
        ),
        group=assigned(3000),
        use="live",
    ),
    "rotation and a condition": turning(
        arms("told", 5000, 5000),
        replace(rotating(fair("a", 4), 2), asked_if=_IN_FIRST),
        rotating(fair("b", 3), 1),
        scale_block("age", KEEP),
    ),
    "one of two by invitation": Design(
        blocks=(arms("told", 5000, 5000), arms("asked", 1000, 2345, 6655), fair("a", 2)),
        group=PROTECTED,
        use="live",
        invited="asked",
    ),
    "strength by invitation": Design(
        blocks=(replace(fair("a", 2), light=9000),), group=assigned(3000), use="live", invited="group"
    ),
}
