"""The doctor says where records are kept for longer than their day."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from anonymisation.checks import LONGEST_DELAY, records_go_on_their_day
from anonymisation.deposits.erasing import deposits_step
from anonymisation.models import DepositTable
from surveys.doctor.diagnosis import CheckContext, Diagnosis, Severity
from tests.fixtures.deposits import begun_deposit
from tests.fixtures.runs import alice

pytestmark = pytest.mark.django_db


def told(now: datetime) -> Diagnosis:
    (finding,) = records_go_on_their_day(CheckContext(address=None, client_digest=None, now=now))
    return finding


def test_records_that_outlive_their_day_are_told_of_until_they_are_gone() -> None:
    now = timezone.now()
    assert (told(now).level, told(now).seen) == (Severity.OK, "no records are stored")
    ends = DepositTable.objects.get(deposit=begun_deposit(alice())).ends_at
    assert ends - now <= timedelta(days=1, minutes=1)
    for late in (timedelta(0), LONGEST_DELAY - timedelta(seconds=1)):
        assert (told(ends + late).level, told(ends + late).seen.split(";")[0]) == (Severity.OK, "1 stored")
    assert told(ends + LONGEST_DELAY).level is Severity.ERROR
    deposits_step(now=ends)
    assert told(ends + LONGEST_DELAY).level is Severity.OK
