"""A run has its effect exactly once, whatever is killed, with real workers and a real broker."""

import hashlib
import itertools
import json
import random
import time
from collections.abc import Callable
from subprocess import Popen
from typing import Any

import pytest
from django.utils import timezone

from mining.thresholds import Thresholds
from surveys.jobs import lease
from surveys.jobs.dispatch import left_to_workers
from surveys.models import Job, Run, Version
from surveys.runs.run_requests import run_request
from tests.conftest import kill_group, wait_until
from tests.fixtures.runs import LOOSE, answered_version, long_work, mined_run

StartWorker = Callable[..., Popen[bytes]]

TRIALS = 2
MOST_TRIALS = 10
SEED = 20_261_120


def asked(version: Version, thresholds: Thresholds) -> Run:
    return run_request(version=version, thresholds=thresholds, by=None, now=timezone.now())


def state_of(run: Run) -> str:
    return Job.objects.get(pk=run.job_id).state


def result_of(run: Run) -> str:
    """Return a digest of a run's results, without its duration."""
    total = hashlib.sha256()
    for rows, order in ((run.itemsets, ("items",)), (run.rules, ("antecedent", "consequent"))):
        names = [field.attname for field in rows.model._meta.fields if field.attname not in ("id", "run_id")]
        for row in rows.order_by(*order).values_list(*names):
            total.update(repr(row).encode())
    stored = Run.objects.values("engine", "n", "n_direct", "n_protected", "snapshot_digest", "code_version")
    total.update(json.dumps(stored.get(pk=run.pk)).encode())
    return total.hexdigest()


def swept_until(condition: Callable[[], Any], *, what: str) -> None:
    """Wait for the condition while the sweeper runs, as in every installation."""

    def look() -> Any:
        lease.sweep(now=timezone.now())
        return condition()

    wait_until(look, what=what)


def kill_in_mid_run(run: Run, worker: Popen[bytes], *, after: float) -> bool:
    """Kill -9 the worker this long after it claims the run; return whether the run was still in progress."""
    wait_until(lambda: state_of(run) != "queued", what="the worker's claim")
    time.sleep(after)
    kill_group(worker)
    return state_of(run) == "running"


@pytest.mark.soak
def test_a_run_whose_worker_is_killed_completes_once_with_equal_results(
    start_worker: StartWorker, soak: int
) -> None:
    version, thresholds = long_work()
    undisturbed = mined_run(version, thresholds, anew=True)
    seconds = undisturbed.duration_seconds or 0.0
    wanted = result_of(undisturbed)
    rng = random.Random(SEED)
    interrupted = 0
    # Not at the very end, because the test notices the claim a moment later.
    latest = 0.8 * seconds
    worker = start_worker()
    for trial in itertools.count():
        # How long a worker takes is unknown, so kill earlier and earlier until one is interrupted.
        if trial >= (TRIALS if soak == 1 else MOST_TRIALS) and (interrupted or trial >= MOST_TRIALS):
            break
        moment = latest * rng.random()
        run = asked(version, thresholds)
        in_mid_run = kill_in_mid_run(run, worker, after=moment)
        interrupted += in_mid_run
        latest = latest if in_mid_run else latest / 2
        worker = start_worker()
        swept_until(lambda run=run: state_of(run) == "finished", what=f"the end of run {trial}")
        assert result_of(run) == wanted, f"trial {trial}, seed {SEED}, killed after {moment:.3f} s"
        assert not lease.perform(run.job_id, nothing_more)
    assert interrupted, f"no worker was killed in mid-run, seed {SEED}"


def nothing_more(job_id: int, report: lease.Report) -> Callable[[], None]:
    pytest.fail(f"job {job_id} was claimed after its end")


def test_workers_find_runs_that_were_never_sent(start_worker: StartWorker, broker_server: Any) -> None:
    version = answered_version()
    start_worker()
    broker_server.stop()
    run = asked(version, LOOSE)
    assert (state_of(run), Job.objects.get(pk=run.job_id).sends) == ("queued", 0)
    broker_server.start()
    wait_until(lambda: state_of(run) == "finished", what="the end of the run")
    with left_to_workers():
        again = asked(version, LOOSE)
    assert Job.objects.get(pk=again.job_id).sends == 0
    wait_until(lambda: state_of(again) == "finished", what="the end of the run that was written only")
