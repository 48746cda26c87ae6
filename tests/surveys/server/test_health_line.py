"""The administrators' first line: planted failures appear in it, and /ready and /metrics agree."""

import html
import re
import socket
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from surveys.accounts.roles import Role
from surveys.celery import app
from surveys.intake.keys import mixer_ready
from surveys.jobs.sweeper import SWEEPER_HEARTBEAT
from surveys.management.commands import doctor
from surveys.management.commands.sweep import sweep_once
from surveys.models import Beat, MixerKey, Survey
from surveys.models.heartbeat import record_heartbeat
from surveys.run_lock import RunLock, Running
from surveys.server import clock_problem, health
from surveys.server.backup_problems import MADE
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, Severity, failure
from surveys.server.health import CERTIFICATE, CHECKED, CHORES, Facts, installation_facts
from surveys.server.health_line import WRONG, health_line
from tests.fixtures.runs import published
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def well(broker: str) -> None:
    """Make an installation in which every part works."""
    sweep_once(())
    assert mixer_ready()
    record_heartbeat("worker host/7", now=timezone.now())
    record_heartbeat(MADE, now=timezone.now())


def worker_stops_45_seconds_ago(_patch: pytest.MonkeyPatch) -> None:
    record_heartbeat("worker host/7", now=timezone.now() - timedelta(seconds=45))


def backup_is_late(_patch: pytest.MonkeyPatch) -> None:
    record_heartbeat(MADE, now=timezone.now() - timedelta(hours=40))


def disk_is_full(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(health, "free_bytes", lambda: 1 << 20)


def clock_is_ahead(_patch: pytest.MonkeyPatch) -> None:
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() + timedelta(minutes=20))


def rows_are_not_mixed(_patch: pytest.MonkeyPatch) -> None:
    version = published()
    late = timezone.now() - timedelta(minutes=5)
    Survey.objects.filter(pk=version.survey_id).update(
        state=Survey.State.CLOSED, closed_at=late, accepts_until=late
    )


