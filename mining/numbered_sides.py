"""Sides of rules as numbers, so that all rules can be compared at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from privacy.arrays import Whole
from privacy.estimation.counts import Columns


@dataclass(frozen=True, kw_only=True)
class NumberedSides:
    """Sides of R rules as numbers of itemsets.

    Attributes
    ----------
    itemsets : tuple of Columns
        Each itemset that is a side of a rule, once.
    antecedents, consequents : int array, shape (R,)
        Positions in `itemsets`.
    """

    itemsets: tuple[Columns, ...]
    antecedents: Whole = field(repr=False)
    consequents: Whole = field(repr=False)

    @classmethod
    def of(cls, rules: Sequence[tuple[Columns, Columns]]) -> NumberedSides:
        """Number the sides of rules."""
        numbers: dict[Columns, int] = {}
        antecedents = [numbers.setdefault(antecedent, len(numbers)) for antecedent, _ in rules]
        consequents = [numbers.setdefault(consequent, len(numbers)) for _, consequent in rules]
        return cls(
            itemsets=tuple(numbers),
            antecedents=np.array(antecedents, dtype=np.int64),
            consequents=np.array(consequents, dtype=np.int64),
        )

    def codes(self, antecedents: Whole, consequents: Whole) -> Whole:
        """Return a number for each pair of sides; equal pairs have equal numbers."""
        return antecedents * len(self.itemsets) + consequents

    def undirected(self) -> tuple[Whole, Whole]:
        """Return the first rule of each pair A -> B and B -> A, and the number of each rule's pair.

        Examples
        --------
        The third rule is the first one reversed.

        >>> rules = [((0,), (1,)), ((2,), (0,)), ((1,), (0,)), ((0,), (1, 2))]
        >>> [part.tolist() for part in NumberedSides.of(rules).undirected()]
        [[0, 1, 3], [0, 1, 0, 2]]
        """
        low = np.minimum(self.antecedents, self.consequents)
        high = np.maximum(self.antecedents, self.consequents)
        _, first, pairs = np.unique(self.codes(low, high), return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return first[order], rank[pairs]
