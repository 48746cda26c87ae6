"""The work of a run's job: load, mine, and return a function that stores the result."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection, models, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from numpy.typing import ArrayLike

from mining import ProgressListener
from mining.columns.counting import ENGINES, CountCache
from mining.columns.row_patterns import SentCounts, sent_counts
from mining.inference import Inference, group_tests, infer
from mining.itemset_table import ItemsetTable
from mining.itemsets import disguised_rows, estimate_itemsets
from mining.pipeline import MiningResult, find_withheld, mine
from mining.rules import NONE, Evaluation, compare, read_truth
from privacy.arrays import Array
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import MeasuredArray, estimates
from privacy.estimation.fit_check import HomogeneityTest
from privacy.estimation.intervals import MEASURES
from privacy.estimation.withheld import NOTHING, Withheld
from privacy.policy import FEW_ROWS
from privacy.risk.budget import budget
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.formats.files import finite
from surveys.jobs.lease import Report, listener
from surveys.jobs.provenance import code_version
from surveys.jobs.workers import bound_progress, memory_megabytes, site_bounds
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.labels import pack_items
from surveys.runs.audit import audit_ask
from surveys.runs.ledger import decide
from surveys.runs.look import look_of
from surveys.runs.numbers import people_by_bin
from surveys.runs.releasable_rows import ReleasableRows, drawing_of, packed_rows, releasable_rows
from surveys.runs.request import sum_parts
from surveys.runs.results import results_record
from surveys.runs.run_summary import PREDICTION_METHOD, draws_summary, predicted_summary, three_way_summary
from surveys.runs.snapshot import batches_of, rounded_count
from surveys.runs.withheld import STORED


def columns_insert(model: type[models.Model], columns: Mapping[str, Sequence[object]]) -> None:
    """Insert new rows, in the caller's transaction.

    Parameters
    ----------
    model : type of Model
        Its columns must be JSON, or numbers, texts, booleans and foreign keys, which Django need not convert.
    columns : mapping of str to sequence
        Plain Python values by attribute name ("run_id"), all of one length. A column that is left out gets
        its default in every row.

    Notes
    -----
    ``bulk_create`` resolves every value of every row as an expression and builds one statement with thousands
    of parameters. With it, storing a run's rows took longer than finding them.
    """
    # The database assigns primary keys; a key that is also a foreign key comes from the caller.
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    size = len(next(iter(columns.values()), ()))
    values = [
        _database_values(field, columns[field.attname])
        if field.attname in columns
        else repeat(field.get_default(), size)
        for field in fields
    ]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    # The names come from our own models, and every value is a parameter.
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(*values, strict=True)))


def _database_values(field: models.Field[Any, Any], values: Sequence[object]) -> Sequence[object]:
    if not isinstance(field, models.JSONField):
        return values
    return [field.get_db_prep_save(value, connection) for value in values]


def or_null(values: ArrayLike, is_known: ArrayLike | None = None) -> list[float | None]:
    """Return floats with None for NaN, which each database would store differently.

    Parameters
    ----------
    values : array_like of float
    is_known : array_like of bool, optional
        A value that is not known becomes None too.

    Examples
    --------
    >>> or_null([0.5, float("nan"), 2.0], [True, True, False])
    [0.5, None, None]
    """
    array = np.asarray(values, dtype=np.float64)
    is_null = np.isnan(array) if is_known is None else np.isnan(array) | ~np.asarray(is_known)
    floats: list[float | None] = array.tolist()
    for position in np.flatnonzero(is_null).tolist():
        floats[position] = None
    return floats


def conclusions_store(
    run: Run, *, result: MiningResult, inference: Inference, groups: Mapping[Columns, HomogeneityTest]
) -> None:
    """Store the tests of a run's stored rules and itemsets, in the caller's transaction."""
    table = result.itemsets
    rules = {
        (antecedent, consequent): pk
        for pk, antecedent, consequent in RuleRow.objects.filter(run=run).values_list(
            "pk", "antecedent", "consequent"
        )
    }
    maximal = {items for items, on in zip(table.itemsets, inference.maximal, strict=True) if on}
    columns_insert(
        RuleInference,
        {
            "rule_id": [rules[_pack_sides(sides)] for sides in result.rules.sides],
            "maximal": [tuple(sorted(before + after)) in maximal for before, after in result.rules.sides],
            **_rule_inference_columns(result, inference),
        },
    )
    itemsets = dict(ItemsetRow.objects.filter(run=run).values_list("items", "pk"))
    estimable = inference.itemsets.estimable
    columns_insert(
        ItemsetInference,
        {
            "itemset_id": [itemsets[pack_items(items)] for items in table.itemsets],
            "low": or_null(inference.itemsets.low, estimable),
            "high": or_null(inference.itemsets.high, estimable),
            "maximal": inference.maximal.tolist(),
            "closed": inference.closed.tolist(),
            "groups_p_value": [test and test.p_value for test in map(groups.get, table.itemsets)],
        },
    )


def conclusions_summary(inference: Inference) -> dict[str, Any]:
    """Summarise the tests of a whole run as plain numbers and texts."""
    families = inference.families
    return {
        "family": {
            "lift": families.lift.total,
            "lift_by_size": {str(size): number for size, number in families.lift.by_size},
            "confidence": families.confidence.total,
        },
        "tested": "lift",
        "passing": int(inference.lift.passes.sum()),
        "redundant": int((inference.explained_by != NONE).sum()),
        "passing_confidence": None
        if inference.confidence is None
        else int(inference.confidence.passes.sum()),
        "rule_level": inference.rule_level,
        "itemset_level": inference.itemset_level,
        "itemset_family": families.itemsets.total,
        "maximal": int(inference.maximal.sum()),
        "closed": int(inference.closed.sum()),
    }


def _rule_inference_columns(result: MiningResult, inference: Inference) -> dict[str, Sequence[object]]:
    lift, confidence, measures = inference.lift, inference.confidence, inference.rules
    nothing: list[object] = [None] * len(result.rules)
    return {
        "p_value": lift.p_values.tolist(),
        "p_adjusted": lift.adjusted.tolist(),
        "passes": lift.passes.tolist(),
        "confidence_p_value": nothing if confidence is None else confidence.p_values.tolist(),
        "confidence_p_adjusted": nothing if confidence is None else confidence.adjusted.tolist(),
        "confidence_low": or_null(measures.confidence.low, measures.confidence.estimable),
        "confidence_high": or_null(measures.confidence.high, measures.confidence.estimable),
        "lift_low": or_null(measures.lift.low, measures.lift.estimable),
        "lift_high": or_null(measures.lift.high, measures.lift.estimable),
        "redundant_by": [
            "" if shorter == NONE else pack_items(result.rules.sides[shorter][0])
            for shorter in inference.explained_by.tolist()
        ],
        "flips": [number if number >= 0 else None for number in inference.fragility.tolist()],
        "interest": _by_rule(
            {name: or_null(values, np.isfinite(values)) for name, values in inference.interest.items()},
            len(result.rules),
        ),
    }


def _by_rule(columns: Mapping[str, Sequence[Any]], n_rules: int) -> list[dict[str, Any]]:
    """Return for each rule the values of all columns."""
    return [{name: values[place] for name, values in columns.items()} for place in range(n_rules)]


def _pack_sides(sides: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[str, str]:
    return pack_items(sides[0]), pack_items(sides[1])


EXPECTED_ERROR: Final = math.sqrt(2 / math.pi)
"""Mean absolute value of a standard normal variable: the expected error, in standard errors."""


def result_store(
    run: Run,
    *,
    result: MiningResult,
    n_direct: int,
    least_direct: int,
    truth: Mapping[Columns, float],
    duration_seconds: float,
    code_version: str,
    summary: dict[str, object],
) -> None:
    """Store a result, in the caller's transaction.

    Parameters
    ----------
    run : Run
    result : MiningResult
    n_direct : int
        Rows with the direct group bit, even if they count like the others.
    least_direct : int
        Least number of direct rows that were asked everything in an itemset, for comparing the groups.
        Below it, the comparison is not even stored.
    truth : mapping of Columns to float
        True supports, if they are known.
    duration_seconds : float
    code_version : str
    summary : dict
    """
    run.engine = result.engine
    run.n = result.n
    run.n_direct, run.n_protected = n_direct, result.n - n_direct
    run.duration_seconds, run.code_version, run.summary = duration_seconds, code_version, summary
    run.save(
        update_fields=[
            "engine", "n", "n_direct", "n_protected", "duration_seconds", "code_version", "summary",
        ]
    )  # fmt: skip
    columns_insert(ItemsetRow, _itemset_columns(run, result, least_direct, truth))
    columns_insert(RuleRow, _rule_columns(run, result, truth))


def _itemset_columns(
    run: Run, result: MiningResult, least_direct: int, truth: Mapping[Columns, float]
) -> dict[str, Sequence[object]]:
    table = result.itemsets
    supports, interval, size = table.estimates, table.interval, len(table)
    error = supports.standard_error
    true = [truth.get(items) for items in table.itemsets]
    matching = supports.observed_share * supports.n
    return {
        "run_id": [run.pk] * size,
        "items": [pack_items(items) for items in table.itemsets],
        "size": [len(items) for items in table.itemsets],
        "n": supports.n.tolist(),
        "support": supports.value.tolist(),
        "support_se": error.tolist(),
        "support_low": or_null(interval.low, interval.estimable),
        "support_high": or_null(interval.high, interval.estimable),
        "few_rows": (np.minimum(matching, supports.n - matching) < FEW_ROWS).tolist(),
        "truth": true,
        "error": _errors(supports.value, error, true),
        **_groups(result, least_direct),
    }


def _errors(values: Array, errors: Array, true: Sequence[float | None]) -> list[float | None]:
    """Return each estimate's distance from the truth if it is known, else the expected distance."""
    expected = or_null(EXPECTED_ERROR * errors)
    return [
        abs(value - share) if share is not None else otherwise
        for value, share, otherwise in zip(values.tolist(), true, expected, strict=True)
    ]


