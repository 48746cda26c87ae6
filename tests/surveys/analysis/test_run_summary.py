import pytest
from django.core.management import get_commands, load_command_class
from django.utils import timezone

from mining.thresholds import Sides, Thresholds
from surveys.analysis.run_summary import RunPage, run_page
from surveys.jobs import lease
from surveys.models import Job, Run
from tests.cast.runs import answered, asked, mined, truth_of

NOW = timezone.now()


def with_job(run: Run, **changes: object) -> Run:
    Job.objects.filter(pk=run.job_id).update(**changes)
    return Run.objects.select_related("survey", "version", "job").get(pk=run.pk)


def page(run: Run) -> RunPage:
    return run_page(run, run.version.to_design())


@pytest.mark.soak
@pytest.mark.django_db
def test_a_page_of_a_closed_survey_shows_exact_counts() -> None:
    shown = page(mined(answered(813, n_direct=163)))
    assert (shown.n, shown.n_direct, shown.n_protected, shown.direct_share) == ("813", "163", "650", ".200")


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
    run = with_job(asked(answered()), state="failed", message=lease.FAULT)
    assert page(run).message == lease.FAULT
