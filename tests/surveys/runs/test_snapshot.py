"""Snapshots: the batches of a run, and their digest."""

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
from surveys.runs import snapshot
from surveys.runs.snapshot import BATCHES_AT_A_TIME, batches_of, batches_read, rows_of, snapshot_of
from tests.fixtures.questionnaires import EVERYTHING, bodies, true_rows
from tests.fixtures.runs import answer, answered_version, published, requested_run
from tests.mining.columns.counted import count

pytestmark = pytest.mark.django_db


def test_a_snapshot_lists_its_batches_with_a_digest() -> None:
    version = answered_version(300)
    digests = b"".join(bytes.fromhex(batch.digest) for batch in Batch.objects.order_by("pk"))
    found = snapshot_of(version)
    assert (found.batches, found.n) == (2, 300)
    assert found.digest == hashlib.sha256(digests).hexdigest()


def test_snapshots_without_answers_are_refused() -> None:
    with pytest.raises(SurveyError) as refused:
        snapshot_of(published(light=True))
    assert (refused.value.code, refused.value.value) == ("no_answers", 0)
    assert "Wait for more" in refused.value.remedy


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("holds_undisguised", [False, True])
def test_a_chapter_with_undisguised_answers_waits_for_the_end(
    monkeypatch: pytest.MonkeyPatch, settled: bool, holds_undisguised: bool
) -> None:
    version = answered_version(300)
    monkeypatch.setattr(type(version), "holds_undisguised", holds_undisguised)
    monkeypatch.setattr(version.survey, "settled", settled)
    chapters: list[int] = []
    monkeypatch.setattr(
        snapshot, "chapter_batches", lambda _version, number: chapters.append(number) or Batch.objects.all()
    )
    if holds_undisguised and not settled:
        with pytest.raises(SurveyError) as refused:
            snapshot_of(version, chapter=4)
        assert refused.value.case == "no_answers.undisguised"
    else:
        assert snapshot_of(version, chapter=4).n == 300
    assert chapters == [4]


def test_a_snapshot_excludes_the_only_batch_of_an_open_survey() -> None:
    version = published(light=True)
    answer(version, 200, batches=1)
    with pytest.raises(SurveyError):
        snapshot_of(version)


def test_a_run_reads_the_batches_present_at_its_request() -> None:
    version = published(light=True)
    answer(version, 600, batches=3)
    run = requested_run(version)
    before = [batch.pk for batch in batches_of(run)]
    answer(version, 400, batches=2, seed=8)
    assert [batch.pk for batch in batches_of(run)] == before
    assert len(before) == 2


def test_batches_that_differ_from_the_run_are_refused() -> None:
    version = answered_version(300)
    run = requested_run(version)
    run.snapshot_digest = "0" * 64
    with pytest.raises(SurveyError) as refused:
        batches_of(run)
    assert refused.value.code == "snapshot"


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
