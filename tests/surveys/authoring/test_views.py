"""The builder's pages, from a new survey to a closed one."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from mining.frames.survey import Survey as LibrarySurvey
from privacy.errors import PrivacyError
from surveys.authoring.drafts import draft_create
from surveys.authoring.publish import survey_publish
from surveys.models import AuditEvent, Receipt, Survey
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import new_draft, published_survey, start_survey
from tests.fixtures.workbooks import SURVEY, form

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

STAFF = "/en/staff/"
WORK = "/en/staff/surveys/work/"


def upload(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("survey", content)


def survey_now() -> Survey:
    return Survey.objects.get(slug="work")


@pytest.mark.soak
def test_the_builder_shows_import_losses(staff: Client) -> None:
    report = start_survey(staff, "xlsform", file=upload(form(survey=[*SURVEY, ["text", "why", "Why?"]])))
    assert not Survey.objects.exists()
    sent = {"questionnaire": report.context["token"], "how-0": "keep"}
    staff.post("/en/staff/surveys/new/import", sent)
    assert "survey, row 11, column type: text" in staff.get(WORK + "build/").content.decode()


@pytest.mark.soak
def test_without_script_the_builder_leads_to_the_plan_and_to_publishing(staff: Client) -> None:
    """All its links were hidden, so saving a plan led nowhere."""
    new_draft()
    page = staff.get(WORK + "build/").content.decode()
    unscripted = page.partition("<noscript>")[2].partition("</noscript>")[0]
    for place in ("plan", "publish", "build/export/"):
        assert f'href="{WORK}{place}"' in unscripted


@pytest.mark.soak
def test_exported_definitions_match_the_document_and_reimport_unchanged(staff: Client) -> None:
    document = {**shipped_definition(slug="work"), "half": ["done", None, "水"]}
    draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())
    file = staff.get(WORK + "build/export.json")
    assert file.headers["Content-Disposition"] == 'attachment; filename="work.json"'
    assert json.loads(file.content) == document
    answer = start_survey(staff, "definition", slug="again", file=upload(file.content))
    assert answer.status_code == 302
    assert Survey.objects.get(slug="again").definition == {**document, "slug": "again"}


def test_the_library_reads_exported_designs_as_published(staff: Client) -> None:
    survey = new_draft()
    exported = json.loads(staff.get("/en/staff/surveys/work/build/design.json").content)
    version = survey_publish(survey, by="ana", now=timezone.now(), reason="A test.", is_readable_seen=True)
    assert exported == version.design
    assert LibrarySurvey.of(exported).design.design_id == version.design_id
    # The library does not read the survey's definition, only its design.
    with pytest.raises(PrivacyError, match="has the wrong shape"):
        LibrarySurvey.of(survey.definition)
    Survey.objects.update(definition={"sotto": 1})
    assert staff.get("/en/staff/surveys/work/build/design.json").status_code == 302


@pytest.mark.soak
def test_the_close_page_can_end_the_grace_period_once(staff: Client) -> None:
    published_survey()
    named = {"confirm": "work"}
    staff.post(WORK + "close", named)
    assert staff.post(WORK + "close", named).status_code == 409
    asked = staff.get(WORK + "close").content.decode()
    assert "Stop accepting answers" in asked
    assert "Close the survey" not in asked
    assert staff.post(WORK + "close", {"at_once": "on"} | named).headers["Location"] == WORK
    assert survey_now().settled
    assert "Nothing is left to close" in staff.get(WORK + "close").content.decode()
    nothing = staff.get(WORK + "publish").content.decode()
    assert "This survey is closed" in nothing
    assert 'type="submit">Publish' not in nothing


@pytest.mark.soak
@pytest.mark.parametrize(
    ("practice", "answers", "asked", "settled"),
    [
        (False, 1, {}, None),
        (False, 1, {"at_once": "on"}, None),
        (False, 1, {"at_once": "on", "confirm": "other"}, None),
        (False, 1, {"confirm": "work"}, False),
        (False, 1, {"at_once": "on", "confirm": "work"}, True),
        # Whether anyone has answered must not be visible.
        (False, 0, {"at_once": "on"}, None),
        (True, 1, {"at_once": "on"}, True),
        (True, 1, {}, True),
    ],
)
def test_closing_a_live_survey_asks_for_its_address(
    staff: Client, practice: bool, answers: int, asked: dict[str, str], settled: bool | None
) -> None:
    published_survey(practice=practice)
    Receipt.objects.bulk_create(
        Receipt(survey=survey_now(), key=bytes(16), digest=bytes(32)) for _ in range(answers)
    )
    assert staff.get(WORK + "close").content.decode().count('id="id_confirm"') == (not practice)
    answer = staff.post(WORK + "close", asked)
    if settled is None:
        assert answer.status_code == 422
        assert "confirm" in answer.context["form"].errors
        assert survey_now().state == "open"
    else:
        assert answer.status_code == 302
        assert (survey_now().state, survey_now().settled) == ("closed", settled)


def test_drafts_can_be_deleted_but_published_surveys_cannot(staff: Client) -> None:
    new_draft()
    assert staff.get(WORK + "build/delete").status_code == 200
    assert staff.post(WORK + "build/delete").headers["Location"] == STAFF
    assert not Survey.objects.exists()
    assert AuditEvent.objects.filter(actor="ana", action="draft_delete", target="work").count() == 1
    published_survey()
    assert staff.post(WORK + "build/delete").status_code == 409
    assert survey_now().state == "open"
