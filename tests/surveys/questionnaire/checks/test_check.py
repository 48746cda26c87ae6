"""Checks in the draft, when publishing, on the page, and on the command line."""

import ast
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import AuditEvent, PublishOverride, Survey
from surveys.questionnaire.checks import use
from surveys.questionnaire.checks.check import check_definition, check_draft
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.templates import COMPOSITE, TEMPLATES
from tests.fixtures.checked_surveys import CEILINGS, document_of, findings_of, protected, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.rotating_drafts import rotating_document

pytestmark = pytest.mark.django_db

BIG = protected("b", *(yes_no(f"q{n}") for n in range(10)))
REASON = "The board asked for all ten in one part."


@pytest.mark.parametrize("name", ["marriage", *(f"templates/{name}" for name in TEMPLATES)])
def test_the_demonstration_and_templates_pass_the_shipped_ceilings(name: str) -> None:
    found = check_definition(definition_parse(shipped_definition(name)), ceilings=CEILINGS)
    assert [(one.code, one.level) for one in found if one.code != "slips"] == [("people_unknown", Level.WARN)]
    # Lists of acts multiply careless answers, whatever they ask.
    composite = name.removeprefix("templates/") in COMPOSITE
    assert any(one.code == "slips" for one in found) == composite


def test_checks_never_refuse_practice_surveys() -> None:
    found = findings_of(BIG, practice=True)
    assert "block_epsilon" in {one.code for one in found}
    assert not any(one.is_refusal for one in found)


def test_refusals_come_before_warnings() -> None:
    found = findings_of(protected("a", yes_no("q", text={"en": "How old are you?"})), BIG)
    assert [one.is_refusal for one in found] == sorted((one.is_refusal for one in found), reverse=True)
    assert len(found) > 1


def test_refused_drafts_cannot_be_published_without_a_reason() -> None:
    survey = survey_import(document_of(BIG), by="ana")
    with pytest.raises(DefinitionError) as refusal:
        survey_publish(survey, by="ana", now=timezone.now(), reason=" … \u200b ", is_readable_seen=True)
    assert "blocks[0]: part “b”" in str(refusal.value)
    assert "written reason" in str(refusal.value)
    survey.refresh_from_db()
    assert survey.state == Survey.State.DRAFT


def test_the_override_reason_is_stored_with_the_version_and_logged() -> None:
    survey = survey_import(document_of(BIG), by="ana")
    version = survey_publish(
        survey, by="ana", now=timezone.now(), reason=f" {REASON} ", is_readable_seen=True
    )
    kept = version.override
    assert (kept.reason, kept.by) == (REASON, "ana")
    assert kept.findings[0]["code"] == "block_epsilon"
    event = AuditEvent.objects.get(action="survey_publish_override")
    assert event.detail["reason"] == REASON


def test_unneeded_publishing_reasons_are_not_stored() -> None:
    survey = survey_import(document_of(protected("b", yes_no("lie"))), by="ana")
    survey_publish(survey, by="ana", now=timezone.now(), reason=REASON, is_readable_seen=True)
    assert not PublishOverride.objects.exists()


def test_the_builder_receives_all_findings(admin_client: Client) -> None:
    survey = survey_import(document_of(BIG), by="ana")
    body = admin_client.get(f"/en/staff/surveys/{survey.slug}/build/draft").json()
    assert body["problems"] == []
    found = [one for one in body["findings"] if one["level"] == "refuse"]
    assert [one["path"] for one in found] == ["blocks[0]", ""]
    reading = definition_read(survey.definition)
    assert reading.definition is not None
    assert body["findings"] == [one.to_json() for one in check_draft(survey, reading.definition)]


def test_the_page_asks_for_a_reason_and_publishes_with_one(admin_client: Client) -> None:
    survey = survey_import(document_of(BIG), by="ana")
    address = f"/en/staff/surveys/{survey.slug}/publish"
    text = admin_client.get(address).content.decode()
    assert 'name="reason"' in text
    assert "6.93" in text
    assert f'<a href="/en/staff/surveys/{survey.slug}/plan">plan the survey' in text
    refused = admin_client.post(address, {"revision": survey.revision, "readable": "on"})
    assert refused.status_code == 422
    assert not survey.versions.exists()
    admin_client.post(address, {"revision": survey.revision, "reason": REASON, "readable": "on"})
    assert survey.versions.get().override.reason == REASON


def test_the_publish_command_requires_a_reason() -> None:
    survey_import(document_of(BIG), by="ana")
    with pytest.raises(CommandError, match="written reason"):
        call_command("publish", "checked", "--readable-seen")
    call_command("publish", "checked", "--readable-seen", "--reason", REASON, stdout=StringIO())
    assert PublishOverride.objects.get().by == "command line"


def test_the_documented_finding_codes_match_the_code() -> None:
    folder = Path(use.__file__).parent
    documented = set(re.findall(r"``([a-z_]+)``", (Finding.__doc__ or "").split("path : str")[0]))
    given = {
        node.value
        for path in folder.glob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for node in [*call.args, *(keyword.value for keyword in call.keywords)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert documented <= given | set(use._CODES.values())
    assert len(documented) > 20


def test_a_missing_number_of_answers_is_the_first_warning() -> None:
    """It was hidden by "And 1 more", below a warning that depends on the number."""
    found = check_definition(definition_parse(rotating_document()), ceilings=CEILINGS)
    warned = [each.code for each in found if each.level == Level.WARN]
    assert len(warned) > 1
    assert warned[0] == "people_unknown"
