"""Findings about a release: what its own attacks, risks and losses are, as numbers for its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from anonymisation.microdata.build import Build
from anonymisation.microdata.lattice_picture import lattice_document
from privacy.sdc.attacks import background_knowledge, homogeneous, link
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.privacy_models import leakage
from privacy.sdc.reidentification_risk import risk
from privacy.sdc.table import Column, Table

MOST_PEOPLE: Final = 1000
"""Largest number of people that the linking attack targets; in a larger table, the most exposed ones."""


def findings_of(result: Build) -> dict[str, Any]:
    """Measure a release, and attack it using its own records as the attacker's knowledge.

    Parameters
    ----------
    result : Build

    Returns
    -------
    dict
        ``risk`` before and after, ``bounds`` required and reached, ``loss``, ``leaks`` and ``attacks``.
    """
    before = Classes.of_columns(result.source.quasi_identifiers)
    after = result.classes
    return {
        "records": len(result.table),
        **({} if result.people is None else {"people": result.published_people}),
        **({} if result.counting is None else {"counted": result.counting.document}),
        "suppressed": result.loss.suppressed,
        "dropped": result.source.dropped,
        "changed": result.changed,
        "classes": after.count,
        "bounds": [
            {"column": bound.sensitive, "model": bound.model, "asked": bound.asked, "reached": bound.reached}
            for bound in result.verdicts
        ],
        "risk": {"before": _risk(result, before), "after": _risk(result, after)},
        "loss": {
            "ncp": result.loss.ncp,
            "ilp_share": result.loss.ilp_share,
            "own_share": None
            if result.own_ilp is None
            else result.own_ilp / (len(result.table) + result.loss.suppressed),
            "weights": result.weights,
            **({"expert": result.source.sensitive[0].name} if result.config.matrix is not None else {}),
            "columns": dict(result.loss.by_column),
            "errors": {error.name: asdict(error) for error in result.errors},
        },
        "leaks": [_leaks(result, column.name) for column in result.table.sensitive],
        "attacks": _attacks(result, before),
        "multi_attribute": result.config.multi_attribute and len(result.table.sensitive) > 1,
        "lattice": lattice_document(result.tradeoff),
    }


def _risk(release: Build, classes: Classes) -> dict[str, Any]:
    sizes = classes.crowds(release.people if len(classes.number) == len(release.source) else release.owners)
    result = risk(sizes)
    return {
        "smallest": int(sizes.min()),
        "alone": result.sample_uniques,
        "highest": result.prosecutor_highest,
        "mean": result.prosecutor_mean,
        "at_risk": result.at_risk,
    }


def _leaks(result: Build, name: str) -> dict[str, Any]:
    """Return the bits that a class reveals about a sensitive value, before and after."""
    column = result.table.column(name)
    raw = leakage(ClassMatrix.of(result.classes_before, column, result.owners))
    now = leakage(ClassMatrix.of(result.classes, column, result.owners))
    return {
        "column": name,
        "entropy": now.entropy,
        "before": raw.mutual_information,
        "after": now.mutual_information,
    }


def _attacks(result: Build, before: Classes) -> dict[str, Any]:
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
