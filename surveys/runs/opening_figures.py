"""Opening figures of a run's pages: the run's job computes and stores them, and the pages read them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, ParamSpec

import numpy as np

from mining.inference import Inference
from mining.itemsets import estimate_itemsets
from mining.pipeline import MiningResult
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.base_shares import base_shares, columns_of_base, options_from_base
from privacy.estimation.comparison import Comparison, Denial
from privacy.estimation.composed_parts import Side
from privacy.estimation.counts import Columns
from privacy.estimation.placebo import columns_of_placebo, item_pairs, placebo_differences
from privacy.estimation.reliability import columns_of_halves, half_items, split_half_reliability
from privacy.levels import normal_quantile
from privacy.policy import FEW_ROWS
from privacy.printed import Measured, Method, PrintedEstimates
from privacy.scales.quantities import Quantile
from surveys.errors.error import SurveyError
from surveys.formats.figures import DIFFERENCES, LEVERAGES, RATIOS, SHARES
from surveys.models import ItemsetRow, Run
from surveys.policy import LEAST_PROFILE
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.runs.arm_results import ArmResults, arm_results
from surveys.runs.comparisons import compare_sides, compared_rules
from surveys.runs.ledger import floor_of, is_of_the_ledger
from surveys.runs.map_tiles import check_map
from surveys.runs.numbers import NumberSummary, summary_of
from surveys.runs.open_bars import bars_for
from surveys.runs.planned_pair import planned_pair
from surveys.runs.releasable_rows import ReleasableRows
from surveys.runs.run_figures import origin_of
from surveys.runs.scale_question import scale_of
from surveys.runs.withheld import withheld_of

MOST_RULES: Final = 10
"""Most rules on the results page."""

_LOOKED_THROUGH: Final = 400
"""Rules among which these are chosen: a rule's reverse, or one with an item more, adds little."""

RELIABILITY: Final = "reliability"
"""Name of the only figure that is stored for two halves."""

STATES_METHODS: Final = "states_methods"
"""Member of stored results: whether each figure states its method, level, n and effective n."""

P = ParamSpec("P")


@dataclass(frozen=True, kw_only=True)
class ListedRule:
    """A rule on the results page, and how many people without its left side have its right side."""

    antecedent: str
    consequent: str
    others: Measured | None


def results_record(
    run: Run, rows: ReleasableRows, result: MiningResult, inference: Inference
) -> dict[str, Any]:
    """Return the opening figures of a run's pages as JSON."""
    return {
        STATES_METHODS: True,
        "pair": _result_json(_pair, run, rows) if planned_pair(run) else None,
        "scales": {
            question.key: _result_json(_scale, run, question.key, question.kind)
            for question in run.design.questions
            if question.is_scale
        },
        "unlisted": [_plain(record) for record in _unlisted(rows, result)],
        "rules": [_plain(asdict(rule)) for rule in _clearest_rules(run, rows, result, inference)],
        "arms": {by: _result_json(_arms, run, by) for by in choices_of_arms(run.design)},
        "bases": {
            question.key: _result_json(_base, rows, number)
            for number, question in enumerate(rows.design.questions)
            if options_from_base(rows.design, number)
        },
        "placebos": {
            question.key: _result_json(_placebo, rows, number)
            for number, question in enumerate(rows.design.questions)
            if question.computed is not None and question.computed.placebo_of
        },
        "halves": {
            question.key: _result_json(_reliability, rows, number)
            for number, question in enumerate(rows.design.questions)
            if question.computed is not None and question.computed.other_half
        },
    }


def is_of_earlier_version(run: Run) -> bool:
    """Whether an earlier version made the figures of a run and stored them without method, n or level."""
    results = run.summary.get("results")
    return bool(results) and not results.get(STATES_METHODS, False)


def stored_pair(run: Run) -> Comparison:
    """Return the comparison of the planned pair, or raise its refusal."""
    _check_names(run, [run.design.item(key).index for key in planned_pair(run)])
    stored = dict(_read(run.summary["results"]["pair"]))
    # Results of earlier versions say nothing about denial.
    denial = stored.pop("denial", None)
    read: dict[str, Any] = {
        name: _measurement(
            value,
            run,
            n=stored["n"],
            possible=_POSSIBLE.get(name, SHARES),
            # Earlier versions stored only the difference's shift, next to the measures.
            shift=stored.get("shift") if name == "difference" else None,
        )
        if isinstance(value, dict)
        else value
        for name, value in stored.items()
        if name != "shift"
    }
    # Results of earlier versions have no effective number of rows; their rows have equal weights.
    read.setdefault("effective_n", float(read["n"]))
    # Numbers that are not finite are stored by name.
    return Comparison(
        denial=None if denial is None else _denial(denial),
        **read | {name: float(read[name]) for name in ("detectable", "p_value") if name in read},
    )


