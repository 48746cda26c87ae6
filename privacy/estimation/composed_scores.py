"""Supports that join items with a part of a number's range or of a map, under any of their disguises."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.supports import asked, estimate
from privacy.survey.design import Design

__all__ = ["JoinedSupport", "joined_support"]


@dataclass(frozen=True, kw_only=True)
class JoinedSupport:
    """A support with its standard error, rows an independent sample of the population; may leave [0, 1]."""

    value: float
    standard_error: float
    n: int


def joined_support(
    parts: Iterable[tuple[float, SupportCounts]],
    itemset: Columns,
    design: Design,
    *,
    within: Columns | None = None,
) -> JoinedSupport:
    """Estimate the share of people whose number or place lies in a part, and who have an itemset.

    Parameters
    ----------
    parts : iterable of (float, SupportCounts)
        The rows, sorted by what they sent for the number or the place: the score of that value for the part,
        and the counts `privacy.estimation.terms` wants for the itemset among the rows that sent it. Scores
        of disguised rows come from `privacy.channels.score.score` or
        `privacy.estimation.density.region_scores`; a direct row scores 1 in the part and
        0 outside, and stands apart from the disguised ones.
    itemset : Columns
        Items of other questions; empty for the part alone.
    design : Design
    within : Columns, optional
        As for `privacy.estimation.estimate`.

    Raises
    ------
    PrivacyError
        ``no_rows``, and what `privacy.estimation.estimate` refuses.

    Notes
    -----
    A row scores s(y) z(E), z as in `privacy.estimation.supports.estimate`. The disguises draw independently,
    so its expectation is the product of the two, [x in the part] [the row has E]. Sums of z and z^2 among the
    rows that sent y follow from their counts as in `estimate`, so

        value = sum_y s(y) Z_y / n,    n standard_error^2 = sum_y s(y)^2 Z2_y / n - value^2.

    Examples
    --------
    Ten open rows; six sent a value that scores 1, of which three have the item:

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
    ...           questions=(Question(key="a", kind="yes_no", options=(), unrelated=()),)),))
    >>> inside, outside = ({(1,): (0, n), (0,): (0, k)} for n, k in ((6, 3), (4, 4)))
    >>> found = joined_support([(1.0, SupportCounts(inside)), (0.0, SupportCounts(outside))], (0,), design)
    >>> round(found.value, 3), round(found.standard_error, 3), found.n  # sqrt(.3 * .7 / 10)
    (0.3, 0.145, 10)
    """
    first = second = 0.0
    n = 0
    rows = asked(itemset, design) if within is None else within
    for score, counts in parts:
        if sum(counts[rows]) == 0:
            continue
        found = estimate(counts, itemset, design, within=within)
        n += found.n
        first += score * found.n * found.value
        second += score**2 * found.n * (found.n * found.standard_error**2 + found.value**2)
    if n == 0:
        raise PrivacyError("no_rows.rule", 0)
    value = first / n
    return JoinedSupport(value=value, standard_error=math.sqrt(max(second / n - value**2, 0.0) / n), n=n)
