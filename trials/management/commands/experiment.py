"""`manage.py experiment`: the experiment on groups and unrelated questions, against its formulas."""

from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandParser
from statsmodels.datasets import fair

from privacy.arrays import Flags
from surveys.errors.error import refused
from surveys.management.versions import survey_of
from trials.management.paper_command import PaperCommand
from trials.management.zero_one import zero_one_file
from trials.pages.experiments import GROUPING, grouping_run
from trials.pages.paper import Progress, Tables
from trials.pages.privacy_curve import write_privacy_curves
from trials.studies.experiment import Conditions

MOST_COLUMNS = 10


class Command(PaperCommand):
    """Repeat the source's experiment."""

    help = (
        "Draw 10,000 transactions of 3 attributes, disguise them, and measure how far the supports of the "
        "frequent itemsets are off: over p at k = .2 and over k at p = .3, theta = .6, both with k as the "
        "direct share (the source's equations) and as the disguised share (its section 4). Writes CSV, JSON, "
        "SVG and a page. The same seed writes the same files, byte by byte."
    )
    paper = GROUPING

    def add_arguments(self, parser: CommandParser) -> None:
        """Add other rows."""
        super().add_arguments(parser)
        parser.add_argument("--data", help='CSV file of 0 and 1 with a header, or "fair": real rows as well')
        parser.add_argument("--survey", help="slug: only its error against its privacy, from its newest run")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run and write."""
        if not options["survey"]:
            super().handle(*args, **options)
            return
        out: Path = options["out"]
        try:
            out.mkdir(parents=True, exist_ok=True)
            names = ", ".join(write_privacy_curves(out, survey_of(options["survey"])))
        except OSError as error:
            raise refused("option.out", out=out, error=error) from error
        self.stdout.write(f"written to {out}: {names}, as CSV and SVG")

    def tables(self, options: dict[str, Any], parameters: dict[str, int], progress: Progress) -> Tables:
        """Sweep real rows as well."""
        real = Conditions(rows=_patterns(_rows(options["data"]))) if options["data"] else None
        return grouping_run(parameters, progress, real)


def _rows(name: str) -> Flags:
    if name == "fair":
        data = fair.load_pandas().data
        columns = (data["affairs"] > 0, data["rate_marriage"] <= 3, data["religious"] <= 2)
        return np.stack([column.to_numpy(dtype=bool) for column in columns], axis=1)
    table = zero_one_file(Path(name))
    if not 1 <= len(table.header) <= MOST_COLUMNS:
        raise refused("experiment.columns", name=name, count=len(table.header), most=MOST_COLUMNS)
    return np.stack([table.column(column) for column in table.header], axis=1)


def _patterns(rows: Flags) -> tuple[int, ...]:
    weights = 1 << np.arange(rows.shape[1])[::-1]
    return tuple(np.bincount(rows @ weights, minlength=1 << rows.shape[1]).tolist())
