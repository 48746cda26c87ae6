"""Every page and file of a run reads the same, whether its itemsets and rules are rows or counts."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final
from unittest import mock

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mining.thresholds import Thresholds
from surveys.accounts.roles import Role
from surveys.jobs import lease
from surveys.models import Run, RunCounts, Version
from surveys.questionnaire.aim import Aim
from surveys.report import urls
from surveys.report.export.data_package import data_export
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.runs import mining_job, result_store
from tests.fixtures.counted_runs import CONFIDENT, counted_run, judge, with_truth
from tests.fixtures.devices import closed, stored
from tests.fixtures.everyday import THRESHOLDS, bodies, everyday
from tests.fixtures.exports import move_a_figure_by_a_millionth, script, unpacked
from tests.fixtures.rotating_exports import rotating_version, three_of_eight
from tests.fixtures.runs import (
    LOOSE,
    alice,
    answered_version,
    audited_run,
    find_run,
    open_version,
    planned_version,
    requested_run,
)
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db

NOT_READ: Final = {"progress", "cancel", "answer", "share"}
"""Addresses of runs that show no result, or accept only changes."""
ENDINGS: Final = ("csv", "json")


@dataclass(frozen=True)
class Case:
    """A survey to analyse, and what a page's query adds to it, by name of the address."""

    make: Callable[[], Version]
    thresholds: Thresholds = LOOSE
    queries: tuple[tuple[str, str], ...] = ()


def all_kinds() -> Version:
    version = everyday()
    stored(version, bodies(version.to_design(), 600))
    return closed(version)


CASES: Final = {
    "truth": Case(with_truth, CONFIDENT),
    "planned pair": Case(lambda: planned_version(Aim(people=400, wanted=("late", "cheat")))),
    "interim look": Case(lambda: open_version(policy="protected")),
    "predictions": Case(
        lambda: rotating_version(three_of_eight("many"), 600),
        queries=(("run", "?predicted=yes"), ("run", "?predicted=yes&item=3")),
    ),
    "weights": Case(
        all_kinds,
        THRESHOLDS,
        (
            ("practice", "?margins=shifts:yes=.4,no=.6"),
            ("weights_csv", "?margins=shifts:yes=.4,no=.6"),
            ("compare", "?outcome=unpaid&by=shifts"),
            ("compare_file", "?outcome=unpaid&by=shifts"),
        ),
    ),
}


def addresses(run: Run, case: Case) -> Iterator[str]:
    """Yield the addresses of all pages and files of a run; new ones are found by themselves."""
    queries = [("", ""), *case.queries]
    named = {name for name, _query in case.queries}
    rules = listing_of(run).keys(RuleQuery())
    known = {"run_id": run.pk, "rule_id": rules[len(rules) // 2]}
    for pattern in urls.urlpatterns:
        needed = set(pattern.pattern.converters)
        if "run_id" not in needed or needed - {"run_id", "rule_id", "ending"} or pattern.name in NOT_READ:
            continue
        for ending in ENDINGS if "ending" in needed else ("",):
            arguments = {part: (known | {"ending": ending})[part] for part in needed}
            for name, query in queries:
                if name == pattern.name or (
                    not name and not {"weights_csv", "compare_file"} & {pattern.name}
                ):
                    yield reverse(f"report:{pattern.name}", kwargs=arguments) + query
    assert named <= {pattern.name for pattern in urls.urlpatterns}


def read(run: Run, case: Case, client: Client) -> dict[str, str]:
    """Return everything that people read about a run, by its address."""
    found = {}
    for address in addresses(run, case):
        response = client.get(address)
        content = b"".join(response) if response.streaming else response.content
        # Figures that combine open answers wait until the survey is settled.
        assert response.status_code in ((200, 422) if "interim" in content.decode() else (200,)), address
        found[address] = content.decode()
    out = BytesIO()
    data_export(run, out, by=alice(), now=timezone.now())
    with zipfile.ZipFile(out) as archive:
        for name in archive.namelist():
            found[name] = archive.read(name).decode("latin-1")
    return {_unchanging(address): _unchanging(text) for address, text in found.items()}


_CHANGES: Final = (
    (r"(/rules/)\d+/", r"\1-/"),
    (r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1"),
    # The ZIP file states the time at which each of its files was written.
    (r'("(?:signature|archive)":) "\w+"', r"\1"),
)
"""What differs each time, and the numbers of rules."""


def _unchanging(text: str) -> str:
    for pattern, kept in _CHANGES:
        text = re.sub(pattern, kept, text)
    return text


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] if name != "predictions" else []) for name in CASES]
)
@pytest.mark.soak
def test_every_page_and_file_reads_the_same(name: str) -> None:
    case = CASES[name]
    requested = requested_run(case.make(), case.thresholds)
    client = browser_of("reader", Role.ADMINISTRATOR, Role.REVIEWER, Role.RESEARCHER)
    held = lease.claim(requested.job_id, now=timezone.now())
    assert held is not None
    store = mining_job.mine_snapshot(held.job_id, lambda *_: None)

    def texts(most_rows: int) -> dict[str, str]:
        with mock.patch.object(result_store, "MOST_ROWS", most_rows):
            lease.finish(held, now=timezone.now(), store=store)
        run = audited_run(find_run(requested.pk))
        assert RunCounts.objects.filter(run=run).exists() == (most_rows == 0)
        judge(run)
        return read(run, case, client)

    # The same result is stored twice.
    with transaction.atomic():
        by_rows = texts(10**6)
        transaction.set_rollback(True)
    by_counts = texts(0)
    assert by_rows.keys() == by_counts.keys()
    assert [address for address, text in by_rows.items() if text != by_counts[address]] == []
    assert len(by_rows) > 20


@pytest.mark.soak
def test_the_script_of_an_export_reproduces_every_figure_of_counts(tmp_path: Path) -> None:
    where = unpacked(counted_run(answered_version(), Thresholds(support=0.05, confidence=0.2)), tmp_path)
    done = script(where)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout
    move_a_figure_by_a_millionth(where)
    assert script(where).returncode == 1
