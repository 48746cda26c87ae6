"""Find audit events by person, kind, survey and day, reading little more than what is shown.

The indexes are made by migration 0008. Each lists its events newest first, so a filter reads the events
of one page however long the log is, and finds at once that nothing matches. Counts end at `MOST_COUNTED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time
from functools import cached_property
from typing import Any, Final, cast

from django.core.paginator import Paginator
from django.db import connection
from django.db.models import CharField, Func, Q, QuerySet, Value
from django.db.models.functions import Upper

from surveys.accounts.event_sentences import label_of
from surveys.models import AuditEvent

MOST_COUNTED: Final = 10_000
"""Events that the page counts and leads to; the file has all of them. Counting more takes longer."""

_KINDS: Final = """
    WITH RECURSIVE kinds(action) AS (
        SELECT MIN(action) FROM surveys_auditevent
        UNION ALL
        SELECT (SELECT MIN(action) FROM surveys_auditevent WHERE action > kinds.action)
        FROM kinds WHERE action IS NOT NULL
    )
    SELECT action FROM kinds WHERE action IS NOT NULL
"""
# DISTINCT would read every event; this reads one for each kind.


class _FirstWord(Func):
    """The part of a text before its first blank, as the index has it: of "habits run 3", the survey."""

    output_field = CharField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "substr(%(expressions)s, 1, instr(%(expressions)s || ' ', ' ') - 1)"
        return super().as_sql(compiler, connection, template=template, **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return super().as_sql(compiler, connection, template="split_part(%(expressions)s, ' ', 1)", **extra)


class EventPaginator(Paginator):
    """Pages of events, of the newest `MOST_COUNTED` at most."""

    @cached_property
    def count(self) -> int:
        """Number of matching events, at most `MOST_COUNTED`."""
        return min(self._counted, MOST_COUNTED)

    @property
    def is_cut(self) -> bool:
        """Whether more events match than these pages show."""
        return self._counted > MOST_COUNTED

    @cached_property
    def _counted(self) -> int:
        return cast("QuerySet[AuditEvent]", self.object_list)[: MOST_COUNTED + 1].count()


def events_matching(filters: Mapping[str, Any]) -> QuerySet[AuditEvent]:
    """Return the events that match the filters, newest first.

    Parameters
    ----------
    filters : mapping
        Any of ``actor``, ``action``, ``target`` (the name of a survey also finds its runs and rules),
        ``since`` and ``until`` (inclusive, days in UTC). Matching ignores case.
    """
    # In the order of recording, which the primary key keeps even if a clock was set back. It needs no sort.
    # Days alone are found by their times, which then order the events, too.
    has_only_days = bool(filters) and filters.keys() <= {"since", "until"}
    events = AuditEvent.objects.order_by(*(("-at", "-pk") if has_only_days else ("-pk",)))
    if "actor" in filters:
        events = events.alias(_actor=Upper("actor")).filter(_actor=Upper(Value(filters["actor"])))
    if "target" in filters:
        target = filters["target"]
        subject, *more = target.split(" ", 1)
        events = events.alias(_subject=Upper(_FirstWord("target"))).filter(_subject=Upper(Value(subject)))
        if more:
            events = events.filter(Q(target__iexact=target) | Q(target__istartswith=f"{target} "))
    if "action" in filters:
        events = events.filter(action=filters["action"])
    if "since" in filters:
        events = events.filter(at__gte=datetime.combine(filters["since"], time(), tzinfo=UTC))
    if "until" in filters:
        events = events.filter(at__lte=datetime.combine(filters["until"], time.max, tzinfo=UTC))
    return events


def known_actions() -> list[tuple[str, str]]:
    """Return the actions that occur in the log with their display names, sorted by display name."""
    with connection.cursor() as cursor:
        cursor.execute(_KINDS)
        names = [action for (action,) in cursor.fetchall()]
    return sorted(((name, label_of(name)) for name in names), key=lambda pair: pair[1].casefold())
