"""Parameters of a run, and the candidates for frequent itemsets that they allow.

Parameters are thresholds, the longest itemset, and the allowed sides of a rule. Candidates are built from the
shorter itemsets that were kept.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, Final, Literal, TypeAlias, TypeVar

import numpy as np

from mining.columns.bitmatrix import FULL, BitMatrix, unpacked_columns
from mining.columns.counting import key_of
from privacy import validation
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import Estimate, Estimates, Measured, MeasuredArray
from privacy.survey.design import Design

Policy: TypeAlias = Literal["inclusive", "estimate"]

LONGEST: Final = 20
"""Longest itemset that a run may request: 20 items have a million subsets and rules."""


@dataclass(frozen=True, kw_only=True)
class Sides:
    """Allowed antecedents and consequents of rules.

    Parameters
    ----------
    antecedent, consequent : tuple of int, or None
        Items allowed in the antecedent and in the consequent; None allows all.
    longest_consequent : int or None
        Largest number of items in a consequent, at least 1; None sets no limit.

    Raises
    ------
    PrivacyError
        ``sides``: an empty side, a repeated item, or a value that is not an item number;
        ``longest_consequent``: below 1.

    Examples
    --------
    >>> sides = Sides(consequent=(4, 2), longest_consequent=1)
    >>> sides.allow((0, 4), (2,)), sides.allow((0,), (2, 4)), sides.allow((2,), (0,))
    (True, False, False)
    """

    antecedent: Columns | None = None
    consequent: Columns | None = None
    longest_consequent: int | None = None

    def __post_init__(self) -> None:
        for name in ("antecedent", "consequent"):
            object.__setattr__(self, name, _items(getattr(self, name), name))
        if self.longest_consequent is not None:
            longest = validation.whole_number(
                self.longest_consequent, "longest consequent", low=1, high=LONGEST, code="longest_consequent"
            )
            object.__setattr__(self, "longest_consequent", longest)

    def allow(self, antecedent: Columns, consequent: Columns) -> bool:
        """Return whether a rule from `antecedent` to `consequent` is allowed."""
        return (
            (self.longest_consequent is None or len(consequent) <= self.longest_consequent)
            and (self.antecedent is None or set(antecedent) <= set(self.antecedent))
            and (self.consequent is None or set(consequent) <= set(self.consequent))
        )

    def check(self, design: Design) -> None:
        """Refuse items that the design does not have.

        Raises
        ------
        PrivacyError
            ``unknown_item``.
        """
        for name in ("antecedent", "consequent"):
            for item in getattr(self, name) or ():
                if item >= len(design.items):
                    raise PrivacyError("unknown_item.number", item, name=name, count=len(design.items) - 1)


def _items(sides: object, name: str) -> Columns | None:
    if sides is None:
        return None
    if not isinstance(sides, list | tuple) or not sides:
        raise PrivacyError("sides.empty", sides, name=name)
    items = tuple(
        validation.whole_number(item, f"item of the allowed {name}", low=0, high=1 << 31, code="sides")
        for item in sides
    )
    if len(set(items)) < len(items):
        raise PrivacyError("sides.twice", items, name=name)
    return tuple(sorted(items))


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Thresholds of itemsets and rules.

    Parameters
    ----------
    support : float
        Smallest estimated support, 0 < support <= 1. Itemsets and rules with at least this much are
        listed.
    confidence : float
        Smallest estimated confidence, 0 to 1; 0 sets no threshold.
    lift : float or None
        Smallest estimated lift, at least 0; None sets no threshold.
    max_size : int
        Largest number of items in an itemset, 1 to 20.
    policy : {"inclusive", "estimate"}
        Itemsets to extend: those whose upper 95% limit reaches `support`, or those whose estimate does. With
        few rows "inclusive" loses fewer.
    sides : Sides
        Items allowed on each side of a rule.

    Raises
    ------
    PrivacyError
        ``support``, ``confidence``, ``lift``, ``max_size``, ``policy``, ``sides``, each with the value and
        the remedy.

    Examples
    --------
    >>> Thresholds(support=0)
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: support threshold = 0.0 is not above 0; use a number above 0 and at most 1
    """

    support: float
    confidence: float = 0.0
    lift: float | None = None
    max_size: int = 3
    policy: Policy = "inclusive"
    sides: Sides = field(default_factory=Sides)

    def __post_init__(self) -> None:
        support = _number(self.support, "support", 1.0, "share")
        if support == 0:
            raise PrivacyError("support.threshold", support)
        object.__setattr__(self, "support", support)
        object.__setattr__(self, "confidence", _number(self.confidence, "confidence", 1.0))
        if self.lift is not None:
            object.__setattr__(self, "lift", _number(self.lift, "lift", 1e6))
        size = validation.whole_number(self.max_size, "longest itemset", low=1, high=LONGEST, code="max_size")
        object.__setattr__(self, "max_size", size)
        validation.one_of(self.policy, "policy", allowed=("inclusive", "estimate"), code="policy")
        if not isinstance(self.sides, Sides):
            raise PrivacyError("sides.kind", self.sides)

    def to_json(self) -> dict[str, Any]:
        """Return the thresholds as nested dictionaries and lists, ready for ``json.dumps``."""
        document = asdict(self)
        for name in ("antecedent", "consequent"):
            side = getattr(self.sides, name)
            document["sides"][name] = None if side is None else list(side)
        return document

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Thresholds:
        """Read the output of `to_json`."""
        return cls(**(document | {"sides": Sides(**document["sides"])}))


