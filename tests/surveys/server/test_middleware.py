from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, JsonResponse
from django.test import Client
from django.urls import URLResolver, get_resolver, path
from django.views.decorators.csrf import csrf_exempt

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


PASTED = "Sleep\n1. Do you sleep badly?\n"
MOST = 200_000


@pytest.mark.usefixtures("read_here")
@pytest.mark.parametrize("line_break", ["\r\n", "\n", "\r"], ids=["both", "line feed", "return"])
@pytest.mark.few("both", why="browsers send both")
def test_texts_that_fit_a_page_are_accepted_however_browsers_send_line_breaks(
    admin_client: Client, line_break: str
) -> None:
    text = (PASTED + "\n" * MOST)[:MOST]
    fits, exceeds = (
        admin_client.post("/en/staff/surveys/new", {"pasted": sent.replace("\n", line_break), "part": "1"})
        for sent in (text, f"{text}\n")
    )
    assert fits.status_code == 200
    assert exceeds.status_code == 422
    sentence = "The text has 200,001 characters; at most 200,000 are possible. Shorten it by 1."
    assert sentence in exceeds.content.decode()


def test_only_texts_of_forms_change(client: Client, settings: Any) -> None:
    """Files, other bodies, and forms of views without a token arrive as they were sent."""
    settings.ROOT_URLCONF = __name__
    file = SimpleUploadedFile("a.txt", b"1\r\n2")
    assert client.post("/with-token", {"a": ["1\r\n2", "3\r4"], "b": file}).json() == {
        "a": ["1\n2", "3\n4"],
        "files": "1\r\n2",
    }
    sent = client.post("/without-token", "a=1%0D%0A2", content_type="application/x-www-form-urlencoded")
    assert sent.json() == "a=1%0D%0A2"


def show_form(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"a": request.POST.getlist("a"), "files": request.FILES["b"].read().decode()})


@csrf_exempt
def show_body(request: HttpRequest) -> JsonResponse:
    return JsonResponse(request.read().decode(), safe=False)


urlpatterns = [path("with-token", show_form), path("without-token", show_body)]
