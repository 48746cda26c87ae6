"""The oracle for numbers and places: all disguised rows of a small population, with expected counts."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from privacy.estimation.counts import Columns, SupportCounts
from privacy.survey.block_channel import block_channel
from privacy.survey.design import Design

Truth = tuple[int, ...]
"""One value per block, each of which has one question: yes/no, number or place. For numbers and places, the
value after the last answer or output is a skip."""


def expected_rows(design: Design, population: Mapping[Truth, int]) -> dict[Truth, Fraction]:
    """Return the exact expected number of each disguised row."""
    channels = [block_channel(block) if block.protected else None for block in design.blocks]
    found: dict[Truth, Fraction] = defaultdict(Fraction)
    for truth, people in population.items():
        choices = [
            [(true, Fraction(1))]
            if channel is None
            else [(y, channel[y, true]) for y in range(len(channel.matrix)) if channel[y, true]]
            for channel, true in zip(channels, truth, strict=True)
        ]
        for parts in itertools.product(*choices):
            weight = Fraction(people)
            for _, chance in parts:
                weight *= chance
            found[tuple(value for value, _ in parts)] += weight
    return dict(found)


def whole_rows(rows: Mapping[Truth, Fraction]) -> dict[Truth, int]:
    """Return the rows multiplied by a common factor that makes all counts integers."""
    factor = 1
    for count in rows.values():
        factor *= (count * factor).denominator
    return {row: int(count * factor) for row, count in rows.items()}


def columns_of(design: Design, row: Truth) -> frozenset[int]:
    """Return the columns that are 1 for a row."""
    found = set()
    for number, (question, value) in enumerate(zip(design.questions, row, strict=True)):
        found.add(design.asked_column(number))
        if question.disguise is not None and value == question.disguise.outputs:
            continue  # skipped
        found.add(design.answered_column(number))
        for item in design.items:
            if item.question != number:
                continue
            held = (
                value == 1 if question.disguise is None else question.disguise.item_values(item.option)[value]
            )
            if held:
                found.add(item.index)
    return frozenset(found)


def counted(design: Design, rows: Mapping[Truth, int], requests: Iterable[Columns]) -> SupportCounts:
    """Return the counts of these columns in protected rows."""
    having = {row: columns_of(design, row) for row in rows}
    return SupportCounts(
        {
            columns: (0, sum(count for row, count in rows.items() if set(columns) <= having[row]))
            for columns in requests
        }
    )
