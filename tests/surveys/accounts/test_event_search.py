"""Filters of the audit log read a page of events, not the log: among 100,000 events, on both databases."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from surveys.accounts import event_search
from surveys.accounts.audit_log import EVENTS_PER_PAGE, event_page
from surveys.accounts.event_search import EventPaginator, events_matching, known_actions
from surveys.models import AuditEvent

pytestmark = pytest.mark.django_db

MANY = 100_000
START = datetime(2020, 1, 1, tzinfo=UTC)
ACTIONS = ("draft_save", "run_request", "log_in", "survey_publish", "verdict_give")
# Program steps of SQLite. Looking at each of 100,000 events takes at least 300,000.
MOST_STEPS = 60_000
# Rows and index entries that PostgreSQL reads. Two filters read the 990 events of one person, each twice.
MOST_ROWS = 3_000

FILTERS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "person": {"actor": "PERSON7"},
    "nobody": {"actor": "no such person"},
    "kind": {"action": "survey_publish"},
    "no kind": {"action": "survey_delete"},
    "survey": {"target": "Survey11"},
    "run": {"target": "survey11 run 11"},
    "no survey": {"target": "no-such-survey"},
    "no run": {"target": "survey11 run 12345"},
    "person and kind": {"actor": "person7", "action": "verdict_give"},
    "a day": {"since": date(2020, 1, 3), "until": date(2020, 1, 3)},
    "before all days": {"until": date(2019, 12, 31)},
    "after all days": {"since": date(2090, 1, 1)},
}


@pytest.fixture(scope="module")
def many(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Store 100,000 events of 100 people about 1,000 surveys, one a minute, until the module ends."""
    with django_db_blocker.unblock(), transaction.atomic():
        _store_many()
        yield
        transaction.set_rollback(True)


def _store_many() -> None:
    rows = (
        (
            connection.ops.adapt_datetimefield_value(START + timedelta(minutes=number)),
            f"person{number % 101}",
            ACTIONS[number % len(ACTIONS)],
            f"survey{number % 1009}" + (f" run {number % 1009}" if number % 2 else ""),
            f'{{"revision": {number}}}',
        )
        for number in range(MANY)
    )
    with connection.cursor() as cursor:
        # Model instances would take most of the time of these tests.
        cursor.executemany(
            f"INSERT INTO {AuditEvent._meta.db_table} (at, actor, action, target, detail)"
            " VALUES (%s, %s, %s, %s, %s)",
            rows,
        )
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE surveys_auditevent")


def shown(filters: dict[str, Any]) -> list[AuditEvent]:
    return list(events_matching(filters)[:EVENTS_PER_PAGE])


def steps_of(work: Any) -> int:
    """Return how many thousands of program steps SQLite took, in steps."""
    taken = [0]

    def count() -> int:
        taken[0] += 1
        return 0

    connection.ensure_connection()
    connection.connection.set_progress_handler(count, 1_000)
    try:
        work()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return 1_000 * taken[0]


def plan_nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from plan_nodes(inner)


def rows_read(events: Any) -> int:
    """Return how many rows PostgreSQL read from the log, shown or not."""
    (explained,) = json.loads(events.explain(analyze=True, format="json"))
    scans = [node for node in plan_nodes(explained["Plan"]) if "Scan" in node["Node Type"]]
    assert scans
    return sum(
        int((node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"])
        for node in scans
    )


def test_a_log_without_events_has_no_kinds() -> None:
    assert known_actions() == []
    assert event_page({}, QueryDict())["events"] == []


def test_a_name_with_blanks_finds_the_object_and_what_belongs_to_it() -> None:
    for target in ("work", "work run 3", "work run 3 rule a+b", "work run 30", "works"):
        AuditEvent(at=START, actor="É", action="x", target=target, detail={}).save()

    def targets(target: str) -> list[str]:
        return [event.target for event in events_matching({"target": target})]

    assert targets("WORK run 3") == ["work run 3 rule a+b", "work run 3"]
    assert targets("work") == ["work run 30", "work run 3 rule a+b", "work run 3", "work"]
    assert targets("works") == ["works"]
    assert targets(" work") == []
    assert events_matching({"actor": "É"}).count() == 5


# Tests with many events come last, because the module keeps them to its end.


@pytest.mark.soak
def test_each_filter_reads_a_page_of_events_however_long_the_log_is(many: None) -> None:
    found = {}
    for name, filters in FILTERS.items():
        if connection.vendor == "sqlite":
            taken = steps_of(lambda filters=filters: shown(filters))
            assert taken <= MOST_STEPS, (name, taken)
        else:
            taken = rows_read(events_matching(filters)[:EVENTS_PER_PAGE])
            assert taken <= MOST_ROWS, (name, taken)
        found[name] = len(shown(filters))
    full = {"nothing", "person", "kind", "survey", "person and kind", "a day"}
    assert {name for name, count in found.items() if count == EVENTS_PER_PAGE} == full
    empty = {"nobody", "no kind", "no survey", "no run", "before all days", "after all days"}
    assert {name for name, count in found.items() if count == 0} == empty


@pytest.mark.soak
def test_a_planted_scan_is_found(many: None) -> None:
    """A search inside names can use no index, so it reads every event."""
    events = AuditEvent.objects.order_by("-pk").filter(actor__contains="no such person")
    if connection.vendor == "sqlite":
        assert steps_of(lambda: list(events)) > 4 * MOST_STEPS
    else:
        assert rows_read(events) >= MANY


@pytest.mark.soak
def test_the_kinds_are_listed_and_the_pages_counted_without_reading_every_event(many: None) -> None:
    if connection.vendor == "sqlite":
        assert steps_of(known_actions) <= MOST_STEPS
        assert steps_of(lambda: EventPaginator(events_matching({}), EVENTS_PER_PAGE).count) <= 2 * MOST_STEPS
    assert sorted(name for name, _label in known_actions()) == sorted(ACTIONS)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = event_page({}, QueryDict("page=100"))
    assert len(queries) <= 6
    assert page["matching"] == event_search.MOST_COUNTED
    assert page["is_cut"]
    assert page["pages"].next == ""
    assert not event_page({"actor": "person7"}, QueryDict())["is_cut"]
