"""Packed rows become a closed survey: all of them in an order of its own, or none."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from django.utils import timezone

from privacy.errors import PrivacyError
from surveys.authoring import packed_import as module
from surveys.authoring.packed_import import packed_import
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Batch, Survey
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.devices import published
from tests.fixtures.frames import three
from tests.fixtures.host_files import answers_of, bodies

pytestmark = pytest.mark.django_db

BODIES = bodies(definition_parse(three()), answers_of(500))
ROWS = np.frombuffer(b"".join(BODIES), dtype=np.uint8).reshape(len(BODIES), -1)


def test_all_rows_are_kept_shuffled_in_batches_and_the_survey_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "ROWS_AT_A_TIME", 200)
    done = packed_import(three(), ROWS, action="tried", by="ada", now=timezone.now(), reason="A test.")
    batches = [bytes(batch.packed) for batch in Batch.objects.order_by("pk")]
    assert (done.n, done.batches, [len(packed) for packed in batches]) == (500, 3, [200, 200, 100])
    kept = b"".join(batches)
    assert Counter(kept) == Counter(b"".join(BODIES))
    # 500 rows in the same order have a chance far below 1e-100.
    assert kept != b"".join(BODIES)
    assert Survey.objects.get().state == "closed"
    assert AuditEvent.objects.get(action="tried").detail == {"rows": 500, "batches": 3}


def test_a_row_that_no_device_sends_and_a_name_that_is_taken_leave_nothing_behind() -> None:
    # Bits behind the last column are 0 in each row of a device.
    wrong = ROWS.copy()
    wrong[7, -1] |= 1
    with pytest.raises(PrivacyError):
        packed_import(three(), wrong, action="tried", by="ada", now=timezone.now(), reason="A test.")
    assert not Batch.objects.exists()
    published(three())
    with pytest.raises(SurveyError, match="there is already a survey"):
        packed_import(three(), ROWS, action="tried", by="ada", now=timezone.now(), reason="A test.")
    assert not Batch.objects.exists()
