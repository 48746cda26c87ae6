"""Figures that a machine asks for: read by a parser of their own, and still whatever answers come."""

from __future__ import annotations

import http.client
import re
import socket
import struct
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from surveys.doctor import metrics
from surveys.doctor.metrics import CONTENT_TYPE, Gauges, Metric, figures_status, metrics_serve
from surveys.intake.mix import mix_waiting
from surveys.jobs.lease import enqueue
from surveys.models import Batch, Inbox, Job
from surveys.models.beat import record_heartbeat
from surveys.server.backup import HEARTBEAT as BACKUP
from surveys.sweeper import HEARTBEAT
from tests.cast.devices import published, wide_definition
from tests.surveys.intake.test_mix import answer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]

Series = dict[tuple[str, frozenset[tuple[str, str]]], float]


def parsed(text: str) -> Series:
    """Read the text format 0.0.4 as its grammar has it, one character after the other in labels."""
    assert text.endswith("\n")
    found: Series = {}
    typed: dict[str, str] = {}
    ended: set[str] = set()
    last = ""
    for line in text.splitlines():
        if line.startswith("#"):
            sign, word, name, rest = line.split(" ", 3)
            assert sign == "#"
            assert word in ("HELP", "TYPE")
            if word == "TYPE":
                # At most once, and before the samples of that name.
                assert name not in typed
                assert name not in ended
                assert rest in ("gauge", "counter")
                typed[name] = rest
            continue
        match = re.match(r"[a-zA-Z_:][a-zA-Z0-9_:]*", line)
        assert match is not None, line
        name, at, labels = match[0], match.end(), {}
        assert name in typed, f"{name} has no type"
        # All lines of a name stand together.
        assert name not in ended
        if last not in ("", name):
            ended.add(last)
        last = name
        if line[at] == "{":
            at += 1
            while line[at] != "}":
                label = re.compile(r"([a-zA-Z_][a-zA-Z0-9_]*)=\"").match(line, at)
                assert label is not None, line
                at, value = label.end(), ""
                while line[at] != '"':
                    if line[at] == "\\":
                        at += 1
                        value += {"n": "\n", "\\": "\\", '"': '"'}[line[at]]
                    else:
                        value += line[at]
                    at += 1
                assert label[1] not in labels
                labels[label[1]] = value
                at += 1
                if line[at] == ",":
                    at += 1
            at += 1
        assert line[at] == " "
        key = (name, frozenset(labels.items()))
        assert key not in found
        # No time of its own behind the value.
        found[key] = float(line[at + 1 :])
    return found


def figure(series: Series, name: str, **labels: str) -> float:
    return series[f"sotto_{name}", frozenset(labels.items())]


def test_it_tells_how_the_parts_are_and_what_waits() -> None:
    now = timezone.now()
    odd = 'a\\b"c\nd/7'
    record_heartbeat(f"worker {odd}", now=now - timedelta(seconds=31))
    record_heartbeat(HEARTBEAT, now=now - timedelta(seconds=12))
    record_heartbeat(BACKUP, now=now - timedelta(hours=5, seconds=7))
    enqueue(kind=Job.Kind.MINE, requested_by=None, now=now - timedelta(seconds=42), announce=False)
    series = parsed(Gauges().text(now=now))
    assert {name: figure(series, "part_ok", part=name) for name in ("database", "migrations", "broker")} == {
        "database": 1.0,
        "migrations": 1.0,
        "broker": 1.0,
    }
    assert figure(series, "part_ok", part="worker") == figure(series, "part_ok", part="sweeper") == 1.0
    assert figure(series, "part_ok", part="mixer") == 0.0
    assert figure(series, "worker_age_seconds", worker=odd) == 30
    assert figure(series, "sweeper_age_seconds") == 10
    assert figure(series, "backup_age_seconds") == 5 * 3600
    assert figure(series, "queue_age_seconds") == 40
    assert figure(series, "jobs", state="queued") == 1
    assert figure(series, "jobs", state="failed") == 0
    assert 0 <= figure(series, "disk_free_percent") <= 100
    assert figure(series, "waiting_rows") == 0


def test_without_its_database_it_says_so_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "database_answers", lambda: False)
    series = parsed(Gauges().text(now=timezone.now()))
    assert figure(series, "part_ok", part="database") == 0
    assert {name for name, _labels in series} == {"sotto_part_ok", "sotto_disk_free_percent"}


