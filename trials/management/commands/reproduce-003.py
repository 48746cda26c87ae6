"""`manage.py reproduce-003 --out DIR [--data adult.data]`: the experiment of Zhu et al. 2010 in kind."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from trials.management.paper_command import PaperCommand
from trials.pages.paper import Progress, Tables
from trials.pages.reproduction import RELEASE, adult_read, release_run


class Command(PaperCommand):
    """Reproduce the figures."""

    help = (
        "Time, loss, one-value classes and changed values of the three algorithms against k, on Adult where "
        "its file is given, else on a made-up sample. Exit code 1 when a reported fact does not come out."
    )
    paper = RELEASE

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the data."""
        super().add_arguments(parser)
        parser.add_argument("--data", type=Path, help="adult.data of the UCI repository")

    def tables(self, options: dict[str, Any], parameters: dict[str, int], progress: Progress) -> Tables:
        """Take Adult in place of the made-up sample."""
        if options["data"] is None:
            return super().tables(options, parameters, progress)
        data = adult_read(options["data"])
        parameters["rows"] = len(data[0])
        return release_run(parameters, progress, data)
