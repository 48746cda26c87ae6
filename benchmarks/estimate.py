"""Measure what an installation costs per million answers: the figures of docs/estimate.md.

    python -m benchmarks.scale estimate [--answers 2000] [--seconds 20]
    python -m benchmarks.durable_postgresql python -m benchmarks.scale estimate

Web server, sweeper and worker run as on a server, each in its own process. Devices load a page and send an
answer to a shipped survey. Runs are measured in this process, as a worker does them. Processor seconds are
user and system time: a busy machine changes them less than durations. The last lines add them up.
"""

from __future__ import annotations

import http.client
import os
import resource
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from benchmarks import rule_table
from benchmarks.first_load import chromium
from benchmarks.machine import machine
from benchmarks.proxies import free_port
from benchmarks.submissions import load
from benchmarks.usage import group_of, log_written, processor_of, receipts_put, resident_mb, say
from tests.fixtures.first_question import effort_to_question_one

ROOT: Final = Path(__file__).resolve().parent.parent
MILLION: Final = 1_000_000
HOUR: Final = 3600
HOURS_OF_A_MONTH: Final = 730
SURVEYS: Final = {
    "small": rule_table.Case(answers=250, items=0, share=0.1, support=0.02),
    "large": rule_table.Case(answers=100_000, items=0, share=0.3, support=0.05),
}
"""Each with every number in `QUESTIONS`."""
QUESTIONS: Final = (5, 10, 20, 40, 60)
VISITS: Final = 100
RECEIPTS: Final = 100_000


@contextmanager
def processes(home: Path, port: int) -> Iterator[dict[str, int]]:
    """Start web server, sweeper and worker; yield their process ids, and that of PostgreSQL if it is used."""
    from surveys.server.process_commands import manage, web_command, worker_command

    commands = {
        "web": web_command("127.0.0.1", port),
        "sweeper": manage("sweep"),
        "worker": worker_command(concurrency=2),
    }
    logs: list[IO[bytes]] = []
    started: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name, command in commands.items():
            logs.append((home / f"{name}.log").open("wb"))
            started[name] = subprocess.Popen(
                command, cwd=ROOT, start_new_session=True, stdout=logs[-1], stderr=logs[-1]
            )
        yield {name: process.pid for name, process in started.items()} | database_process()
    finally:
        for process in started.values():
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for log in logs:
            log.close()


def database_process() -> dict[str, int]:
    """Return the process id of PostgreSQL, which must run on this machine; nothing for SQLite."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = int(cursor.fetchone()[0])
    parent = Path(f"/proc/{backend}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1]
    return {"database": int(parent)}


def wait_for(is_so: Callable[[], bool], seconds: float = 120) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise RuntimeError(f"not reached in {seconds} s")
        time.sleep(0.1)


def is_ready(port: int) -> bool:
    """Return whether all parts work."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        link.request("GET", "/ready")
        return link.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        link.close()


def addresses_of_a_visit(port: int, slug: str) -> list[str]:
    """Return what a browser requests from the start of a respondent's page to the first question."""
    found: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: found.append(request.url))
        page.goto(f"http://127.0.0.1:{port}/en/s/{slug}/")
        effort_to_question_one(page, "en")
        page.wait_for_load_state("networkidle")
        browser.close()
    return [urlsplit(url)._replace(scheme="", netloc="").geturl() for url in found if url.startswith("http")]


def visit(port: int, addresses: list[str]) -> int:
    """Request what a new visitor's browser requests; return the bytes, compressed."""
    link, size = http.client.HTTPConnection("127.0.0.1", port, timeout=60), 0
    for address in addresses:
        link.request("GET", address, headers={"Accept-Encoding": "gzip"})
        response = link.getresponse()
        size += len(response.read())
        if response.status != 200:
            raise RuntimeError(f"{address} answers {response.status}")
    link.close()
    return size


