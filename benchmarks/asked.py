"""Compare the measurements of a report with the engine's targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple


class Row(NamedTuple):
    """One figure: its name, target and measured value, and whether the value meets the target."""

    figure: str
    asked: str
    measured: str
    met: bool


def rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows for which the report has figures; engines that are missing or were stopped have none."""
    work = _processor(found["million"]["rows"])
    yield _most("the work, one core", 1000 * work["numba packed"], 10, "{:.1f} ms")
    if "mlxtend np.all" in work:
        ratio = work["mlxtend np.all"] / work["numba packed"]
        yield _least("faster than mlxtend's np.all", ratio, 300, "{:,.0f}x")
    for size, timed in {"3": found["million"]["rows"], **found["million"].get("longer", {})}.items():
        taken, limit = _processor(timed), _limit(timed, "pyfim apriori")
        figure = f"faster than pyfim's apriori, itemsets of up to {size}"
        if "pyfim apriori" in taken:
            yield _least(figure, taken["pyfim apriori"] / taken["numba packed"], 5000, "{:,.0f}x")
        elif limit:
            yield _least(figure, limit / taken["numba packed"], 5000, "{:,.0f}x")._replace(
                measured=f"over {limit / taken['numba packed']:,.0f}x"
            )
    if "numba" in (kernel := found.get("kernel", {})):
        yield _least("candidate-records per second, one core", kernel["numba"]["median"], 1.2e12, "{:.2e}")
        yield _least(
            "the same, times numpy's", kernel["numba"]["median"] / kernel["numpy"]["median"], 3, "{:,.0f}x"
        )
    peers = [row["peak_mb"] for row in found["million"]["rows"] if _is_peer(row) and "peak_mb" in row]
    if peers:
        ours = next(row["peak_mb"] for row in found["million"]["rows"] if row["engine"] == "numba packed")
        yield Row(
            "memory above the columns, best peer's",
            f"{min(peers):.1f} MB",
            f"{ours:.1f} MB",
            ours <= min(peers),
        )
    yield from _path(found.get("datapath", []))


def table(found: Mapping[str, Any]) -> list[str]:
    """Return the rows as a Markdown table."""
    lines = ["| figure | asked | measured | |", "|---|---:|---:|---|"]
    return [
        *lines,
        *(
            f"| {row.figure} | {row.asked} | {row.measured} | {'' if row.met else 'missed'} |"
            for row in rows(found)
        ),
    ]


def _path(datapath: Any) -> Iterator[Row]:
    bounds = {"press to stored report, cold": 3.0, "press to stored report, warm": 0.5}
    for row in datapath if isinstance(datapath, list) else []:
        if row["figure"] in bounds:
            yield _most(row["figure"], row["median"], bounds[row["figure"]], "{:.2f} s")
        if "numba" in row:
            yield _most(row["figure"], 1e6 * row["numba"], 1, "{:.2f} us")


def _processor(timed: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    return {row["engine"]: row["processor"] for row in timed if "processor" in row}


def _limit(timed: Iterable[Mapping[str, Any]], engine: str) -> float | None:
    """Return the seconds after which an engine was stopped."""
    failures = [row["failed"] for row in timed if row["engine"] == engine and "failed" in row]
    return float(failures[0].split()[1]) if failures and failures[0].startswith("over ") else None


def _is_peer(row: Mapping[str, Any]) -> bool:
    return row["engine"].split()[0] not in {"numba", "numpy"}


def _most(figure: str, value: float, bound: float, form: str) -> Row:
    return Row(figure, f"at most {form.format(bound)}", form.format(value), value <= bound)


def _least(figure: str, value: float, bound: float, form: str) -> Row:
    return Row(figure, f"at least {form.format(bound)}", form.format(value), value >= bound)
