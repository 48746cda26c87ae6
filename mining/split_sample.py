"""One half of the rows finds rules, the other half tests them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix, Group
from mining.columns.count_cache import CountCache
from mining.columns.transposition import WORD, words_for
from mining.family import Family
from mining.inference import Families
from mining.itemsets import estimate_itemsets, least_complete
from mining.open_crosses import disguised_rows, large_crosses
from mining.pipeline import MiningResult
from mining.progress import ProgressListener, unwatched
from mining.rules import RuleTable, measured_rules
from privacy.errors import PrivacyError
from privacy.estimation import Columns, asked

__all__ = ["families_listed", "halved", "measured_again"]


def halved(matrix: BitMatrix, rng: np.random.Generator) -> tuple[BitMatrix, BitMatrix]:
    """Part the rows of each group at random into two halves.

    Parameters
    ----------
    matrix : BitMatrix
    rng : numpy.random.Generator
        Says which rows; the same rows and the same state give the same halves.

    Returns
    -------
    BitMatrix, BitMatrix
        The first half, which is the smaller one where a group has an odd number of rows, and the second.

    Raises
    ------
    PrivacyError
        ``halves``: fewer than two rows.

    Examples
    --------
    >>> from privacy.survey.design import Block, Design, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = BitMatrix.from_booleans(design, np.ones((7, 1), bool), np.arange(7) < 2)
    >>> [(half.n_direct, half.n_protected) for half in halved(rows, np.random.default_rng(1))]
    [(1, 2), (1, 3)]
    """
    if matrix.n < 2:
        raise PrivacyError("halves", matrix.n)
    first = [_chosen(group.n, rng) for group in (matrix.direct, matrix.protected)]
    return tuple(  # type: ignore[return-value]  # two of them
        BitMatrix(
            design=matrix.design,
            direct=_some(matrix.direct, first[0] == wanted),
            protected=_some(matrix.protected, first[1] == wanted),
            stored_at=matrix.stored_at,
        )
        for wanted in (True, False)
    )


def _chosen(n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    chosen = np.zeros(n, dtype=bool)
    chosen[rng.permutation(n)[: n // 2]] = True
    return chosen


def _some(group: Group, wanted: NDArray[np.bool_]) -> Group:
    n = int(wanted.sum())
    octets = np.zeros((len(group.words), words_for(n) * WORD // 8), dtype=np.uint8)
    for column, words in enumerate(group.words):
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), count=group.n, bitorder="little")
        packed = np.packbits(bits[wanted], bitorder="little")
        octets[column, : len(packed)] = packed
    return Group(words=octets.view("<u8").astype(np.uint64, copy=False), n=n)


def measured_again(
    listing: MiningResult,
    count_cache: CountCache,
    *,
    least_protected: int = 0,
    least_cross: int = 0,
    watch: ProgressListener = unwatched,
) -> MiningResult:
    """Estimate what one half lists from the rows of the other.

    Parameters
    ----------
    listing : MiningResult
        Of the first half.
    count_cache : CountCache
        Of the second half.
    least_protected : int
        What fewer protected rows of the second half were asked is left out; it counts as tested and failed.
        So is what fewer than 100 of its rows were asked, where devices draw their questions.
    least_cross : int
        So is what names open questions of which a combination of answers is given by fewer rows of the second
        half; see `mining.open_crosses.large_crosses`.
    watch : callable

    Notes
    -----
    No threshold is applied again: whatever the second half says of a listed rule is reported, so that its
    estimate and interval are those of a rule named in advance.
    """
    design, thresholds, matrix = listing.design, listing.thresholds, count_cache.matrix
    itemsets = estimate_itemsets(
        count_cache,
        design,
        _releasable(listing.itemsets.itemsets, count_cache, least_protected, least_cross),
        estimator=thresholds.estimator,
        target=thresholds.target,
    )
    whole = [tuple(sorted(before + after)) for before, after in listing.rules.sides]
    enough = set(_releasable(whole, count_cache, least_protected, least_cross))
    sides = [pair for pair, items in zip(listing.rules.sides, whole, strict=True) if items in enough]
    rules: RuleTable = measured_rules(
        count_cache, design, sides, replace(thresholds, confidence=0.0, lift=None), watch=watch
    )
    return replace(
        listing,
        n=matrix.n,
        n_direct=matrix.n_direct,
        n_protected=matrix.n_protected,
        itemsets=itemsets,
        rules=rules,
        counts=count_cache.counts,
        draw_tests=count_cache.draw_tests,
    )


def _releasable(
    itemsets: Sequence[Columns], count_cache: CountCache, least_protected: int, least_cross: int
) -> list[Columns]:
    """Return what enough rows were asked, and whose open answers enough of them share."""
    design = count_cache.matrix.design
    rows = {items: asked(items, design) for items in itemsets}
    counts = count_cache.need(rows.values())
    enough = [
        items
        for items, columns in rows.items()
        if disguised_rows(design, *counts[columns]) >= least_protected
        and sum(counts[columns]) >= max(1, least_complete(design, np.array([items]))[0])
    ]
    if not least_cross:
        return enough
    large = large_crosses(count_cache, design, enough, least_cross)
    return [items for items, on in zip(enough, large, strict=True) if on]


def families_listed(listing: MiningResult) -> Families:
    """Return the families of tests on the second half: what the first half listed, and nothing else."""
    sides = listing.rules.sides
    unordered = {frozenset(pair): len(pair[0]) + len(pair[1]) for pair in sides}
    return Families(
        lift=_family(unordered.values()),
        confidence=_family(len(before) + len(after) for before, after in sides),
        itemsets=_family(len(items) for items in listing.itemsets.itemsets),
    )


def _family(sizes: Iterable[int]) -> Family:
    return Family(by_size=tuple(sorted(Counter(sizes).items())))
