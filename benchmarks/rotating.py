"""Time the search for itemsets where devices draw questions, beside the plain work on as many rows.

    python -m benchmarks.rotating [--n 1000000] [--seed 5] [--repeat 5] [--engine auto] [--json]

Both have 60 yes/no items and the same true rows: the plain work is one part that everybody is asked, the
other six parts of ten of which each device draws four, estimated from all rows. From packed columns, policy
"estimate", one thread.
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
from benchmarks.work import DIRECT_SHARE, SUPPORT, disguised_work, true_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.counting import engine_named
from mining.itemsets import examine
from mining.studies.simulation import study_design
from mining.thresholds import Thresholds

PARTS, QUESTIONS, ASKED = 6, 10, 4
TRUTH_PROBABILITY, UNRELATED = 7701, 5000


def drawn_work(n: int, seed: int) -> BitMatrix:
    """Return rows of six parts of ten questions of which each device draws four, as columns."""
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
    return BitMatrix.from_booleans(design, items, direct, asked=asked)


def measure(matrix: BitMatrix, engine: str, repeat: int) -> dict[str, Any]:
    """Search `repeat` times, each time with an empty cache."""
    thresholds = Thresholds(support=SUPPORT, max_size=3, policy="estimate")
    seconds, chosen = [], engine_named(engine, matrix.n)
    for _ in range(repeat):
        start = time.perf_counter()
        count_cache = CountCache(matrix, engine=engine)
        found = examine(count_cache, matrix.design, thresholds, join_on_arrays=chosen.joins_on_arrays)
        seconds.append(time.perf_counter() - start)
    return {
        "engine": chosen.name,
        "candidates": found.n_candidates,
        "itemsets": int(found.listed.sum()),
        "all_rows": bool(count_cache.all_rows),
        "seconds": statistics.median(seconds),
        "fastest": min(seconds),
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure both and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    plain = measure(
        disguised_work(options.n, PARTS * QUESTIONS, options.seed), options.engine, options.repeat
    )
    drawn = measure(drawn_work(options.n, options.seed), options.engine, options.repeat)
    report = {
        "machine": machine(),
        "n": options.n,
        "plain": plain,
        "drawn": drawn,
        "ratio": drawn["fastest"] / plain["fastest"],
    }
    if options.json:
        print(json.dumps(report, indent=2))
        return 0
    for name in ("plain", "drawn"):
        row = report[name]
        print(
            f"{name}: {row['engine']}, {row['candidates']} candidates, {row['itemsets']} itemsets, "
            f"{1e3 * row['fastest']:.1f} ms at best, {1e3 * row['seconds']:.1f} ms in the middle"
        )
    print(f"ratio at best: {report['ratio']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
