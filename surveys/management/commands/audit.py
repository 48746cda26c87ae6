"""`manage.py audit`: audit the rows of a survey."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from django.core.management.base import CommandParser

from privacy.risk import Audit
from privacy.risk.report import bounds_text, number, percent
from surveys.errors.error import SurveyError, sentences
from surveys.management.commands.mine import version_of
from surveys.management.refusing import RefusingCommand
from surveys.runs.audit import audit_answers, audit_before, stated_prevalences

_BLOCK_LINE: Final = "{:24} {:>9} {:>9} {:>14} {:>20}"
_SCALE_LINE: Final = "{:24} {:>9} {:>9} {:>14}"
_ITEM_LINE: Final = "{:24} {:>9} {:>12} {:>9}"


class Command(RefusingCommand):
    """Audit."""

    help = (
        "Report what the rows of a survey reveal to an attacker: by its newest design with the stated "
        "prevalences, and by its answers as far as they may be mined."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what there is to audit."""
        parser.add_argument("survey", help="slug of a survey")
        parser.add_argument("--design", help="the first digits of a design's id")
        parser.add_argument("--n", type=int, help="respondents expected, for rows that are alone")
        parser.add_argument("--waves", type=int, default=1, help="how often the same people are asked")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Audit and print."""
        report = _of_survey(options)
        if options["json"]:
            self.stdout.write(json.dumps(_document(report)))
        else:
            self.stdout.write(_text(report))


def _of_survey(options: dict[str, Any]) -> dict[str, Any]:
    version = version_of(options["survey"], options["design"])
    _stated, assumed = stated_prevalences(version.to_design(), version.wording)
    report: dict[str, Any] = {
        "survey": version.survey.slug,
        "version": version.number,
        "prevalence_not_stated": list(assumed),
        "before": audit_before(version, n=options["n"], waves=options["waves"]),
        "after": None,
    }
    try:
        audit = audit_answers(version, waves=options["waves"])
    except SurveyError as error:
        return report | {"no_answers": sentences(error)}
    return report | {"after": audit}


def _document(report: dict[str, Any]) -> dict[str, Any]:
    after = report["after"]
    return report | {"before": report["before"].to_json(), "after": after and after.to_json()}


def _text(report: dict[str, Any]) -> str:
    parts = []
    if report.get("prevalence_not_stated"):
        keys = ", ".join(report["prevalence_not_stated"])
        parts.append(f"Nobody stated how frequent the answers to {keys} are; they are taken to be even.")
    parts += _part("Before launch, with the stated prevalences", report["before"])
    if report["after"] is not None:
        parts += ["", *_part("The answers, with prevalences reconstructed from them", report["after"])]
    elif "no_answers" in report:
        parts += ["", report["no_answers"]]
    return "\n".join(parts)


def _part(title: str, audit: Audit) -> list[str]:
    return [title, *(f"  {line}" for line in (*_facts(audit), *_tables(audit)))]


def _facts(audit: Audit) -> Iterator[str]:
    """Yield the figures of the whole survey, one line each."""
    if audit.blocks or audit.lone:
        yield from bounds_text(audit.epsilon, audit.rho2)
    else:
        yield "No question is disguised."
    if audit.waves > 1:
        yield f"Over {audit.waves} waves: epsilon at most {number(audit.epsilon_of_waves)}."
    if audit.light is not None:
        yield f"Lightly disguised: epsilon at most {number(audit.light.epsilon)}."
    if audit.group.n_direct is not None and audit.n is not None:
        way = "lightly disguised" if audit.group.has_light else "direct"
        yield f"Rows: {audit.n:,}, of them {audit.group.n_direct:,} {way}."
    if not audit.open.questions:
        return
    if audit.open.unique is not None:
        yield f"Rows alone with their unprotected answers: {audit.open.unique:,}."
    elif audit.open.expected_unique is not None:
        expected = number(audit.open.expected_unique)
        yield f"Rows alone with their unprotected answers, if these are even: {expected}."


def _tables(audit: Audit) -> Iterator[str]:
    """Yield the figures of parts, of numbers and places, and of items, one line each."""
    light = audit.light
    blocks = [(block.key, block) for block in audit.blocks]
    blocks += [(f"{block.key}, lightly", block) for block in light.blocks] if light else []
    if blocks:
        yield _BLOCK_LINE.format("part", "gamma", "epsilon", "known answers", "true rows over 95%")
    for name, block in blocks:
        known, recognised = block.known, block.unmixing.truthful[-1]
        figures = (number(block.amplification), number(block.epsilon), percent(known), percent(recognised))
        yield _BLOCK_LINE.format(name, *figures)
    lone = [(part.question, part) for part in audit.lone]
    lone += [(f"{part.question}, lightly", part) for part in light.lone] if light else []
    if lone:
        yield _SCALE_LINE.format("number or place", "gamma", "epsilon", "rows over 95%")
    for name, part in lone:
        over = "–" if part.rows is None else percent(part.rows.sent[-1])
        yield _SCALE_LINE.format(name, number(part.amplification), number(part.epsilon), over)
    items = [(item.key, item) for item in audit.items]
    items += [(f"{item.key}, lightly", item) for item in light.items] if light else []
    if items:
        yield _ITEM_LINE.format("item", "before", "after a row", "at most")
    for name, item in items:
        shares = map(percent, (item.prevalence, item.alone, item.worst))
        yield _ITEM_LINE.format(name, *shares)
