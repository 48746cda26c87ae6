"""Build the hierarchy of each column of a table as its plan states."""

from __future__ import annotations

from anonymisation.microdata.classifications import CLASSIFICATIONS, known_groups
from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.hierarchies import hierarchy_read
from privacy.sdc.hierarchy import (
    Hierarchy,
    ends_hierarchy,
    flat_hierarchy,
    interval_hierarchy,
    paths_hierarchy,
    prefix_hierarchy,
)
from privacy.sdc.table import Table
from surveys.errors.error import SurveyError


def hierarchies_read(table: Table, config: ReleaseConfig) -> dict[str, Hierarchy]:
    """Read or build the hierarchies of a configuration, and check that each covers all values.

    Raises
    ------
    PrivacyError
        A hierarchy does not cover its column; the error names column and values.
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
            groups = known_groups(column.name, column.values, rule.builder)
            if groups is None:
                raise SurveyError("hierarchy.unknown", rule.builder, name=column.name)
            tree = paths_hierarchy(column.name, groups)
        elif rule.builder == "prefix":
            tree = prefix_hierarchy(column.name, column.values)
        elif rule.ends:
            tree = ends_hierarchy(column.name, column.values, rule.ends, missing=missing)
        else:
            tree = interval_hierarchy(column.name, column.values, rule.widths, missing=missing)
        tree.for_values(column.values)
        hierarchies[column.name] = tree
    return hierarchies
