"""A result is computed once for the same rows and arguments, and the cache keeps no run."""

import gc
import weakref

import pytest

from surveys.models import Run
from surveys.runs.snapshot_cache import _RunKey, once_per_snapshot


def run(pk: int = 1, digest: str = "d", design: str = "x") -> Run:
    return Run(pk=pk, design_id=design, snapshot_digest=digest)


def test_the_same_rows_and_arguments_are_computed_once() -> None:
    calls = []

    @once_per_snapshot(4)
    def doubled(run: Run, number: int) -> int:
        calls.append((run.pk, number))
        return 2 * number

    assert [doubled(run(), 3), doubled(run(), 3), doubled(run(), 4), doubled(run(2), 3)] == [6, 6, 8, 6]
    assert doubled(run(digest="e"), 3) == 6
    assert doubled(run(design="y"), 3) == 6
    assert calls == [(1, 3), (1, 4), (2, 3), (1, 3), (1, 3)]


def test_keys_are_equal_only_to_keys_of_the_same_rows_and_give_their_run_once() -> None:
    key, own = _RunKey(run()), run()
    assert key == _RunKey(run())
    assert key != _RunKey(run(digest="e"))
    assert key != key.key
    taken = _RunKey(own)
    assert taken.take() is own
    with pytest.raises(ValueError, match="taken before"):
        taken.take()
    gone = weakref.ref(own)
    del own
    gc.collect()
    assert gone() is None
