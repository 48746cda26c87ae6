"""Who gets through which door."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from django.urls import URLPattern, reverse

from surveys.permissions import get_run_for_staff, get_staff, get_survey_for_staff, get_surveys_for_staff
from surveys.report.urls import urlpatterns
from tests.surveys.report.cast import alice, answered, asked

pytestmark = pytest.mark.django_db


def bob() -> User:
    """Return somebody who may log in and is not staff."""
    return User.objects.create_user("bob", password="a-long-password")


def charlie() -> User:
    """Return a former member of the staff."""
    return User.objects.create_user("charlie", is_staff=True, is_active=False)


def test_staff_get_what_they_ask_for() -> None:
    run = asked(answered())
    assert get_staff(alice()) == alice()
    assert get_survey_for_staff(alice(), "habits") == run.survey
    assert get_run_for_staff(alice(), run.pk) == run


@pytest.mark.parametrize("who", [bob, charlie, AnonymousUser])
def test_nobody_else_gets_through_any_door(who: object) -> None:
    run = asked(answered())
    user = who()
    for door in (
        lambda: get_staff(user),
        lambda: get_surveys_for_staff(user),
        lambda: get_survey_for_staff(user, "habits"),
        lambda: get_run_for_staff(user, run.pk),
    ):
        with pytest.raises(PermissionDenied):
            door()


def test_what_is_not_there_is_not_found() -> None:
    with pytest.raises(Http404):
        get_survey_for_staff(alice(), "nothing")
    with pytest.raises(Http404):
        get_run_for_staff(alice(), 4711)


def address(pattern: URLPattern, run_id: int) -> str:
    known = {"slug": "habits", "run_id": run_id}
    given = {name: known[name] for name in pattern.pattern.converters}
    return reverse(f"report:{pattern.name}", kwargs=given)


@pytest.mark.parametrize("pattern", urlpatterns, ids=lambda pattern: pattern.name)
@pytest.mark.parametrize("method", ["get", "post"])
def test_every_address_of_the_report_asks_who_is_there(
    client: Client, pattern: URLPattern, method: str
) -> None:
    path = address(pattern, asked(answered()).pk)
    anonymous = getattr(client, method)(path)
    assert anonymous.status_code == 302
    assert anonymous["Location"].startswith("/en/staff/log-in/?next=")
    client.force_login(bob())
    assert getattr(client, method)(path).status_code == 403


def test_what_staff_see_is_kept_by_no_cache(client: Client) -> None:
    answered()
    client.force_login(alice())
    for path in ("/en/staff/", "/en/staff/surveys/habits/"):
        assert "no-store" in client.get(path)["Cache-Control"]


def test_only_staff_can_log_in(client: Client) -> None:
    bob()
    refused = client.post("/en/staff/log-in/", {"username": "bob", "password": "a-long-password"})
    assert refused.status_code == 200
    assert "_auth_user_id" not in client.session
    assert 'role="alert"' in refused.content.decode()


def test_staff_log_in_and_are_led_to_where_they_wanted_to_go(client: Client) -> None:
    answered()
    User.objects.create_user("dora", password="a-long-password", is_staff=True)
    response = client.post(
        "/en/staff/log-in/?next=/en/staff/surveys/habits/",
        {"username": "dora", "password": "a-long-password", "next": "/en/staff/surveys/habits/"},
    )
    assert (response.status_code, response["Location"]) == (302, "/en/staff/surveys/habits/")


def test_nobody_is_led_to_another_site(client: Client) -> None:
    User.objects.create_user("dora", password="a-long-password", is_staff=True)
    form = {"username": "dora", "password": "a-long-password", "next": "https://elsewhere.example/"}
    assert client.post("/en/staff/log-in/", form)["Location"] == "/en/staff/"
