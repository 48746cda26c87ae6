"""The tables of rules and itemsets as files: one list of columns for each, their records, CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from mining.interest import INTEREST, WITH_INTERVALS
from mining.predicted_itemsets import LEVEL_OF_PREDICTIONS
from surveys.formats.figures import LEVERAGES, RATIOS, SHARES, file_columns
from surveys.formats.json_numbers import for_json
from surveys.models import ItemsetRow, RuleRow, Run
from surveys.questionnaire.labels import JOIN, Labels
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.report.results.related_records import composite_members
from surveys.report.rules.measures import true_measures
from surveys.report.rules.rule_rows import itemset_of
from surveys.report.run_facts import p_values_about, run_csv, run_record
from surveys.report.sentences.forged import shift_of
from surveys.runs.p_values import rule_methods
from surveys.runs.predictions import Prediction, predicted_of, predicted_records
from surveys.runs.three_way import three_way_of

ENDS: Final = ("", "_low", "_high", "_se")
_SELECTED: Final = ("confidence_low", "confidence_high", "lift_low", "lift_high")
PREDICTED: Final = (
    "predicted", "predicted_low", "predicted_high", "predicted_basis", "predicted_unclipped", "predicted_n",
    "predicted_level", "predicted_holds", "predicted_rare",
)  # fmt: skip
_KEYS, _YES_NO, _SHARE = "keys joined by &", "true or false", "share"
_MEASURE_UNITS: Final = {
    "support": _SHARE, "confidence": _SHARE, "lift": "ratio", "leverage": "difference of shares",
    "conviction": "ratio",
}  # fmt: skip

FIXED_COLUMNS: Final = {
    "antecedent": _KEYS, "consequent": _KEYS, "antecedent_label": "text", "consequent_label": "text",
    "n": "rows", "few_rows": _YES_NO, "shown_because_estimable": _YES_NO,
    **{measure + end: _MEASURE_UNITS[measure] for measure in WITH_INTERVALS for end in ENDS},
    **{f"{measure}_basis": "text" for measure in WITH_INTERVALS},
    **{f"{measure}_unclipped": _MEASURE_UNITS[measure] for measure in WITH_INTERVALS},
    "error": _SHARE, "error_is": "text",
    **{"true_" + measure: _MEASURE_UNITS[measure] for measure in WITH_INTERVALS},
    "p_value": _SHARE, "p_adjusted": _SHARE, "passes": _YES_NO, "redundant_by": _KEYS, "maximal": _YES_NO,
    "flips": "rows", **{f"{name}_selected": _MEASURE_UNITS[name.split("_")[0]] for name in _SELECTED},
    "confidence_p_value": _SHARE, "confidence_p_adjusted": _SHARE, "support_shift": _SHARE,
    **dict.fromkeys(PREDICTED, _SHARE), "predicted_basis": "text", "predicted_n": "rows",
    "predicted_holds": "text", "predicted_rare": _YES_NO,
}  # fmt: skip
"""Columns of a rule's record -> units. p-values are one-sided, for lift above 1.

An estimate that is impossible, outside its own interval, or without an upper end is empty; `_basis` says
what its interval leaves, and `_unclipped` is the estimate itself, for combining studies."""

ITEMSET_COLUMNS: Final = (
    "items", "size", "n", "few_rows", "support", "support_low", "support_high", "support_se",
    "support_basis", "support_unclipped", "error",
    "error_is", "true_support", "stratified", "stratified_se", "pooled", "pooled_se", "direct", "direct_se",
    "protected", "protected_se", *PREDICTED, "support_low_selected", "support_high_selected",
    "support_shift",
)  # fmt: skip


def rule_columns() -> dict[str, str]:
    """Return the unit of each column of a rule's record; for a measure of the registry, its formula."""
    return FIXED_COLUMNS | {name: measure.words for name, measure in INTEREST.items()}


def rules_as_csv(rows: Iterable[RuleRow], labels: Labels, run: Run) -> Iterator[str]:
    """Yield the lines of the rules' CSV file, the header first."""
    about = p_values_about(rule_methods(run))
    return run_csv(run, tuple(rule_columns()), rule_records(rows, labels, run), **about)


def itemsets_as_csv(rows: Iterable[ItemsetRow], labels: Labels, run: Run) -> Iterator[str]:
    """Yield the lines of the itemsets' CSV file, the header first."""
    return run_csv(run, ITEMSET_COLUMNS, itemset_records(rows, labels, run))


