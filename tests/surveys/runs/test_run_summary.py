import pytest
from django.test import Client
from django.utils.html import escape

from mining.thresholds import Sides, Thresholds
from surveys.jobs import lease
from surveys.models import Job, Run
from surveys.runs.run_summary import direct_share
from tests.fixtures.runs import alice, answered, asked, mined, truth_of

pytestmark = pytest.mark.django_db


def with_job(run: Run, **changes: object) -> Run:
    Job.objects.filter(pk=run.job_id).update(**changes)
    return Run.objects.select_related("survey", "version", "job").get(pk=run.pk)


def test_a_run_of_a_closed_survey_has_exact_counts() -> None:
    run = mined(answered(813, n_direct=163))
    assert (run.n, run.n_direct, run.n_protected, direct_share(run)) == (813, 163, 650, ".200")


def test_pages_name_the_sides_of_rules(client: Client) -> None:
    one_item = Thresholds(support=0.1, sides=Sides(longest_consequent=1))
    run = mined(answered(), one_item)
    client.force_login(alice())
    for page in ("about", "report"):
        text = client.get(f"/en/staff/runs/{run.pk}/{page}/").content.decode()
        assert "at most 1 after the arrow" in text


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


def test_a_failed_run_says_why_in_the_readers_language(client: Client) -> None:
    run = with_job(asked(answered()), state="failed", message=lease.FAULT)
    client.force_login(alice())
    assert escape(lease.FAULT) in client.get(f"/en/staff/runs/{run.pk}/").content.decode()
