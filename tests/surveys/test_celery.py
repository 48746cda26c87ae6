"""Tasks are sent by name, and workers know every name."""

import pytest
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as BrokerGone

from surveys import tasks
from surveys.celery import app
from surveys.jobs.dispatch import Task, dispatch, left_to_workers

pytestmark = pytest.mark.django_db


def test_every_task_name_is_registered_by_the_workers() -> None:
    assert {str(task) for task in Task} <= set(app.tasks)
    assert tasks.run_job.name == Task.RUN_JOB


def test_a_task_is_sent_under_its_name_with_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[object, ...]] = []

    def take(name: str, arguments: tuple[object, ...], **options: object) -> None:
        sent.append((name, arguments, options))

    monkeypatch.setattr(app, "send_task", take)
    assert dispatch(Task.KEEP_COLUMNS, 7, queue="home-a")
    # No code reads task results, and pages must not wait for an unreachable broker.
    options = {"queue": "home-a", "retry": False, "ignore_result": True}
    assert sent == [("sottovoce.keep_columns", (7,), options)]


def test_tasks_reserved_for_workers_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(app, "send_task", lambda name, *_, **__: sent.append(name))
    with left_to_workers():
        assert not dispatch(Task.RUN_JOB, 1)
    assert sent == []
    assert dispatch(Task.RUN_JOB, 1)
    assert sent == [Task.RUN_JOB]


@pytest.mark.parametrize("fault", [OperationalError("refused"), BrokerGone("gone"), ConnectionResetError()])
def test_an_unavailable_broker_raises_no_error(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(app, "send_task", interrupt)
    assert not dispatch(Task.RUN_JOB, 1)
