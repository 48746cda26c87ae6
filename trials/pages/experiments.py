"""The source's experiment as files: tables, one JSON document, pictures."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

import numpy as np

from surveys.charts.curves import Series, curves_svg
from trials.studies.experiment import GRID, READINGS, Conditions, Point, leak, sweep
from trials.studies.mechanisms import GAMMA, MechanismPoint, compare_mechanisms

Say = Callable[[str], None]

P_AT: Final = 0.3
K_AT: Final = 0.2
SIZES: Final = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
BAR: Final = 1.96
BARS: Final = f"± {BAR} standard errors over {{repetitions}} repetitions"
NAMES: Final = {
    "direct": "k asked directly (equations 7 to 16)",
    "disguised": "k disguised (section 4)",
    "unrelated": "unrelated question",
    "gamma-diagonal": "gamma-diagonal matrix",
    "mask": "flips bit by bit (MASK)",
    "p": "retention probability p",
    "k": "share k of the rows",
}
ERROR: Final = "mean error W = |S − S′| of a support"


def write_experiment(
    out: Path, conditions: Conditions, *, seed: int, repetitions: int, prefix: str = "", say: Say
) -> list[str]:
    """Run both sweeps in both readings and write them; the older model's leak and the mechanisms once.

    Returns
    -------
    list of str
        Names of the files.
    """
    written = [f"{prefix}experiment.json"]
    tables: dict[str, list[Point]] = {}
    for number, (name, along) in enumerate((("p", _along_p), ("k", _along_k))):
        say(f"{prefix}sweep of {name}")
        tables[name] = [
            sweep(
                conditions, p=p, k=k, reading=reading, repetitions=repetitions,
                rng=np.random.default_rng([seed, number, position, READINGS.index(reading)]),
            )
            for reading in READINGS
            for position, (p, k) in enumerate(along())
        ]  # fmt: skip
        _write_csv(out / f"{prefix}sweep-{name}.csv", tables[name], Point)
        _write_picture(out / f"{prefix}sweep-{name}.svg", tables[name], name, repetitions, conditions)
        written += [f"{prefix}sweep-{name}.csv", f"{prefix}sweep-{name}.svg"]
    document: dict[str, Any] = {
        "seed": seed,
        "repetitions": repetitions,
        "conditions": {name: value for name, value in asdict(conditions).items() if value is not None},
        "sweeps": {name: [_finite(asdict(point)) for point in points] for name, points in tables.items()},
    }
    if conditions.rows is None:
        say("leak of the older grouping model")
        leaks = [
            (p, *leak(conditions, p, repetitions, np.random.default_rng([seed, 2, position])))
            for position, p in enumerate(GRID)
        ]
        names = ("p", "recognised", "recognised_se", "expected")
        document["older_grouping_leak"] = [dict(zip(names, line, strict=True)) for line in leaks]
        _write_rows(out / "leak.csv", names, leaks)
        say("mechanisms at equal privacy")
        points = [
            point
            for position, n in enumerate(SIZES)
            for point in compare_mechanisms(
                n, repetitions=repetitions, rng=np.random.default_rng([seed, 3, position])
            )
        ]
        document["mechanisms"] = {"gamma": GAMMA, "points": [_finite(asdict(point)) for point in points]}
        _write_csv(out / "mechanisms.csv", points, MechanismPoint)
        _write_mechanisms(out / "mechanisms.svg", points, repetitions)
        written += ["leak.csv", "mechanisms.csv", "mechanisms.svg"]
    (out / f"{prefix}experiment.json").write_text(
        json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8"
    )
    return written


def _along_p() -> list[tuple[float, float]]:
    return [(p, K_AT) for p in GRID]


def _along_k() -> list[tuple[float, float]]:
    return [(P_AT, k) for k in GRID]


def _write_picture(
    path: Path, points: Sequence[Point], name: str, repetitions: int, conditions: Conditions
) -> None:
    series = []
    for reading in READINGS:
        own = [point for point in points if point.reading == reading]
        series.append(
            Series(
                label=NAMES[reading],
                x=[getattr(point, name) for point in own],
                y=[point.error for point in own],
                errors=[BAR * point.error_se for point in own],
                expected=[point.expected for point in own],
            )
        )
    fixed = f"k = {K_AT:g}" if name == "p" else f"p = {P_AT:g}"
    title = f"Error W by {name}: {fixed}, θ = {conditions.theta:g}; lines: formula"
    bars = BARS.format(repetitions=repetitions)
    picture = curves_svg(series, title=title, x_label=NAMES[name], y_label=ERROR, bars=bars)
    path.write_text(picture + "\n", encoding="utf-8")


def _write_mechanisms(path: Path, points: Sequence[MechanismPoint], repetitions: int) -> None:
    names = list(dict.fromkeys(point.mechanism for point in points))
    series = []
    for name in names:
        own = [point for point in points if point.mechanism == name and point.size == 3]
        series.append(
            Series(
                label=NAMES[name],
                x=[point.n for point in own],
                y=[point.error for point in own],
                errors=[BAR * point.error_se for point in own],
            )
        )
    title = f"Error of itemsets of 3 at equal privacy, γ = {GAMMA:g}"
    bars = BARS.format(repetitions=repetitions)
    picture = curves_svg(
        series, title=title, x_label="rows", y_label=ERROR, bars=bars, log_x=True, log_y=True
    )
    path.write_text(picture + "\n", encoding="utf-8")


def _write_csv(path: Path, points: Sequence[Any], kind: type[Any]) -> None:
    names = tuple(field.name for field in fields(kind))
    _write_rows(path, names, ([getattr(point, name) for name in names] for point in points))


def _write_rows(path: Path, names: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for row in rows:
            writer.writerow([_cell(value) for value in row])


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return value


def _finite(record: dict[str, Any]) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in record.items()
    }
