"""Staff change the language of the page they are on."""

from __future__ import annotations

import pytest
from django.test import Client

from surveys.accounts.permissions import Role
from tests.fixtures.runs import published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def test_a_page_leads_to_itself_in_the_other_language_with_its_filter(client: Client) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    published("habits")
    for here, there in (
        ("/en/staff/log/?actor=a&action=", "/zh-hans/staff/log/?actor=a&amp;action="),
        ("/zh-hans/staff/surveys/habits/", "/en/staff/surveys/habits/"),
        ("/zh-hans/staff/log-in/", "/en/staff/log-in/"),
        ("/en/", "/zh-hans/"),
    ):
        page = client.get(here, follow=True)
        assert f'href="{there}" lang=' in page.content.decode(), here


def test_no_link_leads_to_what_only_a_form_answers_or_to_nowhere(client: Client) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    refused = client.post("/en/staff/people/invite", {"name": ""})
    missing = client.get("/en/staff/people/999/")
    assert (refused.status_code, missing.status_code) == (422, 404)
    assert "hreflang" not in refused.content.decode()
    assert "hreflang" not in client.get("/en/staff/nowhere").content.decode()
