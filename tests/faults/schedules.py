"""Random schedules of a whole installation: real services, a database in memory, and a simulated clock.

Two devices and a crowd answer through two web processes. Mixer, sweeper, workers, restores and clock jumps
come in between, even between the moments when a web process chooses a key and when it stores the row. After
each step, promises 3, 5, 6 and 7 of the README must hold. Hypothesis prints the shortest schedule that breaks
a promise, and a seed to repeat it.
"""

import contextlib
import json
import secrets
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.db import connection
from django.db.models import Sum
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mining.thresholds import Thresholds
from surveys.authoring.lifecycle import survey_close
from surveys.errors.error import SurveyError
from surveys.intake import keys, receive, target
from surveys.intake.codes import code_new
from surveys.intake.mix import mix_waiting
from surveys.intake.receive import submission_receive
from surveys.intake.sealed_boxes import PrivateKey, open_box
from surveys.intake.store import Entry, StoreResult
from surveys.jobs import lease
from surveys.jobs.lease import Claim, LostLease
from surveys.management.commands.sweep import SWEEPER_STEPS, sweep_once
from surveys.models import Batch, Inbox, MixerKey, Receipt, Run, Survey, Version
from surveys.runs.run_requests import run_request
from surveys.server import database_copy
from tests.attack.traces import split_rows
from tests.fixtures.devices import request_of
from tests.surveys.intake.test_views import body_of

LEAST: Final = 4
"""Least size of batches and of the pool; reports need twice as many rows. The product has 50 and 100."""

START: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
MANY: Final = 8 * LEAST
"""Answers before a survey may be closed, because fewer could not be reported."""

SECRET: Final = timedelta(minutes=10)
"""How long the key of an answer may exist while the mixer works."""

DEVICE_KEEPS: Final = timedelta(days=7)
SWEEPER: Final = tuple(step for step in SWEEPER_STEPS if step[0] in {"clock", "mix", "retention", "jobs"})
FEW: Final = Thresholds(support=0.2, max_size=2)

_COUNTED: Final = """
    SELECT (SELECT COUNT(*) FROM surveys_receipt r WHERE r.survey_id = s.id AND r.digest IS NOT NULL),
        (SELECT COUNT(*) FROM surveys_inbox i JOIN surveys_version v ON v.id = i.version_id
            WHERE v.survey_id = s.id)
        + (SELECT COALESCE(SUM(b.n), 0) FROM surveys_batch b JOIN surveys_version v ON v.id = b.version_id
            WHERE v.survey_id = s.id)
        + COALESCE(s.rows_lost, 0) + COALESCE(s.rows_too_few, 0)
    FROM surveys_survey s
"""


@dataclass
class World:
    """The initial state of every schedule, and the clock.

    Parameters
    ----------
    template : sqlite3.Connection
        Database with two published surveys, one by invitation, and no key.
    codes : tuple of str
        Invitations of the second survey.
    folder : Path
        Folder for the mixer's keys and backups.
    """

    template: sqlite3.Connection
    codes: tuple[str, ...]
    folder: Path
    now: datetime = START
    steps: int = 0


WORLD: list[World] = []
"""The world of the running test, kept here because Hypothesis creates the machines."""


@dataclass
class Process:
    """The caches of a web process."""

    known: dict[Any, Any] = field(default_factory=dict)
    remembered: dict[Any, Any] = field(default_factory=dict)


@dataclass
class Device:
    """A phone with at most one sealed answer that is not acknowledged yet."""

    raw: bytes = b""
    sealed_at: timedelta = timedelta(0)


@dataclass(frozen=True)
class Logged:
    """What the stolen database log reveals about one answer: its box, its receipt, and the time."""

    box: bytes
    under: bytes
    design: str
    at: timedelta


