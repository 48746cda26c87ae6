"""The figures of a run as a file holds them, under the names that the scripts beside it compute them by."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any, Final

from mining.interest_measures import INTEREST
from surveys.figures.tables import ENDS, MEASURES
from surveys.formats.csv_cells import Echo
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run
from surveys.questionnaire.labels import Labels, unpack_items

GROUPS: Final = tuple(
    name + end for name in ("stratified", "pooled", "direct", "protected") for end in ("", "_se")
)
ITEMSET_COLUMNS: Final = (
    "items", "size", "n", "support", "support_low", "support_high", "support_se", "listed_low",
    "listed_high", *GROUPS,
)  # fmt: skip
RULE_COLUMNS: Final = (
    "antecedent", "consequent", "n", "few_rows",
    *(measure + end for measure in MEASURES for end in ENDS),
    "p_value", "p_adjusted", "passes", "confidence_p_value", "confidence_p_adjusted",
    "listed_confidence_low", "listed_confidence_high", "listed_lift_low", "listed_lift_high", *INTEREST,
)  # fmt: skip
_TESTED: Final = ("p_value", "p_adjusted", "confidence_p_value", "confidence_p_adjusted")
_LISTED: Final = ("confidence_low", "confidence_high", "lift_low", "lift_high")


def itemsets_csv(run: Run, labels: Labels) -> Iterator[str]:
    """Yield the lines of the itemsets' file."""
    rows = ItemsetRow.objects.filter(run=run).select_related("inference").order_by("size", "pk")
    return _csv(ITEMSET_COLUMNS, (_itemset(row, labels) for row in rows.iterator(chunk_size=2_000)))


def rules_csv(run: Run, labels: Labels) -> Iterator[str]:
    """Yield the lines of the rules' file."""
    rows = RuleRow.objects.filter(run=run).select_related("inference").order_by("pk")
    return _csv(RULE_COLUMNS, (_rule(row, labels) for row in rows.iterator(chunk_size=2_000)))


def _itemset(row: ItemsetRow, labels: Labels) -> dict[str, Any]:
    record: dict[str, Any] = {
        name: getattr(row, name) for name in ("support", "support_low", "support_high", "support_se")
    }
    record |= {name: getattr(row, name) for name in GROUPS}
    inference: ItemsetInference | None = getattr(row, "inference", None)
    if inference is not None:
        record |= {"listed_low": inference.low, "listed_high": inference.high}
    return {
        "items": labels.keys(unpack_items(row.items)),
        "size": row.size,
        "n": row.n,
        **record,
    }


def _rule(row: RuleRow, labels: Labels) -> dict[str, Any]:
    record: dict[str, Any] = {
        measure + end: getattr(row, measure + end) for measure in MEASURES for end in ENDS
    }
    inference: RuleInference | None = getattr(row, "inference", None)
    if inference is not None:
        record |= {name: getattr(inference, name) for name in _TESTED}
        record |= {f"listed_{name}": getattr(inference, name) for name in _LISTED}
        record |= inference.interest
    return {
        "antecedent": labels.keys(unpack_items(row.antecedent)),
        "consequent": labels.keys(unpack_items(row.consequent)),
        "n": row.n,
        "few_rows": int(row.few_rows),
        **record,
        "passes": "" if inference is None else int(inference.passes),
    }


def _csv(columns: tuple[str, ...], records: Iterable[dict[str, Any]]) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield writer.writerow(columns)
    for record in records:
        yield writer.writerow(["" if (value := record.get(name)) is None else value for name in columns])
