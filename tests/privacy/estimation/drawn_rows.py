"""Surveys with rotating questions: every true row, drawing and coin, with its probability."""

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from privacy.estimation.counts import Columns, SupportCounts
from privacy.survey.design import Design
from tests.privacy.estimation.records import (
    Row,
    columns,
    disguises,
    drawings,
    itemset_score,
    matches,
    true_rows,
)

Law = Mapping[Row, Fraction]

SCALE = 1 << 46
"""Number of rows that represents a survey, so that shares of rows are exact to 1e-12."""


def a_law(design: Design, seed: int, *, direct: Fraction) -> dict[Row, Fraction]:
    """Return example probabilities of all true rows, which differ between the groups."""
    source = random.Random(seed)
    law: dict[Row, Fraction] = {}
    for group, share in ((True, direct), (False, 1 - direct)):
        rows = true_rows(design, direct=group)
        weights = [source.randint(1, 9) for _ in rows]
        total = sum(weights)
        for row, weight in zip(rows, weights, strict=True):
            if share:
                law[row] = share * Fraction(weight, total)
    return law


def sent(design: Design, law: Law) -> dict[Row, Fraction]:
    """Return the probability of every row that can be sent."""
    found: dict[Row, Fraction] = defaultdict(Fraction)
    for row, chance in law.items():
        for drawn, share in drawings(design, row):
            for disguised, coin in disguises(design, drawn):
                found[disguised] += chance * share * coin
    return found


def counted(
    design: Design, rows: Mapping[Row, Fraction], requests: Sequence[Columns], *, all_rows: bool
) -> SupportCounts:
    """Return the counts of a survey whose rows have exactly their expected frequencies."""
    table = np.zeros((len(requests), 2), dtype=np.int64)
    for row, chance in rows.items():
        mine, number = columns(design, row), round(chance * SCALE)
        for place, wanted in enumerate(requests):
            table[place, 0 if row.direct else 1] += number * mine.issuperset(wanted)
    return SupportCounts.from_array(list(requests), table, all_rows=all_rows)


def share_of(design: Design, law: Law, items: Columns) -> Fraction:
    """Return the true share of people with all of the items."""
    return sum((chance for row, chance in law.items() if has(design, row, items)), Fraction(0))


def has(design: Design, row: Row, items: Columns) -> bool:
    return matches(design, row, dict.fromkeys(items, True))


def units(design: Design, items: Columns) -> tuple[Columns, list[Columns]]:
    """Return the items that every device asks, and the others grouped by questions always asked together."""
    rotating = {key for rotation in design.rotations for key in rotation.blocks}
    fixed: list[int] = []
    drawn: dict[tuple[int, int], list[int]] = defaultdict(list)
    for item in items:
        block = design.blocks[design.items[item].block]
        if block.is_rotating:
            drawn[design.items[item].block, design.items[item].question].append(item)
        elif block.key in rotating:
            drawn[design.items[item].block, -1].append(item)
        else:
            fixed.append(item)
    return tuple(fixed), [tuple(part) for part in drawn.values()]


def was_asked(design: Design, row: Row, items: Columns) -> bool:
    return all(design.items[item].question in row.answered for item in items)


def influences(
    design: Design, rows: Mapping[Row, Fraction], items: Columns, mu: Mapping[Columns, Fraction]
) -> dict[Row, Fraction]:
    """Return psi plus the value of the row's group for each row, by definition."""
    fixed, parts = units(design, items)
    subsets = [chosen for size in range(len(parts) + 1) for chosen in itertools.combinations(parts, size)]
    found: dict[Row, Fraction] = defaultdict(Fraction)
    for group in (True, False):
        mine = {row: chance for row, chance in rows.items() if row.direct == group}
        n = sum(mine.values())
        for chosen in subsets:
            union = sum(chosen, ())
            asked = {row: chance for row, chance in mine.items() if was_asked(design, row, union)}
            n_asked = sum(asked.values())
            weight = math.prod((mu[part] for part in parts if part not in chosen), start=Fraction(1))
            terms = [
                (
                    math.prod((-mu[part] for part in chosen if part not in within), start=Fraction(1)),
                    (*fixed, *sum(within, ())),
                )
                for size in range(len(chosen) + 1)
                for within in itertools.combinations(chosen, size)
            ]
            off = {
                row: sum(factor * itemset_score(design, row, own) for factor, own in terms) for row in asked
            }
            if not mine:
                continue
            mean = sum((off[row] * chance for row, chance in asked.items()), Fraction(0)) / n_asked
            for row in mine:
                found[row] += weight * mean
                if row in asked:
                    found[row] += weight * (off[row] - mean) * n / n_asked
    return found


def covariance_of(
    rows: Mapping[Row, Fraction], first: Mapping[Row, Fraction], second: Mapping[Row, Fraction]
) -> Fraction:
    """Return n times the covariance of two supports."""
    both = sum((chance * first[row] * second[row] for row, chance in rows.items()), Fraction(0))
    one, other = (
        sum((chance * h[row] for row, chance in rows.items()), Fraction(0)) for h in (first, second)
    )
    return both - one * other
