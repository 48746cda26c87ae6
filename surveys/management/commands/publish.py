"""`manage.py publish SLUG`: publish a survey, or close it."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.management.finding_lines import computed_lines, finding_lines
from surveys.management.named_survey import survey_by_slug
from surveys.management.refusing_command import RefusingCommand
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.local_time import local_text
from surveys.questionnaire.rule_words import composites_of
from surveys.respondent.survey_addresses import addresses_of


class Command(RefusingCommand):
    """Publish a survey, or close it."""

    help = (
        "Publish a survey's imported definition as an immutable version. A draft opens; respondents of an "
        "open survey see the new version; answers to older ones stay accepted. With --close, its page "
        "stops at once instead, and answers that devices sealed before are accepted for 48 hours more. "
        "Prints all findings of the checks. Exit code 1 if that is not possible."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add SURVEY, --reason, --close, --now and --json."""
        parser.add_argument("survey", help="the survey's slug")
        parser.add_argument(
            "--reason",
            default="",
            help="reason to publish although a check refuses it; logged, and printed in every report",
        )
        parser.add_argument(
            "--readable-seen",
            action="store_true",
            help="confirm that the listed questions, which are not plain background, are stored as answered",
        )
        parser.add_argument("--close", action="store_true", help="close the survey instead")
        parser.add_argument(
            "--now",
            action="store_true",
            help="with --close: accept no more answers that were sealed before, and mix the rest",
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Publish or close the survey, and print the result."""
        slug: str = options["survey"]
        if options["close"]:
            self._close(slug, at_once=options["now"], as_json=options["json"])
            return
        if options["now"]:
            raise CommandError("--now goes with --close", returncode=2)
        survey = survey_by_slug(slug)
        definition = draft_read(survey).definition
        findings = () if definition is None else check_draft(survey, definition)
        try:
            version = survey_publish(
                survey,
                by="command line",
                now=timezone.now(),
                reason=options["reason"],
                is_readable_seen=options["readable_seen"],
            )
        except DefinitionError:
            # The error lists the findings that stop.
            self.stderr.write("\n".join(finding_lines(one for one in findings if not one.is_refusal)))
            raise
        page = addresses_of(slug, version.wording)[0].path
        record = {
            "survey": slug,
            "version": version.number,
            "design_id": version.design_id,
            "wording_id": version.wording_id,
            "page": page,
            "findings": [finding.to_json() for finding in findings],
            "computed": [] if definition is None else list(composites_of(definition.design)),
        }
        survey = survey_by_slug(slug)
        when = "is open"
        if survey.state == survey.State.PLANNED and survey.opens_at is not None:
            when = f"opens on {local_text(survey.opens_at, survey.time_zone)} ({survey.time_zone})"
        text = f"Version {version.number} of {slug} {when} at {page}"
        lines = (*computed_lines(definition), *finding_lines(findings))
        self._print(record, text, *lines, as_json=options["json"])

    def _close(self, slug: str, *, at_once: bool, as_json: bool) -> None:
        now = timezone.now()
        survey = survey_close(survey_by_slug(slug), by="command line", now=now, at_once=at_once)
        until = survey.accepts_until
        # A closed survey always has this time.
        assert until is not None  # noqa: S101  # for the type checker
        record = {"survey": slug, "accepts_until": until.isoformat(), "settled": survey.settled}
        text = f"{slug} is closed. Sealed answers are accepted until {until:%Y-%m-%d %H:%M} UTC."
        if until <= now:
            text = f"{slug} is closed and accepts nothing more."
        self._print(record, text, as_json=as_json)
