"""Groups of categories that a release uses: typed trees, and proposed ones.

Trees are written as indented text (`anonymisation.microdata.hierarchies`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from anonymisation.microdata.classifications import known_groups
from anonymisation.microdata.hierarchies import STEP, tree_leaves, tree_text
from anonymisation.releases.problems import refuse_all
from privacy.sdc.beginnings import beginnings
from privacy.sdc.hierarchy import Hierarchy, paths_hierarchy
from privacy.tables.columns import ReadTable
from surveys.errors.error import SurveyError


def tree_read(name: str, text: str, values: Sequence[str]) -> Hierarchy:
    """Read the tree of a column.

    Parameters
    ----------
    name : str
    text : str
        One group or value per line.
    values : sequence of str
        Values of the column; each must be a leaf.

    Raises
    ------
    SurveyError
        ``release.tree``: a line is indented too far; ``release.tree_twice``; ``release.tree_missing``: a
        value is missing from the tree, or has other values below it.

    Examples
    --------
    >>> tree_read("work", "public\\n  city\\n  state\\nown", ["city", "own"]).rows()
    [('city', 'public', '*'), ('own', 'own', '*')]
    """
    # A missing value has an empty name, which no line can have, so it gets a leaf below the root.
    leaves = {"": (), **tree_leaves(name, text)}
    absent = [value for value in values if value not in leaves]
    if absent:
        raise SurveyError("release.tree_missing", absent[0], name=name, count=len(absent))
    return paths_hierarchy(name, {value: leaves[value] for value in values})


def propose_tree(name: str, values: Sequence[str]) -> str:
    """Propose a tree: by a known classification, a sign such as "-", or first characters, or without groups.

    Examples
    --------
    >>> print(propose_tree("born", ["2021-05", "2021-04"]))
    2020s
      2021
        2021 Q2
          2021-04
          2021-05
    >>> print(propose_tree("work", ["a-1", "a-2", "a-3", "b-1", "b-2", "b-3"]))
    a …
      a-1
      a-2
      a-3
    b …
      b-1
      b-2
      b-3
    """
    leaves = sorted(values)
    if branches := known_groups(name, leaves):
        return tree_text(branches)
    if groups := beginnings(leaves):
        lines = []
        for group, group_values in groupby(leaves, key=lambda value: groups[value]):
            lines += [group, *(" " * STEP + value for value in group_values)]
        return "\n".join(lines)
    return "\n".join(leaves)


def values_of(column: Mapping[str, Any], table: ReadTable) -> list[str]:
    """Return the distinct values that a column's tree must contain, with "" if missing counts as a value."""
    values = set(table.column(column["name"]).values)
    return sorted(values if column["policy"] == "value" else values - {""})


def trees_read(
    texts: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, Hierarchy]:
    """Read the trees of the columns whose categories are generalised; other columns need none."""
    read = {
        column["name"]: partial(tree_read, column["name"], texts[column["name"]], values_of(column, table))
        for column in columns
        if column["name"] in texts and _has_tree(column)
    }
    return dict(zip(read, refuse_all(*read.values()), strict=True))


def tree_texts(
    texts: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, str]:
    """Return the tree of each column whose categories are generalised: the stored text, or a proposal."""
    return {
        column["name"]: texts.get(column["name"])
        or propose_tree(column["name"], [value for value in values_of(column, table) if value])
        for column in columns
        if _has_tree(column)
    }


def _has_tree(column: Mapping[str, Any]) -> bool:
    return column["role"] == "quasi_identifier" and column["kind"] not in ("numeric", "year")
