"""Measure a long result: what the run costs, what it stores, and how fast its pages open.

    python -m benchmarks.rule_table [--repeat 5] [--case large] [--files] [--json]
    python -m tests.postgresql python -m benchmarks.rule_table

The database is DATABASE_URL, by default a new SQLite file; for PostgreSQL, name a database that may be
overwritten, or use the temporary one above. Each case is a survey of yes/no questions in one protected part,
with p = 1/2 and decoys of 1/2, and made-up people. The run is done in this process, as a worker does it:
after `mining.pipeline.warm_up`. "First opening" is a request in a process that has not read the result
before. A request covers all of Django's work, from the URL to the last byte of the response. Processor time
is that of this process, which with SQLite includes the whole request. With --files, the files of all rules
are written, too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmarks.datapath import definition


@dataclass(frozen=True, kw_only=True)
class Case:
    """A survey: how many people answered how many questions, and how common "yes" is."""

    answers: int
    items: int
    share: float
    support: float = 0.05


CASES = {
    "ten": Case(answers=10, items=10, share=0.5),
    "hundred": Case(answers=100, items=10, share=0.05, support=0.01),
    "five-hundred": Case(answers=500, items=20, share=0.05, support=0.01),
    "rare": Case(answers=37_000, items=60, share=0.03, support=0.01),
    "large": Case(answers=37_000, items=60, share=0.5),
}
"""In this order, so that the peak memory of each run is not that of an earlier, larger one."""

REQUESTS = {
    "rules, page 1": "",
    "rules, page 50": "?page=50",
    "rules, last page": "?page=999999",
    "200 rules a page": "?size=200",
    "sorted by conviction, rising": "?sort=conviction",
    "sorted by lift, falling, page 50": "?sort=-lift&page=50",
    "sorted by error": "?sort=error",
    "sorted by flips": "?sort=flips",
    "an item on the left": "?item=7&side=antecedent",
    "text": "?text=q01+q02",
    "interval of lift above 1": "?lift_above=1",
    "five limits": "?lift_above=1&support_from=.02&confidence_from=.2&confidence_to=.9&p_adjusted_to=.5",
    "holds, not redundant, maximal": "?holds=yes&redundant=no&maximal=yes&sort=-confidence",
    "nothing matches": "?lift_from=999999&item=3",
}
PAGES = {"results": "results/", "tests": "tests/", "itemsets": "itemsets/"}


def set_up(home: str) -> None:
    """Start Django on an empty database."""
    os.environ |= {"SOTTOVOCE_HOME": home, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def survey_of(case: Case, slug: str) -> Any:
    """Publish the questionnaire of a case and store its answers in four batches; return the version."""
    from django.utils import timezone

    from surveys.authoring.drafts import survey_import
    from surveys.authoring.publish import survey_publish
    from surveys.models import Batch

    document = definition(slug, case.items) | {"group": {"policy": "protected"}}
    (block,) = document["blocks"]
    block["truth_probability"] = 5_000
    for question in block["questions"]:
        question |= {"unrelated": [5_000], "prevalence": [round(10_000 * case.share)]}
    version = survey_publish(
        survey_import(document, by="benchmark"),
        by="benchmark",
        now=timezone.now(),
        reason="Made for a measurement.",
        is_readable_seen=True,
    )
    rng = np.random.default_rng(7)
    true = rng.random((case.answers, case.items)) < case.share
    # An eighth of the items go together in an eighth of the people.
    kind = rng.integers(8, size=(case.answers, 1))
    true |= (np.arange(case.items) % 8 == kind) & (rng.random(true.shape) < 0.6 * case.share)
    is_decoy = rng.random((case.answers, 1)) < 0.5
    rows = np.where(is_decoy, rng.random(true.shape) < 0.5, true)
    bits = np.ones((case.answers, 1 + 2 * case.items), dtype=np.uint8)
    bits[:, 0], bits[:, 2::2] = 0, rows
    for part in np.array_split(np.packbits(bits, axis=1), 4):
        packed = part.tobytes()
        digest = hashlib.sha256(packed).hexdigest()
        Batch(version=version, n=len(part), packed=packed, digest=digest).save()
    return version


def stored_bytes() -> int:
    """Return the used bytes of the database."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT (page_count - freelist_count) * page_size"
                " FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
            )
        else:
            cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def run_of(case: Case, version: Any) -> tuple[Any, dict[str, Any]]:
    """Do the run of a case; return it with its cost."""
    from django.utils import timezone

    from mining.thresholds import Thresholds
    from surveys.jobs import lease
    from surveys.models import Run
    from surveys.runs.mining_job import mine_snapshot
    from surveys.runs.run_requests import run_request

    run = run_request(
        version=version,
        thresholds=Thresholds(support=case.support),
        by=None,
        now=timezone.now(),
        announce=False,
        lists_all=True,
    )
    claim = lease.claim(run.job_id, now=timezone.now())
    if claim is None:
        raise RuntimeError("the job cannot be claimed")
    size, start, worked = stored_bytes(), time.perf_counter(), time.process_time()
    store = mine_snapshot(run.job_id, lambda *_: None)
    lease.finish(claim, now=timezone.now(), store=store)
    spent = {"seconds": time.perf_counter() - start, "processor_seconds": time.process_time() - worked}
    run = Run.objects.get(pk=run.pk)
    return run, spent | {
        "stored_bytes": stored_bytes() - size,
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "itemsets": run.summary["itemsets"],
        "rules": run.summary["rules"],
    }


