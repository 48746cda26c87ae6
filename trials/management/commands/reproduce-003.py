"""`manage.py reproduce-003 --out DIR [--data adult.data]`: the experiment of Zhu et al. 2010 in kind."""

import json
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandParser

from releases.microdata.progress import ProgressBar
from releases.microdata.writing import directory_publish
from surveys.charts.curves import Series, curves_svg
from surveys.errors.error import refused
from surveys.management.refusing import RefusingCommand
from trials.pages.reported_facts import facts
from trials.pages.reproduction import FIGURES, NAMES, SIZES, adult_read, experiment, points_csv, sample_table


class Command(RefusingCommand):
    """Reproduce the figures."""

    help = (
        "Time, loss, one-value classes and changed values of the three algorithms against k, on Adult where "
        "its file is given, else on a made-up sample. Exit code 1 when a reported fact does not come out."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the data, the seed and where to write."""
        parser.add_argument("--out", type=Path, required=True, help="the new directory")
        parser.add_argument("--data", type=Path, help="adult.data of the UCI repository")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--rows", type=int, default=3000, help="size of the made-up sample")
        parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="values of k, by commas")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run, write, and say which facts came out."""
        try:
            sizes = sorted({int(text) for text in options["sizes"].split(",")})
        except ValueError as error:
            raise refused("reproduce.sizes", sizes=options["sizes"], returncode=2) from error
        for name, least in (("seed", 0), ("rows", 1)):
            if options[name] < least:
                raise refused(
                    "reproduce.too_small", name=name, given=options[name], least=least, returncode=2
                )
        with closing(ProgressBar(sys.stderr)) as bar:
            if options["data"] is not None:
                table, hierarchies = adult_read(options["data"])
            else:
                table, hierarchies = sample_table(np.random.default_rng(options["seed"]), options["rows"])
            points = experiment(table, hierarchies, seed=options["seed"], sizes=sizes, progress=bar)
            judged = facts(points, len(table))
            directory_publish(options["out"], _files(points, judged))
            bar("done", 1, 1)
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        "records": len(table),
                        "points": [asdict(point) for point in points],
                        "facts": [asdict(fact) for fact in judged],
                    }
                )
            )
        else:
            for fact in judged:
                self.stdout.write(f"{'yes' if fact.holds else 'NO '} {fact.name}: {fact.figure}")
        if not all(fact.holds for fact in judged):
            raise refused("reproduce.facts", returncode=1)


def _files(points: Any, judged: Any) -> dict[str, bytes]:
    files = {
        "README.md": _page(judged).encode(),
        "points.csv": points_csv(points).encode(),
        "facts.json": (json.dumps([asdict(fact) for fact in judged], indent=1) + "\n").encode(),
    }
    for number, (field, (title, height)) in enumerate(FIGURES.items(), start=5):
        series = []
        for algorithm, name in NAMES.items():
            own = [point for point in points if point.algorithm == algorithm]
            heights = [getattr(point, field) for point in own]
            series.append(Series(label=name, x=[point.k for point in own], y=heights))
        picture = curves_svg(
            series, title=title, x_label="k, least records of a class", y_label=height, log_x=True
        )
        files[f"figure-{number}.svg"] = f"{picture}\n".encode()
    return files


def _page(judged: Any) -> str:
    """Write the page that shows pictures and facts."""
    lines = ["# The experiment of Zhu, Zhao and Wang (2010), again", ""]
    lines += [
        "Written by `manage.py reproduce-003`; the figures behind it are in [points.csv](points.csv).",
        "",
    ]
    for number, (title, _height) in enumerate(FIGURES.values(), start=5):
        lines += [f"![{title}](figure-{number}.svg)", ""]
    lines += ["| reported, or seen here | comes out | figures |", "|---|---|---|"]
    lines += [f"| {fact.name} | {'yes' if fact.holds else 'no'} | {fact.figure} |" for fact in judged]
    return "\n".join(lines) + "\n"
