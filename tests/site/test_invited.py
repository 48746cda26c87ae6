"""A submission with an invitation is stored once, even if it is repeated, and reveals nothing else."""

import json
import random
import secrets
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.intake.codes import receipt_key
from surveys.intake.limits import Limit, Limiter
from surveys.intake.mix import mix
from surveys.intake.receive import receipts_count, submission_receive
from surveys.models import Inbox, Receipt, Version
from surveys.respondent.invitations import invitations_revoke
from tests.fixtures.devices import published, request_of, sealed_body, shipped_definition, survey_of
from tests.fixtures.inbox_rows import waiting_rows
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.threads import in_parallel
from tests.fixtures.traces import statements

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=timezone.get_default_timezone())


@pytest.fixture
def version() -> Version:
    return invited()


def receive(raw: bytes, *, now: datetime = NOW, limiter: Limiter | None = None) -> tuple[int, str]:
    outcome = submission_receive(raw, now=now, limiter=limiter)
    return outcome.status, outcome.answer.get("error", "received")


def used_and_rows() -> tuple[int, int]:
    return Receipt.objects.filter(digest__isnull=False).count(), Inbox.objects.count()


def test_a_spent_invitation_cannot_be_linked_to_its_row(version: Version) -> None:
    code, other = codes_of(version, 2)
    body = sealed_body(version.to_design(), random.Random(1))
    assert receive(request_of(version, code=code, body=body.hex())) == (200, "received")
    receipt = Receipt.objects.get(digest__isnull=False)
    row = Inbox.objects.get()
    assert bytes(receipt.key) == receipt_key(code, survey="work")
    assert waiting_rows() == [body]
    assert bytes(row.key) not in (bytes(receipt.key)[:16], bytes(receipt.digest or b"")[:16])
    assert bytes(Receipt.objects.get(digest=None).key) == receipt_key(other, survey="work")


@pytest.mark.soak
def test_repeated_submissions_get_200_even_after_revocation(version: Version) -> None:
    (code,) = codes_of(version)
    raw = request_of(version, code=code)
    assert [receive(raw) for _ in range(4)] == [(200, "received")] * 4
    assert receive(request_of(version, code=code)) == (422, "invitation_refused")
    # The same body under a new nonce is a new submission.
    body = waiting_rows()[0].hex()
    assert receive(request_of(version, code=code, body=body)) == (422, "invitation_refused")
    for typed in ([code], None):
        invitations_revoke(survey_of(version), texts=typed, by="alice")
        assert receive(raw) == (200, "received")
    assert used_and_rows() == (1, 1)


def test_revoked_and_unknown_codes_are_refused(version: Version) -> None:
    (code,) = codes_of(version)
    invitations_revoke(survey_of(version), texts=[code], by="alice")
    elsewhere = codes_of(invited(slug="play"))[0]
    for wrong in (code, elsewhere):
        assert receive(request_of(version, code=wrong)) == (422, "invitation_refused")
    assert used_and_rows() == (0, 0)
    assert Receipt.objects.filter(survey=version.survey_id).count() == 0


@pytest.mark.soak
def test_retrying_with_a_corrected_code_spends_only_that_code(version: Version) -> None:
    """The retry has the body and nonce of the refused request, with another code."""
    elsewhere, (right,) = codes_of(invited(slug="play"))[0], codes_of(version)
    refused = request_of(version, code=elsewhere)
    assert receive(refused) == (422, "invitation_refused")
    mended = json.dumps({**json.loads(refused), "code": right}, separators=(",", ":")).encode("ascii")
    assert [receive(mended) for _ in range(2)] == [(200, "received")] * 2
    assert receive(refused) == (422, "invitation_refused")
    assert waiting_rows()[0].hex() == json.loads(refused)["body"]
    assert used_and_rows() == (1, 1)


def test_invitations_must_match_the_kind_of_survey(version: Version) -> None:
    (code,) = codes_of(version)
    opened = published(shipped_definition(slug="open"))
    assert receive(request_of(version)) == (422, "invitation_needed")
    assert receive(request_of(opened, code=code)) == (422, "open_link")
    assert used_and_rows() == (0, 0)


