"""A submission is stored once and completely, and leaves no other trace."""

import random
import re
import secrets
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.intake import receive as receive_module
from surveys.intake.limits import Limit, Limiter
from surveys.intake.mix import mix
from surveys.intake.receive import SubmissionResult, receipts_count, submission_receive
from surveys.intake.store import StoreResult
from surveys.models import AuditEvent, Inbox, Receipt, Survey, Version
from tests.fixtures.devices import published, request_of, sealed_body, shipped_definition, survey_of
from tests.fixtures.inbox_rows import waiting_rows
from tests.fixtures.traces import statements

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=timezone.get_default_timezone())


def receive(raw: bytes, *, now: datetime = NOW, limiter: Limiter | None = None) -> SubmissionResult:
    outcome = submission_receive(raw, now=now, limiter=limiter)
    if outcome.status != 200:
        assert set(outcome.answer) == {"error", "message", "remedy"}
        assert all(outcome.answer.values())
    return outcome


def stored() -> tuple[int, int]:
    return Receipt.objects.count(), Inbox.objects.count()


def test_a_body_becomes_an_unlinkable_receipt_and_row(version: Version) -> None:
    body, key = sealed_body(version.to_design(), random.Random(1)), secrets.token_hex(16)
    outcome = receive(request_of(version, body=body.hex(), key=key))
    assert (outcome.status, outcome.answer) == (200, {"status": "received"})
    receipt, row = Receipt.objects.get(), Inbox.objects.get()
    assert bytes(receipt.key).hex() == key
    assert (waiting_rows(), row.version_id) == ([body], version.pk)
    assert len(bytes(row.key)) == 16
    assert bytes(row.key) not in (bytes(receipt.key), bytes(receipt.digest or b"")[:16])
    assert [field.name for field in Receipt._meta.fields] == ["pk", "survey", "key", "digest", "fresh"]
    assert [field.name for field in Inbox._meta.fields] == ["key", "version", "sealed_under", "box"]


def test_repeating_a_submission_returns_the_same_200_and_adds_no_row(version: Version) -> None:
    raw = request_of(version)
    assert [receive(raw) for _ in range(5)] == [receive(raw)] * 5
    assert stored() == (1, 1)


def test_repeating_a_submission_after_mixing_and_closing_returns_the_same_200(version: Version) -> None:
    raw = request_of(version)
    first = receive(raw)
    survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert Inbox.objects.count() == 0
    assert receive(raw, now=NOW + timedelta(days=9)) == first
    assert stored() == (1, 0)


@pytest.mark.parametrize("changed", ["body", "nonce"])
def test_a_different_body_under_the_same_key_gets_409_and_is_not_stored(
    version: Version, changed: str
) -> None:
    rng = random.Random(2)
    key, nonce = secrets.token_hex(16), secrets.token_hex(32)
    first, second = (sealed_body(version.to_design(), rng).hex() for _ in range(2))
    assert first != second
    receive(request_of(version, key=key, nonce=nonce, body=first))
    other = {"body": second, "nonce": nonce} if changed == "body" else {"body": first, "nonce": "ab" * 32}
    outcome = receive(request_of(version, key=key, **other))
    assert (outcome.status, outcome.answer["error"]) == (409, "other_body")
    assert stored() == (1, 1)
    assert waiting_rows() == [bytes.fromhex(first)]


def test_the_same_key_in_two_surveys_makes_two_submissions(version: Version) -> None:
    other = published(shipped_definition(slug="other"))
    key = secrets.token_hex(16)
    assert receive(request_of(version, key=key)).status == 200
    assert receive(request_of(other, key=key)).status == 200
    assert stored() == (2, 2)


def test_unknown_surveys_drafts_and_unknown_designs_get_422(version: Version) -> None:
    survey_import(shipped_definition(slug="draft"), by="alice")
    for changes, code in (
        ({"survey": "nowhere"}, "unknown_survey"),
        ({"survey": "draft"}, "unknown_survey"),
        ({"design_id": "0" * 64}, "unknown_design"),
    ):
        outcome = receive(request_of(version, **changes))
        assert (outcome.status, outcome.answer["error"]) == (422, code)
    assert stored() == (0, 0)


def test_a_design_of_another_survey_is_rejected_as_unknown(version: Version) -> None:
    other = published(shipped_definition("marriage", slug="other"))
    outcome = receive(request_of(other, survey="work"))
    assert (outcome.status, outcome.answer["error"]) == (422, "unknown_design")
    assert stored() == (0, 0)


