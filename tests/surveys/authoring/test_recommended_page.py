"""The recommended design is shown first, and one button gives it to the draft."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.drafts import draft_save
from surveys.authoring.publish import survey_import
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.checks import check_draft
from surveys.questionnaire.draft_reading import draft_read
from tests.cast.checked_surveys import document_of, protected, yes_no
from tests.cast.runs import definition
from tests.cast.scale_runs import lit, scale_definition

pytestmark = pytest.mark.django_db


def draft(document: dict[str, Any]) -> tuple[Survey, str]:
    survey = survey_import(document, by="alice")
    return survey, reverse("authoring:recommended", args=[survey.slug])


def text_of(client: Client, page: str) -> str:
    said = html.unescape(re.sub(r"<[^>]+>", " ", client.get(page).content.decode()))
    return " ".join(said.split())


def test_it_is_shown_with_what_it_costs_before_it_is_done(admin_client: Client) -> None:
    document = document_of(protected("a", yes_no("steal"), yes_no("lie"), p=9000), slug="bold")
    survey, page = draft(document)
    text = text_of(admin_client, page)
    # gamma 1 + .9/(.1 * .25) = 37, ε 3.61; the largest gamma of ε 3 is e^3 = 20.09 at p = .8267; and
    # odds of 9, (1 + p)/(1 - p), are reached at p = .8: gamma 17.
    assert "p = 90 % → p = 80 %" in text
    assert "at most 98 % → at most 95 %" in text
    assert "points → ±" in text
    survey.refresh_from_db()
    assert survey.definition["blocks"][0]["truth_probability"] == 9000


@pytest.mark.parametrize(
    "document",
    [
        definition(policy="protected"),
        definition(light=True),
        lit(scale_definition(light=True, everywhere=True)),
    ],
)
def test_one_button_leaves_a_draft_that_no_check_finds_too_weak(
    admin_client: Client, document: dict[str, Any]
) -> None:
    survey, page = draft(document)
    answer = admin_client.post(page, {"revision": survey.revision})
    assert answer.headers["Location"] == reverse("audit:risk", args=[survey.slug])
    survey.refresh_from_db()
    reading = draft_read(survey)
    assert reading.definition is not None
    assert not [one for one in check_draft(survey, reading.definition) if one.code.endswith("epsilon")]
    assert "There is nothing to change" in text_of(admin_client, page)
    saved = AuditEvent.objects.filter(action="draft_save", target=survey.slug)
    assert saved.count() == 1


def test_a_draft_that_was_changed_meanwhile_stays_as_it_is(admin_client: Client) -> None:
    survey, page = draft(definition(policy="protected"))
    shown = survey.revision
    changed = {**survey.definition, "title": {"en": "Other"}}
    draft_save(survey, changed, revision=shown, by="bob", now=survey.saved_at)
    assert admin_client.post(page, {"revision": shown}).status_code == 409
    survey.refresh_from_db()
    assert survey.definition == changed
    assert admin_client.post(page, {"revision": "x"}).status_code == 422


def test_where_no_setting_does_it_the_page_says_what_else_helps(admin_client: Client) -> None:
    bold = {**definition(), "group": {"policy": "assigned", "direct_share": 9000}}
    survey, page = draft(bold)
    text = text_of(admin_client, page)
    assert "No setting makes this draft as safe as recommended." in text
    assert "set the direct share to at most 50 %" in text
    assert admin_client.post(page, {"revision": survey.revision}).status_code == 409


def test_a_draft_that_is_not_complete_has_no_recommended_design(admin_client: Client) -> None:
    survey, page = draft(definition())
    Survey.objects.filter(pk=survey.pk).update(definition={"sotto": 1})
    assert "The draft is not complete yet" in text_of(admin_client, page)
    assert admin_client.post(page, {"revision": survey.revision}).status_code == 409


def test_the_page_that_publishes_leads_to_it_where_there_is_something_to_change(admin_client: Client) -> None:
    _bold, page = draft(definition(policy="protected"))
    _modest, other = draft(document_of(protected("a", yes_no("steal"), p=3000), slug="modest"))
    for slug, address, wanted in (("habits", page, True), ("modest", other, False)):
        publishing = admin_client.get(reverse("authoring:publish", args=[slug])).content.decode()
        assert (address in publishing) is wanted
