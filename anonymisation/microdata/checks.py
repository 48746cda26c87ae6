"""Check a table without changing it: linking, attackers' beliefs, and published totals."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anonymisation.microdata.attackers import attacker_audit, attacker_check, attacker_read
from anonymisation.microdata.text_files import text_of_file
from privacy.arrays import Whole
from privacy.sdc.attacks import link
from privacy.sdc.bayes_beliefs import BeliefAudit
from privacy.sdc.classes import Classes
from privacy.sdc.differencing import differencing
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.published_labels import labels_domain
from privacy.sdc.requirements import Requirement
from privacy.sdc.suppressed_rows import without_suppressed
from privacy.sdc.table import Table
from surveys.errors.error import SurveyError
from surveys.imports.files.uploaded_tables import table_open


def linking(table: Table, path: Path, owners: Whole | None = None) -> dict[str, Any]:
    """Look up the people of a CSV file in a table, by the quasi-identifiers that both contain.

    `owners` are the persons of the table's records, if a person can have several.

    Raises
    ------
    PrivacyError
        The list is empty or shares no quasi-identifier with the table.
    """
    read = table_open(path)
    people = {column.name: column.texts for column in read.columns}
    domains = {column.name: labels_domain(column.name, column.values) for column in table.quasi_identifiers}
    links = link(table, people, domains, owners=owners)
    matched = [link.candidates for link in links if link.candidates]
    return {
        "people": len(links),
        "in_the_table": len(matched),
        "identified": sum(link.identified for link in links),
        "value_disclosed": sum(link.disclosed for link in links),
        "fewest_candidates": min(matched, default=0),
        "identified_lines": [int(read.lines[link.person]) for link in links if link.identified][:100],
    }


def audit_beliefs(
    table: Table, sensitive: Sequence[str], path: Path, requirement: Requirement, owners: Whole | None = None
) -> BeliefAudit:
    """Measure the effect of a published table on beliefs from a file; its labels are the known attributes.

    Raises
    ------
    PrivacyError
        The table has no sensitive column, or the beliefs do not fit it.
    """
    if not sensitive:
        raise SurveyError("no_sensitive.checking", ("beliefs",), asked="beliefs")
    attacker = attacker_read(sensitive[0], text_of_file(path, "beliefs.file"))
    kept_table, owners = without_suppressed(table, owners)
    attacker_check(attacker, kept_table)
    if owners is not None:
        # A person counts once for each value, even if several records have it.
        kept_table = kept_table.take(distinct_rows([owners, kept_table.column(sensitive[0]).codes])[0])
    return attacker_audit(attacker, kept_table, Classes.of_columns(kept_table.quasi_identifiers), requirement)


def totals_check(
    release: Table, path: Path, *, k: int, l_of: Callable[[str], int], people: Whole | None = None
) -> None:
    """Compare a release with published totals.

    The totals are a CSV file of values and counts of records; its header names the sensitive column. If
    people can have several records, the remainder must have so many records that it has k people.

    Raises
    ------
    PrivacyError
        Subtracting the release from the totals isolates people.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
        column = release.column(rows[0][0])
        totals = {row[0]: int(row[1]) for row in rows[1:]}
    except (OSError, ValueError, IndexError) as error:
        raise SurveyError("totals.file", str(path), path=path, error=error) from error
    counts = np.bincount(column.codes, minlength=len(column.values)).tolist()
    # The most records of one person: the remainder could belong to people who have as many.
    most = 1 if people is None else int(np.bincount(people).max())
    rest = differencing(
        dict(zip(column.values, counts, strict=True)), totals, k=most * (k - 1) + 1, l_value=l_of(column.name)
    )
    if rest:
        left = sum(count for _, count in rest)
        if people is not None:
            raise SurveyError("totals.people", left, column=column.name, values=len(rest), most=most)
        raise SurveyError("totals.left", left, column=column.name, values=len(rest))
