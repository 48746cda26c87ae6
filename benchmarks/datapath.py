"""Time the path of the rows from the press of "mine" to the stored report, and the counting of new batches.

    python -m benchmarks.datapath [--n 1000000] [--items 60] [--repeat 5] [--spread 4]
                                  [--homes 4] [--json]

Runs with a separate home, broker, worker and database (DATABASE_URL, by default SQLite). Cold runs have no
column cache, warm runs have one. Times are from the request until the job is finished, checked every 2 ms.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.work import disguised_cells, work_design

ROOT = Path(__file__).resolve().parent.parent
ROWS_OF_A_BATCH = 20_000


def definition(slug: str, items: int) -> dict[str, Any]:
    """Return the questionnaire of the work as a definition."""
    text = {"en": "Made for a measurement."}
    names = ("researcher", "purpose", "ethics", "contact", "retention", "age_limit", "help", "undisguised")
    questions = [
        {
            "key": question.key, "kind": "yes_no", "unrelated": list(question.unrelated),
            "prevalence": [2000], "text": {"en": question.key},
        }
        for question in work_design(items).questions
    ]  # fmt: skip
    block = work_design(items).blocks[0]
    return {
        "sotto": 1, "slug": slug, "title": text, "practice": True, "about": dict.fromkeys(names, text),
        "group": {"policy": "choice"},
        "blocks": [
            {
                "key": block.key, "protected": True, "truth_probability": block.truth_probability,
                "title": text, "questions": questions,
            }
        ],
    }  # fmt: skip


@contextmanager
def installation() -> Iterator[Path]:
    """Set up a home with a migrated database and a broker, and use it in this process."""
    with tempfile.TemporaryDirectory(prefix="sottovoce-benchmark-") as directory:
        home = Path(directory)
        os.environ.update(
            SOTTOVOCE_HOME=directory,
            REDIS_URL=f"redis+socket://{home}/broker.sock",
            DJANGO_SETTINGS_MODULE="surveys.settings",
        )
        import django

        django.setup()
        from django.core.management import call_command

        from surveys.server import broker

        call_command("migrate", verbosity=0)
        server = subprocess.Popen(broker.command(home / broker.SOCKET_NAME), start_new_session=True)
        try:
            yield home
        finally:
            server.terminate()
            server.wait()


@contextmanager
def worker(**settings: str) -> Iterator[None]:
    """Start workers as ./run does, with these settings, and wait until they answer."""
    from django.utils import timezone

    from surveys.jobs.heartbeats import WORKER_HEARTBEAT
    from surveys.models import Beat
    from surveys.server.process_commands import worker_command
    from surveys.tasks import ping

    process = subprocess.Popen(
        worker_command(concurrency=2), cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={**os.environ, **settings},
    )  # fmt: skip
    try:
        asked = timezone.now()
        ping.delay()
        while not Beat.objects.filter(name=WORKER_HEARTBEAT, at__gte=asked).exists():
            if process.poll() is not None:
                raise RuntimeError(f"the worker ended with {process.returncode}")
            time.sleep(0.05)
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until_idle() -> None:
    """Wait until two checks in a row find no work; between them the workers look for work twice."""
    from surveys.celery import app
    from surveys.models import Job
    from surveys.worker import SECONDS_BETWEEN_JOBS

    quiet = 0
    while quiet < 2:
        time.sleep(2 * SECONDS_BETWEEN_JOBS)
        asked = app.control.inspect()
        said = [asked.active(), asked.reserved(), asked.scheduled()]
        live = Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).exists()
        idle = not live and all(tasks is not None and not any(tasks.values()) for tasks in said)
        quiet = quiet + 1 if idle else 0


def closed_survey(slug: str, cells: NDArray[np.int8], times: int = 1) -> Any:
    """Create a closed survey with these answers in batches, repeated `times` times; return its version."""
    from django.utils import timezone

    from mining.columns.row_writer import RowWriter
    from surveys.authoring.drafts import survey_import
    from surveys.authoring.lifecycle import survey_close
    from surveys.authoring.publish import survey_publish
    from surveys.models import Batch, Version

    survey = survey_import(definition(slug, cells.shape[1] - 1), by="benchmark")
    # One block of sixty questions protects no respondent, but no one answers this survey.
    reason = "Made-up rows, to be timed."
    version = survey_publish(survey, by="benchmark", now=timezone.now(), reason=reason, is_readable_seen=True)
    writer = RowWriter(version.to_design())
    for start in range(0, len(cells), ROWS_OF_A_BATCH):
        some = cells[start : start + ROWS_OF_A_BATCH]
        packed = writer.pack(some)
        digest = hashlib.sha256(packed).hexdigest()
        for _ in range(times):
            Batch.objects.create(version=version, n=len(some), packed=packed, digest=digest)
    survey_close(version.survey, by="benchmark", now=timezone.now(), at_once=True)
    return Version.objects.select_related("survey").get(pk=version.pk)


def press(version: Any, support: float) -> tuple[float, Any]:
    """Request a run as the button does; return the seconds until its report is stored, and the run."""
    from django.utils import timezone

    from mining.thresholds import Thresholds
    from surveys.models import Job
    from surveys.runs.run_requests import run_request

    start = time.perf_counter()
    run = run_request(
        version=version,
        thresholds=Thresholds(support=support, max_size=3),
        by=None,
        now=timezone.now(),
        lists_all=True,
    )
    while True:
        job = Job.objects.get(pk=run.job_id)
        seconds = time.perf_counter() - start
        if job.is_over:
            break
        # Adds at most 0.2% to the time. Checking without a pause took a fifth of a core from a long run.
        time.sleep(max(0.002, seconds / 500))
    if job.state != Job.State.FINISHED:
        raise RuntimeError(job.message)
    run.refresh_from_db()
    return seconds, run


def warm_up_run(version: Any) -> None:
    """Run once, and wait for the audit that follows the first run on these rows."""
    from surveys.models import Run

    _, run = press(version, 0.05)
    end = time.monotonic() + 300
    while "audit" not in Run.objects.get(pk=run.pk).summary and time.monotonic() < end:
        time.sleep(0.1)


def cold_and_warm_runs(version: Any, home: Path, repeat: int) -> list[dict[str, Any]]:
    """Time cold runs, then warm runs, each with a new threshold."""
    rows = []
    for kind in ("cold", "warm"):
        seconds = []
        for number in range(repeat):
            if kind == "cold":
                shutil.rmtree(home / "columns", ignore_errors=True)
            taken, run = press(version, 0.05 + 0.0001 * number)
            seconds.append(taken)
        rows.append(
            {
                "figure": f"press to stored report, {kind}", "median": statistics.median(seconds),
                "fastest": min(seconds), "runs": repeat, "itemsets": run.summary["itemsets"],
                "rules": run.summary["rules"], "engine": run.engine,
            }
        )  # fmt: skip
    return rows


def spread(cells: NDArray[np.int8], home: Path, millions: int, repeat: int) -> list[dict[str, Any]]:
    """Time cold runs of growing surveys by one worker process and by two, to find where sharing pays."""
    rows, times = [], 1
    while times <= millions:
        version = closed_survey(f"spread-{times}", cells, times)
        n = len(cells) * times
        found: dict[str, Any] = {"figure": "cold run by one worker, and shared by two", "n": n}
        for name, least in (("one", 10**9), ("two", 1)):
            with worker(SOTTOVOCE_SPREAD=f"{least},{n // 2}"):
                warm_up_run(version)
                seconds = []
                for number in range(repeat):
                    shutil.rmtree(home / "columns", ignore_errors=True)
                    seconds.append(press(version, 0.05 + 0.0001 * number)[0])
            found[name] = statistics.median(seconds)
        rows.append(found | {"ratio": found["two"] / found["one"]})
        times *= 2
    return rows


def homes(cells: NDArray[np.int8], home: Path, millions: int, repeat: int) -> dict[str, Any]:
    """Time cold runs of one survey by one machine, and by three machines with separate homes.

    The machines share the database and the broker, and exchange the counts of a run's parts through the
    database. Here they share the cores of one machine, so three should take no longer than one, and need only
    one attempt.
    """
    version = closed_survey("homes", cells, millions)
    n = len(cells) * millions
    found: dict[str, Any] = {
        "figure": "cold run by one machine, and by three with homes of their own",
        "n": n,
    }
    shared = {
        "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{connected()}",
        "SOTTOVOCE_SPREAD": f"1,{n // 4}",
    }
    for name, machines in (("one", 1), ("three", 3)):
        places = [home, *(home / f"machine-{number}" for number in range(2, machines + 1))]
        with ExitStack() as stack:
            for place in places:
                place.mkdir(exist_ok=True)
                if place != home:
                    shutil.copy(home / "secret_key", place)
                stack.enter_context(worker(**shared, SOTTOVOCE_HOME=str(place)))
            warm_up_run(version)
            seconds, attempts = [], []
            for number in range(repeat):
                for place in places:
                    shutil.rmtree(place / "columns", ignore_errors=True)
                taken, run = press(version, 0.05 + 0.0001 * number)
                seconds.append(taken)
                attempts.append(run.job.attempts)
        found |= {name: statistics.median(seconds), f"attempts by {name}": max(attempts)}
    return found | {"ratio": found["three"] / found["one"]}


def connected() -> str:
    """Return the name of this process's database."""
    from django.db import connection

    return str(connection.settings_dict["NAME"])


