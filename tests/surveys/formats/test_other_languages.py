"""Links to the same page in another language."""

import pytest
from django.test import Client

from surveys.accounts.roles import Role
from tests.fixtures.runs import published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_language_links_keep_the_page_and_its_filter(client: Client) -> None:
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


@pytest.mark.soak
def test_form_errors_and_missing_pages_have_no_language_link(client: Client) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    refused = client.post("/en/staff/people/invite", {"name": ""})
    missing = client.get("/en/staff/people/999/")
    assert (refused.status_code, missing.status_code) == (422, 404)
    assert "hreflang" not in refused.content.decode()
    assert "hreflang" not in client.get("/en/staff/nowhere").content.decode()
