"""Snapshots: the batches of a run, and their digest."""

import hashlib

import pytest

from surveys.errors.error import SurveyError
from surveys.models import Batch
from surveys.runs import snapshot
from surveys.runs.snapshot import batches_of, snapshot_of
from tests.fixtures.runs import answer, answered_version, published, requested_run

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
