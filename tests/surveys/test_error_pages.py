"""Pages that refuse look like the others, in the language of the visitor, and set no cookie."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import SuspiciousOperation
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views import defaults


def is_ours(content: bytes) -> bool:
    text = content.decode()
    return "surveys/css/sottovoce.css" in text and 'class="wordmark"' in text


@pytest.mark.parametrize("path", ["/en/nothing/here/", "/nothing", "/en/staff/runs/letters/"])
def test_an_address_without_a_page_says_so(path: str) -> None:
    page = Client().get(path)
    assert page.status_code == 404
    assert is_ours(page.content)
    assert b"Page not found" in page.content
    assert not page.cookies


@pytest.mark.django_db
def test_who_is_not_staff_reads_whom_to_ask() -> None:
    client = Client()
    client.force_login(User.objects.create_user("bob"))
    page = client.get(reverse("report:surveys"))
    assert page.status_code == 403
    assert is_ours(page.content)
    assert b"Ask an administrator to add it" in page.content


def test_a_form_without_its_token_says_what_to_do() -> None:
    page = Client(enforce_csrf_checks=True).post(reverse("login"))
    assert page.status_code == 403
    assert is_ours(page.content)
    assert b"reload the page" in page.content


def test_a_fault_and_a_request_that_is_not_understood_have_pages_of_their_own() -> None:
    request = RequestFactory().get("/")
    for page, status in (
        (defaults.server_error(request), 500),
        (defaults.bad_request(request, SuspiciousOperation()), 400),
    ):
        assert page.status_code == status
        assert is_ours(page.content)
