"""The review queue: next rule after each verdict, empty state, changing verdicts, reviewers only."""

import re

import pytest
from django.test import Client
from django.utils.html import escape

from mining.thresholds import Thresholds
from surveys.accounts.roles import Role
from surveys.models import RuleInference, RuleRow, Run, Survey
from surveys.questionnaire.labels import labels_of
from surveys.report.rules.rule_rows import rules_by_key
from surveys.report.rules.rule_text import rule_text
from surveys.report.rules.verdicts import history_of
from surveys.report.rules.waiting_rules import waiting_rules
from surveys.runs.comparisons import others_of
from tests.fixtures.runs import alice, answered_version, mined_run
from tests.fixtures.staff import member
from tests.surveys.report.rules.test_verdicts import give

pytestmark = pytest.mark.django_db
QUEUE = "/en/staff/review/"


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version(2_000, n_direct=300), Thresholds(support=0.05, max_size=3))


def waiting_in(run: Run) -> list[RuleRow]:
    (waiting,) = [each for each in waiting_rules(Survey.objects.all()) if each.run == run]
    return rules_by_key(run, waiting.rules)


def itemset(row: RuleRow) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", row.antecedent + row.consequent))


def test_the_queue_lists_each_significant_itemset_once(run: Run) -> None:
    rows = waiting_in(run)
    assert len(rows) > 1
    assert len({itemset(row) for row in rows}) == len(rows)
    tests = RuleInference.objects.filter(rule__in=rows)
    assert {(test.passes, test.redundant_by) for test in tests} == {(True, "")}
    p_values = [row.inference.p_adjusted for row in rows]
    assert p_values == sorted(p_values)


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


def test_each_verdict_opens_the_next_rule_until_the_queue_is_empty(reader: Client, run: Run) -> None:
    rows = waiting_in(run)
    labels = labels_of(run.version, run.design)
    page = reader.get(QUEUE)
    for left, row in zip(range(len(rows), 0, -1), rows, strict=True):
        text = page.content.decode()
        assert f"{left} rule{'s' if left > 1 else ''} wait{'' if left > 1 else 's'} for a verdict" in text
        assert escape(rule_text(row, labels, others_of(run, row)).sentence) in text
        assert text.count('class="share-said"') == 2
        address = re.search(r'action="([^"]+/verdicts/)"', text)
        assert address is not None
        assert f"/rules/{row.pk}/" in address[1]
        answer = {"opinion": "accepted", "note": "Plausible.", "seen": "0", "next": QUEUE}
        page = reader.post(address[1], answer, follow=True)
        assert page.redirect_chain == [(QUEUE, 302)]
        assert "Saved: accepted." in page.content.decode()
    text = page.content.decode()
    assert "<h1>No rules to review</h1>" in text
    assert [history_of(row)[0].note for row in rows] == ["Plausible."] * len(rows)
    # The last verdicts can be changed.
    back = re.findall(r'href="([^"]+/verdicts/)">Change<', text)
    assert back[0] == f"/en/staff/runs/{run.pk}/rules/{rows[-1].pk}/verdicts/"
    changed = reader.post(back[0], {"opinion": "rejected", "note": "Known."}, follow=True).content.decode()
    assert "Saved: rejected." in changed
    assert [line.opinion for line in history_of(rows[-1])] == ["rejected", "accepted"]


def test_a_rejection_without_a_reason_is_refused_and_keeps_the_queue(reader: Client, run: Run) -> None:
    row = waiting_in(run)[0]
    address = f"/en/staff/runs/{run.pk}/rules/{row.pk}/verdicts/"
    refused = reader.post(address, {"opinion": "rejected", "note": "", "seen": "0", "next": QUEUE})
    assert refused.status_code == 422
    assert "Write why you reject the rule." in refused.content.decode()
    assert f'name="next" value="{QUEUE}"' in refused.content.decode()
    assert "Choose a verdict." in reader.post(address, {"note": "x"}).content.decode()
    assert not history_of(row)
    # The queue can be limited to one survey.
    assert "No rules to review" in reader.get(f"{QUEUE}?survey=other").content.decode()
    text = reader.get(f"{QUEUE}?survey=habits").content.decode()
    assert f'name="next" value="{QUEUE}?survey=habits"' in text


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
