"""Measure how the cost grows with rows, items, thresholds and blocks. See `benchmarks.report`.

More than a million rows are repetitions of the same million. Each figure is the median processor time of
`repeat` searches with the engine that "auto" chooses for large data, which uses one thread.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from benchmarks.simulation import study_design
from benchmarks.work import SUPPORT, TRUTH_PROBABILITY, UNRELATED, disguised_work
from mining.columns.bitmatrix import BitMatrix, Group
from mining.columns.count_cache import CountCache
from mining.columns.engines import find_engine
from mining.itemsets import examine
from mining.thresholds import Thresholds
from privacy.errors import PrivacyError
from privacy.survey.design import Block, Design, GroupPolicy, Question

__all__ = ["growth"]

OPTIONS = 100
WIDE_SUPPORT = 0.2
"""Threshold for 500 and 1,000 items; at .05, more than a million itemsets of three would be counted."""


def repeat_rows(matrix: BitMatrix, times: int) -> BitMatrix:
    """Repeat the rows of a matrix, without those in the last partial word, so that no bits need shifting."""

    def group(of: Group) -> Group:
        whole = of.n // 64
        return Group(words=np.tile(of.words[:, :whole], times), n=64 * whole * times)

    return BitMatrix(
        design=matrix.design, direct=group(matrix.direct), protected=group(matrix.protected),
        stored_at=matrix.stored_at,
    )  # fmt: skip


def duplicate_columns(matrix: BitMatrix) -> BitMatrix:
    """Duplicate every column, as options of a few questions, because a design has at most 500 questions."""
    size = len(matrix.design.items)
    questions = tuple(
        Question(
            key=f"has{start}", kind="multi", options=tuple(map(str, range(start, start + OPTIONS))),
            unrelated=(round(UNRELATED),) * OPTIONS,
        )
        for start in range(0, 2 * size, OPTIONS)
    )  # fmt: skip
    block = Block(
        key="wide", protected=True, truth_probability=TRUTH_PROBABILITY,
        questions=questions,
    )  # fmt: skip
    design = Design(blocks=(block,), group=GroupPolicy(policy="choice"), use="study")
    stored_at = np.full(design.n_columns, -1)
    places = matrix.stored_at[:size]
    stored_at[: 2 * size] = np.concatenate([places, places + len(matrix.direct.words)])

    def group(of: Group) -> Group:
        return Group(words=np.concatenate([of.words, of.words]), n=of.n)

    return BitMatrix(
        design=design, direct=group(matrix.direct), protected=group(matrix.protected), stored_at=stored_at
    )


def measure(matrix: BitMatrix, support: float, repeat: int, **options: Any) -> dict[str, Any]:
    """Time the search of one matrix."""
    engine = find_engine("auto", 1 << 30)
    thresholds = Thresholds(support=support, max_size=3, policy="estimate", **options)
    seconds = []
    for _ in range(repeat + 1):
        start = time.process_time()
        try:
            found = examine(
                CountCache(matrix, engine=engine.name), matrix.design, thresholds,
                join_on_arrays=engine.joins_on_arrays,
            )  # fmt: skip
        except PrivacyError as over:
            return {"refused": over.message}
        seconds.append(time.process_time() - start)
        if sum(seconds) > 20:
            break
    timed = seconds[1:] or seconds
    return {
        "seconds": statistics.median(timed), "candidates": found.n_candidates,
        "itemsets": int(found.listed.sum()), "column_mb": matrix.n_bytes / 1e6,
    }  # fmt: skip


def growth(*, most_rows: int, repeat: int) -> dict[str, list[dict[str, Any]]]:
    """Measure each kind of growth, starting from one million rows and 60 items."""
    million = disguised_work(1_000_000, 60, 5)
    rows = []
    for n in (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000):
        if n > most_rows:
            continue
        matrix = disguised_work(n, 60, 5) if n < 1_000_000 else repeat_rows(million, n // 1_000_000)
        rows.append({"rows": matrix.n} | measure(matrix, SUPPORT, repeat))
        del matrix
    items = [
        {"items": items} | measure(disguised_work(100_000, items, 5), SUPPORT, repeat)
        for items in (10, 30, 60, 100, 300, 500)
    ]
    wide = disguised_work(100_000, 500, 5)
    items += [
        {"items": len(matrix.design.items), "support": WIDE_SUPPORT} | measure(matrix, WIDE_SUPPORT, repeat)
        for matrix in (wide, duplicate_columns(wide))
    ]
    thresholds = [
        {"support": support} | measure(million, support, repeat)
        for support in (0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
    ]
    blocks = []
    for many in (1, 2, 6, 20, 60):
        design = study_design([60 // many] * many, truth_probability=TRUTH_PROBABILITY, unrelated=UNRELATED)
        stored_at = np.full(design.n_columns, -1)
        stored_at[:60] = million.stored_at[:60]
        matrix = BitMatrix(
            design=design, direct=million.direct, protected=million.protected, stored_at=stored_at
        )
        blocks.append({"blocks": many} | measure(matrix, SUPPORT, repeat))
    return {"rows": rows, "items": items, "thresholds": thresholds, "blocks": blocks}
