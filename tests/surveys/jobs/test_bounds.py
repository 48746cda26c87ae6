"""A run that would cost too much is stopped; the message names the value to change and what to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from mining.progress import Progress
from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError, sentences
from surveys.jobs.dispatch import Bounds, bounded, megabytes_held
from surveys.runs.mining_job import mine_snapshot
from surveys.runs.request import run_request
from tests.fixtures.runs import LOOSE, alice, answered

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
def test_time_and_memory_stop_a_run_between_two_steps(
    seconds: tuple[float, ...], megabytes: tuple[float, ...], code: str, said: str
) -> None:
    clock, memory, told = readings(*seconds), readings(*megabytes), []
    bounds = Bounds(candidates=10, seconds=10, megabytes=100)
    progress = bounded(told.append, bounds, clock=clock.__next__, memory=memory.__next__)
    progress(STEP)
    with pytest.raises(SurveyError) as refusal:
        progress(STEP)
    assert (refusal.value.code, refusal.value.message) == (code, said)
    assert refusal.value.remedy.startswith("Raise the minimum support")
    assert told == [STEP, STEP]


def test_the_memory_of_this_process_is_told_in_megabytes() -> None:
    held = megabytes_held()
    assert 10 < held < 100_000
    kept = b"\1" * (64 << 20)
    assert megabytes_held() >= held + 48
    del kept


@pytest.mark.django_db
def test_a_run_beyond_the_candidates_that_the_settings_allow_fails_and_says_what_to_do(settings) -> None:
    settings.RUN_CANDIDATES = 5
    run = run_request(version=answered(), thresholds=LOOSE, by=alice(), now=timezone.now(), announce=False)
    with pytest.raises(PrivacyError) as refusal:
        mine_snapshot(run.job_id, lambda *progress: None)
    assert "more than 5 itemsets of 2 items" in sentences(refusal.value).lower()
