"""What a run withholds: how it is stored, and that no module of its figures reads rows past it."""

import ast
import functools
import gc
import weakref
from pathlib import Path

import pytest

import surveys
from privacy.errors import PrivacyError
from privacy.estimation.withheld import NOTHING, Evidence, Withheld
from surveys.models import Run
from surveys.runs.releasable_rows import permitted_rows, rows_of_run
from surveys.runs.snapshot_cache import once_per_snapshot
from surveys.runs.withheld import STORED, is_withheld_whole, withheld_of
from tests.fixtures.forged_rows import forged_answered
from tests.fixtures.runs import SINGLES, answered_version, mined_run, requested_run

pytestmark = pytest.mark.django_db

ROOT = Path(surveys.__file__).parent

READERS = {
    "packed_rows": {
        "embed/file_import.py": "another function of this name, which packs a tool's lines",
        "report/export/data_package.py": "exports all rows, without figures",
        "runs/audit.py": "audits what was sent",
        "runs/mining_job.py": "checks what to withhold",
        "runs/scale_question.py": "counts for audits, in `sent_by`",
        "runs/releasable_rows.py": "defines it",
    },
    "sent_by": {"runs/audit.py": "audits what was sent", "runs/scale_question.py": "defines it"},
    "NOTHING": {
        "runs/audit.py": "audits before a run",
        "runs/mining_job.py": "reads the rows to check",
        "runs/releasable_rows.py": "audits what may be mined now",
        "runs/withheld.py": "runs whose reports fit",
    },
}
"""Modules that may read rows without asking what is withheld -> why."""


@functools.cache
def used_names(path: Path) -> frozenset[str]:
    """Return the names of all variables and attributes in a module."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    variables = {node.id for node in nodes if isinstance(node, ast.Name)}
    return frozenset(variables | {node.attr for node in nodes if isinstance(node, ast.Attribute)})


@pytest.mark.parametrize("name", READERS)
def test_only_these_modules_read_rows_past_the_decision(name: str) -> None:
    found = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if name in used_names(path)}
    assert found <= READERS[name].keys(), found - READERS[name].keys()


def test_rows_and_counts_of_a_withheld_question_are_refused() -> None:
    run = mined_run(answered_version())
    keys = tuple(question.key for question in run.design.questions)
    withheld = Withheld(
        questions={1: Evidence(rows=4, n=800)}, pairs={(2, 3): Evidence(rows=9, n=800)}, keys=keys
    )
    run.summary = {**run.summary, STORED: withheld.to_json()}
    assert withheld_of(run) == withheld
    for reads in ([[1]], [[0], [0, 1]], [[2, 3]]):
        with pytest.raises(PrivacyError, match="is shown"):
            permitted_rows(run, reads)
    assert sum(map(len, permitted_rows(run, [[0], [2], [3], [0, 3]]))) > 0
    cache = rows_of_run(run).count_cache
    late, cheat, drink = (run.design.item(key).index for key in ("late", "cheat", "drink"))
    for columns in ((late,), (0, late), (cheat, drink)):
        with pytest.raises(PrivacyError, match="is shown"):
            cache.need([columns])
    assert len(cache.need([(cheat,), (drink,), (0, drink)]))


def test_a_run_that_was_not_checked_has_no_decision() -> None:
    with pytest.raises(ValueError, match="have not been checked"):
        withheld_of(requested_run(answered_version()))


def test_results_are_computed_once_from_the_callers_run_which_the_cache_does_not_keep() -> None:
    """The run's job has decided what to withhold, but not stored it yet."""
    run, seen = requested_run(answered_version()), []

    @once_per_snapshot(2)
    def decided(run: Run, number: int) -> int:
        seen.append(withheld_of(run).rows)
        return number + withheld_of(run).rows

    some = Withheld(questions={1: Evidence(rows=4, n=800)}, keys=("age", "late"))
    run.summary = {STORED: some.to_json()}
    assert (decided(run, 1), decided(run, 1), decided(run, 2)) == (5, 5, 6)
    assert seen == [4, 4]
    kept = weakref.ref(run)
    del run
    gc.collect()
    assert kept() is None


OWN = Withheld(questions={1: Evidence(rows=4, n=30)}, keys=("a", "b"))


def test_a_run_reads_what_its_job_stored() -> None:
    assert withheld_of(Run(summary={STORED: OWN.to_json()})) == OWN


def test_a_run_of_an_earlier_version_withholds_nothing_by_question() -> None:
    assert withheld_of(Run(summary={"family": 3})) == NOTHING
    assert is_withheld_whole(Run(summary={"misfit": {"case": "misfit.share"}}))
    assert not is_withheld_whole(Run(summary={STORED: OWN.to_json()}))


def test_a_run_whose_rows_have_not_been_checked_is_not_read() -> None:
    """A page that asked too early would show everything."""
    with pytest.raises(ValueError, match="have not been checked"):
        withheld_of(Run(summary={}))


def test_the_job_stores_the_failing_question_and_its_rows() -> None:
    run = mined_run(forged_answered(), SINGLES)
    run.refresh_from_db()
    design = run.design
    assert [design.questions[number].key for number in withheld_of(run).questions] == ["wage"]
    assert 0 < withheld_of(run).rows <= 30
    assert withheld_of(mined_run(answered_version(), SINGLES)) == NOTHING
