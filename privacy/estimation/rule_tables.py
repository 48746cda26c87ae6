"""Measures of one rule, and of many rules as arrays by measure."""

from __future__ import annotations

from dataclasses import dataclass

from privacy.arrays import Flags, Whole
from privacy.estimation.array_tables import MeasuredArray, row_of
from privacy.printed import Measured


@dataclass(frozen=True, kw_only=True)
class RuleMeasures:
    """All measures of one rule.

    Parameters
    ----------
    support, confidence, lift, leverage, conviction : Measured
    n, n_direct, n_protected : int
        Number of rows that were asked everything in the rule, in total and in each group.
    n_used : int
        Number of rows used; more than ``n`` if rows that were asked a part of the rule are used too.
    all_rows : bool
        Whether rows that were asked a part of the rule are used too.
    few_rows : bool
        Whether a cell has fewer than 5 rows, so that intervals may miss their level.
    """

    support: Measured
    confidence: Measured
    lift: Measured
    leverage: Measured
    conviction: Measured
    n: int
    n_direct: int
    n_protected: int
    n_used: int
    all_rows: bool
    few_rows: bool

    @property
    def shown_because_estimable(self) -> bool:
        """Whether the lift is estimable but has no standard error."""
        return self.lift.shown_because_estimable


@dataclass(frozen=True, kw_only=True, eq=False)
class RuleTable:
    """All measures of many rules as arrays; item `i` is the `RuleMeasures` of rule `i`."""

    support: MeasuredArray
    confidence: MeasuredArray
    lift: MeasuredArray
    leverage: MeasuredArray
    conviction: MeasuredArray
    n: Whole
    n_direct: Whole
    n_protected: Whole
    n_used: Whole
    all_rows: Flags
    few_rows: Flags

    def __len__(self) -> int:
        return len(self.n)

    def __getitem__(self, position: int) -> RuleMeasures:
        return row_of(RuleMeasures, self, position)