def certificate_is_late(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(settings, "HTTPS", True)
    now = timezone.now()
    dates = {"due": (now - timedelta(days=9)).isoformat(), "end": (now + timedelta(days=5)).isoformat()}
    record_heartbeat(CERTIFICATE, now=now - timedelta(days=9, hours=3), says=dates)


def mixing_fails(_patch: pytest.MonkeyPatch) -> None:
    assert sweep_once((("mix", mock.Mock(side_effect=ValueError)),)) == ["mix"]


def page_check_fails(_patch: pytest.MonkeyPatch) -> None:
    record_heartbeat(CHECKED, now=timezone.now(), says={"failed": ["the certificate is valid"]})


PLANTED = {
    "worker": worker_stops_45_seconds_ago,
    "backup": backup_is_late,
    "disk": disk_is_full,
    "clock": clock_is_ahead,
    "mixing": rows_are_not_mixed,
    "certificate": certificate_is_late,
    "checks": page_check_fails,
}


@pytest.mark.usefixtures("well")
@pytest.mark.parametrize("part", PLANTED)
def test_a_planted_failure_is_the_line_and_ready_and_metrics_agree(
    part: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert health_line(installation_facts()).is_well
    PLANTED[part](monkeypatch)
    line = health_line(installation_facts())
    sentence, command = WRONG[part]
    assert (line.sentence, line.command) == (str(sentence), command)
    ready = client.get("/ready").json()
    assert {**ready, **ready["chores"]}[part] != "ok"
    # A task for an administrator does not take the server out of service.
    assert (ready["status"] == "ok") == (part in ready["chores"])
    metrics = client.get("/metrics").content.decode()
    assert re.search(rf'sottovoce_part_ok{{part="{part}",status="[^"]+"}} 0', metrics)
    assert line.others == (part == "clock")


@pytest.mark.usefixtures("well")
def test_a_sweeper_that_runs_and_cannot_mix_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    mixing_fails(monkeypatch)
    assert installation_facts().chores["mixing"] == "failed"
    assert health_line(installation_facts()).sentence == str(WRONG["mixing"][0])
    sweep_once(())
    assert health_line(installation_facts()).is_well


@pytest.mark.usefixtures("well")
@pytest.mark.parametrize(("age", "part"), [(4, "mixer"), (12, "sweeper")])
def test_a_missing_key_is_blamed_on_a_sweeper_that_makes_no_rounds(age: int, part: str) -> None:
    """Only the sweeper vouches for the key, for ten seconds; a stopped one was called a missing key."""
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() - timedelta(seconds=age))
    MixerKey.objects.update(vouched_until=timezone.now())
    assert health_line(installation_facts(wait=False)).sentence == str(WRONG[part][0])


@pytest.mark.usefixtures("well")
def test_an_expired_certificate_is_called_expired_without_another_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    certificate_is_late(monkeypatch)
    assert installation_facts().chores["certificate"] == "expires soon"
    with mock.patch.object(timezone, "now", return_value=timezone.now() + timedelta(days=6)):
        assert health.installation_facts(wait=False).chores["certificate"] == "expired"
    monkeypatch.setattr(settings, "HTTPS", False)
    assert installation_facts().chores["certificate"] == "ok"


@pytest.mark.usefixtures("well")
def test_only_administrators_read_the_line_and_it_says_when_the_last_backup_was(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a very busy machine the broker may need longer than a page waits, and would then be the line.
    monkeypatch.setattr(health, "SECONDS_FOR_A_PAGE", 20)
    client.force_login(member("ruth", Role.RESEARCHER))
    assert "All is well" not in client.get("/en/staff/").content.decode()
    client.force_login(User.objects.create_superuser("adam"))
    page = html.unescape(client.get("/en/staff/").content.decode())
    day = timezone.now().strftime("%Y-%m-%d")
    assert re.search(
        rf"All is well: answers arrive, results run, last backup {day} [\d:]+ UTC, disk \d+% free\.", page
    )
    record_heartbeat("worker host/7", now=timezone.now() - timedelta(seconds=45))
    backup_is_late(monkeypatch)
    page = html.unescape(client.get("/en/staff/").content.decode())
    assert "No worker runs: results wait." in page
    assert "<code>systemctl restart sottovoce-worker</code>" in page
    assert "One more problem" in page
    with translation.override("zh-hans"):
        assert health_line(installation_facts()).sentence == "没有工作进程在运行：结果在等待。"


def test_every_part_and_chore_has_a_sentence(settings: Any) -> None:
    """A part without one would never be named, and its failure would read "All is well"."""
    settings.SOTTOVOCE_MIXERS = ("mix1", "mix2")
    facts = installation_facts()
    assert set(WRONG) == {*facts.parts, *facts.chores}
    assert set(facts.chores) == set(CHORES)


@pytest.mark.usefixtures("well")
def test_a_missing_spare_is_the_line_as_in_ready(settings: Any, client: Client) -> None:
    settings.SOTTOVOCE_MIXERS = ("mix1", "mix2")
    assert client.get("/ready").json()["spare"] == "no spare"
    assert health_line(installation_facts(wait=False)).sentence == str(WRONG["spare"][0])


@pytest.mark.usefixtures("well")
def test_tasks_that_cannot_be_read_are_not_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "backup_problems", mock.Mock(side_effect=DatabaseError))
    facts = installation_facts()
    assert set(facts.chores.values()) == {"unknown"}
    assert not health_line(facts).is_well


def test_a_finding_without_a_backup_says_that_none_is_due(broker: str) -> None:
    facts = Facts(parts={}, schema=None, clock="", sweeper_age_seconds=None, workers=[], chores={})
    assert "no backup is due yet" in health_line(facts).sentence


@pytest.mark.parametrize("roles", [(Role.RESEARCHER,), (Role.REVIEWER,), (Role.RESEARCHER, Role.REVIEWER)])
def test_nothing_is_examined_for_other_roles(
    roles: tuple[Role, ...], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined = mock.Mock(wraps=installation_facts)
    monkeypatch.setattr("surveys.report.survey_list.surveys.installation_facts", examined)
    client.force_login(member("ruth", *roles))
    assert client.get("/en/staff/").status_code == 200
    examined.assert_not_called()
    client.force_login(member("adam", Role.ADMINISTRATOR))
    assert client.get("/en/staff/").status_code == 200
    examined.assert_called_once_with(wait=False)


@pytest.mark.usefixtures("well")
@pytest.mark.soak
def test_the_line_uses_as_many_queries_for_many_surveys_and_workers_as_for_one() -> None:
    rows_are_not_mixed(pytest.MonkeyPatch())
    with CaptureQueriesContext(connection) as of_one:
        health_line(installation_facts(wait=False))
    for number in range(20):
        version = published(slug=f"habits-{number}")
        Survey.objects.filter(pk=version.survey_id).update(state=Survey.State.CLOSED)
        record_heartbeat(f"worker host/{100 + number}", now=timezone.now())
    with CaptureQueriesContext(connection) as of_many:
        health_line(installation_facts(wait=False))
    assert len(of_many) == len(of_one)


@pytest.mark.usefixtures("well", "no_broker")
def test_the_page_is_shown_and_says_that_the_broker_is_down(client: Client) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    response = client.get("/en/staff/")
    assert response.status_code == 200
    assert "The broker does not answer: results wait." in response.content.decode()


def test_a_broker_that_accepts_connections_and_stays_silent_does_not_hold_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stopped process does this. Without a limit for the answer, this test never ends."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setitem(app.conf, "broker_write_url", f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        assert installation_facts(wait=False).parts["broker"] == "no answer"


def test_the_page_does_not_watch_a_late_sweeper(monkeypatch: pytest.MonkeyPatch) -> None:
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() - timedelta(minutes=2))
    watched = mock.Mock(return_value=False)
    monkeypatch.setattr(clock_problem, "_sweeper_moves", watched)
    assert installation_facts(wait=False).parts["sweeper"] == "late"
    watched.assert_not_called()
    assert installation_facts().parts["sweeper"] == "late"
    watched.assert_called_once_with()


def test_doctor_notes_nothing_after_a_restore() -> None:
    """`--stored` checks neither pages nor certificate, so it must not end what the last full check found."""
    page_check_fails(pytest.MonkeyPatch())
    with pytest.raises(SystemExit):
        call_command("doctor", stored=True, stdout=StringIO())
    assert Beat.objects.get(name=CHECKED).says == {"failed": ["the certificate is valid"]}


def test_doctor_reports_although_its_note_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "record_heartbeat", mock.Mock(side_effect=DatabaseError))
    context = CheckContext(address=None, client_digest=None, now=timezone.now())
    output = StringIO()
    with pytest.raises(SystemExit):
        doctor.Command(stdout=output).report(context, (_passes,), as_json=False)
    assert "1 OK, 0 warnings, 0 errors" in output.getvalue()


