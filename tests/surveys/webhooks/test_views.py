"""The pages of webhooks."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from surveys.access.roles import Role
from surveys.models import AuditEvent, Survey, Webhook
from surveys.webhooks.hooks import MOST_HOOKS, webhook_make
from tests.cast.runs import published
from tests.cast.staff import member

pytestmark = pytest.mark.django_db
URL = "https://receiver.example/sotto/secret-path"
FORM = {"url": URL, "run_finished": "on", "survey_closed": "on"}
PAGE = "/en/staff/surveys/habits/webhooks/"


@pytest.fixture
def browser() -> Client:
    found = Client()
    ana = member("ana", Role.RESEARCHER)
    found.force_login(ana)
    survey = published("habits").survey
    Survey.objects.filter(pk=survey.pk).update(owner=ana)
    return found


def test_a_key_is_shown_once_and_again_only_as_another(browser: Client) -> None:
    assert "None yet." in browser.get(PAGE).content.decode()
    page = browser.post(PAGE, FORM).content.decode()
    (key,) = re.findall(r'value="(whsec_[^"]+)"', page)
    hook = Webhook.objects.get()
    (kept,) = hook.keys(now=timezone.now())
    assert key == f"whsec_{kept}"
    for address in (PAGE, f"/en/staff/webhooks/{hook.pk}/"):
        assert kept not in browser.get(address).content.decode()
    again = browser.post(f"/en/staff/webhooks/{hook.pk}/rotate").content.decode()
    (other,) = re.findall(r'value="(whsec_[^"]+)"', again)
    assert other != key
    assert Webhook.objects.get().old_key == hook.key


def test_what_is_done_stands_in_the_log_without_key_and_path(browser: Client) -> None:
    browser.post(PAGE, FORM)
    hook = Webhook.objects.get()
    keys = hook.keys(now=timezone.now())
    here = f"/en/staff/webhooks/{hook.pk}/"
    browser.post(f"{here}test")
    delivery = hook.deliveries.get()
    hook.deliveries.update(job=None, state="given_up")
    browser.post(f"/en/staff/webhooks/deliveries/{delivery.pk}/redeliver")
    page = browser.get(here).content.decode()
    assert "waiting" in page
    browser.post(f"{here}rotate")
    browser.post(f"{here}end")
    events = AuditEvent.objects.filter(action__startswith="webhook_").order_by("pk")
    assert [event.action for event in events] == [
        "webhook_make", "webhook_test", "webhook_redeliver", "webhook_rotate", "webhook_end",
    ]  # fmt: skip
    told = str([event.detail for event in events])
    assert "receiver.example" in told
    assert "secret-path" not in told
    assert not any(key in told for key in (*keys, hook.key))
    assert {event.target for event in events} == {"habits"}


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"url": URL},
        {**FORM, "url": "http://receiver.example/"},
        {**FORM, "url": "https://127.0.0.1/"},
        {**FORM, "url": "https://" + "x" * 500},
        {**FORM, "url": "https://user:secret@receiver.example/"},
    ],
)
def test_what_cannot_be_told_is_said_beside_the_form(browser: Client, form: dict[str, str]) -> None:
    answer = browser.post(PAGE, form)
    assert answer.status_code == 422
    assert 'class="error"' in answer.content.decode() or 'role="alert"' in answer.content.decode()
    assert not Webhook.objects.exists()


def test_too_many_are_refused(browser: Client) -> None:
    for _ in range(MOST_HOOKS):
        browser.post(PAGE, FORM)
    answer = browser.post(PAGE, FORM)
    assert answer.status_code == 422
    assert "There are 5 webhooks. End one" in answer.content.decode()


def test_who_reads_no_report_is_not_told_of_runs(browser: Client, settings: Settings) -> None:
    settings.SOTTO_RESEARCHERS_READ_REPORTS = False
    assert "a run finished" not in browser.get(PAGE).content.decode()
    browser.post(PAGE, FORM)
    hook = Webhook.objects.get()
    assert (hook.run_finished, hook.survey_closed) == (False, True)


def test_webhooks_of_all_surveys_are_the_administrators(browser: Client) -> None:
    now = timezone.now()
    hook, _key = webhook_make(None, url=URL, run_finished=True, survey_closed=True, by="root", now=now)
    for address in ("/en/staff/webhooks/", f"/en/staff/webhooks/{hook.pk}/"):
        assert browser.get(address).status_code == 403
    root = Client()
    root.force_login(member("root", Role.ADMINISTRATOR))
    assert URL in root.get("/en/staff/webhooks/").content.decode()
    assert root.post(f"/en/staff/webhooks/{hook.pk}/end").status_code == 302
    assert not Webhook.objects.exists()
