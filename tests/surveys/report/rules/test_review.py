"""The review queue: next rule after each verdict, empty state, changing verdicts, reviewers only."""

import re

import pytest
from django.test import Client
from django.utils.html import escape

from mining.thresholds import Thresholds
from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.report.rules.rule_text import rule_text
from surveys.report.rules.verdicts import history_of
from surveys.runs.comparisons import others_of
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.waiting_rules import waiting_in

pytestmark = pytest.mark.django_db
QUEUE = "/en/staff/review/"


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version(2_000, n_direct=300), Thresholds(support=0.05, max_size=3))


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
