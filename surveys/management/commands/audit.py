"""`manage.py audit`: audit the rows of a survey."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from surveys.errors.error import SurveyError, sentences
from surveys.management.named_survey import version_of
from surveys.management.refusing_command import RefusingCommand
from surveys.runs.audit import audit_answers, audit_before, stated_prevalences


class Command(RefusingCommand):
    """Audit the rows of a survey."""

    help = (
        "Print as JSON how much the rows of a survey reveal to an attacker: under its newest design with the "
        "stated prevalences, and from its answers if they may be mined."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add SURVEY, --design, --n and --waves."""
        parser.add_argument("survey", help="slug of a survey")
        parser.add_argument("--design", help="the first digits of a design's id")
        parser.add_argument("--n", type=int, help="expected respondents, for counting unique rows")
        parser.add_argument("--waves", type=int, default=1, help="how many times the same people are asked")

    def handle(self, *args: Any, **options: Any) -> None:
        """Audit the design and the answers, and print both as JSON."""
        version = version_of(options["survey"], options["design"])
        _stated, assumed = stated_prevalences(version.to_design(), version.wording)
        report: dict[str, Any] = {
            "survey": version.survey.slug,
            "version": version.number,
            "prevalence_not_stated": assumed,
            "before": audit_before(version, n=options["n"], waves=options["waves"]).to_json(),
            "after": None,
        }
        try:
            report["after"] = audit_answers(version, waves=options["waves"]).to_json()
        except SurveyError as error:
            report["no_answers"] = sentences(error)
        self.stdout.write(json.dumps(report, indent=1))
