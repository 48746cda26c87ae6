"""Profile one part of a shared run: processor seconds per million rows, by function.

    python -m benchmarks.part [--millions 2] [--repeat 5] [--numpy]

Rows of `benchmarks.work` in a separate database are read, turned into columns and counted in this process, as
a worker does it. Figures are processor time, because other programs on the machine affect it less than
wall-clock time. `--numpy` disables compiled code.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import time
from unittest.mock import patch

from benchmarks.datapath import closed_survey, installation
from benchmarks.work import disguised_cells

MILLION = 1_000_000
FUNCTIONS_SHOWN = 15


def measure(millions: int, repeat: int) -> None:
    """Measure and print."""
    cells = disguised_cells(MILLION, 60, 5)
    with installation():
        from mining.columns.counted_rows import count_rows_of
        from mining.columns.precomputed_counts import precomputed_requests
        from mining.pipeline import warm_up
        from surveys.runs.column_cache import SegmentStore
        from surveys.runs.snapshot import batches_open_to_mining

        version = closed_survey("part", cells, millions)
        design = version.to_design()
        requests = precomputed_requests(design)
        if requests is None:
            raise RuntimeError("too many itemsets to be kept")
        batches = batches_open_to_mining(version)
        warm_up()

        def part() -> float:
            began = time.process_time()
            store = SegmentStore(design, version.survey_id, batches)
            counted = count_rows_of(design, store.rows(0, len(store.entries)), requests)
            return (time.process_time() - began) / counted.n * MILLION

        part()
        for _ in range(repeat):
            print(f"{part():.3f} s of a core for a million rows, load {os.getloadavg()[0]:.1f}", flush=True)
        profile = cProfile.Profile(time.process_time)
        profile.runcall(part)
        pstats.Stats(profile).sort_stats("tottime").print_stats(FUNCTIONS_SHOWN)


def main() -> None:
    """Read the command line, measure, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--millions", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--numpy", action="store_true")
    options = parser.parse_args()
    if not options.numpy:
        measure(options.millions, options.repeat)
        return
    with patch("mining.columns.bitmatrix.find_spec", lambda name: None):
        measure(options.millions, options.repeat)


if __name__ == "__main__":
    main()
