from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from surveys.intake import receive
from surveys.intake.receive import submission_receive
from surveys.intake.store import Entry, StoreResult, _failure_reason, store_once
from surveys.models import Inbox, Receipt, Survey, Version
from tests.fixtures.devices import request_of

pytestmark = pytest.mark.django_db


NOW = datetime(2026, 11, 20, 12, 0, tzinfo=timezone.get_default_timezone())


def stored() -> tuple[int, int]:
    return Receipt.objects.count(), Inbox.objects.count()


@pytest.mark.parametrize("meanwhile", [StoreResult.KNOWN_KEY, StoreResult.NOT_OPENED])
def test_a_receipt_or_key_that_changes_meanwhile_gives_503(
    meanwhile: StoreResult, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receive, "store_once", lambda entry, *, now: meanwhile)
    assert submission_receive(request_of(version), now=NOW).status == 503
    assert stored() == (0, 0)


@pytest.fixture
def entry(version: Version, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """Return what the service would store for one submission."""
    taken: list[Entry] = []

    def take(entry: Entry, *, now: datetime) -> StoreResult:
        taken.append(entry)
        return StoreResult.NEW

    monkeypatch.setattr(receive, "store_once", take)
    submission_receive(request_of(version), now=NOW)
    assert stored() == (0, 0)
    # The service may have cached a survey of an earlier test with this address; it asks again after CHANGED.
    return replace(taken[0], survey_id=version.survey_id, version_id=version.pk)


def test_a_submission_is_stored_once_with_its_receipt(entry: Entry, version: Version) -> None:
    assert store_once(entry, now=timezone.now()) is StoreResult.NEW
    assert store_once(entry, now=timezone.now()) is StoreResult.KNOWN_KEY
    assert stored() == (1, 1)
    (row,) = Inbox.objects.all()
    assert (row.version_id, bytes(row.box)) == (version.pk, entry.box)
    (receipt,) = Receipt.objects.all()
    assert (bytes(receipt.key), bytes(receipt.digest or b"")) == (entry.key, entry.digest)


def test_nothing_is_stored_late_for_another_design_or_under_a_key_that_no_mixer_has(
    entry: Entry, version: Version
) -> None:
    now = timezone.now()
    unknown = replace(entry, sealed_under=b"x" * len(entry.sealed_under))
    for other, result in (
        (replace(entry, design_id="0" * 64), StoreResult.CHANGED),
        (replace(entry, slug="other"), StoreResult.CHANGED),
        (unknown, StoreResult.NOT_OPENED),
    ):
        assert store_once(other, now=now) is result
    Survey.objects.filter(pk=version.survey_id).update(state=Survey.State.CLOSED, accepts_until=now)
    assert store_once(entry, now=now) is StoreResult.TOO_LATE
    assert stored() == (0, 0)
    assert store_once(entry, now=now - timedelta(seconds=1)) is StoreResult.NEW


@pytest.mark.parametrize(
    ("late", "vouched", "result"),
    [
        (True, True, StoreResult.TOO_LATE),
        (True, False, StoreResult.TOO_LATE),
        (False, True, StoreResult.KNOWN_KEY),
        (False, False, StoreResult.NOT_OPENED),
    ],
)
def test_lateness_comes_before_the_key_and_the_key_before_the_mixer(
    late: bool, vouched: bool, result: StoreResult
) -> None:
    assert _failure_reason(late, vouched) is result
