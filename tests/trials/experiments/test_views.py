"""The pages of the papers' experiments: asked for, run, shown, taken away, refused, cancelled."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.access.roles import Role
from surveys.jobs import lease
from surveys.jobs.dispatch import left_to_workers
from surveys.models import AuditEvent, Job
from surveys.tasks import run_job
from tests.cast.drawn import assert_readable
from tests.cast.staff import member
from trials.experiments.running import PAPERS, experiment_request, experiment_run
from trials.models import Experiment

pytestmark = pytest.mark.django_db

QUICK = {
    "experiment": {"seed": 7, "repetitions": 10, "n": 500},
    "experiment-location": {"seed": 7, "repetitions": 2, "n": 100},
    "reproduce-003": {"seed": 7, "rows": 1_000},
}


@pytest.fixture
def reviewer(client: Client) -> Client:
    client.force_login(member("reviewer", Role.REVIEWER))
    return client


def page(paper: str = "experiment", part: str = "experiment", **more: str) -> str:
    return reverse(f"experiments:{part}", kwargs={"paper": paper, **more})


def asked(client: Client, paper: str = "experiment", **changed: Any) -> Any:
    with left_to_workers():
        return client.post(page(paper), QUICK[paper] | changed)


def done(client: Client, paper: str = "experiment", **changed: Any) -> str:
    """Ask for a run, do it, and return the page.

    Without a heartbeat: its thread would not see a job of a test's transaction, and give it up.
    """
    assert asked(client, paper, **changed).status_code == 302
    claim = lease.claim(Experiment.objects.get(paper=paper).job_id, now=timezone.now())
    assert claim is not None
    store = experiment_run(claim.job_id, lambda _stage, _done, _total: None)
    lease.finish(claim, now=timezone.now(), store=store)
    return client.get(page(paper)).content.decode()


def test_the_list_says_what_each_paper_claims_and_when_it_was_run(reviewer: Client) -> None:
    listed = reviewer.get(reverse("experiments:papers")).content.decode()
    assert re.findall(r'<h2 id="paper-\d"><a href="/en/staff/experiments/([\w-]+)/">', listed) == list(PAPERS)
    assert listed.count("Not run here yet.") == 3
    assert "https://doi.org/10.3724/SP.J.1016.2010.01315" in listed
    done(reviewer)
    assert reviewer.get(reverse("experiments:papers")).content.decode().count("Not run here yet.") == 2


@pytest.mark.parametrize(
    "paper", ["experiment", pytest.param("experiment-location", marks=pytest.mark.soak), "reproduce-003"]
)
def test_a_result_stands_with_facts_pictures_points_and_the_command(reviewer: Client, paper: str) -> None:
    empty = reviewer.get(page(paper)).content.decode()
    assert "Not run here yet" in empty
    shown = done(reviewer, paper)
    assert "Not run here yet" not in shown
    experiment = Experiment.objects.get(paper=paper)
    tables, parameters = json.loads(experiment.tables), experiment.parameters
    assert parameters == QUICK[paper]
    facts = PAPERS[paper].facts(tables, parameters)
    body = shown.split("<tbody>")[1].split("</tbody>")[0]
    assert re.findall(r"<td>(?:<strong>)?(yes|no)", body) == ["yes" if fact.holds else "no" for fact in facts]
    command = "manage.py " + " ".join([paper, *(f"--{name} {value}" for name, value in QUICK[paper].items())])
    assert f"<code>{command} --out DIR</code>" in shown
    drawn = re.findall(r'<svg xmlns="http://www\.w3\.org/2000/svg" viewBox.*?</svg>', shown, re.DOTALL)
    assert drawn == list(map(str, PAPERS[paper].pictures(tables, parameters, False).values()))
    for picture in drawn:
        assert_readable(picture)
        assert picture.split("<title>")[1].split("</title>")[0] in shown.split("<figcaption>", 1)[1]
    for name, rows in tables.items():
        sent = reviewer.get(page(paper, "points", table=name))
        assert f'filename="{paper}-{name}.csv"' in sent.headers["Content-Disposition"]
        assert len(list(csv.DictReader(io.StringIO(sent.content.decode())))) == len(rows)
    for address in re.findall(r'href="(\?figure=[0-9a-f]+\.svg)"', shown)[:2]:
        file = reviewer.get(page(paper) + address)
        assert file.content.startswith(b"<svg")


def test_the_command_of_the_page_writes_the_points_of_the_page(reviewer: Client, tmp_path: Any) -> None:
    from django.core.management import call_command

    (command,) = re.findall(r"<code>manage\.py (.*) --out DIR</code>", done(reviewer))
    call_command(*command.split(), "--out", str(tmp_path), stdout=io.StringIO())
    for name in json.loads(Experiment.objects.get(paper="experiment").tables):
        sent = reviewer.get(page(part="points", table=name)).content
        assert sent == (tmp_path / f"{name}.csv").read_bytes(), name


def test_in_chinese_no_word_of_the_result_is_left_in_english(reviewer: Client) -> None:
    done(reviewer)
    shown = reviewer.get(page().replace("/en/", "/zh-hans/")).content.decode()
    body = shown.split("<tbody>")[1].split("</tbody>")[0]
    for name in re.findall(r'<th scope="row">(.*?)</th>', body):
        assert re.search("[一-鿿]", name), name
    titles = re.findall(r"<title>(.*?)</title>", shown)
    assert len(titles) == 1 + 3
    assert all(re.search("[一-鿿]", title) for title in titles), titles


@pytest.mark.parametrize(
    ("paper", "changed"),
    [
        ("experiment", {"repetitions": 9}),
        ("experiment", {"n": 1_000_001}),
        ("experiment", {"seed": -1}),
        ("experiment", {"seed": ""}),
        ("experiment-location", {"n": "many"}),
        ("reproduce-003", {"rows": 30_001}),
    ],
)
def test_numbers_out_of_range_are_refused_and_nothing_is_asked(
    reviewer: Client, paper: str, changed: dict[str, Any]
) -> None:
    answer = asked(reviewer, paper, **changed)
    assert answer.status_code == 422
    assert 'class="error"' in answer.content.decode()
    assert not Job.objects.exists()


def test_no_other_experiment_and_no_other_table_is_there(reviewer: Client) -> None:
    done(reviewer)
    for address in (page("nothing"), page("nothing", "progress"), page(part="points", table="nothing")):
        assert reviewer.get(address).status_code == 404
    assert reviewer.post(page("nothing", "cancel")).status_code == 404


def test_while_one_is_at_work_no_other_is_begun_and_the_last_result_stays(reviewer: Client) -> None:
    done(reviewer)
    assert asked(reviewer, seed=8).status_code == 302
    again = asked(reviewer, seed=9)
    assert again.status_code == 422
    shown = again.content.decode()
    assert "This experiment is being run already. Wait until it is over, or cancel it." in shown
    assert "data-progress" in shown
    assert "--seed 7" in shown
    assert Experiment.objects.get().job_parameters["seed"] == 8
    assert reviewer.get(page(part="progress")).json()["over"] is False


def test_a_cancelled_run_stores_nothing_and_leaves_the_last_result(reviewer: Client) -> None:
    done(reviewer)
    asked(reviewer, seed=8)
    job = Experiment.objects.get().job_id
    claim = lease.claim(job, now=timezone.now())
    assert claim is not None
    shown = reviewer.post(page(part="cancel"), follow=True).content.decode()
    assert "It is cancelled. The result before it stays." in shown
    assert "--seed 7" in shown
    with pytest.raises(lease.LostLease):
        lease.finish(claim, now=timezone.now(), store=lambda: pytest.fail("it was stored"))
    assert reviewer.get(page(part="progress")).json() == {"over": True}
    late = reviewer.post(page(part="cancel"), follow=True).content.decode()
    assert "The job was over before it could be cancelled." in late
    # The next one takes its place.
    assert "--seed 9" in done(reviewer, seed=9)
    assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_run_that_fails_says_why_above_the_last_result(
    reviewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(reviewer)
    monkeypatch.setattr("trials.pages.experiments.leak", lambda *_: 1 / 0)
    asked(reviewer, seed=8)
    run_job(Experiment.objects.get().job_id)
    shown = reviewer.get(page()).content.decode()
    assert "The work stopped at a fault of this program." in shown
    assert "--seed 7" in shown


def test_each_run_and_each_cancelling_leaves_an_event(reviewer: Client) -> None:
    asked(reviewer)
    reviewer.post(page(part="cancel"))
    events = AuditEvent.objects.order_by("pk").values_list("actor", "action", "target", "detail")
    assert list(events) == [
        ("reviewer", "experiment_request", "experiment experiment", QUICK["experiment"]),
        ("reviewer", "experiment_cancel", "experiment experiment", {}),
    ]


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_worker_runs_it_and_another_one_ends_what_a_lost_one_began(start_worker: Any) -> None:
    from tests.conftest import kill_group, wait_until

    by = User.objects.create_user("analyst")
    paper = PAPERS["experiment"]
    worker = start_worker()
    long = {"seed": 1, "repetitions": 1_000, "n": 10_000}
    job = experiment_request(paper, long, by=by, now=timezone.now())
    wait_until(lambda: Job.objects.get(pk=job.pk).done > 0, what="the first steps")
    kill_group(worker)
    assert Job.objects.get(pk=job.pk).state == Job.State.RUNNING
    assert Experiment.objects.get().finished_at is None
    start_worker()

    def is_over() -> bool:
        lease.sweep(now=timezone.now())
        return Job.objects.get(pk=job.pk).is_over

    wait_until(is_over, seconds=120, what="the second worker's result")
    ended = Job.objects.get(pk=job.pk)
    assert (ended.state, ended.attempts) == (Job.State.FINISHED, 2)
    experiment = Experiment.objects.get()
    assert experiment.parameters == long
    assert all(fact.holds for fact in paper.facts(json.loads(experiment.tables), experiment.parameters))
