from datetime import timedelta

import pytest
from django.core.management import get_commands, load_command_class
from django.utils import timezone

from mining.thresholds import Sides, Thresholds
from surveys import jobs
from surveys.models import Job, Run
from surveys.report.outcome import RunPage, progress_of, run_page
from tests.surveys.report.cast import answered, asked, mined, still_open, truth_of

NOW = timezone.now()


def with_job(run: Run, **changes: object) -> Run:
    Job.objects.filter(pk=run.job_id).update(**changes)
    return Run.objects.select_related("survey", "version", "job").get(pk=run.pk)


def page(run: Run) -> RunPage:
    return run_page(run, run.version.to_design())


@pytest.mark.django_db
def test_a_run_that_the_broker_never_took_says_so_and_that_nothing_is_lost() -> None:
    progress = progress_of(asked(answered()), now=NOW)
    assert progress.headline == "Queued. The broker has not taken the job yet."
    assert "Nothing is lost" in progress.detail


@pytest.mark.django_db
def test_a_run_that_no_worker_takes_says_so_after_a_while() -> None:
    run = with_job(asked(answered()), sends=1)
    soon = progress_of(run, now=run.job.created_at + timedelta(seconds=2))
    late = progress_of(run, now=run.job.created_at + timedelta(seconds=30))
    assert soon.headline == "Queued. A worker takes it in a moment."
    assert late.headline == "Queued. No worker has taken the job yet."


@pytest.mark.django_db
def test_a_running_job_says_what_it_does_how_far_it_is_and_how_long_it_will_take() -> None:
    version = answered()
    first = asked(version)
    started = timezone.now()
    state = {
        "state": "running",
        "stage": "rules",
        "done": 1,
        "total": 4,
        "attempts": 1,
        "started_at": started,
    }
    running = with_job(first, **state)
    progress = progress_of(running, now=started + timedelta(seconds=3))
    assert (progress.headline, progress.percent) == ("Listing rules and their measures", 25)
    assert progress.expected.startswith("Running for 3 s. It is the first run on this survey")
    done = mined(version)
    Run.objects.filter(pk=done.pk).update(duration_seconds=40.0)
    progress = progress_of(running, now=started + timedelta(seconds=3))
    assert progress.expected == "Running for 3 s. The last run on this survey suggests about 40 s."


@pytest.mark.django_db
def test_a_second_attempt_says_that_an_earlier_worker_was_lost() -> None:
    run = with_job(asked(answered()), state="running", attempts=2, started_at=NOW)
    assert progress_of(run, now=NOW).detail == "Attempt 2: an earlier worker was lost, nothing else was."


@pytest.mark.django_db
def test_every_stage_that_mining_reports_has_words() -> None:
    run = with_job(asked(answered()), state="running", started_at=NOW)
    for stage in ("loading", "candidates", "counting", "intervals", "rules", "truth", "storing"):
        run.job.stage = stage
        assert progress_of(run, now=NOW).headline != stage


@pytest.mark.django_db
def test_a_page_of_a_closed_survey_shows_exact_counts() -> None:
    shown = page(mined(answered(813, n_direct=163)))
    assert (shown.n, shown.n_direct, shown.n_protected, shown.direct_share) == ("813", "163", "650", ".200")


@pytest.mark.django_db
def test_a_page_of_an_open_survey_rounds_to_tens() -> None:
    shown = page(mined(still_open(613, n_direct=163)))
    assert (shown.n, shown.n_direct, shown.n_protected) == ("≈ 610", "≈ 160", "≈ 450")
    assert shown.direct_share == ".27"


@pytest.mark.django_db
def test_a_small_direct_group_leaves_no_trace_on_the_page() -> None:
    shown = page(mined(answered(413, n_direct=13)))
    assert (shown.n_direct, shown.n_protected, shown.direct_share) == ("", "", "")
    assert shown.shown.groups is False


@pytest.mark.django_db
def test_the_command_line_asks_for_the_very_same_run() -> None:
    version = answered()
    thresholds = Thresholds(
        support=0.03,
        confidence=0.1,
        lift=1.2,
        max_size=2,
        estimator="pooled",
        policy="estimate",
        target="respondents",
        sides=Sides(antecedent=(0, 1, 2), consequent=(3, 4), longest_consequent=1),
    )
    run = mined(version, thresholds)
    program, name, *arguments = page(run).command.split()
    assert (program, name) == ("manage.py", "mine")
    command = load_command_class(get_commands()["mine"], "mine")
    options = vars(command.create_parser(program, name).parse_args(arguments))
    from surveys.management.commands.mine import thresholds_of, version_of

    assert version_of(options["survey"], options["design"]) == version
    assert thresholds_of(version.to_design(), options) == thresholds
    assert options["last_batch"] == run.last_batch


@pytest.mark.django_db
def test_the_truth_is_told_where_it_is_known() -> None:
    version = answered()
    assert page(mined(version)).truth is None
    truth_of(version, 800)
    known = page(mined(version, Thresholds(support=0.1, target="respondents"))).truth
    assert known is not None
    assert known.target == "these respondents"
    assert known.coverage.endswith(" %")
    assert known.itemsets >= known.listed > 0


@pytest.mark.django_db
def test_a_failed_run_says_why_in_the_readers_language() -> None:
    run = with_job(asked(answered()), state="failed", message=jobs.FAULT)
    assert page(run).message == jobs.FAULT
