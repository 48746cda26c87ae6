"""The oracle of these tests: single records, and their scores as exact fractions.

It does not import `privacy.estimation`, but implements the disguise separately from its description: a coin
for each protected block, a decoy for "skipped", and a decoy for each question.
"""

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from privacy.coins import SCALE
from privacy.estimation.counts import Columns, SupportCounts
from privacy.survey.design import Design

BlockItems = frozenset[int] | None
"""Items of a record in a block; None if it was skipped."""


@dataclass(frozen=True)
class Row:
    """A record as sets of items by block, without blocks that were not asked."""

    direct: bool
    blocks: tuple[tuple[int, BlockItems], ...]
    answered: frozenset[int]
    """Questions that have an answer or are in a skipped block."""


@cache
def columns(design: Design, row: Row) -> frozenset[int]:
    """Return the columns that are 1 for a record."""
    found = {item for _, part in row.blocks if part is not None for item in part}
    found |= {design.asked_column(question) for question in row.answered}
    found |= {design.answered_column(block) for block, part in row.blocks if part is not None}
    return frozenset(found)


@cache
def question_patterns(design: Design, number: int) -> tuple[tuple[frozenset[int], Fraction], ...]:
    """Return every answer to a question as items, with its decoy probability."""
    question = design.questions[number]
    start = next(item.index for item in design.items if item.question == number)
    shares = [Fraction(share, SCALE) for share in question.unrelated or (0,) * question.n_items]
    if question.kind == "single":
        return tuple((frozenset({start + option}), share) for option, share in enumerate(shares))
    result = []
    for ticks in itertools.product((0, 1), repeat=question.n_items):
        chance = Fraction(1)
        for tick, share in zip(ticks, shares, strict=True):
            chance *= share if tick else 1 - share
        result.append((frozenset(start + option for option, tick in enumerate(ticks) if tick), chance))
    return tuple(result)


@cache
def block_patterns(
    design: Design, number: int, asked: frozenset[int] | None = None
) -> tuple[tuple[BlockItems, Fraction], ...]:
    """Return every complete answer to a block, and "skipped", with its decoy probability."""
    block = design.blocks[number]
    refusal = Fraction(block.refusal or 0, SCALE)
    questions = [
        at
        for at in range(len(design.questions))
        if design.block_of(at) == number and (asked is None or at in asked)
    ]
    result: list[tuple[BlockItems, Fraction]] = []
    for answers in itertools.product(*(question_patterns(design, at) for at in questions)):
        chance = 1 - refusal
        for _, share in answers:
            chance *= share
        result.append((frozenset().union(*(items for items, _ in answers)), chance))
    if block.refusal is not None:
        result.append((None, refusal))
    return tuple(result)


def truth_probability(design: Design, number: int, *, direct: bool) -> Fraction:
    """Return p of a block in a group, 1 if nothing is disguised."""
    block = design.blocks[number]
    if not block.protected or (direct and block.light is None):
        return Fraction(1)
    return Fraction(block.light if direct else block.truth_probability, SCALE)


@cache
def disguises(design: Design, row: Row) -> tuple[tuple[Row, Fraction], ...]:
    """Return every record that a device can send for a true row, with its probability."""
    choices: list[list[tuple[int, BlockItems, Fraction]]] = []
    for number, truth in row.blocks:
        p = truth_probability(design, number, direct=row.direct)
        if p == 1:
            choices.append([(number, truth, p)])
            continue
        choices.append(
            [
                (number, sent, p * (sent == truth) + (1 - p) * q)
                for sent, q in block_patterns(design, number, row.answered)
            ]
        )
    result = []
    for sent in itertools.product(*choices):
        chance = Fraction(1)
        for _, _, share in sent:
            chance *= share
        if chance:
            blocks = tuple((number, part) for number, part, _ in sent)
            result.append((Row(row.direct, blocks, row.answered), chance))
    return tuple(result)


@cache
def true_rows(design: Design, *, direct: bool) -> tuple[Row, ...]:
    """Return every complete true row of a design that asks everyone all questions."""
    parts = [
        [(number, items) for items, _ in block_patterns(design, number)]
        for number in range(len(design.blocks))
    ]
    everything = frozenset(range(len(design.questions)))
    return tuple(Row(direct, blocks, everything) for blocks in itertools.product(*parts))


