"""Time the search for itemsets in the million-row work, starting from packed columns.

    python -m benchmarks.engine [--n 1000000] [--items 60] [--seed 5] [--repeat 5] [--json]

Each engine does the same work: it builds candidates, counts them, reconstructs their supports, and keeps
those that reach the threshold (policy "estimate"). The engine "mlxtend" counts with np.all and runs only if
you name it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from typing import Any

from benchmarks.machine import machine
from benchmarks.work import SUPPORT, disguised_work
from mining.columns.count_cache import CountCache
from mining.columns.engines import find_engine
from mining.itemsets import examine
from mining.thresholds import Thresholds


def measure(engines: list[str], n: int, items: int, seed: int, repeat: int) -> dict[str, Any]:
    """Run each engine `repeat` times on the same columns."""
    matrix = disguised_work(n, items, seed)
    thresholds = Thresholds(support=SUPPORT, max_size=3, policy="estimate")
    rows = []
    for engine in engines:
        seconds, chosen = [], find_engine(engine, n)
        for _ in range(repeat):
            start = time.perf_counter()
            count_cache = CountCache(matrix, engine=engine)
            search_result = examine(
                count_cache, matrix.design, thresholds, join_on_arrays=chosen.joins_on_arrays
            )
            seconds.append(time.perf_counter() - start)
        rows.append(
            {
                "engine": chosen.name,
                "candidates": search_result.n_candidates,
                "itemsets": int(search_result.listed.sum()),
                "seconds": statistics.median(seconds),
                "fastest": min(seconds),
            }
        )
    return {
        "machine": machine(),
        "n": n,
        "items": items,
        "column_bytes": matrix.n_bytes,
        "support": SUPPORT,
        "seed": seed,
        "repeat": repeat,
        "engines": rows,
    }


def main(arguments: list[str]) -> None:
    """Read the command line, measure, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--items", type=int, default=60)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--engine", action="append", dest="engines", metavar="NAME")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(options.engines or ["numpy"], options.n, options.items, options.seed, options.repeat)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(found["machine"])
    print(
        f"{found['n']:,} rows x {found['items']} items, {found['column_bytes']:,} bytes of columns, "
        f"support {found['support']} on reconstructed supports, seed {found['seed']}"
    )
    for row in found["engines"]:
        print(
            f"{row['engine']:>8}: {row['candidates']:,} candidates, "
            f"{row['itemsets']:,} sets, median {row['seconds']:.4f} s of {found['repeat']}, "
            f"fastest {row['fastest']:.4f} s"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
