"""The work of a run's job: load, mine, and return a function that stores the result."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from django.utils import timezone

from mining import ProgressListener
from mining.columns.count_cache import CountCache
from mining.columns.engines import ENGINES
from mining.columns.sent_counts import SentCounts, sent_counts
from mining.evaluation import Evaluation, compare, read_truth
from mining.inference import group_tests, infer
from mining.itemset_table import ItemsetTable
from mining.itemsets import disguised_rows, estimate_itemsets
from mining.pipeline import MiningResult, mine
from mining.report_checks import find_withheld
from privacy.estimation.counts import Columns
from privacy.estimation.withheld import NOTHING, Withheld
from privacy.risk.budget import budget
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.formats.json_numbers import finite
from surveys.formats.shown_counts import rounded_count
from surveys.jobs.bounds import bound_progress, memory_megabytes, site_bounds
from surveys.jobs.lease import Report, listener
from surveys.jobs.provenance import code_version
from surveys.models import Run
from surveys.policy import LEAST_PROTECTED
from surveys.runs.audit_job import audit_ask
from surveys.runs.conclusions import conclusions_summary
from surveys.runs.draw_facts import draws_summary
from surveys.runs.fan_out import sum_parts
from surveys.runs.finished_mail import finished_run_mail
from surveys.runs.itemset_question import most_itemsets
from surveys.runs.ledger import decide
from surveys.runs.opening_figures import results_record
from surveys.runs.predictions import PREDICTION_METHOD, predicted_summary
from surveys.runs.redisguise import drawing_of
from surveys.runs.releasable_rows import ReleasableRows, packed_rows, releasable_rows
from surveys.runs.result_columns import EXPECTED_ERROR
from surveys.runs.result_store import result_store
from surveys.runs.scale_question import people_by_bin
from surveys.runs.snapshot import batches_of
from surveys.runs.three_way import three_way_summary
from surveys.runs.withheld import STORED


@dataclass(frozen=True, kw_only=True)
class TruthComparison:
    """Estimates of every itemset whose true support is known, and their errors."""

    truth: dict[Columns, float]
    everything: ItemsetTable
    evaluation: Evaluation


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause Python's search for reference cycles.

    A run creates a million tuples of numbers, which have no cycles. The collector would traverse them again
    and again, in a fifth of the processor time of a long run.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@collector_paused()
def mine_snapshot(job_id: int, report: Report) -> Callable[[], None]:
    """Mine the snapshot of the job's run.

    Parameters
    ----------
    job_id : int
        The run's job.
    report : Report
        Called with the progress; it raises when the work must stop.

    Returns
    -------
    callable
        Stores the result; call it in the transaction that ends the job.

    Raises
    ------
    PrivacyError
        The run is refused, with a remedy: its batches do not match, or it has too few protected answers or
        too many candidates; ``max_itemsets``: it asks before it lists this many itemsets.
    """
    start_time = time.monotonic()
    run = Run.objects.select_related("survey", "version").get(job=job_id)
    bounds = site_bounds()
    progress = bound_progress(listener(report), bounds, clock=time.monotonic, memory=memory_megabytes)
    report("loading", 0, 0)
    rows = _rows_to_mine(run)
    # Everything below reads the decision from the run or from its rows.
    run.summary = {STORED: rows.withheld.to_json() if rows.withheld else None}
    least_direct = rows.disclosure.least_direct
    result, count_cache = _mine_rows(run, rows, progress, most_candidates=bounds.candidates)
    inference = infer(result, count_cache, progress=progress)
    groups = group_tests(result, count_cache, least_direct=least_direct, progress=progress)
    comparison = None
    if run.survey.known_truth is not None:
        report("truth", 0, 0)
        comparison = _compare_truth(count_cache, result, run.survey.known_truth)
    report("storing", 0, 0)
    store_result = partial(
        result_store,
        run,
        inference=inference,
        groups=groups,
        n_direct=rows.reports.n_direct,
        least_direct=least_direct,
        truth=comparison.truth if comparison else {},
        duration_seconds=time.monotonic() - start_time,
        code_version=code_version(),
        summary=_summary(run.version.to_design(), result, comparison)
        | {"drawing": drawing_of(run.version)}
        | {"inference": conclusions_summary(inference)}
        | {"predicted": predicted_summary(rows, run.thresholds)}
        | {"prediction_method": PREDICTION_METHOD}
        | {"three_way": three_way_summary(rows)}
        | run.summary
        | {"results": results_record(run, rows, result, inference)},
    )

    @collector_paused()
    def store_all() -> None:
        store_result()
        audit_ask(run, now=timezone.now())
        finished_run_mail(run)

    return store_all


def _rows_to_mine(run: Run) -> ReleasableRows:
    """Load the rows that figures may be computed from; refuse if there are too few."""
    batches = batches_of(run)
    rows = releasable_rows(run.version, batches, sum_parts(run, batches), withheld=NOTHING)
    if not rows.disclosure.results:
        matrix = rows.matrix
        n_disguised = disguised_rows(matrix.design, matrix.n_direct, matrix.n_protected)
        raise SurveyError("too_few", rounded_count(n_disguised), least=LEAST_PROTECTED)
    rows = replace(rows, withheld=_withheld(run, rows))
    floor = decide(
        run,
        rows.count_cache,
        now=timezone.now(),
        people_by_bin=lambda number: people_by_bin(run, number),
        counts_of=_all_counts,
    )
    return rows.under(floor)


def _all_counts(run: Run) -> CountCache:
    """Return the counts of a run's rows, for open answers."""
    return releasable_rows(run.version, batches_of(run), withheld=NOTHING).count_cache


