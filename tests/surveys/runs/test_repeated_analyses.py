"""Analyses of the same rows, and their tests, are counted, deleted runs included."""

import pytest
from django.utils import timezone

from mining.thresholds import Sides, Thresholds
from surveys.models import Job, LedgerEntry, Run
from surveys.report.sentences.ledger_words import ledger_record
from surveys.runs.repeated_analyses import RepeatedAnalyses, analyses_of
from tests.attack.test_open_answers import EVERYTHING, answer, survey
from tests.fixtures.devices import closed
from tests.fixtures.pages import report_page
from tests.fixtures.runs import answered_version, mined_run, requested_run

pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_pages_say_how_often_the_same_rows_were_analysed_and_the_largest_family() -> None:
    version = survey("sides")
    answer(version, (60, 60, 60, 60))
    version = closed(version)
    first = mined_run(version, EVERYTHING, anew=True)
    chosen = Thresholds(
        support=1e-6, confidence=1e-6, max_size=2, sides=Sides(antecedent=(0,), consequent=(2,))
    )
    second = mined_run(version, chosen, anew=True)
    assert first.summary["inference"]["family"]["lift"] == 6
    assert second.summary["inference"]["family"]["lift"] == 1
    looks = analyses_of(second)
    assert (looks.runs, looks.family, looks.largest, looks.is_smaller) == (2, 1, 6, True)
    assert not analyses_of(first).is_smaller
    warning = "one possible association. Another one of the same answers allowed for 6"
    for name in ("results", "itemsets", "run", "compare", "printed"):
        assert warning in report_page(second, name), name
        assert warning not in report_page(first, name)
        assert "analysed 2 times, for up to 6" in report_page(first, name)
    assert ledger_record(second)["largest_family"] == 6


def in_ledger(run: Run, family: int, number: int | None = None) -> None:
    LedgerEntry(
        survey=run.survey,
        run_number=number or run.pk,
        design_id=run.design_id,
        snapshot_digest=run.snapshot_digest,
        n=800,
        final=True,
        decision={"family": family},
        at=timezone.now(),
    ).save()


def ended(run: Run, state: Job.State, **summary: object) -> Run:
    Job.objects.filter(pk=run.job_id).update(state=state)
    Run.objects.filter(pk=run.pk).update(summary=summary)
    return run


def test_runs_count_unless_they_failed_or_have_not_begun() -> None:
    version = answered_version()
    one, other, failed, cancelled, waiting = (requested_run(version) for _ in range(5))
    for run, family in ((one, 5), (other, 6), (failed, 90), (cancelled, 80)):
        in_ledger(run, family)
    ended(failed, Job.State.FAILED)
    ended(cancelled, Job.State.CANCELLED)
    assert analyses_of(one) == RepeatedAnalyses(runs=2, family=5, largest=6)
    assert analyses_of(one).is_smaller
    assert not analyses_of(other).is_smaller
    assert analyses_of(waiting) == RepeatedAnalyses(runs=2, family=0, largest=6)
    # A deleted run still counts.
    in_ledger(one, 7, number=waiting.pk + 1)
    assert analyses_of(one) == RepeatedAnalyses(runs=3, family=5, largest=7)


def test_runs_from_before_the_ledger_count_with_the_family_that_they_stored() -> None:
    version = answered_version()
    one, other, unknown, running = (requested_run(version) for _ in range(4))
    in_ledger(one, 5)
    ended(other, Job.State.FINISHED, inference={"family": {"lift": 9}})
    ended(unknown, Job.State.FINISHED, inference=None)
    ended(running, Job.State.RUNNING, inference={"family": {"lift": 99}})
    assert analyses_of(one) == RepeatedAnalyses(runs=3, family=5, largest=9)
    assert analyses_of(unknown) == RepeatedAnalyses(runs=3, family=0, largest=9)
    alone = requested_run(answered_version(slug="alone"))
    assert analyses_of(alone) == RepeatedAnalyses(runs=0, family=0, largest=0)
