from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kombu.exceptions import OperationalError

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import count
from mining.columns.precomputed_counts import precomputed_requests
from surveys.analysis import prefetch
from surveys.analysis.prefetch import columns_step, keep_columns_of
from surveys.celery import app as celery
from surveys.jobs.homes import home_token, queue_of
from surveys.models import Batch
from surveys.snapshots.column_cache import cached_columns
from surveys.snapshots.snapshot import batches_open_to_mining
from surveys.tasks import keep_columns
from tests.cast.runs import answer, published

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _home_of_its_own(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SOTTO_HOME = tmp_path
    monkeypatch.setattr(prefetch, "ROWS_WORTH_A_TASK", 100)
    monkeypatch.setattr(prefetch, "_asked_for", {})
    monkeypatch.setattr(prefetch, "_looked_at", {})


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """Versions that a task was sent for; the broker takes everything."""
    versions: list[int] = []

    def take(name: str, arguments: tuple[int], *, queue: str, **_: object) -> None:
        assert name == keep_columns.name
        assert queue == queue_of(home_token(tmp_path))
        versions.extend(arguments)

    monkeypatch.setattr(celery, "send_task", take)
    return versions


def test_counts_follow_the_batches_and_equal_a_full_count(sent: list[int]) -> None:
    version = published("arrive", light=True)
    design, read = version.to_design(), []
    for number, n in enumerate((120, 130, 60, 70)):
        answer(version, n, n_direct=n // 4, batches=1, seed=number)
        columns_step()
        read.append(keep_columns_of(version.pk) if sent and sent.pop() else 0)
    # The newest batch of an open survey stays out, and fewer than 100 new rows wait for more.
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
    assert found.kept is not None
    assert np.array_equal(found.kept.counts, count(whole, precomputed_requests(design)))  # type: ignore[arg-type]  # a small design


def test_a_task_is_sent_once_for_the_same_batches(sent: list[int]) -> None:
    version = published("arrive", light=True)
    answer(version, 300, batches=2)
    columns_step()
    columns_step()
    assert sent == [version.pk]
    answer(version, 10, batches=1, seed=2)
    columns_step()
    assert sent == [version.pk, version.pk]


def test_a_broker_that_is_down_is_asked_again(monkeypatch: pytest.MonkeyPatch, sent: list[int]) -> None:
    version = published("arrive", light=True)
    answer(version, 300, batches=2)
    works = celery.send_task

    def down(*_: object, **__: object) -> None:
        raise OperationalError

    monkeypatch.setattr(celery, "send_task", down)
    columns_step()
    monkeypatch.setattr(celery, "send_task", works)
    columns_step()
    assert sent == [version.pk]
    assert Batch.objects.count() == 2
