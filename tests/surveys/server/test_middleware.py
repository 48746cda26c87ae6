import pytest
from django.test import Client

STRICT = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
}


def policy(response: object) -> set[str]:
    return {part.strip() for part in response["Content-Security-Policy"].split(";")}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/ready", "/en/", "/zh-hans/", "/no-such-page", "/en/s/no-such-survey/"])
def test_the_strictest_policy_is_the_default_everywhere(client: Client, path: str) -> None:
    assert policy(client.get(path)) == STRICT


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/en/admin/login/", "/en/staff/log-in/"])
def test_staff_pages_may_send_forms_to_this_server_and_nothing_else_changes(
    client: Client, path: str
) -> None:
    response = client.get(path)
    assert policy(response) == STRICT - {"form-action 'none'"} | {"form-action 'self'"}
    # Under "no-referrer" a browser sends Origin: null with a form, which the CSRF check refuses.
    assert response["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/en/", "/ready"])
def test_pages_that_need_no_log_in_set_no_cookie_and_send_no_referrer(client: Client, path: str) -> None:
    response = client.get(path)
    assert not response.cookies
    assert response["Referrer-Policy"] == "no-referrer"
