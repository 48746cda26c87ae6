"""Messages: made once with what they tell of, tried by jobs, tried again, given up, and signed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from subprocess import Popen

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from surveys.authoring.close import survey_close
from surveys.authoring.deletion import survey_delete
from surveys.jobs import lease
from surveys.models import Job, Run, Survey, Webhook, WebhookDelivery
from surveys.sweeper import STEPS
from surveys.webhooks.deliveries import (
    MOST_STORED,
    WAITS,
    deliver,
    delivery_try,
    run_finished_tell,
    webhooks_step,
)
from surveys.webhooks.hooks import webhook_end, webhook_make, webhook_redeliver, webhook_rotate, webhook_test
from tests.cast.receiver import Receiver, holds, receiver
from tests.cast.runs import answered, asked, mined, published
from tests.conftest import wait_until

pytestmark = pytest.mark.django_db
State = WebhookDelivery.State


@pytest.fixture
def told(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    with receiver() as found:
        yield found


def hook_at(told: Receiver, survey: Survey | None = None, **wants: bool) -> tuple[Webhook, str]:
    wanted = {"run_finished": True, "survey_closed": True} | wants
    return webhook_make(survey, url=told.url, by="ana", now=timezone.now(), **wanted)


def tried() -> None:
    """Do the tries that are queued, as a worker does."""
    for job_id in Job.objects.filter(kind=Job.Kind.DELIVER, state=Job.State.QUEUED).values_list(
        "pk", flat=True
    ):
        assert lease.perform(job_id, deliver)


def only() -> WebhookDelivery:
    return WebhookDelivery.objects.get()


@pytest.mark.soak
def test_a_finished_run_is_told_of_once_and_signed(told: Receiver) -> None:
    version = answered()
    _hook, key = hook_at(told, version.survey)
    run = mined(version)
    tried()
    ((headers, body),) = told.arrived
    assert holds(key, headers, body)
    said = json.loads(body)
    assert (said["type"], said["data"]) == (
        "run.finished",
        {"survey": "habits", "run": run.pk, "practice": False},
    )
    assert headers["webhook-id"] == only().number
    assert (only().state, only().status, only().tries) == (State.DELIVERED, 200, 1)
    # The job is over; to do it again, or the result of a run twice, tells nobody anything.
    assert not lease.perform(only().job_id or 0, deliver)
    assert len(told.arrived) == 1


def test_a_run_whose_result_is_not_stored_is_not_told_of(told: Receiver) -> None:
    version = answered()
    hook_at(told, version.survey)
    run = asked(version)
    with transaction.atomic():
        run_finished_tell(run, now=timezone.now())
        assert WebhookDelivery.objects.exists()
        transaction.set_rollback(True)
    assert not WebhookDelivery.objects.exists()
    assert not Job.objects.filter(kind=Job.Kind.DELIVER).exists()


def test_a_closed_survey_is_told_of_once_though_it_is_closed_twice(told: Receiver) -> None:
    version = published("habits")
    hook_at(told, version.survey)
    hook_at(told)
    hook_at(told, version.survey, survey_closed=False)
    hook_at(told, published("other").survey)
    survey_close(version.survey, by="ana", now=timezone.now())
    survey_close(version.survey, by="ana", now=timezone.now(), at_once=True)
    tried()
    assert [json.loads(body)["data"]["survey"] for _headers, body in told.arrived] == ["habits"] * 2
    assert len({headers["webhook-id"] for headers, _body in told.arrived}) == 2


def test_answers_are_told_to_nobody(told: Receiver) -> None:
    """The planted target is a message for an answer: its time would be the answer's."""
    from tests.cast.runs import answer

    version = published("habits", policy="protected")
    hook_at(told, version.survey)
    hook_at(told)
    answer(version, 300, batches=3)
    for _name, step in STEPS:
        step()
    assert not WebhookDelivery.objects.exists()
    assert {choice for choice, _label in WebhookDelivery.Event.choices} == {
        "run.finished",
        "survey.closed",
        "test",
    }


def test_what_is_not_taken_is_tried_again_later_and_later_and_given_up(told: Receiver) -> None:
    hook_at(told)
    survey_close(published("habits").survey, by="ana", now=timezone.now())
    told.statuses = [503] * (len(WAITS) + 1)
    numbers = []
    for number in range(len(WAITS) + 1):
        tried()
        found = only()
        numbers.append(told.arrived[-1][0]["webhook-id"])
        assert (found.tries, found.status, found.problem) == (number + 1, 503, "status")
        if number < len(WAITS):
            assert found.state == State.WAITING
            assert found.tried_at is not None
            assert found.due_at == found.tried_at + WAITS[number]
            # It is not due yet.
            webhooks_step()
            assert only().job is None
            WebhookDelivery.objects.update(due_at=timezone.now())
            webhooks_step()
    assert only().state == State.GIVEN_UP
    webhooks_step()
    tried()
    assert len(told.arrived) == len(WAITS) + 1 == 6
    assert set(numbers) == {only().number}
    # Of each message no more than its last job is kept.
    assert Job.objects.filter(kind=Job.Kind.DELIVER).count() == 0


