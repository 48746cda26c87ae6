"""A submission is stored once and completely, and leaves no other trace."""

import json
import random
import re
import secrets
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.db import connection
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_import, survey_publish
from surveys.intake.codes import receipt_key
from surveys.intake.limits import Limit, Limiter
from surveys.intake.mix import mix
from surveys.intake.receive import SubmissionResult, receipts_count, submission_receive
from surveys.models import AuditEvent, Inbox, Receipt, Survey, Version
from surveys.respondent.invitations import invitations_revoke
from tests.fixtures.devices import published, request_of, sealed_body, shipped_definition, survey_of
from tests.fixtures.inbox_rows import waiting_rows
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.threads import in_parallel
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


@pytest.fixture
def version() -> Version:
    return invited()


def receive_with_code(raw: bytes, *, now: datetime = NOW, limiter: Limiter | None = None) -> tuple[int, str]:
    outcome = submission_receive(raw, now=now, limiter=limiter)
    return outcome.status, outcome.answer.get("error", "received")


def used_and_rows() -> tuple[int, int]:
    return Receipt.objects.filter(digest__isnull=False).count(), Inbox.objects.count()


def test_a_spent_invitation_cannot_be_linked_to_its_row(version: Version) -> None:
    code, other = codes_of(version, 2)
    body = sealed_body(version.to_design(), random.Random(1))
    assert receive_with_code(request_of(version, code=code, body=body.hex())) == (200, "received")
    receipt = Receipt.objects.get(digest__isnull=False)
    row = Inbox.objects.get()
    assert bytes(receipt.key) == receipt_key(code, survey="work")
    assert waiting_rows() == [body]
    assert bytes(row.key) not in (bytes(receipt.key)[:16], bytes(receipt.digest or b"")[:16])
    assert bytes(Receipt.objects.get(digest=None).key) == receipt_key(other, survey="work")


def test_repeated_submissions_get_200_even_after_revocation(version: Version) -> None:
    (code,) = codes_of(version)
    raw = request_of(version, code=code)
    assert [receive_with_code(raw) for _ in range(4)] == [(200, "received")] * 4
    assert receive_with_code(request_of(version, code=code)) == (422, "invitation_refused")
    # The same body under a new nonce is a new submission.
    body = waiting_rows()[0].hex()
    assert receive_with_code(request_of(version, code=code, body=body)) == (422, "invitation_refused")
    for typed in ([code], None):
        invitations_revoke(survey_of(version), texts=typed, by="alice")
        assert receive_with_code(raw) == (200, "received")
    assert used_and_rows() == (1, 1)


def test_revoked_and_unknown_codes_are_refused(version: Version) -> None:
    (code,) = codes_of(version)
    invitations_revoke(survey_of(version), texts=[code], by="alice")
    elsewhere = codes_of(invited(slug="play"))[0]
    for wrong in (code, elsewhere):
        assert receive_with_code(request_of(version, code=wrong)) == (422, "invitation_refused")
    assert used_and_rows() == (0, 0)
    assert Receipt.objects.filter(survey=version.survey_id).count() == 0


def test_retrying_with_a_corrected_code_spends_only_that_code(version: Version) -> None:
    """The retry has the body and nonce of the refused request, with another code."""
    elsewhere, (right,) = codes_of(invited(slug="play"))[0], codes_of(version)
    refused = request_of(version, code=elsewhere)
    assert receive_with_code(refused) == (422, "invitation_refused")
    mended = json.dumps({**json.loads(refused), "code": right}, separators=(",", ":")).encode("ascii")
    assert [receive_with_code(mended) for _ in range(2)] == [(200, "received")] * 2
    assert receive_with_code(refused) == (422, "invitation_refused")
    assert waiting_rows()[0].hex() == json.loads(refused)["body"]
    assert used_and_rows() == (1, 1)


def test_invitations_must_match_the_kind_of_survey(version: Version) -> None:
    (code,) = codes_of(version)
    opened = published(shipped_definition(slug="open"))
    assert receive_with_code(request_of(version)) == (422, "invitation_needed")
    assert receive_with_code(request_of(opened, code=code)) == (422, "open_link")
    assert used_and_rows() == (0, 0)


def test_random_keys_cannot_replace_an_invitation(version: Version) -> None:
    (code,) = codes_of(version)
    key = receipt_key(code, survey="work").hex()
    assert receive_with_code(request_of(version, key=key)) == (400, "key")
    assert receive_with_code(request_of(version, key=key[:32])) == (422, "invitation_needed")