def batch_counting(cells: NDArray[np.int8], repeat: int) -> dict[str, Any]:
    """Time the building of columns and precomputed counts for a new batch of 4,096 rows, per response."""
    from mining.columns.bitmatrix import BitMatrix
    from mining.columns.precomputed_counts import add_counts, precomputed_counts, precomputed_requests
    from mining.columns.row_writer import RowWriter

    design = work_design(cells.shape[1] - 1)
    requests = precomputed_requests(design)
    if requests is None:
        raise RuntimeError("too many itemsets to be kept")
    packed = RowWriter(design).pack(cells[:4096])
    total, seconds = precomputed_counts(BitMatrix.from_rows(design, packed), requests, engine="auto"), []
    for engine in ("numba", "numpy"):
        times = []
        for _ in range(max(5, repeat)):
            start = time.process_time()
            total = add_counts(
                [total, precomputed_counts(BitMatrix.from_rows(design, packed), requests, engine=engine)]
            )
            times.append(time.process_time() - start)
        seconds.append(statistics.median(times[1:]) / 4096)
    return {
        "figure": "a response counted in all itemsets of up to 3",
        "numba": seconds[0],
        "numpy": seconds[1],
    }


def measure(n: int, items: int, repeat: int, shared: int, apart: int) -> list[dict[str, Any]]:
    """Run all measurements."""
    cells = disguised_cells(n, items, 5)
    with installation() as home:
        rows = [batch_counting(cells, repeat)]
        version = closed_survey("work", cells)
        with worker():
            warm_up_run(version)
            rows += cold_and_warm_runs(version, home, repeat)
        rows += spread(cells, home, shared, repeat)
        if apart:
            rows.append(homes(cells, home, apart, repeat))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--items", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--spread", type=int, default=4, help="largest survey to share out, in n rows")
    parser.add_argument("--homes", type=int, default=4, help="survey of three homes, in n rows; 0 for none")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.n, options.items, options.repeat, options.spread, options.homes)
    print(json.dumps(rows) if options.json else "\n".join(map(str, rows)))


if __name__ == "__main__":
    main()
