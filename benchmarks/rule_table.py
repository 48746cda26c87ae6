"""Time the pages of a run of 50,000 rules, request by request, on SQLite or PostgreSQL.

    python -m benchmarks.rule_table [--rules 50000] [--repeat 7] [--json]

The database is that of DATABASE_URL, by default a SQLite file of its own; PostgreSQL gets a database that may
be thrown away. A request is the whole of Django, from the address to the last byte of the answer. Each is
sent once before it is timed, so that templates are compiled and pages of the file are in memory.
"""

from __future__ import annotations

import json
import os
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
    "sorted by adjusted p": "?sort=p_adjusted",
    "sorted by a further measure": "?also=phi&sort=-also",
    "an item on the left": "?item=7&side=antecedent",
    "text": "?text=q07+q11",
    "interval of lift above 1": "?lift_above=1",
    "five limits": "?lift_above=1&support_from=.02&confidence_from=.2&confidence_to=.9&p_adjusted_to=.5",
    "holds, not redundant, maximal": "?holds=yes&redundant=no&maximal=yes&sort=-confidence",
    "a further measure from": "?also=jaccard&also_from=.2&sort=-also",
    "nothing matches": "?lift_from=999999&item=3",
}


def set_up(home: str) -> None:
    """Start Django on an empty database."""
    os.environ |= {"SOTTO_HOME": home, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def fill(rules: int) -> int:
    """Store a finished run with so many made-up rules; return its number."""
    from django.utils import timezone

    from mining.thresholds import Thresholds
    from surveys.build.publish import survey_import, survey_publish
    from surveys.models import Job, Run

    document = json.loads((ROOT / "surveys/definitions/workplace.json").read_text(encoding="utf-8"))
    question = {"kind": "yes_no", "unrelated": [5000], "prevalence": [3000], "text": {"en": "Yes?"}}
    document |= {
        "title": {"en": "Rule table"},
        "about": {name: {"en": "Made for a measurement."} for name in document["about"]},
        "slug": "rule-table",
        "group": {"policy": "protected"},
        "blocks": [
            {
                "key": f"block{place}",
                "protected": True,
                "truth_probability": 6000,
                "title": {"en": "Part"},
                "questions": [{**question, "key": f"q{place:02}"}],
            }
            for place in range(QUESTIONS)
        ],
    }
    version = survey_publish(survey_import(document, by="benchmark"), by="benchmark", now=timezone.now())
    now = timezone.now()
    job = Job.objects.create(state="finished", created_at=now, send_due_at=now, started_at=now, ended_at=now)
    run = Run.objects.create(
        survey=version.survey,
        version=version,
        job=job,
        design_id=version.design_id,
        parameters=Thresholds(support=0.01, max_size=4).to_json(),
        snapshot_digest="0" * 64,
        engine="made up",
        n=5000,
        n_direct=0,
        n_protected=5000,
        batches=1,
        duration_seconds=1.0,
        summary={
            "itemsets": 0,
            "rules": rules,
            "inference": {
                "correction": "by",
                "family": {"lift": 10 * rules, "lift_by_size": {}, "confidence": 10 * rules},
                "tested": "lift", "passing": rules // 3, "redundant": rules // 5, "rule_level": 0.995,
                "itemset_level": 0.995, "maximal": 0, "closed": 0, "passing_confidence": None,
            },
        },
    )  # fmt: skip
    store(run, rules)
    return run.pk


def store(run: Any, rules: int) -> None:
    """Store the rows: sides of one to three items, measures that hang together."""
    from mining.interest import interest
    from surveys.models import RuleInference, RuleRow
    from surveys.report.labels import pack_items

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
                **{name: float(found[place]) for name, found in further.items() if np.isfinite(found[place])},
            )
            for place, pk in enumerate(RuleRow.objects.filter(run=run).values_list("pk", flat=True))
        ),
        batch_size=500,
    )
