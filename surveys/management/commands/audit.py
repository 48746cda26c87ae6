"""`manage.py audit`: audit the rows of a survey, or of a design given by numbers."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django.core.management.base import CommandParser

from privacy.coins import SCALE
from privacy.planning.part_variance import PlannedSurvey
from privacy.risk import Audit, audit_design
from privacy.risk.report import bounds_text, number, percent
from surveys.errors.error import SurveyError, refused, sentences
from surveys.estimates.audit import audit_answers, audit_before, stated_prevalences
from surveys.management.refusing import RefusingCommand
from surveys.management.versions import version_of


def ten_thousandths(text: str) -> int:
    """Read a probability such as .3; it must be a whole number of ten-thousandths."""
    try:
        scaled = Decimal(text) * SCALE
    except InvalidOperation:
        raise ArgumentTypeError(str(SurveyError("argument.number", text=text))) from None
    if not scaled.is_finite() or not 0 <= scaled <= SCALE:
        raise ArgumentTypeError(str(SurveyError("argument.probability", text=text)))
    if scaled != int(scaled):
        raise ArgumentTypeError(str(SurveyError("argument.decimals", text=text)))
    return int(scaled)


def block_sizes(text: str) -> tuple[int, ...]:
    """Read the sizes of the blocks, such as 3,3."""
    try:
        sizes = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ArgumentTypeError(str(SurveyError("argument.whole_numbers", text=text))) from None
    if min(sizes) < 1:
        raise ArgumentTypeError(str(SurveyError("argument.empty_block", text=text)))
    return sizes


def prevalences(text: str) -> int | tuple[int, ...]:
    """Read one prevalence, or one for each block, such as .2,.1, in ten-thousandths."""
    first, *others = (ten_thousandths(part) for part in text.split(","))
    return (first, *others) if others else first


FAIR = 5000
_BLOCK_LINE: Final = "{:24} {:>9} {:>9} {:>14} {:>20}"
_SCALE_LINE: Final = "{:24} {:>9} {:>9} {:>14}"
_ITEM_LINE: Final = "{:24} {:>9} {:>12} {:>9}"


class Command(RefusingCommand):
    """Audit."""

    help = (
        "Say what the rows of a survey tell an attacker. With a survey: its newest design with the "
        "prevalences stated for it, and its answers as far as they may be mined. Without: yes/no questions "
        "given by --p, --theta, --questions or --blocks, and --prevalence."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what there is to audit."""
        parser.add_argument("survey", nargs="?", help="slug of a survey")
        parser.add_argument("--design", help="for a survey: the first digits of a design's id")
        parser.add_argument("--p", type=ten_thousandths, help="truth probability of every block")
        parser.add_argument("--theta", type=ten_thousandths, help='chance of "yes" in a decoy (default: .5)')
        parser.add_argument("--questions", type=int, help="yes/no questions in one block (default: 1)")
        parser.add_argument("--blocks", type=block_sizes, metavar="3,2", help="questions of each block")
        parser.add_argument(
            "--prevalence",
            type=prevalences,
            metavar=".2,.1",
            help='expected share of "yes", one for all or one for each block (default: .5)',
        )
        parser.add_argument("--n", type=int, help="respondents expected, for rows that are alone")
        parser.add_argument("--waves", type=int, default=1, help="how often the same people are asked")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Audit and print."""
        given = [
            name for name in ("p", "theta", "questions", "blocks", "prevalence") if options[name] is not None
        ]
        if options["survey"] and given:
            raise refused("audit.own_design", survey=options["survey"], given=given[0])
        if not options["survey"] and options["p"] is None:
            raise refused("audit.no_design")
        if not options["survey"] and options["design"]:
            raise refused("audit.no_survey")
        report = _of_survey(options) if options["survey"] else _of_numbers(options)
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


def _of_numbers(options: dict[str, Any]) -> dict[str, Any]:
    if options["questions"] is not None and options["blocks"] is not None:
        raise refused("audit.blocks_twice")
    sizes = options["blocks"] or (1 if options["questions"] is None else options["questions"],)
    planned = PlannedSurvey(
        truth_probability=options["p"],
        unrelated=FAIR if options["theta"] is None else options["theta"],
        block_sizes=sizes,
        prevalence=FAIR if options["prevalence"] is None else options["prevalence"],
    )
    design = planned.design()
    before = audit_design(design, planned.stated(), n=options["n"], waves=options["waves"])
    return {"before": before, "after": None}


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
        yield f"Rows alone with their open answers: {audit.open.unique:,}."
    elif audit.open.expected_unique is not None:
        yield f"Rows alone with their open answers, if these are even: {number(audit.open.expected_unique)}."


def _tables(audit: Audit) -> Iterator[str]:
    """Yield the figures of parts, of numbers and places, and of items, one line each."""
    light = audit.light
    blocks = [(block.key, block) for block in audit.blocks]
    blocks += [(f"{block.key}, lightly", block) for block in light.blocks] if light else []
    if blocks:
        yield _BLOCK_LINE.format("part", "gamma", "epsilon", "known answers", "true rows over 95%")
    for name, block in blocks:
        known, recognised = float(block.known[-1].coin), block.unmixing.truthful[-1]
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
