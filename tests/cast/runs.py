"""A small survey with answers in it, runs on it, and somebody to read the report."""

from __future__ import annotations

import contextlib
import functools
import random
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from django.contrib.auth.models import User
from django.utils import timezone

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.pipeline import MiningResult
from mining.progress import ProgressListener
from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.access.roles import Role, roles_keep
from surveys.authoring.publish import survey_import, survey_publish
from surveys.intake.keys import mixer_ready
from surveys.jobs import lease
from surveys.models import RuleRow, Run, Survey, Version
from surveys.questionnaire.aim import Aim
from surveys.runs import mining_job
from surveys.runs.audit_job import audit_rows_of_job
from surveys.runs.request import run_request
from tests.cast.devices import about, closed, explained, stored, version_of
from tests.cast.scenes import scene
from tests.cast.staff import seen_by
from tests.cast.worked_out import once

LOOSE = Thresholds(support=0.02, max_size=3)


def words_of(**texts: str) -> dict[str, str]:
    return texts


def definition(
    slug: str = "habits", *, policy: str = "choice", practice: bool = False, light: bool = False
) -> dict[str, Any]:
    """Return one open question and two protected blocks, of two strengths if wanted."""

    def yes_no(key: str, text: str, theta: int) -> dict[str, Any]:
        return {
            "key": key, "kind": "yes_no", "unrelated": [theta], "prevalence": [3000], "text": {"en": text},
        }  # fmt: skip

    document = {
        "sotto": 1,
        "slug": slug,
        "title": {"en": "Habits <b>&</b> work"},
        "practice": practice,
        "about": about(),
        "group": {
            "policy": policy,
            **({"direct_share": 2000} if policy == "assigned" else {}),
            **({"light": True} if light else {}),
        },
        "blocks": [
            {
                "key": "you",
                "protected": False,
                "title": {"en": "You"},
                "questions": [
                    {
                        "key": "age",
                        "kind": "single",
                        "text": {"en": "How old are you?"},
                        "options": [
                            {"key": "young", "text": {"en": "Below 40"}},
                            {"key": "old", "text": {"en": "40 or older"}},
                        ],
                    }
                ],
            },
            {
                "key": "work",
                "protected": True,
                "truth_probability": 6000,
                "no_skip": "Made for a test.",
                "title": {"en": "Work"},
                "questions": [
                    yes_no("late", "Are you often late?", 5000),
                    yes_no("cheat", "Have you cheated?", 4000),
                ],
            },
            {
                "key": "life",
                "protected": True,
                "truth_probability": 7000,
                "no_skip": "Made for a test.",
                "title": {"en": "Life"},
                "questions": [yes_no("drink", "Do you drink at work?", 5000)],
            },
        ],
    }
    return explained(document)


def published(slug: str = "habits", **changes: Any) -> Version:
    """Publish the survey, with a mixer that vouches for its key."""
    assert mixer_ready()
    survey = survey_import(definition(slug, **changes), by="alice")
    return survey_publish(survey, by="alice", now=timezone.now())


