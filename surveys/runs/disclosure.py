"""The disclosure policy for a run's figures.

Every figure on protected answers is computed from rows that were disguised on the device or on the server.
It reveals no more about a person than their disguised row does, so no such figure is hidden or rounded.
Crosses of open questions, which are sent undisguised, hide small groups.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Sum

from mining.open_floor import SHOW_ALL, OpenFloor
from surveys.models import Version
from surveys.policy import LEAST_DIRECT, LEAST_PROFILE, LEAST_PROTECTED
from surveys.runs.snapshot import batches_open_to_mining


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """Limits on the figures that may be shown of some rows.

    Attributes
    ----------
    results : bool
        Whether itemsets and rules may be shown at all.
    least_direct : int
        Least number of direct rows for which the two groups may be reported separately.
    least_protected : int
        Least number of disguised rows behind any result.
    open_floor : OpenFloor
        What may be shown of open answers.
    """

    results: bool
    least_direct: int
    least_protected: int
    open_floor: OpenFloor

    @property
    def least_cross(self) -> int:
        """Least number of rows of each combination of answers to several open questions; 0 for no limit."""
        return self.open_floor.least


def disclosure(*, n: int, practice: bool, open_floor: OpenFloor | None = None) -> Disclosure:
    """Return the disclosure policy for this many rows; a practice survey hides nothing.

    Parameters
    ----------
    n : int
    practice : bool
    open_floor : OpenFloor, optional
        What the rows' run may show of open answers: see `surveys.runs.ledger`. By default ten people or none
        for each combination, as once all rows have arrived.

    Examples
    --------
    >>> hidden, practice = disclosure(n=99, practice=False), disclosure(n=1, practice=True)
    >>> hidden.results, hidden.least_direct, hidden.least_protected, hidden.least_cross
    (False, 50, 100, 10)
    >>> practice.results, practice.least_direct, practice.least_protected, practice.least_cross
    (True, 1, 0, 0)
    """
    if practice:
        return Disclosure(results=True, least_direct=1, least_protected=0, open_floor=SHOW_ALL)
    return Disclosure(
        results=n >= LEAST_PROTECTED,
        least_direct=LEAST_DIRECT,
        least_protected=LEAST_PROTECTED,
        open_floor=OpenFloor(least=LEAST_PROFILE) if open_floor is None else open_floor,
    )


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Answers of one design that may be mined, by group."""

    n_direct: int
    n_protected: int
    disclosure: Disclosure

    @property
    def n(self) -> int:
        """Number of answers in both groups."""
        return self.n_direct + self.n_protected


def groups_of(version: Version) -> Groups:
    """Count the answers of a version's design that a run may read."""
    totals = batches_open_to_mining(version).order_by().aggregate(rows=Sum("n"), direct=Sum("n_direct"))
    n, n_direct = totals["rows"] or 0, totals["direct"] or 0
    return Groups(
        n_direct=n_direct,
        n_protected=n - n_direct,
        disclosure=disclosure(n=n, practice=version.survey.practice),
    )
