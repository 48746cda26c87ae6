"""Run one of our engines on one work; started by `benchmarks.compare` in a new process.

    python -m benchmarks.ours < work.json

Reads and prints the same JSON as `benchmarks.peers`. On the classic sets, "packed" starts from packed columns
of the frequent items. "baskets" starts from a list of tuples, like the peers, and includes the packing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import baskets, memory_mb
from benchmarks.work import SUPPORT, work_design
from mining.columns.bitmatrix import BitMatrix, Group
from mining.columns.count_cache import CountCache
from mining.columns.engines import find_engine
from mining.itemsets import examine
from mining.thresholds import Thresholds
from privacy.survey.design import Block, Design, GroupPolicy, Question

MOST = 10_000_000
OPTIONS = 100
LONGEST = 20


def packed(rows: list[tuple[int, ...]], least: int) -> BitMatrix:
    """Pack baskets into bit columns, one for each item that at least `least` baskets contain."""
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    items = np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=int(lengths.sum()))
    frequent = np.bincount(items) >= least
    width = -(-len(rows) // 64) * 64
    table = np.zeros(int(frequent.sum()) * width, dtype=np.uint8)
    start, given = (np.cumsum(frequent) - 1) * width, frequent[items]
    table[start[items[given]] + np.repeat(np.arange(len(rows)), lengths)[given]] = 1
    words: NDArray[np.uint64] = np.packbits(table.reshape(-1, width), axis=1, bitorder="little").view(
        np.uint64
    )
    design = basket_design(len(words))
    stored_at = np.full(design.n_columns, -1)
    stored_at[: len(words)] = np.arange(len(words))
    return BitMatrix(
        design=design,
        direct=Group(words=words[:, :0], n=0),
        protected=Group(words=words, n=len(rows)),
        stored_at=stored_at,
    )


def basket_design(n_items: int) -> Design:
    """Build an open questionnaire with one option for each item, at most `OPTIONS` per question."""
    questions = tuple(
        Question(
            key=f"has{start}",
            kind="multi",
            options=tuple(map(str, range(start, min(start + OPTIONS, n_items)))),
            unrelated=(),
        )
        for start in range(0, n_items, OPTIONS)
    )
    block = Block(
        key="open", protected=False, truth_probability=10_000,
        questions=questions,
    )  # fmt: skip
    return Design(blocks=(block,), group=GroupPolicy(), use="study")


def classic(work: dict[str, Any]) -> Callable[[], int]:
    """Prepare the search of a classic set, from packed columns or from baskets."""
    engine, start = work["peer"].split()
    rows = baskets(work["file"])
    least = int(np.ceil(work["support"] * len(rows) - 1e-9))
    wanted = Thresholds(support=work["support"], max_size=LONGEST, policy="estimate")
    columns = packed(rows, least)

    def searched(matrix: BitMatrix) -> int:
        found = examine(
            CountCache(matrix, engine=engine),
            matrix.design,
            wanted,
            max_candidates=MOST,
            join_on_arrays=find_engine(engine, matrix.n).joins_on_arrays,
        )
        return int(found.listed.sum())

    return {"packed": lambda: searched(columns), "baskets": lambda: searched(packed(rows, least))}[start]


def million(work: dict[str, Any]) -> Callable[[], int]:
    """Prepare the search of the million-row work, from packed columns."""
    saved = np.load(work["file"])
    design = work_design(len(saved["direct"]))
    stored_at = np.full(design.n_columns, -1)
    stored_at[: len(saved["direct"])] = np.arange(len(saved["direct"]))
    matrix = BitMatrix(
        design=design,
        direct=Group(words=saved["direct"], n=int(saved["n_direct"])),
        protected=Group(words=saved["protected"], n=int(saved["n_protected"])),
        stored_at=stored_at,
    )
    engine, thresholds = (
        work["peer"].split()[0],
        Thresholds(support=SUPPORT, max_size=work["max_size"], policy="estimate"),
    )

    def mined() -> int:
        found = examine(
            CountCache(matrix, engine=engine),
            design,
            thresholds,
            join_on_arrays=find_engine(engine, matrix.n).joins_on_arrays,
        )
        return int(found.listed.sum())

    return mined


def main() -> None:
    """Measure one engine."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    work = json.load(sys.stdin)
    prepared = (classic if work["kind"] == "classic" else million)(work)
    if "numba" in work["peer"]:
        # Not timed: the first call loads compiled code, which workers do when they start.
        prepared()
    before = memory_mb(reset=True)
    seconds: list[float] = []
    processor: list[float] = []
    while len(seconds) < work["repeat"] and (not seconds or sum(seconds) < work["seconds"]):
        start, busy = time.perf_counter(), time.process_time()
        sets = prepared()
        processor.append(time.process_time() - busy)
        seconds.append(time.perf_counter() - start)
    peak = memory_mb() - before
    print(
        json.dumps({"version": "", "seconds": seconds, "processor": processor, "sets": sets, "peak_mb": peak})
    )


if __name__ == "__main__":
    main()
