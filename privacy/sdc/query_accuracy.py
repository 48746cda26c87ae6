"""How accurately a published table answers random queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Flags
from privacy.sdc.label_conditions import Condition, label_fits
from privacy.sdc.published_labels import Domain, domain_of
from privacy.sdc.table import Column, Table


@dataclass(frozen=True, kw_only=True)
class QueryAccuracy:
    """Error of random counting queries.

    Parameters
    ----------
    median_relative : float
        Median of |expected - true| / max(true, 0.1% of the records).
    inside : float
        Share of queries whose true count lies between the bounds; 1 unless records were suppressed.
    """

    median_relative: float
    inside: float


def query_error(
    source: Table,
    release: Table,
    domains: Mapping[str, Domain],
    *,
    rng: np.random.Generator,
    queries: int = 100,
    columns: int = 2,
) -> QueryAccuracy:
    """Compare the answers of the source and of the release to random counting queries.

    Parameters
    ----------
    source, release : Table
        The table before and after the release.
    domains : mapping
        Meaning of the published labels.
    rng : numpy Generator
        Draws the queries: an interval between two values of a numeric column, or half of the values of a
        categorical one.
    queries : int
        Number of queries.
    columns : int
        Number of quasi-identifiers in each query, at most all of them.
    """
    quasi = source.quasi_identifiers
    relative, inside = [], []
    floor = max(1.0, len(source) / 1000)
    for _ in range(queries):
        positions = rng.choice(len(quasi), size=columns, replace=False).tolist()
        meets = np.ones(len(source), dtype=np.bool_)
        certain, possible, share = np.ones((3, len(release)))
        for position in sorted(positions):
            condition, wanted = _condition(quasi[position], rng)
            meets &= wanted[quasi[position].codes]
            labels = release.column(condition.column)
            fits = label_fits(domain_of(labels, domains), labels, [condition])
            certain *= np.array([fit.certain for fit in fits])[labels.codes]
            possible *= np.array([fit.possible for fit in fits])[labels.codes]
            share *= np.array([fit.share for fit in fits])[labels.codes]
        true = int(meets.sum())
        relative.append(abs(share.sum() - true) / max(true, floor))
        inside.append(certain.sum() <= true <= possible.sum())
    return QueryAccuracy(median_relative=float(np.median(relative)), inside=float(np.mean(inside)))


def _condition(column: Column, rng: np.random.Generator) -> tuple[Condition, Flags]:
    """Draw a condition on a column; also return a mask of the values that meet it."""
    wanted = np.zeros(len(column.values), dtype=np.bool_)
    if column.numbers is not None:
        low, high = sorted(rng.integers(0, len(column.values), size=2).tolist())
        wanted[low : high + 1] = True
        ends = (column.values[low], column.values[high])
        return Condition(column=column.name, sign="between", values=ends), wanted
    half = max(1, len(column.values) // 2)
    codes = sorted(rng.choice(len(column.values), size=half, replace=False).tolist())
    wanted[codes] = True
    texts = tuple(column.values[code] for code in codes)
    return Condition(column=column.name, sign="in", values=texts), wanted
