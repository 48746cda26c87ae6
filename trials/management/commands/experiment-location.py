"""`manage.py experiment-location`: the square mechanisms compared, on drawn places and on those of a file."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandParser

from surveys.errors.error import refused
from trials.management.paper_command import PaperCommand
from trials.pages.location_experiment import LOCATION, drawn_places, file_places, location_run
from trials.pages.paper import Progress, Tables

NAMES = (("lat", "latitude"), ("lon", "lng", "longitude"))


class Command(PaperCommand):
    """Repeat the source's experiment on places, in kind."""

    help = (
        "Compare the square mechanism, its utility-optimised form, randomised response on tiles, the "
        "piecewise mechanism and planar Laplace: width against epsilon 1 to 20; one central region, four "
        "corner regions (epsilon 5 to 20); 2, 4 and 6 random regions (10 to 20). Writes CSV, JSON, SVG and a "
        "page. The same seed writes the same files, byte by byte."
    )
    paper = LOCATION

    def add_arguments(self, parser: CommandParser) -> None:
        """Add other places."""
        super().add_arguments(parser)
        parser.add_argument(
            "--data", type=Path, help="CSV file with columns lat and lon, in degrees: these as well"
        )

    def tables(self, options: dict[str, Any], parameters: dict[str, int], progress: Progress) -> Tables:
        """Take places of a file as well."""
        places = drawn_places(parameters["n"])
        if options["data"]:
            places.append(file_places(_degrees(options["data"])))
        return location_run(parameters, progress, places)


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