def _number(value: object, name: str, high: float, advice: str | None = None) -> float:
    return validation.real_number(value, f"{name} threshold", low=0.0, high=high, code=name, advice=advice)


@dataclass(frozen=True, kw_only=True)
class Itemset:
    """One row of an `ItemsetTable`."""

    items: Columns
    estimate: Estimate
    interval: Measured


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemsetTable(Sequence[Itemset]):
    """Itemsets with their estimated supports and intervals; shorter ones first, then by items.

    Attributes
    ----------
    itemsets : tuple of Columns
    estimates : Estimates
        Position i belongs to itemset i.
    interval : MeasuredArray
        The supports again with their 95% intervals.
    """

    itemsets: tuple[Columns, ...]
    estimates: Estimates
    interval: MeasuredArray

    def __len__(self) -> int:
        return len(self.itemsets)

    def __getitem__(self, position: int) -> Itemset:  # type: ignore[override]  # no slices
        return Itemset(
            items=self.itemsets[position], estimate=self.estimates[position], interval=self.interval[position]
        )

    @cached_property
    def position_of(self) -> dict[Columns, int]:
        """Position of each itemset."""
        return {items: position for position, items in enumerate(self.itemsets)}


Table = TypeVar("Table")


def take(table: Table, places: Whole) -> Table:
    """Return the rows at `places` of every array in a dataclass and in its nested dataclasses.

    Parameters
    ----------
    table : dataclass
        A dataclass whose fields are arrays or dataclasses of the same kind.
    places : ndarray of int
        Row numbers, in the order of the result.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Supports:
    ...     estimator: str
    ...     value: np.ndarray
    >>> take(Supports("pooled", np.array([.1, .2, .3])), np.array([2, 0])).value.tolist()
    [0.3, 0.1]
    """
    rows: Table = _rebuild([table], lambda arrays: arrays[0][places])
    return rows


def concatenate(tables: Sequence[Table]) -> Table:
    """Concatenate the rows of all tables (at least one); non-array fields come from the first table.

    Parameters
    ----------
    tables : sequence of dataclasses
        All of one class, with arrays or such dataclasses as fields.
    """
    result: Table = _rebuild(tables, np.concatenate)
    return result


def _rebuild(tables: Sequence[Any], make: Any) -> Any:
    changed: dict[str, Any] = {}
    for column in fields(tables[0]):
        values = [getattr(table, column.name) for table in tables]
        if isinstance(values[0], np.ndarray):
            changed[column.name] = make(values)
        elif is_dataclass(values[0]):
            changed[column.name] = _rebuild(values, make)
    return replace(tables[0], **changed)


__all__ = [
    "MAX_CANDIDATES",
    "MLXTEND",
    "frequent_itemsets",
    "is_undisguised",
    "join",
    "plain_rows",
    "search_by_mlxtend",
    "single_items",
]


try:
    from mlxtend import __version__ as MLXTEND
except ModuleNotFoundError:
    MLXTEND = ""
"""Version of mlxtend; empty if it is missing, and arrays then give the same candidates and rules."""

MAX_CANDIDATES: Final = 1_000_000
"""Default limit on candidates of one size."""

_PAIRS_AT_A_TIME: Final = 1 << 20


