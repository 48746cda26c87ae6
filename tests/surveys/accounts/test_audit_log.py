"""The page and the CSV file of the audit log."""

import csv
import io
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime

import pytest
from django.http import QueryDict
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from surveys.accounts.audit_log import EVENTS_PER_PAGE, event_page, events_matching
from surveys.accounts.roles import Role
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import AuditEvent, Inbox, Receipt
from tests.fixtures.devices import request_of
from tests.fixtures.runs import published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db
LOG = "/en/staff/log/"


def write(actor: str = "ana", action: str = "draft_save", target: str = "habits", *, day: int = 20) -> None:
    at = datetime(2026, 11, day, 23, 59, tzinfo=UTC)
    AuditEvent(at=at, actor=actor, action=action, target=target, detail={"revision": 2}).save()


@pytest.fixture
def adam(client: Client) -> Client:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    return client


def rows(response: object) -> list[dict[str, str]]:
    text = b"".join(response.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]  # a streaming response
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    ("asked", "days"),
    [
        ({}, [3, 2, 1]),
        ({"actor": "ANA"}, [3, 1]),
        ({"action": "survey_close"}, [2]),
        ({"target": "habits"}, [2, 1]),
        ({"target": "Work"}, [3]),
        ({"target": "wor"}, []),
        ({"since": date(2026, 11, 2)}, [3, 2]),
        ({"until": date(2026, 11, 2)}, [2, 1]),
        ({"until": date.max}, [3, 2, 1]),
        ({"since": date(2026, 11, 2), "until": date(2026, 11, 2), "actor": "ben"}, [2]),
        ({"actor": "an"}, []),
    ],
)
def test_events_can_be_filtered_by_actor_action_target_and_day(
    asked: dict[str, object], days: list[int]
) -> None:
    write(day=1)
    write("ben", "survey_close", day=2)
    write(target="work run 3", day=3)
    assert [event.at.day for event in events_matching(asked)] == days


@pytest.mark.soak
def test_page_and_file_links_keep_the_filter(adam: Client) -> None:
    for number in range(EVENTS_PER_PAGE + 1):
        write(target=f"s{number}")
    write("ben")
    first = adam.get(f"{LOG}?actor=ana")
    text = first.content.decode()
    assert f"{EVENTS_PER_PAGE + 1} events" in text
    assert 'href="?actor=ana&amp;page=2"' in text
    assert f'href="{LOG.rstrip("/")}.csv?actor=ana"' in text
    second = adam.get(f"{LOG}?actor=ana&page=2").content.decode()
    assert second.count("ana saved the draft “s0”.") == 1
    assert len(rows(adam.get(f"{LOG.rstrip('/')}.csv?actor=ana&page=2"))) == EVENTS_PER_PAGE + 1


@pytest.mark.soak
def test_invalid_query_parameters_filter_nothing(adam: Client) -> None:
    write()
    for query in ("since=yesterday", "action=nothing", "page=0", "page=x", "page=99"):
        assert "1 event" in adam.get(f"{LOG}?{query}").content.decode()
    assert "No matching events" in adam.get(f"{LOG}?actor=nobody").content.decode()


def test_what_the_log_ignores_or_cannot_match_is_said(adam: Client) -> None:
    write()
    for query, said in (
        ("from=banana", "“from” is not a filter of this page and was ignored."),
        ("action=nothing", "“nothing” cannot be chosen here. Choose one of these."),
        ("page=abc", "“abc” is not a page number, so the first page is shown."),
        ("since=2026-11-02&until=2026-11-01", "“To” is an earlier day than “From”, so no event matches."),
    ):
        assert said in adam.get(f"{LOG}?{query}").content.decode()
    assert "ignored" not in adam.get(f"{LOG}?actor=ana&page=1").content.decode()


def test_the_csv_contains_every_event_and_escapes_formulas(adam: Client) -> None:
    write("=cmd()", target="-1+1")
    (row,) = rows(adam.get(f"{LOG.rstrip('/')}.csv"))
    assert row == {
        "at": "2026-11-20T23:59:00+00:00",
        "actor": "'=cmd()",
        "action": "draft_save",
        "target": "'-1+1",
        "detail": '{"revision": 2}',
    }


def test_event_details_are_shown_as_text() -> None:
    AuditEvent(
        at=timezone.now(), actor="a", action="x", target="t", detail={"to": "", "roles": ["b", "c"], "n": 3}
    ).save()
    (event,) = event_page({}, QueryDict())["events"]
    assert event.facts == (
        ("Account", "a"), ("Kind", "x (x)"), ("Object", "t"), ("n", "3"), ("roles", "b, c"), ("to", "–")
    )  # fmt: skip
    assert event.sentence == "a: x (t)"


@pytest.mark.soak
def test_links_of_an_event_add_one_filter_and_keep_the_others(adam: Client) -> None:
    write(target="habits run 3", action="run_cancel")
    (event,) = event_page({}, QueryDict("since=2026-01-01&page=2"))["events"]
    assert [address for address, _text in event.links] == [
        "?since=2026-01-01&actor=ana",
        "?since=2026-01-01&action=run_cancel",
        "?since=2026-01-01&target=habits",
    ]
    for address, _text in event.links:
        assert "1 event<" in adam.get(f"{LOG}{address}").content.decode()


@pytest.mark.soak
def test_filters_suggest_accounts_and_surveys_and_keep_what_was_typed(adam: Client) -> None:
    version = published()
    member("ana", Role.RESEARCHER)
    text = adam.get(f"{LOG}?actor=someone+else&target={version.survey.slug}").content.decode()
    assert '<option value="ana">' in text
    assert f'<option value="habits">{escape(version.survey.title_text)}</option>' in text
    assert 'value="someone else"' in text


def test_events_are_listed_in_the_order_of_recording_even_if_a_clock_was_set_back() -> None:
    write(day=20)
    write(day=3)
    assert [event.at.day for event in events_matching({})] == [3, 20]


@pytest.mark.soak
def test_the_number_of_queries_does_not_grow_with_the_events(
    adam: Client, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    for number in range(EVENTS_PER_PAGE):
        write(actor=f"person{number}", target=f"s{number} run {number}", action="run_request")
    with django_assert_max_num_queries(14):
        adam.get(LOG)


@pytest.mark.soak
def test_respondents_leave_no_trace_in_the_log() -> None:
    version = published()
    before = AuditEvent.objects.count()
    for _respondent in range(110):
        assert submission_receive(request_of(version), now=timezone.now()).status == 200
    keys = [bytes(key).hex() for key in Receipt.objects.values_list("key", flat=True)]
    keys += [bytes(key).hex() for key in Inbox.objects.values_list("key", flat=True)]
    mix(now=timezone.now())
    assert AuditEvent.objects.count() == before
    logged = repr(list(AuditEvent.objects.values_list("actor", "action", "target", "detail")))
    assert len(keys) == 220
    assert not [key for key in keys if re.search(key, logged)]
