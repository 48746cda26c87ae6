"""A draft on a phone: an address without an account shows the saved draft for a day and sends nothing."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.publish import survey_import
from surveys.models import AuditEvent, SharedPage, Survey
from tests.fixtures.runs import definition

pytestmark = pytest.mark.django_db

PAGE = "/en/staff/surveys/habits/build/phone/"


@pytest.fixture
def survey() -> Survey:
    return survey_import(definition(), by="alice")


def made(client: Client) -> str:
    found = re.search(r'value="http://testserver([^"]+)"', client.post(PAGE).content.decode())
    assert found
    return found[1]


def test_an_address_is_made_for_a_day_shown_once_and_ended(admin_client: Client, survey: Survey) -> None:
    text = admin_client.post(PAGE).content.decode()
    assert text.count('class="qr"') == 1
    (kept,) = SharedPage.objects.all()
    assert (kept.kind, kept.survey_id, kept.run_id) == ("preview", survey.pk, None)
    assert kept.until - kept.made_at == timedelta(days=1)
    found = re.search(r"/shared/([^/]+)/preview/", text)
    assert found
    later = admin_client.get(PAGE).content.decode()
    assert found[1] not in later
    end = reverse("report:share_end", args=["habits", kept.pk])
    assert end in later
    assert admin_client.post(end).headers["Location"] == PAGE
    assert Client().get(f"/en{found[0]}").status_code == 404
    assert end not in admin_client.get(PAGE).content.decode()
    events = AuditEvent.objects.filter(action__startswith="preview_").order_by("pk")
    assert [event.action for event in events] == ["preview_share", "preview_unshare"]


def test_the_page_is_the_draft_as_it_was_saved_and_can_send_nothing(
    admin_client: Client, survey: Survey
) -> None:
    address = made(admin_client)
    answer = Client().get(address)
    assert answer.status_code == 200
    assert "Have you cheated?" in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"
    assert "connect-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "Set-Cookie" not in answer.headers
    changed = survey.definition
    changed["blocks"][1]["questions"][1]["text"]["en"] = "Have you lied?"
    Survey.objects.filter(pk=survey.pk).update(definition=changed)
    assert "Have you lied?" in Client().get(address).content.decode()
    assert SharedPage.objects.count() == 1
    results = address.replace("preview/", "")
    assert [Client().get(path).status_code for path in (results, f"{results}risk/")] == [404, 404]


def test_a_draft_that_cannot_be_shown_says_why(admin_client: Client, survey: Survey) -> None:
    address = made(admin_client)
    Survey.objects.filter(pk=survey.pk).update(definition={**survey.definition, "blocks": []})
    answer = Client().get(address)
    assert answer.status_code == 422
    assert "There is nothing to show yet" in answer.content.decode()
