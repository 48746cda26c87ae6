"""Time the pages of a run of 50,000 rules, request by request, on SQLite or PostgreSQL.

    python -m benchmarks.rule_table [--rules 50000] [--repeat 7] [--json]

The database is DATABASE_URL, by default a new SQLite file; for PostgreSQL, name a database that may be
overwritten. A request covers all of Django's work, from the URL to the last byte of the response. Each
request is sent once before it is timed, so that templates are compiled and pages of the file are in memory.
Processor time is that of this process, which with SQLite includes the whole request.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import sys
import tempfile
import time
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = 45
REQUESTS = {
    "first page": "",
    "last page": "?page=999999",
    "200 rules a page": "?size=200",
    "sorted by conviction, rising": "?sort=conviction",
    "sorted by lift, falling": "?sort=-lift",
    "an item on the left": "?item=7&side=antecedent",
    "text": "?text=q07+q11",
    "interval of lift above 1": "?lift_above=1",
    "five limits": "?lift_above=1&support_from=.02&confidence_from=.2&confidence_to=.9&p_adjusted_to=.5",
    "holds, not redundant, maximal": "?holds=yes&redundant=no&maximal=yes&sort=-confidence",
    "nothing matches": "?lift_from=999999&item=3",
}


def set_up(home: str) -> None:
    """Start Django on an empty database."""
    os.environ |= {"SOTTOVOCE_HOME": home, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def fill(rules: int) -> int:
    """Store a finished run with this many made-up rules; return its number."""
    from django.utils import timezone

    from mining.thresholds import Thresholds
    from surveys.authoring.publish import survey_import, survey_publish
    from surveys.models import Job, Run
    from surveys.runs.run_requests import run_request

    document = json.loads((ROOT / "surveys/definitions/workplace.json").read_text(encoding="utf-8"))
    question = {"kind": "yes_no", "unrelated": [5000], "prevalence": [3000], "text": {"en": "Yes?"}}
    document |= {
        "title": {"en": "Rule table"},
        "about": {name: {"en": "Made for a measurement."} for name in document["about"]},
        "slug": "rule-table",
        "group": {"policy": "protected"},
        "practice": False,
        "blocks": [
            {
                "key": f"block{place}",
                "protected": True,
                "truth_probability": 1000,
                "title": {"en": "Part"},
                "questions": [{**question, "key": f"q{place:02}"}],
            }
            for place in range(QUESTIONS)
        ],
    }
    survey = survey_import(document, by="benchmark")
    reason = "Made for a measurement."
    version = survey_publish(survey, by="benchmark", now=timezone.now(), reason=reason, is_readable_seen=True)
    answer(version)
    run = run_request(
        version=version, thresholds=Thresholds(support=0.01, max_size=4), by=None, now=timezone.now(),
        announce=False,
    )  # fmt: skip
    Job.objects.filter(pk=run.job_id).update(state="finished")
    inference = {
        "family": {"lift": 10 * rules, "lift_by_size": {}, "confidence": 10 * rules},
        "tested": "lift",
        "passing": rules // 3,
        "redundant": rules // 5,
        "rule_level": 0.995,
        "itemset_level": 0.995,
        "maximal": 0,
        "closed": 0,
        "passing_confidence": None,
    }
    Run.objects.filter(pk=run.pk).update(
        engine="made up",
        n_direct=0,
        n_protected=run.n,
        duration_seconds=1.0,
        summary={"itemsets": 0, "rules": rules, "inference": inference},
    )
    store(run, rules)
    return run.pk


def answer(version: Any) -> None:
    """Store two batches of random answers; runs leave out the newest batch."""
    from surveys.models import Batch

    bits = np.random.default_rng(7).integers(2, size=(2, 5_000, 1 + 2 * QUESTIONS), dtype=np.uint8)
    bits[:, :, 0], bits[:, :, 1::2] = 0, 1
    for rows in np.packbits(bits, axis=2):
        packed = rows.tobytes()
        Batch(version=version, n=len(rows), packed=packed, digest=hashlib.sha256(packed).hexdigest()).save()


def store(run: Any, rules: int) -> None:
    """Store the rules: sides of one to three items, and measures that are consistent with each other."""
    from mining.interest import interest
    from surveys.models import RuleInference, RuleRow
    from surveys.questionnaire.packed_items import pack_items

    rng = np.random.default_rng(20)
    sides = islice(
        (
            (items[:cut], items[cut:])
            for size in (2, 3, 4)
            for items in combinations(range(QUESTIONS), size)
            for cut in range(1, size)
        ),
        0,
        None,
        3,
    )
    chosen = list(islice(sides, rules))
    before, after = rng.uniform(0.05, 0.5, rules), rng.uniform(0.05, 0.5, rules)
    lift = np.exp(rng.normal(0.1, 0.4, rules))
    support = np.minimum(before * after * lift, np.minimum(before, after))
    confidence, lift = support / before, support / (before * after)
    conviction = (1 - after) / np.maximum(1 - confidence, 1e-3)
    values = {
        "support": support,
        "confidence": confidence,
        "lift": lift,
        "leverage": support - before * after,
        "conviction": conviction,
    }
    error = 0.01
    RuleRow.objects.bulk_create(
        (
            RuleRow(
                run=run,
                antecedent=pack_items(one),
                consequent=pack_items(other),
                antecedent_size=len(one),
                consequent_size=len(other),
                n=5000,
                error=error,
                **{
                    name + end: float(found[place]) + shift
                    for name, found in values.items()
                    for end, shift in (("", 0), ("_low", -2 * error), ("_high", 2 * error))
                },
                **{f"{name}_se": error for name in values},
            )
            for place, (one, other) in enumerate(chosen)
        ),
        batch_size=500,
    )
    further = interest(support, before, after)
    p_values = rng.beta(0.3, 1, rules)
    RuleInference.objects.bulk_create(
        (
            RuleInference(
                rule_id=pk,
                p_value=p_values[place],
                p_adjusted=min(1, 5 * p_values[place]),
                passes=5 * p_values[place] <= 0.05,
                redundant_by=pack_items([1]) if place % 5 == 0 else "",
                flips=place % 90 if place % 3 == 0 else None,
                maximal=place % 4 == 0,
                interest={
                    name: float(found[place]) if np.isfinite(found[place]) else None
                    for name, found in further.items()
                },
            )
            for place, pk in enumerate(RuleRow.objects.filter(run=run).values_list("pk", flat=True))
        ),
        batch_size=500,
    )


def measure(run_id: int, repeat: int) -> list[dict[str, Any]]:
    """Request every page several times; return the median and the largest milliseconds."""
    from django.contrib.auth.models import User
    from django.test import Client

    from surveys.models import RuleRow

    client = Client(HTTP_HOST="localhost")
    client.force_login(User.objects.create_superuser("benchmark"))
    first = RuleRow.objects.filter(run=run_id).order_by("pk")[7].pk
    paths = {name: f"/en/staff/runs/{run_id}/{query}" for name, query in REQUESTS.items()}
    paths["pictures, interval of lift above 1"] = f"/en/staff/runs/{run_id}/pictures/?lift_above=1"
    paths["one rule, its place among all"] = f"/en/staff/runs/{run_id}/rules/{first}/"
    paths |= {
        f"all rules as {name}": f"/en/staff/runs/{run_id}/rules.{name}" for name in ("csv", "json", "parquet")
    }
    results = []
    for name, path in paths.items():
        times, busy, size = [], [], 0
        for _ in range(repeat + 1 if "all rules" not in name else 2):
            start, worked = time.perf_counter(), time.process_time()
            response = client.get(path)
            body = b"".join(response) if response.streaming else response.content
            times.append(1000 * (time.perf_counter() - start))
            busy.append(1000 * (time.process_time() - worked))
            size = len(body)
            if response.status_code != 200:
                raise RuntimeError(f"{path} answers {response.status_code}")
        warm = times[1:]
        results.append(
            {
                "request": name,
                "median_ms": statistics.median(warm),
                "most_ms": max(warm),
                "processor_ms": statistics.median(busy[1:]),
                "bytes": size,
            }
        )
    return results


def main() -> None:
    """Fill the database, measure, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", type=int, default=50_000)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sottovoce-rules-") as home:
        set_up(home)
        from django.db import connection

        from benchmarks.machine import machine

        run_id = fill(arguments.rules)
        results = measure(run_id, arguments.repeat)
        report = {
            "database": connection.vendor,
            "rules": arguments.rules,
            "repeat": arguments.repeat,
            "machine": machine(),
            "requests": results,
        }
        connection.close()
    if arguments.json:
        sys.stdout.write(json.dumps(report, indent=1) + "\n")
        return
    sys.stdout.write(f"{report['rules']} rules, {report['database']}, {report['machine']}\n")
    for line in results:
        sys.stdout.write(
            f"{line['request']:38} median {line['median_ms']:7.0f} ms  most {line['most_ms']:7.0f} ms"
            f"  processor {line['processor_ms']:6.0f} ms"
            f"  {line['bytes'] / 1000:9.0f} kB\n"
        )


if __name__ == "__main__":
    main()
