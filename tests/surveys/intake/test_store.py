from datetime import datetime

import pytest
from django.utils import timezone

from surveys.intake import receive
from surveys.intake.receive import submission_receive
from surveys.intake.store import StoreResult
from surveys.models import Inbox, Receipt, Version
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
