"""Mail to the person who asked for a run: it has finished, and where its results are read."""

from __future__ import annotations

import logging
from functools import partial

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.models import Run

__all__ = ["finished_run_mail"]

logger = logging.getLogger(__name__)


def finished_run_mail(run: Run) -> None:
    """Mail that a run has finished, once what it found is stored; nothing where mail is not set up.

    The mail has names and an address, no figure: it passes through servers that are not Sotto's.
    """
    asked_by = run.job.requested_by
    if not settings.EMAIL_HOST or asked_by is None or not asked_by.email:
        return
    host = next(iter(settings.ALLOWED_HOSTS), "").lstrip(".")
    address = f"https://{host}{reverse('report:run', args=[run.pk])}"
    message = EmailMessage(
        subject=_("[Sotto] Run %(id)s of survey %(slug)s has finished")
        % {"id": run.pk, "slug": run.survey.slug},
        body=_("You asked for run %(id)s of survey %(slug)s. It has finished. Its results are at:")
        % {"id": run.pk, "slug": run.survey.slug}
        + f"\n\n{address}\n",
        to=[asked_by.email],
    )
    transaction.on_commit(partial(_send, message))


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError as error:
        # Of smtplib too, whose errors are these. The run is stored, and its page says so.
        logger.warning("the mail about a finished run was not sent: %s", type(error).__name__)
