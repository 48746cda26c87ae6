"""Profile the part of a run that does not depend on the number of rows: from counts to the stored report.

    python -m benchmarks.serial [--millions 1] [--repeat 3] [--support 0.05]

Uses rows of `benchmarks.work` in a separate database, with cached columns and counts. So search, intervals,
rules, tests, groups and storing are measured, in this process. Their time hardly depends on the number of
rows. Each run uses a new support threshold, so that no results of earlier runs are reused.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import time

from benchmarks.datapath import closed_survey, installation
from benchmarks.work import disguised_cells

MILLION = 1_000_000
FUNCTIONS_SHOWN = 40


def measure(millions: int, repeat: int, support: float) -> None:
    """Measure and print."""
    cells = disguised_cells(MILLION, 60, 5)
    with installation():
        from django.db import transaction
        from django.utils import timezone

        from mining.pipeline import warm_up
        from mining.thresholds import Thresholds
        from surveys.runs.mining_job import mine_snapshot
        from surveys.runs.run_requests import run_request

        version = closed_survey("serial", cells, millions)
        warm_up()
        asked = 0

        def run() -> str:
            nonlocal asked
            thresholds = Thresholds(support=support + 0.0001 * asked, max_size=3)
            found = run_request(
                version=version, thresholds=thresholds, by=None, now=timezone.now(), lists_all=True
            )
            asked += 1
            began = time.process_time()
            store = mine_snapshot(found.job_id, lambda *_: None)
            mined = time.process_time()
            with transaction.atomic():
                store()
            stored = time.process_time()
            found.refresh_from_db()
            listed = f"{found.summary['itemsets']} itemsets, {found.summary['rules']} rules"
            return f"{mined - began:.2f} s mined, {stored - mined:.2f} s stored, {listed}"

        print("columns made:", run(), flush=True)
        for _ in range(repeat):
            print(f"{run()}, load {os.getloadavg()[0]:.1f}", flush=True)
        profile = cProfile.Profile(time.process_time)
        profile.runcall(run)
        for order in ("tottime", "cumulative"):
            pstats.Stats(profile).sort_stats(order).print_stats(FUNCTIONS_SHOWN)


def main() -> None:
    """Read the command line, measure, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--millions", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--support", type=float, default=0.05)
    options = parser.parse_args()
    measure(options.millions, options.repeat, options.support)


if __name__ == "__main__":
    main()
