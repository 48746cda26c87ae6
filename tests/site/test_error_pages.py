"""Error pages look like other pages, use the visitor's language, and set no cookie."""

import logging
import logging.config
from collections.abc import Callable

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import path, reverse
from django.views import defaults


def is_ours(content: bytes) -> bool:
    """Return whether a page looks like others and leads back."""
    text = content.decode()
    return all(part in text for part in ("surveys/css/sottovoce.css", 'class="wordmark"', '<a href="/">'))


@pytest.mark.parametrize("path", ["/en/nothing/here/", "/nothing", "/en/staff/runs/letters/"])
def test_an_unknown_url_shows_the_not_found_page(path: str) -> None:
    page = Client().get(path)
    assert page.status_code == 404
    assert is_ours(page.content)
    assert b"Page not found" in page.content
    assert not page.cookies


@pytest.mark.django_db
def test_users_without_staff_access_learn_how_to_request_it() -> None:
    client = Client()
    client.force_login(User.objects.create_user("bob"))
    page = client.get(reverse("report:surveys"))
    assert page.status_code == 403
    assert is_ours(page.content)
    assert b"Ask an administrator to add it" in page.content


def test_a_form_without_a_token_explains_what_to_do() -> None:
    page = Client(enforce_csrf_checks=True).post(reverse("login"))
    assert page.status_code == 403
    assert is_ours(page.content)
    assert b"reload the page" in page.content


def test_server_errors_and_bad_requests_have_their_own_pages() -> None:
    request = RequestFactory().get("/")
    for page, status in (
        (defaults.server_error(request), 500),
        (defaults.bad_request(request, SuspiciousOperation()), 400),
    ):
        assert page.status_code == status
        assert is_ours(page.content)


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("planted fault")


def busy(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=503)


def wrong(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=400)


handler500 = "surveys.server.error_pages.outage_or_fault"
urlpatterns = [path("fail", fail), path("busy", busy), path("wrong", wrong)]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(("address", "status"), [("/busy", 503), ("/wrong", 400)])
def test_deliberate_error_responses_are_not_logged(
    address: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert Client().get(address).status_code == status
    assert caplog.records == []


@pytest.fixture
def printed(capfd: pytest.CaptureFixture[str]) -> Callable[[], str]:
    """Return a function for the process's output under the current logging settings."""
    logging.config.dictConfig(settings.LOGGING)
    return lambda: "".join(capfd.readouterr())


@pytest.mark.parametrize("address", ["/en/", "/ready", "/api/submissions", "/en/staff/log-in/"])
def test_requests_for_other_hosts_are_not_logged(address: str, printed: Callable[[], str]) -> None:
    assert Client().get(address, HTTP_HOST="evil.example").status_code == 400
    assert Client().post(address, HTTP_HOST='evil.example"').status_code == 400
    assert printed() == ""


def test_forms_without_a_csrf_token_are_not_logged(printed: Callable[[], str]) -> None:
    assert Client(enforce_csrf_checks=True).post("/en/staff/log-in/").status_code == 403
    assert printed() == ""


@pytest.mark.django_db
@override_settings(DATA_UPLOAD_MAX_NUMBER_FIELDS=3)
def test_requests_with_too_many_fields_are_not_logged(printed: Callable[[], str]) -> None:
    fields = {f"field{number}": "1" for number in range(4)}
    assert Client().post("/en/staff/log-in/", fields).status_code == 400
    assert printed() == ""


@pytest.mark.urls(__name__)
def test_server_errors_are_printed(printed: Callable[[], str]) -> None:
    assert Client(raise_request_exception=False).get("/fail").status_code == 500
    assert "RuntimeError: planted fault" in printed()


@pytest.mark.django_db
def test_unknown_urls_are_not_logged(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get("/en/nowhere").status_code == 404
    assert caplog.records == []


@pytest.mark.urls(__name__)
def test_server_errors_are_logged_with_their_trace(caplog: pytest.LogCaptureFixture) -> None:
    assert Client(raise_request_exception=False).get("/fail").status_code == 500
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None


@pytest.mark.soak
@pytest.mark.parametrize(
    ("path", "browser", "language"),
    [
        ("/en/s/work/ar/more/", "", "ar"),
        ("/nothing", "de-AT,en;q=0.5", "de"),
        ("/nothing", "tlh,ru;q=0.5", "ru"),
        ("/nothing", "en-GB,ru;q=0.5", "en"),
        ("/zh-hans/nothing/", "de", "zh-hans"),
    ],
)
def test_error_pages_are_in_the_language_of_the_reader(path: str, browser: str, language: str) -> None:
    page = Client(headers={"accept-language": browser}).get(path, follow=True)
    assert page.status_code == 404
    assert f'<html lang="{language}"' in page.content.decode()


@pytest.mark.urls(__name__)
def test_a_fault_on_the_server_is_told_in_the_language_of_the_reader() -> None:
    browser = Client(raise_request_exception=False, headers={"accept-language": "ar"})
    page = browser.get("/fail").content.decode()
    assert "حدث خطأ في هذا الخادم" in page
    assert '<html lang="ar" dir="rtl"' in page
