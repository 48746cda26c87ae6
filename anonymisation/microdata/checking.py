"""Check any table as it is, without changing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from anonymisation.microdata.attackers import attacker_audit, attacker_check, attacker_read, beliefs_text
from anonymisation.microdata.made import without_sensitive
from anonymisation.microdata.writing import figures_of
from privacy.errors import PrivacyError
from privacy.policy import RECORD_AT_RISK
from privacy.sdc import (
    Classes,
    ClassMatrix,
    ColumnRule,
    Hierarchy,
    Requirement,
    Table,
    background_knowledge,
    homogeneous,
    leakage,
    link,
    measure_models,
    risk,
    verify,
)
from privacy.sdc.bayes_beliefs import BeliefAudit
from privacy.sdc.hierarchy import SUPPRESSED
from privacy.sdc.labels import Domain, suppressed_rows
from privacy.sdc.models import multi_attribute_classes
from privacy.sdc.requirements import ModelMeasures, Verdict
from privacy.sdc.table import Column
from surveys.errors.error import SurveyError
from surveys.imports.column_kinds import declared_missing, proposed_texts
from surveys.imports.table_reading import table_open

__all__ = ["Check", "beliefs_tried", "labels_domain", "linking", "published_table", "table_check"]


def linking(table: Table, path: Path) -> dict[str, Any]:
    """Look the people of a CSV file up in a table, by the quasi-identifiers they share.

    Raises
    ------
    PrivacyError
        When the list is empty or shares no quasi-identifier with the table.
    """
    read = table_open(path)
    people = {column.name: column.texts for column in read.columns}
    domains = {column.name: labels_domain(column.name, column.values) for column in table.quasi_identifiers}
    links = link(table, people, domains)
    matched = [link.candidates for link in links if link.candidates]
    return {
        "people": len(links),
        "in_the_table": len(matched),
        "identified": sum(link.identified for link in links),
        "value_disclosed": sum(link.disclosed for link in links),
        "fewest_candidates": min(matched, default=0),
        "identified_lines": [int(read.lines[link.person]) for link in links if link.identified][:100],
    }


def labels_domain(name: str, labels: tuple[str, ...]) -> Domain:
    """Take a column for numeric when every label is a number, an interval or a star."""
    numeric = Domain(name=name, numeric=True)
    try:
        for label in labels:
            numeric.meaning(label)
    except PrivacyError:
        return Domain(name=name, numeric=False)
    return numeric


@dataclass(frozen=True, kw_only=True)
class Check:
    """What a table reaches and whether that is enough."""

    records: int
    suppressed: int
    classes: int
    missing: Mapping[str, Mapping[str, int]]
    measures: tuple[ModelMeasures, ...]
    verdicts: tuple[Verdict, ...]
    details: Mapping[str, Any]

    @property
    def holds(self) -> bool:
        """Every model asked for holds."""
        return all(verdict.holds for verdict in self.verdicts)

    def plain(self) -> dict[str, Any]:
        """Return the check as JSON can write it."""
        return {
            "holds": self.holds,
            "records": self.records,
            "suppressed": self.suppressed,
            "classes": self.classes,
            "missing": self.missing,
            "verdicts": [figures_of(verdict) for verdict in self.verdicts],
            "reached": [figures_of(measure) for measure in self.measures],
            **self.details,
        }


def published_table(
    path: Path, *, quasi_identifiers: Sequence[str], sensitive: Sequence[str], numeric: Sequence[str]
) -> Table:
    """Read a table to be checked.

    What stands for "missing" in a sensitive column (an empty cell, ``*``, words such as NA, codes that the
    file declares) is no value. Other columns than those named only say whether a record was suppressed.

    Raises
    ------
    PrivacyError
        When a column is named that is not there, or in both lists.
    """
    twice = sorted(set(quasi_identifiers) & set(sensitive))
    if twice:
        raise SurveyError("role.twice", twice[0])
    read = table_open(path)
    for name in (*quasi_identifiers, *sensitive, *numeric):
        if name not in read.header:
            raise SurveyError("unknown_column.checking", name, header=", ".join(read.header))
    rules = []
    for column in read.columns:
        name = column.name
        lacking = ("", SUPPRESSED, *proposed_texts(column.values), *declared_missing(column))
        is_known = name in quasi_identifiers
        rules.append(
            ColumnRule(
                name=name,
                role="quasi_identifier" if is_known else "sensitive" if name in sensitive else "insensitive",
                kind="numeric" if name in numeric else "categorical",
                missing="refuse" if name in numeric else "value",
                missing_texts=("",) if is_known else lacking,
            )
        )
    return Table.from_codes(read.header, read.encoded, rules, lenient=True)


def beliefs_tried(
    table: Table, sensitive: Sequence[str], path: Path, requirement: Requirement
) -> BeliefAudit:
    """Test beliefs from a file against a published table, whose labels are the known attributes.

    Raises
    ------
    PrivacyError
        Without a sensitive column, and on beliefs that do not fit.
    """
    if not sensitive:
        raise SurveyError("no_sensitive.checking", ("beliefs",), asked="beliefs")
    attacker = attacker_read(sensitive[0], beliefs_text(path))
    published = _without_suppressed(table)
    attacker_check(attacker, published)
    return attacker_audit(attacker, published, Classes.of_columns(published.quasi_identifiers), requirement)


def _without_suppressed(table: Table) -> Table:
    starred = suppressed_rows(table)
    return table.take(np.flatnonzero(~starred)) if starred.any() else table


def table_check(
    table: Table,
    requirement: Requirement,
    *,
    ground: str,
    hierarchies: Mapping[str, Hierarchy],
    strict_attributes: bool,
) -> Check:
    """Measure every model on a table and compare.

    Records of which nothing is published are counted apart and are no class. A table without a sensitive
    column has only k.
    """
    published = _without_suppressed(table)
    quasi = published.quasi_identifiers
    sensitive = published.sensitive
    if not sensitive:
        if set(requirement.models) - {"k"}:
            raise SurveyError(
                "no_sensitive.checking", requirement.models, asked=", ".join(requirement.models)
            )
        sensitive = (without_sensitive(len(published)),)
    grouped = multi_attribute_classes(quasi, sensitive, strict=strict_attributes)
    plain = Classes.of_columns(quasi)
    measures: list[ModelMeasures] = []
    verdicts: list[Verdict] = []
    details: dict[str, dict[str, Any]] = {
        "risk": asdict(risk(plain.sizes, threshold=RECORD_AT_RISK)),
        "one_value_classes": {},
        "exclusions_until_certain": {},
        "information": {},
    }
    for column in sensitive:
        matrix = ClassMatrix.of(grouped[column.name], column)
        tree = hierarchies.get(column.name)
        measured = measure_models(
            matrix,
            column.name,
            ground=ground,
            hierarchy=tree.for_values(column.real) if tree is not None else None,
            recursive_l=requirement.recursive_l,
            rho1=requirement.rho1,
        )
        # Somebody who knows a value finds it in the same classes: k is theirs.
        measured = replace(measured, k=int(plain.sizes.min()))
        measures.append(measured)
        verdicts += verify(measured, requirement)
        if published.sensitive:
            for name, disclosed in _disclosed(matrix, column.real).items():
                details[name][column.name] = disclosed
    return Check(
        records=len(table),
        suppressed=len(table) - len(published),
        classes=plain.count,
        missing={column.name: _missing(column) for column in published.sensitive if column.missing},
        measures=tuple(measures),
        verdicts=tuple(verdicts),
        details=details,
    )


def _missing(column: Column) -> dict[str, int]:
    """Return the records of each text that was counted as missing."""
    counts = np.bincount(column.codes, minlength=len(column.values)).tolist()
    return {text: n for text, n in zip(column.values, counts, strict=True) if text in column.missing and n}


def _disclosed(matrix: ClassMatrix, values: Sequence[str]) -> dict[str, Any]:
    """Return what classes give away of one sensitive column."""
    alone = homogeneous(matrix, values)
    return {
        "one_value_classes": {
            "classes": len(alone),
            "records": sum(cls.size for cls in alone),
            "share_of_classes": len(alone) / matrix.n_classes,
        },
        "exclusions_until_certain": background_knowledge(matrix).weakest,
        "information": asdict(leakage(matrix)),
    }
