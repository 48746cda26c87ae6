"""A p-value with everything that is printed next to it: its test, n, and what it was adjusted for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Whole
from privacy.counted_nouns import counted
from privacy.printed import Origin

TestName: TypeAlias = Literal[
    "no difference",
    "lift above 1",
    "confidence above",
    "groups alike",
    "drawn shares",
    "response rates",
    "two groups alike",
    "drawn questions",
    "skips",
    "three answers",
    "coefficient",
    "linear coefficient",
    "samples alike",
    "strata alike",
    "list",
    "earlier version",
]
TESTS: Final[dict[TestName, str]] = {
    "no difference": "two-sided test of no difference, by empirical likelihood",
    "lift above 1": "one-sided test that the lift is above 1, by empirical likelihood",
    "confidence above": "one-sided test that the confidence is above its threshold, by empirical likelihood",
    "groups alike": "test that all groups have the same distribution of answers, by Pillai's trace and F",
    "drawn shares": "Pearson's test that the group sizes agree with the drawn shares",
    "response rates": "Pearson's test that all groups have the same response rate",
    "two groups alike": "two-sided test that both groups have the same share, by normal scores or empirical "
    "likelihood",
    "drawn questions": "chi-square test that each question was asked as often as expected",
    "skips": "chi-square test that skips do not depend on the questions asked",
    "three answers": "two-sided normal test that three answers go together only as their pairs do",
    "coefficient": "two-sided score test that the coefficient is 0, by empirical likelihood",
    "linear coefficient": "two-sided test that the coefficient is 0, by empirical likelihood",
    "samples alike": "likelihood-ratio test that both samples have the same share",
    "strata alike": "score test that all strata have the same value",
    "list": "Fisher's exact test of the list",
    "earlier version": "made by an earlier version, which did not store the test's n: analyse again",
}
"""What was tested, and how, in words."""

Adjustment: TypeAlias = Literal["none", "Holm", "Bonferroni", "Benjamini-Yekutieli"]


@dataclass(frozen=True, kw_only=True)
class PValue:
    """A p-value with everything that is printed next to it. No field has a default, so none is forgotten.

    Parameters
    ----------
    value : float
        NaN if the test cannot be computed.
    test : TestName
        What was tested; `TESTS` says it in words.
    n : int
        Number of rows that the test uses.
    estimable : bool
        False if there are too few rows for the test. Then it is not printed.
    adjustment : Adjustment
        Correction for multiple testing; "none" for a test that is valid alone.
    family : int
        Number of tests that the correction allows for; 1 without one.
    origin : Origin
        What is known about the rows.
    """

    value: float
    test: TestName
    n: int
    estimable: bool
    adjustment: Adjustment
    family: int
    origin: Origin

    @property
    def printed(self) -> float:
        """The p-value if it may be printed, NaN otherwise."""
        return self.value if self.estimable else math.nan

    @property
    def basis(self) -> Literal["test", "too few"]:
        """What may be printed: the p-value, or that there are too few rows."""
        return "too few" if math.isnan(self.printed) else "test"

    @property
    def method(self) -> str:
        """The test and its adjustment in words."""
        return TESTS[self.test] + _adjusted(self.adjustment, self.family)

    def words(self) -> str:
        """Return the p-value in a sentence of a summary, with its test.

        Examples
        --------
        >>> from privacy.printed import CHECKED
        >>> own = PValue(value=.0312, test="strata alike", n=90, estimable=True, adjustment="none", family=1,
        ...              origin=CHECKED)
        >>> own.words()
        'p = 0.0312 (score test that all strata have the same value, n = 90)'
        """
        found = "no p-value: too few answers" if self.basis == "too few" else f"p = {self.printed:.3g}"
        return f"{found} ({_about(self.test, self.adjustment, self.family, f'n = {self.n:,}')})"


@dataclass(frozen=True, kw_only=True, eq=False)
class PValues:
    """A column of p-values of one test, see `PValue`.

    Parameters
    ----------
    value : ndarray of float64, shape (tests,)
    test : TestName
    n : array_like of int
        One for all, or one for each.
    estimable : array_like of bool
    adjustment : Adjustment
    family : int
    origin : Origin

    Examples
    --------
    >>> from privacy.printed import CHECKED
    >>> own = PValues(value=np.array([.01, .2]), test="groups alike", n=np.array([80, 400]),
    ...               estimable=np.array([False, True]), adjustment="Holm", family=2, origin=CHECKED)
    >>> own.printed.tolist()
    [nan, 0.2]
    >>> own.about["words"]
    "test that all groups have the same distribution of answers, by Pillai's trace and F, n = 80 to 400, \
adjusted by Holm for 2 tests"
    """

    value: Array
    test: TestName
    n: npt.ArrayLike
    estimable: npt.ArrayLike
    adjustment: Adjustment
    family: int
    origin: Origin

    def at(self, places: Whole, *, estimable: npt.ArrayLike) -> PValues:
        """Return the p-values at these places, which may repeat.

        Parameters
        ----------
        places : ndarray of int64
        estimable : array_like of bool
            Of each place.
        """
        n = np.broadcast_to(self.n, self.value.shape)
        return replace(self, value=self.value[places], n=n[places], estimable=estimable)

    @property
    def printed(self) -> Array:
        """The p-values that may be printed, NaN for the others."""
        return np.where(self.estimable, self.value, np.nan)

    @property
    def about(self) -> dict[str, Any]:
        """What holds for the column; tables have it in ``attrs["about"]["tests"]``."""
        n = np.atleast_1d(np.asarray(self.n, dtype=np.int64))
        least, largest = (int(n.min()), int(n.max())) if n.size else (0, 0)
        rows = f"n = {least:,}" if least == largest else f"n = {least:,} to {largest:,}"
        return {
            "words": _about(self.test, self.adjustment, self.family, rows),
            "test": TESTS[self.test],
            "n": [least, largest],
            "adjustment": self.adjustment,
            "family": self.family,
            "fit_check": self.origin.fit_check,
            "look": self.origin.look,
        }


def _about(test: TestName, adjustment: Adjustment, family: int, rows: str) -> str:
    return f"{TESTS[test]}, {rows}{_adjusted(adjustment, family)}"


def _adjusted(adjustment: Adjustment, family: int) -> str:
    return "" if adjustment == "none" else f", adjusted by {adjustment} for {counted(family, 'test')}"


def split_columns(columns: Mapping[Any, Any]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """Return the columns of a table with p-values as numbers, and what holds for these.

    Parameters
    ----------
    columns : mapping
        Values by column name; p-values are `PValues`.
    """
    tests = {str(name): own.about for name, own in columns.items() if isinstance(own, PValues)}
    plain = {name: own.printed if isinstance(own, PValues) else own for name, own in columns.items()}
    return plain, tests
