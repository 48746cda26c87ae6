"""Write the page of the benchmarks in Markdown, from their figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from benchmarks import asked

__all__ = ["page"]

_MISSED = (
    "*The work* is the next table. The target of 5,000 times pyfim is missed if pyfim knows that itemsets "
    "have at most three or four items. The targets for the classic sets below were at most pyfim's time, "
    "which Sottovoce meets on retail alone, and a seventh of mlxtend's, which it meets on retail and "
    "T10I4D100K. pyfim is faster on mushroom and chess because it searches depth first. Sottovoce searches "
    "level by level and estimates every candidate, because an estimated support may grow with the "
    "itemset."
)
_LONGER = (
    "With longer itemsets pyfim prunes less. An itemset of three is worth counting from an observed share of "
    ".143 on; decoys give three rare items .123, so a bound of three items still prunes. With four items the "
    "share is .095, and all 34,220 itemsets of three pass."
)
_CLASSICS = (
    "*Sottovoce, columns* starts from packed columns of the frequent items. *Sottovoce, baskets* starts from "
    "tuples, as pyfim and efficient-apriori do, and includes the packing. *pyfim* and *mlxtend* are each "
    "the fastest of their algorithms. On mushroom pyfim leaves out the item that every row has. "
    "efficient-apriori stops at eight items."
)
_ENGINES: Mapping[str, tuple[str, ...]] = {
    "Sottovoce, columns": ("numba packed",),
    "Sottovoce, baskets": ("numba baskets",),
    "pyfim": ("pyfim apriori", "pyfim eclat", "pyfim fpgrowth"),
    "mlxtend": ("mlxtend fpgrowth", "mlxtend apriori"),
    "efficient-apriori": ("efficient-apriori",),
    "fastapriori": ("fastapriori",),
}


def _times(seconds: float) -> str:
    return f"{seconds:,.2f} s" if seconds >= 1 else f"{1000 * seconds:,.2f} ms"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(cells) + " |" for cells in (head, *rows)]
    return [lines[0], "|" + "---|" * len(head), *lines[1:], ""]


def _engines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Tabulate processor times relative to Sottovoce's, which is the first row."""
    best = rows[0]["processor"]
    cells = [
        (row["engine"], row["failed"], "", "")
        if "failed" in row
        else (
            row["engine"], _times(row["processor"]), f"{row['processor'] / best:,.2f}",
            f"{row['peak_mb']:,.0f} MB",
        )
        for row in rows
    ]  # fmt: skip
    return _table(("engine", "processor time", "times ours", "memory"), cells)


def _classics(classics: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = []
    for data in classics:
        taken = {row["engine"]: row["processor"] for row in data["rows"] if "processor" in row}
        best = (
            min((taken[name] for name in names if name in taken), default=None) for names in _ENGINES.values()
        )
        times = ("stopped" if seconds is None else _times(seconds) for seconds in best)
        rows.append((f"{data['data']} {data['support']}", *times))
    return _table(("set, support", *_ENGINES), rows)


def _plan(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Extrapolate the cost of a billion rows from the last two measurements."""
    timed = [row for row in rows if "seconds" in row]
    if len(timed) < 2:
        return []
    first, last = timed[-2:]
    slope = (last["seconds"] - first["seconds"]) / (last["rows"] - first["rows"])
    megabytes = last["column_mb"] / last["rows"]
    text = (
        f"From {first['rows']:,} rows on, a row costs {slope * 1e9:.2f} ns on one core, and a row of 60 "
        f"items needs {megabytes * 1e6:.1f} bytes of columns. A billion rows would need "
        f"{slope * 1e9:.0f} s of one core and {megabytes * 1e9 / 1000:.1f} GB, shared by the "
        "workers ([scale.md](scale.md)). A new "
        "threshold on itemsets of up to three items reads no row."
    )
    return [*wrap(text, 110), ""]


def _submissions(found: Mapping[str, Any]) -> list[str]:
    rows = []
    for name, key in (("SQLite", "submissions"), ("PostgreSQL", "submissions_postgresql")):
        part = found.get(key, {"failed": "not measured"})
        for row in part.get("rows", []):
            times = (f"{row['p50_ms']:.1f} ms", f"{row['p99_ms']:.1f} ms", str(row["failed"]))
            rows.append((name, row["kind"], f"{row['per_second']:,.0f}", *times))
        if "failed" in part:
            rows.append((name, str(part["failed"]), "", "", "", ""))
    return _table(("database", "request", "per second", "p50", "p99", "failed"), rows)


def page(found: dict[str, Any]) -> str:
    """Return the page."""
    work, made = found["million"], found.get("classics_made", found)
    intro = (
        f"Made on {found['date']} by `{found.get('command', 'python -m benchmarks.report')}`: "
        f"{found['machine']}; load at the end {found['load']:.1f}. Each engine runs in its own process. "
        "Ratios are of processor time, which a busy machine changes least. Memory is what the search needs "
        "beyond the data. All figures are in [benchmarks.json](benchmarks.json)."
    )
    lines = [
        "# Speed",
        "",
        *wrap(intro, 110),
        "",
        "## Targets",
        "",
        *asked.table(found),
        "",
        *wrap(_MISSED, 110),
        "",
    ]
    task = (
        f"{work['n']:,} rows of {work['items']} yes/no items in one block (p = .3, theta = .6, k = .2), "
        "planted rules, support .05, itemsets of up to three, from packed columns "
        f"({work['column_bytes'] / 1e6:.1f} MB). pyfim gets the lowest threshold that any size needs."
    )
    lines += ["## A million disguised rows", "", *wrap(task, 110), "", *_engines(work["rows"])]
    if "longer" in work:
        lines += [*wrap(_LONGER, 110), ""]
    for size, rows in work.get("longer", {}).items():
        lines += [f"Itemsets of up to {size}:", "", *_engines(rows)]
    if found["classics"]:
        measured = (
            f"Measured on {made['date']} by `{made['command']}`: {made['machine']}. Other programs were "
            f"running. An engine was stopped after {made.get('seconds', 100):.0f} s."
        )
        lines += ["## Classic sets, undisguised", "", *wrap(measured, 110), "", *wrap(_CLASSICS, 110), ""]
        lines += _classics(found["classics"])
    growth = [
        (f"{row['rows']:,}", _times(row["seconds"])) for row in found["growth"]["rows"] if "seconds" in row
    ]
    lines += ["## Growth", "", "![Cost over rows](benchmarks-growth.svg)", ""]
    lines += [*_table(("rows of 60 items", "search"), growth), *_plan(found["growth"]["rows"])]
    targets = (
        "The targets were at least 0.8 times a bare Django insert behind the middleware of pages, a 99th "
        "percentile of at most 250 ms, and no failure."
    )
    lines += ["## Submissions", "", *wrap(targets, 110), "", *_submissions(found)]
    return "\n".join(lines)
