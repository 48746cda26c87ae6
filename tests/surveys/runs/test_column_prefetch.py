"""Columns written before a run needs them: when, by whom, and after which rows."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from celery.signals import task_retry
from kombu.exceptions import OperationalError

from mining.columns.bitmatrix import BitMatrix
from mining.columns.precomputed_counts import precomputed_requests
from surveys.celery import app as celery
from surveys.jobs.home_token import home_token, queue_of
from surveys.models import Batch, Job, Run
from surveys.runs import column_cache, column_prefetch
from surveys.runs.column_cache import cached_columns
from surveys.runs.column_prefetch import RunWaits, columns_step, keep_columns_of
from surveys.runs.snapshot import batches_open_to_mining
from surveys.tasks import keep_columns
from tests.fixtures.runs import answer, published, requested_run
from tests.mining.columns.counted import count

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _home_of_its_own(settings: Any, tmp_path: Path) -> None:
    settings.SOTTOVOCE_HOME = tmp_path


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """Let 100 new rows be worth a task, and record the versions for which one is sent."""
    monkeypatch.setattr(column_prefetch, "ROWS_WORTH_A_TASK", 100)
    monkeypatch.setattr(column_prefetch, "_newest_requested", {})
    monkeypatch.setattr(column_prefetch, "_newest_checked", {})
    versions: list[int] = []

    def take(name: str, arguments: tuple[int], *, queue: str, **_: object) -> None:
        assert name == keep_columns.name
        assert queue == queue_of(home_token(tmp_path))
        versions.extend(arguments)

    monkeypatch.setattr(celery, "send_task", take)
    return versions


def test_counts_follow_new_batches_and_equal_a_full_count(sent: list[int]) -> None:
    version = published("arrive", light=True)
    design, read = version.to_design(), []
    for number, n in enumerate((120, 130, 60, 70)):
        answer(version, n, n_direct=n // 4, batches=1, seed=number)
        columns_step()
        read.append(keep_columns_of(version.pk) if sent and sent.pop() else 0)
    # The newest batch of an open survey is excluded, and fewer than 100 new rows wait for more.
    assert read == [0, 1, 1, 0]
    assert keep_columns_of(version.pk) == 0
    answer(version, 50, n_direct=5, batches=1, seed=4)
    columns_step()
    assert sent.pop() == version.pk
    assert keep_columns_of(version.pk) == 2
    seen = batches_open_to_mining(version)
    found = cached_columns(design, version.survey_id, seen)
    whole = BitMatrix.from_rows(design, [bytes(batch.packed) for batch in seen])
    assert (found.read, found.matrix.n) == (0, 380)
    assert found.precomputed is not None
    assert np.array_equal(found.precomputed.counts, count(whole, precomputed_requests(design)))  # type: ignore[arg-type]  # a small design


def test_a_task_is_sent_once_per_set_of_batches(sent: list[int]) -> None:
    version = published("arrive", light=True)
    answer(version, 300, batches=2)
    columns_step()
    columns_step()
    assert sent == [version.pk]
    answer(version, 10, batches=1, seed=2)
    columns_step()
    assert sent == [version.pk, version.pk]


def test_sending_is_retried_after_the_broker_was_down(
    monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    version = published("arrive", light=True)
    answer(version, 300, batches=2)
    works = celery.send_task

    def fail(*_: object, **__: object) -> None:
        raise OperationalError

    monkeypatch.setattr(celery, "send_task", fail)
    columns_step()
    monkeypatch.setattr(celery, "send_task", works)
    columns_step()
    assert sent == [version.pk]
    assert Batch.objects.count() == 2


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch, sent: list[int]) -> Iterator[Run]:
    """Yield a run of two batches that no worker claimed; prefetching checks for runs before each batch."""
    version = published("arrive", light=True)
    answer(version, 300, batches=3)
    monkeypatch.setattr(celery, "send_task", lambda *_, **__: None)
    monkeypatch.setattr(column_prefetch, "SECONDS_BETWEEN_LOOKS", 0)
    return requested_run(version)


@pytest.mark.parametrize("state", [Job.State.QUEUED, Job.State.RUNNING])
def test_prefetching_yields_to_runs(state: Job.State, waiting: Run) -> None:
    Job.objects.filter(pk=waiting.job_id).update(state=state)
    with pytest.raises(RunWaits):
        keep_columns_of(waiting.version_id)


def test_interrupted_prefetching_keeps_completed_segments(
    waiting: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Job.objects.filter(pk=waiting.job_id).update(state=Job.State.FINISHED)
    monkeypatch.setattr(column_cache.SegmentStore, "segment_end", lambda self, start: start + 1)
    looks = iter((False, True))
    of_runs = column_prefetch._run_checker()

    def look() -> None:
        Job.objects.filter(pk=waiting.job_id).update(
            state=Job.State.QUEUED if next(looks) else Job.State.FINISHED
        )
        of_runs()

    monkeypatch.setattr(column_prefetch, "_run_checker", lambda: look)
    with pytest.raises(RunWaits):
        keep_columns_of(waiting.version_id)
    monkeypatch.setattr(column_prefetch, "_run_checker", lambda: lambda: None)
    monkeypatch.setattr(column_prefetch, "ROWS_WORTH_A_TASK", 1)
    assert keep_columns_of(waiting.version_id) == batches_open_to_mining(waiting.version).count() - 1


def test_postponed_columns_are_built_when_the_run_ends(waiting: Run) -> None:
    tries = []

    def end_run(**_: object) -> None:
        tries.append("gave way")
        Job.objects.filter(pk=waiting.job_id).update(state=Job.State.FINISHED)

    task_retry.connect(end_run, sender=keep_columns)
    try:
        assert keep_columns.apply((waiting.version_id,)).get() is None
    finally:
        task_retry.disconnect(end_run, sender=keep_columns)
    assert tries == ["gave way"]
    version = waiting.version
    assert cached_columns(version.to_design(), version.survey_id, batches_open_to_mining(version)).read == 0


def test_a_hundred_rows_are_worth_a_task_and_count_once(sent: list[int]) -> None:
    """The newest batch of an open survey waits for the next one."""
    version = published("arrive", light=True)
    for number, (n, tasks) in enumerate([(100, 0), (60, 1), (40, 0), (10, 1)]):
        answer(version, n, batches=1, seed=number)
        columns_step()
        assert sent == [version.pk] * tasks, n
        sent.clear()
        if number == 1:
            assert keep_columns_of(version.pk) == 1


def test_waiting_runs_are_looked_for_every_half_second(waiting: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_prefetch, "SECONDS_BETWEEN_LOOKS", 0.5)
    times = iter((100.0, 100.25, 100.5, 100.5, 100.75, 101.0, 101.0))
    monkeypatch.setattr(column_prefetch, "time", SimpleNamespace(monotonic=lambda: next(times)))
    look = column_prefetch._run_checker()
    for _ in range(2):
        look()
        with pytest.raises(RunWaits):
            look()
