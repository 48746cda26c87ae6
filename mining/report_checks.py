"""Check that reports fit their design, and find what must be withheld."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mining.columns.bitmatrix import BitMatrix, RowReader, unpacked_columns
from mining.columns.count_cache import CountCache
from mining.columns.sent_counts import SentCounts, sent_counts
from mining.columns.sent_values import read_sent_values
from privacy.arrays import Whole
from privacy.estimation.design_index import index_of
from privacy.estimation.fit_check import FailingCell, RowGroups, check_fit, failing_cells
from privacy.estimation.withheld import Evidence, Withheld
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from privacy.survey.layout import Layout

_MOST_PAIRS: Final = 20_000
"""Largest number of pairs to check, reached with 200 items; with more, no pair is checked."""
_NONE: Final[Whole] = np.zeros((0, 2, 2), dtype=np.int64)


_SKIPS: Final = -1
_NUMBER: Final = -2


@dataclass(frozen=True, kw_only=True, eq=False)
class _Reports:
    """All reports to check.

    Attributes
    ----------
    questions : list of RowGroups
    asked : list of (int, bool)
        For each of them, the number of its question and False, or the number of its block and True for skips.
    sources : list of (bool, int, int)
        For each of them, whether it counts the direct group; the item, `_SKIPS` or `_NUMBER`; the question.
    pairs : list of (int, int)
        Positions of two of them.
    tables : int array, shape (pairs, 2, 2)
    """

    questions: list[RowGroups]
    asked: list[tuple[int, bool]]
    sources: list[tuple[bool, int, int]]
    pairs: list[tuple[int, int]]
    tables: Whole


def check_reports(count_cache: CountCache, reports_of: Callable[[int], SentCounts]) -> None:
    """Refuse reports that do not fit the survey's design.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the rows.
    reports_of : callable
        Returns the reports of a number in the same rows, given the position of its question.

    Raises
    ------
    PrivacyError
        ``misfit``.

    Notes
    -----
    Applies `privacy.estimation.fit_check.check_fit` to each group that disguises its answers. Only rows that
    were asked a question count, so the test is conditional on the drawn questions. This is for tables of a
    researcher, where one slip makes all figures wrong; `find_withheld` is for rows that anyone can send.
    """
    reports = _reports(count_cache, reports_of)
    if reports.questions:
        check_fit(reports.questions, reports.pairs, reports.tables)


def check_groups(groups: Mapping[str, tuple[CountCache, Callable[[int], SentCounts]]]) -> None:
    """Refuse reports of groups of respondents that do not fit the survey's design.

    Parameters
    ----------
    groups : mapping of str to (CountCache, callable)
        Name of a group -> its rows, as for `check_reports`. Groups may overlap.

    Raises
    ------
    PrivacyError
        ``misfit``: names the group.

    Notes
    -----
    A group that was not disguised can be hidden in the total, but not in a comparison with the others. The
    tests of all groups have a false alarm in at most 1 in 10,000 tables.
    """
    questions: list[RowGroups] = []
    pairs: list[tuple[int, int]] = []
    tables = [_NONE]
    for name, (count_cache, reports_of) in groups.items():
        group_reports, first = _reports(count_cache, reports_of), len(questions)
        for report in group_reports.questions:
            coin = None if report.coin is None else (name, report.coin)
            questions.append(replace(report, key=f"{report.key} ({name})", coin=coin))
        pairs += [(first + one, first + other) for one, other in group_reports.pairs]
        tables.append(group_reports.tables)
    if questions:
        check_fit(questions, pairs, np.concatenate(tables))


def find_withheld(count_cache: CountCache, reports_of: Callable[[int], SentCounts]) -> Withheld:
    """Find the questions, pairs and blocks whose reports do not fit the survey's design.

    Parameters
    ----------
    count_cache, reports_of
        As for `check_reports`, with the same tests: 1 in 10,000 over all counts.

    Notes
    -----
    Rows of different reports to a question with one answer are different rows, so the rows that explain its
    counts that are too large are added up. Counts that are too small can all be explained by the same rows.
    A pair of a withheld question is not listed.
    """
    reports = _reports(count_cache, reports_of)
    design = count_cache.matrix.design
    many: dict[tuple[str, int, int], list[FailingCell]] = {}
    few: dict[tuple[str, int, int], list[FailingCell]] = {}
    for cell in failing_cells(reports.questions, reports.pairs, reports.tables):
        first, is_block = reports.asked[cell.first]
        key = ("block" if is_block else "question", first, first)
        if cell.second >= 0:
            key = ("pair", *sorted((first, reports.asked[cell.second][0])))  # type: ignore[assignment]  # two numbers
        (many if cell.too_many else few).setdefault(key, []).append(cell)

    def evidence(key: tuple[str, int, int]) -> Evidence:
        large, small = (questions_of_kind.get(key, []) for questions_of_kind in (many, few))
        kind, first, second = key
        # One row can give several answers to such a question, and has several options in a pair of these.
        adds = kind == "block" or all(
            design.questions[questions_of_kind].is_exclusive for questions_of_kind in (first, second)
        )
        rows = [cell.rows for cell in large]
        return Evidence(
            rows=max([sum(rows) if adds else max(rows, default=0), *(cell.rows for cell in small)]),
            n=max(cell.n for cell in (*large, *small)),
        )

    found = {key: evidence(key) for key in {**many, **few}}
    blocks = {
        first: questions_of_kind for (kind, first, _), questions_of_kind in found.items() if kind == "block"
    }
    questions = {
        first: questions_of_kind
        for (kind, first, _), questions_of_kind in found.items()
        if kind == "question"
    }
    for block, questions_of_kind in blocks.items():
        first = design.first_questions[block]
        for number in range(first, first + len(design.blocks[block].questions)):
            questions.setdefault(number, questions_of_kind)
    pairs = {
        (first, second): questions_of_kind
        for (kind, first, second), questions_of_kind in found.items()
        if kind == "pair" and not {first, second} & questions.keys()
    }
    return Withheld(
        questions=dict(sorted(questions.items())),
        pairs=dict(sorted(pairs.items())),
        blocks=dict(sorted(blocks.items())),
        keys=tuple(question.key for question in design.questions),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Suspects:
    """Rows that give a report more often than devices do.

    Attributes
    ----------
    question : int
        Number of the question.
    positions : int array
        The rows with this report.
    forged : int
        How many of them, at least, no device sent.
    """

    question: int
    positions: Whole
    forged: int


def find_suspects(design: Design, data: bytes) -> list[Suspects]:
    """Find the rows among which the forged ones are, for each question with a report that is too frequent.

    Parameters
    ----------
    design : Design
    data : bytes
        Packed rows.

    Notes
    -----
    No single forged row differs from an honest one. But someone who knows when and by whom each row was sent
    can check these rows first.
    """
    cache = CountCache(BitMatrix.from_rows(design, data))
    reports = _reports(cache, lambda number: sent_counts(design, number, data))
    rows = np.frombuffer(data, dtype=np.uint8).reshape(-1, Layout(design).n_bytes)
    direct = (rows[:, 0] & 0x80) != 0
    found = []
    for cell in failing_cells(reports.questions, reports.pairs, reports.tables):
        group, item, number = reports.sources[cell.first]
        if cell.second >= 0 or item == _SKIPS:
            continue
        if item == _NUMBER:
            has = read_sent_values(design, number, rows)[0] == cell.report
        else:
            columns = unpacked_columns(RowReader(design).columns(rows), len(rows))
            has = columns[item] if cell.too_many else columns[design.asked_column(number)] & ~columns[item]
        positions = np.flatnonzero(has & (direct == group))
        found.append(Suspects(question=number, positions=positions, forged=cell.rows))
    return found


def _reports(count_cache: CountCache, reports_of: Callable[[int], SentCounts]) -> _Reports:
    design = count_cache.matrix.design
    questions: list[RowGroups] = []
    asked: list[tuple[int, bool]] = []
    sources: list[tuple[bool, int, int]] = []
    pairs: list[tuple[int, int]] = []
    tables = [_NONE]
    for group, direct in enumerate((True, False)):
        items, first = _items(design, direct=direct), len(questions)
        found = _single(count_cache, items, direct=direct)
        questions += [report for report, *_ in found]
        asked += [(number, is_block) for _, number, is_block in found]
        of_items = [*items, *[_SKIPS] * (len(found) - len(items))]
        sources += [(direct, item, counts[1]) for item, counts in zip(of_items, found, strict=True)]
        of_pairs = _pairs(design, items)
        pairs += [(first + one, first + other) for one, other in of_pairs]
        if of_pairs:
            tables.append(_tables(count_cache, np.array(items)[np.array(of_pairs)], group))
    for number, question in enumerate(design.questions):
        if question.has_mean and design.blocks[design.block_of(number)].protected:
            for direct, of_number in _number_reports(design, number, reports_of(number)):
                questions.append(of_number)
                asked.append((number, False))
                sources.append((direct, _NUMBER, number))
    return _Reports(
        questions=questions, asked=asked, sources=sources, pairs=pairs, tables=np.concatenate(tables)
    )


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


def _single(count_cache: CountCache, items: list[int], *, direct: bool) -> list[tuple[RowGroups, int, bool]]:
    """Return the reports of each item, followed by whether each block that may be skipped was answered.

    Each has the number of its question and False, or the number of its block and True.
    """
    design = count_cache.matrix.design
    index, blocks = index_of(design), [design.items[item].block for item in items]
    keys = [design.items[item].key for item in items]
    asked = [(design.items[item].question, False) for item in items]
    columns, bases = list(items), index.asked_column[items].tolist()
    probabilities = (index.unrelated[items] * index.answering[blocks]).tolist()
    for number in sorted(set(blocks)):
        if design.blocks[number].refusal is not None and not design.blocks[number].is_rotating:
            base = int(index.asked_column[items[blocks.index(number)]])
            keys.append(design.blocks[number].key)
            asked.append((number, True))
            columns, bases = [*columns, design.answered_column(number)], [*bases, base]
            probabilities, blocks = [*probabilities, float(index.answering[number])], [*blocks, number]
    if not columns:
        return []
    requests = np.array([columns + bases], dtype=np.int64).T
    yes, n = count_cache.of(requests)[:, 0 if direct else 1].reshape(2, -1)
    reports = []
    for key, number, q, yes_rows, rows, origin in zip(
        keys, blocks, probabilities, yes, n, asked, strict=True
    ):
        p = float(design.blocks[number].truth_in(direct=direct))
        ends = np.array([(1 - p) * q, p + (1 - p) * q])
        report = RowGroups.of(key, np.array([rows - yes_rows, yes_rows]), np.stack([1 - ends, ends]), p=p)
        own_report = replace(report, coin=(direct, number), answering=float(index.answering[number]))
        reports.append((own_report, *origin))
    return reports


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
    bases = index_of(count_cache.matrix.design).asked_column
    first, second = pairs.T
    requests = [
        (bases[first], bases[second]),
        (bases[first], second),
        (first, bases[second]),
        (first, second),
    ]
    columns = np.concatenate([np.stack(columns_of_pairs, axis=1) for columns_of_pairs in requests])
    n, no_yes, ones, both = count_cache.of(columns)[:, group].reshape(4, -1)
    table: Whole = np.stack([n - ones - no_yes + both, no_yes - both, ones - both, both], axis=1)
    return table.reshape(-1, 2, 2)


def _number_reports(design: Design, number: int, reports: SentCounts) -> Iterator[tuple[bool, RowGroups]]:
    """Yield each disguising group's reports of a number, after whether it is the direct one."""
    block, key = design.blocks[design.block_of(number)], design.questions[number].key
    for counts, direct in ((reports.direct, True), (reports.protected, False)):
        strength = block.in_group(direct=direct) if design.group.allows(direct=direct) else None
        if strength is None or not isinstance(strength.disguise, WindowChannel):
            continue
        channel, skips = strength.disguise.as_array(), strength.skipping
        if skips is not None:
            # The skip is the last report and the last answer, as in `Skipping.channel`.
            p_skip, rest = float(skips.skip_probability), 1 - float(skips.truth + skips.skip_probability)
            decoys = np.array([float(probability) for probability in skips.decoy_probabilities])
            last = np.full(channel.shape[1] + 1, p_skip)
            last[-1] = 1 - rest
            channel = np.vstack([np.column_stack([(1 - p_skip) * channel, rest * decoys]), last])
        yield direct, RowGroups.of(key, counts, channel, p=0)