def _groups(result: MiningResult, least_direct: int) -> dict[str, list[float | None]]:
    """Estimate with both estimators and from each group alone, if both groups are large enough to show."""
    supports, size = result.itemsets.estimates, len(result.itemsets)
    places = np.flatnonzero((supports.n_direct >= least_direct) & (supports.n_protected > 0)).tolist()
    visible = [result.itemsets.itemsets[index] for index in places]
    requests = list(result.counts)
    table = result.counts.table(requests)
    direct, protected = (
        SupportCounts.from_array(requests, table * np.array(group), all_rows=result.counts.all_rows)
        for group in ((1, 0), (0, 1))
    )
    tables = {
        "stratified": estimates(result.counts, visible, result.design, estimator="stratified"),
        "pooled": estimates(result.counts, visible, result.design, estimator="pooled"),
        "direct": estimates(direct, visible, result.design),
        "protected": estimates(protected, visible, result.design),
    }
    columns: dict[str, list[float | None]] = {}
    for name, own in tables.items():
        for end, values in (("", own.value), ("_se", own.standard_error)):
            column: list[float | None] = [None] * size
            for index, value in zip(places, or_null(values), strict=True):
                column[index] = value
            columns[name + end] = column
    return columns


def _rule_columns(
    run: Run, result: MiningResult, truth: Mapping[Columns, float]
) -> dict[str, Sequence[object]]:
    sides, measures = result.rules.sides, result.rules.measures
    true = (
        [truth.get(tuple(sorted(before + after))) for before, after in sides]
        if truth
        else [None] * len(sides)
    )
    columns: dict[str, Sequence[object]] = {
        "run_id": [run.pk] * len(sides),
        "antecedent": [pack_items(before) for before, _ in sides],
        "consequent": [pack_items(after) for _, after in sides],
        "antecedent_size": [len(before) for before, _ in sides],
        "consequent_size": [len(after) for _, after in sides],
        "n": measures.n.tolist(),
        "few_rows": measures.few_rows.tolist(),
        "truth": true,
        "truth_antecedent": [truth.get(before) for before, _ in sides],
        "truth_consequent": [truth.get(after) for _, after in sides],
        "error": _errors(measures.support.value, measures.support.standard_error, true),
    }
    for name in MEASURES:
        estimate: MeasuredArray = getattr(measures, name)
        # A measure that is not estimable is stored without an interval.
        columns |= {
            name: or_null(estimate.value),
            f"{name}_low": or_null(estimate.low, estimate.estimable),
            f"{name}_high": or_null(estimate.high, estimate.estimable),
            f"{name}_se": or_null(estimate.standard_error),
        }
    return columns


