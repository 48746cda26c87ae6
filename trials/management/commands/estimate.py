"""`manage.py estimate`: a share from a file of a study model, or of an expression from a survey's answers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandParser

from mining.simulation import true_rows
from privacy.arrays import Flags
from privacy.coins import SCALE
from surveys.elsewhere.estimating import study_estimate
from surveys.elsewhere.methods import BY_KEY
from surveys.elsewhere.results import Result
from surveys.errors.error import refused
from surveys.figures.estimating import expression_estimate
from surveys.management.arguments import shares, ten_thousandths
from surveys.management.refusing import RefusingCommand
from surveys.management.versions import version_of
from surveys.tables.reading import table_open
from trials.management.commands.simulate import MOST_RESPONDENTS
from trials.management.zero_one import zero_one_file
from trials.studies.model_ladder import MODELS, Model, StudyEstimate, estimate_study
from trials.studies.study_simulation import draws_of, simulate_study

MOST_ATTRIBUTES = 10


class Command(RefusingCommand):
    """Estimate."""

    help = (
        "With --model: estimate the share of an attribute from a CSV file of disguised answers (0 and 1, a "
        "header line), or from respondents made up with --simulate. Without: estimate the share of an "
        "expression such as 'a and not b' from the answers of a survey."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what there is to estimate from."""
        parser.add_argument("source", nargs="?", help="CSV file with --model, else slug of a survey")
        parser.add_argument("--model", choices=dict.fromkeys([*MODELS, *BY_KEY]), help="study model")
        parser.add_argument(
            "--chance",
            action="append",
            metavar="NAME=.7",
            help="a chance of a design on paper, such as p=.7, p1=2/12 or yes=1/6; with it warner and "
            "unrelated have the errors of such studies, by n - 1",
        )
        parser.add_argument("--group", help="column that tells two samples apart, for designs on paper")
        parser.add_argument("--anchor", help="column of the anchor, for crosswise-anchor")
        parser.add_argument("--count", help="column that says how many respondents a row stands for")
        parser.add_argument("--number", type=int, help="cards of each respondent (kuk), or items of a list")
        parser.add_argument("--lines", help="chances for forced-categories and channel, lines between ';'")
        parser.add_argument(
            "--theta", type=ten_thousandths, help="Warner's theta, or of the unrelated question"
        )
        parser.add_argument("--p", type=ten_thousandths, help="truth probability; not for warner")
        parser.add_argument(
            "--column",
            action="append",
            metavar="A,B",
            help="column to estimate; of several, with commas between them, grouping and improved estimate "
            "the share that shows them all, the other models each by itself (default: all)",
        )
        parser.add_argument("--direct", help="column that is 1 in rows of the direct group")
        parser.add_argument("--simulate", type=int, metavar="N", help="make up so many respondents instead")
        parser.add_argument(
            "--prevalence",
            type=shares,
            default=(0.1,),
            metavar=".1,.2",
            help="their true share of an attribute, or of each of several (default: .1)",
        )
        parser.add_argument(
            "--k", type=float, default=0.0, help="their chance to answer directly (default: 0)"
        )
        parser.add_argument("--seed", type=int, default=0, help="of the made-up respondents (default: 0)")
        parser.add_argument("--expression", help="for a survey: items with and, or, not and brackets")
        parser.add_argument("--estimator", choices=("stratified", "pooled"), default="stratified")
        parser.add_argument("--design", help="for a survey: the first digits of a design's id")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Estimate and print."""
        if _is_on_paper(options):
            result = _on_paper(options)
            self.stdout.write(json.dumps(result.record()) if options["json"] else _paper_text(result))
            return
        report = _from_model(options) if options["model"] else _from_survey(options)
        self.stdout.write(json.dumps(report) if options["json"] else _text(report))


def _is_on_paper(options: dict[str, Any]) -> bool:
    return options["model"] in BY_KEY and (options["model"] not in MODELS or bool(options["chance"]))


def _on_paper(options: dict[str, Any]) -> Result:
    """Estimate from a file of a study that no device disguised."""
    if not options["source"]:
        raise refused("estimate.answers")
    names = [name for given in options["column"] or () for name in given.split(",")]
    if len(names) != 1:
        raise refused("estimate.one_column", count=len(names))
    for role in BY_KEY[options["model"]].roles[1:]:
        if not options[role]:
            raise refused("estimate.role", model=options["model"], role=role)
    chances = {}
    for given in options["chance"] or ():
        name, _sign, value = given.partition("=")
        chances[name.strip()] = value
    return study_estimate(
        BY_KEY[options["model"]],
        table_open(Path(options["source"])),
        columns={
            "answers": names[0].strip(),
            "group": options["group"] or "",
            "anchor": options["anchor"] or "",
            "count": options["count"] or "",
        },
        chances=chances,
        number=options["number"],
        lines=(options["lines"] or "").replace(";", "\n"),
    )


def _paper_text(result: Result) -> str:
    lines = [*result.sentences, result.study.summary(), str(result.method.assumption)]
    if result.left_out:
        lines.append(f"{result.left_out} rows with an empty cell were left out")
    return "\n".join(lines)


def _from_survey(options: dict[str, Any]) -> dict[str, Any]:
    if not options["source"] or not options["expression"]:
        raise refused("estimate.source")
    version = version_of(options["source"], options["design"])
    estimate = expression_estimate(version, options["expression"], estimator=options["estimator"])
    return {"expression": estimate.text, **estimate.record()}


def _from_model(options: dict[str, Any]) -> dict[str, Any]:
    model: Model = options["model"]
    if options["theta"] is None:
        raise refused("estimate.theta")
    if options["p"] is not None and model == "warner":
        raise refused("estimate.warner")
    if options["expression"]:
        raise refused("estimate.expression")
    truth = None
    if options["simulate"] is not None:
        truth, rows, direct = _simulated(model, options)
        names = [str(number) for number in range(1, rows.shape[1] + 1)]
    else:
        names, rows, direct = _read(options)
    together = model in ("grouping", "improved")
    estimates = {}
    for name, columns in (
        {"all": slice(None)} if together or len(names) == 1 else {name: [i] for i, name in enumerate(names)}
    ).items():
        shown = rows[:, columns].all(axis=1)
        estimate = estimate_study(
            model,
            protected=(int((shown & ~direct).sum()), int((~direct).sum())),
            direct=(int((shown & direct).sum()), int(direct.sum())),
            n_attributes=rows.shape[1] if together else 1,
            theta=options["theta"] / SCALE,
            p=None if options["p"] is None else options["p"] / SCALE,
        )
        estimates[name] = _record(estimate)
        if truth is not None:
            estimates[name]["true_share"] = float(truth[:, columns].all(axis=1).mean())
    report: dict[str, Any] = {"model": model, "estimates": estimates}
    if model == "grouping" and len(names) > 1 and not direct.all():
        # Its decoys are all yes or all no.
        yes = rows[~direct].sum(axis=1)
        report["recognised"] = float(((yes > 0) & (yes < len(names))).mean())
    return report


def _record(estimate: StudyEstimate) -> dict[str, Any]:
    return {
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        "standard_error_eq6": estimate.standard_error_eq6,
        "n": estimate.n,
        "n_direct": estimate.n_direct,
        "observed_share": estimate.observed_share,
    }


def _simulated(model: Model, options: dict[str, Any]) -> tuple[Flags, Flags, Flags]:
    """Draw true rows, and what is sent of them, and who is direct."""
    n, prevalences = options["simulate"], options["prevalence"]
    if not 1 <= n <= MOST_RESPONDENTS:
        raise refused("estimate.simulate", given=n, most=MOST_RESPONDENTS)
    if len(prevalences) > MOST_ATTRIBUTES:
        raise refused("estimate.prevalence", count=len(prevalences), most=MOST_ATTRIBUTES)
    for name, chance in (("k", options["k"]), *(("prevalence", share) for share in prevalences)):
        if not 0 <= chance <= 1:
            raise refused("estimate.chance", name=name, chance=chance)
    if options["p"] is None and model != "warner":
        raise refused("estimate.p", model=model)
    if options["seed"] < 0:
        raise refused("option.seed", seed=options["seed"])
    rng = np.random.default_rng(options["seed"])
    truth = true_rows(n, prevalences, 0.0, rng)
    direct: Flags = rng.random(n) < options["k"]
    if model in ("warner", "unrelated"):
        direct[:] = False
    coins = rng.integers(SCALE, size=(n, draws_of(model, len(prevalences))))
    sent = simulate_study(model, truth, direct, theta=options["theta"], p=options["p"] or 0, coins=coins)
    return truth, sent, direct


def _read(options: dict[str, Any]) -> tuple[list[str], Flags, Flags]:
    """Read columns, with their names, and who is direct."""
    if not options["source"]:
        raise refused("estimate.answers")
    table, direct = zero_one_file(Path(options["source"])), options["direct"]
    names = [name for given in options["column"] or () for name in _columns(given, table.header)]
    wanted = names or [name for name in table.header if name != direct]
    if not wanted:
        raise refused("estimate.no_column", path=table.path, direct=direct)
    rows = np.stack([table.column(name) for name in wanted], axis=1)
    for name in wanted:
        if [*wanted, direct].count(name) > 1:
            raise refused("estimate.twice", name=name)
    return wanted, rows, table.column(direct) if direct else np.zeros(len(rows), dtype=bool)


def _columns(given: str, header: Sequence[str]) -> list[str]:
    """Read a column, or several with commas between them."""
    return [given] if given in header else [name.strip() for name in given.split(",")]


def _text(report: dict[str, Any]) -> str:
    lines = [f"model {report['model']}"] if "model" in report else [f"expression {report['expression']}"]
    estimates = report.get("estimates", {"": report})
    for name, estimate in estimates.items():
        lines.append(
            f"{name + ': ' if len(estimates) > 1 else ''}estimate {estimate['value']:.4f}, "
            f"standard error {estimate['standard_error']:.4f}, n {estimate['n']}"
            + (f", observed share {estimate['observed_share']:.4f}" if "observed_share" in estimate else "")
        )
        if estimate.get("standard_error_eq6") is not None:
            error = estimate["standard_error_eq6"]
            lines.append(f"  standard error by the source's equation 6 (k taken as known): {error:.4f}")
        if "true_share" in estimate:
            lines.append(f"  true share {estimate['true_share']:.4f}")
        if estimate.get("low") is not None:
            lines.append(f"  95 % interval {estimate['low']:.4f} to {estimate['high']:.4f} (population)")
    if "recognised" in report:
        lines.append(f"{report['recognised']:.4f} of the protected rows mix yes and no, and are surely true")
    return "\n".join(lines)
