"""The demonstration sends its answers through the real intake."""

import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from privacy.risk.amplification import promise
from privacy.survey.layout import Layout
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.management.commands import demo
from surveys.management.commands.demo import definition, respondents
from surveys.models import Batch, Inbox, Receipt, Run, Survey
from surveys.questionnaire.definition import definition_parse
from surveys.run_lock import RunLock, Running

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def people():
    return list(respondents(rng=np.random.default_rng(demo.SEED_OF_CHOICES)))


@pytest.mark.soak
def test_the_demonstration_uses_the_respondents_of_the_fair_dataset(people):
    # The published table has 6,366 women, of whom 2,053 had an affair.
    assert len(people) == 6366
    assert sum(person.answers["marriage"]["affair"] for person in people) == 2053
    assert sum(person.answers["marriage"]["unhappy"] for person in people) == 1440
    assert sum(person.answers["faith"]["not-religious"] for person in people) == 3288


def test_respondents_with_affairs_answer_directly_less_often(people):
    direct = [person.direct for person in people]
    carriers = [person.direct for person in people if person.answers["marriage"]["affair"]]
    assert 0.25 < np.mean(direct) < 0.29
    assert np.mean(carriers) < np.mean(direct)


@pytest.mark.soak
def test_true_supports_match_the_dataset(people):
    design = definition_parse(definition()).design
    truth = demo.true_supports(design, people)
    both = sum(p.answers["marriage"]["affair"] and p.answers["marriage"]["unhappy"] for p in people)
    assert truth["affair"] == 2053 / 6366
    assert truth["affair & unhappy"] == both / 6366
    oldest = [p for p in people if p.answers["background"]["age"] == 3]
    triple = [p for p in oldest if p.answers["marriage"]["affair"] and p.answers["faith"]["not-religious"]]
    assert truth["age=35-on & affair & not-religious"] == len(triple) / 6366
    assert max(key.count("&") for key in truth) == demo.LONGEST_SHOWN - 1


def test_equal_seeds_give_identical_demonstration_submissions(people):
    design = definition_parse(definition()).design
    first, again = (
        list(demo.submissions(design, people[:50], rng=np.random.default_rng(demo.SEED_OF_DEVICES)))
        for _ in range(2)
    )
    assert first == again
    assert len(set(first)) == 50


@pytest.mark.soak
def test_interrupted_demonstrations_resume_without_duplicates(people, monkeypatch):
    few = people[:120]
    monkeypatch.setattr(demo, "respondents", lambda *, rng: iter(few))
    survey = survey_import(definition(), by="test")
    version = survey_publish(survey, by="test", now=demo.timezone.now(), is_readable_seen=True)
    monkeypatch.setattr(demo, "submission_receive", _stop_after(70))
    with pytest.raises(KeyboardInterrupt):
        demo.prepare(say=str)
    assert Receipt.objects.filter(survey=survey).count() == 70
    monkeypatch.undo()
    monkeypatch.setattr(demo, "respondents", lambda *, rng: iter(few))
    monkeypatch.setattr(demo, "run_request", lambda **_: None)
    demo.prepare(say=str)
    survey.refresh_from_db()
    assert survey.state == Survey.State.CLOSED
    assert survey.settled
    assert Receipt.objects.filter(survey=survey).count() == 120
    assert not Inbox.objects.exists()
    batches = Batch.objects.filter(version=version)
    assert sum(batch.n for batch in batches) == 120


def _stop_after(number):
    receive, seen = demo.submission_receive, []

    def stop(raw, **arguments):
        if len(seen) == number:
            raise KeyboardInterrupt
        seen.append(raw)
        return receive(raw, **arguments)

    return stop


@pytest.mark.soak
def test_direct_answers_are_stored_unchanged(people, monkeypatch):
    few = people[:150]
    monkeypatch.setattr(demo, "respondents", lambda *, rng: iter(few))
    monkeypatch.setattr(demo, "run_request", lambda **_: None)
    demo.prepare(say=str)
    version = Survey.objects.get(slug=demo.SLUG).versions.get()
    layout = Layout(version.to_design())
    stored = [
        layout.unpack(bytes(batch.packed)[start : start + layout.n_bytes])
        for batch in Batch.objects.filter(version=version)
        for start in range(0, batch.n * layout.n_bytes, layout.n_bytes)
    ]
    answered = sorted(
        (tuple(p.answers["background"].values()), p.answers["marriage"]["affair"]) for p in few if p.direct
    )
    assert sorted((row.answers[0], row.answers[1][0]) for row in stored if row.direct) == answered


def test_the_login_file_is_readable_only_by_its_owner(tmp_path: Path, client):
    first = demo.ensure_log_in(tmp_path)
    assert demo.ensure_log_in(tmp_path) == first
    assert stat.S_IMODE((tmp_path / "demo-log-in").stat().st_mode) == 0o600
    assert client.login(username=first.name, password=first.password)


def test_a_refused_respondent_stops_the_demonstration_with_the_reason(people, monkeypatch):
    monkeypatch.setattr(demo, "respondents", lambda *, rng: iter(people[:3]))
    monkeypatch.setattr(demo, "submissions", lambda *_, **__: iter([b"{}"]))
    with pytest.raises(SurveyError, match="respondent 1 was refused with 400"):
        demo.prepare(say=str)


@pytest.mark.soak
def test_the_command_suggests_checking_for_a_worker(people, monkeypatch, tmp_path, settings):
    settings.SOTTOVOCE_HOME = tmp_path
    monkeypatch.setattr(demo, "respondents", lambda *, rng: iter(people[:400]))
    with pytest.raises(Exception, match="Check that a worker is running"):
        call_command("demo", "--wait", "--seconds", "0")


@pytest.mark.soak
@pytest.mark.parametrize("given", [["--address", "http://192.0.2.7:8000/"], []])
def test_the_command_prints_addresses_and_the_login(given, people, monkeypatch, tmp_path, settings, capsys):
    settings.SOTTOVOCE_HOME = tmp_path
    monkeypatch.setattr(demo, "respondents", lambda *, rng: iter(people[:400]))
    lock = RunLock(tmp_path)
    lock.publish(Running(pid=1, address="http://192.0.2.7:8000/", redis_url=""))
    call_command("demo", *given)
    lock.release()
    printed = capsys.readouterr().out
    assert f"report http://192.0.2.7:8000/en/staff/runs/{Run.objects.get().pk}/results/\n" in printed
    assert f"practice survey http://192.0.2.7:8000/en/s/{demo.PRACTICE_SLUG}/\n" in printed
    # First, because sending the answers takes a minute and can fail.
    assert printed.startswith("demo: log in as demo, password ")


def test_a_changed_password_is_not_printed_as_the_present_one(tmp_path: Path) -> None:
    log_in = demo.ensure_log_in(tmp_path)
    assert demo.log_in_line(log_in) == f"log in as demo, password {log_in.password}"
    account = User.objects.get()
    account.set_password("another one")
    account.save()
    assert demo.log_in_line(log_in) == "log in as demo, with the password that replaced the first one"


@pytest.mark.parametrize(
    "document", [definition(), demo.practice_definition(), definition(demo.EVERYDAY_SLUG)]
)
def test_shown_designs_promise_at_most_95_overall_and_80_per_answer(document: dict[str, Any]) -> None:
    design = definition_parse(document).design
    made = promise(design.in_group(direct=False) or design)
    assert made is not None
    assert made.of_100 is not None
    assert made.one_of_100 is not None
    assert made.of_100 <= 95
    assert made.one_of_100 <= 80
