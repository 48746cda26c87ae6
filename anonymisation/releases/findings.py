"""Findings about a release: what its own attacks, risks and losses are, as numbers for its page."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from anonymisation.microdata.build import Build
from anonymisation.microdata.lattice_picture import lattice_document
from anonymisation.releases.own_attacks import attacks_on
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.leakage import leakage
from privacy.sdc.reidentification_risk import risk


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
        "attacks": attacks_on(result, before),
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
