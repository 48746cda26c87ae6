import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver

from surveys.extension import extensions
from surveys.server.middleware import STAFF_NAMESPACES

pytestmark = pytest.mark.django_db

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


@pytest.mark.parametrize("path", ["/ready", "/en/", "/zh-hans/", "/no-such-page", "/client/surveys/none"])
def test_the_strictest_content_policy_is_the_default(client: Client, path: str) -> None:
    assert policy(client.get(path)) == STRICT


@pytest.mark.parametrize("path", ["/en/admin/login/", "/en/staff/log-in/"])
def test_staff_pages_relax_only_form_action_to_self(client: Client, path: str) -> None:
    response = client.get(path)
    assert policy(response) == STRICT - {"form-action 'none'"} | {"form-action 'self'"}
    # With "no-referrer" browsers send Origin: null with forms, which the CSRF check refuses.
    assert response["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/en/", "/ready"])
def test_public_pages_set_no_cookies_and_send_no_referrer(client: Client, path: str) -> None:
    response = client.get(path)
    assert not response.cookies
    assert response["Referrer-Policy"] == "no-referrer"


def test_the_form_policy_covers_every_staff_package() -> None:
    """Only browsers enforce form-action, so users would be the first to notice a missing package."""
    of_languages = [one for one in get_resolver().url_patterns if isinstance(one, URLResolver)]
    below = [
        package for one in of_languages for package in one.url_patterns if isinstance(package, URLResolver)
    ]
    packages = {package.namespace for package in below if str(package.pattern) == "staff/"}
    assert {"accounts", "authoring", "export", "report"} <= packages
    assert packages == STAFF_NAMESPACES.union(*(app.pages for app in extensions())) - {"admin"}