def true_rows(n: int, *, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Yield true answers in which the late ones cheat and the old ones drink."""
    rng = random.Random(seed)
    for _ in range(n):
        old = rng.random() < 0.4
        late = rng.random() < 0.35
        cheat = rng.random() < (0.6 if late else 0.15)
        drink = rng.random() < (0.5 if old else 0.2)
        yield {
            "you": {"age": int(old)},
            "work": {"late": int(late), "cheat": int(cheat)},
            "life": {"drink": int(drink)},
        }


def packed_rows(design: Design, n: int, *, n_direct: int, seed: int = 7) -> list[bytes]:
    """Return what `n` devices send, the first `n_direct` of them directly."""
    return list(_packed_rows(design, n, n_direct, seed))


@functools.cache
def _packed_rows(design: Design, n: int, n_direct: int, seed: int) -> tuple[bytes, ...]:
    layout, rng = Layout(design), random.Random(seed + 1)
    coins = iter(lambda: rng.getrandbits(32), None)
    return tuple(
        layout.pack(disguise(design, answers, direct=number < n_direct, coins=Coins(coins)))
        for number, answers in enumerate(true_rows(n, seed=seed))
    )


def answer(version: Version, n: int, *, n_direct: int = 0, batches: int = 2, seed: int = 7) -> None:
    """Put the rows of `n` devices into batches."""
    rows = packed_rows(version.to_design(), n, n_direct=n_direct, seed=seed)
    random.Random(seed).shuffle(rows)
    size = -(-n // batches)
    for start in range(0, n, size):
        stored(version, rows[start : start + size])


@scene(version_of)
def answered(n: int = 800, *, n_direct: int = 160, slug: str = "habits", **changes: Any) -> Version:
    """Return a version of a closed survey, its last batch made."""
    version = published(slug, **changes)
    answer(version, n, n_direct=n_direct)
    return closed(version)


def planned(aim: Aim | None, n: int = 900, *, document: dict[str, Any] | None = None) -> Version:
    """Return a version of a closed survey that was published with a plan."""
    assert mixer_ready()
    survey = survey_import(document or definition("planned"), by="alice")
    survey.aim = aim.to_json() if aim else None
    survey.save(update_fields=["aim"])
    version = survey_publish(survey, by="alice", now=timezone.now())
    answer(version, n, n_direct=160)
    return closed(version)


def still_open(n: int = 600, *, n_direct: int = 0, slug: str = "open", **changes: Any) -> Version:
    """Return a version of an open survey with `n` rows and a newest batch besides, which nobody may see."""
    version = published(slug, **changes)
    answer(version, n, n_direct=n_direct, batches=2)
    answer(version, 50, batches=1, seed=99)
    return version


def _run_of(pk: int) -> Run:
    return Run.objects.select_related("survey", "version", "job", "audit_job").get(pk=pk)


def asked(version: Version, thresholds: Thresholds = LOOSE, *, by: User | None = None) -> Run:
    """Ask for a run that no worker is told of."""
    return run_request(version=version, thresholds=thresholds, by=by, now=timezone.now(), announce=False)


@scene(_run_of)
def mined(version: Version, thresholds: Thresholds = LOOSE, *, anew: bool = False) -> Run:
    """Ask for a run and do its work as a worker does, but for the thread that keeps the lease alive.

    What follows from the same rows is worked out once in a test run, unless it is wanted `anew`.
    """
    run = asked(version, thresholds)
    held = lease.claim(run.job_id, now=timezone.now())
    assert held is not None
    with contextlib.nullcontext() if anew else _everything_once():
        store = mining_job.mine_snapshot(run.job_id, lambda *progress: None)
    lease.finish(held, now=timezone.now(), store=store)
    return _run_of(run.pk)


@scene(_run_of)
def audited(run: Run) -> Run:
    """Make the audit of a run's rows as a worker does, but for the thread that keeps the lease alive."""
    run = _run_of(run.pk)
    if run.audit_job is not None and not run.audit_job.is_over:
        held = lease.claim(run.audit_job.pk, now=timezone.now())
        assert held is not None
        store = audit_rows_of_job(held.job_id, lambda *progress: None)
        lease.finish(held, now=timezone.now(), store=store)
    return _run_of(run.pk)


def _everything_once() -> AbstractContextManager[Any]:
    return mock.patch.multiple(
        mining_job,
        mine=once(mining_job.mine, _mined_from),
        infer=once(mining_job.infer, _concluded_from),
        group_tests=once(mining_job.group_tests, _concluded_from),
    )


# Who watches the work changes nothing about it, nor do counts of these rows that are known already.
def _mined_from(
    matrix: BitMatrix,
    design: Design,
    thresholds: Thresholds,
    _watch: ProgressListener,
    *,
    precomputed: object,
    **limits: object,
) -> object:
    return _rows_of(matrix), design, thresholds, limits


def _concluded_from(
    result: MiningResult,
    count_cache: CountCache,
    *,
    progress: ProgressListener | None = None,
    **manner: object,
) -> object:
    return (
        _rows_of(count_cache.matrix),
        result.thresholds,
        result.rules.sides,
        result.itemsets.itemsets,
        manner,
    )


def _rows_of(matrix: BitMatrix) -> tuple[object, ...]:
    arrays = (matrix.direct.words, matrix.protected.words, matrix.stored_at)
    return (matrix.design, matrix.n_direct, matrix.n_protected, *arrays)


def alice() -> User:
    """Return a reviewer."""
    found, _made = User.objects.get_or_create(username="alice", is_staff=True)
    roles_keep(found, [Role.REVIEWER])
    return seen_by(found)


# Addresses, the run's own number, and how long it took: all of them may be any number.
_NO_COUNT = re.compile(r'(?:href|src|action|value)="[^"]*"|\bRun \d+|"run": \d+|\b\d+ m?s\b')


def counts_said(text: str) -> set[str]:
    """Return the whole numbers that a page or a file says.

    A figure has a point before its digits; a digest, a token or an address has other signs beside them.
    """
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", _NO_COUNT.sub("", text))
    return set(re.findall(r"(?<![.\w/-])\d+(?![\w/])", text))


def truth_of(version: Version, n: int, *, seed: int = 7) -> dict[str, float]:
    """Return true supports of `true_rows`, for a survey whose truth is known; and store them."""
    keys: dict[str, int] = {}
    rows = list(true_rows(n, seed=seed))
    for row in rows:
        have = [f"age={'old' if row['you']['age'] else 'young'}"]
        have += [key for key, value in {**row["work"], **row["life"]}.items() if value]
        for size in range(1, 1 << len(have)):
            name = " & ".join(key for place, key in enumerate(have) if size >> place & 1)
            keys[name] = keys.get(name, 0) + 1
    truth = {name: count / n for name, count in keys.items()}
    Survey.objects.filter(pk=version.survey_id).update(known_truth=truth)
    return truth


def long_work(slug: str = "long") -> tuple[Version, Thresholds]:
    """Return a version and thresholds whose mining takes long enough to be interrupted."""
    document = definition(slug, policy="protected")
    document["blocks"] = [
        {
            "key": f"block{block}",
            "protected": True,
            "truth_probability": 6000,
            "no_skip": "Made for a test.",
            "title": {"en": "Part"},
            "questions": [
                {
                    "key": f"q{block}{number}",
                    "kind": "yes_no",
                    "unrelated": [5000],
                    "prevalence": [3000],
                    "text": {"en": "Yes?"},
                }
                for number in range(8)
            ],
        }
        for block in range(2)
    ]
    # Much work needs many questions in a part, and those cost more than a live survey may without a reason.
    version = survey_publish(
        survey_import(document, by="alice"), by="alice", now=timezone.now(), reason="work of some length"
    )
    design, rng = version.to_design(), random.Random(11)
    layout, coins = Layout(design), iter(lambda: rng.getrandbits(32), None)
    rows = []
    for _ in range(2_000):
        mood = rng.random()
        answers = {
            block.key: {question.key: int(rng.random() < mood) for question in block.questions}
            for block in design.blocks
        }
        rows.append(layout.pack(disguise(design, answers, direct=False, coins=Coins(coins))))
    stored(version, rows)
    return closed(version), Thresholds(support=0.001, max_size=3)


def rule_row(run: Run, antecedent: str, consequent: str, **values: object) -> RuleRow:
    """Store a rule of a run, of packed items and with the figures given."""
    return RuleRow.objects.create(
        run=run,
        antecedent=antecedent,
        consequent=consequent,
        antecedent_size=antecedent.count(",") - 1,
        consequent_size=consequent.count(",") - 1,
        **{"n": 800, "support": 0.1, "confidence": 0.5, "lift": 1.0, "leverage": 0.0, **values},
    )
