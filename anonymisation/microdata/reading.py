"""Hierarchies of a table's columns, from files or built."""

from __future__ import annotations

from pathlib import Path

from anonymisation.microdata.classifications import CLASSIFICATIONS, groups_known, paths_hierarchy
from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.trees import hierarchy_of_file
from privacy.sdc import (
    Hierarchy,
    Table,
    ends_hierarchy,
    flat_hierarchy,
    interval_hierarchy,
    prefix_hierarchy,
)
from surveys.errors.error import SurveyError

__all__ = ["hierarchies_read", "hierarchy_read"]


def hierarchy_read(name: str, path: Path) -> Hierarchy:
    """Read a hierarchy from a file, in either form of `microdata.trees`."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SurveyError("file.hierarchy", str(path), path=path, name=name) from error
    return hierarchy_of_file(name, path.name, raw)


def hierarchies_read(table: Table, config: ReleaseConfig) -> dict[str, Hierarchy]:
    """Read or build the hierarchies that a configuration asks for, and check that each covers all values.

    Raises
    ------
    PrivacyError
        Naming column and values, before any work has started.
    """
    missing_texts = {rule.name: rule.missing_texts for rule in config.rules}
    hierarchies = {}
    for column in (*table.quasi_identifiers, *table.sensitive):
        rule = config.hierarchies.get(column.name)
        if rule is None:
            continue
        missing = missing_texts[column.name]
        if rule.tree is not None:
            tree = rule.tree.for_values(column.values)
        elif rule.file is not None:
            tree = hierarchy_read(column.name, rule.file)
        elif rule.builder == "flat":
            tree = flat_hierarchy(column.name, column.values)
        elif rule.builder in CLASSIFICATIONS:
            groups = groups_known(column.name, column.values, rule.builder)
            if groups is None:
                raise SurveyError("hierarchy.unknown", rule.builder, name=column.name)
            tree = paths_hierarchy(column.name, groups)
        elif rule.builder == "prefix":
            tree = prefix_hierarchy(column.name, column.values)
        elif rule.ends:
            tree = ends_hierarchy(column.name, column.values, rule.ends, missing=missing)
        else:
            tree = interval_hierarchy(
                column.name, column.values, rule.widths, origin=rule.origin, missing=missing
            )
        tree.for_values(column.values)
        hierarchies[column.name] = tree
    return hierarchies
