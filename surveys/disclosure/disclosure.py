"""What a report may show.

Where every answer to a protected part is disguised on its device, a figure computed from them tells no more
of anybody than that person's row does: nothing of them is hidden or rounded. Few people are hidden in crosses
of open questions, and where answers to protected parts are sent undisguised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from django.utils.formats import number_format

from privacy.policy import LEAST_DIRECT, LEAST_PROFILE, LEAST_PROTECTED, ROUNDED_TO, SIGNIFICANT_DIGITS


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """What may be shown of one snapshot.

    Attributes
    ----------
    results : bool
        Whether itemsets and rules may be shown at all.
    groups : bool
        Whether direct and protected group may be told apart (P0, P1, n0, n1, k).
    rounded : bool
        Whether counts of answers are rounded to tens.
    least_direct : int
        Direct answers among any part of the rows from which on that part's groups may be told apart.
    least_protected : int
        Disguised answers among any part of the rows from which on that part has a result.
    least_profile : int
        Rows that must share each combination of open answers which is told together with an undisguised one;
        0 where none is sent so.
    least_cross : int
        Rows that must share each combination of answers to two or more open questions that are told together;
        0 where another rule holds for them.
    """

    results: bool
    groups: bool
    rounded: bool
    least_direct: int
    least_protected: int
    least_profile: int
    least_cross: int

    @property
    def least_alike(self) -> int:
        """Rows alike in what `mining.profiles.large_profiles` looks at in a design; 0 for any number."""
        return self.least_profile or self.least_cross

    def figure(self, value: object) -> object:
        """Return a value as a file may hold it: a number with few digits where its digits would tell a count.

        >>> few = {"n_direct": 7, "n_protected": 606, "practice": False, "settled": True}
        >>> hidden = disclosure(sends_undisguised=True, **few)
        >>> hidden.figure(0.4257748776508972), hidden.figure(261), hidden.figure(math.inf)
        (0.426, 261, inf)
        >>> disclosure(sends_undisguised=False, **few).figure(0.4257748776508972)
        0.4257748776508972
        """
        tells = isinstance(value, float) and math.isfinite(value) and (self.rounded or not self.groups)
        return float(f"{value:.{SIGNIFICANT_DIGITS}g}") if tells else value


def disclosure(
    *, sends_undisguised: bool, n_direct: int, n_protected: int, practice: bool, settled: bool
) -> Disclosure:
    """Return what may be shown of a snapshot with these groups.

    Parameters
    ----------
    sends_undisguised : bool
        Whether answers to protected parts are sent as they are by the direct group.
    n_direct, n_protected : int
        Answers of the two groups in the snapshot.
    practice : bool
        A practice survey promises nothing and hides nothing.
    settled : bool
        Whether the survey can get no further answer.

    Examples
    --------
    >>> n = {"n_direct": 49, "n_protected": 100, "practice": False, "settled": False}
    >>> shown = disclosure(sends_undisguised=True, **n)
    >>> shown.results, shown.groups, shown.rounded, shown.least_profile, shown.least_cross
    (True, False, True, 10, 0)
    >>> shown = disclosure(sends_undisguised=False, **n)
    >>> shown.results, shown.groups, shown.rounded, shown.least_profile, shown.least_cross
    (True, True, False, 0, 10)
    """
    if practice:
        return Disclosure(
            results=True,
            groups=True,
            rounded=False,
            least_direct=1,
            least_protected=0,
            least_profile=0,
            least_cross=0,
        )
    if not sends_undisguised:
        return Disclosure(
            results=n_direct + n_protected >= LEAST_PROTECTED,
            groups=True,
            rounded=False,
            least_direct=LEAST_DIRECT,
            least_protected=LEAST_PROTECTED,
            least_profile=0,
            least_cross=LEAST_PROFILE,
        )
    return Disclosure(
        results=n_protected >= LEAST_PROTECTED,
        groups=not 0 < n_direct < LEAST_DIRECT,
        rounded=not settled,
        least_direct=LEAST_DIRECT,
        least_protected=LEAST_PROTECTED,
        least_profile=LEAST_PROFILE if n_direct else 0,
        least_cross=0,
    )


def rounded_count(count: int) -> int:
    """Return the nearest ten, halves upwards.

    >>> [rounded_count(count) for count in (0, 4, 5, 14, 15)]
    [0, 0, 10, 10, 20]
    """
    return (count + ROUNDED_TO // 2) // ROUNDED_TO * ROUNDED_TO


def shown_count(count: int, *, rounded: bool) -> str:
    """Write a count of answers, "≈ 120" where it is rounded.

    >>> shown_count(6366, rounded=False), shown_count(118, rounded=True)
    ('6,366', '≈ 120')
    """
    if not rounded:
        return number_format(count, use_l10n=True, force_grouping=True)
    return "≈ " + number_format(rounded_count(count), use_l10n=True, force_grouping=True)
