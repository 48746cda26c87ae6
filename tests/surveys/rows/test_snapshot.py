import hashlib

import pytest

from surveys.errors.error import SurveyError
from surveys.models import Batch
from surveys.rows.snapshot import batches_of, snapshot_of
from tests.fixtures.devices import closed
from tests.fixtures.runs import answer, answered, asked, published


@pytest.mark.django_db
def test_a_snapshot_names_its_batches_and_digests_them() -> None:
    version = answered(300)
    digests = b"".join(bytes.fromhex(batch.digest) for batch in Batch.objects.order_by("pk"))
    snapshot = snapshot_of(version)
    assert (snapshot.batches, snapshot.n) == (2, 300)
    assert snapshot.digest == hashlib.sha256(digests).hexdigest()


@pytest.mark.django_db
def test_a_snapshot_of_nothing_is_refused() -> None:
    with pytest.raises(SurveyError) as refused:
        snapshot_of(published(light=True))
    assert (refused.value.code, refused.value.value) == ("no_answers", 0)
    assert "Wait for more" in refused.value.remedy


@pytest.mark.django_db
def test_the_only_batch_of_an_open_survey_is_not_in_a_snapshot() -> None:
    version = published(light=True)
    answer(version, 200, batches=1)
    with pytest.raises(SurveyError):
        snapshot_of(version)


@pytest.mark.django_db
def test_a_run_reads_what_was_there_when_it_was_asked_for() -> None:
    version = published(light=True)
    answer(version, 600, batches=3)
    run = asked(version)
    before = [batch.pk for batch in batches_of(run)]
    answer(version, 400, batches=2, seed=8)
    assert [batch.pk for batch in batches_of(run)] == before
    assert len(before) == 2


@pytest.mark.django_db
def test_an_earlier_snapshot_can_be_read_again() -> None:
    version = published(light=True)
    answer(version, 600, batches=3)
    earlier = snapshot_of(version)
    answer(version, 400, batches=2, seed=8)
    assert snapshot_of(version).n > earlier.n
    assert snapshot_of(version, last_batch=earlier.last) == earlier


@pytest.mark.django_db
def test_batches_that_are_not_those_of_the_run_are_refused() -> None:
    version = answered(300)
    run = asked(version)
    run.snapshot_digest = "0" * 64
    with pytest.raises(SurveyError) as refused:
        batches_of(run)
    assert refused.value.code == "snapshot"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("size_of_the_rest", "practice", "refused"), [(49, False, True), (50, False, False), (1, True, False)]
)
def test_two_snapshots_of_a_closed_survey_differ_by_fifty_rows_or_more(
    size_of_the_rest: int, practice: bool, refused: bool
) -> None:
    """The last batch of a closed survey can be one row: all without it, beside all with it, is that row."""
    version = published(practice=practice)
    answer(version, 400, batches=2)
    earlier = Batch.objects.order_by("pk").last()
    answer(version, size_of_the_rest, batches=1, seed=8)
    version = closed(version)
    assert earlier
    if refused:
        with pytest.raises(SurveyError) as refusal:
            snapshot_of(version, last_batch=earlier.pk)
        assert refusal.value.code == "too_near"
        # The batch's own number may be any.
        said = refusal.value.message.replace(f"Batch {earlier.pk} ", "")
        assert str(size_of_the_rest) not in said
    else:
        assert snapshot_of(version, last_batch=earlier.pk).n == 400
    assert snapshot_of(version).n == 400 + size_of_the_rest