def test_waits_are_as_the_page_says() -> None:
    assert [wait.total_seconds() / 60 for wait in WAITS] == [1, 5, 30, 120, 720]


def test_a_try_whose_worker_dies_is_done_again_and_counts_once(told: Receiver) -> None:
    hook_at(told)
    survey_close(published("habits").survey, by="ana", now=timezone.now())
    job_id = only().job_id
    assert job_id is not None
    first = lease.claim(job_id, now=timezone.now())
    assert first is not None
    store = deliver(job_id, lambda *_progress: None)
    # The worker is lost after it sent and before it stored; another one takes over.
    later = timezone.now() + timedelta(minutes=1)
    second = lease.claim(job_id, now=later)
    assert second is not None
    again = deliver(job_id, lambda *_progress: None)
    lease.finish(second, now=later, store=again)
    with pytest.raises(lease.LostLease):
        lease.finish(first, now=later, store=store)
    assert (only().tries, only().state) == (1, State.DELIVERED)
    # The receiver knows by the number that it is told the same again.
    assert len({headers["webhook-id"] for headers, _body in told.arrived}) == 1


def test_a_try_that_stops_at_a_fault_is_followed_by_the_next(told: Receiver) -> None:
    hook_at(told)
    survey_close(published("habits").survey, by="ana", now=timezone.now())
    Job.objects.filter(pk=only().job_id).update(state=Job.State.FAILED)
    webhooks_step()
    assert (only().tries, only().problem, only().job) == (1, "fault", None)
    assert only().due_at is not None


def test_two_who_have_a_message_sent_again_have_it_sent_once(told: Receiver) -> None:
    hook, _key = hook_at(told)
    delivery = webhook_test(hook, by="ana", now=timezone.now())
    webhook_redeliver(delivery, by="ana", now=timezone.now())
    delivery_try(delivery, now=timezone.now())
    tried()
    assert len(told.arrived) == 1
    webhook_redeliver(only(), by="ana", now=timezone.now())
    tried()
    assert len(told.arrived) == 2
    assert told.arrived[0][1] == told.arrived[1][1]
    assert (only().state, only().tries) == (State.DELIVERED, 2)


def test_a_test_is_tried_once(told: Receiver) -> None:
    hook, _key = hook_at(told)
    told.statuses = [500]
    webhook_test(hook, by="ana", now=timezone.now())
    tried()
    assert only().state == State.GIVEN_UP


def test_of_two_keys_both_count_for_a_day_and_then_the_new_one(told: Receiver) -> None:
    hook, old = hook_at(told)
    new = webhook_rotate(hook, by="ana", now=timezone.now())
    webhook_test(hook, by="ana", now=timezone.now())
    tried()
    assert [holds(key, *told.arrived[-1]) for key in (old, new)] == [True, True]
    Webhook.objects.update(old_key_until=timezone.now())
    webhook_test(hook, by="ana", now=timezone.now())
    tried()
    assert [holds(key, *told.arrived[-1]) for key in (old, new)] == [False, True]


def test_an_ended_webhook_is_told_nothing_that_waited(told: Receiver) -> None:
    hook, _key = hook_at(told)
    webhook_test(hook, by="ana", now=timezone.now())
    webhook_end(hook, by="ana")
    tried()
    webhooks_step()
    assert told.arrived == []
    assert not Job.objects.filter(kind=Job.Kind.DELIVER).exists()


def test_messages_that_are_long_over_are_forgotten(told: Receiver) -> None:
    hook, _key = hook_at(told)
    for number in range(MOST_STORED + 3):
        webhook_test(hook, by="ana", now=timezone.now())
        WebhookDelivery.objects.filter(state=State.WAITING).update(state=State.DELIVERED)
        assert hook.deliveries.count() == min(number + 1, MOST_STORED)


def test_a_deleted_survey_takes_its_webhooks_with_it(told: Receiver) -> None:
    version = answered()
    hook_at(told, version.survey)
    run = mined(version)
    Job.objects.filter(run=run).update(state=Job.State.FINISHED)
    Job.objects.filter(audited=run).update(state=Job.State.FINISHED)
    survey_delete(version.survey, by="ana")
    assert not Webhook.objects.exists()
    assert not WebhookDelivery.objects.exists()
    assert not Run.objects.exists()


def test_the_settings_are_looked_at_again_when_a_message_is_sent(told: Receiver, settings: Settings) -> None:
    hook, _key = hook_at(told)
    settings.WEBHOOKS_PRIVATE = False
    webhook_test(hook, by="ana", now=timezone.now())
    tried()
    assert (only().problem, told.arrived) == ("private", [])


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_real_worker_delivers_by_the_real_broker(
    told: Receiver, start_worker: Callable[..., Popen[bytes]], broker: str
) -> None:
    start_worker(SOTTO_WEBHOOKS_PRIVATE="1", SOTTO_WEBHOOKS_HTTP="1")
    hook, key = hook_at(told)
    webhook_test(hook, by="ana", now=timezone.now())
    wait_until(lambda: only().state == State.DELIVERED, what="the message")
    ((headers, body),) = told.arrived
    assert holds(key, headers, body)
