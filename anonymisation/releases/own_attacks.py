"""Attack a release with the records that it was made from: link their people, and count what is disclosed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from anonymisation.microdata.build import Build
from privacy.sdc.attacks import background_knowledge, homogeneous, link
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.table import Column, Table

MOST_PEOPLE: Final = 1000
"""Largest number of people that the linking attack targets; in a larger table, the most exposed ones."""


def attacks_on(result: Build, before: Classes) -> dict[str, Any]:
    """Link the people of the table with the release, and count what the classes disclose."""
    # The most exposed people come first: those who were alone in their class, or with the fewest others.
    crowd = before.crowds(result.people)[before.number]
    rows = np.argsort(crowd, kind="stable")
    if result.people is not None:
        # Keep the most exposed record of each person.
        rows = rows[np.sort(np.unique(result.people[rows], return_index=True)[1])]
    rows = rows[:MOST_PEOPLE]
    targets = result.source.take(np.asarray(rows, dtype=np.int64))
    people = {column.name: column.texts for column in targets.quasi_identifiers}
    # Attack each sensitive column separately.
    results = []
    for column in result.table.sensitive or (None,):
        other_columns = tuple(
            other for other in result.table.columns if other.role != "sensitive" or other is column
        )
        results.append(_link_people(result, column, other_columns, people))
    # The attacker also knows a person's other protected values; results are averaged over everyone.
    sensitive = result.table.sensitive
    knowing = [
        {
            "column": column.name,
            "people": result.published_people or len(result.table),
            "disclosed": result.certain_of(column, [other for other in sensitive if other is not column]),
        }
        for column in sensitive
        if len(sensitive) > 1
    ]
    return {
        "alone_before": int((crowd[rows] == 1).sum()),
        "linked": results,
        "knowing": knowing,
        "read_off": [_disclosure(result, column.name) for column in result.table.sensitive],
    }


def _link_people(
    result: Build, column: Column | None, columns: tuple[Column, ...], people: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Look people up by the quasi-identifiers among `columns`, to learn their value of `column`."""
    table = Table(columns=columns, source_rows=result.table.source_rows)
    links = link(table, people, result.domains, owners=result.owners)
    candidates = [link.candidates for link in links if link.candidates]
    return {
        "column": "" if column is None else column.name,
        "people": len(links),
        "identified": sum(link.identified for link in links),
        "disclosed": sum(link.disclosed for link in links),
        "fewest": min(candidates, default=0),
    }


def _disclosure(result: Build, name: str) -> dict[str, Any]:
    column = result.table.column(name)
    matrix = ClassMatrix.of(result.classes, column, result.owners)
    certain, certain_after_one = background_knowledge(matrix, most_exclusions=1).certainty
    return {
        "column": name,
        "one_value_records": sum(cls.size for cls in homogeneous(matrix, column.real)),
        "certain": certain,
        "certain_after_one": certain_after_one,
    }