def forget() -> None:
    """Empty the caches of results, as in a process that has not read any."""
    from privacy.estimation import required_counts
    from surveys.runs import counted_result

    counted_result._read.cache_clear()
    required_counts._plan_events.cache_clear()


def pages_of(run: Any, repeat: int, *, files: bool) -> list[dict[str, Any]]:
    """Request every page: once in a process that has not read the result, then several times."""
    from django.test import Client

    from surveys.report.rules.rows_or_counts import listing_of
    from surveys.report.rules.rule_query import RuleQuery

    client = Client(HTTP_HOST="localhost")
    client.force_login(_staff())
    base = f"/en/staff/runs/{run.pk}/"
    paths = {name: base + query for name, query in REQUESTS.items()}
    paths |= {name: base + page for name, page in PAGES.items()}
    keys = listing_of(run).keys(RuleQuery(), 0, 8)
    if keys:
        paths["one rule, its place among all"] = f"{base}rules/{keys[-1]}/"
    if files:
        paths |= {f"all rules as {ending}": f"{base}rules.{ending}" for ending in ("csv", "json")}
    client.get("/en/staff/")
    results = []
    for name, path in paths.items():
        forget()
        times, worked, size = [], [], 0
        for _ in range(repeat + 1 if "all rules" not in name else 2):
            start, busy = time.perf_counter(), time.process_time()
            response = client.get(path)
            body = b"".join(response) if response.streaming else response.content
            times.append(1000 * (time.perf_counter() - start))
            worked.append(1000 * (time.process_time() - busy))
            size = len(body)
            if response.status_code != 200:
                raise RuntimeError(f"{path} answers {response.status_code}")
        results.append(
            {
                "request": name,
                "first_ms": times[0],
                "first_processor_ms": worked[0],
                "median_ms": statistics.median(times[1:]),
                "most_ms": max(times[1:]),
                "processor_ms": statistics.median(worked[1:]),
                "bytes": size,
            }
        )
    return results


def _staff() -> Any:
    from django.contrib.auth.models import User

    return User.objects.filter(username="benchmark").first() or User.objects.create_superuser("benchmark")


def main() -> None:
    """Measure each case and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", choices=CASES, action="append", help="default: all")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--files", action="store_true", help="write the files of all rules, too")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sottovoce-rules-") as home:
        set_up(home)
        from django.db import connection

        from benchmarks.machine import machine
        from mining.pipeline import warm_up

        warm_up()
        report: dict[str, Any] = {"database": connection.vendor, "machine": machine(), "cases": []}
        for number, name in enumerate(arguments.case or CASES):
            case = CASES[name]
            run, cost = run_of(case, survey_of(case, f"case-{number}"))
            pages = pages_of(run, arguments.repeat, files=arguments.files)
            report["cases"].append({"case": name, **asdict(case), **cost, "pages": pages})
        connection.close()
    sys.stdout.write(json.dumps(report, indent=1) + "\n" if arguments.json else text_of(report))


def text_of(report: dict[str, Any]) -> str:
    """Return a report as text."""
    lines = [f"{report['database']}, {report['machine']}"]
    for case in report["cases"]:
        lines.append(
            f"\n{case['case']}: {case['answers']} answers, {case['items']} items of {case['share']:.0%}, "
            f"support from {case['support']}: {case['itemsets']} itemsets, {case['rules']} rules"
        )
        lines.append(
            f"  run: {case['processor_seconds']:.2f} s of processor ({case['seconds']:.2f} s), "
            f"{case['stored_bytes'] / 1e6:.2f} MB stored, peak {case['peak_megabytes']:.0f} MB"
        )
        lines += [
            f"  {page['request']:32} first {page['first_ms']:6.0f} ms ({page['first_processor_ms']:.0f} of "
            f"processor)  then {page['median_ms']:6.0f} ms ({page['processor_ms']:.0f})  "
            f"most {page['most_ms']:6.0f} ms  {page['bytes'] / 1000:7.0f} kB"
            for page in case["pages"]
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
