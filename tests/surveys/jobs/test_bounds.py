from collections.abc import Iterator

import pytest

from mining import Progress
from surveys.errors.error import SurveyError
from surveys.jobs.bounds import Bounds, bound_progress, memory_megabytes

STEP = Progress(stage="counting", done=1, total=2)


def readings(*values: float) -> Iterator[float]:
    return iter(values)


@pytest.mark.parametrize(
    ("seconds", "megabytes", "code", "said"),
    [
        ((0, 10, 11), (50, 60, 60), "seconds", "The run did not finish within 10 seconds."),
        ((0, 1, 2), (50, 150, 151), "megabytes", "The run needed more than 100 MB of memory."),
    ],
)
def test_time_and_memory_limits_stop_a_run_between_steps(
    seconds: tuple[float, ...], megabytes: tuple[float, ...], code: str, said: str
) -> None:
    clock, memory, told = readings(*seconds), readings(*megabytes), []
    bounds = Bounds(candidates=10, seconds=10, megabytes=100)
    progress = bound_progress(told.append, bounds, clock=clock.__next__, memory=memory.__next__)
    progress(STEP)
    with pytest.raises(SurveyError) as refusal:
        progress(STEP)
    assert (refusal.value.code, refusal.value.message) == (code, said)
    assert refusal.value.remedy.startswith("Raise the minimum support")
    assert told == [STEP, STEP]


def test_process_memory_is_reported_in_megabytes() -> None:
    held = memory_megabytes()
    assert 10 < held < 100_000
    kept = b"\1" * (64 << 20)
    assert memory_megabytes() >= held + 48
    del kept
