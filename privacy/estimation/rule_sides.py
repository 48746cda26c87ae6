"""The two sides of a rule, and which sides a rule can have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import DesignIndex

Rule: TypeAlias = tuple[Columns, Columns]
"""Antecedent and consequent."""


def check_rules(rules: Sequence[Rule], index: DesignIndex) -> None:
    """Refuse rules whose sides cannot be compared.

    Parameters
    ----------
    rules : sequence of Rule
    index : DesignIndex
        Index of the design whose items the rules name.

    Raises
    ------
    PrivacyError
        ``rule.sides`` if a side is empty or an item is on both; ``excluded_options`` if the sides together
        have two options of one choice.
    """
    for rule in rules:
        antecedent, consequent = rule
        problem = None
        if not antecedent or not consequent:
            problem = "has an empty side"
        elif not set(antecedent).isdisjoint(consequent):
            problem = "has an item on both sides"
        if problem is not None:
            raise PrivacyError(
                "rule.sides", rule, antecedent=antecedent, consequent=consequent, problem=problem
            )
    if index.excludes_any:
        for antecedent, consequent in rules:
            index.refuse_excluded((*antecedent, *consequent))
