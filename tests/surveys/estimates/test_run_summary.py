import pytest
from django.core.management import get_commands, load_command_class
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from mining.thresholds import Sides, Thresholds
from surveys.estimates.run_summary import command_line, direct_share
from surveys.jobs import lease
from surveys.models import Job, Run
from tests.fixtures.runs import alice, answered, asked, mined, truth_of

NOW = timezone.now()


def with_job(run: Run, **changes: object) -> Run:
    Job.objects.filter(pk=run.job_id).update(**changes)
    return Run.objects.select_related("survey", "version", "job").get(pk=run.pk)


@pytest.mark.soak
@pytest.mark.django_db
def test_a_run_of_a_closed_survey_has_exact_counts() -> None:
    run = mined(answered(813, n_direct=163))
    assert (run.n, run.n_direct, run.n_protected, direct_share(run)) == (813, 163, 650, ".200")


@pytest.mark.django_db
def test_the_command_line_asks_for_the_very_same_run() -> None:
    version = answered()
    thresholds = Thresholds(
        support=0.03,
        confidence=0.1,
        lift=1.2,
        max_size=2,
        sides=Sides(antecedent=(0, 1, 2), consequent=(3, 4)),
    )
    run = mined(version, thresholds)
    program, name, *arguments = command_line(run).split()
    assert (program, name) == ("manage.py", "mine")
    command = load_command_class(get_commands()["mine"], "mine")
    options = vars(command.create_parser(program, name).parse_args(arguments))
    from surveys.management.commands.mine import thresholds_of
    from surveys.management.versions import version_of

    assert version_of(options["survey"], options["design"]) == version
    assert thresholds_of(version, options) == thresholds
    assert options["last_batch"] == run.last_batch


@pytest.mark.django_db
def test_a_run_that_no_command_asks_for_names_none(client: Client) -> None:
    one_item = Thresholds(support=0.1, sides=Sides(longest_consequent=1))
    run = mined(answered(), one_item)
    assert command_line(run) == ""
    client.force_login(alice())
    for page in ("about", "report"):
        text = client.get(f"/en/staff/runs/{run.pk}/{page}/").content.decode()
        assert "manage.py mine" not in text
        assert "at most 1 after the arrow" in text


@pytest.mark.django_db
def test_the_truth_is_told_where_it_is_known(client: Client) -> None:
    version = answered()
    client.force_login(alice())
    assert b"Here the truth is known" not in client.get(f"/en/staff/runs/{mined(version).pk}/").content
    truth_of(version, 800)
    run = mined(version, Thresholds(support=0.1))
    known = run.summary["truth"]
    assert known["itemsets"] >= known["listed"] > 0
    page = " ".join(client.get(f"/en/staff/runs/{run.pk}/").content.decode().split())
    assert f"<dd>{100 * known['coverage']:.1f}% <span" in page


@pytest.mark.django_db
def test_a_failed_run_says_why_in_the_readers_language(client: Client) -> None:
    run = with_job(asked(answered()), state="failed", message=lease.FAULT)
    client.force_login(alice())
    assert escape(lease.FAULT) in client.get(f"/en/staff/runs/{run.pk}/").content.decode()