def rules_as_json(rows: Iterable[RuleRow], labels: Labels, run: Run) -> Iterator[str]:
    """Yield the parts of a JSON object: the run's parameters, then its rules one after another.

    If a measure is not estimable, its ends are null. An infinite end is the text "Infinity".
    """
    about = run_record(run) | {
        "units": rule_columns(),
        "p_values": rule_methods(run),
        "predicted": predicted_records(run, labels),
        "three_way": three_way_of(run),
        **composite_members(run),
    }
    head = json.dumps(about, ensure_ascii=False, allow_nan=False)
    yield head[:-1] + ', "rules": ['
    for position, rule in enumerate(rule_records(rows, labels, run)):
        record = {key: for_json(value) for key, value in rule.items()}
        record |= {side: rule[side].split(JOIN) for side in ("antecedent", "consequent")}
        yield (",\n" if position else "\n") + json.dumps(record, ensure_ascii=False, allow_nan=False)
    yield "\n]}\n"


def rule_records(rows: Iterable[RuleRow], labels: Labels, run: Run) -> Iterator[dict[str, Any]]:
    """Yield rules as records with the keys of `rule_columns`."""
    predictions = {pack_items(prediction.items): prediction for prediction in predicted_of(run)}
    for row in rows:
        yield (
            _rule_record(row, labels)
            | _prediction(predictions.get(itemset_of(row)))
            | {"support_shift": shift_of(row, run)}
        )


def _rule_record(row: RuleRow, labels: Labels) -> dict[str, Any]:
    true, tests = true_measures(row), row.inference
    before, after = unpack_items(row.antecedent), unpack_items(row.consequent)
    return {
        "antecedent": labels.keys(before),
        "consequent": labels.keys(after),
        "antecedent_label": labels.short(before),
        "consequent_label": labels.short(after),
        "n": row.n,
        "few_rows": row.few_rows,
        "shown_because_estimable": row.shown_because_estimable,
        **{measure + end: getattr(row, measure + end) for measure in WITH_INTERVALS for end in ENDS},
        **{name: each for measure in WITH_INTERVALS for name, each in _printed(row, measure).items()},
        "error": row.error,
        "error_is": error_kind(row.truth),
        **{"true_" + measure: true.get(measure) for measure in WITH_INTERVALS},
        "p_value": tests.p_value,
        "p_adjusted": tests.p_adjusted,
        "passes": tests.passes,
        "redundant_by": labels.keys(unpack_items(tests.redundant_by)),
        "maximal": tests.maximal,
        "flips": tests.flips,
        **{f"{name}_selected": getattr(tests, name) for name in _SELECTED},
        "confidence_p_value": tests.confidence_p_value,
        "confidence_p_adjusted": tests.confidence_p_adjusted,
        **{name: tests.interest.get(name) for name in INTEREST},
    }


def itemset_records(rows: Iterable[ItemsetRow], labels: Labels, run: Run) -> Iterator[dict[str, Any]]:
    """Yield itemsets as records with the keys of `ITEMSET_COLUMNS`."""
    predictions = {pack_items(prediction.items): prediction for prediction in predicted_of(run)}
    for row in rows:
        yield (
            _itemset_record(row, labels)
            | _prediction(predictions.get(row.items))
            | {"support_shift": shift_of(row, run)}
        )


def _itemset_record(row: ItemsetRow, labels: Labels) -> dict[str, Any]:
    same = ("size", "few_rows", "support", "support_low", "support_high", "support_se", "error")
    groups = (name + end for name in ("stratified", "pooled", "direct", "protected") for end in ("", "_se"))
    return {
        "items": labels.keys(unpack_items(row.items)),
        "n": row.n,
        **{name: getattr(row, name) for name in same},
        **_printed(row, "support"),
        "error_is": error_kind(row.truth),
        "true_support": row.truth,
        **{name: getattr(row, name) for name in groups},
        "support_low_selected": row.inference.low,
        "support_high_selected": row.inference.high,
    }


_POSSIBLE: Final = {"lift": RATIOS, "conviction": RATIOS, "leverage": LEVERAGES}


def _printed(row: RuleRow | ItemsetRow, measure: str) -> dict[str, Any]:
    """Return a measure as files state it, with its basis and the estimate itself."""
    ends = (getattr(row, f"{measure}_low"), getattr(row, f"{measure}_high"))
    return file_columns(measure, getattr(row, measure), ends, _POSSIBLE.get(measure, SHARES))


def _prediction(prediction: Prediction | None) -> dict[str, Any]:
    """Return the predicted support of an itemset as files state it."""
    if prediction is None:
        return dict.fromkeys(PREDICTED)
    return {
        # Without an interval, an earlier version stored it: analyse again.
        "predicted": prediction.value if prediction.basis == "estimate" else None,
        "predicted_low": prediction.low if prediction.estimable else None,
        "predicted_high": prediction.high if prediction.estimable else None,
        "predicted_basis": prediction.method if prediction.estimable else "earlier version",
        "predicted_unclipped": prediction.value,
        "predicted_n": prediction.n,
        "predicted_level": prediction.level,
        "predicted_holds": LEVEL_OF_PREDICTIONS,
        "predicted_rare": prediction.rare,
    }


def error_kind(truth: float | None) -> str:
    """Return whether the error W is known for this estimate, or only expected."""
    return "expected" if truth is None else "known"
