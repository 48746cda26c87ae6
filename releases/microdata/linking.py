"""Linkage attack on a table by a list of people: who is found, and whose value is disclosed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from privacy.errors import PrivacyError
from privacy.sdc import Table, link
from privacy.sdc.labels import Domain
from surveys.tables.reading import table_open

__all__ = ["labels_domain", "linking"]


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