def children_seconds() -> float:
    """Return the processor seconds of this process and of its finished children."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


class Meter:
    """Measures processor seconds of process groups between two calls."""

    def __init__(self, pids: Mapping[str, int]) -> None:
        self._pids = pids
        self._cores = dict.fromkeys(pids, 0.0)
        self._before, self._at = self._now(), time.monotonic()

    def _now(self) -> dict[str, float]:
        return {name: sum(map(processor_of, group_of(pid))) for name, pid in self._pids.items()}

    def _spent(self) -> tuple[dict[str, float], float]:
        now, at = self._now(), time.monotonic()
        spent = {name: seconds - self._before[name] for name, seconds in now.items()}, at - self._at
        self._before, self._at = now, at
        return spent

    def idle(self) -> dict[str, float]:
        """Return the cores that each part used since the last call, while there was no work."""
        spent, seconds = self._spent()
        self._cores = {name: each / seconds for name, each in spent.items()}
        return self._cores

    def spent_by_work(self) -> dict[str, float]:
        """Return the seconds of each part since the last call, beyond what it uses without work."""
        spent, seconds = self._spent()
        return {name: each - self._cores[name] * seconds for name, each in spent.items()}


def log_bytes(home: Path) -> int:
    """Return the size of everything that the programs logged."""
    return sum(file.stat().st_size for file in home.glob("*.log"))


def traffic(home: Path, answers: int, seconds: float) -> dict[str, float]:
    """Measure idle processes, visits and answers; return the processor seconds of a visit with its answer."""
    from surveys.intake.keys import mixer_ready
    from surveys.models import Batch, Inbox
    from tests.fixtures.devices import published, request_of, shipped_definition

    mixer_ready()
    version = published(shipped_definition(slug="estimate"))
    requests = [request_of(version) for _ in range(answers + 50)]
    port = free_port()
    with processes(home, port) as pids:
        wait_for(lambda: is_ready(port))
        addresses = addresses_of_a_visit(port, version.survey.slug)
        visit(port, addresses)
        load(port, requests[:50], 8)
        meter = Meter(pids)
        time.sleep(seconds)
        idle = meter.idle()
        say(
            step="nothing happens", seconds=seconds,
            **{f"{name}_hours_per_month": cores * HOURS_OF_A_MONTH for name, cores in idle.items()},
        )  # fmt: skip
        for _ in range(VISITS):
            size = visit(port, addresses)
        visits = {name: spent / VISITS for name, spent in meter.spent_by_work().items()}
        say(step="a visit", requests=len(addresses), kilobytes=size / 1000, **_milliseconds(visits))
        before, logged = log_written(), log_bytes(home)
        _, _, failed = load(port, requests[50:], 8)
        if failed:
            raise RuntimeError(f"{failed} answers were refused")
        wait_for(lambda: Inbox.objects.count() < 100)
        spent = {name: each / answers for name, each in meter.spent_by_work().items()}
        rows = sum(Batch.objects.filter(version=version).values_list("n", flat=True))
        say(
            step="an answer", answers=answers, mixed=rows, **_milliseconds(spent),
            write_ahead_log_bytes=(log_written() - before) / answers,
            program_log_bytes=log_bytes(home) - logged,
            **{f"{name}_megabytes": sum(map(resident_mb, group_of(pid))) for name, pid in pids.items()},
        )  # fmt: skip
    return {name: visits[name] + spent[name] for name in spent}


def _milliseconds(seconds: Mapping[str, float]) -> dict[str, float]:
    return {f"{name}_ms": 1000 * each for name, each in seconds.items()}


def storage() -> float:
    """Measure the bytes of receipts, and return those of one."""
    from tests.fixtures.devices import published, shipped_definition

    version = published(shipped_definition(slug="receipts"))
    before = rule_table.stored_bytes()
    receipts_put(version.survey_id, RECEIPTS)
    each = (rule_table.stored_bytes() - before) / RECEIPTS
    say(step="a receipt", receipts=RECEIPTS, bytes=each)
    return each


def analyses() -> list[dict[str, float]]:
    """Measure runs by the number of questions and answers, and return their figures."""
    from mining.pipeline import warm_up

    warm_up()
    figures = []
    for name, survey in SURVEYS.items():
        for questions in QUESTIONS:
            case = replace(survey, items=questions)
            before = rule_table.stored_bytes()
            version = rule_table.survey_of(case, f"{name}-{questions}")
            row = sum(len(bytes(batch.packed)) for batch in version.batches.all()) / case.answers
            stored = (rule_table.stored_bytes() - before) / case.answers
            run, cost = rule_table.run_of(case, version)
            pages = rule_table.pages_of(run, 1, files=False)
            slowest = max(pages, key=lambda page: float(page["first_processor_ms"]))
            figure = {
                "answers": case.answers, "questions": questions, "row_bytes": row, "stored_bytes": stored,
                "run_seconds": cost["processor_seconds"], "run_bytes": cost["stored_bytes"],
                "itemsets": cost["itemsets"], "rules": cost["rules"],
                "process_megabytes": cost["peak_megabytes"],
                "slowest_page_ms": slowest["first_processor_ms"],
            }  # fmt: skip
            figures.append(figure)
            say(step="a run", **figure)
    return figures


def backup() -> None:
    """Measure a backup of all that was stored."""
    from django.utils import timezone

    from surveys.server.backup import backup_make

    with tempfile.TemporaryDirectory(prefix="sottovoce-backup-") as folder:
        place, before = Path(folder) / secrets.token_hex(4), children_seconds()
        backup_make(place, version="benchmark", now=timezone.now())
        size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
        say(
            step="a backup", seconds=children_seconds() - before, bytes=size,
            database_bytes=rule_table.stored_bytes(),
        )  # fmt: skip


def estimate(home: Path, answers: int, seconds: float) -> None:
    """Measure everything, and print what a million answers cost."""
    from django.db import connection

    say(step="machine", machine=machine(), database=connection.vendor)
    each = traffic(home, answers, seconds)
    receipt = storage()
    runs = analyses()
    backup()
    row = max(figure["row_bytes"] for figure in runs)
    say(
        step="a million answers", **{f"{name}_hours": MILLION * spent / HOUR for name, spent in each.items()},
        hours=MILLION * sum(each.values()) / HOUR, receipts_megabytes=receipt * MILLION / 1e6,
        rows_megabytes=row * MILLION / 1e6, answers_per_core_second=1 / sum(each.values()),
        answers_per_web_core_second=1 / each["web"],
    )  # fmt: skip
