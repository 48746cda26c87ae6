"""A result is computed once for the same rows and arguments, and the cache keeps no run."""

import gc
import weakref
from dataclasses import replace

import pytest

from privacy.estimation.withheld import Evidence, Withheld
from privacy.printed import UNCHECKED, Measured
from surveys.models import Run
from surveys.runs.interim_or_final import Standing
from surveys.runs.snapshot_cache import _RunKey, once_per_snapshot
from surveys.runs.withheld import STORED


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


def test_a_result_is_not_that_of_the_same_rows_when_more_was_withheld() -> None:
    @once_per_snapshot(4)
    def withheld_questions(run: Run) -> list[str]:
        return sorted(run.summary.get(STORED, {}))

    whole, less = run(), run()
    less.summary = {STORED: Withheld(questions={1: Evidence(rows=4, n=30)}, keys=("a", "b")).to_json()}
    assert withheld_questions(whole) == []
    assert withheld_questions(less) == sorted(less.summary[STORED])
    assert withheld_questions(whole) == []


def test_a_result_states_the_look_of_now_and_keeps_objects_without_estimates() -> None:
    """A survey may close while a process keeps the results of its runs."""
    share = Measured(
        value=0.2, low=0.1, high=0.3, standard_error=0.05, estimable=True, n=100, effective_n=100.0,
        level=0.95, possible=(0.0, 1.0), method="scores", shift=0.0, origin=UNCHECKED,
    )  # fmt: skip
    calls = []

    @once_per_snapshot(4)
    def shares(run: Run) -> list[Measured]:
        calls.append(run)
        return [share, replace(share, value=0.25)]

    @once_per_snapshot(4)
    def counts(run: Run) -> list[list[int]]:
        return [[3], [4]]

    looks = []
    for is_final in (False, True):
        now = run()
        now.__dict__["_standing"] = Standing(is_final=is_final)
        looks.append([own.origin.look for own in shares(now)])
    assert looks == [["interim", "interim"], ["final", "final"]]
    assert len(calls) == 1
    assert counts(run()) is counts(run())


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