def _denial(record: dict[str, Any]) -> Denial:
    return Denial(
        tipping=record["tipping"], bounds=tuple((most, low, high) for most, low, high in record["bounds"])
    )


def stored_scale(run: Run, key: str) -> NumberSummary | None:
    """Return the summary of a number (None for a place), or raise the refusal."""
    number = run.design.question_number(key)
    bars_for(run, number)
    check_map(run, number)
    record = _read(run.summary["results"]["scales"][key])
    if not record:
        return None
    if "spans" not in record:
        return _earlier_summary(record, run)
    bars, median = record["bars"], record["median"]
    return NumberSummary(
        mean=record["mean"] and _measurement(record["mean"], run),
        median=median
        and Quantile(
            **_stored_fields(median, run)
            | {"share": median["share"], "parts": tuple((low, high) for low, high in median["parts"])}
        ),
        spans=tuple((first, last) for first, last in record["spans"]),
        bars=bars and _stored_bars(bars, run),
        shape=tuple(record["shape"]),
    )


def _stored_bars(record: dict[str, Any], run: Run) -> PrintedEstimates:
    """Return stored bars; numbers that are not finite are stored by name."""
    arrays = ("value", "standard_error", "low", "high", "shift")
    own = {name: np.array(record[name], dtype=np.float64) for name in arrays}
    return PrintedEstimates(
        **record | own | {"possible": tuple(record["possible"]), "origin": origin_of(run)}
    )


def _earlier_summary(record: dict[str, Any], run: Run) -> NumberSummary:
    """Return the summary of a number that an earlier version stored: ends without n, method and level."""
    shift = float(record.get("shift") or 0.0)

    def figure(ends: list[float], shift: float | None) -> dict[str, Any]:
        value, low, high = map(float, ends)
        own = {"value": value, "low": low, "high": high, "estimable": True, "standard_error": None}
        return _stored_fields(own, run, possible=(-math.inf, math.inf), shift=shift)

    mean, median, rows = record["mean"], record["median"], record["bars"]
    firsts, lasts, *figures = (list(column) for column in zip(*rows, strict=True)) if rows else [[]] * 6
    value, low, high, shape = (np.array(column, dtype=np.float64) for column in figures)
    return NumberSummary(
        mean=mean
        and Measured(
            **figure(mean, shift) | {"standard_error": (mean[2] - mean[1]) / (2 * normal_quantile(0.95))}
        ),
        median=median
        and Quantile(**figure(median, None), share=0.5, parts=((float(median[1]), float(median[2])),)),
        spans=tuple((int(first), int(last)) for first, last in zip(firsts, lasts, strict=True)),
        bars=_earlier_bars(value, low, high, run) if rows else None,
        shape=tuple(shape.tolist()),
    )


def _earlier_bars(value: Array, low: Array, high: Array, run: Run) -> PrintedEstimates:
    return PrintedEstimates(
        value=value,
        standard_error=np.full(len(value), np.nan),
        low=low,
        high=high,
        n=run.n or 0,
        effective_n=float(run.n or 0),
        level=0.95,
        possible=SHARES,
        method="earlier version",
        shift=None,
        origin=origin_of(run),
    )


def stored_bases(run: Run, key: str) -> dict[str, Measured]:
    """Return the shares of a composite question's options among people at or above its base.

    Runs of earlier versions have none. A refusal of the estimation is raised again.
    """
    return _stored_shares(run, "bases", key)


def stored_placebo(run: Run, key: str) -> dict[str, Measured]:
    """Return, by answer, the share of an index minus that of this placebo index.

    Empty for other questions. A refusal of the estimation is raised again.
    """
    return _stored_shares(run, "placebos", key)


def stored_reliability(run: Run, key: str) -> Measured | None:
    """Return the reliability of an instrument, whose second half this question is.

    None for other questions, and if it may not be reported. A refusal of the estimation is raised again.
    """
    return _stored_shares(run, "halves", key).get(RELIABILITY)


