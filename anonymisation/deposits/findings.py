"""Findings on a deposit: risk and utility before and after, and the attacks that were run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from anonymisation.microdata.lattice_figure import lattice_document
from anonymisation.microdata.made import Made
from privacy.sdc import Classes, ClassMatrix, Table, homogeneous, leakage, link, risk
from privacy.sdc.attacks import background_knowledge
from privacy.sdc.risk import Risk
from privacy.sdc.table import Column

__all__ = ["findings_of"]

MOST_PEOPLE: Final = 1000
"""People whom the linking attack looks for: all, or the most exposed of a larger table."""


def findings_of(made: Made) -> dict[str, Any]:
    """Measure a release, and attack it with what its own records tell.

    Parameters
    ----------
    made : Made

    Returns
    -------
    dict
        ``risk`` and ``columns`` before and after, ``bounds`` asked and reached, ``loss``, and ``attacks``.
    """
    before = Classes.of_columns(made.source.quasi_identifiers)
    after = made.classes
    return {
        "algorithm": made.algorithm,
        "records": len(made.released),
        **({} if made.people is None else {"people": made.published_people}),
        "suppressed": made.loss.suppressed,
        "dropped": made.source.dropped,
        "changed": made.changed,
        "classes": after.count,
        "seconds": round(made.seconds, 2),
        "bounds": [
            {
                "column": verdict.sensitive,
                "model": verdict.model,
                "asked": verdict.asked,
                "reached": verdict.reached,
            }
            for verdict in made.verdicts
        ],
        "risk": {"before": _risk(made, before), "after": _risk(made, after)},
        "loss": {
            "ncp": made.loss.ncp,
            "ilp_share": made.loss.ilp_share,
            "own_share": None
            if made.own_ilp is None
            else made.own_ilp / (len(made.released) + made.loss.suppressed),
            "weights": made.weights,
            **({"expert": made.source.sensitive[0].name} if made.config.matrix is not None else {}),
            "columns": dict(made.loss.by_column),
            "errors": {error.name: asdict(error) for error in made.errors},
        },
        "leaks": [_leaks(made, column.name) for column in made.released.sensitive],
        "attacks": _attacks(made, before),
        "multi_attribute": made.config.multi_attribute and len(made.released.sensitive) > 1,
        "lattice": lattice_document(made.tradeoff),
    }


def _risk(made: Made, classes: Classes) -> dict[str, Any]:
    sizes = classes.crowds(made.people if len(classes.number) == len(made.source) else made.owners)
    measured: Risk = risk(sizes, threshold=made.config.threshold)
    return {
        "smallest": int(sizes.min()),
        "alone": measured.sample_uniques,
        "highest": measured.prosecutor_highest,
        "mean": measured.prosecutor_mean,
        "at_risk": measured.at_risk,
    }


def _leaks(made: Made, name: str) -> dict[str, Any]:
    """How many bits a class tells about a sensitive value, before and after."""
    column = made.released.column(name)
    raw, now = (
        leakage(ClassMatrix.of(made.classes_before, column, made.owners)),
        leakage(ClassMatrix.of(made.classes, column, made.owners)),
    )
    return {
        "column": name,
        "entropy": now.entropy,
        "before": raw.mutual_information,
        "after": now.mutual_information,
    }


def _attacks(made: Made, before: Classes) -> dict[str, Any]:
    """Link the people of the table with the release, and read off what classes give away."""
    # The most exposed first: those who stood alone, or among the fewest.
    crowd = before.crowds(made.people)[before.number]
    rows = np.argsort(crowd, kind="stable")
    if made.people is not None:
        # Of each person the record that is most exposed.
        rows = rows[np.sort(np.unique(made.people[rows], return_index=True)[1])]
    rows = rows[:MOST_PEOPLE]
    known = made.source.take(np.asarray(rows, dtype=np.int64))
    people = {column.name: column.texts for column in known.quasi_identifiers}
    # As the file is read by others: the first sensitive column is what the attacker is after, then the next.
    linked = []
    for column in made.released.sensitive or (None,):
        others = tuple(
            other for other in made.released.columns if other.role != "sensitive" or other is column
        )
        linked.append(_linked(made, column, others, people))
    # Somebody who also knows what else is protected of a person: of all people, not of the most exposed ones.
    sensitive = made.released.sensitive
    knowing = [
        {
            "column": column.name,
            "people": made.published_people or len(made.released),
            "disclosed": made.certain_of(column, [other for other in sensitive if other is not column]),
        }
        for column in sensitive
        if len(sensitive) > 1
    ]
    return {
        "alone_before": int((crowd[rows] == 1).sum()),
        "linked": linked,
        "knowing": knowing,
        "read_off": [_read_off(made, column.name) for column in made.released.sensitive],
    }


def _linked(
    made: Made,
    column: Column | None,
    columns: tuple[Column, ...],
    people: Mapping[str, list[str]],
) -> dict[str, Any]:
    """Look people up by the quasi-identifiers among some columns, for the value of one."""
    released = Table(columns=columns, source_rows=made.released.source_rows)
    links = link(released, people, made.domains, owners=made.owners)
    candidates = [link.candidates for link in links if link.candidates]
    return {
        "column": "" if column is None else column.name,
        "people": len(links),
        "found": len(candidates),
        "identified": sum(link.identified for link in links),
        "disclosed": sum(link.disclosed for link in links),
        "fewest": min(candidates, default=0),
    }


def _read_off(made: Made, name: str) -> dict[str, Any]:
    column = made.released.column(name)
    matrix = ClassMatrix.of(made.classes, column, made.owners)
    alone = homogeneous(matrix, column.real)
    knowledge = background_knowledge(matrix)
    return {
        "column": name,
        "one_value_classes": len(alone),
        "one_value_records": sum(cls.size for cls in alone),
        "exclusions": knowledge.weakest,
        "certain": knowledge.certainty[0],
        "certain_after_one": knowledge.certainty[1],
    }