def test_a_body_impossible_under_the_design_gets_422_and_is_not_stored(version: Version) -> None:
    for body in ("00", "ff" * 3, "00" * 4):
        outcome = receive(request_of(version, body=body))
        assert (outcome.status, outcome.answer["error"]) == (422, "impossible_body")
    assert stored() == (0, 0)


def test_older_versions_are_accepted_while_the_survey_is_open(version: Version) -> None:
    definition = shipped_definition(slug="work")
    definition["blocks"][1]["truth_probability"] = 4000
    newer = survey_publish(survey_import(definition, by="alice"), by="alice", now=NOW, is_readable_seen=True)
    assert newer.design_id != version.design_id
    assert receive(request_of(version)).status == 200
    assert receive(request_of(newer)).status == 200
    assert sorted(Inbox.objects.values_list("version_id", flat=True)) == [version.pk, newer.pk]


def test_versions_that_differ_only_in_wording_share_one_inbox_design(version: Version) -> None:
    definition = shipped_definition(slug="work")
    definition["title"]["en"] = "Speaking up, better said"
    newer = survey_publish(survey_import(definition, by="alice"), by="alice", now=NOW, is_readable_seen=True)
    assert (newer.design_id, newer.number) == (version.design_id, 2)
    receive(request_of(newer))
    assert Inbox.objects.get().version_id == version.pk


def test_sealed_submissions_are_accepted_for_48_hours_after_closing(version: Version) -> None:
    survey_close(survey_of(version), by="alice", now=NOW)
    end = NOW + timedelta(hours=48)
    assert receive(request_of(version), now=end - timedelta(microseconds=1)).status == 200
    for late in (end, end + timedelta(days=1)):
        outcome = receive(request_of(version), now=late)
        assert (outcome.status, outcome.answer["error"]) == (410, "closed")
    assert stored() == (1, 1)


def test_closing_immediately_refuses_further_answers(version: Version) -> None:
    survey_close(survey_of(version), by="alice", now=NOW, at_once=True)
    assert receive(request_of(version), now=NOW).status == 410
    assert stored() == (0, 0)


def test_practice_surveys_close_without_grace_time() -> None:
    version = published(shipped_definition(slug="try", practice=True))
    survey_close(survey_of(version), by="alice", now=NOW)
    assert receive(request_of(version), now=NOW).status == 410


def test_late_submissions_are_refused_once_the_last_batch_is_made(version: Version) -> None:
    survey_close(survey_of(version), by="alice", now=NOW)
    mix(now=NOW + timedelta(hours=48))
    assert survey_of(version).settled
    # This request's time is within the period, because it waited for the database.
    assert receive(request_of(version), now=NOW + timedelta(hours=47)).status == 410
    assert stored() == (0, 0)


def test_rate_limited_requests_get_429_with_a_retry_time(version: Version) -> None:
    limiter = Limiter(limit=Limit(per_second=0.5, burst=2, cap=100), count_receipts=receipts_count)
    first = request_of(version)
    outcomes = [receive(raw, limiter=limiter) for raw in (first, request_of(version), request_of(version))]
    assert [outcome.status for outcome in outcomes] == [200, 200, 429]
    assert (outcomes[2].answer["error"], outcomes[2].retry_after) == ("too_many", 3)
    # The server still confirms stored submissions, and does not count them again.
    assert receive(first, limiter=limiter).status == 200
    assert receive(request_of(version), now=NOW + timedelta(seconds=2), limiter=limiter).status == 200
    assert stored() == (3, 3)


def test_a_full_survey_gets_429_and_stays_full(version: Version) -> None:
    limiter = Limiter(limit=Limit(per_second=1000, burst=1000, cap=12), count_receipts=receipts_count)
    outcomes = [receive(request_of(version), limiter=limiter) for _ in range(20)]
    assert [outcome.status for outcome in outcomes] == [200] * 12 + [429] * 8
    assert outcomes[12].answer["error"] == "full"
    assert outcomes[12].retry_after == 3600
    assert stored() == (12, 12)


def test_receiving_writes_only_the_receipt_and_the_row(
    version: Version, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    events = AuditEvent.objects.count()
    receive(request_of(version))
    with caplog.at_level(0), statements() as said:
        assert receive(request_of(version)).status == 200
        assert receive(request_of(version, design_id="0" * 64)).status == 422
    sent = " ".join(statement for statement, _ in said)
    written = re.findall(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\S+)", sent)
    assert written == ["surveys_receipt", "surveys_inbox"]
    assert AuditEvent.objects.count() == events
    assert [record.name for record in caplog.records if record.name != "django.db.backends"] == []
    assert capfd.readouterr() == ("", "")


# Statements with which another program locks the database, and that make ours wait only briefly.
TAKE = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "BEGIN; LOCK TABLE surveys_receipt"}
WAIT_BRIEFLY = {"sqlite": "PRAGMA busy_timeout = 1", "postgresql": "SET lock_timeout = '1ms'"}


