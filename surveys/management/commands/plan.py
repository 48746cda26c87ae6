"""`manage.py plan`: what a survey of yes/no questions would cost in privacy, and what it could show."""

import json
from typing import Any

from django.core.management.base import CommandParser

from privacy.planning.planned_survey import PlannedSurvey
from privacy.planning.planning import ItemsetPrecision, PlanFigures, figures_of
from privacy.risk.report import as_json
from privacy.risk.sentences import number, percent
from surveys.management.arguments import block_sizes, prevalences, ten_thousandths
from surveys.management.refusing import RefusingCommand

NAMES = {"independent_coins": "a coin for each question, same epsilon", "direct": "asked directly"}


class Command(RefusingCommand):
    """Plan."""

    help = (
        "Work out for yes/no questions, alike within each block, what their design costs (gamma, epsilon, "
        "posteriors) and gives (standard errors, smallest support and lift that would be found, respondents "
        "needed), beside other ways to ask them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what is planned."""
        parser.add_argument("--p", type=ten_thousandths, required=True, help="truth probability of a block")
        parser.add_argument("--theta", type=ten_thousandths, default="0.5", help="default: .5")
        parser.add_argument(
            "--blocks",
            type=block_sizes,
            default="1",
            metavar="3,2",
            help="questions of each block (default: 1)",
        )
        parser.add_argument(
            "--prevalence",
            type=prevalences,
            default="0.2",
            metavar=".2,.1",
            help='expected share of "yes", one for all or one for each block (default: .2)',
        )
        parser.add_argument("--n", type=int, default=1000, help="respondents (default: 1000)")
        parser.add_argument("--k", type=float, default=0.0, help="share who answer directly (default: 0)")
        parser.add_argument(
            "--error", type=float, default=0.02, help="wanted standard error of an item (default: .02)"
        )
        parser.add_argument(
            "--epsilon",
            type=float,
            help="ceiling of a person over all blocks, for p and the largest block",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work it out and print."""
        figures = figures_of(
            PlannedSurvey(
                truth_probability=options["p"],
                unrelated=options["theta"],
                block_sizes=options["blocks"],
                prevalence=options["prevalence"],
                n=options["n"],
                direct_share=options["k"],
                error=options["error"],
            ),
            most_epsilon=options["epsilon"],
        )
        if options["json"]:
            self.stdout.write(json.dumps(as_json(figures) | {"audit": figures.audit.to_json()}))
        else:
            self.stdout.write(_text(figures))


def _text(figures: PlanFigures) -> str:
    audit, survey = figures.audit, figures.survey
    worst = max(audit.blocks, key=lambda block: block.epsilon)
    likeliest = max(block.likeliest.coin for block in audit.blocks)
    lines = [
        f"epsilon {number(audit.epsilon)} in sum, at most {number(worst.epsilon)} a block "
        f"(gamma {number(worst.amplification)})",
        f"a row is known to be true with at most {percent(likeliest)}; who knows all answers of a "
        f"block and finds them is {percent(float(worst.known[-1].coin))} sure",
        f"truthful rows recognised with more than 95 %, in the worst block: "
        f"{percent(max(block.unmixing.truthful[-1] for block in audit.blocks))}",
        f"with n {survey.n:,}:",
        *_errors(figures.errors),
        f"respondents needed for a standard error of {survey.error:g}: {figures.needed_n:,}",
        f"smallest support that would be found: {_figure(figures.detectable_support)}",
        f"smallest lift that would be found: {_figure(figures.detectable_lift)}",
    ]
    for other in figures.alternatives:
        lines.append(
            f"{NAMES[other.name]}, p {other.truth_probability:.3g}, epsilon {number(other.epsilon)}:"
        )
        lines += _errors(other.errors)
    if figures.largest_block is not None:
        best = figures.best_truth_probability
        lines.append(f"under that ceiling p at most {'none' if best is None else best / 10_000}")
        lines.append(
            f"under that ceiling at most {figures.largest_block} questions in the largest block at this p"
        )
    return "\n".join(lines)


def _errors(errors: tuple[ItemsetPrecision, ...]) -> list[str]:
    return [
        f"  {error.size} item{'s' * (error.size > 1)}, support {error.support:.4g}: "
        f"standard error {error.standard_error:.4f}"
        for error in errors
    ]


def _figure(value: float | None) -> str:
    return "none with so few" if value is None else f"{value:.3g}"