def _stored_shares(run: Run, name: str, key: str) -> dict[str, Measured]:
    records = (run.summary["results"] or {}).get(name, {})
    if key not in records:
        return {}
    return {option: _measurement(record, run) for option, record in _read(records[key]).items()}


def stored_arms(run: Run, by: str) -> ArmResults:
    """Return the results of an experiment without weights, or raise their refusal."""
    if by not in run.summary["results"]["arms"]:
        raise SurveyError("arms", by)
    for group in choices_of_arms(run.design)[by]:
        _check_names(run, group.items)
    return ArmResults.from_json(run.design, by, _read(run.summary["results"]["arms"][by]))


def _check_names(run: Run, items: Iterable[int]) -> None:
    """Refuse a figure that a run stored before there was a ledger, and that may not be shown now."""
    if not is_of_the_ledger(run) and not floor_of(run).may_name(run.design, items):
        raise SurveyError("waits", least=LEAST_PROFILE)


def _may_name(run: Run, *sides: str) -> bool:
    """Whether a stored figure of these packed items may be shown."""
    items = [item for side in sides for item in unpack_items(side)]
    return is_of_the_ledger(run) or floor_of(run).may_name(run.design, items)


def stored_unlisted(run: Run) -> list[ItemsetRow]:
    """Return the shares of anchors and protected answers that a run does not list."""
    return [
        ItemsetRow(run=run, size=1, **record)
        for record in (run.summary["results"] or {}).get("unlisted", ())
        if _may_name(run, record["items"])
    ]


def stored_rules(run: Run) -> list[ListedRule]:
    """Return the rules of the results page."""
    return [
        ListedRule(**record | {"others": record["others"] and _measurement(record["others"], run)})
        for record in _read(run.summary["results"]["rules"])
        if _may_name(run, record["antecedent"], record["consequent"])
    ]


def _result_json(compute: Callable[P, Any], *arguments: P.args, **keywords: P.kwargs) -> Any:
    """Return the result of a computation, or its refusal, as JSON."""
    try:
        return _plain(compute(*arguments, **keywords))
    except PrivacyError as error:
        return {
            "refused": error.case,
            "by_service": isinstance(error, SurveyError),
            "fields": _plain(dict(error.fields)),
        }


def _read(record: Any) -> Any:
    """Return a stored result, or raise its refusal."""
    if isinstance(record, dict) and "refused" in record:
        kind = SurveyError if record["by_service"] else PrivacyError
        raise kind(record["refused"], **record["fields"])
    return record