def drawings(design: Design, row: Row) -> Iterator[tuple[Row, Fraction]]:
    """Yield the answers that each drawing keeps of a complete true row, with the drawing's probability."""
    parts = [
        itertools.combinations(rotation.blocks, rotation.parts_per_person) for rotation in design.rotations
    ]
    booklets = [
        block.booklets
        or itertools.combinations(
            range(len(block.questions)), block.questions_per_person or len(block.questions)
        )
        for block in design.blocks
    ]
    everything = list(itertools.product(itertools.product(*parts), itertools.product(*booklets)))
    for drawn, chosen in everything:
        left_out = {key for rotation in design.rotations for key in rotation.blocks}.difference(*drawn)
        asked = frozenset(
            first + position
            for block, first, booklet in zip(design.blocks, design.first_questions, chosen, strict=True)
            if block.key not in left_out
            for position in booklet
        )
        items = {item.index for item in design.items if item.question in asked}
        blocks = tuple(
            (number, None if part is None else part & items)
            for number, part in row.blocks
            if design.blocks[number].key not in left_out
        )
        yield Row(row.direct, blocks, asked & row.answered), Fraction(1, len(everything))


@cache
def sample(design: Design, n: int, seed: int, *, direct: float = 0.3) -> tuple[Row, ...]:
    """Return the records of n respondents with random true rows."""
    source = random.Random(seed)
    rows = []
    for _ in range(n):
        truth = source.choice(true_rows(design, direct=source.random() < direct))
        rows += source.choices(*_sent(design, truth))
    return tuple(rows)


@cache
def _sent(design: Design, truth: Row) -> tuple[list[Row], list[float]]:
    sent = disguises(design, truth)
    return [row for row, _ in sent], [float(chance) for _, chance in sent]


def matches(design: Design, row: Row, wanted: Mapping[int, bool]) -> bool:
    """Return whether a record shows a pattern: all wanted items, and an answer without the unwanted ones."""
    parts = dict(row.blocks)
    return all(
        parts[design.items[item].block] is not None
        and (item in (parts[design.items[item].block] or ())) == yes
        for item, yes in wanted.items()
    )


def score(design: Design, row: Row, wanted: Mapping[int, bool]) -> Fraction:
    """Return z of a record for a pattern, the product of ([match] - (1-p) q)/p over its blocks."""
    return _score(design, row, tuple(sorted(wanted.items())))


@cache
def _score(design: Design, row: Row, wanted: tuple[tuple[int, bool], ...]) -> Fraction:
    result = Fraction(1)
    for number in {design.items[item].block for item, _ in wanted}:
        pattern = {item: yes for item, yes in wanted if design.items[item].block == number}
        factor = Fraction(matches(design, row, pattern))
        p = truth_probability(design, number, direct=row.direct)
        if p < 1:
            q = sum(
                chance
                for part, chance in block_patterns(design, number)
                if part is not None and all((item in part) == yes for item, yes in pattern.items())
            )
            factor = (factor - (1 - p) * q) / p
        result *= factor
    return result


def itemset_score(design: Design, row: Row, itemset: Iterable[int]) -> Fraction:
    return score(design, row, dict.fromkeys(itemset, True))


def scores(design: Design, rows: Sequence[Row], itemset: Iterable[int]) -> np.ndarray:
    """Return the scores of all records as floats."""
    wanted = tuple(itemset)
    return np.array([float(itemset_score(design, row, wanted)) for row in rows])


def groups_of(design: Design, rows: Sequence[Row], items: Iterable[int]) -> np.ndarray:
    """Return which rows are direct; with two strengths, open questions alone have no groups."""
    is_open = not any(design.blocks[design.items[item].block].protected for item in items)
    return np.array([row.direct and not (is_open and design.has_two_strengths) for row in rows])


def pooled_weights(design: Design, rows: Sequence[Row], items: Iterable[int]) -> np.ndarray:
    """Return d of every record, its product of p over the mean product: 1/a and prod p / a if p0 = 1."""
    blocks = {design.items[item].block for item in items}
    truth = {
        direct: float(math.prod(truth_probability(design, block, direct=direct) for block in blocks))
        for direct in (True, False)
    }
    found = np.array([truth[row.direct] for row in rows])
    return found / found.mean()


def count(design: Design, rows: Iterable[Row], requests: Sequence[Columns]) -> SupportCounts:
    """Count record by record."""
    table = np.zeros((len(requests), 2), dtype=np.int64)
    for row in rows:
        mine = columns(design, row)
        for place, wanted in enumerate(requests):
            table[place, 0 if row.direct else 1] += mine.issuperset(wanted)
    return SupportCounts.from_array(list(requests), table)


def itemsets(design: Design, most: int = 4) -> Iterator[Columns]:
    """Yield all itemsets up to a size, without two options of one single choice."""
    for size in range(1, most + 1):
        for items in itertools.combinations(range(len(design.items)), size):
            chosen = [design.items[item].question for item in items]
            exclusive = [q for q in chosen if design.questions[q].kind == "single"]
            if len(set(exclusive)) == len(exclusive):
                yield items