class Naive(Gauges):
    """What tells the rows as they are, rounded: each tenth answer moves it."""

    def metrics(self, *, now: datetime) -> Any:
        """Yield one figure more."""
        yield from super().metrics(now=now)
        rows = metrics.rounded_count(Inbox.objects.count())
        yield Metric(name="rows_now", help="Rows.", samples={(): rows})


class NaiveBatches(Gauges):
    """What tells how many batches there are: the hundredth answer moves it."""

    def metrics(self, *, now: datetime) -> Any:
        """Yield one figure more."""
        yield from super().metrics(now=now)
        yield Metric(name="batches", help="Batches.", samples={(): Batch.objects.count()})


def texts_while_answers_come(gauges: Gauges) -> list[str]:
    """Return what is told after each answer, mixes among them, at one time of the clock that asks."""
    version, now = published(wide_definition("wide")), timezone.now()
    record_heartbeat(HEARTBEAT, now=now)
    gauges.text(now=now)
    told = []
    for seed in range(110):
        answer(version, 1, seed=seed)
        mix_waiting()
        told.append(gauges.text(now=now))
    assert Batch.objects.count() == 1
    return told


@pytest.mark.soak
@pytest.mark.parametrize(
    ("make", "is_still"), [(Gauges, True), (Naive, False), (NaiveBatches, False)], ids=str
)
def test_no_answer_can_be_timed_by_it(
    make: Callable[[], Gauges], is_still: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The sweeper's age is by its own clock, which goes on here while answers come.
    monkeypatch.setattr(metrics, "sweeper_age_seconds", lambda: 1.0)
    assert (len(set(texts_while_answers_come(make()))) == 1) is is_still


def test_the_rows_of_the_day_are_rounded_and_counted_once_in_it() -> None:
    version, now = published(wide_definition("wide")), timezone.now()
    answer(version, 24)

    def waiting(after: timedelta) -> float:
        return figure(parsed(Gauges().text(now=now + after)), "waiting_rows")

    assert waiting(timedelta(0)) == 20
    answer(version, 40, seed=1)
    assert waiting(timedelta(hours=23)) == 20
    assert waiting(timedelta(hours=25)) == 60
    # A clock that was put back does not keep it for ever.
    assert waiting(timedelta(hours=2)) == 60


def test_the_disk_is_looked_at_every_ten_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    free = iter((512, 256, 128))
    at = iter((0.0, 599.0, 601.0))
    monkeypatch.setattr(metrics, "room", lambda: metrics_room(next(free)))
    monkeypatch.setattr(metrics.time, "monotonic", lambda: next(at))
    gauges = Gauges()
    assert [gauges._disk() for _ in range(3)] == [50.0, 50.0, 25.0]


def metrics_room(free: int) -> Any:
    from surveys.server.disk import Room

    return Room(free=free, total=1024)


@pytest.mark.django_db(transaction=True)
def test_it_has_an_address_of_its_own_that_notes_no_visit(capfd: pytest.CaptureFixture[str]) -> None:
    server = metrics_serve("127.0.0.1:0")
    assert server is not None
    assert figures_status(f"127.0.0.1:{server.server_port}") == 200
    try:

        def ask(method: str, path: str) -> tuple[int, str | None, str]:
            link = http.client.HTTPConnection("127.0.0.1", server.server_port)
            link.request(method, path)
            answer = link.getresponse()
            said = answer.status, answer.headers["Content-Type"], answer.read().decode()
            link.close()
            return said

        status, content_type, text = ask("GET", "/metrics")
        assert (status, content_type) == (200, CONTENT_TYPE)
        assert figure(parsed(text), "part_ok", part="database") == 1
        assert ask("GET", "/")[0] == 404
        assert ask("POST", "/metrics")[0] == 501
    finally:
        server.shutdown()
        server.server_close()
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.django_db(transaction=True)
def test_whoever_hangs_up_leaves_one_line(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    server = metrics_serve("127.0.0.1:0")
    assert server is not None
    try:
        # Closed at once with a reset: the answer meets a broken pipe.
        with socket.create_connection(server.server_address[:2]) as link:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        assert figures_status(f"127.0.0.1:{server.server_port}") == 200
    finally:
        server.shutdown()
        server.server_close()
    # The line itself may stand there: it is what the log is made of.
    assert "Traceback" not in "".join(capfd.readouterr())
    said = [record.getMessage() for record in caplog.records]
    assert [line for line in said if not line.startswith("nobody took the figures")] == []


def test_a_place_that_another_program_has_stops_no_sweeper(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert metrics_serve(f"127.0.0.1:{taken.getsockname()[1]}") is None
    assert [record.levelname for record in caplog.records] == ["ERROR"]