class Installation(RuleBasedStateMachine):
    """An installation while people answer."""

    def __init__(self) -> None:
        super().__init__()
        self.world = WORLD[-1]
        self.world.now = START
        self.world.template.backup(connection.connection)
        shutil.rmtree(self.world.folder, ignore_errors=True)
        self.world.folder.mkdir()
        self.elapsed = self.absent = self.set_back = timedelta(0)
        self.web = (Process(), Process())
        self.devices = (Device(), Device())
        self.codes = list(self.world.codes)
        self.received: list[bytes] = []
        self.sent: list[bytes] = []
        self.log: list[Logged] = []
        self.reports: list[tuple[int, dict[int, int]]] = []
        self.claims: list[Claim] = []
        self.results: Counter[int] = Counter()
        self.backup: tuple[sqlite3.Connection, list[bytes]] | None = None
        self.unreadable = 0
        self.open, self.invited = Version.objects.select_related("survey").order_by("pk")

    @initialize(people=st.sampled_from([0, MANY]))
    def first_pass(self, people: int) -> None:
        """The mixer offers a key. Many schedules begin with a batch, because few come to have one."""
        self.mixer_passes()
        self.crowd(process=0, people=people)
        self.mixer_passes()

    # Devices and web processes

    @rule(
        device=st.integers(0, 1),
        invited=st.booleans(),
        process=st.integers(0, 1),
        reply_is_lost=st.booleans(),
        meanwhile=st.sampled_from(["nothing", "mix", "minutes", "close"]),
    )
    def send(self, device: int, invited: bool, process: int, reply_is_lost: bool, meanwhile: str) -> None:
        """A respondent answers once, and the device sends the sealed answer until it is acknowledged.

        `meanwhile` happens after the server has chosen a key for the answer.
        """
        one = self.devices[device]
        if not one.raw:
            is_by_code = invited and bool(self.codes)
            by_code = {"code": self.codes.pop()} if is_by_code else {}
            one.raw = self.new_request(self.invited if is_by_code else self.open, **by_code)
            one.sealed_at = self.elapsed
        if self.elapsed - one.sealed_at > DEVICE_KEEPS:
            one.raw = b""
            return
        status = self.post(one.raw, process, meanwhile)
        if status != 503 and not (status == 200 and reply_is_lost):
            one.raw = b""

    @rule(process=st.integers(0, 1), people=st.integers(1, 4 * LEAST))
    def crowd(self, process: int, people: int) -> None:
        """More people answer."""
        for _ in range(people):
            self.post(self.new_request(self.open), process)

    @rule(process=st.integers(0, 1), number=st.integers(0, 30))
    @precondition(lambda self: self.received)
    def send_again(self, process: int, number: int) -> None:
        """A device whose reply was lost sends the same bytes again, then another body under the same key."""
        raw = self.received[number % len(self.received)]
        before = self.rows()
        assert self.post(raw, process) == 200, "the same bytes are refused"
        by_invitation = b'"code"' in raw
        other = raw[:-4] + (b"0" if raw[-4:-3] != b"0" else b"1") + raw[-3:]
        # Another reply than to an unknown code would reveal that the code is used: 410 once the survey is
        # closed, and 503 from a server without a key.
        refused = {410, 422, 503} if by_invitation else {409}
        assert self.post(other, process) in refused, "another answer is accepted"
        assert self.rows() == before, "an answer is stored twice"

    @rule(process=st.integers(0, 1), number=st.integers(0, 30))
    @precondition(lambda self: any(b'"code"' in raw for raw in self.received))
    def probe(self, process: int, number: int) -> None:
        """An attacker with the list of codes tests whether one is used."""
        used = [raw for raw in self.received if b'"code"' in raw]
        raw = used[number % len(used)]
        code, stranger = json.loads(raw)["code"], code_new(secrets.randbelow)
        body = body_of(raw).hex()
        replies = [
            self.reply(request_of(self.invited, code=one, body=body), process) for one in (code, stranger)
        ]
        assert replies[0] == replies[1], "the reply reveals that a code is used"

    # Mixer, sweeper, workers

    @rule()
    def mix(self) -> None:
        """The mixer passes twice: the second pass destroys keys that the first one made unneeded."""
        self.mixer_passes()
        self.mixer_passes()
        self.check_keys()
        self.check_rows()

    @rule()
    def sweep(self) -> None:
        """The sweeper runs once, and the mixer with it."""
        self.forget_absence()
        assert sweep_once(SWEEPER) == []

    @rule(invited=st.booleans(), at_once=st.booleans())
    @precondition(lambda self: len(self.sent) > MANY)
    def close(self, invited: bool, at_once: bool) -> None:
        """A researcher closes a survey."""
        with contextlib.suppress(SurveyError):
            survey = (self.invited if invited else self.open).survey
            survey_close(survey, by="alice", now=self.world.now, at_once=at_once)

    @rule(process=st.integers(0, 1), people=st.integers(0, LEAST))
    @precondition(lambda self: Batch.objects.filter(version=self.open).exists())
    def report(self, process: int, people: int) -> None:
        """A few people answer, the mixer passes, and a researcher requests a run to compare with others.

        Without a batch, every request is refused.
        """
        self.crowd(process=process, people=people)
        self.mixer_passes()
        try:
            run = run_request(version=self.open, thresholds=FEW, by=None, now=self.world.now, announce=False)
        except SurveyError:
            return
        read = Batch.objects.filter(version=self.open, pk__range=(run.first_batch, run.last_batch))
        batches = dict(read.values_list("pk", "n"))
        assert run.n == sum(batches.values()) >= 2 * LEAST, "a report of too few answers"
        for _run, others in self.reports:
            only = [others.get(pk) or batches[pk] for pk in batches.keys() ^ others.keys()]
            assert not only or sum(only) >= LEAST, "two reports differ by too few rows"
        self.reports.append((run.pk, batches))

    @rule(number=st.integers(0, 5))
    @precondition(lambda self: self.reports)
    def claim(self, number: int) -> None:
        """A worker claims a run."""
        run = Run.objects.get(pk=self.reports[number % len(self.reports)][0])
        held = lease.claim(run.job_id, now=self.world.now)
        if held is not None:
            self.claims.append(held)

    @rule(number=st.integers(0, 5))
    @precondition(lambda self: self.claims)
    def finish(self, number: int) -> None:
        """A worker stores its result, perhaps long after it lost the lease."""
        held = self.claims[number % len(self.claims)]
        stored: list[int] = []
        with contextlib.suppress(LostLease):
            lease.finish(held, now=self.world.now, store=lambda: stored.append(held.job_id))
            self.results.update(stored)

    # The clock, and the operator

    @rule(minutes=st.sampled_from([1, 6, 11, 60, 60 * 24, 60 * 24 * 8]))
    def wait(self, minutes: int) -> None:
        """Time passes."""
        self.elapsed += timedelta(minutes=minutes)
        self.absent += timedelta(minutes=minutes)
        self.world.now += timedelta(minutes=minutes)

    @rule(minutes=st.sampled_from([-60 * 24, -60, -3, 3, 60]))
    def clock_jumps(self, minutes: int) -> None:
        """Someone sets the clock."""
        self.world.now += timedelta(minutes=minutes)
        self.set_back -= min(timedelta(minutes=minutes), timedelta(0))

    @rule()
    def back_up(self) -> None:
        """The nightly backup runs."""
        copy = sqlite3.connect(":memory:")
        connection.connection.backup(copy)
        self.backup = copy, list(self.received)

    @rule()
    @precondition(lambda self: self.backup)
    def restore(self) -> None:
        """The operator restores the backup, and all processes restart."""
        assert self.backup is not None
        copy, received = self.backup
        for statement in (database_copy._FORGET, database_copy._RETIRE):
            copy.execute(statement)
        copy.commit()
        copy.backup(connection.connection)
        self.web = (Process(), Process())
        self.received = list(received)
        # Reports of the lost machine are gone, and new ones get the same numbers.
        self.reports, self.claims, self.results = [], [], Counter()
        there = keys.key_folder().names()
        under = Inbox.objects.values_list("sealed_under", flat=True)
        self.unreadable = sum(bytes(name) not in there for name in under)

    # What must hold

    @invariant()
    def receipts_and_rows_agree(self) -> None:
        """Every used receipt has a row that waits, is in a batch, or is counted as lost (promise 3)."""
        self.world.steps += 1
        with connection.cursor() as cursor:
            cursor.execute(_COUNTED)
            assert all(used == there for used, there in cursor.fetchall()), "receipts and rows disagree"

    @invariant()
    def a_run_has_one_result(self) -> None:
        """No job stores its result twice."""
        assert all(number == 1 for number in self.results.values()), "a result is stored twice"

    def check_rows(self) -> None:
        """Received answers are stored once; receipts and rows share no name (promises 3 and 6)."""
        stored = Counter(row for row in self.open_rows())
        for version in (self.open, self.invited):
            for (packed,) in Batch.objects.filter(version=version).values_list("packed"):
                stored.update(split_rows(bytes(packed), version.row_bytes))
        received, sent = Counter(map(body_of, self.received)), Counter(map(body_of, self.sent))
        assert not stored - sent, "an answer is stored twice"
        lost = Survey.objects.aggregate(Sum("rows_lost"), Sum("rows_too_few"))
        allowed = sum(number or 0 for number in lost.values()) + self.unreadable
        assert (received - stored).total() <= allowed, "a received answer is lost"
        names = set(Inbox.objects.values_list("key", flat=True))
        assert not names & set(Receipt.objects.values_list("key", flat=True)), "a row has its receipt's key"

    def check_keys(self) -> None:
        """No key opens an answer ten minutes later, although the log has every box (promise 5)."""
        folder = keys.key_folder()
        there = folder.names()
        assert there == {bytes(name) for name in MixerKey.objects.values_list("name", flat=True)}
        mixed = {row for (packed,) in Batch.objects.values_list("packed") for row in (bytes(packed),)}
        for one in self.log:
            if one.under not in there:
                continue
            assert self.elapsed - one.at < SECRET, "a key outlives its answers"
            key = folder.read(one.under)
            assert key is not None
            row = open_box(one.box, key=key, design_id=one.design)
            assert not any(row in split_rows(packed, len(row)) for packed in mixed), (
                "a mixed row can be opened"
            )

    # Helpers

    def new_request(self, version: Version, **changes: str) -> bytes:
        """Return a request whose disguised answers nobody has sent, so that a row can be recognised.

        Two people send the same 16 answers once in 65,536 pairs, and there are some thousand pairs.
        """
        sent = set(map(body_of, self.sent))
        while body_of(raw := request_of(version, **changes)) in sent:
            pass
        return raw

    def mixer_passes(self) -> None:
        """The mixer passes once."""
        self.forget_absence()
        mix_waiting()

    def forget_absence(self) -> None:
        """Make answers younger by what the mixer, which is back, cannot know of their age.

        Keys have dates by the clock. If the clock was set back by an hour during an hour without the mixer,
        no time seems to have passed, so this hour does not count against the mixer.
        """
        if unknown := min(self.absent, self.set_back):
            self.log = [replace(one, at=one.at + unknown) for one in self.log]
        self.absent = self.set_back = timedelta(0)

    def post(self, raw: bytes, process: int, meanwhile: str = "nothing") -> int:
        """Post a body to a web process; return the status."""
        self.sent += [] if raw in self.sent else [raw]
        status, _answer = self.reply(raw, process, meanwhile)
        assert status in {200, 409, 410, 422, 503}, status
        if status == 200 and raw not in self.received:
            self.received.append(raw)
        return status

    def reply(self, raw: bytes, process: int, meanwhile: str = "nothing") -> tuple[int, object]:
        """Return what a web process replies."""
        web, store = self.web[process], receive.store_once
        target._known, keys._remembered = web.known, web.remembered

        def stored(entry: Entry, *, now: datetime) -> StoreResult:
            receive.store_once = store
            self.happens(meanwhile)
            target._known, keys._remembered = web.known, web.remembered
            done = store(entry, now=now)
            if done is StoreResult.NEW:
                self.log.append(Logged(entry.box, entry.sealed_under, entry.design_id, self.elapsed))
            receive.store_once = stored
            return done

        receive.store_once = stored
        try:
            result = submission_receive(raw, now=self.world.now)
        finally:
            receive.store_once = store
        return result.status, result.answer

    def happens(self, what: str) -> None:
        """Perform an action of another process."""
        match what:
            case "mix":
                keys._remembered = {}
                self.mixer_passes()
                self.mixer_passes()
            case "minutes":
                self.wait(6)
                keys._remembered = {}
                self.mixer_passes()
                self.mixer_passes()
            case "close" if len(self.sent) > MANY:
                self.close(invited=False, at_once=True)

    def rows(self) -> tuple[int, int]:
        """Count the waiting rows and the used receipts."""
        return Inbox.objects.count(), Receipt.objects.filter(digest__isnull=False).count()

    def open_rows(self) -> Iterator[bytes]:
        """Yield the waiting rows whose key exists."""
        folder, opened = keys.key_folder(), dict[bytes, PrivateKey | None]()
        for box, under, design in Inbox.objects.values_list("box", "sealed_under", "version__design_id"):
            name = bytes(under)
            if name not in opened:
                opened[name] = folder.read(name) if name else None
            if (key := opened[name]) is not None:
                yield open_box(bytes(box), key=key, design_id=design)

    def teardown(self) -> None:
        """Check everything at the end of each schedule."""
        self.mix()
