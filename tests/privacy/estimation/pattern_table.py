"""Estimates of all patterns of an itemset, each written as an expression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import product

import numpy as np

from privacy.arrays import Array, Flags
from privacy.estimation import Columns, Estimate, SupportCounts
from privacy.estimation.expression import Expression, Tree
from privacy.estimation.expressions import estimate_expression
from privacy.estimation.moments import Estimator
from privacy.estimation.patterns import possible_patterns
from privacy.survey import Design


@dataclass(frozen=True, kw_only=True, eq=False)
class Patterns:
    """Estimates by pattern, one axis for each item."""

    estimator: Estimator
    items: Columns
    value: Array
    standard_error: Array
    standard_error_respondents: Array
    observed_share: Array
    possible: Flags
    n: int
    n_direct: int
    n_protected: int


def patterns(
    counts: SupportCounts, items: Columns, design: Design, *, estimator: Estimator = "stratified"
) -> Patterns:
    """Estimate every pattern of ascending items."""
    shape = (2,) * len(items)
    found = [
        estimate_expression(counts, _expression(items, bits), design, estimator=estimator)
        for bits in product((0, 1), repeat=len(items))
    ]

    def table(name: str) -> Array:
        return np.array([getattr(estimate, name) for estimate in found]).reshape(shape)

    one: Estimate = found[0]
    return Patterns(
        estimator=estimator,
        items=items,
        value=table("value"),
        standard_error=table("standard_error"),
        standard_error_respondents=table("standard_error_respondents"),
        observed_share=table("observed_share"),
        possible=possible_patterns(items, design),
        n=one.n,
        n_direct=one.n_direct,
        n_protected=one.n_protected,
    )


def _expression(items: Columns, bits: tuple[int, ...]) -> Expression:
    parts: list[Tree] = [item if bit else ("not", item) for item, bit in zip(items, bits, strict=True)]
    return Expression(text="", items=items, tree=reduce(lambda tree, part: ("and", tree, part), parts))
