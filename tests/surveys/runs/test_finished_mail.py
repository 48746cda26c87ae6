"""The mail to the requester of a run: sent by real SMTP, without figures, and its failure fails no run."""

from types import SimpleNamespace

import pytest
from django.core import mail
from pytest_django import Settings

from surveys.models import Run
from surveys.runs import finished_mail
from surveys.runs.finished_mail import finished_run_mail
from tests.fixtures.mail_server import MailServer
from tests.fixtures.runs import alice, answered_version, requested_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(settings: Settings) -> MailServer:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with MailServer() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.ALLOWED_HOSTS = ["survey.example.org"]
        yield server


def run_of_alice(mail: str = "alice@example.org") -> Run:
    run, person = requested_run(answered_version()), alice()
    person.email = mail
    person.save()
    run.job.requested_by = person
    run.job.save()
    return run


def test_the_requester_gets_a_link_to_the_results_without_numbers(server: MailServer) -> None:
    run = run_of_alice()
    run.n, run.summary = 4711, {"rules": 815}
    finished_run_mail(run)
    ((_sender, receivers, message),) = server.mails
    text = str(message.get_payload(decode=True), "utf-8")
    assert receivers == ["alice@example.org"]
    assert message["Subject"] == f"[Sottovoce] Run {run.pk} of survey {run.survey.slug} has finished"
    assert f"https://survey.example.org/en/staff/runs/{run.pk}/" in text
    assert "4711" not in text
    assert "815" not in text


def test_no_mail_is_sent_without_a_requester_or_their_address(server: MailServer) -> None:
    finished_run_mail(run_of_alice(mail=""))
    run = requested_run(answered_version(slug="other"))
    run.job.requested_by = None
    finished_run_mail(run)
    assert server.mails == []


def test_a_refused_mail_is_logged_and_leaves_the_run_unchanged(
    server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.refuses = True
    finished_run_mail(run_of_alice())
    assert server.mails == []
    assert "the mail about a finished run was not sent" in caplog.text


def test_no_mail_is_attempted_without_a_mail_server(settings: Settings) -> None:
    settings.EMAIL_HOST = ""
    finished_run_mail(run_of_alice())
    assert mail.outbox == []


INTERIM = "It is an interim look: it lacks answers that arrived later or can still arrive."


@pytest.mark.parametrize(
    ("look", "scope"),
    [
        (None, ""),
        (SimpleNamespace(chapter=None, is_final=True), ""),
        (SimpleNamespace(chapter=None, is_final=False), f"\n{INTERIM}\n"),
        (
            SimpleNamespace(chapter=2, chapter_words="chapter 2, the last one", is_final=True),
            "\nIt reads chapter 2, the last one.\n",
        ),
    ],
    ids=["none", "final", "interim", "chapter"],
)
def test_the_mail_says_whether_answers_are_missing(
    look: SimpleNamespace | None, scope: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_HOST, settings.ALLOWED_HOSTS = "localhost", ["survey.example.org"]
    monkeypatch.setattr(finished_mail, "look_of", lambda _run: look)
    run = run_of_alice()
    finished_run_mail(run)
    (message,) = mail.outbox
    address = f"https://survey.example.org/en/staff/runs/{run.pk}/"
    assert message.body.partition("Its results are at:")[2] == f"\n\n{address}\n{scope}"
