"""Value generalisation hierarchies: read in the ARX form, or built from intervals, prefixes or nothing.

One generalisation of the lattice, and how to prefer one to another.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.errors import PrivacyError
from privacy.validation import number_text

SUPPRESSED = "*"


@dataclass(frozen=True, kw_only=True, eq=False)
class Hierarchy:
    """A tree over the values of one column, all leaves at level 0 and one root at the highest level.

    Parameters
    ----------
    name : str
        The column it belongs to.
    labels : tuple of tuple of str
        ``labels[level]`` are the distinct labels of a level; ``labels[0]`` the values themselves.
    node : int32 array, shape (levels, leaves)
        ``node[level, leaf]`` is the position in ``labels[level]`` of the ancestor of a leaf.

    Notes
    -----
    Samarati 2001: each domain has at most one direct generalisation, and the last one is a single
    value. Both are checked by `from_rows`.
    """

    name: str
    labels: tuple[tuple[str, ...], ...]
    node: npt.NDArray[np.int32]

    @classmethod
    def from_rows(cls, name: str, rows: Iterable[Sequence[str]]) -> Hierarchy:
        """Read the ARX form: one row per value, its ancestors from fine to coarse.

        Raises
        ------
        PrivacyError
            When rows differ in length, a value has two rows, a label has two parents, or the last level has
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
        return cls._built(name, table)

    @classmethod
    def _built(cls, name: str, table: Sequence[Sequence[str]]) -> Hierarchy:
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
        """Return the hierarchy of exactly these values, leaf ``i`` being ``values[i]``.

        Raises
        ------
        PrivacyError
            When values are not covered; the message names them, so that they are known before work starts.
        """
        known = set(self.labels[0])
        absent = [value for value in values if value not in known]
        if absent:
            shown = ", ".join(repr(value) for value in absent[:10]) + (", ..." if len(absent) > 10 else "")
            raise PrivacyError("coverage", tuple(absent), name=self.name, count=len(absent), shown=shown)
        row_of = {row[0]: row for row in self.rows()}
        return self._built(self.name, [row_of[value] for value in values])

    def rows(self) -> list[tuple[str, ...]]:
        """Return the ARX form: one row per value."""
        return [
            tuple(self.labels[level][self.node[level, leaf]] for level in range(len(self.labels)))
            for leaf in range(len(self.labels[0]))
        ]


def _check_values(name: str, table: Sequence[Sequence[str]]) -> None:
    """Refuse rows of several lengths, and values that have two rows."""
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
    """Refuse labels that have two parents."""
    for level in range(len(table[0]) - 1):
        parent: dict[str, str] = {}
        for row in table:
            label, above = row[level], row[level + 1]
            if (before := parent.setdefault(label, above)) != above:
                raise PrivacyError(
                    "hierarchy.parents", label, name=name, level=level, before=before, row=above
                )


def flat_hierarchy(name: str, values: Sequence[str]) -> Hierarchy:
    """Build the hierarchy of two levels: a value, or nothing.

    Parameters
    ----------
    name : str
        Name of the column.
    values : sequence of str
        Each once.

    Examples
    --------
    >>> flat_hierarchy("sex", ["Female", "Male"]).rows()
    [('Female', '*'), ('Male', '*')]
    """
    return Hierarchy.from_rows(name, [(value, SUPPRESSED) for value in values])


def prefix_hierarchy(name: str, values: Sequence[str]) -> Hierarchy:
    """Build the hierarchy that masks one character after the other from the right, as for postal codes.

    Parameters
    ----------
    name : str
        Name of the column.
    values : sequence of str
        Each once, all of one length.

    Raises
    ------
    PrivacyError
        When the values differ in length.

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
        [[value[: width - masked] + SUPPRESSED * masked for masked in range(width + 1)] for value in values],
    )


def interval_hierarchy(
    name: str,
    values: Sequence[str],
    widths: Sequence[float],
    *,
    origin: float = 0.0,
    missing: Sequence[str] = (),
) -> Hierarchy:
    """Build half-open intervals of growing width over numbers.

    Parameters
    ----------
    name : str
        The column.
    values : sequence of str
        Numbers as texts, and the texts of `missing`.
    widths : sequence of float
        Widths of the levels, each a whole multiple of the one before.
    origin : float
        Where an interval of every level begins.
    missing : sequence of str
        Texts for "missing": leaves of their own that meet the rest only in the root.

    Raises
    ------
    PrivacyError
        When a width is not a multiple of the one before, or a value is not a number.

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
        low = origin + math.floor((number - origin) / width) * width
        return f"[{number_text(low)},{number_text(low + width)})"

    return _of_intervals(name, values, [partial(interval, width) for width in widths], missing)


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
        Ends by level, each ascending, fine levels first: an interval reaches from one end to below the next,
        the first from below everything, the last beyond everything. Of the ends between two values each level
        has only such as the one before has.
    missing : sequence of str
        Texts for "missing": leaves of their own that meet the rest only in the root.

    Raises
    ------
    PrivacyError
        ``hierarchy.ends``: ends do not ascend; ``hierarchy.parents``: a level cuts an interval of the one
        before; ``not_a_number.interval``.

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
    return _of_intervals(name, values, [partial(_between, ends) for ends in levels], missing)


def _of_intervals(
    name: str, values: Sequence[str], levels: Sequence[Callable[[float], str]], missing: Sequence[str]
) -> Hierarchy:
    """Build the hierarchy of numbers whose label on each level is that of an interval."""
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


PREFERENCES: Final = ("absolute", "relative", "classes", "suppression", "ilp")


@dataclass(frozen=True, kw_only=True)
class NodeReport:
    """One generalisation with its loss and suppressed records.

    Parameters
    ----------
    levels : tuple of int
        Level of each quasi-identifier: the distance vector.
    height : int
        Their sum, the absolute distance.
    suppressed : int
        Records in classes below k.
    n_classes : int
        Classes of at least k.
    ilp : float
        Loss of the published labels, sum over records of sum_i w_i leaves(label) / |A|, 1 for a suppressed
        record.
    """

    levels: tuple[int, ...]
    height: int
    suppressed: int
    n_classes: int
    ilp: float


def preferred(
    nodes: Sequence[NodeReport],
    preferences: Sequence[str],
    *,
    column_weights: Sequence[float],
    heights: Sequence[int],
) -> NodeReport:
    """Choose one of several nodes; later preferences break ties of earlier ones, then the least vector.

    Parameters
    ----------
    nodes : sequence of NodeReport
        At least one.
    preferences : sequence of str
        ``absolute`` (least height), ``relative`` (least sum of weight * level/height: a dear column is
        generalised last), ``classes`` (most), ``suppression`` (least), ``ilp`` (least loss).
    column_weights, heights : sequences
        By column, for ``relative``.
    """

    def relative(node: NodeReport) -> float:
        parts = zip(column_weights, node.levels, heights, strict=True)
        return sum(weight * level / height for weight, level, height in parts if height)

    measures: dict[str, Callable[[NodeReport], float]] = {
        "absolute": lambda node: node.height,
        "relative": relative,
        "classes": lambda node: -node.n_classes,
        "suppression": lambda node: node.suppressed,
        "ilp": lambda node: node.ilp,
    }
    return min(nodes, key=lambda node: ([measures[name](node) for name in preferences], node.levels))
