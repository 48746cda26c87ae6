"""`manage.py coverage`: how often the intervals hold the truth, as a page, a picture and a table."""

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from mining.coverage import CoveragePoint, coverage, grid
from surveys.coverage_page import coverage_page, coverage_svg

COLUMNS = (
    "measure", "n", "blocks", "p", "theta", "k", "a", "b", "lift", "few_rows", "accepted", "held",
    "not_estimable", "held_estimable",
)  # fmt: skip


class Command(BaseCommand):
    """Measure coverage."""

    help = (
        "Draw surveys over a grid of n, blocks, p, theta and k, with self-selection, and count how often the "
        "95 % interval of each measure holds the truth of the population. Writes coverage.md, coverage.svg "
        "and coverage.csv. The same seed writes the same figures."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what may be varied."""
        parser.add_argument("--repetitions", type=int, default=4_000, help="surveys a point (default: 4000)")
        parser.add_argument("--seed", type=int, default=11, help="default: 11")
        parser.add_argument("--out", required=True, type=Path, help="directory for the files")
        parser.add_argument(
            "--every", type=int, default=1, help="take every so many surveys one (default: 1)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure and write."""
        for name, least in (("repetitions", 100), ("seed", 0), ("every", 1)):
            if options[name] < least:
                raise CommandError(f"--{name} {options[name]} is too small; give at least {least}")
        out: Path = options["out"]
        # Half an hour of counting should not end at a folder that cannot be.
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error}") from error
        surveys = list(grid())[:: options["every"]]
        points: list[CoveragePoint] = []
        for place, survey in enumerate(surveys):
            rng = np.random.default_rng([options["seed"], place])
            points += coverage(survey, repetitions=options["repetitions"], rng=rng)
            if place % 48 == 47:
                self.stderr.write(f"{place + 1} of {len(surveys)} surveys")
        command = f"manage.py coverage --repetitions {options['repetitions']} --seed {options['seed']}"
        if options["every"] > 1:
            command += f" --every {options['every']}"
        try:
            page = coverage_page(points, command=command, date=timezone.now().date())
            (out / "coverage.md").write_text(page, encoding="utf-8")
            (out / "coverage.svg").write_text(coverage_svg(points) + "\n", encoding="utf-8")
            with (out / "coverage.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(COLUMNS)
                writer.writerows(_record(point) for point in points)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error}") from error
        self.stdout.write(f"written to {out}: coverage.csv, coverage.md, coverage.svg")


def _record(point: CoveragePoint) -> list[Any]:
    survey = point.survey
    shares = [f"{value:.4f}" for value in (point.accepted, point.held, point.not_estimable)]
    among = "" if math.isnan(point.held_estimable) else f"{point.held_estimable:.4f}"
    return [
        point.measure, survey.n, survey.blocks, survey.p, survey.theta, survey.k, *survey.protected,
        int(survey.few_rows), *shares, among,
    ]  # fmt: skip
