"""Run all benchmarks and write docs/evidence/benchmarks.md with its chart and figures.

    python -m benchmarks.report --data FOLDER [--peers PYTHON] [--most-rows 100000000]
    python -m benchmarks.report --data FOLDER --peers PYTHON --quick      # under eight minutes
    python -m benchmarks.report --data FOLDER --peers PYTHON --classics   # measure the classic sets alone
    python -m benchmarks.report --again     # write the page once more from docs/evidence/benchmarks.json

FOLDER contains mushroom.dat, chess.dat, retail.dat.gz and T10I4D100K.dat.gz of the FIMI repository. PYTHON is
an interpreter with the peers, in an environment outside this project:

    pip install mlxtend pyfim fastapriori efficient-apriori pyroaring polars numpy pandas

The tables name peers that are missing. This takes about twenty minutes; run nothing else on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.compare import ROOT, classics, million
from benchmarks.curves import Series, curves_svg
from benchmarks.durable_postgresql import durable_postgresql
from benchmarks.machine import machine
from benchmarks.report_page import page
from tests.postgresql import NoPostgreSQL

DOCS = ROOT / "docs" / "evidence"


def run_benchmark(module: str, *arguments: str, url: str | None = None) -> Any:
    """Run another benchmark in a new process and return its JSON output; `url` names its database."""
    print(module, *arguments, "on PostgreSQL" if url else "", file=sys.stderr, flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments, "--json"], cwd=ROOT, capture_output=True, text=True,
        env=environment | ({"DATABASE_URL": url} if url else {}),
    )  # fmt: skip
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return {"failed": (done.stderr.strip().splitlines() or ["no word"])[-1]}
    # Servers that a benchmark starts may print lines before the result.
    return json.loads(done.stdout.splitlines()[-1])


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run all benchmarks, one after the other."""
    from benchmarks.growth import growth

    repeat, most = (3, 2.0) if options.quick else (5, 8.0)
    seconds = min(options.seconds, 15.0) if options.quick else options.seconds
    most_rows = min(options.most_rows, 10_000_000) if options.quick else options.most_rows
    limits = {"seconds": seconds, "repeat": repeat, "most": most}
    path = ("--repeat", str(repeat), "--spread", "1" if options.quick else "4")
    turns = ("--n", "1000", "--repeat", "2") if options.quick else ()
    found: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": _command(options),
        "machine": machine(),
        "million": million(options.peers, n=1_000_000, items=60, seed=5, **limits),
        "classics": classics(options.data, options.peers, **limits) if options.data else [],
        "kernel": run_benchmark("benchmarks.kernel"),
        "growth": growth(most_rows=most_rows, repeat=repeat),
        "datapath": run_benchmark("benchmarks.datapath", *path),
        "submissions": run_benchmark("benchmarks.submissions", *turns),
        "submissions_postgresql": on_postgresql(turns),
    }
    found["load"] = os.getloadavg()[0]
    return found


def measure_classics(options: argparse.Namespace, before: dict[str, Any]) -> dict[str, Any]:
    """Measure the classic sets again, and keep all other figures of an earlier report."""
    made = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": _command(options),
        "machine": machine(),
        "seconds": options.seconds,
    }
    found = classics(options.data, options.peers, seconds=options.seconds)
    return before | {"classics": found, "classics_made": made | {"load": os.getloadavg()[0]}}


def _command(options: argparse.Namespace) -> str:
    """Return the command line without paths of this machine."""
    given = [
        ("--data FOLDER", options.data),
        ("--peers PYTHON", options.peers),
        ("--quick", options.quick),
        ("--classics", options.classics),
    ]
    return " ".join(["python -m benchmarks.report", *(text for text, value in given if value)])


def on_postgresql(turns: Sequence[str]) -> Any:
    """Measure submissions on a new PostgreSQL server, or return why there is none."""
    try:
        with durable_postgresql() as url:
            return run_benchmark("benchmarks.submissions", *turns, url=url)
    except NoPostgreSQL as reason:
        return {"failed": str(reason)}


def write(found: dict[str, Any], out: Path) -> None:
    """Write the figures, the page and the chart."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "benchmarks.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (out / "benchmarks.md").write_text(page(found).rstrip() + "\n", encoding="utf-8")
    points = [(row["rows"], row["seconds"]) for row in found["growth"]["rows"] if "seconds" in row]
    (out / "benchmarks-growth.svg").write_text(
        curves_svg(
            [Series(label="search of 60 items", x=[x for x, _y in points], y=[y for _x, y in points])],
            title="Search of 60 items over rows, one core",
            x_label="rows",
            y_label="seconds",
            log_x=True,
            log_y=True,
        )
        + "\n",
        encoding="utf-8",
    )


def main() -> None:
    """Measure and write the page, or write it again from earlier figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder of the classic sets (default: leave them out)")
    parser.add_argument("--peers", help="interpreter that has the peers (default: leave them out)")
    parser.add_argument("--seconds", type=float, default=120, help="longest time of an engine (default: 120)")
    parser.add_argument("--most-rows", type=int, default=100_000_000)
    parser.add_argument("--quick", action="store_true", help="fewer turns, fewer rows: under eight minutes")
    parser.add_argument("--out", type=Path, default=DOCS, help="folder of page and figures (default: docs)")
    parser.add_argument("--classics", action="store_true", help="measure only the classic sets again")
    parser.add_argument("--again", action="store_true", help="only write the page from benchmarks.json")
    options = parser.parse_args()
    if options.again or options.classics:
        before = json.loads((options.out / "benchmarks.json").read_text(encoding="utf-8"))
        write(measure_classics(options, before) if options.classics else before, options.out)
    else:
        write(measure(options), options.out)


if __name__ == "__main__":
    main()
