"""The page and the CSV file of the audit log."""

import ast
import csv
import io
import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.http import QueryDict
from django.test import Client
from django.utils import timezone

from surveys.accounts.audit_log import ACTIONS, EVENTS_PER_PAGE, event_page, events_matching
from surveys.accounts.roles import Role
from surveys.extension import extensions
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import AuditEvent, Inbox, Receipt
from tests.architecture import nodes
from tests.fixtures.devices import request_of
from tests.fixtures.runs import published
from tests.fixtures.staff import member
from tests.reach import APPS

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
    assert second.count("saved a draft") == 2  # one event, and the option in the filter
    assert len(rows(adam.get(f"{LOG.rstrip('/')}.csv?actor=ana&page=2"))) == EVENTS_PER_PAGE + 1


def test_invalid_query_parameters_filter_nothing(adam: Client) -> None:
    write()
    for query in ("since=yesterday", "action=nothing", "page=0", "page=x", "page=99"):
        assert "1 event" in adam.get(f"{LOG}?{query}").content.decode()
    assert "No matching events" in adam.get(f"{LOG}?actor=nobody").content.decode()


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
    assert event.detail == ("n: 3", "roles: b, c", "to: –")
    assert event.label == "x"


def test_every_recorded_action_has_a_label() -> None:
    """Without a label, the page would show the action's internal name."""
    written = set()
    for path in (path for app in APPS for path in Path(settings.BASE_DIR, app).rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "audit_event_record",
                "account_event_record",
            ):
                texts = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "action")]
                written |= {text.value for text in texts if isinstance(text, ast.Constant)}
    assert len(written) > 15
    known = set(ACTIONS).union(*(app.actions for app in extensions()))
    assert written - known == set()


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
