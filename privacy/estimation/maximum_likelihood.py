"""Maximum-likelihood support from both groups, which are assumed to agree."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import DesignIndex, index_of
from privacy.estimation.empirical_likelihood import bracketed_end, newton_end
from privacy.estimation.mixture import Mixture, along, at_cell
from privacy.estimation.moments import check_rows
from privacy.estimation.patterns import GROUPS, BlockPatterns, keys_of, needed_of, parts_of, pattern_rows
from privacy.levels import chi_square_quantile
from privacy.policy import LIKELIHOOD_LEAST_DIRECT, LIKELIHOOD_LEAST_EXPECTED
from privacy.survey.design import Design

__all__ = [
    "LikelihoodEstimate",
    "maximum_likelihood",
    "maximum_likelihood_terms",
    "mixtures_of",
]

_MOST_CELLS: Final = 256

_AT_ONCE: Final = 4096
"""Itemsets worked on together."""

_MOST_NUMBERS: Final = 1 << 22
"""Of their information matrices: 32 MB."""


@dataclass(frozen=True, kw_only=True)
class LikelihoodEstimate:
    """Maximum-likelihood support, valid if both groups have the same true answers.

    Parameters
    ----------
    value, standard_error : float
        Between 0 and 1; error from the information.
    low, high : float
        Profile-likelihood interval.
    n, n_direct, n_protected : int
    """

    value: float
    standard_error: float
    low: float
    high: float
    n: int
    n_direct: int
    n_protected: int


def mixtures_of(
    counts: SupportCounts, itemsets: Sequence[Columns], design: Design
) -> Iterator[tuple[NDArray[np.intp], tuple[int, ...], Mixture]]:
    """Yield the rows by the patterns of each itemset's items, itemsets of one shape together.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `pattern_terms(itemset, design)` of each.

    Yields
    ------
    which : int array
        Positions of the itemsets in what was given.
    cell : tuple of int
        The pattern that has all items: the last one of each block; a skip stands behind it.
    table : Mixture
    """
    index = index_of(design)
    shapes: dict[tuple[tuple[int, bool], ...], list[tuple[int, list[BlockPatterns]]]] = {}
    for position, itemset in enumerate(itemsets):
        axes = parts_of(itemset, index)
        shapes.setdefault(tuple((len(axis.items), axis.skippable) for axis in axes), []).append(
            (position, axes)
        )
    for shape, members in shapes.items():
        size = math.prod(len(axis.nodes) for axis in members[0][1])
        at_once = max(1, min(_AT_ONCE, _MOST_NUMBERS // size**2))
        for start in range(0, len(members), at_once):
            some = members[start : start + at_once]
            every = [axes for _, axes in some]
            rows = pattern_rows(counts, every[0], [keys_of(axes, index, None) for axes in every])
            check_rows(rows.reshape(len(rows), -1).sum(axis=1))
            yield (
                np.array([position for position, _ in some]),
                tuple((1 << n_items) - 1 for n_items, _ in shape),
                _mixture(rows.astype(np.float64), every),
            )


def _mixture(rows: Array, every: Sequence[Sequence[BlockPatterns]]) -> Mixture:
    by_block = list(zip(*every, strict=True))
    possible = np.ones(len(every), dtype=np.bool_)
    for axes in by_block:
        possible = possible[..., None]
        possible = possible & along(np.stack([axis.can_be for axis in axes]), possible, -1)
    return Mixture(
        rows=np.ascontiguousarray(np.moveaxis(rows, -1, 0)),
        truth=[np.array([axis.truth for axis in axes]).T for axes in by_block],
        decoys=[np.stack([axis.decoys for axis in axes]) for axes in by_block],
        possible=possible,
        turned={
            block: np.stack([axis.turned for axis in axes])
            for block, axes in enumerate(by_block)
            if any(axis.block.near is not None and axis.disguised for axis in axes)
        },
    )


def maximum_likelihood_terms(itemsets: Iterable[Columns], design: Design) -> tuple[Columns, ...]:
    """Return the columns `maximum_likelihood` needs, each set once; none where patterns are too many."""
    index = index_of(design)
    few = [itemset for itemset in itemsets if _patterns(itemset, index) <= _MOST_CELLS]
    return tuple(dict.fromkeys(key for own in few for key in needed_of(parts_of(own, index), index, None)))


def _patterns(itemset: Columns, index: DesignIndex) -> int:
    """Count what a row can show of an itemset: the patterns of each block, and a skip."""
    by_block = Counter(int(index.block[item]) for item in index.check(itemset))
    blocks = index.design.blocks
    return math.prod((1 << n) + (blocks[block].refusal is not None) for block, n in by_block.items())


def maximum_likelihood(
    counts: SupportCounts,
    itemsets: Sequence[Columns],
    design: Design,
    *,
    level: float = 0.95,
) -> list[LikelihoodEstimate | PrivacyError]:
    """Estimate supports by maximum likelihood over both groups.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `maximum_likelihood_terms(itemsets, design)`.
    itemsets : sequence of Columns
    design : Design
    level : float, in (0, 1)

    Returns
    -------
    list of LikelihoodEstimate or PrivacyError
        The second where the estimate is not offered: ``few_direct`` (fewer than 50 direct rows),
        ``few_expected`` (fewer than 10 matches or other rows to be expected in a group),
        ``too_many_patterns``.

    Raises
    ------
    PrivacyError
        What `estimate` raises.

    Notes
    -----
    Rows of group g show the patterns of the touched items with chances C_g pi, C_0 the identity where direct
    rows are sent as they are. The most likely pi comes from EM, the error from the information at it, the
    interval from those values of the support for which twice the loss of log-likelihood is at most the
    chi-square quantile.

    Examples
    --------
    One question, p = .3, theta = .6; the groups say .1 exactly: .03 + .42 of the protected say yes.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(policy="choice"), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=3000, refusal=None, asked_if=None,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(6000,)),)),))
    >>> (support,) = maximum_likelihood(SupportCounts({(): (2000, 8000), (0,): (200, 3600)}), [(0,)], design)
    >>> round(support.value, 6)
    0.1
    >>> round(support.standard_error, 5)  # 1/sqrt(2000/.09 + 8000 * .09/(.45 * .55))
    0.00631
    """
    threshold = chi_square_quantile(level)
    index = index_of(design)
    fits: dict[int, LikelihoodEstimate | PrivacyError] = {}
    few: list[int] = []
    for position, itemset in enumerate(itemsets):
        index.split_by_block(itemset)
        if (patterns := _patterns(itemset, index)) > _MOST_CELLS:
            fits[position] = PrivacyError("too_many_patterns", itemset, patterns=patterns, most=_MOST_CELLS)
        else:
            few.append(position)
    for which, cell, table in mixtures_of(counts, [itemsets[position] for position in few], design):
        direct = table.n_by_group[0]
        enough = direct >= LIKELIHOOD_LEAST_DIRECT
        likely = _most_likely(table.part(enough), cell, threshold)
        for position, n_direct, offered in zip(which, direct, enough, strict=True):
            fits[few[position]] = (
                next(likely)
                if offered
                else PrivacyError("few_direct", int(n_direct), least_direct=LIKELIHOOD_LEAST_DIRECT)
            )
    return [fits[position] for position in range(len(itemsets))]


def _few_expected(n: int, share: float, group: str) -> PrivacyError | None:
    expected = n * min(share, 1 - share)
    if expected >= LIKELIHOOD_LEAST_EXPECTED:
        return None
    which = "matches" if share < 0.5 else "others"
    return PrivacyError("few_expected", expected, which=which, group=group)


def _most_likely(
    table: Mixture, cell: tuple[int, ...], threshold: float
) -> Iterator[LikelihoodEstimate | PrivacyError]:
    """Yield the estimate of the share of a cell for each itemset, or why its interval would mislead."""
    if not len(table):
        return
    shares = table.fit()
    position = at_cell(cell)
    shown = np.stack([table.shown(shares, group)[position] for group in GROUPS], axis=1)
    at = int(np.ravel_multi_index(cell, shares.shape[1:]))
    error = np.sqrt(np.maximum(table.covariance(shares)[:, at, at], 0.0))
    low, high = (_ends(table, cell, shares, error, bound, threshold) for bound in (0.0, 1.0))
    for row, (n_direct, n_protected) in enumerate(table.n_by_group.T.astype(int).tolist()):
        direct, protected = shown[row].tolist()
        yield (
            _few_expected(n_direct, direct, "direct")
            or _few_expected(n_protected, protected, "protected")
            or LikelihoodEstimate(
                value=float(shares[position][row]),
                standard_error=float(error[row]),
                low=float(low[row]),
                high=float(high[row]),
                n=n_direct + n_protected,
                n_direct=n_direct,
                n_protected=n_protected,
            )
        )


def _ends(
    table: Mixture, cell: tuple[int, ...], best: Array, error: Array, bound: float, threshold: float
) -> Array:
    """Return where the loss of likelihood reaches the limit between the estimates and a bound.

    Notes
    -----
    With the share s of the cell fixed and the others most likely, all others have the same derivative by
    their share. Together, weighted with the shares, the derivatives are n: that of the likelihood by s is
    (g - n) / (1 - s), g the one of the cell.
    """
    position = at_cell(cell)
    value, most = best[position], table.log_likelihood(best)
    start = best.copy()

    def loss(share: Array, which: NDArray[np.intp]) -> tuple[Array, Array]:
        some = table.part(which)
        shares = some.fit(cell=cell, share=share, start=start[which])
        start[which] = shares
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = (some.gradient(shares)[position] - some.n) / (1 - share)
        # At the estimate itself rounding may leave -1e-12.
        return np.maximum(2 * (most[which] - some.log_likelihood(shares)), 0.0), -2 * slope

    bounds = np.full(len(table), bound)
    away = np.flatnonzero(value != bound)
    inside = away[loss(bounds[away], away)[0] > threshold]
    start[:] = best
    middle, outer = value[inside], bounds[inside]
    first = middle + np.sign(bound - 0.5) * math.sqrt(threshold) * error[inside]
    end, settled = newton_end(loss, inside, middle, outer, first, threshold)
    rest = np.flatnonzero(~settled)
    end[rest] = bracketed_end(
        lambda share, which: loss(share, which)[0], inside[rest], middle[rest], outer[rest], threshold
    )
    bounds[inside] = end
    return bounds
