"""Time only the counting: candidate-records per second of each engine on one core.

    python -m benchmarks.kernel [--n 1000000] [--columns 33] [--size 3] [--repeat 25] [--json]

Counts all candidates of one size over random columns. A candidate-record is one row checked for one
candidate.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from importlib.util import find_spec
from itertools import combinations

import numpy as np

from benchmarks.machine import machine
from mining.columns.bitmatrix import words_for
from mining.columns.engines import find_engine


def main(arguments: list[str]) -> None:
    """Read the command line, measure, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernel", description=__doc__)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=33)
    parser.add_argument("--size", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=25)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(1)
    words = rng.integers(1 << 64, size=(options.columns, words_for(options.n)), dtype=np.uint64)
    candidates = np.array(list(combinations(range(options.columns), options.size)), dtype=np.int64)
    print(machine())
    found = {}
    print(f"{options.n:,} rows, {len(candidates):,} sets of {options.size} out of {options.columns} columns")
    work = options.n * len(candidates)
    for name in ("numba", "numpy") if find_spec("numba") else ("numpy",):
        kernel = find_engine(name, options.n).kernel
        kernel(words[:, :1], candidates)
        seconds = []
        for _ in range(options.repeat):
            start = time.perf_counter()
            kernel(words, candidates)
            seconds.append(time.perf_counter() - start)
        median, fastest = statistics.median(seconds), min(seconds)
        found[name] = {"median": work / median, "fastest": work / fastest}
        print(
            f"{name:>6}: median {median * 1e3:.2f} ms, {work / median:.3g} candidate-records/s; "
            f"fastest {fastest * 1e3:.2f} ms, {work / fastest:.3g}"
        )
    if options.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
