"""Work is sent by names; each has to be one that the workers know."""

from __future__ import annotations

from typing import Any

import pytest
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as BrokerGone

from surveys import tasks
from surveys.celery import app
from surveys.jobs.dispatch import Task, dispatch, dispatch_parts, left_to_workers


def test_each_name_is_a_task_that_the_workers_registered() -> None:
    assert {str(task) for task in Task} <= set(app.tasks)
    assert tasks.run_job.name == Task.RUN_JOB


def test_a_task_is_sent_under_its_name_with_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[object, ...]] = []

    def take(name: str, arguments: tuple[object, ...], **options: object) -> None:
        sent.append((name, arguments, options))

    monkeypatch.setattr(app, "send_task", take)
    assert dispatch(Task.KEEP_COLUMNS, 7, queue="home-a")
    # No code reads results, and a page does not wait for an unreachable broker.
    options = {"queue": "home-a", "retry": False, "ignore_result": True}
    assert sent == [("sottovoce.keep_columns", (7,), options)]


def test_what_is_left_to_workers_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda name, *_, **__: sent.append(name))
    with left_to_workers():
        assert not dispatch(Task.RUN_JOB, 1)
    assert sent == []
    assert dispatch(Task.RUN_JOB, 1)
    assert sent == [Task.RUN_JOB]


@pytest.mark.parametrize("fault", [OperationalError("refused"), BrokerGone("gone"), ConnectionResetError()])
def test_a_broker_that_is_away_is_no_error(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(app, "send_task", break_off)
    assert not dispatch(Task.RUN_JOB, 1)


def test_parts_lie_with_the_broker_until_workers_take_them(broker: str, broker_server: Any) -> None:
    parts = [(1, 1, 1, 2), (1, 1, 3, 4)]
    assert dispatch_parts(Task.COUNT_PART, parts, then=Task.RUN_JOB, last=(1, 1))
    assert broker_server.client().llen("celery") == len(parts)
