"""Facts about a run that its files repeat: in each row of a CSV file, or once in a JSON file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import override

from privacy.survey.design import Design
from surveys.formats.csv_cells import records_as_csv
from surveys.models import Run, Version
from surveys.questionnaire.rule_words import RuleWords, rules_in_words
from surveys.report.sentences.forged import forged_record
from surveys.report.sentences.ledger_words import ledger_record
from surveys.runs.look import LOOK_COLUMNS, look_columns, look_record
from surveys.runs.run_words import direct_share
from surveys.runs.signature import sign_statement, snapshot_statement
from surveys.runs.withheld import withheld_of

RUN_COLUMNS: Final = (
    "survey", "run", "design", "snapshot", "support_from", "confidence_from", "lift_from", "longest_itemset",
    "estimator", "intervals_about", "interval_level", "correction", "family", "selected_level",
    "p_values_about", "forged_rows",
    *LOOK_COLUMNS,
)  # fmt: skip
"""Columns about the run, repeated in each row of a CSV file. Digests are cut to 16 digits."""


def run_csv(
    run: Run, columns: tuple[str, ...], records: Iterable[Mapping[str, Any]], **changed: object
) -> Iterator[str]:
    """Yield the lines of a CSV file, the header first; each ends with facts about the run.

    Parameters
    ----------
    run : Run
    columns : tuple of str
        Columns of the records; those of the run follow.
    records : iterable of mapping
    **changed : object
        Values that replace those of `run_columns`.
    """
    run_values = run_columns(run) | changed
    return records_as_csv(columns + RUN_COLUMNS, ({**record, **run_values} for record in records))


def with_look(run: Run, columns: tuple[str, ...], records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file, the header first; each ends with the run's look."""
    look = look_columns(run)
    return records_as_csv((*columns, *LOOK_COLUMNS), ({**record, **look} for record in records))


def english_rules(version: Version, design: Design) -> dict[str, RuleWords]:
    """Return the rules of composite questions in English, like all files."""
    with override("en"):
        return rules_in_words(design, version.wording, "en")


def p_values_about(methods: Mapping[str, str]) -> dict[str, str | None]:
    """Return the column of a CSV file that says how its p-values were made, by column."""
    return {"p_values_about": "; ".join(f"{name}: {method}" for name, method in methods.items()) or None}


def run_record(run: Run) -> dict[str, Any]:
    """Return the facts about a run for JSON files."""
    return {
        "sotto": 1,
        "survey": run.survey.slug,
        "run": run.pk,
        "practice": run.survey.practice,
        "design_id": run.design_id,
        "parameters": run.parameters,
        "engine": run.engine,
        "n": run.n,
        "n_direct": run.n_direct,
        "n_protected": run.n_protected,
        "direct_share": float(share) if (share := direct_share(run)) else None,
        "look": look_record(run),
        "snapshot": {"batches": run.batches, "sha256": run.snapshot_digest},
        "signed": sign_statement(snapshot_statement(run)),
        "code_version": run.code_version,
        "epsilon": run.summary.get("epsilon"),
        "interval_level": 0.95,
        "tests": run.summary["inference"],
        "computed": {key: rule.lines for key, rule in english_rules(run.version, run.design).items()},
        "forged": forged_record(run),
        "ledger": ledger_record(run),
        "method": (
            "Supports are reconstructed from disguised answers and not clipped; one that is impossible, or "
            "outside its own interval, is only in the column unclipped. "
            if run.design.protects
            else "Supports are shares of the answers, which are stored as given. "
        )
        + (
            "Intervals invert an "
            "empirical-likelihood test, and each is valid separately; intervals called selected have the "
            "level for rules that the run selected. p-values test lift above 1, are one-sided and corrected "
            "within the family. The other measures are functions of three estimated supports."
        ),
    }


def run_columns(run: Run) -> dict[str, Any]:
    """Return the facts about a run that each row of a CSV file repeats."""
    thresholds, tests = run.thresholds, run.summary["inference"]
    return {
        "survey": run.survey.slug,
        "run": run.pk,
        "design": run.design_id[:16],
        "snapshot": run.snapshot_digest[:16],
        "support_from": thresholds.support,
        "confidence_from": thresholds.confidence,
        "lift_from": thresholds.lift,
        "longest_itemset": thresholds.max_size,
        "estimator": "stratified",
        "intervals_about": "population",
        "interval_level": 0.95,
        "correction": "by",
        "family": tests["family"]["lift"],
        "selected_level": tests["rule_level"],
        "p_values_about": None,
        "forged_rows": withheld_of(run).rows,
        **look_columns(run),
    }
