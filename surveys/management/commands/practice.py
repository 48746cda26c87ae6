"""`manage.py practice SURVEY`: weights to population margins, non-response and careless responses."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from surveys.errors.error import refused
from surveys.figures import weighting
from surveys.figures.margins import MOST_BYTES, Shares, margins_of, margins_read
from surveys.management.refusing import RefusingCommand
from surveys.management.versions import version_of
from surveys.questionnaire.labels import Labels, about_texts, labels_of
from surveys.rows.releasable_rows import ReleasableRows, rows_of_version


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
        rows = rows_of_version(version)
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
    rows: ReleasableRows, labels: Labels, shares: Shares, items: list[str] | None, invited: int | None
) -> dict[str, Any]:
    slugs = [
        tuple(sorted(rows.design.item(key.strip()).index for key in itemset.split(",")))
        for itemset in items or ()
    ]
    itemsets = slugs or [(label.index,) for label in labels.items if label.protected]
    margins = margins_of(shares, rows.design)
    weights = weighting.weighted_itemsets(rows, itemsets, margins) if margins else ()
    responses = weighting.responses(rows)
    about = about_texts(rows.version)
    return {
        "population": about.get("population") or None,
        "frame": about.get("frame") or None,
        "n": rows.n,
        "margins": {
            margin.key: {category.label: category.share for category in margin.categories}
            for margin in margins
        },
        "weights": weighting.weight_records(weights, labels),
        "responses": [
            {
                "block": rows.design.blocks[response.block].key,
                "questions": [rows.design.questions[question].key for question in response.questions],
                "asked": response.n_asked,
                "missing": response.missing,
                "standard_error": response.skips and response.skips.standard_error,
            }
            for response in responses
        ],
        "effects": [
            {
                "item": labels.keys([effect.item]),
                "answering": effect.answering,
                "asked": [effect.low, effect.high],
                "invited": None if effect.invited_low is None else [effect.invited_low, effect.invited_high],
            }
            for effect in weighting.effects(rows, responses, invited=invited)
        ],
        "attention": [
            {
                "item": labels.keys([support.item]),
                "anchors": [labels.keys([support.never]), labels.keys([support.always])],
                "raw": support.estimate.uncorrected,
                "attention": support.estimate.attentive,
                "corrected": support.estimate.value,
                "low": support.estimate.low if support.estimate.estimable else None,
                "high": support.estimate.high if support.estimate.estimable else None,
            }
            for support in weighting.attentive_supports(rows)
        ],
    }


def _text(report: dict[str, Any]) -> str:
    lines = [
        f"target population: {report['population'] or 'not stated'}",
        f"frame: {report['frame'] or 'not stated'}",
        f"answers: {report['n']}",
    ]
    for itemset in report["weights"]:
        lines.append(
            f"{itemset['items']}: raw {itemset['raw']:.4f} (SE {itemset['raw_standard_error']:.4f}), "
            f"weighted {itemset['weighted']:.4f} (SE {itemset['weighted_standard_error']:.4f}), "
            f"design effect {itemset['design_effect']:.2f}, effective n {itemset['effective_n']:.0f}, "
            f"n {itemset['n']}"
        )
    for response in report["responses"]:
        error = "" if response["standard_error"] is None else f" (SE {response['standard_error']:.4f})"
        lines.append(
            f"{response['block']} ({', '.join(response['questions'])}): asked {response['asked']}, "
            f"without an answer {response['missing']:.4f}{error}"
        )
    for effect in report["effects"]:
        ends = [f"of those asked between {effect['asked'][0]:.4f} and {effect['asked'][1]:.4f}"]
        if effect["invited"]:
            ends.append(f"of those invited between {effect['invited'][0]:.4f} and {effect['invited'][1]:.4f}")
        lines.append(f"{effect['item']}: {effect['answering']:.4f} of those who answered, {', '.join(ends)}")
    for support in report["attention"]:
        interval = (
            "not estimable"
            if support["low"] is None
            else f"95 % {support['low']:.4f} to {support['high']:.4f}"
        )
        lines.append(
            f"{support['item']} by {' and '.join(support['anchors'])}: attention {support['attention']:.4f}, "
            f"raw {support['raw']:.4f}, corrected {support['corrected']:.4f} ({interval})"
        )
    return "\n".join(lines)
