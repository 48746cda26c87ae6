"""The page of the benchmarks, in Markdown, from their figures."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from benchmarks import asked

__all__ = ["page"]


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
        "looks at no row. What limits such a survey is the way in: rows become columns once, and batches are "
        "read from the database once. Workers hand the "
        "counts of their parts on through the database, wherever they stand: [scale.md](scale.md)."
    )
    return ["## Planning a billion rows", "", *wrap(text, 110), ""]


_MISSED = wrap(
    "*The work* is the first table below. 5,000 times pyfim is missed where pyfim is told that itemsets "
    "have at most three or four items; the tables of longer ones say why. pyfim is faster on mushroom and "
    "chess: it searches depth first. The product searches level by level and estimates every candidate, "
    "because an estimated support may grow with the itemset.",
    110,
)

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


_CLASSICS = wrap(
    "*numba* and *numpy* are the product's own search with its two ways of counting. *packed* starts from "
    "packed columns of the frequent items. *baskets* starts from a list of tuples, as *pyfim* and "
    "*efficient-apriori* do, and includes the packing. *mlxtend* starts from a data frame of the frequent "
    "items, *fastapriori* from one of baskets and items. On mushroom, *pyfim* leaves out the item that "
    "every row has. *efficient-apriori* stops at eight items.",
    110,
)


def _classics_made(found: dict[str, Any]) -> list[str]:
    """Say how the classic sets were measured, where that was apart from the rest."""
    made = found.get("classics_made")
    if made is None:
        return []
    text = (
        f"Measured on {made['date']} by `{made['command']}`: {made['machine']}; load at the end "
        f"{made['load']:.1f}. Other programs were running, so compare processor times. An engine was stopped "
        f"after {made['seconds']:.0f} s."
    )
    return [*wrap(text, 110), ""]


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
            *_classics_made(found),
            *_CLASSICS,
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
