"""From what somebody chose on the pages to the configuration of a release, and the refusals on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from privacy.sdc import ColumnRule, Hierarchy, Table
from surveys.errors.error import SurveyError
from surveys.release.config import HierarchyRule, ReleaseConfig, config_read
from surveys.release.reading import hierarchies_read

__all__ = ["BOUNDS", "config_of", "hierarchies_of", "plan_check", "with_role"]

BOUNDS: Final = ("l", "t", "delta", "rho1", "rho2")
"""What can be asked for of each sensitive column; k is asked for of the whole table."""

_PARTS: Final = 20
"""A numeric column is cut into about so many intervals, then into fewer and wider ones."""


def with_role(columns: Sequence[Mapping[str, Any]], role: str) -> list[Mapping[str, Any]]:
    """Return the chosen columns of one role."""
    return [column for column in columns if column["role"] == role]


def config_of(
    columns: Sequence[Mapping[str, Any]], bounds: Mapping[str, Any], trees: Mapping[str, Hierarchy]
) -> ReleaseConfig:
    """Return the configuration of a release.

    Parameters
    ----------
    columns : sequence of mapping
        Name, role, kind and policy of each.
    bounds : mapping
        ``k``, ``algorithm``, ``max_suppressed`` and, under ``columns``, the bounds of each sensitive column.
    trees : mapping of str to Hierarchy
        Those that somebody wrote; numbers fall into intervals and other values into one group.
    """
    sections: dict[str, dict[str, Any]] = {}
    for column in columns:
        section: dict[str, Any] = {"role": column["role"], "missing": column["policy"]}
        if column["role"] in ("quasi_identifier", "sensitive") and column["kind"] == "numeric":
            section |= {"kind": "numeric", "missing": "drop"}
        elif column["role"] == "quasi_identifier" and column["name"] not in trees:
            section["hierarchy"] = "flat"
        if column["role"] == "sensitive":
            own = bounds["columns"].get(column["name"], {})
            section |= {name: own[name] for name in BOUNDS if own.get(name) is not None}
        sections[column["name"]] = section
    release = {
        "k": bounds["k"],
        "algorithm": bounds["algorithm"],
        "max_suppressed": bounds["max_suppressed"],
        "ground": "ordered",
    }
    config = config_read({"release": release, "columns": sections}, beside=Path())
    written = {name: HierarchyRule(column=name, builder="file") for name in trees}
    return replace(config, hierarchies={**config.hierarchies, **written})


def hierarchies_of(
    table: Table, config: ReleaseConfig, trees: Mapping[str, Hierarchy]
) -> tuple[ReleaseConfig, dict[str, Hierarchy]]:
    """Return the hierarchies of a table, with those that its numbers fall into.

    Global recoding needs intervals for every number; classes of neighbours need none and are given none.
    """
    rules = {name: rule for name, rule in config.hierarchies.items() if name not in trees}
    if config.algorithm == "samarati":
        for column in table.quasi_identifiers:
            if column.numbers is not None and column.name not in trees:
                span = float(column.numbers[-1] - column.numbers[0])
                rules[column.name] = HierarchyRule(
                    column=column.name, builder="intervals", widths=interval_widths(span)
                )
    missing = {rule.name: rule.missing_texts for rule in config.rules}
    found = hierarchies_read(table, rules, missing)
    for name, tree in trees.items():
        found[name] = tree.for_values(table.column(name).values)
    written = {name: HierarchyRule(column=name, builder="file") for name in trees}
    return replace(config, hierarchies={**rules, **written}), found


def interval_widths(span: float) -> tuple[float, ...]:
    """Return widths that people count in, each a multiple of the one before.

    Examples
    --------
    >>> interval_widths(73.0)
    (5.0, 10.0, 20.0, 40.0)
    >>> interval_widths(0.0)
    (1.0,)
    """
    if span <= 0:
        return (1.0,)
    step = 1.0
    while step * _PARTS < span:
        step *= 10
    while step * _PARTS >= 10 * span:
        step /= 10
    first = next(step * part / 10 for part in (1, 2, 5, 10) if step * part / 10 * _PARTS >= span)
    widths = [first]
    while widths[-1] * 2 < span:
        widths.append(widths[-1] * 2)
    return tuple(widths)


def plan_check(columns: Sequence[Mapping[str, Any]], bounds: Mapping[str, Any], records: int) -> None:
    """Refuse at once what no work could reach.

    Raises
    ------
    SurveyError
        ``deposit.no_quasi``, ``deposit.k``, ``deposit.l`` or ``deposit.rho``.
    """
    if not with_role(columns, "quasi_identifier"):
        raise SurveyError("deposit.no_quasi")
    if bounds["k"] > records:
        raise SurveyError("deposit.k", bounds["k"], n=records)
    for column in with_role(columns, "sensitive"):
        own = bounds["columns"].get(column["name"], {})
        held = column["distinct"] + (1 if column["missing"] and column["policy"] == "value" else 0)
        if (own.get("l") or 1) > held:
            raise SurveyError("deposit.l", own["l"], name=column["name"], held=held)
        rho1, rho2 = own.get("rho1"), own.get("rho2")
        if (rho1 is None) != (rho2 is None) or (rho1 is not None and rho2 is not None and rho1 >= rho2):
            raise SurveyError("deposit.rho", name=column["name"])


def rules_of(columns: Sequence[Mapping[str, Any]]) -> tuple[ColumnRule, ...]:
    """Return the rules of columns under no bound, to read their values for a tree."""
    none = {"k": 1, "algorithm": "tight", "max_suppressed": 0, "columns": {}}
    return config_of(columns, none, {}).rules
