"""Linkage attack on a table by a list of people: who is found, and whose value is disclosed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from privacy.errors import PrivacyError
from privacy.sdc import Table, link
from privacy.sdc.labels import Domain
from releases.microdata.reading import csv_rows
from surveys.errors.error import SurveyError

__all__ = ["labels_domain", "linking"]


def linking(table: Table, path: Path) -> dict[str, Any]:
    """Look the people of a CSV file up in a table, by the quasi-identifiers they share.

    Raises
    ------
    PrivacyError
        When the list is empty or shares no quasi-identifier with the table.
    """
    with csv_rows(path) as (header, rows):
        cells = list(rows)
    for number, row in enumerate(cells, start=2):
        if len(row) != len(header):
            raise SurveyError("ragged.people", len(row), path=path.name, number=number, count=len(header))
    if not cells:
        raise SurveyError("empty.people", str(path), path=path.name)
    people = {name: [row[position] for row in cells] for position, name in enumerate(header)}
    domains = {column.name: labels_domain(column.name, column.values) for column in table.quasi_identifiers}
    links = link(table, people, domains)
    matched = [link.candidates for link in links if link.candidates]
    return {
        "people": len(links),
        "in_the_table": len(matched),
        "identified": sum(link.identified for link in links),
        "value_disclosed": sum(link.disclosed for link in links),
        "fewest_candidates": min(matched, default=0),
        "identified_lines": [link.person + 2 for link in links if link.identified][:100],
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