def single_items(design: Design) -> Whole:
    """Return the itemsets of one item, shape (number of items, 1).

    Anchors are left out, because an item with a known share of 0 or 1 adds nothing to an itemset.

    Parameters
    ----------
    design : Design
        Design of the rows that are searched.
    """
    indices = [item.index for item in design.items if not design.questions[item.question].anchor]
    return np.array(indices, dtype=np.int64)[:, None]


def join(
    design: Design, frequent: Whole, *, max_candidates: int = MAX_CANDIDATES, on_arrays: bool = False
) -> Whole:
    """Join and prune: return the itemsets of the next size whose subsets of this size were all kept.

    Parameters
    ----------
    design : Design
        Determines which items are options of one single-choice question, and which questions no device is
        asked together.
    frequent : ndarray of int64, shape (m, size)
        Ascending items, rows in lexicographic order.
    max_candidates : int
        Limit on the number of candidates.
    on_arrays : bool
        Use array arithmetic instead of mlxtend's generator: about twenty times as fast, with the same result.

    Returns
    -------
    ndarray of int64, shape (c, size + 1)
        Ascending items, rows in lexicographic order.

    Raises
    ------
    PrivacyError
        ``max_candidates``: the limit is exceeded.

    Notes
    -----
    As mlxtend's ``generate_new_combinations``: two sets that differ only in the last item are joined, and the
    result is kept if all its subsets with one item less were kept (Agrawal and Srikant 1994, section 2.1.1).

    Examples
    --------
    Items 0 and 1 are the options of one question; {2, 3} was not kept:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> mood = Question(key="mood", kind="single", options=("low", "high"), unrelated=())
    >>> did = Question(key="did", kind="multi", options=("lied", "left"), unrelated=())
    >>> design = Design(blocks=(Block(key="open", protected=False, truth_probability=10000,
    ...                 questions=(mood, did)),), group=GroupPolicy(), use="live")
    >>> join(design, single_items(design)).tolist()
    [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    >>> join(design, np.array([[0, 2], [0, 3], [1, 2], [1, 3]])).tolist()
    []
    """
    itemsets = (_by_mlxtend if MLXTEND and not on_arrays else _by_arrays)(frequent, max_candidates)
    if len(itemsets) > max_candidates:
        raise PrivacyError("max_candidates", max_candidates, shape=itemsets.shape[1])
    # Longer itemsets need no check: no pair of options was kept, so no joined itemset contains one.
    allowed = itemsets[~_exclusive_pairs(design, itemsets)] if itemsets.shape[1] == 2 else itemsets
    # Drawn questions do need a check: three may be asked in pairs but never all together.
    index = index_of(design)
    return allowed[index.reachable(allowed)] if design.rotates else allowed


def _by_mlxtend(frequent: Whole, most: int) -> Whole:
    """Join with mlxtend; stop at `most` + 1, which is enough to detect an excess."""
    # Imported here because the web process and the sweeper must not load mlxtend.
    from mlxtend.frequent_patterns.apriori import generate_new_combinations

    size = frequent.shape[1] + 1
    flat = islice(generate_new_combinations(frequent.tolist()), (most + 1) * size)
    return np.fromiter(flat, dtype=np.int64).reshape(-1, size)


def _by_arrays(frequent: Whole, most: int) -> Whole:
    """Join each set with later sets that share all but the last item, and prune, in chunks."""
    m, size = frequent.shape
    starts = np.ones(m, dtype=bool)
    np.any(frequent[1:, :-1] != frequent[:-1, :-1], axis=1, out=starts[1:])
    first_of_next = np.append(np.flatnonzero(starts)[1:], m)
    partners = first_of_next[np.cumsum(starts) - 1] - np.arange(m) - 1
    pairs_before = np.concatenate([[0], np.cumsum(partners)])
    n_items = int(frequent.max(initial=0)) + 1
    keys = key_of(frequent, n_items)
    chunks = [np.empty((0, size + 1), dtype=np.int64)]
    count = row = 0
    while row < m and count <= most:
        end = max(
            row + 1, int(np.searchsorted(pairs_before, pairs_before[row] + _PAIRS_AT_A_TIME, "right")) - 1
        )
        left = np.repeat(np.arange(row, end), partners[row:end])
        right = left + 1 + np.arange(len(left)) - (pairs_before[left] - pairs_before[row])
        candidates = np.concatenate([frequent[left], frequent[right, -1:]], axis=1)
        for drop_at in range(size - 1):
            # The subsets without one of the last two items are the joined sets, so they need no check.
            subset = key_of(np.delete(candidates, drop_at, axis=1), n_items)
            position = np.minimum(np.searchsorted(keys, subset), m - 1)
            candidates = candidates[keys[position] == subset]
        chunks.append(candidates)
        count, row = count + len(candidates), end
    return np.concatenate(chunks)


