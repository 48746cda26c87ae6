"""Administrators get one mail for each problem, through a real mail server."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.intake.mix import mix_waiting
from surveys.jobs.lease import FAULT
from surveys.management.commands import doctor as command
from surveys.models import Job, Survey
from surveys.models.heartbeat import record_heartbeat
from surveys.server import alerts, disk_space
from surveys.server.alerts import administrators_addresses, alerts_step, mail_once
from surveys.server.doctor.diagnosis import CheckContext, failure, ok, warning
from tests.fixtures.devices import published, wide_definition
from tests.fixtures.mail_server import MailServer
from tests.fixtures.staff import member
from tests.surveys.intake.test_mix import answer

pytestmark = pytest.mark.django_db

NOW = timezone.now()


@pytest.fixture(autouse=True)
def _no_pause_between_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alerts, "SECONDS_BETWEEN_ALERTS", 0.0)


@pytest.fixture
def mail(settings: Any) -> Iterator[MailServer]:
    with MailServer() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.DEFAULT_FROM_EMAIL = "sottovoce@survey.example.org"
        settings.ALLOWED_HOSTS = ["survey.example.org"]
        yield server


@pytest.fixture(autouse=True)
def alice() -> User:
    alice = member("alice", Role.ADMINISTRATOR)
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")
    return alice


def body(mail: MailServer, number: int = -1) -> str:
    return str(mail.mails[number][2].get_payload())


def test_each_problem_is_mailed_once_and_again_if_it_returns(mail: MailServer) -> None:
    wrong = {"disk": "The disk is full.", "worker a": "No worker."}
    assert mail_once("parts", wrong, now=NOW) == ["disk", "worker a"]
    assert mail_once("parts", wrong, now=NOW) == []
    ((sender, recipients, message),) = mail.mails
    assert (sender, recipients) == ("sottovoce@survey.example.org", ["alice@example.org"])
    assert message["Subject"] == "[Sottovoce] survey.example.org: new alerts: 2"
    assert "- The disk is full.\n- No worker.\n" in body(mail).replace("\r\n", "\n")
    # Another source of alerts has separate problems.
    assert mail_once("doctor", {}, now=NOW) == []
    assert mail_once("parts", {"disk": "The disk is full."}, now=NOW) == []
    assert mail_once("parts", wrong, now=NOW) == ["worker a"]
    assert "disk" not in body(mail)
    assert len(mail.mails) == 2


def test_unsent_mails_are_sent_later(mail: MailServer) -> None:
    mail.refuses = True
    assert mail_once("parts", {"disk": "The disk is full."}, now=NOW) == []
    mail.refuses = False
    assert mail_once("parts", {"disk": "The disk is full."}, now=NOW) == ["disk"]
    assert len(mail.mails) == 1


def test_alerts_wait_for_an_administrator_with_an_address(mail: MailServer, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(email="")
    member("rose", Role.RESEARCHER)
    User.objects.filter(username="rose").update(email="rose@example.org")
    assert administrators_addresses() == []
    assert mail_once("parts", {"disk": "The disk is full."}, now=NOW) == []
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")
    assert mail_once("parts", {"disk": "The disk is full."}, now=NOW) == ["disk"]
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert administrators_addresses() == []


def test_the_sweeper_reports_failed_runs_late_workers_and_full_disks(
    mail: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    alerts_step()
    assert mail.mails == []
    done = {"created_at": NOW, "send_due_at": NOW, "ended_at": NOW, "state": Job.State.FAILED}
    job = Job.objects.create(kind=Job.Kind.MINE, message=FAULT, **done)
    # The requester sees why a job was refused, so administrators get no mail.
    Job.objects.create(kind=Job.Kind.MINE, message="Too many itemsets.", **done)
    Job.objects.create(kind=Job.Kind.MINE, message=FAULT, **{**done, "ended_at": NOW - timedelta(days=8)})
    long_ago = NOW - timedelta(minutes=10)
    record_heartbeat("worker gone/1", now=long_ago)
    # A worker that was restarted.
    record_heartbeat("worker here/1", now=long_ago)
    record_heartbeat("worker here/2", now=timezone.now())
    monkeypatch.setattr(
        disk_space.shutil, "disk_usage", lambda _place: SimpleNamespace(free=1 << 20, total=1 << 30)
    )
    alerts_step()
    alerts_step()
    ((_sender, _recipients, message),) = mail.mails
    assert message["Subject"].endswith(": new alerts: 3")
    said = body(mail)
    assert f"Job {job.pk} (mine) failed. An error in this program stopped the work" in said
    assert said.count("Type") == 4  # for each of the three, and the doctor
    assert "No worker of gone has responded" in said
    assert "No worker of here" not in said
    assert "Only 1 MB are free" in said


def test_a_worker_ahead_of_time_is_reported_as_a_clock(mail: MailServer) -> None:
    record_heartbeat("worker ahead/1", now=timezone.now() + timedelta(minutes=20))
    alerts_step()
    assert "The clock of ahead is 1200 s ahead of the sweeper's. Type on each" in body(mail)
    assert "No worker of ahead" not in body(mail)


def test_upcoming_deletion_is_announced_once_a_week_before(mail: MailServer) -> None:
    survey = published(wide_definition()).survey
    days = Survey.objects.filter(pk=survey.pk)
    days.update(delete_at=timezone.now() + alerts.NOTICE + timedelta(hours=1))
    alerts_step()
    assert not mail.mails
    days.update(delete_at=timezone.now() + alerts.NOTICE - timedelta(hours=1))
    alerts_step()
    alerts_step()
    assert len(mail.mails) == 1
    survey.refresh_from_db()
    assert f"Survey {survey.slug} is deleted on {survey.delete_on} with its answers" in body(mail)
    # An earlier deletion day causes another mail.
    days.update(delete_at=timezone.now() + timedelta(days=2))
    alerts_step()
    assert len(mail.mails) == 2


@pytest.mark.soak
def test_arriving_answers_trigger_no_mail(mail: MailServer) -> None:
    version = published(wide_definition("wide"))
    for seed in range(3):
        answer(version, 60, seed=seed)
        alerts_step()
        mix_waiting()
        alerts_step()
    assert mail.mails == []


def test_without_a_mail_server_alerts_are_neither_sent_nor_recorded(settings: Any, mail: MailServer) -> None:
    settings.EMAIL_HOST = ""
    assert mail_once("parts", {"disk": "The disk is full."}, now=NOW) == []
    settings.EMAIL_HOST = "127.0.0.1"
    assert mail_once("parts", {"disk": "The disk is full."}, now=NOW) == ["disk"]


def test_the_doctor_reports_each_finding_once(mail: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def checks(rows: int) -> Any:
        def check(_context: CheckContext) -> Any:
            yield ok("it is fine", "it is")
            yield warning("rows can be opened", f"{rows} cannot", "Nothing brings them back.")
            yield failure("it is good", "it is bad", "Make it good.")

        return (check,)

    for rows in (3, 4):
        monkeypatch.setattr(command.Command, "checks", checks(rows))
        with pytest.raises(SystemExit):
            call_command("doctor", "--mail", stdout=StringIO())
    assert len(mail.mails) == 1
    said = body(mail)
    assert "WARNING: rows can be opened: 3 cannot" in said
    assert "ERROR: it is good: it is bad. Make it good." in said
    assert "fine" not in said
