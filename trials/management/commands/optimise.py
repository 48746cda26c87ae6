"""`manage.py optimise`: the best p, theta and block size under limits of distortion and leakage."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.planning.efficiency import best_split, least_variance, sampled_designs
from privacy.planning.frontier import DesignPoint, design_points, frontier, optimise
from surveys.charts.curves import Series, curves_svg
from surveys.errors.error import refused
from surveys.management.arguments import ten_thousandths
from surveys.management.refusing import RefusingCommand

LISTED = 10
LEAST_SAVED = 0.1
"""Share of people from which on asking fewer is proposed: a few less do not pay for a change to explain."""
MOST_QUESTIONS = 60


class Command(RefusingCommand):
    """Optimise."""

    help = (
        "Try p, theta and block size for yes/no questions of one prevalence. Distortion is the mean share of "
        "answers that are sent otherwise than they are, leakage the mean bits that a person's rows tell. "
        "Under --distortion alone the least leakage is best, under --leakage alone the least distortion, "
        "under both the smallest standard error. Without limits only the frontier is printed. With "
        "--rotating each person is asked some of the questions instead: the most precise designs under "
        "ceilings of epsilon and of the odds of one question, beside the best split into parts and what no "
        "design can beat."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add questions and limits."""
        parser.add_argument("--questions", type=int, default=5, help="default: 5")
        parser.add_argument(
            "--prevalence", type=ten_thousandths, default="0.2", help='expected share of "yes" (default: .2)'
        )
        parser.add_argument("--distortion", type=float, help="D0, from 0 to 1")
        parser.add_argument("--leakage", type=float, help="L0, in bits")
        parser.add_argument("--epsilon", type=float, help="ceiling of the sum of epsilons")
        parser.add_argument(
            "--rotating", action="store_true", help="each person is asked some; needs --epsilon"
        )
        parser.add_argument(
            "--odds", type=float, default=math.inf, help="ceiling of the odds of one question"
        )
        parser.add_argument(
            "--items", type=int, choices=(1, 2, 3), default=2, help="largest itemset (default: 2)"
        )
        parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the frontier")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Try, choose and print."""
        if not 1 <= options["questions"] <= MOST_QUESTIONS:
            raise refused("optimise.questions", questions=options["questions"], most=MOST_QUESTIONS)
        if options["epsilon"] is not None and not options["epsilon"] > 0:
            raise refused("optimise.epsilon", epsilon=options["epsilon"])
        if options["rotating"]:
            self.stdout.write(_rotating(options))
            return
        points = design_points([options["prevalence"]] * options["questions"])
        ceiling = options["epsilon"] or math.inf
        best = None
        if options["distortion"] is not None or options["leakage"] is not None:
            best = optimise(
                points,
                most_distortion=options["distortion"],
                most_leakage=options["leakage"],
                most_epsilon=ceiling,
            )
        edge = frontier(point for point in points if point.epsilon <= ceiling)
        if not edge:
            raise refused("optimise.out_of_reach", ceiling=ceiling)
        if options["svg"]:
            _write(options["svg"], _picture(edge, best))
        if options["json"]:
            document = {"best": best and asdict(best), "frontier": [asdict(point) for point in edge]}
            self.stdout.write(json.dumps(document))
        else:
            self.stdout.write(_text(edge, best))


def _rotating(options: dict[str, Any]) -> str:
    """Write the designs that ask each person some of the questions, the most precise first."""
    questions, epsilon = options["questions"], options["epsilon"]
    if epsilon is None or options["items"] > questions:
        raise refused("optimise.rotating", questions=questions, items=options["items"])
    sizes, odds = range(1, options["items"] + 1), options["odds"]
    designs = list(sampled_designs(questions, epsilon, sizes=sizes, most_odds=odds))
    if not designs:
        raise refused("optimise.out_of_reach", ceiling=epsilon)
    split, split_variance = best_split(questions, epsilon, sizes=sizes, most_odds=odds)
    bound = least_variance(questions, epsilon, sizes=sizes)
    if options["json"]:
        records = [
            asdict(design) | {"odds": design.odds, "variances": [design.variance(size) for size in sizes]}
            for design in designs
        ]
        document = {"designs": records, "split": split, "split_variance": split_variance, "bound": bound}
        return json.dumps(document)
    listed = designs[:LISTED]
    lines = [f"{'asked':>6} {'epsilon':>8} {'odds':>7} {'n x variance, mean':>19}"]
    lines += [
        f"{design.asked:6d} {design.epsilon:8.2f} {design.odds:7.2f} {design.mean_variance(sizes):19.4g}"
        for design in listed
    ]
    lines += [
        f"best split {', '.join(map(str, split))}: {split_variance:.4g}",
        f"no design has less than {bound:.4g}",
    ]
    if not any(
        design.mean_variance(sizes) <= (1 - LEAST_SAVED) * split_variance and design.asked < questions
        for design in listed
    ):
        lines.append("asking each person fewer of the questions saves nothing here")
    return "\n".join(lines)


def _picture(edge: Sequence[DesignPoint], best: DesignPoint | None) -> SafeString:
    """Draw the designs that no other one beats, and the chosen one, on white."""
    series = [
        Series(
            label=_("no other design beats these"),
            x=[point.distortion for point in edge],
            y=[point.leakage for point in edge],
        )
    ]
    if best is not None:
        series.append(Series(label=_("best under the limits"), x=[best.distortion], y=[best.leakage]))
    return curves_svg(
        series,
        title=_("Distortion against leakage"),
        x_label=_("D, share of answers changed"),
        y_label=_("L, bits told on average"),
        paper=True,
    )


def _write(path: Path, picture: str) -> None:
    try:
        path.write_text(picture + "\n", encoding="utf-8")
    except OSError as error:
        raise refused("option.out", out=path, error=error.strerror) from error


def _text(edge: tuple[DesignPoint, ...], best: DesignPoint | None) -> str:
    lines = [f"{'p':>5} {'theta':>6} {'block':>6} {'D':>7} {'L bits':>7} {'epsilon':>8} {'SE x root n':>12}"]
    if best is not None:
        lines += [_line(best) + "  best", "frontier:"]
    return "\n".join([*lines, *map(_line, edge)])


def _line(point: DesignPoint) -> str:
    return (
        f"{point.truth_probability / 10_000:5.2f} {point.unrelated / 10_000:6.2f} {point.block_size:6d} "
        f"{point.distortion:7.3f} {point.leakage:7.3f} {point.epsilon:8.2f} {point.standard_error:12.3f}"
    )
