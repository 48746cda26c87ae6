"""Answers are counted by receipts that have a digest, and by those that were deleted after closing."""

import pytest

from surveys.models import Receipt, Survey
from surveys.runs.received_answers import received_count, received_counts
from tests.fixtures.devices import published
from tests.fixtures.runs import definition

pytestmark = pytest.mark.django_db


def test_receipts_and_deleted_receipts_are_added_by_survey() -> None:
    first, second, third = (published(definition(slug)).survey for slug in ("first", "second", "third"))
    for number, (survey, digest) in enumerate(((first, b"d"), (first, b"e"), (first, None), (second, b"f"))):
        Receipt.objects.create(survey=survey, key=bytes([number]) * 32, digest=digest and digest * 32)
    Survey.objects.filter(pk=second.pk).update(receipts_deleted=5)
    assert received_counts() == {first.pk: 2, second.pk: 6}
    assert received_counts(first.pk, third.pk) == {first.pk: 2}
    assert (received_count(first), received_count(second), received_count(third)) == (2, 6, 0)