@pytest.mark.django_db(transaction=True)
def test_a_busy_database_gives_503_with_a_retry_time(version: Version) -> None:
    raw = request_of(version)
    other = connection.copy()
    with connection.cursor() as ours, other.cursor() as theirs:
        ours.execute(WAIT_BRIEFLY[connection.vendor])
        theirs.execute(TAKE[connection.vendor])
        outcome = receive(raw)
        theirs.execute("ROLLBACK")
    other.close()
    assert (outcome.status, outcome.answer["error"], outcome.retry_after) == (503, "busy", 5)
    assert stored() == (0, 0)
    assert receive(raw).status == 200
    assert stored() == (1, 1)
    connection.close()


def test_receipts_are_counted_only_up_to_the_requested_limit(version: Version) -> None:
    for _ in range(3):
        receive(request_of(version))
    Receipt.objects.create(survey=version.survey, key=b"unspent invitation", digest=None)
    survey = Survey.objects.get()
    assert [receipts_count(survey.pk, most) for most in (1, 3, 10)] == [1, 3, 3]


Found = receive_module._Receipt


def tried(
    outcome: StoreResult,
    receipt: object,
    monkeypatch: pytest.MonkeyPatch,
    *,
    invited: bool = False,
    last: bool = True,
) -> bool:
    """Return whether a submission counts as stored, for an outcome and the receipt found afterwards."""
    monkeypatch.setattr(receive_module, "_seal_and_store", lambda *_given: outcome)
    monkeypatch.setattr(receive_module, "_receipt_of", lambda *_given: receipt)
    submission: Any = SimpleNamespace(survey="work", invited=invited)
    target: Any = SimpleNamespace(survey_id=1)
    return receive_module._store_or_refuse(submission, target, NOW, None, last=last)


def test_a_changed_survey_is_looked_up_again_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not tried(StoreResult.CHANGED, Found.MISSING, monkeypatch, last=False)
    with pytest.raises(SurveyError) as refused:
        tried(StoreResult.CHANGED, Found.MISSING, monkeypatch)
    assert (refused.value.status, refused.value.case) == (410, "closed.submission")
    assert tried(StoreResult.NEW, Found.MISSING, monkeypatch, last=False)


@pytest.mark.parametrize("outcome", [one for one in StoreResult if one is not StoreResult.NEW])
def test_bytes_that_were_stored_before_are_received_whatever_happens_now(
    outcome: StoreResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tried(outcome, Found.SAME, monkeypatch)
    assert tried(outcome, Found.SAME, monkeypatch, invited=True)
    with pytest.raises(SurveyError) as refused:
        tried(outcome, Found.OTHER, monkeypatch)
    assert refused.value.case == "other_body"


@pytest.mark.parametrize(
    ("outcome", "receipt", "case"),
    [
        (StoreResult.NOT_OPENED, Found.EMPTY, "no_key"),
        (StoreResult.TOO_LATE, Found.EMPTY, "closed.submission"),
        (StoreResult.KNOWN_KEY, Found.OTHER, "invitation_refused"),
        (StoreResult.KNOWN_KEY, Found.MISSING, "invitation_refused"),
    ],
)
def test_an_invitation_is_refused_without_saying_whether_it_was_used(
    outcome: StoreResult, receipt: object, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SurveyError) as refused:
        tried(outcome, receipt, monkeypatch, invited=True)
    assert refused.value.case == case


@pytest.mark.parametrize(("receipt", "invited"), [(Found.EMPTY, True), (Found.MISSING, False)])
def test_a_receipt_that_changed_meanwhile_is_tried_again_later(
    receipt: object, invited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OperationalError, match="changed meanwhile"):
        tried(StoreResult.KNOWN_KEY, receipt, monkeypatch, invited=invited)


@pytest.mark.parametrize("is_cached", [True, False])
def test_only_a_cached_survey_is_looked_up_again(
    version: Version, is_cached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[tuple[object, bool]] = []

    def store(_submission: object, target: object, _now: object, _token: object, *, last: bool) -> bool:
        tries.append((target, last))
        return last

    monkeypatch.setattr(receive_module, "_store_or_refuse", store)
    monkeypatch.setattr(receive_module, "target_of", lambda _submission: ("cached", is_cached))
    monkeypatch.setattr(receive_module, "fetch_target", lambda _submission: "fetched")
    assert receive(request_of(version)).status == 200
    assert tries == ([("cached", False), ("fetched", True)] if is_cached else [("cached", True)])
