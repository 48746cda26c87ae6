"""Cached results of tests: equal arguments share one, different arguments do not, other processes read it."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.fixtures import result_cache
from tests.fixtures.result_cache import cached


@dataclass(frozen=True)
class Rows:
    counts: np.ndarray
    names: tuple[str, ...] = ("a",)


CALLS: list[float] = []


def total(rows: Rows, *, times: int = 1, progress: object = None) -> float:
    CALLS.append(times * rows.counts.sum())
    return CALLS[-1]


remembered = cached(total, lambda rows, *, times=1, progress=None: (rows, times))


@pytest.fixture(autouse=True)
def _empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("SOTTOVOCE_TEST_WORKED_OUT", f"{tmp_path}/worked-out")
    monkeypatch.setattr(result_cache, "_HERE", {})
    CALLS.clear()


def test_equal_work_is_done_once_and_read_by_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert remembered(Rows(np.arange(5_000)), progress=object()) == 12_497_500
    assert remembered(Rows(np.arange(5_000)), progress=None) == 12_497_500
    # Like a new process.
    monkeypatch.setattr(result_cache, "_HERE", {})
    assert remembered(Rows(np.arange(5_000))) == 12_497_500
    assert CALLS == [12_497_500]


def test_any_different_value_name_or_argument_is_computed_again() -> None:
    one = np.arange(5_000)
    other = one.copy()
    other[2_500] += 1
    for rows, times in ((Rows(one), 1), (Rows(other), 1), (Rows(one, ("b",)), 1), (Rows(one), 2)):
        remembered(rows, times=times)
    remembered(Rows(one.astype(float)))
    assert len(CALLS) == 5


def test_objects_without_a_content_repr_cannot_be_keys() -> None:
    with pytest.raises(AssertionError, match="at 0x"):
        cached(total, lambda rows: object())(Rows(np.arange(2)))
