"""Split sample: one half of the rows finds rules, the other half tests them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from mining.columns.bitmatrix import BitMatrix, Group
from mining.columns.count_cache import CountCache
from mining.columns.transposition import packed_columns, unpacked_columns, words_for
from mining.family import Family
from mining.inference import Families
from mining.itemsets import estimate_itemsets, releasable_itemsets
from mining.pipeline import MiningResult
from mining.progress import ProgressListener, ignore_progress
from mining.rules import RuleTable, measured_rules
from privacy.arrays import Flags
from privacy.errors import PrivacyError

__all__ = ["families_listed", "measured_again", "random_split"]


def random_split(matrix: BitMatrix, rng: np.random.Generator) -> tuple[BitMatrix, BitMatrix]:
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
    >>> [(half.n_direct, half.n_protected) for half in random_split(rows, np.random.default_rng(1))]
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


def _chosen(n: int, rng: np.random.Generator) -> Flags:
    chosen = np.zeros(n, dtype=bool)
    chosen[rng.permutation(n)[: n // 2]] = True
    return chosen


def _some(group: Group, wanted: Flags) -> Group:
    n = int(wanted.sum())
    words = np.empty((len(group.words), words_for(n)), dtype=np.uint64)
    for column in range(len(words)):
        # One column at a time: a byte for each row of all of them is much.
        bits = unpacked_columns(group.words[column : column + 1], group.n)
        words[column] = packed_columns(bits[:, wanted])[0]
    return Group(words=words, n=n)


def measured_again(
    listing: MiningResult,
    count_cache: CountCache,
    *,
    least_protected: int = 0,
    least_cross: int = 0,
    progress: ProgressListener = ignore_progress,
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
    progress : callable

    Notes
    -----
    No threshold is applied again: whatever the second half says of a listed rule is reported, so that its
    estimate and interval are those of a rule named in advance.
    """
    design, thresholds, matrix = listing.design, listing.thresholds, count_cache.matrix
    least = {"least_protected": least_protected, "least_cross": least_cross}
    itemsets = estimate_itemsets(
        count_cache,
        design,
        releasable_itemsets(count_cache, listing.itemsets.itemsets, **least),
        estimator=thresholds.estimator,
        target=thresholds.target,
    )
    whole = [tuple(sorted(before + after)) for before, after in listing.rules.sides]
    enough = set(releasable_itemsets(count_cache, whole, **least))
    sides = [pair for pair, items in zip(listing.rules.sides, whole, strict=True) if items in enough]
    rules: RuleTable = measured_rules(
        count_cache, design, sides, replace(thresholds, confidence=0.0, lift=None), progress=progress
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


def families_listed(listing: MiningResult) -> Families:
    """Return the families of tests on the second half: what the first half listed, and nothing else.

    Parameters
    ----------
    listing : MiningResult
        Of the first half.
    """
    sides = listing.rules.sides
    unordered = {frozenset(pair): len(pair[0]) + len(pair[1]) for pair in sides}
    return Families(
        lift=_family(unordered.values()),
        confidence=_family(len(before) + len(after) for before, after in sides),
        itemsets=_family(len(items) for items in listing.itemsets.itemsets),
    )


def _family(sizes: Iterable[int]) -> Family:
    return Family(by_size=tuple(sorted(Counter(sizes).items())))
