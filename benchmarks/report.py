"""Measure everything and write docs/benchmarks.md with its pictures and figures: the one command.

    python -m benchmarks.report --data FOLDER [--peers PYTHON] [--most-rows 100000000] [--import-rows 1000000]
    python -m benchmarks.report --data FOLDER --peers PYTHON --quick      # under eight minutes
    python -m benchmarks.report --again     # write the page once more from docs/benchmarks.json

FOLDER holds mushroom.dat, chess.dat, retail.dat.gz and T10I4D100K.dat.gz of the FIMI repository. PYTHON is an
interpreter with the peers: pip install mlxtend pyfim efficient-apriori pyroaring polars numpy pandas. Those
that are missing are named in the tables. Takes some twenty minutes; keep the machine quiet.
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
from textwrap import wrap
from typing import Any

from benchmarks import asked, charts
from benchmarks.compare import ROOT, classics, million
from benchmarks.durable_postgresql import durable_postgresql
from benchmarks.machine import machine
from tests.postgresql import NoPostgreSQL

DOCS = ROOT / "docs"


def ran(module: str, *arguments: str, url: str | None = None) -> Any:
    """Run another benchmark in a process of its own, on a database, and return what it prints as JSON."""
    print(module, *arguments, "on PostgreSQL" if url else "", file=sys.stderr, flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments, "--json"], cwd=ROOT, capture_output=True, text=True,
        env=environment | ({"DATABASE_URL": url} if url else {}),
    )  # fmt: skip
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return {"failed": (done.stderr.strip().splitlines() or ["no word"])[-1]}
    # Servers that a benchmark starts may have their say before it.
    return json.loads(done.stdout.splitlines()[-1])


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Measure all parts, one after the other."""
    from benchmarks.scale import growth

    repeat, most = (3, 2.0) if options.quick else (5, 8.0)
    seconds = min(options.seconds, 15.0) if options.quick else options.seconds
    most_rows = min(options.most_rows, 10_000_000) if options.quick else options.most_rows
    imported = min(options.import_rows, 200_000) if options.quick else options.import_rows
    limits = {"seconds": seconds, "repeat": repeat, "most": most}
    path = (
        "--repeat",
        str(repeat),
        "--import-rows",
        str(imported),
        "--spread",
        "1" if options.quick else "4",
    )
    turns = ("--n", "1000", "--repeat", "2") if options.quick else ()
    found: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "command": _command(options),
        "machine": machine(),
        "million": million(options.peers, n=1_000_000, items=60, seed=5, **limits),
        "classics": classics(options.data, options.peers, **limits) if options.data else [],
        "kernel": ran("benchmarks.kernel"),
        "growth": growth(most_rows=most_rows, repeat=repeat),
        "datapath": ran("benchmarks.datapath", *path),
        "submissions": ran("benchmarks.submissions", *turns),
        "submissions_postgresql": on_postgresql(turns),
    }
    found["load"] = os.getloadavg()[0]
    return found


def _command(options: argparse.Namespace) -> str:
    """What was typed, without the places of this machine."""
    given = [("--data FOLDER", options.data), ("--peers PYTHON", options.peers), ("--quick", options.quick)]
    return " ".join(["python -m benchmarks.report", *(text for text, value in given if value)])


def on_postgresql(turns: Sequence[str]) -> Any:
    """Submissions on a PostgreSQL of their own, or why there is none."""
    try:
        with durable_postgresql() as url:
            return ran("benchmarks.submissions", *turns, url=url)
    except NoPostgreSQL as reason:
        return {"failed": str(reason)}


def _times(seconds: float) -> str:
    return f"{seconds:,.2f} s" if seconds >= 1 else f"{1000 * seconds:,.2f} ms"


