"""The queue of rules that wait for a verdict."""

import re

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from surveys.accounts.roles import Role
from surveys.models import RuleInference, RuleRow, Run, Survey
from surveys.report.rules.waiting_rules import waiting_rules
from tests.fixtures.runs import alice, answered_version, mined_run
from tests.fixtures.staff import member
from tests.fixtures.waiting_rules import waiting_in
from tests.surveys.report.rules.test_verdicts import give

pytestmark = pytest.mark.django_db


QUEUE = "/en/staff/review/"


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version(2_000, n_direct=300), Thresholds(support=0.05, max_size=3))


def itemset(row: RuleRow) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", row.antecedent + row.consequent))


@pytest.mark.soak
def test_the_queue_lists_each_significant_itemset_once(run: Run) -> None:
    rows = waiting_in(run)
    assert len(rows) > 1
    assert len({itemset(row) for row in rows}) == len(rows)
    tests = RuleInference.objects.filter(rule__in=rows)
    assert {(test.passes, test.redundant_by) for test in tests} == {(True, "")}
    p_values = [row.inference.p_adjusted for row in rows]
    assert p_values == sorted(p_values)


@pytest.mark.soak
def test_a_verdict_on_either_direction_dequeues_the_itemset(run: Run) -> None:
    first, *others = waiting_in(run)
    reverse = run.rules.get(antecedent=first.consequent, consequent=first.antecedent)
    give(reverse, "reviewed", alice())
    assert [row.pk for row in waiting_in(run)] == [row.pk for row in others]


@pytest.mark.soak
def test_only_the_newest_run_is_queued_and_practice_runs_never_are(run: Run) -> None:
    newer = mined_run(run.version, Thresholds(support=0.1, max_size=2))
    assert [each.run for each in waiting_rules(Survey.objects.all())] == [newer]
    mined_run(answered_version(400, slug="trial", practice=True), Thresholds(support=0.05))
    assert [each.run for each in waiting_rules(Survey.objects.all())] == [newer]


@pytest.mark.soak
def test_the_start_page_shows_reviewers_the_number_of_waiting_rules(reader: Client, run: Run) -> None:
    text = reader.get("/en/staff/").content.decode()
    assert f"{len(waiting_in(run))} rules wait for your verdict" in text
    assert f'href="{QUEUE}">Start reviewing</a>' in text
    for row in waiting_in(run):
        give(row, "accepted", alice())
    text = reader.get("/en/staff/").content.decode()
    assert "No rules to review" in text
    assert QUEUE not in text


@pytest.mark.soak
def test_only_reviewers_and_administrators_see_the_queue(client: Client, run: Run) -> None:
    assert client.get(QUEUE).status_code == 302
    rachel = member("rachel", Role.RESEARCHER)
    Survey.objects.update(owner=rachel)
    client.force_login(rachel)
    assert client.get(QUEUE).status_code == 403
    assert QUEUE not in client.get("/en/staff/").content.decode()
    address = f"/en/staff/runs/{run.pk}/rules/{waiting_in(run)[0].pk}/verdicts/"
    assert client.post(address, {"opinion": "accepted"}).status_code == 403
    page = client.get(address).content.decode()
    assert "Only reviewers give verdicts." in page
    assert "<textarea" not in page
    client.force_login(member("ada", Role.ADMINISTRATOR))
    assert client.get(QUEUE).status_code == 200
