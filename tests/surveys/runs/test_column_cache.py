"""The column cache of a survey: files by batch, damage, and deletion."""

import hashlib
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.precomputed_counts import precomputed_requests
from surveys.jobs.home_files import directory_of
from surveys.models import Batch, Version
from surveys.runs import column_cache
from surveys.runs.column_cache import SegmentStore, cached_columns
from surveys.runs.segment_file import batch_range
from tests.attack.scratch import database_url
from tests.conftest import ROOT, wait_until
from tests.fixtures.runs import packed_rows, published
from tests.mining.columns.counted import count

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _home_of_its_own(settings: Any, tmp_path: Path) -> None:
    settings.SOTTOVOCE_HOME = tmp_path


def arrive(version: Version, *sizes: int, seed: int = 1) -> None:
    """Store batches of these sizes."""
    design = version.to_design()
    for number, n in enumerate(sizes):
        packed = b"".join(packed_rows(design, n, n_direct=n // 3, seed=seed + number))
        Batch.objects.create(version=version, n=n, packed=packed, digest=hashlib.sha256(packed).hexdigest())


def batches(version: Version) -> Any:
    return Batch.objects.filter(version=version).order_by("pk")


def assert_right(version: Version, found: column_cache.Columns) -> None:
    """Assert that every stored count, and every pair's count, equals a count of the rows."""
    design = version.to_design()
    whole = BitMatrix.from_rows(design, [bytes(batch.packed) for batch in batches(version)])
    assert (found.matrix.n_direct, found.matrix.n_protected) == (whole.n_direct, whole.n_protected)
    pairs = [(one, two) for one in range(design.n_columns) for two in range(one)]
    assert np.array_equal(count(found.matrix, pairs), count(whole, pairs))
    requests = precomputed_requests(design)
    assert requests is not None
    assert found.precomputed is not None
    assert np.array_equal(found.precomputed.counts, count(whole, requests))


def cached(version: Version) -> column_cache.Columns:
    return cached_columns(version.to_design(), version.survey_id, batches(version))


def files(version: Version) -> list[Path]:
    return sorted(directory_of(version.survey_id, version.to_design()).iterdir())


def test_batches_are_read_once_and_appended_to_the_cache() -> None:
    version = published("cache")
    assert cached(version).matrix.n == 0
    read = []
    for sizes in [(130, 70), (), (64,), (5,), (300, 1), ()]:
        arrive(version, *sizes, seed=sum(sizes))
        found = cached(version)
        assert_right(version, found)
        read.append(found.read)
    assert read == [2, 0, 1, 1, 2, 0]
    # Batches of 200, 64, 5 and 301 rows were merged, because the last one is larger than those before.
    assert [batch_range(path) for path in files(version)] == [
        (batches(version)[0].pk, batches(version).last().pk)
    ]
    assert not {str(batch.pk) for batch in batches(version)} & {path.name for path in files(version)}


def test_a_warm_cache_reads_no_rows_from_the_database(django_assert_max_num_queries: Any) -> None:
    version = published("cache")
    arrive(version, 80, 90)
    cached(version)
    design, survey_id = version.to_design(), version.survey_id
    with django_assert_max_num_queries(1) as queries:
        cached_columns(design, survey_id, batches(version))
    assert "packed" not in queries.captured_queries[0]["sql"]


def test_the_cache_can_answer_for_earlier_snapshots() -> None:
    version = published("cache")
    arrive(version, 100, 20, 30)
    cached(version)
    earlier = batches(version).filter(pk__lte=batches(version)[1].pk)
    found = cached_columns(version.to_design(), version.survey_id, earlier)
    assert (found.matrix.n, found.read) == (120, 2)
    assert_right(version, cached(version))


@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "foreign"])
def test_a_damaged_segment_is_rebuilt(harm: str, caplog: pytest.LogCaptureFixture) -> None:
    version = published("cache")
    arrive(version, 100, 70)
    cached(version)
    (path,) = files(version)
    sound = path.read_bytes()
    middle = len(sound) // 2
    path.write_bytes(
        {
            "flip": sound[:middle] + bytes([sound[middle] ^ 16]) + sound[middle + 1 :],
            "cut": sound[:-65],
            "empty": b"",
            "foreign": b"not ours at all",
        }[harm]
    )
    found = cached(version)
    assert found.read == 2
    # Without a whole header, a file names no batches.
    assert ("does not hold what its digests say" in caplog.text) is (harm in {"flip", "cut"})
    assert_right(version, found)
    assert path.read_bytes() == sound
    assert cached(version).read == 0


def test_cached_columns_are_not_reused_for_different_rows() -> None:
    version = published("cache")
    arrive(version, 100)
    cached(version)
    (path,) = files(version)
    other = published("other")
    arrive(other, 100, seed=9)
    directory = directory_of(other.survey_id, other.to_design())
    directory.mkdir(parents=True)
    pk = batches(other)[0].pk
    (directory / f"{pk}-{pk}").write_bytes(path.read_bytes())
    assert_right(other, cached(other))


