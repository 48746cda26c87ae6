"""Verdicts: who may give them, that none is lost, and that the page shows who gave which."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, RuleRow, Run, Verdict
from surveys.report.rules.verdicts import (
    WITHOUT_VERDICT,
    history_of,
    newest_verdicts,
    opinions_of,
    verdict_give,
    with_verdict,
)
from tests.fixtures.runs import alice, answered_version, mined_run, requested_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def give(rule: RuleRow, opinion: str, by: User, note: str = "Seen before.", seen: int | None = None) -> None:
    verdict_give(rule=rule, opinion=opinion, note=note, by=by, now=timezone.now(), seen=seen)


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version())


def address(rule: RuleRow) -> str:
    return f"/en/staff/runs/{rule.run_id}/rules/{rule.pk}/verdicts/"


@pytest.mark.soak
def test_the_newest_verdict_counts_and_earlier_ones_are_kept(run: Run) -> None:
    first, second = run.rules.order_by("pk")[:2]
    bob = member("bob", Role.REVIEWER)
    give(first, "accepted", alice())
    give(second, "reviewed", alice())
    give(first, "rejected", bob, note="The cell is too small.")
    assert [(line.opinion, line.by) for line in history_of(first)] == [
        ("rejected", "bob"),
        ("accepted", "alice"),
    ]
    newest = newest_verdicts([rule.pk for rule in run.rules.all()])
    assert {pk: line.opinion for pk, line in newest.items()} == {first.pk: "rejected", second.pk: "reviewed"}
    assert opinions_of(run) == {"reviewed": 1, "accepted": 0, "rejected": 1}
    assert list(with_verdict(run.rules.all(), "rejected")) == [first]
    assert list(with_verdict(run.rules.all(), "accepted")) == []
    assert with_verdict(run.rules.all(), WITHOUT_VERDICT).count() == run.rules.count() - 2


def test_a_verdict_is_logged_and_the_database_rejects_its_change_and_deletion(run: Run) -> None:
    rule = run.rules.earliest("pk")
    give(rule, "accepted", alice())
    event = AuditEvent.objects.get(action="verdict_give")
    assert event.target == f"habits run {run.pk} rule {rule.pk}"
    assert event.detail == {"opinion": "accepted", "verdict": Verdict.objects.get().pk}
    for change in ({"opinion": "rejected"}, {"note": "x"}, {"by": "bob"}):
        with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
            Verdict.objects.update(**change)
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM surveys_verdict")
    assert Verdict.objects.get().opinion == "accepted"


@pytest.mark.parametrize(
    ("opinion", "note", "code"),
    [("splendid", "", "opinion"), ("rejected", " ", "reason"), ("accepted", "x" * 2_001, "note_length")],
)
def test_an_invalid_verdict_is_refused(run: Run, opinion: str, note: str, code: str) -> None:
    with pytest.raises(SurveyError) as refusal:
        give(run.rules.earliest("pk"), opinion, alice(), note=note)
    assert refusal.value.code == code
    assert refusal.value.remedy
    assert not Verdict.objects.exists()


def test_concurrent_verdicts_are_both_kept_with_a_notice(reader: Client, run: Run) -> None:
    rule = run.rules.earliest("pk")
    seen = re.search(r'name="seen" value="(\d+)"', reader.get(address(rule)).content.decode())
    assert seen is not None
    give(rule, "rejected", member("bob", Role.REVIEWER), note="Known <b>already</b>.")
    answer = {"opinion": "accepted", "note": "Strong.", "seen": seen[1]}
    page, again = (reader.post(address(rule), answer, follow=True).content.decode() for _time in range(2))
    assert "bob gave a verdict at the same time: rejected." in page
    assert "alice gave a verdict at the same time" not in again
    assert "Known &lt;b&gt;already&lt;/b&gt;." in page
    assert page.index("<strong>alice</strong>") < page.index("<strong>bob</strong>")
    assert page.count("newest, so it counts") == 1
    assert Verdict.objects.count() == 3


def test_redirects_after_a_verdict_never_leave_the_site(reader: Client, run: Run) -> None:
    rule = run.rules.earliest("pk")
    back = f"/en/staff/runs/{run.pk}/?item=1"
    assert reader.post(address(rule), {"opinion": "accepted", "next": back}).headers["Location"] == back
    for elsewhere in ("https://elsewhere.example/", "//elsewhere.example/", "no path"):
        answer = reader.post(address(rule), {"opinion": "accepted", "next": elsewhere})
        assert answer.headers["Location"] == address(rule)


def test_rules_of_an_unfinished_run_cannot_be_judged(reader: Client) -> None:
    version = answered_version()
    done, waiting = mined_run(version), requested_run(version)
    rule = done.rules.earliest("pk")
    assert reader.post(address(rule).replace(str(done.pk), str(waiting.pk), 1)).status_code == 404
    # A rule has no address under another run.
    other = mined_run(version)
    assert reader.post(address(rule).replace(str(done.pk), str(other.pk), 1)).status_code == 404
