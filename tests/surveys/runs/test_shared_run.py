"""Counting on several workers gives the same result however work is divided, even if workers die."""

import threading
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from mining.columns.counted_rows import count_rows_of
from privacy.errors import PrivacyError
from surveys import tasks
from surveys.jobs import lease, queue
from surveys.models import Job, PartCounts, Run, Version
from surveys.runs import fan_out, shared_run
from surveys.runs.mining_job import mine_snapshot
from surveys.runs.snapshot import batches_of
from tests.conftest import wait_until
from tests.fixtures.devices import closed
from tests.fixtures.runs import PAIRS, answer, published, requested_run

pytestmark = pytest.mark.django_db(transaction=True)

StartWorker = Callable[..., Popen[bytes]]
SHARED = {"SOTTOVOCE_SPREAD": "100,100"}


def answered(slug: str = "spread") -> Version:
    """Publish a survey with eight batches of 100 rows."""
    version = published(slug)
    answer(version, 800, n_direct=200, batches=8)
    return closed(version)


def result_of(run: Run) -> list[Any]:
    run.refresh_from_db()
    assert run.job.state == "finished", run.job.message
    hidden = {"id", "run_id"}
    rows = [
        *run.itemsets.order_by("items").values(),
        *run.rules.order_by("antecedent", "consequent").values(),
    ]
    return [{name: value for name, value in row.items() if name not in hidden} for row in rows]


def stored(run: Run) -> list[tuple[int, int]]:
    return list(PartCounts.objects.filter(run=run).order_by("pk").values_list("first_batch", "last_batch"))


class Chord:
    """Replaces Celery's chord, and records the parts and the callback."""

    parts: list[Any]
    after: Any

    def __init__(self, parts: list[Any]) -> None:
        Chord.parts = [part.args for part in parts]

    def __call__(self, after: Any) -> None:
        Chord.after = after


