"""Mail to the administrators, once for each problem and again if it recurs.

A problem is recorded before its mail is sent, so that only one of several sweepers sends it. If sending
fails, the record is removed. No mail contains anything about a respondent, and no answer triggers one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from surveys.accounts.roles import Role, roles_of
from surveys.errors.typed_commands import as_typed
from surveys.jobs.heartbeats import workers
from surveys.jobs.lease import FAULT, LOST_TOO_OFTEN, OUTAGE
from surveys.models import Beat, Job, Run, Survey
from surveys.models.heartbeat import SECONDS_AHEAD
from surveys.server.backup_problems import backup_problems
from surveys.server.clock import clock_doubt
from surveys.server.disk_space import LEAST_BYTES, free_bytes

logger = logging.getLogger(__name__)

LOOKED_BACK: Final = timedelta(days=7)
"""Runs that failed longer ago are not reported, so they need not be recorded."""

NOTICE: Final = timedelta(days=7)
"""How long before the deletion of a survey a mail announces it."""

SECONDS_BETWEEN_ALERTS: Final = 60.0

_NOTED: Final = "mailed "
_FOOT: Final = (
    "Each problem is mailed once, and again if it returns. Type `sottovoce doctor` on the server to list all "
    "problems; docs/operators.md explains them."
)
_last_checked: dict[str, float] = {}


def alerts_step() -> None:
    """Mail failed runs, late workers and backups, a full disk, and imminent deletions; a sweeper step."""
    seconds = time.monotonic()
    if seconds - _last_checked.get("parts", -SECONDS_BETWEEN_ALERTS) >= SECONDS_BETWEEN_ALERTS:
        _last_checked["parts"] = seconds
        mail_once("parts", dict(_problems(timezone.now())), now=timezone.now())


def mail_once(source: str, wrong: Mapping[str, str], *, now: datetime) -> list[str]:
    """Mail new problems to the administrators.

    Parameters
    ----------
    source : str
        Name of the check. It reports every problem of its kind, so a problem that it leaves out is solved.
    wrong : mapping of str to str
        One sentence per problem, by a name that does not change while the problem lasts.
    now : datetime

    Returns
    -------
    list of str
        Names of the problems reported.
    """
    if not settings.EMAIL_HOST or not (recipients := administrators_addresses()):
        return []
    new = _note_problems(source, wrong, now)
    if not new:
        return []
    host = next(iter(settings.ALLOWED_HOSTS), "")
    lines = [as_typed(f"- {wrong[name]}") for name in new]
    message = EmailMessage(
        subject=f"[Sottovoce] {host}: new alerts: {len(new)}",
        body="\n".join([*lines, "", as_typed(_FOOT)]) + "\n",
        to=recipients,
    )
    try:
        message.send()
    except OSError as error:
        # OSError includes smtplib's errors, which are its subclasses.
        _forget_problems(source, new)
        logger.warning("a mail to the administrators was not sent: %s", type(error).__name__)
        return []
    return new


def administrators_addresses() -> list[str]:
    """Return the mail addresses of administrators who can log in."""
    people = User.objects.filter(is_active=True, is_staff=True).exclude(email="").order_by("pk")
    return [user.email for user in people if Role.ADMINISTRATOR in roles_of(user)]


def faulty_jobs(*, now: datetime) -> QuerySet[Job]:
    """Return jobs that recently failed because of the machine or the program, but not refused ones."""
    messages = (LOST_TOO_OFTEN, FAULT, OUTAGE)
    return Job.objects.filter(
        state=Job.State.FAILED, message__in=messages, ended_at__gt=now - LOOKED_BACK
    ).order_by("-ended_at")


def _problems(now: datetime) -> Iterator[tuple[str, str]]:
    for job in faulty_jobs(now=now):
        yield f"job {job.pk}", f"{_job_name(job)} failed. {job.message} Type: journalctl -u sottovoce-worker."
    late: dict[str, bool] = {}
    for worker in workers(now=now):
        machine = worker.name.rpartition("/")[0]
        if worker.age_seconds < -SECONDS_AHEAD:
            yield (
                f"clock {machine}",
                f"The clock of {machine} is {-worker.age_seconds:.0f} s ahead of the sweeper's. Type on each "
                "machine: timedatectl.",
            )
            continue
        # Report machines, because a restarted worker has another process number.
        late[machine] = late.get(machine, True) and not worker.lives
    for machine in sorted(machine for machine, is_late in late.items() if is_late):
        yield (
            f"worker {machine}",
            f"No worker of {machine} has responded for a minute, so runs wait. Type there: "
            "systemctl restart sottovoce-worker.",
        )
    for survey in Survey.objects.filter(delete_at__lte=now + NOTICE).order_by("delete_at"):
        # The day is part of the name, so that an earlier deletion date is reported again.
        day = survey.delete_on
        yield (
            f"deletion {survey.pk} {day}",
            f"Survey {survey.slug} is deleted on {day} with its answers, runs and verdicts. "
            "Before then, print or export the results you want to keep.",
        )
    if doubt := clock_doubt(now=now):
        yield ("clock", f"A clock may be wrong: {doubt}. Type on each machine: timedatectl.")
    for problem in backup_problems(now=now):
        yield problem.name, f"Backup: {problem.seen}. {problem.remedy}"
    free = free_bytes()
    if free < LEAST_BYTES:
        yield (
            "disk",
            f"Only {free >> 20} MB are free on the disk: soon answers will be refused. Type: df -h "
            f"{settings.SOTTOVOCE_HOME}. Then move other files away, or enlarge the disk.",
        )


def _job_name(job: Job) -> str:
    """Return the job's name as pages show it."""
    run = Run.objects.filter(Q(job=job) | Q(audit_job=job)).select_related("survey").first()
    if run is None:
        return f"Job {job.pk} ({job.kind})"
    what = "Run" if run.job_id == job.pk else "The audit of run"
    return f"{what} {run.pk} of survey {run.survey.slug}"


def _note_problems(source: str, wrong: Collection[str], now: datetime) -> list[str]:
    """Record the current problems; return the new ones."""
    with transaction.atomic():
        note, _created = Beat.objects.select_for_update().get_or_create(
            name=f"{_NOTED}{source}", defaults={"at": now}
        )
        before = set(note.says.get("wrong", ()))
        if before != set(wrong):
            note.at, note.says = now, {"wrong": sorted(wrong)}
            note.save()
    return [name for name in wrong if name not in before]


def _forget_problems(source: str, new: Collection[str]) -> None:
    with transaction.atomic():
        note = Beat.objects.select_for_update().get(name=f"{_NOTED}{source}")
        note.says = {"wrong": [name for name in note.says.get("wrong", ()) if name not in new]}
        note.save()
