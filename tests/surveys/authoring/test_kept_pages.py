"""Each button on the import report and on the page of a text leads to a separate address."""

from typing import Any

import pytest
from django.test import Client, RequestFactory

from surveys.authoring.kept_pages import AT_ADDRESS, kept_address, kept_entries
from surveys.models import Survey
from tests.surveys.authoring.test_import_report import REPORT, TEXT, TEXT_PAGE, said

NONE = {AT_ADDRESS: "1"}


def _request(session: dict[str, Any], **posted: str) -> Any:
    request = RequestFactory().post("/page", posted)
    request.session = session  # type: ignore[assignment]  # a session is a mapping
    return request


def _opened(session: dict[str, Any], address: str) -> Any:
    request = RequestFactory().get(address)
    request.session = session  # type: ignore[assignment]
    return request


def test_entries_are_kept_at_their_page_until_later_ones_need_their_place() -> None:
    session: dict[str, Any] = {}
    first = kept_address(_request(session, **NONE), "/page", {"text": "a" * 40_000})
    second = kept_address(_request(session, **NONE), "/page", {"text": "b" * 40_000})
    assert kept_entries(_opened(session, first), "/page") == {"text": "a" * 40_000}
    assert kept_entries(_opened(session, first), "/other") is None
    third = kept_address(_request(session, **NONE), "/page", {"text": "c" * 40_000})
    found = [kept_entries(_opened(session, address), "/page") for address in (first, second, third)]
    assert [entries and entries["text"][0] for entries in found] == [None, "b", "c"]


def test_nothing_is_kept_for_a_part_of_a_page_or_of_a_text_that_is_too_long() -> None:
    session: dict[str, Any] = {}
    assert kept_address(_request(session), "/page", {"text": "a"}) == ""
    assert kept_address(_request(session, part="1", **NONE), "/page", {"text": "a"}) == ""
    assert kept_address(_request(session, **NONE), "/page", {"text": "a" * 100_000}) == ""
    assert session == {}
    assert kept_entries(_opened(session, "/page?entries=gone"), "/page") is None
    assert kept_entries(_opened(session, "/page"), "/page") is None


def test_texts_in_all_scripts_have_the_same_length_limit() -> None:
    session: dict[str, Any] = {}
    address = kept_address(_request(session, **NONE), "/page", {"text": "问" * 90_000})
    assert kept_entries(_opened(session, address), "/page") == {"text": "问" * 90_000}


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.usefixtures("read_here")
def test_each_step_of_an_import_has_an_address_that_shows_it_again(staff: Client) -> None:
    read = staff.post(TEXT_PAGE, {"pasted": TEXT, **NONE})
    assert read.status_code == 302
    shown = staff.get(read.headers["Location"])
    assert shown.context["values"]["pasted"] == TEXT
    assert "Did anybody hit you?" in said(shown)

    led = staff.post(TEXT_PAGE, {"pasted": TEXT, "make": "", **NONE})
    report = staff.get(led.headers["Location"])
    assert led.headers["Location"].startswith(f"{REPORT}?")
    entered = {"questionnaire": report.context["token"], "how-0": "leave", "how-1": "leave"}
    # Enter presses the first button; a press on another one keeps the answers.
    pressed = staff.post(REPORT, entered | {"read-again": "1", **NONE})
    again = staff.get(pressed.headers["Location"])
    assert [item["how"] for item in again.context["unclear"]] == ["leave", "leave"]
    first = staff.get(led.headers["Location"])
    assert [item["how"] for item in first.context["unclear"]] != ["leave", "leave"]
    # Refusals are shown at once with an address for scripts, and a session that has ended starts anew.
    refused = staff.post(REPORT, {"questionnaire": again.context["token"], "how-1": "leave", **NONE})
    assert refused.status_code == 422
    assert [item["how"] for item in staff.get(refused.context["address"]).context["unclear"]][1] == "leave"
    made = staff.post(REPORT, entered | NONE)
    assert made.status_code == 302
    assert Survey.objects.count() == 1
    assert staff.get(f"{REPORT}?entries=gone").headers["Location"].endswith("/new")