logger = logging.getLogger(__name__)


def finished_run_mail(run: Run) -> None:
    """Mail the requester once the result of a finished run is stored; do nothing without mail settings.

    The mail passes through other servers, so it contains names and an address but no figures.
    """
    asked_by = run.job.requested_by
    if not settings.EMAIL_HOST or asked_by is None or not asked_by.email:
        return
    host = next(iter(settings.ALLOWED_HOSTS), "").lstrip(".")
    address = f"https://{host}{reverse('report:run', args=[run.pk])}"
    look, scope = look_of(run), ""
    if look is not None and look.chapter is not None:
        scope = _("It reads %(chapter)s.") % {"chapter": look.chapter_words}
    elif look is not None and not look.is_final:
        scope = _("It is an interim look: it lacks answers that arrived later or can still arrive.")
    message = EmailMessage(
        subject=_("[Sottovoce] Run %(id)s of survey %(slug)s has finished")
        % {"id": run.pk, "slug": run.survey.slug},
        body=_("You asked for run %(id)s of survey %(slug)s. It has finished. Its results are at:")
        % {"id": run.pk, "slug": run.survey.slug}
        + f"\n\n{address}\n"
        + (f"\n{scope}\n" if scope else ""),
        to=[asked_by.email],
    )
    transaction.on_commit(partial(_send, message))


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError as error:
        # OSError includes smtplib's errors. The run is stored, and its page shows that.
        logger.warning("the mail about a finished run was not sent: %s", type(error).__name__)


@dataclass(frozen=True, kw_only=True)
class TruthComparison:
    """Estimates of every itemset whose true support is known, and their errors."""

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
        Called with the progress; it raises when the work must stop.

    Returns
    -------
    callable
        Stores the result; call it in the transaction that ends the job.

    Raises
    ------
    PrivacyError
        The run is refused, with a remedy: its batches do not match, or it has too few protected answers or
        too many candidates.
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
        result=result,
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

    def store_all() -> None:
        store_result()
        conclusions_store(run, result=result, inference=inference, groups=groups)
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
