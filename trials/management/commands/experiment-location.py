"""`manage.py experiment-location`: the square mechanisms compared, on drawn places and on those of a file."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandParser

from surveys.errors.error import refused
from surveys.management.refusing import RefusingCommand
from trials.pages.location_experiment import drawn_places, file_places, write_location_experiment

NAMES = (("lat", "latitude"), ("lon", "lng", "longitude"))


class Command(RefusingCommand):
    """Repeat the source's experiment on places, in kind."""

    help = (
        "Compare the square mechanism, its utility-optimised form, randomised response on tiles, the "
        "piecewise mechanism and planar Laplace: width against epsilon 1 to 20; one central region, four "
        "corner regions (epsilon 5 to 20); 2, 4 and 6 random regions (10 to 20). Writes CSV, JSON and SVG. "
        "The same seed writes the same CSV, byte by byte."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what may be varied."""
        parser.add_argument("--seed", type=int, default=8, help="default: 8")
        parser.add_argument("--repetitions", type=int, default=10, help="default: 10")
        parser.add_argument("--n", type=int, default=2_000, help="places of each drawn kind (default: 2000)")
        parser.add_argument("--out", required=True, type=Path, help="directory for the files")
        parser.add_argument(
            "--data", type=Path, help="CSV file with columns lat and lon, in degrees: these as well"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run and write."""
        for name, least in (("seed", 0), ("repetitions", 2), ("n", 10)):
            if options[name] < least:
                raise refused("location.too_small", name=name, given=options[name], least=least)
        out: Path = options["out"]
        try:
            out.mkdir(parents=True, exist_ok=True)
            places = drawn_places(options["n"])
            if options["data"]:
                places.append(file_places(_degrees(options["data"])))
            write_location_experiment(
                out, places, seed=options["seed"], repetitions=options["repetitions"], say=self.stderr.write
            )
        except OSError as error:
            raise refused("option.out", out=out, error=error) from error
        self.stdout.write(f"written to {out}: {', '.join(sorted(path.name for path in out.iterdir()))}")


def _degrees(path: Path) -> Any:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *lines = list(csv.reader(file)) or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise refused("location.file", path=path, error=error) from error
    names = [name.strip().lower() for name in header]
    columns = [next((names.index(name) for name in known if name in names), None) for known in NAMES]
    if None in columns:
        raise refused("location.columns", path=path, header=", ".join(header))
    places = []
    for number, line in enumerate(lines, start=2):
        try:
            places.append([float(line[column]) for column in columns if column is not None])
        except (ValueError, IndexError):
            raise refused("location.line", path=path, number=number, line=",".join(line)) from None
    return np.array(places).reshape(-1, 2)
