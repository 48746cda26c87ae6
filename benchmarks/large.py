"""Time one large survey from request to report without cached columns, and measure the workers' memory.

    python -m benchmarks.large [--millions 50] [--repeat 1] [--alone] [--audit]

Runs with a separate home, broker, worker with two processes, and database (DATABASE_URL, by default SQLite),
on rows of `benchmarks.work`. Before each run, columns are removed once the workers are idle. `--alone` uses
one process. `--audit` also waits for the audit that follows and reports its memory.
"""

from __future__ import annotations

import argparse
import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.datapath import closed_survey, installation, press, wait_until_idle, worker
from benchmarks.work import disguised_cells

MILLION = 1_000_000
LONGEST_AUDIT = 300.0


class Peak(threading.Thread):
    """Samples the anonymous memory of this process's descendants twenty times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.one = self.all = 0.0
        self._over = threading.Event()

    def run(self) -> None:
        """Sample until asked to stop."""
        while not self._over.wait(0.05):
            held = [_anonymous(pid) for pid in _below(os.getpid())]
            self.one, self.all = max([self.one, *held]), max(self.all, sum(held))

    def stop(self) -> dict[str, int]:
        """Return the peak memory of a single process and of all processes together, in megabytes."""
        self._over.set()
        self.join()
        return {"one process, MB": round(self.one), "all, MB": round(self.all)}


def _below(pid: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        direct = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
    return direct + [further for child in direct for further in _below(child)]


def _anonymous(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon"))


def with_peak_memory(work: Callable[[], Any]) -> tuple[Any, dict[str, int]]:
    """Call a function; return its result, and the peak memory during the call."""
    peak = Peak()
    peak.start()
    found = work()
    return found, peak.stop()


def measure(millions: int, repeat: int, *, alone: bool, audit: bool) -> None:
    """Measure, and print each figure with the load of the machine."""
    cells = disguised_cells(MILLION, 60, 5)
    with installation() as home:
        from surveys.models import Job, Run

        began = time.perf_counter()
        version = closed_survey("large", cells, millions)
        print(f"{millions} million rows stored in {time.perf_counter() - began:.1f} s", flush=True)
        # Write the rows to disk now, not while the first run reads them.
        os.sync()
        settings = {"SOTTOVOCE_SPREAD": f"{10**9},{10**9}"} if alone else {}
        with worker(**settings):
            for number in range(repeat):
                # Otherwise the run would share the workers with the previous run's audit or with prefetching.
                wait_until_idle()
                shutil.rmtree(home / "columns", ignore_errors=True)
                support = 0.05 + 0.0001 * number
                (seconds, run), memory = with_peak_memory(lambda support=support: press(version, support))
                load = os.getloadavg()[0]
                print(
                    f"cold run {seconds:.2f} s",
                    memory,
                    run.summary["itemsets"],
                    f"load {load:.1f}",
                    flush=True,
                )
                if not audit:
                    continue

                def over(pk: int = run.pk) -> str:
                    end = time.monotonic() + LONGEST_AUDIT
                    while time.monotonic() < end:
                        job = Run.objects.get(pk=pk).audit_job
                        if job is None or job.is_over:
                            return "there before" if job is None else f"{job.state} {job.message[:120]}"
                        time.sleep(0.1)
                    return str(Job.State.RUNNING)

                audit_line, memory = with_peak_memory(over)
                print("audit", audit_line, memory, f"load {os.getloadavg()[0]:.1f}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--millions", type=int, default=50)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--audit", action="store_true")
    options = parser.parse_args()
    measure(options.millions, options.repeat, alone=options.alone, audit=options.audit)


if __name__ == "__main__":
    main()