def _engines(rows: list[dict[str, Any]], best: float) -> list[str]:
    lines = ["| engine | version | processor time | wall clock | medians of | times ours | sets | memory |"]
    lines.append("|---|---|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        if "failed" in row:
            lines.append(f"| {row['engine']} | | {row['failed']} | | | | | |")
            continue
        lines.append(
            f"| {row['engine']} | {row['version']} | {_times(row['processor'])} | {_times(row['median'])} | "
            f"{row['runs']} | {row['processor'] / best:,.2f} | {row['sets']:,} | {row['peak_mb']:,.0f} MB |"
        )
    return [*lines, ""]


def _table(rows: list[dict[str, Any]]) -> list[str]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = ["| " + " | ".join(names) + " |", "|" + "---:|" * len(names)]
    for row in rows:
        cells = []
        for name in names:
            value = row.get(name, "")
            if name in {"seconds", "median", "fastest", "one", "two"} and value != "":
                value = _times(value)
            elif isinstance(value, float):
                value = f"{value:,.3g}"
            elif isinstance(value, int):
                value = f"{value:,}"
            cells.append(str(value))
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def _plan(rows: list[dict[str, Any]]) -> list[str]:
    """From the measured law to a billion rows."""
    timed = [row for row in rows if "seconds" in row]
    if len(timed) < 2:
        return []
    first, last = timed[-2:]
    slope = (last["seconds"] - first["seconds"]) / (last["rows"] - first["rows"])
    megabytes = last["column_mb"] / last["rows"]
    text = (
        f"From {first['rows']:,} rows on the search costs {slope * 1e9:.2f} ns a row on one core, and a row "
        f"of 60 items takes {megabytes * 1e6:.1f} bytes of columns. So a billion rows of this work are "
        f"{slope * 1e9:.0f} s of counting on one core and {megabytes * 1e9 / 1000:.1f} GB of columns, and "
        "the same divided by the number of workers, because counts of parts add up: what they exchange are "
        "36,051 pairs of numbers a part, half a megabyte. A new threshold on itemsets of up to three items "
        "looks at no row. What limits such a survey is the way in: rows become columns once (see *rows "
        "imported* below), and batches are read from the database once. Workers need one SOTTO_HOME that "
        "all of them see: a part made on another disk is made again. `SOTTO_SPREAD_PART` says how many rows "
        "a worker takes at a time, and with that its memory."
    )
    return ["## Planning a billion rows", "", *wrap(text, 110), ""]


_MISSED = [
    *wrap(
        "*The work* is the first table below. 5,000 times pyfim is missed where pyfim is told that itemsets "
        "have at most three or four items; the tables of longer ones say why. *Between Python's tuples* was "
        "not asked: it is the same search from a list of tuples to a list of tuples, as pyfim does it. Of "
        "mushroom .3 nearly all of that time goes into reading 187,000 Python integers; the search itself "
        "takes a quarter of a millisecond.",
        110,
    ),
]

_LONGER = wrap(
    "The same rows, longer itemsets. Of three items an itemset is worth counting from an observed share of "
    ".143 on, more than decoys make of three rare items (.123), so that with a bound of three even one "
    "threshold prunes. Of four items it is .095, and all 34,220 itemsets of three pass; of twenty it is "
    ".022, and millions pass. With a threshold for each size the same few candidates are left.",
    110,
)

_LEFT_OUT = [
    "## Tried and left out",
    "",
    *wrap(
        "Bounds on a candidate's count before it is counted, from its subsets and by inclusion and "
        "exclusion: an itemset of three is kept in the work above from an observed share of .143 on, which "
        "decoys alone nearly reach, and of 3,835 candidates (200,000 rows) both bounds discarded none. "
        "Counting all of them takes a millisecond.",
        110,
    ),
    "",
    *wrap(
        "Counting the rows of a report again: a run reads kept counts of up to three items, and what stands "
        "between the press of the button and the stored report is tests, intervals and the database. The "
        "audit of the rows is stored after the report, once per snapshot.",
        110,
    ),
]


def page(found: dict[str, Any]) -> str:
    """The page."""
    work = found["million"]
    ours = next(row["processor"] for row in work["rows"] if row["engine"] == "numba packed")
    lines = [
        "# Benchmarks",
        "",
        f"Made on {found['date']} by `{found.get('command', 'python -m benchmarks.report')}`: "
        f"{found['machine']}; load at the end "
        f"{found['load']:.1f}.",
        "Each engine runs in a process of its own, one after the other. Ratios are of processor time, which",
        "a busy machine changes least (polars uses several threads; theirs add up); memory is what the",
        "search takes above the data. Figures: [benchmarks.json](benchmarks.json).",
        *(["", *wrap(found["note"], 110)] if "note" in found else []),
        "",
        "## Asked and measured",
        "",
        *asked.table(found),
        "",
        *_MISSED,
        "",
        "## A million disguised rows",
        "",
        f"{work['n']:,} rows x {work['items']} yes/no items in one block (p = .3, theta = .6, k = .2), "
        "planted rules, pooled",
        "estimate, support .05 on reconstructed supports, itemsets of up to three; from packed columns "
        f"({work['column_bytes'] / 1e6:.1f} MB).",
        "*pyfim* gets one threshold, the lowest that any size needs, and its result is filtered.",
        "",
        *_engines(work["rows"], ours),
        "![Engines side by side](benchmarks.svg)",
        "",
    ]
    if "longer" in work:
        lines += [*_LONGER, ""]
    for size, rows in work.get("longer", {}).items():
        lines += [
            f"### Itemsets of up to {size}",
            "",
            *_engines(rows, rows[0]["processor"]),
        ]
    if found["classics"]:
        lines += [
            "## Classic sets, undisguised",
            "",
            "*packed* begins with packed columns of the frequent items and ends with arrays, as a run does.",
            "*baskets* begins with a list of tuples and ends with Python's tuples, as *pyfim* and",
            "*efficient-apriori* do. *mlxtend* begins with a data frame of the frequent items.",
            "",
        ]
    for data in found["classics"]:
        best = next(row["processor"] for row in data["rows"] if row["engine"] == "numba packed")
        lines += [f"### {data['data']}, support {data['support']}", "", *_engines(data["rows"], best)]
    names = {"rows": "Rows", "items": "Items, 100,000 rows", "thresholds": "Threshold", "blocks": "Blocks"}
    lines += ["## How the cost grows", "", "![Cost over rows](benchmarks-growth.svg)", ""]
    for key, rows in found["growth"].items():
        lines += [f"### {names[key]}", "", *_table(rows)]
    lines += _plan(found["growth"]["rows"])
    for title, key in (
        ("The way of the rows", "datapath"),
        ("Submissions, SQLite", "submissions"),
        ("Submissions, PostgreSQL", "submissions_postgresql"),
    ):
        part = found.get(key, {"failed": "not measured"})
        rows = part.get("rows", [part]) if isinstance(part, dict) else part
        lines += [f"## {title}", ""]
        if title == "The way of the rows":
            for row in rows:
                lines += _table([row])
        else:
            lines += _table(rows)
            if "ratio" in part:
                lines += [
                    f"{part['ratio']:.2f} times a bare Django insert behind the middleware of pages.",
                    "",
                ]
    return "\n".join([*lines, *_LEFT_OUT])


def write(found: dict[str, Any], out: Path) -> None:
    """Write figures, page and pictures."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "benchmarks.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (out / "benchmarks.md").write_text(page(found).rstrip() + "\n", encoding="utf-8")
    groups = [("million disguised rows", found["million"]["rows"])]
    groups += [(f"{data['data']} {data['support']}", data["rows"]) for data in found["classics"]]
    (out / "benchmarks.svg").write_text(
        charts.bars(
            "Seconds, the same itemsets from the same data (dark: ours)",
            [
                (
                    name,
                    [
                        (row["engine"], row["processor"], row["engine"].split()[0] in {"numba", "numpy"})
                        for row in rows
                        if "median" in row
                    ],
                )
                for name, rows in groups
            ],
        ),
        encoding="utf-8",
    )
    points = [(row["rows"], row["seconds"]) for row in found["growth"]["rows"] if "seconds" in row]
    (out / "benchmarks-growth.svg").write_text(
        charts.lines("Search of 60 items over rows, one core", "rows", points), encoding="utf-8"
    )


def main() -> None:
    """Measure and write, or write again."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder of the classic sets (default: leave them out)")
    parser.add_argument("--peers", help="interpreter that has the peers (default: leave them out)")
    parser.add_argument("--seconds", type=float, default=120, help="longest time of an engine (default: 120)")
    parser.add_argument("--most-rows", type=int, default=100_000_000)
    parser.add_argument("--import-rows", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true", help="fewer turns, fewer rows: under eight minutes")
    parser.add_argument("--out", type=Path, default=DOCS, help="folder of page and figures (default: docs)")
    parser.add_argument("--again", action="store_true", help="only write the page from benchmarks.json")
    options = parser.parse_args()
    if options.again:
        write(json.loads((options.out / "benchmarks.json").read_text(encoding="utf-8")), options.out)
    else:
        write(measure(options), options.out)


if __name__ == "__main__":
    main()
