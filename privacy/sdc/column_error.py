"""Information and error of a published column: mutual bits, and labels read as their middle.

Error of counting queries on a release: utility for a user of the deposit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array
from privacy.entropy import entropy
from privacy.errors import PrivacyError
from privacy.sdc.labels import Domain, Interval
from privacy.sdc.queries import Condition, Query, answer
from privacy.sdc.table import Column, Table

__all__ = ["ColumnError", "QueryAccuracy", "column_error", "query_error"]


@dataclass(frozen=True, kw_only=True)
class ColumnError:
    """One column X and its published labels X^.

    Parameters
    ----------
    name : str
        The column.
    entropy : float
        H(X), in bits.
    information : float
        I(X; X^) in bits, from 0 to `entropy`: leakage in the sense of Yu 2016, utility in that of
        the researcher, the same number.
    root_mean_square : float or None
        Root of the mean of (x - x^)^2, x^ the middle of what the label can mean; in the column's own unit.
        None for categories.
    deviation : float or None
        Standard deviation of X: the same error where every record is published as the mean.
    """

    name: str
    entropy: float
    information: float
    root_mean_square: float | None = None
    deviation: float | None = None

    @property
    def mean_square(self) -> float | None:
        """D of Yu 2016 as a mean square, in the square of the column's unit; None for categories."""
        return None if self.root_mean_square is None else self.root_mean_square**2


def column_error(source: Column, released: Column, domain: Domain) -> ColumnError:
    """Measure the error of a published column.

    Parameters
    ----------
    source, released : Column
        True values and published labels of the same records, in the same order.
    domain : Domain
        What the labels can mean.

    Raises
    ------
    PrivacyError
        ``column``: one of them has more records.

    Examples
    --------
    >>> age = Column(name="age", role="quasi_identifier", kind="numeric", values=("20", "30"),
    ...              codes=np.array([0, 1], dtype=np.int32), numbers=np.array([20.0, 30.0]))
    >>> label = Column(name="age", role="quasi_identifier", kind="categorical", values=("[20,30]",),
    ...                codes=np.array([0, 0], dtype=np.int32))
    >>> column_error(age, label, Domain(name="age", numeric=True)).root_mean_square
    5.0
    """
    if len(source.codes) != len(released.codes):
        raise PrivacyError("column.lengths", len(released.codes), records=len(source.codes))
    before = _entropy(np.bincount(source.codes))
    _, joint = np.unique(
        released.codes.astype(np.int64) * len(source.values) + source.codes, return_counts=True
    )
    information = before + _entropy(np.bincount(released.codes)) - _entropy(joint)
    if source.numbers is None:
        return ColumnError(name=source.name, entropy=before, information=information)
    true = source.numbers[source.codes]
    read = np.array([_middle(domain, label, true) for label in released.values])[released.codes]
    return ColumnError(
        name=source.name,
        entropy=before,
        information=information,
        root_mean_square=float(np.sqrt(((true - read) ** 2).mean())),
        deviation=float(true.std()),
    )


def _middle(domain: Domain, label: str, true: Array) -> float:
    """Return the middle of a label; one that is open at an end reaches as far as the column does."""
    if leaves := domain.leaves.get(label):
        return float(np.mean([float(leaf) for leaf in leaves]))
    meaning = domain.meaning(label)
    low, high = float(true.min()), float(true.max())
    if isinstance(meaning, Interval):
        low = meaning.low if np.isfinite(meaning.low) else low
        high = meaning.high if np.isfinite(meaning.high) else high
    return (low + high) / 2


def _entropy(counts: npt.NDArray[np.integer]) -> float:
    return float(entropy(counts[counts > 0] / counts.sum(), log=np.log2))


@dataclass(frozen=True, kw_only=True)
class QueryAccuracy:
    """Error of random counting queries.

    Parameters
    ----------
    queries : int
        Number of queries drawn.
    mean_absolute : float
        Mean of |expected - true|, in records.
    median_relative : float
        Median of |expected - true| / max(true, 0.1% of the records).
    inside : float
        Share of queries whose true count lies between the bounds; 1 unless records were suppressed.
    mean_width : float
        Mean of upper - lower bound, in records.
    """

    queries: int
    mean_absolute: float
    median_relative: float
    inside: float
    mean_width: float


def query_error(
    source: Table,
    released: Table,
    domains: Mapping[str, Domain],
    *,
    rng: np.random.Generator,
    queries: int = 100,
    columns: int = 2,
) -> QueryAccuracy:
    """Ask random counting queries of the source and of the release.

    Parameters
    ----------
    source, released : Table
        Before and after.
    domains : mapping
        Meaning of the published labels.
    rng : numpy Generator
        Draws the queries: for a number an interval between two of its values, for a category half of its
        values.
    queries : int
        How many.
    columns : int
        Quasi-identifiers in each query.

    Raises
    ------
    PrivacyError
        When there are fewer quasi-identifiers than `columns`, or no query is asked.
    """
    quasi = source.quasi_identifiers
    if not 1 <= columns <= len(quasi) or queries < 1:
        raise PrivacyError("queries", columns, queries=queries, count=len(quasi))
    absolute, relative, inside, width = [], [], [], []
    floor = max(1.0, len(source) / 1000)
    for _ in range(queries):
        chosen = rng.choice(len(quasi), size=columns, replace=False).tolist()
        query = Query(
            conditions=tuple(_condition(quasi[position], rng) for position in sorted(chosen)), groups=()
        )
        true = answer(source, query, {})[0].most
        answered = answer(released, query, domains)[0]
        expected = answered.expected or 0.0
        absolute.append(abs(expected - true))
        relative.append(abs(expected - true) / max(true, floor))
        inside.append(answered.least <= true <= answered.most)
        width.append(answered.most - answered.least)
    return QueryAccuracy(
        queries=queries,
        mean_absolute=float(np.mean(absolute)),
        median_relative=float(np.median(relative)),
        inside=float(np.mean(inside)),
        mean_width=float(np.mean(width)),
    )


def _condition(column: Column, rng: np.random.Generator) -> Condition:
    if column.numbers is not None:
        low, high = sorted(rng.integers(0, len(column.values), size=2).tolist())
        return Condition(column=column.name, sign="between", values=(column.values[low], column.values[high]))
    half = max(1, len(column.values) // 2)
    codes = sorted(rng.choice(len(column.values), size=half, replace=False).tolist())
    return Condition(column=column.name, sign="in", values=tuple(column.values[code] for code in codes))
