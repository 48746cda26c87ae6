"""Trees of the columns of a deposit: read for its values, and proposed; the text is `microdata.trees`'s."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from anonymisation.microdata.classifications import groups_known, paths_hierarchy
from anonymisation.microdata.trees import STEP, tree_leaves, tree_text
from privacy.sdc import Hierarchy
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadTable

__all__ = [
    "PROPOSED",
    "source_text",
    "sources_of",
    "tree_proposed",
    "tree_read",
    "tree_texts",
    "trees_read",
    "values_of",
]

PROPOSED: Final = "proposed"
_KNOWN: Final = {
    "dates": gettext_lazy("dates, by quarter, year and decade"),
    "countries": gettext_lazy("countries, by region (UN M49)"),
    "nuts": gettext_lazy("regions of Europe (NUTS)"),
    "icd": gettext_lazy("diagnoses (ICD-10)"),
    "isco": gettext_lazy("occupations (ISCO-08)"),
    "education": gettext_lazy("levels of education (ISCED 2011)"),
}
_FEWEST_FOR_A_GROUP: Final = 6
"""Fewer values need no group: together they are the root."""


def tree_read(name: str, text: str, values: Sequence[str]) -> Hierarchy:
    """Read the tree of a column.

    Parameters
    ----------
    name : str
    text : str
        One group or value a line.
    values : sequence of str
        Those of the column; each has to be a leaf.

    Raises
    ------
    SurveyError
        ``deposit.tree``: a line jumps inwards; ``deposit.tree_twice``; ``deposit.tree_missing``: a value
        has no place, or stands where others stand below it.

    Examples
    --------
    >>> tree_read("work", "public\\n  city\\n  state\\nown", ["city", "own"]).rows()
    [('city', 'public', '*'), ('own', 'own', '*')]
    """
    # What is missing has no name to be written: it stands alone below the root.
    leaves = {"": (), **tree_leaves(name, text)}
    absent = [value for value in values if value not in leaves]
    if absent:
        raise SurveyError("deposit.tree_missing", absent[0], name=name, count=len(absent))
    return paths_hierarchy(name, {value: leaves[value] for value in values})


def tree_proposed(name: str, values: Sequence[str]) -> str:
    """Propose a tree: of a known classification, by a sign such as "-", by first characters, or no groups.

    Examples
    --------
    >>> print(tree_proposed("born", ["2021-05", "2021-04"]))
    2020s
      2021
        2021 Q2
          2021-04
          2021-05
    >>> print(tree_proposed("work", ["a-1", "a-2", "a-3", "b-1", "b-2", "b-3"]))
    a …
      a-1
      a-2
      a-3
    b …
      b-1
      b-2
      b-3
    """
    ordered = sorted(values)
    if known := groups_known(name, ordered):
        return tree_text(known)
    if len(ordered) >= _FEWEST_FOR_A_GROUP:
        for beginning in (_before_a_sign, _first_characters):
            groups = {value: beginning(value) for value in ordered}
            named = set(groups.values())
            if all(groups.values()) and 1 < len(named) <= len(ordered) / 2 and not named & set(ordered):
                lines = []
                for group, inside in groupby(ordered, key=lambda value: groups[value]):
                    lines += [f"{group} …", *(" " * STEP + value for value in inside)]
                return "\n".join(lines)
    return "\n".join(ordered)


def _before_a_sign(value: str) -> str:
    for sign in ("-", "/", ":", ".", ","):
        before, sign_found, _after = value.partition(sign)
        if sign_found:
            return before.strip()
    return ""


def _first_characters(value: str) -> str:
    """Of codes: at least four characters, one of them a digit."""
    return value[:2] if len(value) >= 4 and any(sign.isdigit() for sign in value) else ""


def sources_of(name: str, values: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the sources of a column's tree: the proposal, and the classifications that know its values."""
    known = [(key, words) for key, words in _KNOWN.items() if groups_known(name, values, key)]
    return [(PROPOSED, _("proposed groups")), *known]


def source_text(source: str, name: str, values: Sequence[str]) -> tuple[str, list[str]]:
    """Return the tree of a source for the values of a column, and the values that it leaves in no group."""
    if source in _KNOWN:
        groups = groups_known(name, values, source) or {}
        return tree_text(groups), [value for value, above in groups.items() if not above]
    return tree_proposed(name, values), []


def values_of(column: Mapping[str, Any], table: ReadTable) -> list[str]:
    """Return the different values that a tree of a column has to have; a missing one where it is a value."""
    values = set(table.column(column["name"]).values)
    return sorted(values if column["policy"] == "value" else values - {""})


def trees_read(
    texts: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, Hierarchy]:
    """Read the trees of the columns that are generalised by values; others need none."""
    return {
        column["name"]: tree_read(column["name"], texts[column["name"]], values_of(column, table))
        for column in columns
        if column["name"] in texts and _has_tree(column)
    }


def tree_texts(
    stored: Mapping[str, str], columns: Sequence[Mapping[str, Any]], table: ReadTable
) -> dict[str, str]:
    """Return the tree of each column whose categories are generalised: as written before, or proposed."""
    return {
        column["name"]: stored.get(column["name"])
        or tree_proposed(column["name"], [value for value in values_of(column, table) if value])
        for column in columns
        if _has_tree(column)
    }


def _has_tree(column: Mapping[str, Any]) -> bool:
    return column["role"] == "quasi_identifier" and column["kind"] not in ("numeric", "year")
