"""A command that runs the experiment of a paper again and writes it down."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandParser

from releases.microdata.progress import ProgressBar
from surveys.errors.error import refused
from surveys.management.refusing import RefusingCommand
from trials.pages.paper import Paper, Progress, Tables

__all__ = ["PaperCommand"]


class PaperCommand(RefusingCommand):
    """Run, write, and say which facts came out; a command names its paper.

    Exit code 1 when a fact does not come out, 2 for a number out of range.
    """

    paper: ClassVar[Paper]

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the numbers of the paper, and where to write."""
        for number in self.paper.numbers:
            parser.add_argument(
                f"--{number.name}", type=int, default=number.full, help=f"default: {number.full}"
            )
        parser.add_argument("--out", required=True, type=Path, help="directory for the files")

    def tables(self, options: dict[str, Any], parameters: dict[str, int], progress: Progress) -> Tables:
        """Return what a run with these options gives; what it finds of a file may change a parameter."""
        return self.paper.run(parameters, progress)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run and write."""
        parameters = {}
        for number in self.paper.numbers:
            value = options[number.name]
            if not number.least <= value <= number.most:
                raise refused(
                    "paper.number",
                    name=number.name, given=value, least=number.least, most=number.most, returncode=2,
                )  # fmt: skip
            parameters[number.name] = value
        with closing(ProgressBar(sys.stderr)) as bar:
            tables = self.tables(options, parameters, bar)
        given, out = options.get("data"), options["out"]
        files = self.paper.files(tables, parameters, Path(given).name if given else "")
        try:
            out.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (out / name).write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise refused("option.out", out=out, error=error) from error
        facts = self.paper.facts(tables, parameters)
        for fact in facts:
            self.stdout.write(f"{'yes' if fact.holds else 'NO '} {fact.name}: {fact.figure}")
        self.stdout.write(f"written to {out}: {', '.join(sorted(files))}")
        if not all(fact.holds for fact in facts):
            raise refused("paper.facts", returncode=1)
