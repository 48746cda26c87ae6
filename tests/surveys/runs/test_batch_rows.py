"""The packed rows of batches."""

import hashlib

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mining.columns.bitmatrix import BitMatrix
from privacy.errors import PrivacyError
from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.models import Batch
from surveys.runs.batch_rows import BATCHES_AT_A_TIME, batches_read, rows_of
from tests.fixtures.questionnaires import EVERYTHING, bodies, true_rows
from tests.fixtures.runs import published
from tests.mining.columns.counted import count

pytestmark = pytest.mark.django_db

SIZE = Layout(EVERYTHING).n_bytes


def batch(packed: bytes) -> Batch:
    return Batch(pk=7, n=len(packed) // SIZE, packed=packed, digest=hashlib.sha256(packed).hexdigest())


def test_rows_of_all_batches_are_counted_together() -> None:
    direct = np.random.default_rng(1).random(130) < 0.3
    packed = bodies(EVERYTHING, true_rows(130, seed=1), direct, seed=1)
    whole = BitMatrix.from_rows(EVERYTHING, rows_of([batch(packed)]))
    split = BitMatrix.from_rows(
        EVERYTHING, rows_of(iter([batch(packed[: 50 * SIZE]), batch(packed[50 * SIZE :])]))
    )
    every_column = [(column,) for column in range(EVERYTHING.n_columns)]
    assert (split.n, split.n_direct) == (130, int(direct.sum()))
    assert np.array_equal(count(whole, every_column), count(split, every_column))


def test_a_batch_can_be_a_memoryview_from_the_database_driver() -> None:
    packed = bodies(EVERYTHING, true_rows(3, seed=2), np.zeros(3, dtype=bool), seed=2)
    viewed = batch(packed)
    viewed.packed = memoryview(packed)
    assert BitMatrix.from_rows(EVERYTHING, rows_of([viewed])).n == 3


def test_a_batch_with_changed_bytes_is_refused() -> None:
    damaged = batch(bodies(EVERYTHING, true_rows(3, seed=3), np.zeros(3, dtype=bool), seed=3))
    damaged.packed = bytes([damaged.packed[0] ^ 1]) + damaged.packed[1:]
    with pytest.raises(SurveyError, match=r"batch 7 do not match the digest .*; restore") as refusal:
        list(rows_of([damaged]))
    assert (refusal.value.code, refusal.value.value) == ("damaged_batch", 7)


def test_batches_with_partial_rows_are_rejected() -> None:
    with pytest.raises(PrivacyError, match="is not a whole number of rows"):
        BitMatrix.from_rows(EVERYTHING, rows_of([batch(bytes(SIZE + 1))]))


def test_batches_are_read_in_number_order_without_sorting() -> None:
    version = published("numbered")
    packed = [bytes([number % 2 << 7, number]) for number in range(BATCHES_AT_A_TIME + 3)]
    for rows in packed:
        Batch.objects.create(version=version, n=1, packed=rows, digest=hashlib.sha256(rows).hexdigest())
    numbers = list(Batch.objects.values_list("pk", flat=True))
    with CaptureQueriesContext(connection) as asked:
        read = [(found.pk, bytes(found.packed)) for found in batches_read(numbers[1:])]
    assert read == list(zip(numbers[1:], packed[1:], strict=True))
    assert len([query for query in asked if "packed" in query["sql"]]) == 2
    assert list(batches_read([])) == []
    # SQLite would copy all rows to a temporary table to sort them.
    plan = Batch.objects.filter(pk__in=numbers).order_by("pk").explain()
    assert "TEMP B-TREE" not in plan
