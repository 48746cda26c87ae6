"""Templates with composite questions: from the list to a published survey, its plan and its pages."""

import html
import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.aims import aim_digest
from surveys.authoring.drafts import draft_save
from surveys.models import Survey
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.templates import COMPOSITE
from tests.fixtures.composite_templates import filled_in
from tests.fixtures.staff import member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

STAFF = "/en/staff/surveys/"
WORK = f"{STAFF}work/"


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(member("ana", Role.RESEARCHER))
    return client


def started(staff: Client, name: str) -> Survey:
    """Start a survey from a template, as the page for new surveys does."""
    answer = staff.post(f"{STAFF}new", {"source": "template", "template": name, "slug": "work"})
    assert answer.status_code == 302, answer.content
    return Survey.objects.get(slug="work")


@pytest.mark.soak
def test_the_new_survey_page_lists_them(staff: Client) -> None:
    text = staff.get(f"{STAFF}new").content.decode()
    for title in ("Drinking", "Violence by a partner", "Doping: any of eight means", "Mood"):
        assert title in text


@pytest.mark.soak
@pytest.mark.parametrize("name", COMPOSITE)
def test_a_template_is_not_published_before_its_help_line_is_named(staff: Client, name: str) -> None:
    survey = started(staff, name)
    document = {**survey.definition, "practice": False}
    draft_save(survey, document, revision=survey.revision, by="ana", now=timezone.now())
    survey.refresh_from_db()
    places = [str(problem) for problem in draft_read(survey).problems]
    for path in ("about.help.en", "blocks[1].help.zh-hans"):
        assert any(place.startswith(path) and "placeholder" in place for place in places), places
    staff.post(f"{WORK}publish", {"revision": survey.revision, "readable": "on"})
    assert not survey.versions.exists()


@pytest.mark.soak
@pytest.mark.parametrize("name", COMPOSITE)
def test_a_template_is_previewed_planned_published_and_shown_to_a_board(staff: Client, name: str) -> None:
    survey = started(staff, name)
    document: dict[str, Any] = filled_in(survey.definition)
    draft_save(survey, document, revision=survey.revision, by="ana", now=timezone.now())
    survey.refresh_from_db()
    preview = staff.get(f"{WORK}build/preview/")
    assert preview.status_code == 200
    assert "components" in preview.content.decode()
    shown = html.unescape(staff.get(f"{WORK}plan").content.decode())
    assert 'name="people" value="400"' in shown
    at_once = {"revision": str(survey.revision), "digest": aim_digest(survey)}
    plan = staff.post(f"{WORK}plan", {"people": "400", "strength": "medium", "save": "", **at_once})
    assert plan.status_code == 302, html.unescape(plan.content.decode())[:3000]
    survey.refresh_from_db()
    assert json.dumps(survey.definition["blocks"]) == json.dumps(document["blocks"]), "planned as shipped"
    answer = staff.post(f"{WORK}publish", {"revision": survey.revision, "readable": "on"})
    assert answer.headers.get("Location") == WORK, answer.content.decode()[:2000]
    assert survey.versions.count() == 1
    for address in (WORK, f"{WORK}build/", f"{WORK}plan"):
        assert staff.get(address).status_code == 200, address
