"""Disclosure policy of a report.

Every figure on protected answers is computed from rows that are disguised, on their devices or here, and
reveals no more about anyone than that row does. So none of it is hidden or rounded. Small groups are hidden
in crosses of open questions, which are sent undisguised.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Sum
from django.utils.formats import number_format

from surveys.models import Version
from surveys.policy import LEAST_DIRECT, LEAST_PROFILE, LEAST_PROTECTED, ROUNDED_TO
from surveys.rows.snapshot import batches_open_to_mining


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """Releasable figures of some rows.

    Attributes
    ----------
    results : bool
        Whether itemsets and rules may be shown at all.
    least_direct : int
        Least number of direct rows in a part of the rows for its two groups to be reported separately.
    least_protected : int
        Least number of disguised rows in a part of the rows for it to have a result.
    least_cross : int
        Least number of rows for each combination of answers to two or more open questions that are reported
        together; 0 for any number.
    """

    results: bool
    least_direct: int
    least_protected: int
    least_cross: int


def disclosure(*, n: int, practice: bool) -> Disclosure:
    """Return the disclosure policy for this many rows; a practice survey promises and hides nothing.

    Examples
    --------
    >>> disclosure(n=99, practice=False)
    Disclosure(results=False, least_direct=50, least_protected=100, least_cross=10)
    >>> disclosure(n=1, practice=True)
    Disclosure(results=True, least_direct=1, least_protected=0, least_cross=0)
    """
    if practice:
        return Disclosure(results=True, least_direct=1, least_protected=0, least_cross=0)
    return Disclosure(
        results=n >= LEAST_PROTECTED,
        least_direct=LEAST_DIRECT,
        least_protected=LEAST_PROTECTED,
        least_cross=LEAST_PROFILE,
    )


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Answers of one design that may be mined, by group."""

    n_direct: int
    n_protected: int
    disclosure: Disclosure

    @property
    def n(self) -> int:
        """Answers of both groups."""
        return self.n_direct + self.n_protected


def groups_of(version: Version) -> Groups:
    """Count the answers of a version's design that a run may read."""
    counted = batches_open_to_mining(version).order_by().aggregate(rows=Sum("n"), direct=Sum("n_direct"))
    n, n_direct = counted["rows"] or 0, counted["direct"] or 0
    return Groups(
        n_direct=n_direct,
        n_protected=n - n_direct,
        disclosure=disclosure(n=n, practice=version.survey.practice),
    )


def rounded_count(count: int) -> int:
    """Return the nearest multiple of ten, rounding halves up.

    >>> [rounded_count(count) for count in (0, 4, 5, 14, 15)]
    [0, 0, 10, 10, 20]
    """
    return (count + ROUNDED_TO // 2) // ROUNDED_TO * ROUNDED_TO


def shown_count(count: int, *, rounded: bool = False) -> str:
    """Format a count of answers, "≈ 120" if it is rounded.

    >>> shown_count(6366), shown_count(118, rounded=True)
    ('6,366', '≈ 120')
    """
    if not rounded:
        return number_format(count, use_l10n=True, force_grouping=True)
    return "≈ " + number_format(rounded_count(count), use_l10n=True, force_grouping=True)