def _plain(value: Any) -> Any:
    """Convert a value to JSON types; a number that is not finite becomes its name, which `float` reads."""
    match value:
        case dict():
            return {str(key): _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case float():
            return value if math.isfinite(value) else str(value)
        case bool() | int() | str() | None:
            return value
        case np.generic() | np.ndarray():
            return _plain(value.tolist())
        case _:
            return str(value)


_POSSIBLE: Final = {"difference": DIFFERENCES, "lift": RATIOS, "leverage": LEVERAGES}


def _measurement(
    record: dict[str, Any],
    run: Run,
    *,
    n: int | None = None,
    possible: tuple[float, float] = SHARES,
    shift: float | None = None,
) -> Measured:
    """Return a stored estimate. One of an earlier version lacks what is given here; its method says so.

    The look is that of now: answers that arrive later make an earlier analysis an interim one.
    """
    return Measured(**_stored_fields(record, run, n=n, possible=possible, shift=shift))


def _stored_fields(
    record: dict[str, Any],
    run: Run,
    *,
    n: int | None = None,
    possible: tuple[float, float] = SHARES,
    shift: float | None = None,
) -> dict[str, Any]:
    """Return the fields of a stored estimate, see `_measurement`."""
    n = n or run.n or 0
    shift = record.get("shift", shift if withheld_of(run) else 0.0)
    method: Method = "earlier version"
    # Rows of results without an effective number have equal weights.
    own = {"n": n, "effective_n": float(record.get("n", n)), "level": 0.95, "method": method} | record
    least, greatest = map(float, record.get("possible", possible))
    own |= {"possible": (least, greatest), "origin": origin_of(run)}
    own["shift"] = None if shift is None else float(shift)
    return own | {name: float(record[name]) for name in ("value", "low", "high")}


def _pair(run: Run, rows: ReleasableRows) -> dict[str, Any]:
    by, outcome = (Side(items=(run.design.item(key).index,)) for key in planned_pair(run))
    return asdict(compare_sides(run, by, outcome, rows=rows))


def _arms(run: Run, by: str) -> dict[str, Any]:
    return arm_results(run, by).to_json()


def _base(rows: ReleasableRows, question: int) -> dict[str, Any]:
    columns = columns_of_base(rows.design, question)
    # Only if each answer may be reported by itself.
    if len(rows.releasable(columns[1:])) < len(columns) - 1:
        return {}
    found = base_shares(
        rows.count_cache.need([(), *columns]), rows.design, question, forged=rows.withheld.rows
    )
    return {option: asdict(share) for option, share in found.items()}


def _placebo(rows: ReleasableRows, question: int) -> dict[str, Any]:
    pairs = item_pairs(rows.design, question).values()
    if not all(_may_report(rows, pair) for pair in pairs):
        return {}
    columns = columns_of_placebo(rows.design, question)
    found = placebo_differences(
        rows.count_cache.need([(), *columns]), rows.design, question, forged=rows.withheld.rows
    )
    return {option: asdict(difference) for option, difference in found.items()}


def _reliability(rows: ReleasableRows, question: int) -> dict[str, Any]:
    if not _may_report(rows, half_items(rows.design, question)):
        return {}
    columns = columns_of_halves(rows.design, question)
    counts = rows.count_cache.need([(), *columns])
    return {RELIABILITY: asdict(split_half_reliability(counts, rows.design, question))}


def _may_report(rows: ReleasableRows, pair: tuple[int, int]) -> bool:
    """Whether two answers may be reported, alone and together."""
    items: list[Columns] = [(pair[0],), (pair[1],), (min(pair), max(pair))]
    return len(rows.releasable(items)) == len(items)


def _scale(run: Run, key: str, kind: str) -> dict[str, Any] | None:
    scale = scale_of(run, key, kind)
    return asdict(summary_of(scale)) if scale.question.has_mean else None


def _unlisted(rows: ReleasableRows, result: MiningResult) -> Iterator[dict[str, Any]]:
    """Yield the publishable answers that a run does not list; in live surveys, leave out open answers.

    A rare open answer would show how few people gave it. Anchors are left out, because they describe no one.
    """
    design, listed = rows.design, result.itemsets.position_of
    shows_all = rows.version.survey.practice
    unlisted = [
        (item.index,)
        for item in design.items
        if (
            shows_all
            or design.blocks[design.block_of(item.question)].protected
            or design.questions[item.question].anchor
        )
        and (item.index,) not in listed
    ]
    for itemset in estimate_itemsets(rows.count_cache, design, rows.releasable(unlisted)):
        share, n, matching = itemset.interval, itemset.estimate.n, itemset.estimate.observed_share
        yield {
            "items": pack_items(itemset.items),
            "n": n,
            "support": share.value,
            "support_se": share.standard_error,
            "support_low": share.low if share.estimable else None,
            "support_high": share.high if share.estimable else None,
            "few_rows": n * min(matching, 1 - matching) < FEW_ROWS,
        }


def _clearest_rules(
    run: Run, rows: ReleasableRows, result: MiningResult, inference: Inference
) -> Iterator[ListedRule]:
    """Yield the rules with the smallest p-values, each itemset once, without the planned pair."""
    sides, lift, p_values = result.rules.sides, result.rules.values.lift, inference.lift.adjusted
    order = np.lexsort((np.where(np.isnan(lift), np.inf, -lift), p_values))
    plan_items = frozenset(run.design.item(key).index for key in planned_pair(run))
    by_items: dict[frozenset[int], tuple[Columns, Columns]] = {}
    positions = order[inference.lift.passes[order]][:_LOOKED_THROUGH].tolist()
    measures = result.rules.measured(positions, level=inference.rule_level)
    for place, position in enumerate(positions):
        before, after = sides[position]
        items, figure = frozenset(before + after), measures.confidence[place]
        is_clear = figure.estimable and figure.low <= figure.value <= figure.high and lift[position] > 1
        if items == plan_items or not is_clear or measures.few_rows[place]:
            continue
        if any(items >= other for other in by_items):
            continue
        by_items[items] = before, after
        if len(by_items) == MOST_RULES:
            break
    rules = [(Side(items=before), Side(items=after)) for before, after in by_items.values()]
    for (by, outcome), found in zip(
        rules, compared_rules(run, rules, level=inference.rule_level, rows=rows), strict=True
    ):
        yield ListedRule(
            antecedent=pack_items(by.items),
            consequent=pack_items(outcome.items),
            others=None if found is None else found.others,
        )
