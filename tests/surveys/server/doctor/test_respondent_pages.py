"""Pages that are changed on the way to the browser are reported."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from surveys.respondent import client_releases
from surveys.respondent.client_program import client as program
from surveys.server.doctor import respondent_pages
from surveys.server.doctor.diagnosis import Check, CheckContext, Severity
from surveys.server.doctor.respondent_pages import NO_HEADERS
from surveys.watch.download import Answer, unpack_answer
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.web_server import WebServer
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db

Change = Callable[[Answer], Answer]


def _get(
    _context: CheckContext, path: str, *, method: str = "GET", headers: Mapping[str, str] = NO_HEADERS
) -> Answer:
    # Each file of the program is requested once, because it is the same in all tests.
    if path.startswith("/program/"):
        answer = _program_file(path, method, tuple(headers.items()))
        return replace(answer, headers=deepcopy(answer.headers))
    return _requested(path, method, headers)


@functools.cache
def _program_file(path: str, method: str, headers: tuple[tuple[str, str], ...]) -> Answer:
    return _requested(path, method, dict(headers))


def _requested(path: str, method: str, headers: Mapping[str, str]) -> Answer:
    response: Any = Client(headers={"host": "localhost"}).generic(method, path, headers=dict(headers))
    served = Message()
    for name, value in response.headers.items():
        served[name] = value
    body = b"".join(response) if response.streaming else response.content
    return unpack_answer(response.status_code, served, body)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], None]:
    """Return a function that simulates pages changed by a proxy."""

    def through(change: Change) -> None:
        def get(*given: Any, **stated: Any) -> Answer:
            return change(_get(*given, **stated))

        monkeypatch.setattr(respondent_pages, "get", get)

    through(lambda answer: answer)
    return through


def with_header(name: str, value: str | None) -> Change:
    def change(answer: Answer) -> Answer:
        del answer.headers[name]
        if value is not None:
            answer.headers[name] = value
        return answer

    return change


def test_unchanged_pages_pass(served: object, doctor: Doctor) -> None:
    for open_survey in (False, True):
        if open_survey:
            published(wide_definition("wide"))
        for check in respondent_pages.PAGES_CHECKS:
            assert doctor.level(check) is Severity.OK, doctor.finds(check)


@pytest.mark.soak
def test_a_survey_served_differently_to_some_browsers_is_detected(
    served: Callable[[Change], None], doctor: Doctor
) -> None:
    published(wide_definition("wide"))

    def raise_truth_probability(answer: Answer) -> Answer:
        told = re.sub(rb'(truth_probability\\?":)\d+', rb"\g<1>9999", answer.body)
        return (
            replace(answer, body=told) if answer.headers.get_content_type() == "application/json" else answer
        )

    served(raise_truth_probability)
    assert "wide: the survey's definition" in doctor.seen(respondent_pages.browsers_get_the_published_survey)


@pytest.mark.parametrize(
    ("name", "value", "seen"),
    [
        ("Content-Security-Policy", None, "default-src is missing"),
        ("Content-Security-Policy", "default-src *", "default-src *"),
        ("Set-Cookie", "balancer=7", "a cookie is set"),
        ("Cache-Control", "public", "caches may store it"),
        ("Referrer-Policy", "origin", "Referrer-Policy is not"),
    ],
)
def test_a_proxy_that_changes_a_respondent_page_is_detected(
    name: str, value: str | None, seen: str, served: Callable[[Change], None], doctor: Doctor
) -> None:
    published(wide_definition("wide"))
    served(with_header(name, value))
    assert seen in doctor.seen(respondent_pages.respondents_are_protected_by_their_page)


def test_a_modified_program_is_detected(served: Callable[[Change], None], doctor: Doctor) -> None:
    assert (
        doctor.level(respondent_pages.the_published_program_is_served, client_digest=program().digest)
        is Severity.OK
    )
    assert (
        doctor.level(respondent_pages.the_published_program_is_served, client_digest="0" * 64)
        is Severity.ERROR
    )
    served(lambda answer: Answer(status=200, headers=answer.headers, body=answer.body + b" "))
    assert "changed: " in doctor.seen(respondent_pages.the_published_program_is_served)


def test_an_unreleased_program_is_detected(
    served: Callable[[Change], None], doctor: Doctor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The scripts match the installation; only the published list shows that they were never released."""
    served(lambda answer: answer)
    check, digest = respondent_pages.the_published_program_is_served, program().digest
    listed = tmp_path / "published_digests.txt"
    monkeypatch.setattr(client_releases, "LIST", listed)
    listed.write_text(f"1.0  {'0' * 64}\n1.1  {digest}\n")
    assert doctor.level(check) is Severity.OK
    assert any("1.1 in the published list" in finding.seen for finding in doctor.finds(check))
    listed.write_text(f"1.0  {'0' * 64}\n")
    (finding,) = [one for one in doctor.finds(check) if one.level is Severity.WARNING]
    assert digest in finding.seen
    assert "Reinstall a release" in finding.remedy
    assert doctor.level(check, client_digest=digest) is Severity.OK


def test_scripts_that_previews_cannot_load_are_detected(
    served: Callable[[Change], None], doctor: Doctor
) -> None:
    served(with_header("Access-Control-Allow-Origin", None))
    assert "Allow-Origin is missing" in doctor.seen(respondent_pages.the_published_program_is_served)


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        (None, "/api/submissions refuses https://page.example.org"),
        ("*", "/api/submissions accepts https://nobody.invalid"),
    ],
)
def test_proxies_that_block_listed_origins_or_allow_all_are_found(
    value: str | None, seen: str, served: Callable[[Change], None], doctor: Doctor, settings: Any
) -> None:
    check = respondent_pages.only_listed_origins_can_send
    settings.SOTTOVOCE_CLIENT_ORIGINS = ["https://page.example.org"]
    served(lambda answer: answer)
    assert doctor.level(check) is Severity.OK, doctor.finds(check)
    served(with_header("Access-Control-Allow-Origin", value))
    assert seen in doctor.seen(check)
    assert doctor.level(check) is Severity.ERROR


def test_an_access_log_is_detected(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Path(settings.SOTTOVOCE_HOME) / "log" / "web.log"
    log.parent.mkdir(exist_ok=True)

    def get(_context: CheckContext, path: str) -> Answer:
        log.write_text(f"GET {path} 404\n")
        return Answer(status=404, headers=Message(), body=b"")

    monkeypatch.setattr(respondent_pages, "get", get)
    assert str(log) in doctor.seen(respondent_pages.no_log_records_visits)
    log.unlink()


@pytest.mark.parametrize("check", respondent_pages.PAGES_CHECKS, ids=lambda check: check.__name__)
def test_without_an_address_page_checks_warn_that_nothing_was_fetched(check: Check, doctor: Doctor) -> None:
    assert doctor.level(check, address=None) is Severity.WARNING


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_pages_of_a_real_server_pass(tmp_path: Path, doctor: Doctor) -> None:
    published(wide_definition("wide"))
    with WebServer(tmp_path / "web.log") as server:
        for check in respondent_pages.PAGES_CHECKS:
            address = f"http://127.0.0.1:{server.port}"
            assert doctor.level(check, address=address) is Severity.OK, doctor.finds(check, address=address)
