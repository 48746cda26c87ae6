"""Hierarchies of values: how each is generalised.

They are read in the ARX format, or built from intervals, from prefixes, or with a root alone.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from privacy.errors import PrivacyError
from privacy.numeric_text import number_text
from privacy.tables.cell_text import cell_text
from privacy.tables.frames import read_frame

SUPPRESSED = "*"


@dataclass(frozen=True, kw_only=True, eq=False)
class Hierarchy:
    """A tree over the values of one column, all leaves at level 0 and one root at the highest level.

    Parameters
    ----------
    name : str
        The column it belongs to.
    labels : tuple of tuple of str
        ``labels[level]`` holds the distinct labels of a level, ``labels[0]`` the values themselves.
    node : int32 array, shape (levels, leaves)
        ``node[level, leaf]`` is the position of a leaf's ancestor in ``labels[level]``.

    Notes
    -----
    `from_rows` checks both conditions of Samarati 2001: each domain has at most one direct generalisation,
    and the last domain has a single value.
    """

    name: str
    labels: tuple[tuple[str, ...], ...]
    node: npt.NDArray[np.int32]

    @classmethod
    def from_rows(cls, name: str, rows: Iterable[Sequence[str]]) -> Hierarchy:
        """Read the ARX format: one row per value, followed by its ancestors from fine to coarse.

        Raises
        ------
        PrivacyError
            If rows differ in length, a value has two rows, a label has two parents, or the last level has
            more than one label.

        Examples
        --------
        >>> rows = [["State", "gov", "*"], ["Federal", "gov", "*"], ["Private", "Private", "*"]]
        >>> tree = Hierarchy.from_rows("work", rows)
        >>> tree.height, tree.labels[1]
        (2, ('gov', 'Private'))
        """
        table = [tuple(row) for row in rows]
        if not table or not table[0]:
            raise PrivacyError("hierarchy.empty", name)
        _check_values(name, table)
        _check_parents(name, table)
        roots = sorted({row[-1] for row in table})
        if len(roots) > 1:
            raise PrivacyError(
                "hierarchy.roots",
                roots[1],
                name=name,
                count=len(roots),
                roots=roots[0],
                suppressed=SUPPRESSED,
            )
        return cls._build(name, table)

    @classmethod
    def _build(cls, name: str, table: Sequence[Sequence[str]]) -> Hierarchy:
        labels: list[tuple[str, ...]] = []
        node = np.empty((len(table[0]), len(table)), dtype=np.int32)
        for level in range(len(table[0])):
            leaf_of: dict[str, int] = {}
            for leaf, row in enumerate(table):
                node[level, leaf] = leaf_of.setdefault(row[level], len(leaf_of))
            labels.append(tuple(leaf_of))
        return cls(name=name, labels=tuple(labels), node=node)

    @property
    def height(self) -> int:
        """Number of generalisation steps from the values to the root."""
        return len(self.labels) - 1

    def for_values(self, values: Sequence[str]) -> Hierarchy:
        """Restrict the hierarchy to these values, in this order: leaf ``i`` is ``values[i]``.

        Raises
        ------
        PrivacyError
            If the hierarchy does not cover all values; the message names the first ten that are missing.
        """
        leaves = set(self.labels[0])
        absent = [value for value in values if value not in leaves]
        if absent:
            sample = ", ".join(repr(value) for value in absent[:10]) + (", ..." if len(absent) > 10 else "")
            raise PrivacyError("coverage", tuple(absent), name=self.name, count=len(absent), shown=sample)
        row_of = {row[0]: row for row in self.rows()}
        return self._build(self.name, [row_of[value] for value in values])

    def rows(self) -> list[tuple[str, ...]]:
        """Return the hierarchy in the ARX format, one row per value."""
        return [
            tuple(self.labels[level][self.node[level, leaf]] for level in range(len(self.labels)))
            for leaf in range(len(self.labels[0]))
        ]


def _check_values(name: str, table: Sequence[Sequence[str]]) -> None:
    """Reject rows of different lengths, and values with two rows."""
    width = len(table[0])
    seen: set[str] = set()
    for row in table:
        if len(row) != width:
            value = row[0] if row else ""
            raise PrivacyError("hierarchy.levels", value, name=name, row=value, count=len(row), width=width)
        if row[0] in seen:
            raise PrivacyError("hierarchy.twice", row[0], name=name)
        seen.add(row[0])


def _check_parents(name: str, table: Sequence[Sequence[str]]) -> None:
    """Reject labels with two parents."""
    for level in range(len(table[0]) - 1):
        parent: dict[str, str] = {}
        for row in table:
            label, above = row[level], row[level + 1]
            if (before := parent.setdefault(label, above)) != above:
                raise PrivacyError(
                    "hierarchy.parents", label, name=name, level=level, before=before, row=above
                )


def paths_hierarchy(name: str, groups: Mapping[str, Sequence[str]]) -> Hierarchy:
    """Build a hierarchy from the groups of each value, coarsest first.

    Parameters
    ----------
    name : str
        Name of a column.
    groups : mapping of str to sequence of str
        Groups of each value.

    Examples
    --------
    >>> paths_hierarchy("work", {"city": ["public"], "own": []}).rows()
    [('city', 'public', '*'), ('own', 'own', '*')]
    """
    height = max(map(len, groups.values()))
    # A value with fewer groups is repeated as its own group on the finer levels.
    return Hierarchy.from_rows(
        name,
        [
            [value, *[value] * (height - len(above)), *reversed(above), SUPPRESSED]
            for value, above in groups.items()
        ],
    )


def hierarchy_of(name: str, given: Any) -> Hierarchy:
    """Return a hierarchy that is given as one, as a mapping, or as a table.

    Parameters
    ----------
    name : str
        Name of the column.
    given : Hierarchy, mapping of value to label or labels, or DataFrame
        Labels are ordered from fine to coarse. A DataFrame has a row per value, with the value first. If the
        last labels differ, "*" is added above them.

    Raises
    ------
    PrivacyError
        ``hierarchy``: none of these; and as for `Hierarchy.from_rows`.

    Examples
    --------
    >>> hierarchy_of("work", {"State": "gov", "Federal": "gov", "Private": "firm"}).labels
    (('State', 'Federal', 'Private'), ('gov', 'firm'), ('*',))
    """
    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, Mapping):
        labels = {value: [own] if isinstance(own, str) else list(own) for value, own in given.items()}
        rows = [[cell_text(value), *map(cell_text, own)] for value, own in labels.items()]
    else:
        try:
            frame = read_frame(given)
        except PrivacyError:
            frame = None
        if not hasattr(frame, "itertuples"):
            raise PrivacyError("hierarchy.kind", type(given).__name__, name=name)
        rows = [list(map(cell_text, row)) for row in frame.itertuples(index=False)]
    if len({row[-1] for row in rows}) > 1:
        rows = [[*row, SUPPRESSED] for row in rows]
    return Hierarchy.from_rows(name, rows)


def flat_hierarchy(name: str, values: Sequence[str]) -> Hierarchy:
    """Build a hierarchy of two levels: the values, and one root that hides them.

    Parameters
    ----------
    name : str
        Name of the column.
    values : sequence of str
        Distinct values.

    Examples
    --------
    >>> flat_hierarchy("sex", ["Female", "Male"]).rows()
    [('Female', '*'), ('Male', '*')]
    """
    return Hierarchy.from_rows(name, [(value, SUPPRESSED) for value in values])


def prefix_hierarchy(name: str, values: Sequence[str]) -> Hierarchy:
    """Build a hierarchy whose levels mask more and more characters from the right, as for postal codes.

    Parameters
    ----------
    name : str
        Name of the column.
    values : sequence of str
        Distinct values of equal length.

    Raises
    ------
    PrivacyError
        If the values differ in length.

    Examples
    --------
    >>> prefix_hierarchy("zip", ["123", "129"]).rows()
    [('123', '12*', '1**', '***'), ('129', '12*', '1**', '***')]
    """
    width = len(values[0]) if values else 0
    for value in values:
        if len(value) != width:
            raise PrivacyError("hierarchy.lengths", value, name=name, values=values[0])
    return Hierarchy.from_rows(
        name,
        [[value[: width - stars] + SUPPRESSED * stars for stars in range(width + 1)] for value in values],
    )


def interval_hierarchy(
    name: str, values: Sequence[str], widths: Sequence[float], *, missing: Sequence[str] = ()
) -> Hierarchy:
    """Build half-open intervals of growing width; on every level, one of them starts at 0.

    Parameters
    ----------
    name : str
        The column.
    values : sequence of str
        Numbers as texts, and the texts of `missing`.
    widths : sequence of float
        Widths of the levels, each a whole multiple of the one before.
    missing : sequence of str
        Texts that mean "missing". Each is a separate leaf, which joins the rest only at the root.

    Raises
    ------
    PrivacyError
        If a width is not a multiple of the one before, or a value is not a number.

    Examples
    --------
    >>> interval_hierarchy("age", ["17", "23"], [5, 10]).rows()
    [('17', '[15,20)', '[10,20)', '*'), ('23', '[20,25)', '[20,30)', '*')]
    """
    before = None
    for width in widths:
        if (
            not math.isfinite(width)
            or width <= 0
            or (before is not None and not (width / before).is_integer())
        ):
            raise PrivacyError("hierarchy.widths", width, name=name, widths=list(widths))
        before = float(width)

    def interval(width: float, number: float) -> str:
        low = math.floor(number / width) * width
        return f"[{number_text(low)},{number_text(low + width)})"

    return _hierarchy_from_labels(name, values, [partial(interval, width) for width in widths], missing)


def ends_hierarchy(
    name: str, values: Sequence[str], levels: Sequence[Sequence[float]], *, missing: Sequence[str] = ()
) -> Hierarchy:
    """Build half-open intervals between given ends.

    Parameters
    ----------
    name : str
        The column.
    values : sequence of str
        Numbers as texts.
    levels : sequence of sequences of float
        Ends by level, finest level first, ascending within a level. An interval includes its lower end but
        not its upper one; the first and last intervals are unbounded. An end that separates two values must
        also separate them on the finer level.
    missing : sequence of str
        Texts that mean "missing". Each is a separate leaf, which joins the rest only at the root.

    Raises
    ------
    PrivacyError
        ``hierarchy.ends``: ends do not ascend; ``hierarchy.parents``: a level splits an interval of the finer
        one; ``not_a_number.interval``.

    Examples
    --------
    >>> tree = ends_hierarchy("age", ["17", "23", "70"], [[18, 25, 65], [18]])
    >>> tree.rows()[0]
    ('17', '(-inf,18)', '(-inf,18)', '*')
    >>> tree.rows()[1:]
    [('23', '[18,25)', '[18,inf)', '*'), ('70', '[65,inf)', '[18,inf)', '*')]
    """
    for ends in levels:
        for before, end in pairwise(ends):
            if not before < end:
                raise PrivacyError("hierarchy.ends", end, name=name, before=before)
    return _hierarchy_from_labels(name, values, [partial(_between, ends) for ends in levels], missing)


def _hierarchy_from_labels(
    name: str, values: Sequence[str], levels: Sequence[Callable[[float], str]], missing: Sequence[str]
) -> Hierarchy:
    """Build a hierarchy of numbers from one function per level, which returns a number's interval."""
    rows = []
    for value in values:
        if value in missing:
            labels = [value] * len(levels)
        else:
            try:
                number = float(value)
            except ValueError:
                raise PrivacyError("not_a_number.interval", value, name=name) from None
            labels = [label(number) for label in levels]
        rows.append([value, *labels, SUPPRESSED])
    return Hierarchy.from_rows(name, rows)


def _between(ends: Sequence[float], number: float) -> str:
    position = bisect_right(ends, number)
    low = f"[{number_text(ends[position - 1])}" if position else "(-inf"
    return f"{low},{number_text(ends[position]) if position < len(ends) else 'inf'})"
