"""Receipts are ordered by their keys, and the server still recognises a repeated submission."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.intake import receipts
from surveys.intake.mix import NIGHT, mix
from surveys.intake.receipts import open_receipts_rewrite, receipts_rewrite
from surveys.intake.receive import submission_receive
from surveys.models import Beat, Receipt, Survey, Version
from tests.fixtures.devices import published, request_of, wide_definition
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.threads import in_threads
from tests.surveys.intake.test_mix import NOW, answer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide"))


def state() -> set[tuple[bytes, bytes | None]]:
    found = Receipt.objects.values_list("key", "digest")
    return {(bytes(key), None if digest is None else bytes(digest)) for key, digest in found}


def test_receipts_are_fresh_until_the_next_mix(version: Version) -> None:
    answer(version, 100)
    assert Receipt.objects.filter(fresh=True).count() == 100
    before = state()
    mix(now=NOW)
    assert (Receipt.objects.filter(fresh=True).count(), state()) == (0, before)
    answer(version, 3, seed=1)
    assert Receipt.objects.filter(fresh=True).count() == 3


def test_used_invitations_are_fresh_and_unused_ones_are_unchanged() -> None:
    version = invited(wide_definition("wide"))
    codes = codes_of(version, 110)
    for code in codes[:100]:
        assert submission_receive(request_of(version, code=code), now=NOW).status == 200
    assert Receipt.objects.filter(fresh=True).count() == 100
    before = state()
    mix(now=NOW)
    assert (Receipt.objects.filter(fresh=True).count(), state()) == (0, before)
    assert Receipt.objects.filter(digest=None).count() == 10
    raw = request_of(version, code=codes[105])
    assert [submission_receive(raw, now=NOW).status for _ in range(2)] == [200, 200]


@pytest.mark.parametrize("at_once", [1, 7, 30, 31])
def test_rewriting_receipts_works_for_any_batch_size(
    at_once: int, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "ROWS_AT_ONCE", at_once)
    other = published(wide_definition("other"))
    answer(version, 30)
    answer(other, 4, seed=1)
    before = state()
    receipts_rewrite(version.survey_id)
    assert state() == before
    assert set(Receipt.objects.filter(fresh=True).values_list("survey", flat=True)) == {other.survey_id}


def test_receipts_of_open_surveys_are_rewritten_once_a_day(version: Version) -> None:
    answer(version, 5)
    mix(now=NOW)
    assert Receipt.objects.filter(fresh=True).count() == 0, "the first pass is a night"
    answer(version, 5, seed=1)
    mix(now=NOW)
    assert Receipt.objects.filter(fresh=True).count() == 5
    Beat.objects.filter(name=NIGHT).update(at=timezone.now() - timedelta(hours=25))
    mix(now=NOW)
    assert Receipt.objects.filter(fresh=True).count() == 0


def test_receipts_of_recently_settled_surveys_are_rewritten_too(version: Version) -> None:
    """This happens if the mixer dies between the last batch and the rewrite."""
    answer(version, 5)
    now = timezone.now()
    Survey.objects.update(state="closed", settled=True, accepts_until=now - timedelta(days=8))
    open_receipts_rewrite(at=now + timedelta(days=2))
    assert Receipt.objects.filter(fresh=True).count() == 5
    open_receipts_rewrite(at=now)
    assert Receipt.objects.filter(fresh=True).count() == 0


def test_retries_during_a_receipt_rewrite_are_stored_once(version: Version) -> None:
    sent = [request_of(version) for _ in range(40)]
    for raw in sent:
        assert submission_receive(raw, now=NOW).status == 200
    stop = threading.Event()

    def rewrite() -> None:
        while not stop.wait(0.01):  # Without pauses it would starve others, as SQLite's lock has no queue.
            receipts_rewrite(version.survey_id)

    with in_threads([rewrite]):
        try:
            for raw in sent * 3:
                assert submission_receive(raw, now=NOW).status == 200
            more = [request_of(version) for _ in range(20)]
            for raw in more:
                assert submission_receive(raw, now=NOW).status == 200
        finally:
            stop.set()
    assert Receipt.objects.count() == 60


def test_deleted_receipts_stay_counted_and_those_of_other_surveys_stay(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three used receipts and an unused one are deleted two at a time."""
    monkeypatch.setattr(receipts, "ROWS_AT_ONCE", 2)
    other = published(wide_definition("other")).survey
    for survey, number, digest in (
        *((version.survey, number, b"d" * 32) for number in range(3)),
        (version.survey, 3, None),
        (other, 4, b"d" * 32),
    ):
        Receipt.objects.create(survey=survey, key=bytes([number]) * 32, digest=digest)
    for deleted in (3, 3):
        receipts.receipts_delete(version.survey_id)
        assert state() == {(b"\x04" * 32, b"d" * 32)}
        assert Survey.objects.get(pk=version.survey_id).receipts_deleted == deleted
    Receipt.objects.create(survey=version.survey, key=b"x" * 32, digest=b"d" * 32)
    receipts.receipts_delete(version.survey_id)
    assert Survey.objects.get(pk=version.survey_id).receipts_deleted == 4
    assert not Survey.objects.get(pk=other.pk).receipts_deleted
