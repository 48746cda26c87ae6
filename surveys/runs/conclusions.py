"""A summary of the tests of a whole run."""

from __future__ import annotations

from typing import Any

from mining.inference import Inference
from mining.rules import NO_RULE


def conclusions_summary(inference: Inference) -> dict[str, Any]:
    """Summarise the tests of a whole run as plain numbers and texts, which the run stores."""
    families = inference.families
    return {
        "family": {
            "lift": families.lift.total,
            "lift_by_size": {str(size): number for size, number in families.lift.by_size},
            "confidence": families.confidence.total,
        },
        "tested": "lift",
        "passing": int(inference.lift.passes.sum()),
        "redundant": int((inference.explained_by != NO_RULE).sum()),
        "passing_confidence": None
        if inference.confidence is None
        else int(inference.confidence.passes.sum()),
        "rule_level": inference.rule_level,
        "itemset_level": inference.itemset_level,
        "itemset_family": families.itemsets.total,
        "maximal": int(inference.maximal.sum()),
        "closed": int(inference.closed.sum()),
    }