@pytest.mark.parametrize(
    "wrong",
    ["", "0" * 19, "0" * 21, "O" * 20, "0" * 19 + "1", "00000-00000-00000-00000", "0" * 20 + "\n", "é" * 20],
)
def test_codes_in_another_form_are_refused(version: Version, wrong: str) -> None:
    assert receive_with_code(request_of(version, code=wrong)) == (400, "code")


@pytest.mark.parametrize("change", ["both", "neither", "more"])
def test_submissions_need_either_a_code_or_a_key(version: Version, change: str) -> None:
    (code,) = codes_of(version)
    members = json.loads(request_of(version, code=code))
    if change == "both":
        members["key"] = secrets.token_hex(16)
    elif change == "neither":
        del members["code"]
    else:
        members["extra"] = ""
    assert receive_with_code(json.dumps(members).encode()) == (400, "keys")
    assert used_and_rows() == (0, 0)


def test_rejected_answers_leave_the_invitation_unused(version: Version) -> None:
    (code,) = codes_of(version)
    assert receive_with_code(request_of(version, code=code, body="ff" * 3))[0] == 422
    assert receive_with_code(request_of(version, code=code, design_id="0" * 64)) == (422, "unknown_design")
    assert receive_with_code(request_of(version, code=code)) == (200, "received")


def test_responses_hide_code_use_after_closing_and_in_floods(version: Version) -> None:
    """Otherwise someone with a list of codes could monitor their use without spending any."""
    used, unused = codes_of(version, 2)
    raw = request_of(version, code=used)
    assert receive_with_code(raw) == (200, "received")
    flooded = Limiter(limit=Limit(per_second=0.001, burst=1, cap=100), count_receipts=receipts_count)
    flooded.admit(version.survey_id, at=NOW.timestamp())
    for code in (used, unused, "0" * 20):
        assert receive_with_code(request_of(version, code=code), limiter=flooded) == (429, "too_many")
    assert receive_with_code(raw, limiter=flooded) == (200, "received")
    survey_close(survey_of(version), by="alice", now=NOW)
    late = NOW + timedelta(hours=48)
    for code in (used, unused, "0" * 20):
        assert receive_with_code(request_of(version, code=code), now=late) == (410, "closed")
    assert receive_with_code(raw, now=late) == (200, "received")
    assert used_and_rows() == (1, 1)


def test_invitation_codes_are_never_logged_or_stored(
    version: Version, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    code, revoked = codes_of(version, 2)
    invitations_revoke(survey_of(version), texts=[revoked], by="alice")
    with caplog.at_level(0), statements() as asked:
        assert receive_with_code(request_of(version, code=code))[0] == 200
        assert receive_with_code(request_of(version, code=code))[0] == 422
        assert receive_with_code(request_of(version, code=revoked))[0] == 422
    said = repr(asked) + caplog.text + "".join(capfd.readouterr())
    assert "surveys_receipt" in said
    assert code not in said
    assert revoked not in said


@pytest.mark.django_db(transaction=True)
def test_parallel_posts_with_one_invitation_store_one_row(version: Version) -> None:
    (code,) = codes_of(version)
    bodies = [request_of(version, code=code) for _ in range(2)]
    results: list[tuple[bytes, int]] = []

    def send(number: int) -> None:
        for turn in range(5):
            raw = bodies[(number + turn) % 2]
            results.append((raw, receive_with_code(raw)[0]))

    in_parallel([partial(send, number) for number in range(10)])
    won = {raw for raw, status in results if status == 200}
    assert len(results) == 50
    assert len(won) == 1
    assert {status for raw, status in results if raw not in won} == {422}
    assert {status for raw, status in results if raw in won} == {200}
    assert used_and_rows() == (1, 1)


def test_only_received_invited_answers_are_counted(version: Version) -> None:
    codes = codes_of(version, 3)
    receive_with_code(request_of(version, code=codes[0]))
    assert receipts_count(version.survey_id, 10) == 1


def test_invited_surveys_are_mixed_like_others(version: Version) -> None:
    for code in codes_of(version, 100):
        assert receive_with_code(request_of(version, code=code)) == (200, "received")
    mix(now=NOW)
    assert used_and_rows() == (100, 50)