@pytest.fixture
def shared(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets the rows per part; parts are recorded, not run."""
    monkeypatch.setattr("celery.chord", Chord)
    Chord.parts = []

    def rows(part: int, home: str = "home") -> None:
        settings.SOTTOVOCE_HOME = tmp_path / f"{home}{part}"
        settings.SOTTOVOCE_HOME.mkdir(exist_ok=True)
        settings.SPREAD_FROM, settings.SPREAD_PART = 100, part

    return rows


@pytest.fixture
def run(shared: Callable[[int], None]) -> Run:
    """Return a run that is divided into eight parts."""
    shared(100)
    run = requested_run(answered(), PAIRS)
    assert shared_run.share_out(run.job_id, now=timezone.now())
    return run


@pytest.mark.soak
def test_one_two_or_eight_parts_give_the_same_run(shared: Callable[[int], None], settings: Any) -> None:
    version = answered()
    results = []
    for part, expected in ((800, 0), (400, 2), (100, 8)):
        shared(part)
        run = requested_run(version)
        assert shared_run.share_out(run.job_id, now=timezone.now()) is bool(expected)
        assert len(Chord.parts) == expected
        for arguments in reversed(Chord.parts):
            # If two workers do a part, it is stored and reported once.
            shared_run.make_part(*arguments)
            shared_run.make_part(*arguments)
        assert len(stored(run)) == expected == Job.objects.get(pk=run.job_id).done
        assert lease.perform(run.job_id, mine_snapshot)
        assert (settings.SOTTOVOCE_HOME / "columns").exists() is not bool(expected)
        results.append(result_of(run))
        lease.sweep(now=timezone.now())
        assert not stored(run)
        assert len(results[-1]) > 10
    assert results[0] == results[1] == results[2]


def test_only_missing_parts_are_distributed_again(run: Run) -> None:
    first = Chord.parts
    for arguments in (*first[:3], *first[5:7]):
        shared_run.make_part(*arguments)
    made = stored(run)
    assert shared_run.share_out(run.job_id, now=timezone.now())
    assert [arguments[2:] for arguments in Chord.parts] == [first[place][2:] for place in (3, 4, 7)]
    assert stored(run) == made
    # The last part is not worth sharing, so the run does it itself.
    for arguments in Chord.parts[:2]:
        shared_run.make_part(*arguments)
    assert not shared_run.share_out(run.job_id, now=timezone.now())
    assert lease.perform(run.job_id, mine_snapshot)
    assert len(result_of(run)) > 10


def test_parts_that_always_die_use_up_all_attempts(shared: Callable[[int], None]) -> None:
    shared(100)
    run = requested_run(answered(), PAIRS)
    shares = [shared_run.share_out(run.job_id, now=timezone.now()) for _ in range(lease.ATTEMPTS)]
    assert shares == [True] * (lease.ATTEMPTS - 1) + [False]
    assert lease.perform(run.job_id, mine_snapshot)
    assert len(result_of(run)) > 10


@pytest.mark.django_db(transaction=True)
def test_a_counted_part_delays_the_sweeper_and_a_cancelled_run_drops_its_parts(
    shared: Callable[[int], None],
) -> None:
    version = answered()
    shared(100)
    run = requested_run(version)
    long_ago = timezone.now() - lease.LEASE * 10
    assert shared_run.share_out(run.job_id, now=long_ago)
    began = timezone.now()
    shared_run.make_part(*Chord.parts[0])
    assert Job.objects.get(pk=run.job_id).send_due_at >= began + lease.LEASE
    assert len(stored(run)) == 1
    lease.cancel(run.job_id, now=timezone.now())
    shared_run.make_part(*Chord.parts[1])
    assert len(stored(run)) == 1
    lease.sweep(now=timezone.now())
    assert not stored(run)


@pytest.mark.django_db(transaction=True)
def test_a_part_stops_when_its_run_is_cancelled(
    shared: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = answered()
    shared(400)
    run = requested_run(version)
    assert shared_run.share_out(run.job_id, now=timezone.now() - lease.LEASE * 10)
    monkeypatch.setattr(lease, "SECONDS_BETWEEN_BEATS", 0.01)
    read = 0

    def slowly(design: Any, rows: Any, requests: Any) -> None:
        nonlocal read
        for _packed in rows:
            read += 1
            lease.cancel(run.job_id, now=timezone.now())
            # Wait until the part is told to stop; reading another batch is then wrong.
            wait_until(over.is_set)
        raise AssertionError("it read on")

    over = threading.Event()
    monkeypatch.setattr(shared_run.threading, "Event", _first(over, threading.Event))
    monkeypatch.setattr(shared_run, "count_rows_of", slowly)
    shared_run.make_part(*Chord.parts[0])
    assert read == 1
    assert not stored(run)


def _first(over: threading.Event, make: Callable[[], threading.Event]) -> Callable[[], threading.Event]:
    """Return a factory for a part's events: the one that stops its heartbeat, then `over`."""
    events = iter([make(), over])
    return lambda: next(events, None) or make()


def test_a_refusing_broker_leaves_the_run_to_the_sweeper(
    shared: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Down(Chord):
        def __call__(self, after: Any) -> None:
            raise OperationalError

    monkeypatch.setattr("celery.chord", Down)
    shared(100)
    run = requested_run(answered(), PAIRS)
    now = timezone.now()
    assert shared_run.share_out(run.job_id, now=now)
    job = Job.objects.get(pk=run.job_id)
    assert (job.state, job.send_due_at) == ("queued", now + lease.LEASE)


def test_signals_and_parts_of_an_earlier_distribution_are_ignored(run: Run) -> None:
    earlier, bell = Chord.parts[0], Chord.after.args
    assert shared_run.share_out(run.job_id, now=timezone.now())
    shared_run.make_part(*earlier)
    assert not stored(run)
    tasks.run_job(*bell)
    assert Job.objects.get(pk=run.job_id).attempts == 2, "both sharings, and nothing else"
    for arguments in Chord.parts:
        shared_run.make_part(*arguments)
    tasks.run_job(*Chord.after.args)
    assert Job.objects.get(pk=run.job_id).attempts == 2
    assert len(result_of(run)) > 10


def test_late_parts_and_parts_of_other_batches_are_not_stored(run: Run) -> None:
    _, fence, first, last = Chord.parts[0]
    batches = batches_of(run)
    requests = fan_out.requests_of(run)
    assert requests is not None
    shelf = fan_out.segments_of(run, batches)
    counted = count_rows_of(shelf.design, shelf.rows(0, 1), requests)
    part = fan_out.part_of(run, shelf, first, last, counted)
    assert not fan_out.part_store(part, fence - 1)
    part.digest = "00" * 32
    assert fan_out.part_store(part, fence)
    # Stored counts with a wrong list of batches count as missing, and the run counts these batches itself.
    total = fan_out.sum_parts(run, batches)
    assert total is not None
    assert total.n == 800
    assert not fan_out.part_store(fan_out.part_of(run, shelf, *Chord.parts[1][2:], counted), 0)
    assert lease.claim(run.job_id, now=timezone.now())
    assert not fan_out.part_store(fan_out.part_of(run, shelf, *Chord.parts[1][2:], counted), fence)
    assert len(stored(run)) == 1


def test_runs_that_stored_counts_cannot_answer_are_not_shared(shared: Callable[[int], None]) -> None:
    version = answered()
    shared(100)
    run = requested_run(version)
    run.parameters |= {"max_size": 4, "support": 0.15}
    run.save()
    assert not shared_run.share_out(run.job_id, now=timezone.now())
    assert lease.perform(run.job_id, mine_snapshot)
    assert len(result_of(run)) > 10


def test_cached_columns_are_not_counted_again(shared: Callable[[int], None]) -> None:
    version = answered()
    shared(100)
    run = requested_run(version)
    shelf = fan_out.segments_of(run, batches_of(run))
    shelf.make(2, 5)
    assert shared_run.share_out(run.job_id, now=timezone.now())
    assert len(Chord.parts) == 5
    assert stored(run) == [(shelf.entries[2].pk, shelf.entries[4].pk)]


@pytest.mark.soak
def test_three_workers_with_separate_homes_share_a_run_in_one_attempt(
    start_worker: StartWorker, broker: str, tmp_path: Path
) -> None:
    """The workers are on separate machines, which share only database and broker."""
    version = answered("apart")
    homes = [tmp_path / name for name in "abc"]
    for home in homes:
        start_worker(**SHARED, SOTTOVOCE_TEST_HOME=str(home), SOTTOVOCE_TEST_BROKER=broker)
    run = requested_run(version)
    queue.dispatch_job(run.job_id)
    seen: set[tuple[int, int]] = set()

    def over() -> bool:
        seen.update(stored(run))
        return Job.objects.get(pk=run.job_id).is_over

    wait_until(over, what="the end of the run")
    assert Job.objects.get(pk=run.job_id).attempts == 1
    shared_result = result_of(run)
    assert len(shared_result) > 10
    lease.sweep(now=timezone.now())
    assert not stored(run)
    # A single worker with columns gives the same figures.
    alone = requested_run(version)
    assert lease.perform(alone.job_id, mine_snapshot)
    assert result_of(alone) == shared_result
    assert seen <= {(batch, batch) for batch in range(run.first_batch or 0, (run.last_batch or 0) + 1)}


@pytest.fixture
def waiting(shared: Callable[[int], None]) -> Run:
    """Return a run that could be shared out."""
    shared(100)
    return requested_run(answered(), PAIRS)


def test_runs_that_cannot_be_read_or_claimed_are_not_shared(
    waiting: Run, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def refuse(*_given: object) -> None:
        raise PrivacyError("no_rows", 0)

    for module, name, replacement in (
        (shared_run, "requests_of", lambda _run: None),
        (shared_run, "missing_parts", refuse),
        (lease, "claim", lambda *_given, **_named: None),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, replacement)
            assert shared_run.share_out(waiting.job_id, now=timezone.now()) is False, name
    assert Chord.parts == []
    assert Job.objects.get(pk=waiting.job_id).attempts == 0
    settings.SPREAD_FROM = 801
    assert shared_run.share_out(waiting.job_id, now=timezone.now()) is False
    settings.SPREAD_FROM = 800
    assert shared_run.share_out(waiting.job_id, now=timezone.now()) is True
    assert shared_run.share_out(-1, now=timezone.now()) is False


def test_a_part_that_fails_is_logged_and_left_to_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for error, said in (
        (PrivacyError("no_rows", 0), f"a part of job {run.job_id}: "),
        (shared_run.RunOver(), ""),
        (ZeroDivisionError(), f"a part of job {run.job_id} stopped at a fault"),
    ):

        def fail(*_given: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(shared_run, "count_rows_of", fail)
        caplog.clear()
        shared_run.make_part(*Chord.parts[0])
        assert stored(run) == []
        assert said in caplog.text
        assert bool(caplog.records) is bool(said)


def test_a_part_that_two_workers_counted_is_stored_once(run: Run) -> None:
    _, fence, first, last = Chord.parts[0]
    requests = fan_out.requests_of(run)
    assert requests is not None
    shelf = fan_out.segments_of(run, batches_of(run))
    counted = count_rows_of(shelf.design, shelf.rows(0, 1), requests)
    parts = [fan_out.part_of(run, shelf, first, last, counted) for _ in range(2)]
    assert [fan_out.part_store(part, fence) for part in parts] == [True, False]
    assert Job.objects.get(pk=run.job_id).done == 1, "the second is not reported"
    assert len(stored(run)) == 1


def test_only_the_usual_engine_counts_in_parts(waiting: Run) -> None:
    found = []
    for engine in ("", "auto", "numpy", "earlier engine"):
        waiting.engine = engine
        found.append(fan_out.requests_of(waiting) is not None)
    assert found == [True, True, False, True]


@pytest.mark.parametrize("policy", ["choice", "protected"])
def test_parts_count_undisguised_rows_only_after_disguising_them(
    policy: str, shared: Callable[[int], None]
) -> None:
    shared(100)
    version = published(policy, policy=policy)
    answer(version, 200, n_direct=60 if policy == "choice" else 0, batches=2)
    run = requested_run(closed(version))
    batches = batches_of(run)
    packed = b"".join(fan_out.segments_of(run, batches).rows(0, 2))
    sent = b"".join(bytes(batch.packed) for batch in batches)
    assert len(packed) == len(sent)
    assert (packed == sent) is (policy == "protected")
