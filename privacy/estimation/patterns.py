"""All 2^m patterns of an itemset."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.axes import MOST_ITEMS, axes_of, contracted, exact_rows, keys_of
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import cutter_of
from privacy.estimation.estimates import blank_estimates
from privacy.estimation.scores import Estimator, check_estimator, check_rows
from privacy.estimation.sums import Sums
from privacy.survey.design import Design

__all__ = ["MOST_ITEMS", "Patterns", "pattern_terms", "patterns"]

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Patterns:
    """Estimated shares of all patterns of an itemset.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    items : Columns
        Ascending, `m` of them; one axis each below, position 1 for "has it", 0 for "answered without it".
    value, standard_error, standard_error_respondents, observed_share : float array, shape (2,) * m
        As for `Estimate`.
    possible : bool array, shape (2,) * m
        False where no answer shows the pattern (two options of a single choice, or none of them all);
        its share is exactly 0.
    n, n_direct, n_protected : int
        Rows used.
    """

    estimator: Estimator
    items: Columns
    value: Array
    standard_error: Array
    standard_error_respondents: Array
    observed_share: Array
    possible: NDArray[np.bool_]
    n: int
    n_direct: int
    n_protected: int


def pattern_terms(itemset: Columns, design: Design, *, within: Columns | None = None) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `patterns` needs.

    They are the sub-itemsets; where a block can be skipped, also those who answered it.
    """
    cutter = cutter_of(design)
    keys = keys_of(axes_of(itemset, cutter), cutter, within)
    return tuple(dict.fromkeys(key for key in keys if key is not None))


def patterns(
    counts: SupportCounts,
    itemset: Columns,
    design: Design,
    *,
    estimator: Estimator = "stratified",
    within: Columns | None = None,
) -> Patterns:
    """Estimate the shares of all 2^m patterns of an itemset.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(itemset, design, within=within)`.
    itemset : Columns
        1 to 12 items; here options of one single-choice question may stand together.
    design, estimator, within
        As for `estimate`.

    Returns
    -------
    Patterns

    Raises
    ------
    PrivacyError
        As for `estimate`.

    Notes
    -----
    A pattern e says of each item whether it is wanted. Per touched block it has a decoy chance
    q(e_b), the product over the block's questions; for a single choice "not o" has 1 - phi_o. Score,
    estimate and variances are those of an itemset with [match] and q taken for the pattern. A row
    that skips a block matches none of its patterns, so that they add up to the share that answers.
    For one block and m = 2

        P(e) = (P*(e) - (1-k)(1-p) q(e)) / (k + (1-k) p),  q = t1 t2, t1 (1-t2), (1-t1) t2, (1-t1)(1-t2).

    References
    ----------
    Kan and Cao, equations 9, 11, 13 (printed as 12), 15 and 16.

    Examples
    --------
    Two questions in one block, p = .5, theta = .5; of 100 rows 40 show both, 10 only the first.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...                           for key in "ab")),))
    >>> counts = SupportCounts({(): (0, 100), (0,): (0, 50), (1,): (0, 70), (0, 1): (0, 40)})
    >>> found = patterns(counts, (0, 1), design)
    >>> found.value.round(2)  # (.2 - .125)/.5, (.3 - .125)/.5; (.1 - .125)/.5, (.4 - .125)/.5
    array([[ 0.15,  0.35],
           [-0.05,  0.55]])
    """
    check_estimator(estimator)
    cutter = cutter_of(design)
    axes = axes_of(itemset, cutter)
    exact = exact_rows(counts, axes, keys_of(axes, cutter, within))
    n_direct, n_protected = exact.reshape(-1, 2).sum(axis=0)
    check_rows(n_direct + n_protected)
    matches = contracted(exact, [axis.match for axis in axes])
    of_protected = exact[..., 1:]
    size = matches.size // 2
    sums = Sums(
        estimator=estimator,
        n_direct=np.full(size, n_direct),
        n_protected=np.full(size, n_protected),
        matches=np.rint(matches.reshape(2, size).T).astype(np.int64),
        truth=np.full(size, math.prod(axis.truth for axis in axes)),
        one_block=sum(axis.disguised for axis in axes) <= 1,
        numerators=contracted(of_protected, [axis.numerator for axis in axes]).ravel(),
        squares=contracted(of_protected, [axis.numerator**2 for axis in axes]).ravel(),
    )
    table = blank_estimates(size, estimator)
    sums.fill(table, np.arange(size))
    shape = (2,) * sum(len(axis.items) for axis in axes)
    possible = np.array(True)
    for axis in axes:
        possible = np.logical_and.outer(possible, axis.possible)
    return Patterns(
        estimator=estimator,
        items=tuple(item for axis in axes for item in axis.items),
        value=table.value.reshape(shape),
        standard_error=table.standard_error.reshape(shape),
        standard_error_respondents=table.standard_error_respondents.reshape(shape),
        observed_share=table.observed_share.reshape(shape),
        possible=possible.reshape(shape),
        n=int(n_direct + n_protected),
        n_direct=int(n_direct),
        n_protected=int(n_protected),
    )
