"""Time the search for itemsets with drawn questions, and the plain search on the same number of rows.

    python -m benchmarks.rotating [--n 1000000] [--seed 5] [--repeat 5] [--engine auto] [--json]

Both have 60 yes/no items and the same true rows. The plain work has one block that everyone is asked. The
other has six blocks of ten questions, from which each device draws four, and estimates from all rows. Both
start from packed columns, with policy "estimate" and one thread. The searches alternate, so that other
programs affect both equally.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from typing import Any

import numpy as np

from benchmarks.machine import machine
from benchmarks.simulation import study_design
from benchmarks.work import DIRECT_SHARE, SUPPORT, disguised_work, true_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.engines import find_engine
from mining.itemsets import examine
from mining.thresholds import Thresholds

PARTS, QUESTIONS, ASKED = 6, 10, 4
TRUTH_PROBABILITY, UNRELATED = 7701, 5000


def drawn_work(n: int, seed: int) -> BitMatrix:
    """Return the columns of six blocks of ten questions, from which each device draws four."""
    rng = np.random.default_rng(seed)
    items = true_rows(n, PARTS * QUESTIONS, rng)
    direct = rng.random(n) < DIRECT_SHARE
    asked = np.empty(items.shape, dtype=bool)
    for part in range(PARTS):
        own = slice(part * QUESTIONS, (part + 1) * QUESTIONS)
        order = rng.random((n, QUESTIONS), dtype=np.float32).argsort(axis=1)
        np.put_along_axis(asked[:, own], order, np.arange(QUESTIONS) < ASKED, axis=1)
        decoy = ~direct & (rng.random(n) >= TRUTH_PROBABILITY / 10_000)
        unrelated = rng.random((n, QUESTIONS), dtype=np.float32) < UNRELATED / 10_000
        items[:, own] = np.where(decoy[:, None], unrelated, items[:, own]) & asked[:, own]
    design = study_design(
        [QUESTIONS] * PARTS,
        truth_probability=TRUTH_PROBABILITY,
        unrelated=UNRELATED,
        questions_per_person=ASKED,
    )
    return BitMatrix.from_booleans(design, items, direct, is_asked=asked)


def measure(matrices: dict[str, BitMatrix], engine: str, repeat: int) -> dict[str, dict[str, Any]]:
    """Search the matrices in turn, `repeat` times each, always with an empty cache."""
    thresholds = Thresholds(support=SUPPORT, max_size=3, policy="estimate")
    found: dict[str, dict[str, Any]] = {}
    seconds: dict[str, list[float]] = {name: [] for name in matrices}
    busy: dict[str, list[float]] = {name: [] for name in matrices}
    for number in range(repeat + 1):
        for name, matrix in matrices.items():
            chosen = find_engine(engine, matrix.n)
            start, used = time.perf_counter(), time.process_time()
            count_cache = CountCache(matrix, engine=engine)
            result = examine(count_cache, matrix.design, thresholds, join_on_arrays=chosen.joins_on_arrays)
            if number:
                # The first run is not timed, because it loads compiled code and caches results of the design.
                seconds[name].append(time.perf_counter() - start)
                busy[name].append(time.process_time() - used)
            found[name] = {
                "engine": chosen.name,
                "candidates": result.n_candidates,
                "itemsets": int(result.listed.sum()),
                "all_rows": bool(count_cache.all_rows),
            }
    for name, row in found.items():
        for clock, times in (("elapsed", seconds[name]), ("processor", busy[name])):
            row[clock] = {"fastest": min(times), "median": statistics.median(times)}
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure both and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(
        {
            "plain": disguised_work(options.n, PARTS * QUESTIONS, options.seed),
            "drawn": drawn_work(options.n, options.seed),
        },
        options.engine,
        options.repeat,
    )
    clocks, figures = ("elapsed", "processor"), ("fastest", "median")
    ratios = {
        clock: {figure: found["drawn"][clock][figure] / found["plain"][clock][figure] for figure in figures}
        for clock in clocks
    }
    report = {"machine": machine(), "n": options.n, **found, "ratios": ratios}
    if options.json:
        print(json.dumps(report, indent=2))
        return 0
    for name, row in found.items():
        print(f"{name}: {row['engine']}, {row['candidates']} candidates, {row['itemsets']} itemsets")
        for clock in clocks:
            print(
                f"  {clock}: {1e3 * row[clock]['fastest']:.1f} ms at best, "
                f"{1e3 * row[clock]['median']:.1f} ms in the middle"
            )
    for clock in clocks:
        print(
            f"ratio, {clock}: {ratios[clock]['fastest']:.2f} at best, "
            f"{ratios[clock]['median']:.2f} in the middle"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
