from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.jobs import lease, queue
from surveys.models import Job, Run
from surveys.runs import progress as progress_module
from surveys.runs.progress import progress_of, queued_texts
from tests.fixtures.runs import LOOSE, answered_version, mined_run, requested_run

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def with_job(run: Run, **changes: object) -> Run:
    Job.objects.filter(pk=run.job_id).update(**changes)
    return Run.objects.select_related("survey", "version", "job").get(pk=run.pk)


def test_a_queued_run_says_what_it_waits_for_and_that_nothing_is_lost() -> None:
    run = requested_run(answered_version())
    progress = progress_of(run, now=NOW)
    assert progress.headline == "Queued. The broker has not accepted the job yet."
    assert "Nothing is lost" in progress.detail
    run = with_job(run, sends=1)
    soon, late = (
        progress_of(run, now=run.job.created_at + timedelta(seconds=seconds)).headline for seconds in (2, 30)
    )
    assert (soon, late) == (
        "Queued. A worker starts it in a moment.", "Queued. No worker has started the job yet.",
    )  # fmt: skip
    # Runs and audits both keep workers busy.
    behind = with_job(requested_run(run.version), sends=1)
    assert progress_of(behind, now=NOW).headline == "Queued behind one other job."
    queue.enqueue(kind=Job.Kind.AUDIT, requested_by=None, now=NOW, announce=False)
    last = progress_of(with_job(requested_run(run.version), sends=1), now=NOW)
    assert last.headline == "Queued behind 3 other jobs."
    assert last.detail == "Workers process runs and audits one after the other."


def test_a_running_job_shows_its_stage_progress_and_remaining_time() -> None:
    version = answered_version()
    first = requested_run(version)
    started = timezone.now()
    running = with_job(first, state="running", stage="rules", done=1, total=4, attempts=1, started_at=started)
    progress = progress_of(running, now=started + timedelta(seconds=3))
    assert (progress.headline, progress.percent) == ("Listing rules and their measures", 25)
    assert progress.expected.startswith("Running for 3 s. This is the first run on this survey")
    done = mined_run(version, LOOSE)
    Run.objects.filter(pk=done.pk).update(duration_seconds=40.0)
    progress = progress_of(running, now=started + timedelta(seconds=3))
    assert progress.expected == "Running for 3 s. About 40 s, estimated from earlier runs."
    progress = progress_of(running, now=started + timedelta(seconds=90))
    assert "longer than earlier runs:" in progress.expected


def test_a_second_attempt_says_that_an_earlier_worker_was_lost_and_every_stage_has_words() -> None:
    run = with_job(requested_run(answered_version()), state="running", attempts=2, started_at=NOW)
    assert progress_of(run, now=NOW).detail == "Attempt 2: an earlier worker stopped. No data was lost."
    for stage in (
        *("loading", "candidates", "counting", "rules"),
        *("tests", "flips", "truth", "storing"),
    ):
        run.job.stage = stage
        assert progress_of(run, now=NOW).headline != stage


def test_a_run_shared_by_several_workers_is_not_shown_as_queued() -> None:
    run = with_job(
        requested_run(answered_version()), stage=lease.SHARING, done=3, total=4, sends=1, attempts=1
    )
    progress = progress_of(run, now=NOW)
    assert progress.headline == "Several workers are reading the disguised rows"
    assert progress.detail == "Parts read: 3 of 4."
    assert (progress.state, progress.percent) == ("running", 75)


def test_a_first_attempt_says_nothing_and_the_share_done_is_rounded() -> None:
    run = with_job(
        requested_run(answered_version()), state="running", attempts=1, done=99, total=100, started_at=NOW
    )
    progress = progress_of(run, now=NOW)
    assert (progress.detail, progress.percent) == ("", 99)
    assert progress_of(with_job(run, total=0), now=NOW).percent is None


def test_a_job_waits_for_a_worker_after_ten_seconds() -> None:
    job = with_job(requested_run(answered_version()), sends=1).job
    found = [queued_texts(job, job.created_at + timedelta(seconds=seconds))[0] for seconds in (10, 10.5)]
    assert found == ["Queued. A worker starts it in a moment.", "Queued. No worker has started the job yet."]


def test_the_duration_is_that_of_a_run_of_the_same_size_for_as_many_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The newest run lists pairs: 40 s for 800 rows. Another lists triples: 10 s for 400 rows."""
    earlier = [(40.0, 800, 2), (10.0, 400, 3)]
    monkeypatch.setattr(progress_module, "_earlier_runs", lambda _survey: earlier)
    run = with_job(requested_run(answered_version()), state="running", started_at=NOW)

    def expected(size: int, seconds: float) -> str:
        run.parameters["max_size"] = size
        return progress_of(run, now=NOW + timedelta(seconds=seconds)).expected

    assert expected(3, 3) == "Running for 3 s. About 20 s, estimated from earlier runs."
    assert expected(2, 3) == expected(5, 3) == "Running for 3 s. About 40 s, estimated from earlier runs."
    # More than twice the time and five seconds.
    assert "About 40 s" in expected(2, 85)
    assert "longer than earlier runs" in expected(2, 85.5)
