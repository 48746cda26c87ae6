"""Mail to the person who requested a run, once it has finished."""

from __future__ import annotations

import logging
from functools import partial

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.models import Run
from surveys.runs.look import look_of

logger = logging.getLogger(__name__)


def finished_run_mail(run: Run) -> None:
    """Mail the requester once the result of a finished run is stored; do nothing without mail settings.

    The mail passes through other servers, so it contains names and an address but no figures.
    """
    asked_by = run.job.requested_by
    if not settings.EMAIL_HOST or asked_by is None or not asked_by.email:
        return
    host = next(iter(settings.ALLOWED_HOSTS), "").lstrip(".")
    address = f"https://{host}{reverse('report:run', args=[run.pk])}"
    look, scope = look_of(run), ""
    if look is not None and look.chapter is not None:
        scope = _("It reads %(chapter)s.") % {"chapter": look.chapter_words}
    elif look is not None and not look.is_final:
        scope = _("It is an interim look: it lacks answers that arrived later or can still arrive.")
    message = EmailMessage(
        subject=_("[Sottovoce] Run %(id)s of survey %(slug)s has finished")
        % {"id": run.pk, "slug": run.survey.slug},
        body=_("You asked for run %(id)s of survey %(slug)s. It has finished. Its results are at:")
        % {"id": run.pk, "slug": run.survey.slug}
        + f"\n\n{address}\n"
        + (f"\n{scope}\n" if scope else ""),
        to=[asked_by.email],
    )
    transaction.on_commit(partial(_send, message))


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError as error:
        # OSError includes smtplib's errors. The run is stored, and its page shows that.
        logger.warning("the mail about a finished run was not sent: %s", type(error).__name__)
