"""The work of a run's job: load, mine, and hand back what stores the result."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.utils import timezone

from mining.columns.count_cache import CountCache
from mining.columns.counting import ENGINES
from mining.evaluation import Evaluation, compare, read_truth
from mining.inference import group_tests, infer
from mining.itemset_table import ItemsetTable
from mining.itemsets import estimate_itemsets
from mining.open_crosses import disguised_rows
from mining.pipeline import MiningResult, mine
from mining.progress import Progress, ProgressListener
from mining.thresholds import Target
from privacy.estimation import Columns
from privacy.risk.budget import budget
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.figures.draw_facts import draws_summary
from surveys.jobs.bounds import bounded, megabytes_held, site_bounds
from surveys.jobs.lease import Report
from surveys.jobs.provenance import code_version
from surveys.models import Run
from surveys.policy import LEAST_PROTECTED
from surveys.rows.disclosure import rounded_count
from surveys.rows.releasable_rows import ReleasableRows, drawing_of, releasable_rows
from surveys.rows.snapshot import batches_of
from surveys.runs import store
from surveys.runs.audit_job import audit_ask
from surveys.runs.conclusions import conclusions_store, conclusions_summary
from surveys.runs.counted_parts import parts_counted
from surveys.runs.finished_mail import finished_run_mail


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Estimates of every itemset whose truth is known, and how near they came."""

    truth: dict[Columns, float]
    everything: ItemsetTable
    evaluation: Evaluation


def mine_snapshot(job_id: int, report: Report) -> Callable[[], None]:
    """Mine the snapshot of the job's run.

    Parameters
    ----------
    job_id : int
        The run's job.
    report : Report
        Called with the progress; raises when it must stop.

    Returns
    -------
    callable
        Stores the result; to be called in the transaction that ends the job.

    Raises
    ------
    PrivacyError
        The run is refused: other batches than it was asked for, too few protected answers, too many
        candidates, each with its remedy.
    """
    started = time.monotonic()
    run = Run.objects.select_related("survey", "version").get(job=job_id)
    bounds = site_bounds()

    def report_progress(step: Progress) -> None:
        report(step.stage, step.done, step.total)

    progress = bounded(report_progress, bounds, clock=time.monotonic, memory=megabytes_held)
    report("loading", 0, 0)
    rows = _rows_to_mine(run)
    least_direct = rows.shown.least_direct
    result, count_cache = _mined(run, rows, progress, most_candidates=bounds.candidates)
    inference = infer(result, count_cache, progress=progress)
    groups = group_tests(result, count_cache, least_direct=least_direct, progress=progress)
    compared = None
    if run.survey.known_truth is not None:
        report("truth", 0, 0)
        compared = _compared(count_cache, result, run.survey.known_truth)
    report("storing", 0, 0)
    store_result = partial(
        store.result_store,
        run,
        result=result,
        n_direct=rows.sent.n_direct,
        least_direct=least_direct,
        truth=compared.truth if compared else {},
        duration_seconds=time.monotonic() - started,
        code_version=code_version(),
        summary=_summary(run.version.to_design(), result, compared)
        | {"drawing": drawing_of(run.version)}
        | {"inference": conclusions_summary(inference)},
    )

    def store_all() -> None:
        store_result()
        conclusions_store(run, result=result, inference=inference, groups=groups)
        audit_ask(run, now=timezone.now())
        finished_run_mail(run)

    return store_all


def _rows_to_mine(run: Run) -> ReleasableRows:
    """Load the rows that figures may be computed from; refuse too few of them."""
    batches = batches_of(run)
    rows = releasable_rows(run.version, batches, parts_counted(run, batches))
    if not rows.shown.results:
        matrix = rows.matrix
        disguised = disguised_rows(matrix.design, matrix.n_direct, matrix.n_protected)
        raise SurveyError("too_few", rounded_count(disguised), least=LEAST_PROTECTED)
    return rows


def _mined(
    run: Run, rows: ReleasableRows, progress: ProgressListener, *, most_candidates: int
) -> tuple[MiningResult, CountCache]:
    """Mine the rows; return the counts that the figures are of, too."""
    # Until the run ends its engine is the one that was asked for; afterwards the one that did the work.
    engine = run.engine if run.engine in ENGINES else "auto"
    matrix = rows.matrix
    # The precomputed counts are numba's and numpy's; a named engine is to count itself.
    precomputed = rows.precomputed if engine == "auto" else None
    result = mine(
        matrix,
        matrix.design,
        run.thresholds,
        progress,
        engine=engine,
        least_protected=rows.shown.least_protected,
        least_cross=rows.shown.least_cross,
        max_candidates=most_candidates,
        precomputed=precomputed,
    )
    return result, CountCache(matrix, progress=progress, precomputed=precomputed)


def _compared(count_cache: CountCache, result: MiningResult, named: dict[str, float]) -> Compared:
    """Hold against the truth what chance had a part in: itemsets of open items alone are simply counted."""
    design, thresholds = result.design, result.thresholds
    truth = read_truth(design, named)
    disguised = [
        items
        for items in truth
        if len(items) <= thresholds.max_size
        and any(design.blocks[design.items[item].block].protected for item in items)
    ]
    everything = estimate_itemsets(
        count_cache, design, disguised, estimator=thresholds.estimator, target=thresholds.target
    )
    evaluation = compare(everything, set(result.itemsets.itemsets), truth, support=thresholds.support)
    return Compared(truth=truth, everything=everything, evaluation=evaluation)


def _summary(design: Design, result: MiningResult, compared: Compared | None) -> dict[str, object]:
    """Summarise a run beside its rows, as plain numbers and texts."""
    cost = budget(design)
    return {
        "itemsets": len(result.itemsets),
        "rules": len(result.rules),
        "examined": result.n_candidates,
        "draws": draws_summary(result.draw_tests),
        "epsilon": _finite(cost.epsilon),
        "epsilon_by_block": {block.key: _finite(block.epsilon) for block in cost.blocks},
        "truth": None if compared is None else _truth_summary(design, result.thresholds.target, compared),
    }


def _truth_summary(design: Design, target: Target, compared: Compared) -> dict[str, object]:
    evaluation, everything = compared.evaluation, compared.everything
    errors = (
        everything.estimates.standard_error_respondents
        if target == "respondents"
        else everything.estimates.standard_error
    )

    def line(items: Columns) -> dict[str, object]:
        return {
            "items": [design.items[item].key for item in items],
            "truth": compared.truth[items],
            "estimate": float(everything.estimates.value[everything.position_of[items]]),
        }

    return {
        "target": target,
        "itemsets": evaluation.n_itemsets,
        "listed": evaluation.n_listed,
        "frequent": evaluation.n_frequent,
        "mean_error": evaluation.mean_error,
        "mean_error_listed": evaluation.mean_error_listed,
        "expected_error": store.EXPECTED_ERROR * float(errors.mean()) if len(errors) else None,
        "coverage": evaluation.coverage,
        "coverage_listed": evaluation.coverage_listed,
        "false": [line(items) for items in evaluation.false],
        "missed": [line(items) for items in evaluation.missed],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
