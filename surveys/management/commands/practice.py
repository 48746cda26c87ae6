"""`manage.py practice SURVEY`: weights to population margins, non-response and careless responses."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from surveys.analysis import weighting
from surveys.analysis.margins import MOST_BYTES, Shares, margins_of, margins_read
from surveys.errors.error import refused
from surveys.management.commands.mine import version_of
from surveys.management.refusing import RefusingCommand
from surveys.questionnaire.labels import Labels, about_texts, labels_of


class Command(RefusingCommand):
    """Weigh a survey's answers, and say who is missing."""

    help = (
        "Estimate shares weighted to known population margins of open questions (one: post-stratification; "
        "several: raking), with linearised standard error, design effect and effective n; non-response per "
        "question and block with what it could change; and attention where anchors are marked by a stated "
        "prevalence of 0 and 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what to weigh, and by what."""
        parser.add_argument("survey", help="slug of the survey")
        parser.add_argument(
            "--margins",
            type=Path,
            help="JSON file {question: {option: share}}, or CSV file with question,option,share; options "
            "joined by | are taken together",
        )
        parser.add_argument(
            "--items",
            action="append",
            metavar="ITEM[,ITEM...]",
            help="itemset to estimate, again for more (default: each protected item)",
        )
        parser.add_argument("--invited", type=int, help="people who were invited")
        parser.add_argument("--design", help="the first digits of a design's id (default: the newest design)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Estimate and print."""
        version = version_of(options["survey"], options["design"])
        shares = _shares(options["margins"])
        rows = weighting.rows_of_version(version)
        labels = labels_of(version, rows.design)
        report = _report(rows, labels, shares, options["items"], options["invited"])
        self.stdout.write(json.dumps(report, ensure_ascii=False) if options["json"] else _text(report))


def _shares(path: Path | None) -> Shares:
    if path is None:
        return {}
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise refused("practice.margins", path=path, error=error.strerror) from error
    return margins_read(raw.decode("utf-8-sig", errors="replace"))


def _report(
    rows: weighting.Rows, labels: Labels, shares: Shares, items: list[str] | None, invited: int | None
) -> dict[str, Any]:
    named = [
        tuple(sorted(rows.design.item(key.strip()).index for key in one.split(","))) for one in items or ()
    ]
    itemsets = named or [(label.index,) for label in labels.items if label.protected]
    margins = margins_of(shares, rows.design)
    weights = weighting.weighted_itemsets(rows, itemsets, margins) if margins else ()
    responses = weighting.responses(rows)
    about = about_texts(rows.version)
    return {
        "population": about.get("population") or None,
        "frame": about.get("frame") or None,
        "n": rows.n,
        "margins": {margin.key: {one.label: one.share for one in margin.categories} for margin in margins},
        "weights": weighting.weight_records(weights, labels),
        "responses": [
            {
                "block": rows.design.blocks[one.block].key,
                "questions": [rows.design.questions[question].key for question in one.questions],
                "asked": one.asked,
                "missing": one.missing,
                "standard_error": one.standard_error,
            }
            for one in responses
        ],
        "effects": [
            {
                "item": labels.keys([one.item]),
                "answering": one.answering,
                "asked": [one.low, one.high],
                "invited": None if one.invited_low is None else [one.invited_low, one.invited_high],
            }
            for one in weighting.effects(rows, responses, invited=invited)
        ],
        "attention": [
            {
                "item": labels.keys([one.item]),
                "anchors": [labels.keys([one.never]), labels.keys([one.always])],
                "raw": one.found.uncorrected,
                "attention": one.found.attentive,
                "corrected": one.found.value,
                "low": one.found.low if one.found.estimable else None,
                "high": one.found.high if one.found.estimable else None,
            }
            for one in weighting.attentive_supports(rows)
        ],
    }


def _text(report: dict[str, Any]) -> str:
    lines = [
        f"target population: {report['population'] or 'not stated'}",
        f"frame: {report['frame'] or 'not stated'}",
        f"answers: {report['n']}",
    ]
    for one in report["weights"]:
        lines.append(
            f"{one['items']}: raw {one['raw']:.4f} (SE {one['raw_standard_error']:.4f}), weighted "
            f"{one['weighted']:.4f} (SE {one['weighted_standard_error']:.4f}), design effect "
            f"{one['design_effect']:.2f}, effective n {one['effective_n']:.0f}, n {one['n']}"
        )
    for one in report["responses"]:
        error = "" if one["standard_error"] is None else f" (SE {one['standard_error']:.4f})"
        lines.append(
            f"{one['block']} ({', '.join(one['questions'])}): asked {one['asked']}, "
            f"without an answer {one['missing']:.4f}{error}"
        )
    for one in report["effects"]:
        ends = [f"of those asked between {one['asked'][0]:.4f} and {one['asked'][1]:.4f}"]
        if one["invited"]:
            ends.append(f"of those invited between {one['invited'][0]:.4f} and {one['invited'][1]:.4f}")
        lines.append(f"{one['item']}: {one['answering']:.4f} of those who answered, {', '.join(ends)}")
    for one in report["attention"]:
        interval = "not estimable" if one["low"] is None else f"95 % {one['low']:.4f} to {one['high']:.4f}"
        lines.append(
            f"{one['item']} by {' and '.join(one['anchors'])}: attention {one['attention']:.4f}, "
            f"raw {one['raw']:.4f}, corrected {one['corrected']:.4f} ({interval})"
        )
    return "\n".join(lines)
