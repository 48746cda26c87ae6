"""Deliveries of webhooks: enqueued with their message, tried by jobs, retried, and given up one day.

A message is written in the transaction that ends the run or closes the survey: there is one for each address,
or the run has not ended. Each try is a job of `surveys.jobs.lease`, whose result counts once. What a message
says is a name and a number; what a survey found is read behind the doors.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from surveys.jobs.lease import Report, enqueue
from surveys.models import Job, Run, Survey, Webhook, WebhookDelivery
from surveys.webhooks.sending import Allowed, Sent, send
from surveys.webhooks.signature import signed_headers

Event = WebhookDelivery.Event
State = WebhookDelivery.State

WAITS: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 12 * 60))
"""Between one try and the next; after the last of them a message is given up."""

MOST_STORED: Final = 50
"""Messages of one webhook that its page shows; older ones that are over are forgotten."""

_FAULT: Final = "fault"


def run_finished_tell(run: Run, *, now: datetime) -> None:
    """Enqueue deliveries for a finished run, in the transaction that ends it."""
    hooks = _hooks_of(run.survey).filter(run_finished=True)
    about = {"survey": run.survey.slug, "run": run.pk, "practice": run.survey.practice}
    _tell(list(hooks), Event.RUN_FINISHED, about, now=now)


def survey_closed_tell(survey: Survey, *, now: datetime) -> None:
    """Enqueue deliveries for a closed survey, in the transaction that closes it."""
    hooks = _hooks_of(survey).filter(survey_closed=True)
    _tell(list(hooks), Event.SURVEY_CLOSED, {"survey": survey.slug, "practice": survey.practice}, now=now)


def test_tell(hook: Webhook, *, now: datetime) -> WebhookDelivery:
    """Enqueue an empty test message to an address."""
    return _tell([hook], Event.TEST, {}, now=now)[0]


def deliver(job_id: int, report: Report) -> Callable[[], None]:
    """Do a try: send the message, and return what stores how it went."""
    report("sending", 0, 0)
    delivery = WebhookDelivery.objects.select_related("webhook").filter(job=job_id).first()
    if delivery is None:
        # Its webhook was ended meanwhile.
        return lambda: None
    now, body = timezone.now(), delivery.body.encode()
    keys = delivery.webhook.keys(now=now)
    if not keys:
        return partial(_store, delivery.pk, job_id, Sent(problem="key"))
    headers = signed_headers(keys, number=delivery.number, timestamp=int(now.timestamp()), body=body)
    sent = send(delivery.webhook.url, body, headers, allowed=allowed_here())
    return partial(_store, delivery.pk, job_id, sent)


def delivery_try(delivery: WebhookDelivery, *, now: datetime) -> None:
    """Have a message tried now, unless a try is under way; the one before is forgotten."""
    with transaction.atomic():
        locked = WebhookDelivery.objects.select_for_update().filter(pk=delivery.pk).first()
        if locked is None or (locked.job is not None and not locked.job.is_over):
            return
        before = locked.job_id
        locked.job = enqueue(kind=Job.Kind.DELIVER, requested_by=None, now=now)
        locked.state, locked.due_at = State.WAITING, None
        locked.save(update_fields=["job", "state", "due_at"])
        if before is not None:
            Job.objects.filter(pk=before).delete()


def webhooks_step() -> None:
    """Try again what is due, and forget what is long over: the sweeper's step."""
    now = timezone.now()
    broken = Q(job__state__in=(Job.State.FAILED, Job.State.CANCELLED))
    for delivery in WebhookDelivery.objects.filter(broken, state=State.WAITING):
        _store(delivery.pk, delivery.job_id, Sent(problem=_FAULT))
    for delivery in WebhookDelivery.objects.filter(state=State.WAITING, job=None, due_at__lte=now):
        delivery_try(delivery, now=now)
    over = (Job.State.FINISHED, Job.State.FAILED, Job.State.CANCELLED)
    Job.objects.filter(kind=Job.Kind.DELIVER, state__in=over, delivery=None).delete()


def allowed_here() -> Allowed:
    """Return what the settings let a webhook be."""
    return Allowed(private=settings.WEBHOOKS_PRIVATE, http=settings.WEBHOOKS_HTTP)


def _hooks_of(survey: Survey) -> Any:
    return Webhook.objects.filter(Q(survey=survey) | Q(survey=None))


def _tell(
    hooks: list[Webhook], event: WebhookDelivery.Event, about: dict[str, Any], *, now: datetime
) -> list[WebhookDelivery]:
    said = {"type": event.value, "timestamp": now.isoformat(timespec="seconds"), "data": about}
    made = []
    with transaction.atomic():
        for hook in hooks:
            job = enqueue(kind=Job.Kind.DELIVER, requested_by=None, now=now)
            made.append(
                WebhookDelivery.objects.create(
                    webhook=hook,
                    number=f"msg_{secrets.token_hex(16)}",
                    event=event,
                    body=json.dumps(said),
                    made_at=now,
                    job=job,
                )
            )
            _forget_old(hook)
    return made


def _store(delivery_id: int, job_id: int | None, sent: Sent) -> None:
    """Keep how a try went, if it is still this message's try; have the next one come."""
    with transaction.atomic():
        locked = WebhookDelivery.objects.select_for_update().filter(pk=delivery_id, job=job_id).first()
        if locked is None or locked.state != State.WAITING:
            return
        now = timezone.now()
        locked.tries, locked.tried_at = locked.tries + 1, now
        locked.status, locked.problem, locked.job, locked.due_at = sent.status, sent.problem, None, None
        if sent.arrived:
            locked.state = State.DELIVERED
        elif locked.event == Event.TEST or locked.tries > len(WAITS):
            locked.state = State.GIVEN_UP
        else:
            locked.due_at = now + WAITS[locked.tries - 1]
        locked.save()


def _forget_old(hook: Webhook) -> None:
    recent = hook.deliveries.order_by("-pk").values_list("pk", flat=True)[:MOST_STORED]
    hook.deliveries.exclude(pk__in=list(recent)).exclude(state=State.WAITING).delete()
