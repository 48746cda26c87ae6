"""`manage.py experiment`: the source's experiment, repeated, with errors and against its formulas."""

from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandParser
from statsmodels.datasets import fair

from privacy.arrays import Flags
from surveys.errors.error import refused
from surveys.management.refusing import RefusingCommand
from surveys.management.versions import survey_of
from trials.management.zero_one import zero_one_file
from trials.pages.experiments import write_experiment
from trials.pages.privacy_curve import write_privacy_curves
from trials.studies.experiment import Conditions

MOST_COLUMNS = 10


class Command(RefusingCommand):
    """Repeat the source's experiment."""

    help = (
        "Draw 10,000 transactions of 3 attributes, disguise them, and measure how far the supports of the "
        "frequent itemsets are off: over p at k = .2 and over k at p = .3, theta = .6, both with k as the "
        "direct share (the source's equations) and as the disguised share (its section 4). Writes CSV, JSON "
        "and SVG. The same seed writes the same CSV, byte by byte."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what may be varied."""
        parser.add_argument("--seed", type=int, default=5, help="default: 5")
        parser.add_argument("--repetitions", type=int, default=100, help="default: 100")
        parser.add_argument("--out", required=True, type=Path, help="directory for the files")
        parser.add_argument("--data", help='CSV file of 0 and 1 with a header, or "fair": real rows as well')
        parser.add_argument("--survey", help="slug: only its error against its privacy, from its newest run")
        parser.add_argument("--n", type=int, default=10_000, help="transactions (default: 10000)")
        parser.add_argument("--prevalence", default=".3,.4,.5", help="of the attributes (default: .3,.4,.5)")
        parser.add_argument("--dependence", type=float, default=0.3, help="default: .3")
        parser.add_argument("--support", type=float, default=0.1, help="frequent from here on (default: .1)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run and write."""
        if options["repetitions"] < 2:
            raise refused("experiment.repetitions", repetitions=options["repetitions"])
        if options["seed"] < 0:
            raise refused("option.seed", seed=options["seed"])
        try:
            shares = tuple(float(part) for part in options["prevalence"].split(","))
        except ValueError:
            raise refused("experiment.prevalence", prevalence=options["prevalence"]) from None
        if not 1 <= len(shares) <= MOST_COLUMNS or not all(0 <= share <= 1 for share in shares):
            raise refused("experiment.prevalence_range", prevalence=options["prevalence"], most=MOST_COLUMNS)
        out: Path = options["out"]
        try:
            out.mkdir(parents=True, exist_ok=True)
            if options["survey"]:
                self._of_survey(out, options["survey"])
                return
            conditions = Conditions(
                n=options["n"],
                prevalences=shares,
                dependence=options["dependence"],
                support=options["support"],
            )
            real = None
            if options["data"]:
                real = Conditions(support=options["support"], rows=_patterns(_rows(options["data"])))
            same = {"seed": options["seed"], "repetitions": options["repetitions"], "say": self.stderr.write}
            written = write_experiment(out, conditions, **same)
            if real is not None:
                written += write_experiment(out, real, prefix="data-", **same)
        except OSError as error:
            raise refused("option.out", out=out, error=error) from error
        self.stdout.write(f"written to {out}: {', '.join(sorted(written))}")

    def _of_survey(self, out: Path, slug: str) -> None:
        names = ", ".join(write_privacy_curves(out, survey_of(slug)))
        self.stdout.write(f"written to {out}: {names}, as CSV and SVG")


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
