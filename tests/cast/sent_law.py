"""The law of what devices send, body by body, with every booklet and every coin gone through."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

from privacy.coins import SCALE, Coins
from privacy.survey import SKIPPED, Block, Design
from privacy.survey.block import BlockAnswers
from privacy.survey.booklets import Drawn
from privacy.survey.grouping import block_rows, disguise
from privacy.survey.layout import Layout

Truth = tuple[BlockAnswers, ...]
"""Whole answers to all questions of every block, whether or not a device asks them."""


def whole(block: Block) -> Block:
    """A block as if everybody were asked all of its questions."""
    return block.of_booklet(range(len(block.questions)))


def truths(design: Design) -> list[Truth]:
    return list(itertools.product(*(block_rows(whole(block)) for block in design.blocks)))


def all_drawn(design: Design) -> dict[Drawn, Fraction]:
    """Every set of questions that a device can draw, with its chance."""
    parts = [list(rotation.sets) for rotation in design.rotations]
    kept = [[block.booklet(number) for number in range(block.n_booklets)] for block in design.blocks]
    chance = Fraction(1, math.prod(map(len, (*parts, *kept))))
    found: dict[Drawn, Fraction] = {}
    for chosen in itertools.product(*parts):
        out = {
            key
            for rotation, places in zip(design.rotations, chosen, strict=True)
            for place, key in enumerate(rotation.blocks)
            if place not in places
        }
        for booklets in itertools.product(*kept):
            drawn = tuple(
                () if block.key in out else booklet
                for block, booklet in zip(design.blocks, booklets, strict=True)
            )
            found[drawn] = found.get(drawn, Fraction(0)) + chance
    return found


def told(design: Design, truth: Truth, drawn: Drawn) -> dict[str, object]:
    """What somebody with this truth answers to what a device asks."""
    found: dict[str, object] = {}
    for block, row, booklet in zip(design.blocks, truth, drawn, strict=True):
        if not booklet:
            continue
        if isinstance(row, str):
            found[block.key] = SKIPPED
            continue
        values = {block.questions[position].key: row[position] for position in booklet}
        found[block.key] = {
            key: list(value) if isinstance(value, tuple) else value for key, value in values.items()
        }
    return found


def coins_of(design: Design, *, direct: bool) -> Iterator[tuple[list[int], Fraction]]:
    """One word for each interval of each draw between the thresholds of a design, with its chance."""
    draws: list[list[tuple[int, Fraction]]] = []
    for block in design.blocks:
        mine = block.in_group(direct=direct)
        edges = [[SCALE if mine is None else mine.truth_probability]]
        if block.refusal is not None:
            edges.append([block.refusal])
        for question in block.questions:
            if question.kind == "single":
                edges.append(list(question.cumulative))
            else:
                edges += [[share] for share in question.unrelated]
        draws += [
            [
                (low, Fraction(high - low, SCALE))
                for low, high in itertools.pairwise(sorted({0, *thresholds, SCALE}))
            ]
            for thresholds in edges
        ]
    for chosen in itertools.product(*draws):
        yield (
            [word for word, _chance in chosen],
            math.prod((chance for _word, chance in chosen), start=Fraction(1)),
        )


def sent_law(design: Design, *, direct: bool = False) -> dict[Truth, dict[bytes, Fraction]]:
    """Chance of each body from each truth, through the real disguise: what is sent shows what was asked."""
    layout, coins = Layout(design), list(coins_of(design, direct=direct))
    found: dict[Truth, dict[bytes, Fraction]] = {}
    for truth in truths(design):
        bodies: dict[bytes, Fraction] = {}
        for drawn, share in all_drawn(design).items():
            answers = told(design, truth, drawn)
            asked = drawn if design.rotates else None
            for words, chance in coins:
                record = disguise(design, answers, direct=direct, coins=Coins(words), drawn=asked)
                body = layout.pack(record)
                bodies[body] = bodies.get(body, Fraction(0)) + share * chance
        assert sum(bodies.values()) == 1
        found[truth] = bodies
    return found


def largest_ratio(law: Mapping[Truth, Mapping[bytes, Fraction]]) -> Fraction:
    """How many times likelier a body can be from one truth than from another."""
    bodies = {body for chances in law.values() for body in chances}
    return max(
        max(chances.get(body, Fraction(0)) for chances in law.values())
        / min(chances.get(body, Fraction(0)) for chances in law.values())
        for body in bodies
    )
