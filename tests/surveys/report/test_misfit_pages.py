"""Every page of a run whose reports contradict its design says so, and shows no figures."""

import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.html import escape

from privacy.errors import PrivacyError
from surveys.accounts.permissions import Role
from surveys.errors.error import sentences
from surveys.models import Run, Survey, Verdict
from surveys.report.rule import waiting_rules
from surveys.runs.run_summary import misfit_of
from tests.fixtures.api_clients import program_of
from tests.fixtures.pages import open_page
from tests.fixtures.runs import alice, answered_version, mined_run
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import member
from tests.surveys.report.test_arm_words import run_of
from tests.surveys.report.test_results import text_of

pytestmark = pytest.mark.django_db

FIELDS = {
    "value": "late=yes", "count": "399", "n": "400", "least": "30", "most": "70", "p": "0.4", "fits": "0.995",
}  # fmt: skip
SAID = sentences(PrivacyError("misfit.share", **FIELDS))
QUEUE = "/en/staff/review/"


def planted(run: Run) -> None:
    """Mark a run as contradicting its design."""
    run.summary["misfit"] = {"case": "misfit.share", "fields": FIELDS}
    run.save()


def text_at(client: Client, address: str) -> str:
    return text_of(open_page(client, address))


def only_states_misfit(text: str) -> bool:
    """Return whether a page states the misfit once, at its end, and shows no interval before."""
    return text.count(SAID) == 1 and text.endswith(SAID) and not re.search(r"[\[(] ?[−-]?\.?\d", text)


@pytest.fixture
def run(client: Client) -> Run:
    client.force_login(alice())
    return mined_run(answered_version())


def test_rule_itemset_comparison_and_regression_pages_show_only_the_reason(client: Client, run: Run) -> None:
    rule = waiting_rules(Survey.objects.all())[0].rules[0]
    pages = [
        f"/en/staff/runs/{run.pk}/{page}"
        for page in (
            "", "?predicted=yes", "itemsets/", "tests/", f"rules/{rule}/", f"rules/{rule}/verdicts/",
            "compare/", "compare/?outcome=2&by=3", "regression/", "regression/?response=2&by=0", "practice/",
            "audit/",
        )
    ]  # fmt: skip
    assert [address for address in pages if SAID in text_at(client, address)] == []
    planted(run)
    assert [address for address in pages if not only_states_misfit(text_at(client, address))] == []
    verdict = client.post(pages[5], {"opinion": "accepted", "note": "", "seen": "0", "next": ""})
    assert (verdict.status_code, Verdict.objects.count()) == (422, 0)
    assert only_states_misfit(text_of(verdict.content.decode()))


def test_the_review_queue_lists_no_rules_and_explains_why(client: Client, run: Run) -> None:
    assert "wait for a verdict" in text_at(client, QUEUE)
    planted(run)
    assert [waiting.rules for waiting in waiting_rules(Survey.objects.all())] == [()]
    for address in (QUEUE, f"{QUEUE}?survey={run.survey.slug}"):
        page = text_at(client, address)
        assert f"{escape(run.survey.title_text)} {SAID}" in page
        assert "wait for a verdict" not in page
    run.summary["misfit"] = None
    run.save()
    assert "wait for a verdict" in text_at(client, QUEUE)


def test_number_and_place_pages_show_only_the_reason_and_files_are_refused(reader: Client) -> None:
    run, program = mined_run(scale_answered(400)), program_of(member("ana", Role.REVIEWER))
    here = f"/en/staff/runs/{run.pk}/"
    pages = [f"{here}{page}/" for page in ("numbers/hours", "places/care")]
    files = ("numbers/hours/figures.json", "numbers/hours/histogram.csv", "places/care/regions.csv")
    assert [address for address in pages if SAID in text_at(reader, address)] == []
    assert {program.get(here + name).status_code for name in files} == {200}
    planted(run)
    assert [address for address in pages if not only_states_misfit(text_at(reader, address))] == []
    assert {program.get(here + name).status_code for name in files} == {422}


def test_the_experiment_page_shows_only_the_reason(reader: Client) -> None:
    run = run_of(400)
    address = f"/en/staff/runs/{run.pk}/compare/?by=arms/told"
    assert re.search(
        r"the difference is between \d+\.\d points|is \d+\.\d points higher", text_at(reader, address)
    )
    planted(run)
    assert only_states_misfit(text_at(reader, address))


def test_results_and_print_show_the_same_sentence_only_for_misfits(client: Client, run: Run) -> None:
    assert misfit_of(run) is None
    planted(run)
    assert sentences(misfit_of(run) or PrivacyError("no_answers", 1)) == SAID
    for page in ("results", "report"):
        text = text_at(client, f"/en/staff/runs/{run.pk}/{page}/")
        assert text.count(SAID) == 1
        assert "You planned this before the first answer" not in text
        assert "Each bar shows" not in text


def test_files_are_refused_with_the_reason(client: Client, run: Run) -> None:
    ana = member("ana", Role.REVIEWER, Role.ROWS)
    client.force_login(ana)
    program = program_of(ana)
    at = f"/en/staff/runs/{run.pk}/"
    files = ["rules.csv", "rules.json", "itemsets.csv", "rows.zip", "weights.csv?margins=age:young=.4,old=.6"]
    files += [f"compare/comparison.{ending}?outcome=cheat&by=late" for ending in ("csv", "json")]
    assert [name for name in files if program.get(at + name).status_code != 200] == []
    planted(run)
    for name in files:
        refused = program.get(at + name)
        assert (refused.status_code, refused.json()["code"]) == (422, "misfit"), name
        assert "reports contradict the design: 399 of 400 rows" in refused.json()["detail"]
        shown = client.get(at + name)
        assert (shown.status_code, "399 of 400 rows" in shown.content.decode()) == (422, True)


def test_misfit_runs_export_rows_but_explain_the_missing_zip(client: Client, run: Run) -> None:
    planted(run)
    client.force_login(member("ana", Role.REVIEWER, Role.ROWS))
    path = f"/en/staff/surveys/{run.survey.slug}/export-data/"
    refused = client.post(path, {"run": run.pk, "kind": "zip"})
    assert refused.status_code == 422
    assert SAID in text_of(refused.content.decode())
    assert client.post(path, {"run": run.pk, "kind": "sav"}, follow=True).status_code == 200


def test_the_command_prints_only_the_reason(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(
        "surveys.runs.mining_job._misfit", lambda *_: {"case": "misfit.share", "fields": FIELDS}
    )
    for options in ([], ["--json"]):
        out, command = io.StringIO(), ["mine", run.survey.slug, "--inline", "--max-size", "1", *options]
        with pytest.raises(CommandError) as refusal:
            call_command(*command, stdout=out, stderr=io.StringIO())
        assert str(refusal.value) == SAID
        assert out.getvalue() == ""


def test_the_paper_text_makes_no_claims_for_a_misfit(client: Client, run: Run) -> None:
    address = f"/en/staff/runs/{run.pk}/paper/"
    assert "statistically significant" in text_at(client, address)
    planted(run)
    text = text_at(client, address)
    assert SAID in text
    assert "statistically significant" not in text
    assert "The estimated shares" not in text
