"""Measure how often 95% intervals contain the population value; write pages, a chart and tables.

    python -m benchmarks.coverage --out DIR [--part rules] [--repetitions 4000] [--seed 11] [--every 1]

Rules: all measures for varying n, blocks, p, p0, theta and k, with self-selection (coverage.md, .svg and
.csv). Rare: rare items (coverage-rare.md and .csv). Numbers: quantiles and bars for varying shapes,
mechanisms, epsilon, n and skips (coverage-numbers.md and .csv). Regressions: coefficients and a standardised
difference for varying n, p and disguised sides (coverage-regressions.md and .csv). Each part runs for
minutes. The same seed gives the same figures. The pages in docs/evidence were written by this program.
"""

from __future__ import annotations

import argparse
import datetime
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from benchmarks.coverage.numbers import (
    number_coverage,
    number_coverage_page,
    number_coverage_records,
    number_grid,
)
from benchmarks.coverage.rare import rare_coverage_page, rare_coverage_records
from benchmarks.coverage.regressions import (
    regression_coverage,
    regression_coverage_page,
    regression_coverage_records,
    regression_grid,
)
from benchmarks.coverage.rules import CoveragePoint, coverage, coverage_page, coverage_svg, grid, rare_grid
from benchmarks.tables import write_csv

Surveyed = TypeVar("Surveyed")
Point = TypeVar("Point")

PARTS = ("rules", "rare", "numbers", "regressions")
COLUMNS = (
    "measure", "n", "blocks", "asks", "of", "p", "p0", "theta", "k", "a", "b", "lift", "few_rows", "accepted",
    "held", "not_estimable", "held_estimable",
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, and write the files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage")
    parser.add_argument("--out", required=True, type=Path, help="folder for the files")
    parser.add_argument("--part", choices=PARTS, help="only these intervals (default: all)")
    parser.add_argument("--repetitions", type=int, default=4_000, help="surveys a point (default: 4000)")
    parser.add_argument("--seed", type=int, default=11, help="default: 11")
    parser.add_argument("--every", type=int, default=1, help="measure every so many surveys one (default: 1)")
    options = parser.parse_args(argv)
    if options.repetitions < 100 or options.every < 1:
        parser.error("--repetitions needs at least 100, --every at least 1")
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    command = f"python -m benchmarks.coverage --repetitions {options.repetitions} --seed {options.seed}"
    command += f" --every {options.every}" if options.every > 1 else ""
    command += f" --part {options.part}" if options.part else ""
    today = datetime.datetime.now(datetime.UTC).date()
    parts = (options.part,) if options.part else PARTS
    if "rules" in parts:
        points = measured(list(grid()), coverage, options)
        write(out / "coverage.md", coverage_page(points, command=command, date=today))
        write(out / "coverage.svg", coverage_svg(points) + "\n")
        write_csv(out / "coverage.csv", [COLUMNS, *(record(point) for point in points)])
    if "rare" in parts:
        rare = measured(list(rare_grid()), coverage, options)
        write(out / "coverage-rare.md", rare_coverage_page(rare, command=command, date=today))
        write_csv(out / "coverage-rare.csv", rare_coverage_records(rare))
    if "numbers" in parts:
        of_numbers = measured(list(number_grid()), number_coverage, options)
        write(out / "coverage-numbers.md", number_coverage_page(of_numbers, command=command, date=today))
        write_csv(out / "coverage-numbers.csv", number_coverage_records(of_numbers))
    if "regressions" in parts:
        fitted = measured(list(regression_grid()), regression_coverage, options)
        write(out / "coverage-regressions.md", regression_coverage_page(fitted, command=command, date=today))
        write_csv(out / "coverage-regressions.csv", regression_coverage_records(fitted))
    print(f"written to {out}: " + ", ".join(sorted(path.name for path in out.glob("coverage*"))))


def measured(
    surveys: list[Surveyed], measure: Callable[..., list[Point]], options: argparse.Namespace
) -> list[Point]:
    """Return the points of the surveys that the options select; each survey has its own random generator."""
    points: list[Point] = []
    chosen = surveys[:: options.every]
    for position, survey in enumerate(chosen):
        rng = np.random.default_rng([options.seed, position])
        points += measure(survey, repetitions=options.repetitions, rng=rng)
        if position % 48 == 47:
            print(f"{position + 1} of {len(chosen)} surveys", file=sys.stderr)
    return points


def write(path: Path, text: str) -> None:
    """Write a page or a chart."""
    path.write_text(text, encoding="utf-8")


def record(point: CoveragePoint) -> list[Any]:
    """Return the line of a point in coverage.csv."""
    survey = point.survey
    shares = [f"{value:.4f}" for value in (point.accepted, point.held, point.not_estimable)]
    among = "" if math.isnan(point.held_estimable) else f"{point.held_estimable:.4f}"
    return [
        point.measure, survey.n, survey.blocks, *(survey.asks or ("", "")), survey.p, survey.light,
        survey.theta, survey.k, *survey.protected, int(survey.few_rows), *shares, among,
    ]  # fmt: skip


if __name__ == "__main__":
    main()