def test_random_keys_cannot_replace_an_invitation(version: Version) -> None:
    (code,) = codes_of(version)
    key = receipt_key(code, survey="work").hex()
    assert receive(request_of(version, key=key)) == (400, "key")
    assert receive(request_of(version, key=key[:32])) == (422, "invitation_needed")


@pytest.mark.parametrize(
    "wrong",
    ["", "0" * 19, "0" * 21, "O" * 20, "0" * 19 + "1", "00000-00000-00000-00000", "0" * 20 + "\n", "é" * 20],
)
def test_codes_in_another_form_are_refused(version: Version, wrong: str) -> None:
    assert receive(request_of(version, code=wrong)) == (400, "code")


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
    assert receive(json.dumps(members).encode()) == (400, "keys")
    assert used_and_rows() == (0, 0)


def test_rejected_answers_leave_the_invitation_unused(version: Version) -> None:
    (code,) = codes_of(version)
    assert receive(request_of(version, code=code, body="ff" * 3))[0] == 422
    assert receive(request_of(version, code=code, design_id="0" * 64)) == (422, "unknown_design")
    assert receive(request_of(version, code=code)) == (200, "received")


def test_responses_hide_code_use_after_closing_and_in_floods(version: Version) -> None:
    """Otherwise someone with a list of codes could monitor their use without spending any."""
    used, unused = codes_of(version, 2)
    raw = request_of(version, code=used)
    assert receive(raw) == (200, "received")
    flooded = Limiter(limit=Limit(per_second=0.001, burst=1, cap=100), count_receipts=receipts_count)
    flooded.admit(version.survey_id, at=NOW.timestamp())
    for code in (used, unused, "0" * 20):
        assert receive(request_of(version, code=code), limiter=flooded) == (429, "too_many")
    assert receive(raw, limiter=flooded) == (200, "received")
    survey_close(survey_of(version), by="alice", now=NOW)
    late = NOW + timedelta(hours=48)
    for code in (used, unused, "0" * 20):
        assert receive(request_of(version, code=code), now=late) == (410, "closed")
    assert receive(raw, now=late) == (200, "received")
    assert used_and_rows() == (1, 1)


def test_invitation_codes_are_never_logged_or_stored(
    version: Version, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    code, revoked = codes_of(version, 2)
    invitations_revoke(survey_of(version), texts=[revoked], by="alice")
    with caplog.at_level(0), statements() as asked:
        assert receive(request_of(version, code=code))[0] == 200
        assert receive(request_of(version, code=code))[0] == 422
        assert receive(request_of(version, code=revoked))[0] == 422
    said = repr(asked) + caplog.text + "".join(capfd.readouterr())
    assert "surveys_receipt" in said
    assert code not in said
    assert revoked not in said


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_parallel_posts_with_one_invitation_store_one_row(version: Version) -> None:
    (code,) = codes_of(version)
    bodies = [request_of(version, code=code) for _ in range(2)]
    results: list[tuple[bytes, int]] = []

    def send(number: int) -> None:
        for turn in range(5):
            raw = bodies[(number + turn) % 2]
            results.append((raw, receive(raw)[0]))

    in_parallel([partial(send, number) for number in range(10)])
    won = {raw for raw, status in results if status == 200}
    assert len(results) == 50
    assert len(won) == 1
    assert {status for raw, status in results if raw not in won} == {422}
    assert {status for raw, status in results if raw in won} == {200}
    assert used_and_rows() == (1, 1)


@pytest.mark.soak
def test_only_received_invited_answers_are_counted(version: Version) -> None:
    codes = codes_of(version, 3)
    receive(request_of(version, code=codes[0]))
    assert receipts_count(version.survey_id, 10) == 1


@pytest.mark.soak
def test_invited_surveys_are_mixed_like_others(version: Version) -> None:
    for code in codes_of(version, 100):
        assert receive(request_of(version, code=code)) == (200, "received")
    mix(now=NOW)
    assert used_and_rows() == (100, 50)