def _exclusive_pairs(design: Design, pairs: Whole) -> Flags:
    """Flag pairs of options of the same single-choice question."""
    question = np.array([item.question for item in design.items])
    single = np.array([question.is_exclusive for question in design.questions])
    first, second = question[pairs[:, 0]], question[pairs[:, 1]]
    result: Flags = (first == second) & single[first]
    return result


_LARGEST_TABLE: Final = 1 << 28
"""Cells that mlxtend may build at once (one byte each); beyond this, it uses its slow low-memory mode."""


def frequent_itemsets(rows: Flags, *, support: float, max_size: int) -> dict[Columns, float]:
    """List every itemset that at least a share `support` of the rows contain.

    Parameters
    ----------
    rows : ndarray of bool, shape (n, items), n >= 1
        True answers.
    support : float
        0 < support <= 1.
    max_size : int
        Longest itemset, at least 1.

    Returns
    -------
    dict of Columns to float
        Share of the rows that contain each itemset; shorter itemsets first, then by items.

    Raises
    ------
    PrivacyError
        ``no_rows``.

    Examples
    --------
    >>> rows = np.array([[True, True], [True, False], [True, True], [False, True]])
    >>> frequent_itemsets(rows, support=0.5, max_size=2)
    {(0,): 0.75, (1,): 0.75, (0, 1): 0.5}
    """
    n, n_items = rows.shape
    if n == 0:
        raise PrivacyError("no_rows", 0)
    # Imported here because the web process and the sweeper must not load pandas.
    import pandas as pd
    from mlxtend.frequent_patterns import apriori

    table = apriori(
        pd.DataFrame(rows),
        min_support=support,
        max_len=max_size,
        low_memory=n * max(math.comb(n_items, size) for size in range(1, min(3, max_size) + 1))
        > _LARGEST_TABLE,
    )
    itemsets = [tuple(sorted(map(int, items))) for items in table["itemsets"]]
    supports = dict(zip(itemsets, table["support"].tolist(), strict=True))
    return {items: supports[items] for items in sorted(itemsets, key=lambda items: (len(items), items))}


def is_undisguised(matrix: BitMatrix) -> bool:
    """Return whether every row shows true answers to every question, so that plain mining applies.

    This holds if p = 1 for every block in each group that has rows, and every row was asked every question.

    Parameters
    ----------
    matrix : BitMatrix
        Rows as bit columns.
    """
    design = matrix.design
    direct, protected = index_of(design).without_disguise
    as_it_is = (direct or not matrix.n_direct) and (protected or not matrix.n_protected)
    return as_it_is and all(
        matrix.stored_at[design.asked_column(number)] == FULL for number in range(len(design.questions))
    )


def plain_rows(matrix: BitMatrix) -> Flags:
    """Unpack the items of all rows, direct rows first, shape (n, items), one byte per item.

    Parameters
    ----------
    matrix : BitMatrix
        Undisguised rows.
    """
    n_items = len(matrix.design.items)
    rows = np.ones((matrix.n, n_items), dtype=bool)
    positions = matrix.stored_at[:n_items]
    start = 0
    for group in (matrix.direct, matrix.protected):
        places = positions[positions != FULL]
        rows[start : start + group.n, positions != FULL] = unpacked_columns(group.words[places], group.n).T
        start += group.n
    return rows


def search_by_mlxtend(matrix: BitMatrix, thresholds: Thresholds) -> tuple[Whole, ...]:
    """Find frequent itemsets with mlxtend: one array per size, rows in lexicographic order.

    The caller must bound the number of candidates.

    Parameters
    ----------
    matrix : BitMatrix
        Undisguised rows.
    thresholds : Thresholds
        Thresholds of the run.
    """
    items = single_items(matrix.design)[:, 0]
    itemsets = frequent_itemsets(
        plain_rows(matrix)[:, items], support=thresholds.support, max_size=thresholds.max_size
    )
    return tuple(items[np.array(list(level))] for _size, level in itertools.groupby(itemsets, key=len))
