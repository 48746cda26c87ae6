"""The oracle of these tests: records, one at a time, and their scores as exact fractions.

Nothing here is taken from `privacy.reconstruct`; the law is written out again from its description:
a coin per protected block, a decoy for "skipped", a decoy per question.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from privacy.coins import SCALE
from privacy.disguise.design import Block, Design, Question
from privacy.reconstruct.supports import Columns, SupportCounts

#: Items a record has in one block; None: skipped. A block that was not asked is absent from the record.
BlockItems = frozenset[int] | None


@dataclass(frozen=True)
class Row:
    """A record as sets of items: per block its items, None for skipped; blocks not asked are absent."""

    direct: bool
    blocks: tuple[tuple[int, BlockItems], ...]
    answered: frozenset[int]
    """Questions with an answer, or of a skipped block."""

    def has(self, items: Iterable[int], design: Design) -> bool:
        mine = {item for _, part in self.blocks if part is not None for item in part}
        return set(items) <= mine

    def columns(self, design: Design) -> frozenset[int]:
        columns = {item for _, part in self.blocks if part is not None for item in part}
        columns |= {design.asked_column(question) for question in self.answered}
        columns |= {design.answered_column(block) for block, part in self.blocks if part is not None}
        return frozenset(columns)


def first_item(design: Design, question: int) -> int:
    return next(item.index for item in design.items if item.question == question)


def question_patterns(design: Design, number: int) -> list[tuple[frozenset[int], Fraction]]:
    """Every answer of one question as items, with the chance that a decoy gives it (open: 0)."""
    question: Question = design.questions[number]
    start = first_item(design, number)
    shares = [Fraction(share, SCALE) for share in question.unrelated or (0,) * question.n_items]
    if question.kind == "single":
        return [(frozenset({start + option}), share) for option, share in enumerate(shares)]
    result = []
    for ticks in itertools.product((0, 1), repeat=question.n_items):
        chance = Fraction(1)
        for tick, share in zip(ticks, shares, strict=True):
            chance *= share if tick else 1 - share
        result.append((frozenset(start + option for option, tick in enumerate(ticks) if tick), chance))
    return result


def block_patterns(design: Design, number: int) -> list[tuple[BlockItems, Fraction]]:
    """Every whole answer of a block with its decoy chance, "skipped" included where offered."""
    block: Block = design.blocks[number]
    refusal = Fraction(block.refusal or 0, SCALE)
    questions = [at for at in range(len(design.questions)) if design.block_of(at) == number]
    result: list[tuple[BlockItems, Fraction]] = []
    for answers in itertools.product(*(question_patterns(design, at) for at in questions)):
        chance = 1 - refusal
        for _, share in answers:
            chance *= share
        result.append((frozenset().union(*(items for items, _ in answers)), chance))
    if block.refusal is not None:
        result.append((None, refusal))
    return result


def disguises(design: Design, row: Row) -> Iterator[tuple[Row, Fraction]]:
    """Every record a device can make of a true row, with its chance."""
    if row.direct:
        yield row, Fraction(1)
        return
    choices: list[list[tuple[int, BlockItems, Fraction]]] = []
    for number, truth in row.blocks:
        block = design.blocks[number]
        if not block.protected:
            choices.append([(number, truth, Fraction(1))])
            continue
        p = Fraction(block.truth_probability, SCALE)
        choices.append(
            [(number, sent, p * (sent == truth) + (1 - p) * q) for sent, q in block_patterns(design, number)]
        )
    for sent in itertools.product(*choices):
        chance = Fraction(1)
        for _, _, share in sent:
            chance *= share
        if chance:
            yield Row(row.direct, tuple((number, part) for number, part, _ in sent), row.answered), chance


def true_rows(design: Design, *, direct: bool) -> list[Row]:
    """Every whole true row of a design without routing, all open questions answered."""
    parts = [
        [(number, items) for items, _ in block_patterns(design, number)]
        for number in range(len(design.blocks))
    ]
    everything = frozenset(range(len(design.questions)))
    return [Row(direct, blocks, everything) for blocks in itertools.product(*parts)]


def score(design: Design, row: Row, wanted: Mapping[int, bool]) -> Fraction:
    """z of a record for a pattern: per touched block ([match] - (1-p) q)/p, [match] if open or direct."""
    by_block: dict[int, dict[int, bool]] = {}
    for item, yes in wanted.items():
        by_block.setdefault(design.items[item].block, {})[item] = yes
    result = Fraction(1)
    parts = dict(row.blocks)
    for number, pattern in by_block.items():
        block = design.blocks[number]

        def matches(part: BlockItems, pattern: Mapping[int, bool] = pattern) -> bool:
            return part is not None and all((item in part) == yes for item, yes in pattern.items())

        factor = Fraction(matches(parts[number]))
        if block.protected and not row.direct:
            p = Fraction(block.truth_probability, SCALE)
            q = sum(chance for part, chance in block_patterns(design, number) if matches(part))
            factor = (factor - (1 - p) * q) / p
        result *= factor
    return result


def itemset_score(design: Design, row: Row, itemset: Iterable[int]) -> Fraction:
    return score(design, row, dict.fromkeys(itemset, True))


def count(design: Design, rows: Iterable[Row], requests: Sequence[Columns]) -> SupportCounts:
    """Count by looking at every record."""
    table = np.zeros((len(requests), 2), dtype=np.int64)
    wanted = [frozenset(columns) for columns in requests]
    for row in rows:
        mine = row.columns(design)
        for place, columns in enumerate(wanted):
            table[place, 0 if row.direct else 1] += columns <= mine
    return SupportCounts.from_array(list(requests), table)
