"""`manage.py simulate`: made-up respondents, disguised by the product's own code, and what is found again."""

import json
import secrets
from dataclasses import asdict
from typing import Any

import numpy as np
from django.core.management.base import CommandParser

from mining.simulation import simulate, study_design, true_rows
from privacy.coins import SCALE
from surveys.errors.error import refused
from surveys.management.arguments import block_sizes, shares, ten_thousandths
from surveys.management.refusing import RefusingCommand
from trials.studies.simulated_supports import SimulatedSupport, simulated_supports

MOST_RESPONDENTS = 5_000_000


class Command(RefusingCommand):
    """Simulate one survey of yes/no questions."""

    help = (
        "Draw respondents with known true answers, disguise them one by one with the code that devices are "
        "held to, and print for each itemset the true, observed and estimated support, the standard error "
        "(about these respondents: the disguise alone) and W = |true - estimated|. The same seed prints the "
        "same figures."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the parameters of the simulated survey."""
        parser.add_argument("--n", type=int, default=20_000, help="respondents (default: 20000)")
        parser.add_argument("--items", type=int, help="yes/no questions in one block (default: 3)")
        parser.add_argument(
            "--blocks",
            type=block_sizes,
            metavar="3,3",
            help="questions of each block; where given, it decides, and not --items",
        )
        parser.add_argument("--k", type=float, default=0.2, help="chance to answer directly (default: .2)")
        parser.add_argument(
            "--p", type=ten_thousandths, default="0.3", help="truth probability of a block (default: .3)"
        )
        parser.add_argument(
            "--theta",
            type=ten_thousandths,
            default="0.6",
            help='chance of "yes" on the unrelated question (default: .6)',
        )
        parser.add_argument(
            "--prevalence",
            type=shares,
            metavar=".1,.2,.3",
            help="true share of each item; one number serves all (default: evenly from .1 to .4)",
        )
        parser.add_argument(
            "--dependence",
            type=float,
            default=0.3,
            help="chance that the items of a respondent hang together (default: .3)",
        )
        parser.add_argument("--estimator", choices=("stratified", "pooled"), default="stratified")
        parser.add_argument("--max-size", type=int, default=3, help="longest itemset (default: 3)")
        parser.add_argument("--seed", type=int, help="default: drawn anew, and printed")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        """Simulate and print."""
        report = self._report(options)
        self.stdout.write(json.dumps(report, indent=2) if options["json"] else _table(report))

    def _report(self, options: dict[str, Any]) -> dict[str, Any]:
        for name, low, high in (("n", 1, MOST_RESPONDENTS), ("items", 1, None), ("max_size", 1, None)):
            value = options[name]
            if value is not None and (value < low or (high is not None and value > high)):
                limits = f"at least {low}" + ("" if high is None else f" and at most {high}")
                raise refused("simulate.range", name=name.replace("_", "-"), given=value, limits=limits)
        if not 0 <= options["k"] <= 1:
            raise refused("simulate.k", k=options["k"])
        blocks = options["blocks"] or (options["items"] or 3,)
        design = study_design(blocks, truth_probability=options["p"], unrelated=options["theta"])
        prevalences = options["prevalence"] or tuple(np.linspace(0.1, 0.4, sum(blocks)).round(4).tolist())
        if len(prevalences) == 1:
            prevalences *= sum(blocks)
        if len(prevalences) != sum(blocks):
            raise refused("simulate.prevalence", count=len(prevalences), total=sum(blocks))
        seed = options["seed"] if options["seed"] is not None else secrets.randbits(32)
        if seed < 0:
            raise refused("option.seed", seed=seed)
        rng = np.random.default_rng(seed)
        truth = true_rows(options["n"], prevalences, options["dependence"], rng)
        matrix = simulate(design, truth, rng.random(len(truth)) < options["k"], rng)
        size = min(options["max_size"], sum(blocks))
        supports = simulated_supports(matrix, truth, max_size=size, estimator=options["estimator"])
        return {
            "n": matrix.n,
            "n_direct": matrix.n_direct,
            "n_protected": matrix.n_protected,
            "k": options["k"],
            "p": options["p"] / SCALE,
            "theta": options["theta"] / SCALE,
            "blocks": list(blocks),
            "prevalence": list(prevalences),
            "dependence": options["dependence"],
            "estimator": options["estimator"],
            "seed": seed,
            "design_id": design.design_id,
            "itemsets": [_itemset(support) for support in supports],
            "mean_W": float(np.mean([support.error for support in supports])),
        }


def _itemset(support: SimulatedSupport) -> dict[str, Any]:
    row = asdict(support)
    row["W"] = row.pop("error")
    return row


def _table(report: dict[str, Any]) -> str:
    rows = [(" & ".join(row["items"]), row) for row in report["itemsets"]]
    width = max(len(name) for name, _ in rows)
    head = f"{'itemset':{width}}  {'true':>8}  {'observed':>8}  {'estimate':>8}  {'SE':>8}  {'W':>8}"
    lines = [
        f"{name:{width}}  "
        + "  ".join(f"{row[key]:8.4f}" for key in ("true", "observed", "estimated", "standard_error", "W"))
        for name, row in rows
    ]
    parameters = ", ".join(
        f"{name} {report[name]}" for name in ("n", "n_direct", "p", "theta", "blocks", "estimator", "seed")
    )
    return "\n".join([parameters, head, *lines, f"mean W {report['mean_W']:.4f}"])
