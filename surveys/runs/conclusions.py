"""From a run's inference to rows of the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mining.inference import Inference
from mining.pipeline import MiningResult
from mining.redundancy import NONE
from privacy.estimation import Columns
from privacy.estimation.stratum_homogeneity import HomogeneityTest
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run
from surveys.questionnaire.labels import pack_items
from surveys.runs.insert import columns_insert, or_null


def conclusions_store(
    run: Run,
    *,
    result: MiningResult,
    inference: Inference,
    groups: Mapping[Columns, HomogeneityTest],
) -> None:
    """Store what may be concluded from the stored rows of a run, in the caller's transaction."""
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
            "rule_id": [rules[_packed(sides)] for sides in result.rules.sides],
            "maximal": [tuple(sorted(before + after)) in maximal for before, after in result.rules.sides],
            **_of_rules(result, inference),
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
    """Return what holds for the run as a whole, as plain numbers and texts."""
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


def _of_rules(result: MiningResult, inference: Inference) -> dict[str, Sequence[object]]:
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
        **{name: or_null(values, np.isfinite(values)) for name, values in inference.interest.items()},
    }


def _packed(sides: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[str, str]:
    return pack_items(sides[0]), pack_items(sides[1])
