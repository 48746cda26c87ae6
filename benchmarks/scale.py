"""Measure the cost of an installation, and the limits of one database.

    python -m benchmarks.scale estimate [--answers 2000] [--seconds 20]
    python -m benchmarks.scale receipts [--millions 10]
    python -m benchmarks.scale expired [--millions 1]
    python -m benchmarks.scale partitions [--surveys 10000]
    python -m benchmarks.scale large [--millions 100]
    python -m benchmarks.scale open [--surveys 1000] [--waiting 3] [--rate 50] [--seconds 120]

Each measurement uses a separate database: SQLite, or DATABASE_URL, for example of a PostgreSQL server with
durable commits (`python -m benchmarks.durable_postgresql python -m benchmarks.scale ...`). Figures are
printed with the load of the machine. Processor seconds and memory are those of the named processes.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.datapath import closed_survey, installation, press, wait_until_idle, worker
from benchmarks.large import with_peak_memory
from benchmarks.usage import group_of, log_written, processor_of, receipts_put, resident_mb, say
from benchmarks.work import disguised_cells

ROOT = Path(__file__).resolve().parent.parent
MILLION = 1_000_000


def timed(work: Callable[[], Any]) -> float:
    """Return the running time of a function in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# Receipts


def table_bytes() -> int:
    """Return the size of the receipts table with its indexes, or of the whole SQLite database."""
    from django.db import connection

    query = (
        "SELECT pg_total_relation_size('surveys_receipt')"
        if connection.vendor == "postgresql"
        else "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


@contextmanager
def others_answer(version: Any, requests: list[bytes], latencies: list[float]) -> Iterator[None]:
    """In the background, store twenty answers a second to another survey, and record the duration of each."""
    from django.db import connection
    from django.utils import timezone

    from surveys.intake.receive import submission_receive

    over = threading.Event()

    def answer() -> None:
        while not over.wait(0.05):
            start = time.perf_counter()
            result = submission_receive(requests.pop(), now=timezone.now())
            latencies.append(time.perf_counter() - start if result.status == 200 else float("inf"))
        connection.close()

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def receipts(millions: float) -> None:
    """Delete a survey with many receipts, while another survey with a tenth as many is running."""
    with installation():
        from django.db import connection

        from surveys.authoring.deletion import clean_up, survey_delete
        from surveys.intake.keys import mixer_ready, vouching
        from surveys.models import Receipt, Survey, Version
        from tests.fixtures.devices import published, request_of, wide_definition

        mixer_ready()
        other = published(wide_definition("goes-on"))
        cells = disguised_cells(1_000, 10, 5)
        survey = closed_survey("goes", cells).survey
        Survey.objects.filter(pk=survey.pk).update(settled=True)
        count = int(millions * MILLION)
        receipts_put(other.survey_id, count // 10)
        say(step="receipts stored", seconds=timed(lambda: receipts_put(survey.pk, count)))
        before, log = table_bytes(), log_written()
        requests, latencies = [request_of(other) for _ in range(4_000)], list[float]()
        took = {}
        from surveys.authoring import deletion

        def later() -> None:
            took["clean_up"] = timed(clean_up)

        deletion.clean_up = later
        with vouching(), others_answer(Version.objects.get(pk=other.pk), requests, latencies):
            took["all"] = timed(lambda: survey_delete(Survey.objects.get(pk=survey.pk), by="benchmark"))
        say(
            step="survey deleted", receipts=count, seconds=took["all"], of_that_vacuum=took["clean_up"],
            table_mb_before=before / 1e6, table_mb_after=table_bytes() / 1e6,
            log_mb=(log_written() - log) / 1e6, others=len(latencies),
            others_median_ms=1000 * statistics.median(latencies), others_worst_ms=1000 * max(latencies),
        )  # fmt: skip
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                seconds = timed(lambda: cursor.execute("VACUUM FULL surveys_receipt"))
            left = Receipt.objects.count()
            say(step="VACUUM FULL", seconds=seconds, left=left, table_mb=table_bytes() / 1e6)
        # Store again, to see whether the space is reused.
        receipts_put(other.survey_id, count // 2)
        say(step="half as many stored again", table_mb=table_bytes() / 1e6, left=Receipt.objects.count())


def expired(millions: float) -> None:
    """Delete the receipts of a survey that closed long ago, while another survey is running."""
    with installation():
        from datetime import timedelta

        from django.utils import timezone

        from surveys.authoring.lifecycle import survey_close
        from surveys.intake.expired_receipts import SERVES_FOR, expired_receipts_delete, space_give_back
        from surveys.intake.keys import mixer_ready, vouching
        from surveys.models import Receipt, Version
        from tests.fixtures.devices import published, request_of, wide_definition

        mixer_ready()
        other = published(wide_definition("goes-on"))
        survey = published(wide_definition("goes"))
        empty = table_bytes()
        count = int(millions * MILLION)
        receipts_put(survey.survey_id, count)
        before = table_bytes()
        now = timezone.now()
        survey_close(survey.survey, by="benchmark", now=now - SERVES_FOR - timedelta(days=1), at_once=True)
        settled = table_bytes()
        requests, latencies = [request_of(other) for _ in range(4_000)], list[float]()
        with vouching(), others_answer(Version.objects.get(pk=other.pk), requests, latencies):
            seconds = timed(lambda: expired_receipts_delete(now=now))
        say(
            step="receipts deleted", receipts=count, seconds=seconds, mb_before=before / 1e6,
            mb_settled=settled / 1e6, mb_after=table_bytes() / 1e6, bytes_each=(before - empty) / count,
            others=len(latencies),
            others_median_ms=1000 * statistics.median(latencies), others_worst_ms=1000 * max(latencies),
        )  # fmt: skip
        seconds = timed(lambda: space_give_back(now=now))
        say(step="space given back, while answers arrive", seconds=seconds, mb=table_bytes() / 1e6)
        survey_close(other.survey, by="benchmark", now=now, at_once=True)
        seconds = timed(lambda: space_give_back(now=now))
        say(step="space given back", seconds=seconds, mb=table_bytes() / 1e6, left=Receipt.objects.count())


# Partitions of receipts, which Sottovoce does not use


def partitions(surveys: int) -> None:
    """Compare a table of receipts with one that has a partition per survey, on PostgreSQL."""
    with installation():
        from django.db import connection

        columns = "survey_id bigint, key bytea, digest bytea, PRIMARY KEY (survey_id, key)"
        look = "SELECT digest FROM {} WHERE survey_id = $1 AND key = $2"
        put = "INSERT INTO {} VALUES ($1, $2, $2) ON CONFLICT DO NOTHING"
        fill = "UPDATE {} SET digest = $2 WHERE survey_id = $1 AND key = $2 AND digest IS NULL"
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLE plain ({columns})")
            cursor.execute(f"CREATE TABLE apart ({columns}) PARTITION BY LIST (survey_id)")

            def make() -> None:
                for number in range(surveys):
                    cursor.execute(f"CREATE TABLE apart_{number} PARTITION OF apart FOR VALUES IN ({number})")

            say(step="partitions made", surveys=surveys, seconds=timed(make))
        for table in ("plain", "apart"):
            # Use a new session, so that its memory can be measured.
            connection.close()
            with connection.cursor() as cursor:
                figures = {}
                for name, statement in (("insert", put), ("look", look), ("invited", fill)):
                    cursor.execute(f"PREPARE {table}_{name} (bigint, bytea) AS {statement.format(table)}")
                    times = []
                    for number in range(200):
                        survey = number * 7919 % surveys
                        start = time.perf_counter()
                        cursor.execute(f"EXECUTE {table}_{name} ({survey}, 'k{number}')")
                        times.append(1000 * (time.perf_counter() - start))
                    figures[f"{name}_median_ms"] = statistics.median(times)
                    figures[f"{name}_worst_ms"] = max(times)
                cursor.execute("SELECT sum(total_bytes) / 1e6 FROM pg_backend_memory_contexts")
                say(step=table, surveys=surveys, **figures, session_mb=float(cursor.fetchone()[0]))
        with connection.cursor() as cursor:
            say(step="one dropped", seconds=timed(lambda: cursor.execute("DROP TABLE apart_1")))


# A very large survey


def very_large(millions: int) -> None:
    """Store this many million rows of sixty questions as batches, and mine them with two workers."""
    with installation():
        start = time.perf_counter()
        version = closed_survey("large", disguised_cells(MILLION, 60, 7), millions)
        say(step="stored", rows=millions * MILLION, seconds=time.perf_counter() - start)
        os.sync()
        with worker():
            for name, support in (("cold run", 0.05), ("warm run", 0.06)):
                wait_until_idle()
                processor = sum(map(processor_of, group_of(os.getpid())))
                (seconds, run), memory = with_peak_memory(lambda least=support: press(version, least))
                processor = sum(map(processor_of, group_of(os.getpid()))) - processor
                say(
                    step=name, seconds=seconds, processor=processor, itemsets=run.summary["itemsets"],
                    rules=run.summary["rules"], **memory,
                )  # fmt: skip


# Very many open surveys


def open_with_answers(surveys: int, waiting: int) -> list[Any]:
    """Open this many surveys, each with some waiting answers."""
    from django.db import transaction
    from django.utils import timezone

    from surveys.intake.keys import renew_vouch
    from surveys.intake.receive import submission_receive
    from tests.fixtures.devices import published, request_of, wide_definition

    versions = []
    for start in range(0, surveys, 100):
        with transaction.atomic():
            for number in range(start, min(start + 100, surveys)):
                versions.append(published(wide_definition(f"open-{number}", questions=8)))
    for version in versions:
        renew_vouch()
        for _ in range(waiting):
            result = submission_receive(request_of(version), now=timezone.now())
            if result.status != 200:
                raise RuntimeError(str(result))
    return versions


def rounds_of_sweeper(over: threading.Event, ages: list[float]) -> None:
    """Record the time between two heartbeats of the sweeper."""
    from django.db import connection

    from surveys.jobs.sweeper import SWEEPER_HEARTBEAT
    from surveys.models import Beat

    last = None
    while not over.wait(0.1):
        at = Beat.objects.filter(name=SWEEPER_HEARTBEAT).values_list("at", flat=True).first()
        if last is not None and at is not None and at != last:
            ages.append((at - last).total_seconds())
        last = at
    connection.close()


def sent_at_rate(port: int, requests: list[bytes], rate: float) -> tuple[list[float], int]:
    """Send requests at a fixed rate, without waiting for earlier responses; return seconds and failures."""
    import http.client

    latencies, failed, lock, places = list[float](), 0, threading.Lock(), iter(range(len(requests)))
    begin = time.perf_counter() + 0.5

    def client() -> None:
        nonlocal failed
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while True:
            with lock:
                place = next(places, None)
            if place is None:
                return
            due = begin + place / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            link.request(
                "POST", "/api/submissions", requests[place],
                {"Content-Type": "application/vnd.sotto.submission+json"},
            )  # fmt: skip
            response = link.getresponse()
            response.read()
            with lock:
                # Measured from the scheduled time, so that waiting for a free connection counts.
                latencies.append(time.perf_counter() - due)
                failed += response.status != 200

    threads = [threading.Thread(target=client) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return latencies, failed


def open_surveys(surveys: int, waiting: int, rate: float, seconds: float) -> None:
    """Let people answer many open surveys, each occasionally, while web server and sweeper are running."""
    import random

    with installation() as home:
        from django.db import connection

        from surveys.models import Batch, Inbox, MixerKey, Version
        from surveys.server.process_commands import manage, web_command
        from tests.fixtures.devices import request_of

        start = time.perf_counter()
        versions = open_with_answers(surveys, waiting)
        say(
            step="opened", surveys=surveys, waiting=Inbox.objects.count(), seconds=time.perf_counter() - start
        )
        versions = list(Version.objects.select_related("survey"))
        chosen = random.Random(5)
        requests = [request_of(chosen.choice(versions)) for _ in range(int(rate * seconds))]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        logs = {name: (home / f"{name}.log").open("wb") for name in ("web", "sweeper")}
        named = {"web": web_command("127.0.0.1", port), "sweeper": manage("sweep")}
        processes = {
            name: subprocess.Popen(
                words, cwd=ROOT, start_new_session=True, stdout=logs[name], stderr=subprocess.STDOUT
            )
            for name, words in named.items()
        }
        over, ages = threading.Event(), list[float]()
        watch = threading.Thread(target=rounds_of_sweeper, args=(over, ages))
        try:
            while True:
                with socket.socket() as link:
                    if link.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            # Wait for the sweeper's first round, which draws the keys of all surveys.
            time.sleep(20)
            watch.start()
            used = {name: sum(map(processor_of, group_of(p.pid))) for name, p in processes.items()}
            started = time.perf_counter()
            latencies, failed = sent_at_rate(port, requests, rate)
            took = time.perf_counter() - started
            used = {
                name: sum(map(processor_of, group_of(p.pid))) - used[name] for name, p in processes.items()
            }
            memory = {name: sum(map(resident_mb, group_of(p.pid))) for name, p in processes.items()}
        finally:
            over.set()
            for process in processes.values():
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        watch.join()
        cuts = statistics.quantiles(latencies, n=100)
        oldest = MixerKey.objects.filter(current=True).order_by("drawn_at").first()
        say(
            step="answered", surveys=surveys, vendor=connection.vendor, rate=rate, sent=len(requests),
            failed=failed, p50_ms=1000 * cuts[49], p99_ms=1000 * cuts[98], worst_ms=1000 * max(latencies),
            **{f"{name}_cores": seconds / took for name, seconds in used.items()},
            **{f"{name}_mb": mb for name, mb in memory.items()},
            rounds=len(ages), round_median=statistics.median(ages) if ages else None,
            round_worst=max(ages, default=None),
        )  # fmt: skip
        from django.utils import timezone

        say(
            step="afterwards", waiting=Inbox.objects.count(), batches=Batch.objects.count(),
            keys=MixerKey.objects.count(),
            oldest_current_key_minutes=(timezone.now() - oldest.drawn_at).total_seconds() / 60
            if oldest
            else None,
            said_by_sweeper=(home / "sweeper.log").read_text()[-300:],
        )  # fmt: skip


def installation_cost(answers: int, seconds: float) -> None:
    """Measure what a million answers cost; see `benchmarks.estimate`."""
    from benchmarks.estimate import estimate

    os.environ["SOTTOVOCE_SUBMISSION_RATE"] = "1000000,1000000"
    with installation() as home:
        estimate(home, answers, seconds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    cost = kinds.add_parser("estimate")
    cost.add_argument("--answers", type=int, default=2_000)
    cost.add_argument("--seconds", type=float, default=20)
    kinds.add_parser("receipts").add_argument("--millions", type=float, default=10)
    kinds.add_parser("expired").add_argument("--millions", type=float, default=1)
    kinds.add_parser("partitions").add_argument("--surveys", type=int, default=10_000)
    kinds.add_parser("large").add_argument("--millions", type=int, default=100)
    many = kinds.add_parser("open")
    many.add_argument("--surveys", type=int, default=1_000)
    many.add_argument("--waiting", type=int, default=3)
    many.add_argument("--rate", type=float, default=50)
    many.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    if options.kind == "estimate":
        installation_cost(options.answers, options.seconds)
    elif options.kind == "receipts":
        receipts(options.millions)
    elif options.kind == "expired":
        expired(options.millions)
    elif options.kind == "partitions":
        partitions(options.surveys)
    elif options.kind == "large":
        very_large(options.millions)
    else:
        open_surveys(options.surveys, options.waiting, options.rate, options.seconds)


if __name__ == "__main__":
    main()
