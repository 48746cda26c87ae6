"""From a run's inference to rows of the database."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from mining.group_figures import GroupFigures
from mining.inference import Inference
from mining.pipeline import MiningResult
from mining.redundancy import NONE
from privacy.reconstruct import Columns
from privacy.reconstruct.consistent import MOST_SETS, monotone
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run
from surveys.report.insert import rows_insert
from surveys.report.labels import pack_items

_ROWS_AT_A_TIME: Final = 500


def conclusions_store(
    run: Run,
    *,
    result: MiningResult,
    inference: Inference,
    groups: Mapping[Columns, GroupFigures],
) -> None:
    """Store what may be concluded from the stored rows of a run, in the caller's transaction."""
    table = result.itemsets
    few = len(table) <= MOST_SETS
    consistent = (
        monotone(table.itemsets, table.estimates.value, table.estimates.standard_error) if few else None
    )
    rules = {
        (antecedent, consequent): pk
        for pk, antecedent, consequent in RuleRow.objects.filter(run=run).values_list(
            "pk", "antecedent", "consequent"
        )
    }
    maximal = {items for items, on in zip(table.itemsets, inference.maximal, strict=True) if on}
    rows_insert(
        RuleInference,
        (
            RuleInference(
                rule_id=rules[_packed(sides)],
                maximal=tuple(sorted(sides[0] + sides[1])) in maximal,
                **_of_rule(result, inference, place),
            )
            for place, sides in enumerate(result.rules.sides)
        ),
    )
    itemsets = dict(ItemsetRow.objects.filter(run=run).values_list("items", "pk"))
    ItemsetInference.objects.bulk_create(
        (
            ItemsetInference(
                itemset_id=itemsets[pack_items(items)],
                low=_end(inference.itemsets.low[place], inference.itemsets.estimable[place]),
                high=_end(inference.itemsets.high[place], inference.itemsets.estimable[place]),
                consistent=None if consistent is None else float(consistent[place]),
                maximal=bool(inference.maximal[place]),
                closed=bool(inference.closed[place]),
                **(_of_groups(groups[items]) if items in groups else {}),
            )
            for place, items in enumerate(result.itemsets.itemsets)
        ),
        batch_size=_ROWS_AT_A_TIME,
    )


def conclusions_summary(inference: Inference) -> dict[str, Any]:
    """Return what holds for the run as a whole, as plain numbers and texts."""
    found = inference.families
    return {
        "correction": inference.correction,
        "family": family_record(inference),
        "tested": "lift",
        "passing": int(inference.lift.passes.sum()),
        "redundant": int((inference.explained_by != NONE).sum()),
        "passing_confidence": None
        if inference.confidence is None
        else int(inference.confidence.passes.sum()),
        "rule_level": inference.rule_level,
        "itemset_level": inference.itemset_level,
        "itemset_family": found.itemsets.total,
        "maximal": int(inference.maximal.sum()),
        "closed": int(inference.closed.sum()),
    }


def family_record(inference: Inference) -> dict[str, Any]:
    """Return M and its parts by size."""
    found = inference.families
    return {
        "lift": found.lift.total,
        "lift_by_size": {str(size): number for size, number in found.lift.by_size},
        "confidence": found.confidence.total,
    }


def _of_rule(result: MiningResult, inference: Inference, place: int) -> dict[str, Any]:
    lift, confidence, measures = inference.lift, inference.confidence, inference.rules
    shorter = int(inference.explained_by[place])
    flips = int(inference.flips[place])
    return {
        "p_value": float(lift.p_values[place]),
        "p_adjusted": float(lift.adjusted[place]),
        "passes": bool(lift.passes[place]),
        "confidence_p_value": None if confidence is None else float(confidence.p_values[place]),
        "confidence_p_adjusted": None if confidence is None else float(confidence.adjusted[place]),
        "confidence_low": _end(measures.confidence.low[place], measures.confidence.estimable[place]),
        "confidence_high": _end(measures.confidence.high[place], measures.confidence.estimable[place]),
        "lift_low": _end(measures.lift.low[place], measures.lift.estimable[place]),
        "lift_high": _end(measures.lift.high[place], measures.lift.estimable[place]),
        "redundant_by": "" if shorter == NONE else pack_items(result.rules.sides[shorter][0]),
        "flips": flips if flips >= 0 else None,
        **{name: _finite(values[place]) for name, values in inference.interest.items()},
    }


def _of_groups(found: GroupFigures) -> dict[str, Any]:
    both = found.combined
    return {
        "groups_p_value": found.agreement.p_value,
        "combined": both and both.value,
        "combined_se": both and both.standard_error,
        "combined_low": both and both.low,
        "combined_high": both and both.high,
    }


def _packed(sides: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[str, str]:
    return pack_items(sides[0]), pack_items(sides[1])


def _end(value: Any, estimable: Any) -> float | None:
    return float(value) if estimable and not math.isnan(value) else None


def _finite(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None
