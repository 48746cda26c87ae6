"""The figures of a run as a file holds them, under the names that the script beside it computes them by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mining.interest_measures import INTEREST
from privacy.errors import PrivacyError
from surveys.export.rows import Released
from surveys.formats.csv_cells import records_as_csv
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run
from surveys.questionnaire.arms import choices_of_arms
from surveys.questionnaire.labels import Labels, labels_of, unpack_items
from surveys.report.compare import arms_of
from surveys.report.compare_words import ArmText
from surveys.report.downloads import ENDS, MEASURES
from surveys.report.opened_run import OpenedRun
from surveys.report.outcomes import COLUMNS

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
_TESTED: Final = ("p_value", "p_adjusted", "passes", "confidence_p_value", "confidence_p_adjusted")
_LISTED: Final = ("confidence_low", "confidence_high", "lift_low", "lift_high")


def itemsets_csv(run: Run, labels: Labels) -> Iterator[str]:
    """Yield the lines of the itemsets' file."""
    rows = ItemsetRow.objects.filter(run=run).select_related("inference").order_by("size", "pk")
    return records_as_csv(ITEMSET_COLUMNS, (_itemset(row, labels) for row in rows.iterator(chunk_size=2_000)))


def rules_csv(run: Run, labels: Labels) -> Iterator[str]:
    """Yield the lines of the rules' file."""
    rows = RuleRow.objects.filter(run=run).select_related("inference").order_by("pk")
    return records_as_csv(RULE_COLUMNS, (_rule(row, labels) for row in rows.iterator(chunk_size=2_000)))


def exported_experiments(run: Run, exported: Released) -> tuple[ArmText, ...]:
    """Return what divided the people of a run, without weights: what its report shows, and its rows tell."""
    opened = OpenedRun(run, labels_of(run.version, run.design))
    experiments = []
    for by, groups in choices_of_arms(run.design).items():
        if not exported.with_group and any(group.direct is not None for group in groups):
            continue
        try:
            experiments.append(arms_of(opened, by))
        except PrivacyError:
            # The page says why.
            continue
    return tuple(experiments)


def arms_csv(experiments: tuple[ArmText, ...]) -> Iterator[str]:
    """Yield the lines of a file of experiments."""
    return records_as_csv(COLUMNS, [record for text in experiments for record in text.records()])


def _itemset(row: ItemsetRow, labels: Labels) -> dict[str, Any]:
    same = ("size", "n", "support", "support_low", "support_high", "support_se", *GROUPS)
    inference: ItemsetInference | None = getattr(row, "inference", None)
    return {
        "items": labels.keys(unpack_items(row.items)),
        **{name: getattr(row, name) for name in same},
        "listed_low": inference and inference.low,
        "listed_high": inference and inference.high,
    }


def _rule(row: RuleRow, labels: Labels) -> dict[str, Any]:
    inference: RuleInference | None = getattr(row, "inference", None)
    tested = {name: inference and getattr(inference, name) for name in _TESTED}
    listed = {f"listed_{name}": inference and getattr(inference, name) for name in _LISTED}
    return {
        "antecedent": labels.keys(unpack_items(row.antecedent)),
        "consequent": labels.keys(unpack_items(row.consequent)),
        "n": row.n,
        "few_rows": row.few_rows,
        **{measure + end: getattr(row, measure + end) for measure in MEASURES for end in ENDS},
        **tested,
        **listed,
        **(inference.interest if inference else dict.fromkeys(INTEREST)),
    }