def test_an_unwritable_cache_directory_does_not_affect_results(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings.SOTTOVOCE_HOME = tmp_path / "file"
    version = published("cache")
    arrive(version, 60)
    assert_right(version, cached(version))
    assert cached(version).read == 1


def test_segments_are_read_in_chunks_and_have_a_maximum_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_cache, "ROWS_OF_A_SEGMENT", 150)
    monkeypatch.setattr(column_cache.SegmentStore.segment_end, "__defaults__", (150,))
    version = published("cache")
    arrive(version, 100, 40, 60, 70, 200)
    assert_right(version, cached(version))
    assert len(files(version)) == 3
    assert cached(version).read == 0


READER = """
    import django, hashlib, os, sys
    django.setup()
    from pathlib import Path
    from django.conf import settings
    from surveys.runs.column_cache import cached_columns
    from surveys.models import Batch, Version
    settings.SOTTOVOCE_HOME = Path(sys.argv[1])
    version = Version.objects.get(pk=int(sys.argv[2]))
    design = version.to_design()
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(int(sys.argv[3])):
        last = int(sys.argv[4 + _ % 2])
        found = cached_columns(
            design, version.survey_id, Batch.objects.filter(version=version, pk__lte=last).order_by("pk")
        )
        print(last, hashlib.sha256(found.precomputed.counts.tobytes()).hexdigest(), flush=True)
"""


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_concurrent_and_crashing_workers_get_consistent_results(tmp_path: Path) -> None:
    version = published("cache")
    arrive(version, 60, 50, 70)
    numbers = [batch.pk for batch in batches(version)]
    short, whole = (
        cached_columns(version.to_design(), version.survey_id, batches(version).filter(pk__lte=last))
        for last in numbers[1:]
    )
    assert short.precomputed is not None
    assert whole.precomputed is not None
    expected = {
        str(last): hashlib.sha256(kept.counts.tobytes()).hexdigest()
        for last, kept in ((numbers[1], short.precomputed), (numbers[2], whole.precomputed))
    }
    for path in files(version):
        path.unlink()
    environment = {
        **os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "surveys.settings",
    }  # fmt: skip
    command = [sys.executable, "-c", textwrap.dedent(READER), str(tmp_path), str(version.pk)]
    readers = [
        subprocess.Popen(
            [*command, rounds, str(numbers[1]), str(numbers[2])],
            cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for rounds in ("40", "40", "100000")
    ]  # fmt: skip
    for reader in readers:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
    for reader in readers:
        assert reader.stdin is not None
        reader.stdin.write("\n")
        reader.stdin.flush()
    wait_until(lambda: directory_of(version.survey_id, version.to_design()).exists())
    readers[2].send_signal(signal.SIGKILL)
    for reader in readers:
        said, _ = reader.communicate(timeout=300)
        lines = [line.split() for line in said.splitlines() if len(line.split()) == 2]
        assert all(
            expected[last] == digest for last, digest in lines[: None if reader.returncode == 0 else -1]
        )
        assert reader.returncode == (-signal.SIGKILL if reader is readers[2] else 0)
        assert reader is readers[2] or len(lines) == 40
    assert_right(version, cached(version))


def stored_segments(version: Version) -> SegmentStore:
    return SegmentStore(version.to_design(), version.survey_id, batches(version))


def test_the_longest_segment_of_the_wanted_batches_is_read() -> None:
    version = published("cache")
    arrive(version, 10, 20, 30)
    for end in (1, 3, 2):
        stored_segments(version).make(0, end)
    found = stored_segments(version).longest(0)
    assert found is not None
    assert (found.start, found.end, found.segment.matrix.n) == (0, 3, 60)
    fewer = SegmentStore(version.to_design(), version.survey_id, batches(version)[:2])
    found = fewer.longest(0)
    assert found is not None
    assert (found.end, found.segment.matrix.n) == (2, 30)
    assert stored_segments(version).longest(1) is None


def test_a_file_of_other_batches_with_the_same_rows_is_not_damaged(caplog: pytest.LogCaptureFixture) -> None:
    version = published("cache")
    arrive(version, 10)
    arrive(version, 10)
    stored_segments(version).make(0, 1)
    store = stored_segments(version)
    # Another process writes the second batch, whose file has the same name.
    stored_segments(version).make(1, 2)
    assert store.longest(0) is None
    assert caplog.text == ""


@pytest.mark.parametrize(("rows", "end"), [(139, 1), (140, 2), (199, 2), (200, 3), (99, 1)])
def test_a_segment_has_at_least_one_batch_and_at_most_this_many_rows(rows: int, end: int) -> None:
    version = published("cache")
    arrive(version, 100, 40, 60)
    assert stored_segments(version).segment_end(0, rows) == end
    stored_segments(version).make(1, 2)
    assert stored_segments(version).segment_end(0, rows) == 1, "the next segment is there"


def test_a_segment_is_merged_with_one_at_least_half_as_large(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [column_cache._due(200, newer) for newer in (99, 100, 300)] == [False, True, True]
    monkeypatch.setattr(column_cache, "ROWS_OF_A_SEGMENT", 300)
    assert [column_cache._due(200, newer) for newer in (99, 100, 101)] == [False, True, False]