def test_doctor_notes_which_promises_failed() -> None:
    context = CheckContext(address=None, client_digest=None, now=timezone.now())
    command = doctor.Command(stdout=StringIO())
    for checks, failed in (((_fails,), ["pages"]), ((_passes,), [])):
        with pytest.raises(SystemExit):
            command.report(context, checks, as_json=True)
        assert Beat.objects.get(name=CHECKED).says == {"failed": failed}


def _passes(_context: CheckContext) -> Iterator[Diagnosis]:
    yield Diagnosis(promise="pages", seen="there", level=Severity.OK)


def _fails(_context: CheckContext) -> Iterator[Diagnosis]:
    yield failure("pages", "gone", "look")


@pytest.mark.usefixtures("well")
@pytest.mark.parametrize(
    ("part", "typed"),
    [
        ("worker", "sottovoce dev"),
        ("backup", " backup ~/sottovoce-backups"),
        ("checks", " doctor"),
        ("disk", "df -h"),
    ],
)
def test_where_run_has_started_everything_the_command_exists_there(
    part: str, typed: str, client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    """It used to be systemctl, with units that such a machine does not have."""
    settings.SOTTOVOCE_HOME = tmp_path
    lock = RunLock(tmp_path)
    lock.publish(Running(pid=1, address="http://localhost:8000/", redis_url=""))
    PLANTED[part](monkeypatch)
    client.force_login(User.objects.create_superuser("adam"))
    page = html.unescape(client.get("/en/staff/").content.decode())
    assert f"{typed}</code>" in page
    assert ("press Ctrl-C" in page) == (typed == "sottovoce dev")
    assert "systemctl" not in page
    lock.release()
    assert health_line(installation_facts()).command == WRONG[part][1]
