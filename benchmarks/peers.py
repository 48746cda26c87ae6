"""Run one peer on one work; started by `benchmarks.compare` in a new process, with the peers' interpreter.

    python benchmarks/peers.py < work.json

Imports nothing from this project. Reads {"peer", "kind", "file", "support", "repeat", "seconds", ...} and
prints {"seconds": [...], "sets": ..., "peak_mb": ..., "version": ...}, or {"missing": ...} if the peer is not
installed.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import re
import sys
import time
from importlib.metadata import PackageNotFoundError, version

PACKAGES = {
    "pyfim apriori": "pyfim",
    "pyfim eclat": "pyfim",
    "pyfim fpgrowth": "pyfim",
    "mlxtend apriori": "mlxtend",
    "mlxtend fpgrowth": "mlxtend",
    "efficient-apriori": "efficient-apriori",
    "fastapriori": "fastapriori",
    "pyroaring level-wise": "pyroaring",
    "polars level-wise": "polars",
}


def memory_mb(*, reset: bool = False) -> float:
    """Return the peak memory of this process, in MB; with `reset`, restart the measurement (Linux)."""
    if reset:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    with open("/proc/self/status") as file:
        found = re.search(r"VmHWM:\s+(\d+) kB", file.read())
    return int(found[1]) / 1024 if found else 0.0


def baskets(file: str) -> list[tuple[int, ...]]:
    """Read transactions, one per line."""
    opened = gzip.open if file.endswith(".gz") else open
    with opened(file, "rt") as lines:
        return [tuple(map(int, line.split())) for line in lines]


def bits(file: str):
    """Read packed columns as Boolean columns, and the number of direct rows."""
    import numpy as np

    saved = np.load(file)
    parts = [
        np.unpackbits(saved[group].view(np.uint8), axis=1, bitorder="little")[:, : int(saved["n_" + group])]
        for group in ("direct", "protected")
    ]
    return np.concatenate(parts, axis=1).astype(bool), parts[0].shape[1]


def level_wise(work, singles, count):
    """Run apriori on reconstructed supports (pooled, one block) with a given counting function."""
    n, direct = work["n"], work["n_direct"]
    p, theta = work["truth"], work["unrelated"]
    factor = (direct + p * (n - direct)) / n

    def estimated(observed, size):
        return (observed / n - (n - direct) / n * (1 - p) * theta**size) / factor

    kept, found, candidates, size = None, 0, [(item,) for item in singles], 1
    while candidates and size <= work["max_size"]:
        counts = count(candidates)
        frequent = [
            items
            for items, observed in zip(candidates, counts, strict=True)
            if estimated(observed, size) >= work["support"] - 1e-12
        ]
        found += len(frequent)
        kept, candidates = set(frequent), []
        for _, group in itertools.groupby(frequent, key=lambda items: items[:-1]):
            for one, other in itertools.combinations(list(group), 2):
                joined = (*one, other[-1])
                if all(joined[:place] + joined[place + 1 :] in kept for place in range(size - 1)):
                    candidates.append(joined)
        size += 1
    return found


def pyfim(work, name):
    """C library with one threshold, set to the lowest that any size of itemset needs."""
    import fim

    run = getattr(fim, name)
    if work["kind"] == "classic":
        rows = baskets(work["file"])
        return lambda: len(run(rows, target="s", supp=100 * work["support"], report="a"))
    table, _ = bits(work["file"])
    rows = [tuple(row.nonzero()[0].tolist()) for row in table.T]
    n, direct, p, theta = work["n"], work["n_direct"], work["truth"], work["unrelated"]

    def needed(size):
        share = (direct + p * (n - direct)) / n * work["support"]
        return share + (n - direct) / n * (1 - p) * theta**size

    def mined():
        longest = work["max_size"]
        found = run(rows, target="s", supp=100 * needed(longest), report="a", zmax=longest)
        return sum(count / n >= needed(len(items)) - 1e-12 for items, count in found)

    return mined


def mlxtend(work, name):
    """Boolean data frames with only the frequent items."""
    import numpy as np
    import pandas as pd
    from mlxtend import frequent_patterns

    rows = baskets(work["file"])
    lengths = np.fromiter(map(len, rows), int, len(rows))
    items = np.fromiter(itertools.chain.from_iterable(rows), int, lengths.sum())
    frequent = np.bincount(items) >= work["support"] * len(rows)
    place = np.cumsum(frequent) - 1
    table = np.zeros((len(rows), frequent.sum()), dtype=bool)
    given = frequent[items]
    table[np.repeat(np.arange(len(rows)), lengths)[given], place[items[given]]] = True
    frame = pd.DataFrame(table)
    return lambda: len(getattr(frequent_patterns, name)(frame, min_support=work["support"]))


def efficient(work):
    """Pure Python."""
    from efficient_apriori import itemsets_from_transactions

    rows = baskets(work["file"])

    def mined():
        found, _ = itemsets_from_transactions(rows, min_support=work["support"])
        return sum(map(len, found.values()))

    return mined


def fastapriori(work):
    """Rust library: one call per size, which lists each itemset once per consequent."""
    import pandas as pd
    from fastapriori import find_associations

    rows = baskets(work["file"])
    least = work["support"] * len(rows)
    pairs = [(row, item) for row, items in enumerate(rows) for item in items]
    frame = pd.DataFrame(pairs, columns=["basket", "item"])

    def mined():
        size, found = 1, int((frame["item"].value_counts() >= least).sum())
        total = found
        while found > size:
            size += 1
            rules = find_associations(
                frame, "basket", "item", k=size, min_support=work["support"], sorted_by=None
            )
            found = len(rules) // size
            total += found
        return total

    return mined


def roaring(work):
    """One compressed bitmap per item."""
    from pyroaring import BitMap

    table, _ = bits(work["file"])
    maps = [BitMap(column.nonzero()[0]) for column in table]

    def count(candidates):
        prefix, of = None, None
        counts = []
        for items in candidates:
            if len(items) == 1:
                counts.append(len(maps[items[0]]))
                continue
            if items[:-1] != of:
                of = items[:-1]
                prefix = maps[of[0]]
                for item in of[1:]:
                    prefix = prefix & maps[item]
            counts.append(prefix.intersection_cardinality(maps[items[-1]]))
        return counts

    return lambda: level_wise(work, range(len(maps)), count)


def polars(work):
    """One expression per candidate."""
    import polars as pl

    table, _ = bits(work["file"])
    frame = pl.DataFrame({str(item): column for item, column in enumerate(table)})

    def count(candidates):
        counts = []
        for start in range(0, len(candidates), 500):
            part = candidates[start : start + 500]
            wanted = [
                pl.all_horizontal([pl.col(str(item)) for item in items]).sum().alias(str(place))
                for place, items in enumerate(part)
            ]
            counts += frame.select(wanted).row(0)
        return counts

    return lambda: level_wise(work, range(len(table)), count)


def main() -> None:
    """Measure one peer."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    work = json.load(sys.stdin)
    peer = work["peer"]
    try:
        result = {"version": version(PACKAGES[peer])}
    except PackageNotFoundError:
        print(json.dumps({"missing": PACKAGES[peer]}))
        return
    first, _, last = peer.partition(" ")
    prepared = {
        "pyfim": lambda: pyfim(work, last),
        "mlxtend": lambda: mlxtend(work, last),
        "efficient-apriori": lambda: efficient(work),
        "fastapriori": lambda: fastapriori(work),
        "pyroaring": lambda: roaring(work),
        "polars": lambda: polars(work),
    }[first]()
    before = memory_mb(reset=True)
    seconds, processor = [], []
    while len(seconds) < work["repeat"] and (not seconds or sum(seconds) < work["seconds"]):
        start, busy = time.perf_counter(), time.process_time()
        sets = prepared()
        processor.append(time.process_time() - busy)
        seconds.append(time.perf_counter() - start)
    peak = memory_mb() - before
    print(json.dumps(result | {"seconds": seconds, "processor": processor, "sets": sets, "peak_mb": peak}))


if __name__ == "__main__":
    main()
