"""Trees of values as text: lines that are indented, for people; rows of ancestors, as ARX has them.

Of indented text a line is a group or a value; what belongs to a group stands below it, two blanks further in.
Whatever is in no group belongs to the root, which is published as ``*``::

    public
      city
      state
    private
      own
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import Final

from anonymisation.microdata.classifications import Groups, paths_hierarchy
from privacy.sdc import Hierarchy
from privacy.sdc.hierarchy import SUPPRESSED
from surveys.errors.error import SurveyError

__all__ = ["hierarchy_of_file", "hierarchy_of_text", "tree_leaves", "tree_text"]

STEP: Final = 2


def tree_leaves(name: str, text: str) -> dict[str, Groups]:
    """Return the groups of each value of an indented tree, coarse ones first.

    Parameters
    ----------
    name : str
        Of the column, or of the tree.
    text : str
        One group or value a line.

    Raises
    ------
    SurveyError
        ``deposit.tree``: a line jumps inwards; ``deposit.tree_twice``.

    Examples
    --------
    >>> tree_leaves("work", "public\\n  city\\n  state\\nown")
    {'city': ('public',), 'state': ('public',), 'own': ()}
    """
    paths: dict[str, Groups] = {}
    above: list[str] = []
    groups: set[str] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        label = line.strip()
        if not label:
            continue
        depth, odd = divmod(len(line.expandtabs(STEP)) - len(line.expandtabs(STEP).lstrip()), STEP)
        if odd or depth > len(above):
            raise SurveyError("deposit.tree", row=number, name=name)
        if label in paths or label == SUPPRESSED:
            raise SurveyError("deposit.tree_twice", label, name=name)
        above = [*above[:depth], label]
        paths[label] = tuple(above[:-1])
        groups.update(above[:-1])
    return {label: path for label, path in paths.items() if label not in groups}


def tree_text(groups: Mapping[str, Sequence[str]]) -> str:
    """Return the groups of values as indented text, in the order of their names.

    Examples
    --------
    >>> print(tree_text({"own": (), "city": ("public",)}))
    own
    public
      city
    """
    lines: dict[str, str] = {}
    for value, above in sorted(groups.items(), key=lambda item: [*item[1], item[0]]):
        for depth, label in enumerate([*above, value]):
            lines.setdefault(label, " " * STEP * depth + label)
    return "\n".join(lines.values())


def hierarchy_of_text(name: str, text: str) -> Hierarchy:
    """Read a tree from indented text, as `tree_leaves`."""
    # What is missing has no name to be written: it stands alone below the root.
    return paths_hierarchy(name, {"": (), **tree_leaves(name, text)})


def hierarchy_of_file(name: str, file: str, raw: bytes) -> Hierarchy:
    """Read a tree from a file: indented text where it ends in ``.txt``, else rows as ARX has them.

    Raises
    ------
    PrivacyError
        ``deposit.tree_file``: it is no text, or has none; and what is wrong in it.
    """
    text = _decoded(file, raw)
    if _is_indented(file):
        return hierarchy_of_text(name, text)
    lines = [line for line in text.splitlines() if line.strip()]
    separator = ";" if any(";" in line for line in lines) else ","
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator)]
    return Hierarchy.from_rows(name, rows)


def _is_indented(file: str) -> bool:
    return file.casefold().endswith(".txt")


def _decoded(file: str, raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SurveyError("deposit.tree_file", file) from error
    if not text.strip():
        raise SurveyError("deposit.tree_file", file)
    return text
