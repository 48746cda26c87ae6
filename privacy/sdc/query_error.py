"""Error of counting queries on a release: utility for a user of the deposit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from privacy.errors import PrivacyError
from privacy.sdc.labels import Domain
from privacy.sdc.queries import Condition, Query, answer
from privacy.sdc.table import Column, Table

__all__ = ["QueryAccuracy", "query_error"]


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
        Median of |expected - true| / max(true, 0.1 % of the records).
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
        true = answer(source, query, {})[0].upper
        answered = answer(released, query, domains)[0]
        absolute.append(abs(answered.expected - true))
        relative.append(abs(answered.expected - true) / max(true, floor))
        inside.append(answered.lower <= true <= answered.upper)
        width.append(answered.upper - answered.lower)
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