def _mine_rows(
    run: Run, rows: ReleasableRows, progress: ProgressListener, *, most_candidates: int
) -> tuple[MiningResult, CountCache]:
    """Mine the rows; also return the cache of counts behind the figures."""
    # Until the run ends, `engine` is the requested one; afterwards it is the one that did the work.
    engine = run.engine if run.engine in ENGINES else "auto"
    matrix = rows.matrix
    # The precomputed counts come from numba and numpy; an explicitly requested engine must count itself.
    precomputed = rows.precomputed if engine == "auto" else None
    result = mine(
        matrix,
        matrix.design,
        run.thresholds,
        progress,
        engine=engine,
        least_protected=rows.disclosure.least_protected,
        floor=rows.disclosure.open_floor,
        max_candidates=most_candidates,
        max_itemsets=most_itemsets(run),
        precomputed=precomputed,
        withheld=rows.withheld,
    )
    return result, CountCache(matrix, progress=progress, precomputed=precomputed, withheld=rows.withheld)


def _compare_truth(
    count_cache: CountCache, result: MiningResult, supports: dict[str, float]
) -> TruthComparison:
    """Compare estimates with the truth, except for itemsets of open items alone: these have no noise."""
    design, thresholds = result.design, result.thresholds
    truth = read_truth(design, supports)
    disguised_sets = [
        items
        for items in truth
        if len(items) <= thresholds.max_size
        and count_cache.withheld.permits(design.items[item].question for item in items)
        and any(design.blocks[design.items[item].block].protected for item in items)
    ]
    everything = estimate_itemsets(count_cache, design, disguised_sets)
    evaluation = compare(everything, set(result.itemsets.itemsets), truth, support=thresholds.support)
    return TruthComparison(truth=truth, everything=everything, evaluation=evaluation)


def _withheld(run: Run, rows: ReleasableRows) -> Withheld:
    """Find the questions that no figure of the run may read, because the rows contradict the design."""
    design = rows.design

    def counts_of(number: int) -> SentCounts:
        return sent_counts(design, number, packed_rows(run.version, batches_of(run)))

    return find_withheld(rows.count_cache, counts_of)


def _summary(design: Design, result: MiningResult, comparison: TruthComparison | None) -> dict[str, object]:
    """Summarise a run as plain numbers and texts."""
    cost = budget(design)
    return {
        "itemsets": len(result.itemsets),
        "rules": len(result.rules),
        "examined": result.n_candidates,
        "draws": draws_summary(result.draw_tests),
        "epsilon": finite(cost.epsilon),
        "epsilon_by_block": {block.key: finite(block.epsilon) for block in cost.blocks},
        "truth": None if comparison is None else _truth_summary(design, comparison),
    }


def _truth_summary(design: Design, comparison: TruthComparison) -> dict[str, object]:
    evaluation, everything = comparison.evaluation, comparison.everything
    errors = everything.estimates.standard_error

    def line(items: Columns) -> dict[str, object]:
        return {
            "items": [design.items[item].key for item in items],
            "truth": comparison.truth[items],
            "estimate": float(everything.estimates.value[everything.position_of[items]]),
        }

    return {
        "target": "population",
        "itemsets": evaluation.n_itemsets,
        "listed": evaluation.n_listed,
        "frequent": evaluation.n_frequent,
        "mean_error": evaluation.mean_error,
        "mean_error_listed": evaluation.mean_error_listed,
        "expected_error": EXPECTED_ERROR * float(errors.mean()) if len(errors) else None,
        "coverage": evaluation.coverage,
        "coverage_listed": evaluation.coverage_listed,
        "false": [line(items) for items in evaluation.false],
        "missed": [line(items) for items in evaluation.missed],
    }
