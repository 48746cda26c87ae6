"""Webhooks: created, ended, their keys rotated; each with its event in the log."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from surveys.errors.error import SurveyError
from surveys.models import Survey, Webhook, WebhookDelivery
from surveys.models.audit_event import ALL_SURVEYS, audit_event_record
from surveys.models.webhook import webhook_key_seal
from surveys.webhooks.deliveries import allowed_here, delivery_try, test_tell
from surveys.webhooks.sending import address_check
from surveys.webhooks.signature import key_made, key_shown

MOST_HOOKS: Final = 5
"""Of one survey, and of all surveys together."""

OLD_KEY_COUNTS: Final = timedelta(days=1)


@transaction.atomic
def webhook_make(
    survey: Survey | None, *, url: str, run_finished: bool, survey_closed: bool, by: str, now: datetime
) -> tuple[Webhook, str]:
    """Create a webhook of one survey, or of all.

    Returns
    -------
    hook : Webhook
    key : str
        As it is shown, once.

    Raises
    ------
    SurveyError
        ``webhook_address``, or ``full``: there are `MOST_HOOKS` of them.
    """
    address_check(url, allowed=allowed_here())
    if Webhook.objects.filter(survey=survey).count() >= MOST_HOOKS:
        raise SurveyError("full.webhooks", MOST_HOOKS, most=MOST_HOOKS)
    key = key_made()
    hook = Webhook.objects.create(
        survey=survey,
        url=url,
        key=webhook_key_seal(key),
        run_finished=run_finished,
        survey_closed=survey_closed,
        made_by=by,
        made_at=now,
    )
    _record(hook, "webhook_make", by=by)
    return hook, key_shown(key)


@transaction.atomic
def webhook_rotate(hook: Webhook, *, by: str, now: datetime) -> str:
    """Rotate a webhook's key and return the new one; the old one signs too for a day."""
    hook = Webhook.objects.select_for_update().get(pk=hook.pk)
    hook.old_key, hook.old_key_until = hook.key, now + OLD_KEY_COUNTS
    key = key_made()
    hook.key = webhook_key_seal(key)
    hook.save(update_fields=["key", "old_key", "old_key_until"])
    _record(hook, "webhook_rotate", by=by)
    return key_shown(key)


@transaction.atomic
def webhook_end(hook: Webhook, *, by: str) -> None:
    """Delete a webhook with its deliveries."""
    _record(hook, "webhook_end", by=by)
    hook.delete()


@transaction.atomic
def webhook_test(hook: Webhook, *, by: str, now: datetime) -> WebhookDelivery:
    """Send an empty test message to a webhook."""
    _record(hook, "webhook_test", by=by)
    return test_tell(hook, now=now)


@transaction.atomic
def webhook_redeliver(delivery: WebhookDelivery, *, by: str, now: datetime) -> None:
    """Send a message again, under its own number."""
    _record(delivery.webhook, "webhook_redeliver", by=by, message=delivery.number)
    delivery_try(delivery, now=now)


def _record(hook: Webhook, action: str, *, by: str, **more: str) -> None:
    # An address may hold a secret of its receiver's behind its host.
    host = address_check(hook.url, allowed=allowed_here()).hostname if action == "webhook_make" else None
    detail = {"webhook": hook.pk, **({"host": host} if host else {}), **more}
    target = hook.survey.slug if hook.survey is not None else ALL_SURVEYS
    audit_event_record(actor=by, action=action, target=target, detail=detail)
