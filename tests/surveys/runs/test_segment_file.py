from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.precomputed_counts import precomputed_counts, precomputed_requests
from surveys.runs import segment_file
from surveys.runs.segment_file import Segment, batch_range, read_segment, write_segment
from tests.fixtures.questionnaires import EVERYTHING, bodies, grouped, true_rows
from tests.mining.columns.counted import count

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _home_of_its_own(settings: Any, tmp_path: Path) -> None:
    settings.SOTTOVOCE_HOME = tmp_path


DIGEST = "ab" * 32
REQUESTS = precomputed_requests(EVERYTHING)


def written(path: Path, n: int = 130) -> Segment:
    assert REQUESTS is not None
    packed = bodies(EVERYTHING, true_rows(n, seed=1), np.random.default_rng(1).random(n) < 0.3, seed=1)
    matrix = BitMatrix.from_rows(EVERYTHING, packed)
    kept = precomputed_counts(matrix, REQUESTS)
    segment = Segment(first=1, last=9, batches_digest=DIGEST, matrix=matrix, precomputed=kept)
    write_segment(path, segment)
    return segment


@pytest.mark.parametrize("n", [1, 64, 130])
def test_a_segment_survives_a_round_trip(tmp_path: Path, n: int) -> None:
    put = written(tmp_path / "1-9", n)
    found = read_segment(tmp_path / "1-9", EVERYTHING, DIGEST, REQUESTS)
    assert found is not None
    assert found.precomputed is not None
    assert put.precomputed is not None
    assert REQUESTS is not None
    assert (found.matrix.n_direct, found.matrix.n_protected) == (put.matrix.n_direct, put.matrix.n_protected)
    assert np.array_equal(found.precomputed.counts, put.precomputed.counts)
    assert np.array_equal(count(found.matrix, REQUESTS), put.precomputed.counts)
    assert [path.name for path in tmp_path.iterdir()] == ["1-9"]
    assert (tmp_path / "1-9").stat().st_mode & 0o777 == 0o600
    assert batch_range(tmp_path / "1-9") == (1, 9)


def test_cache_files_and_folders_hide_when_they_were_written(tmp_path: Path) -> None:
    written(tmp_path / "1-9")
    assert [path.stat().st_mtime for path in (tmp_path / "1-9", tmp_path)] == [0, 0]
    assert [path.stat().st_atime for path in (tmp_path / "1-9",)] == [0]


def test_equal_rows_give_identical_segment_files(tmp_path: Path) -> None:
    written(tmp_path / "1-9")
    written(tmp_path / "2-9")
    assert (tmp_path / "1-9").read_bytes() == (tmp_path / "2-9").read_bytes()
    assert (tmp_path / "1-9").read_bytes().startswith(b"sotto columns 3\n")


def test_a_segment_with_any_damage_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "1-9"
    written(path)
    sound = path.read_bytes()
    places = [*range(0, len(sound), 97), len(sound) - 1]
    for place in places:
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 4]) + sound[place + 1 :])
        found = read_segment(path, EVERYTHING, DIGEST, REQUESTS)
        # Only the padding after the header is not covered by a digest, and nothing reads it.
        assert found is None or set(sound[place - 1 : place + 1]) <= {0, ord("}")}
    for length in (0, 5, 40, 300, len(sound) - 64, len(sound) - 1):
        path.write_bytes(sound[:length])
        assert read_segment(path, EVERYTHING, DIGEST, REQUESTS) is None
    deep = sound[:16] + (100_000).to_bytes(8, "big") + b"[" * 100_000
    for other in (sound + bytes(64), deep):
        path.write_bytes(other)
        assert read_segment(path, EVERYTHING, DIGEST, REQUESTS) is None


def test_segments_of_other_batches_or_designs_are_ignored(tmp_path: Path) -> None:
    written(tmp_path / "1-9")
    assert read_segment(tmp_path / "1-9", EVERYTHING, "cd" * 32, REQUESTS) is None
    assert read_segment(tmp_path / "1-9", grouped([3]), DIGEST, REQUESTS) is None
    assert read_segment(tmp_path / "1-9", EVERYTHING, DIGEST, None) is None
    assert read_segment(tmp_path / "2-9", EVERYTHING, DIGEST, REQUESTS) is None


def test_facts_are_written_in_one_order() -> None:
    assert segment_file._canonical({"b": 1, "a": [2]}) == b'{"a": [2], "b": 1}'
