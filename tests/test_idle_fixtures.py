"""Which automatic fixtures are set up for a test."""

import pytest
from django.conf import settings
from django.core import mail
from django.http import HttpRequest, HttpResponse
from django.urls import path, resolve


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path("marked/", page)]


def test_a_small_test_sets_up_only_what_it_requests(request: pytest.FixtureRequest) -> None:
    assert set(request.node.fixturenames) == {"django_test_environment", "request"}


def test_a_test_without_the_database_gets_the_fixtures_that_it_requests(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    assert set(request.node.fixturenames) == {"django_test_environment", "monkeypatch", "request"}
    monkeypatch.setattr(settings, "LANGUAGE_CODE", "xx")


def test_patches_end_with_their_test() -> None:
    assert settings.LANGUAGE_CODE != "xx"


@pytest.mark.urls(__name__)
def test_a_marked_test_gets_the_fixture_that_obeys_the_mark(request: pytest.FixtureRequest) -> None:
    assert "_django_set_urlconf" in request.node.fixturenames
    assert resolve("/marked/").func is page


@pytest.mark.django_db
@pytest.mark.parametrize("time", [1, 2])
def test_a_test_with_the_database_begins_without_mails(time: int) -> None:
    assert mail.outbox == []
    mail.send_mail(f"mail {time}", "", None, ["a@example.org"])


@pytest.mark.django_db
def test_a_test_with_the_database_has_its_fixture_of_patches(request: pytest.FixtureRequest) -> None:
    # The cache of scenes asks it for patches (tests/fixtures/scenes.py).
    assert "monkeypatch" in request.node.funcargs
