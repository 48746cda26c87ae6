"""The fit check of a survey's reports: every item, every pair of items, every number that was sent."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from mining.columns.count_cache import CountCache
from mining.columns.row_patterns import SentCounts
from privacy.arrays import Whole
from privacy.estimation.design_index import index_of
from privacy.estimation.fit_check import Reported, check_fit
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design

_MOST_PAIRS: Final = 20_000
"""Pairs of items that are checked; those of more than 200 items are left out."""
_NONE: Final[Whole] = np.zeros((0, 2, 2), dtype=np.int64)


def check_reports(count_cache: CountCache, sent: Callable[[int], SentCounts]) -> None:
    """Refuse the reports of a survey that its design cannot have made.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.
    sent : callable
        Returns what the same rows sent of a number, by its question's position.

    Raises
    ------
    PrivacyError
        ``misfit``.

    Notes
    -----
    As `privacy.estimation.fit_check.check_fit`, in each group that disguises. Rows that were asked count, so
    everything is conditional on which questions were drawn.
    """
    design = count_cache.matrix.design
    questions: list[Reported] = []
    pairs: list[tuple[int, int]] = []
    tables = []
    for group, direct in enumerate((True, False)):
        items, first = _items(design, direct=direct), len(questions)
        questions += _single(count_cache, items, direct=direct)
        of_pairs = _pairs(design, items)
        pairs += [(first + one, first + other) for one, other in of_pairs]
        tables.append(_tables(count_cache, np.array(items)[np.array(of_pairs)], group) if of_pairs else _NONE)
    for number, question in enumerate(design.questions):
        if question.has_mean and design.blocks[design.block_of(number)].protected:
            questions += _of_number(design, number, sent(number))
    if questions:
        check_fit(questions, pairs, np.concatenate(tables))


def _items(design: Design, *, direct: bool) -> list[int]:
    """Return the items that a group's devices disguise under the coin of their block."""
    if not design.group.allows(direct=direct):
        return []
    found = []
    for item in design.items:
        block = design.blocks[item.block]
        if block.has_coin and 0 < block.truth_in(direct=direct) < 1:
            found.append(item.index)
    return found


def _single(count_cache: CountCache, items: list[int], *, direct: bool) -> list[Reported]:
    """Return what is reported of each item, then whether blocks that may be skipped were answered."""
    design = count_cache.matrix.design
    index, blocks = index_of(design), [design.items[item].block for item in items]
    keys = [design.items[item].key for item in items]
    columns, bases = list(items), index.asked_column[items].tolist()
    chances = (index.unrelated[items] * index.answering[blocks]).tolist()
    for number in sorted(set(blocks)):
        if design.blocks[number].refusal is not None and not design.blocks[number].is_rotating:
            asked = int(index.asked_column[items[blocks.index(number)]])
            keys.append(design.blocks[number].key)
            columns, bases = [*columns, design.answered_column(number)], [*bases, asked]
            chances, blocks = [*chances, float(index.answering[number])], [*blocks, number]
    if not columns:
        return []
    wanted = np.array([columns + bases], dtype=np.int64).T
    yes, n = count_cache.of(wanted)[:, 0 if direct else 1].reshape(2, -1)
    reported = []
    for key, number, q, own, rows in zip(keys, blocks, chances, yes, n, strict=True):
        p = float(design.blocks[number].truth_in(direct=direct))
        ends = np.array([(1 - p) * q, p + (1 - p) * q])
        made = Reported.of(key, np.array([rows - own, own]), np.stack([1 - ends, ends]), p=p)
        reported.append(replace(made, coin=(direct, number), answering=float(index.answering[number])))
    return reported


def _pairs(design: Design, items: list[int]) -> list[tuple[int, int]]:
    """Return the positions of pairs of items that one device can be asked, and can have, together."""
    if not 1 < len(items) * (len(items) - 1) // 2 + 1 <= _MOST_PAIRS:
        return []
    index = index_of(design)
    every = np.array(list(itertools.combinations(range(len(items)), 2)), dtype=np.int64)
    of = np.array(items)[every]
    possible = index.reachable(of) & ~index.excludes(of[:, 0], of[:, 1])
    return [(int(one), int(other)) for one, other in every[possible]]


def _tables(count_cache: CountCache, pairs: Whole, group: int) -> Whole:
    """Return the rows that were asked both items of each pair, by report, shape (pairs, 2, 2)."""
    asked = index_of(count_cache.matrix.design).asked_column
    first, second = pairs.T
    requests = [
        (asked[first], asked[second]),
        (asked[first], second),
        (first, asked[second]),
        (first, second),
    ]
    wanted = np.concatenate([np.stack(own, axis=1) for own in requests])
    n, others, ones, both = count_cache.of(wanted)[:, group].reshape(4, -1)
    table: Whole = np.stack([n - ones - others + both, others - both, ones - both, both], axis=1)
    return table.reshape(-1, 2, 2)


def _of_number(design: Design, number: int, sent: SentCounts) -> Iterator[Reported]:
    """Yield what each group that disguises reports of a number."""
    block, key = design.blocks[design.block_of(number)], design.questions[number].key
    for counts, direct in ((sent.direct, True), (sent.protected, False)):
        own = block.in_group(direct=direct) if design.group.allows(direct=direct) else None
        if own is None or not isinstance(own.disguise, WindowChannel):
            continue
        channel, skips = own.disguise.as_array(), own.skipping
        if skips is not None:
            # The skip is the last report and the last answer, as in `Skipping.channel`.
            said, rest = float(skips.skip_probability), 1 - float(skips.truth + skips.skip_probability)
            decoys = np.array([float(chance) for chance in skips.decoy_chances])
            last = np.full(channel.shape[1] + 1, said)
            last[-1] = 1 - rest
            channel = np.vstack([np.column_stack([(1 - said) * channel, rest * decoys]), last])
        yield Reported.of(key, counts, channel, p=0)
