"""Random small designs, all of whose coins can be gone through, and random designs with numbers beside."""

from __future__ import annotations

import itertools
import random

from privacy.survey import Block, Condition, Design, GroupPolicy, Question, Rotation
from tests.vectors.designs import CHOICE, PROTECTED, choice, opened, yes_no
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS

SHARES = (300, 1200, 2500, 3334, 5000, 6500, 8000)
TRUTHS = (500, 1712, 4000, 5000, 5454, 6000, 8000, 9300)
SKIPPED = (None, None, 1112, 2000, 3334, 4500)


def _options(rng: random.Random, count: int) -> tuple[int, ...]:
    edges = [0, *sorted(rng.sample(range(1, 100), count - 1)), 100]
    return tuple(100 * (high - low) for low, high in itertools.pairwise(edges))


def _question(rng: random.Random, key: str, *, largest: int) -> Question:
    kind = rng.choice(("yes_no", "yes_no", "yes_no", "single", "multi"))
    if kind == "yes_no" or largest < 3:
        return yes_no(key, rng.choice(SHARES))
    if kind == "single":
        return choice(key, *_options(rng, rng.choice((2, 3))))
    return choice(key, *rng.choices(SHARES, k=2), multi=True)


def coin_block(rng: random.Random, key: str, *, light: bool, asked_if: Condition | None = None) -> Block:
    """A part with a coin: whole, or rotating with all or listed booklets."""
    how = rng.choice(("whole", "whole", "rotating", "listed"))
    truth = rng.choice(TRUTHS)
    count = rng.choice((1, 2)) if how == "whole" else 3
    questions = tuple(
        _question(rng, f"{key}{number}", largest=3 if how == "whole" and count == 1 else 2)
        for number in range(count)
    )
    refusal = rng.choice(SKIPPED)
    return Block(
        key=key,
        protected=True,
        truth_probability=truth,
        refusal=refusal,
        asked_if=asked_if,
        questions=questions,
        light=min(9999, truth + 600) if light else None,
        questions_per_person=2 if how in ("rotating", "listed") else None,
        booklets=((0, 1), (1, 2)) if how == "listed" else None,
    )


def random_design(seed: int) -> Design:
    """A design of one to three parts: routed, rotating as parts, of one or two strengths, with numbers."""
    rng = random.Random(seed)
    light = rng.random() < 0.3
    blocks: list[Block] = []
    if rng.random() < 0.5:
        blocks.append(opened("you", choice("way", options=2), yes_no("old")))
    asked = [
        None
        if not blocks or rng.random() < 0.5
        else Condition(question="way", options=(rng.choice(("o0", "o1")),))
        for _ in range(rng.choice((1, 2, 3)))
    ]
    blocks += [
        coin_block(rng, "abc"[number], light=light, asked_if=condition)
        for number, condition in enumerate(asked)
    ]
    if not light and rng.random() < 0.3:
        scale = rng.choice([NUMBERS["hybrid"], SKIPS["wide or any"], PLACES["utility-optimised"]])
        blocks += [block for block in scale.blocks if block.protected][:1]
    free = [
        block.key for block in blocks if block.protected and block.asked_if is None and not block.is_scale
    ]
    rotations = ()
    if len(free) > 1 and rng.random() < 0.3:
        rotations = (Rotation(blocks=tuple(free), parts_per_person=rng.randint(1, len(free) - 1)),)
    group: GroupPolicy = CHOICE if light else PROTECTED
    return Design(blocks=tuple(blocks), group=group, use="live", rotations=rotations)
