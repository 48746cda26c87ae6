"""`manage.py coverage`: how often the intervals hold the truth, as a page, a picture and a table."""

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from surveys.errors.error import refused
from trials.pages.coverage_page import coverage_page, coverage_svg
from trials.pages.number_coverage_page import number_coverage_page, number_coverage_records
from trials.pages.rare_coverage_page import rare_coverage_page
from trials.pages.regression_coverage_page import regression_coverage_page, regression_coverage_records
from trials.studies.coverage import CoveragePoint, coverage, grid, rare_grid
from trials.studies.number_coverage import number_coverage, number_grid
from trials.studies.regression_coverage import regression_coverage, regression_grid

Surveyed = TypeVar("Surveyed")
Point = TypeVar("Point")

COLUMNS = (
    "measure", "n", "blocks", "asks", "of", "p", "p0", "theta", "k", "a", "b", "lift", "few_rows", "accepted",
    "held", "not_estimable", "held_estimable",
)  # fmt: skip


class Command(BaseCommand):
    """Measure coverage."""

    help = (
        "Draw surveys over a grid and count how often 95 % intervals hold the truth of the population. "
        "Rules: every measure over n, blocks, p, p0, theta and k, with self-selection, into coverage.md, "
        ".svg and .csv; rare items, into coverage-rare.md. "
        "Numbers: quantiles and bars over shapes, mechanisms, epsilon, n and skips, into "
        "coverage-numbers.md and .csv. Regressions: coefficients and a standardised difference over n, p and "
        "what is disguised, into coverage-regressions.md and .csv. The same seed writes the same figures."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what may be varied."""
        parser.add_argument("--repetitions", type=int, default=4_000, help="surveys a point (default: 4000)")
        parser.add_argument("--seed", type=int, default=11, help="default: 11")
        parser.add_argument("--out", required=True, type=Path, help="directory for the files")
        parser.add_argument(
            "--every", type=int, default=1, help="take every so many surveys one (default: 1)"
        )
        parser.add_argument(
            "--part",
            choices=("all", "rules", "rare", "numbers", "regressions"),
            default="all",
            help="which intervals: of rules, of rare items or of numbers (minutes), of regressions (half an "
            "hour), or all (default)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure and write."""
        for name, least in (("repetitions", 100), ("seed", 0), ("every", 1)):
            if options[name] < least:
                raise refused("coverage.too_small", name=name, given=options[name], least=least)
        out: Path = options["out"]
        # Half an hour of counting should not end at a folder that cannot be.
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refused("option.out", out=out, error=error) from error
        command = f"manage.py coverage --repetitions {options['repetitions']} --seed {options['seed']}"
        if options["every"] > 1:
            command += f" --every {options['every']}"
        if options["part"] != "all":
            command += f" --part {options['part']}"
        today = timezone.now().date()
        try:
            if options["part"] in ("all", "rules"):
                points = self._points(list(grid()), coverage, options)
                _write(out / "coverage.md", coverage_page(points, command=command, date=today))
                _write(out / "coverage.svg", coverage_svg(points) + "\n")
                _table(out / "coverage.csv", [COLUMNS, *(_record(point) for point in points)])
            if options["part"] in ("all", "rare"):
                rare = self._points(list(rare_grid()), coverage, options)
                _write(out / "coverage-rare.md", rare_coverage_page(rare, command=command, date=today))
            if options["part"] in ("all", "numbers"):
                measured = self._points(list(number_grid()), number_coverage, options)
                _write(
                    out / "coverage-numbers.md", number_coverage_page(measured, command=command, date=today)
                )
                _table(out / "coverage-numbers.csv", number_coverage_records(measured))
            if options["part"] in ("all", "regressions"):
                fitted = self._points(list(regression_grid()), regression_coverage, options)
                page = regression_coverage_page(fitted, command=command, date=today)
                _write(out / "coverage-regressions.md", page)
                _table(out / "coverage-regressions.csv", regression_coverage_records(fitted))
        except OSError as error:
            raise refused("option.out", out=out, error=error) from error
        self.stdout.write(
            f"written to {out}: " + ", ".join(sorted(path.name for path in out.glob("coverage*")))
        )

    def _points(
        self, surveys: list[Surveyed], measured: Callable[..., list[Point]], options: dict[str, Any]
    ) -> list[Point]:
        points: list[Point] = []
        taken = surveys[:: options["every"]]
        for position, survey in enumerate(taken):
            rng = np.random.default_rng([options["seed"], position])
            points += measured(survey, repetitions=options["repetitions"], rng=rng)
            if position % 48 == 47:
                self.stderr.write(f"{position + 1} of {len(taken)} surveys")
        return points


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _table(path: Path, records: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(records)


def _record(point: CoveragePoint) -> list[Any]:
    survey = point.survey
    shares = [f"{value:.4f}" for value in (point.accepted, point.held, point.not_estimable)]
    among = "" if math.isnan(point.held_estimable) else f"{point.held_estimable:.4f}"
    return [
        point.measure, survey.n, survey.blocks, *(survey.asks or ("", "")), survey.p, survey.light,
        survey.theta, survey.k, *survey.protected, int(survey.few_rows), *shares, among,
    ]  # fmt: skip
