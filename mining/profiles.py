"""How many rows share the open answers that an itemset names, where some rows are sent undisguised.

A direct row holds true answers, and its open answers are known to many: where one row alone has them, a share
among those who have them is that person's answer.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mining.columns.count_cache import CountCache
from mining.open_crosses import large_crosses
from privacy.estimation import Columns, pattern_terms, patterns
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design

__all__ = ["large_profiles"]


def large_profiles(tally: CountCache, design: Design, itemsets: Iterable[Columns], least: int) -> list[bool]:
    """Say of which itemsets every combination of their open answers is given by enough rows, or by none.

    Parameters
    ----------
    tally : CountCache
    design : Design
    itemsets : iterable of Columns
    least : int
        Rows of both groups, among those asked everything in the itemset.

    Returns
    -------
    list of bool
        True for itemsets without a protected item, which tell what is open already, and for those without an
        open item. Where nothing protected is sent undisguised it is `mining.open_crosses.large_crosses`.

    Notes
    -----
    Of m open items all 2^m combinations of having and not having are looked at: the share of those without
    an item is the difference of two shares that are listed. An itemset that fails fails with any item added.

    Examples
    --------
    One of five people is old:

    >>> from mining.columns.bitmatrix import BitMatrix
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(policy="choice"), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
    ...           questions=(Question(key="old", kind="yes_no", options=(), unrelated=()),)),
    ...     Block(key="work", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=(Question(key="late", kind="yes_no", options=(), unrelated=(5000,)),))))
    >>> rows = np.array([[True, True], [False, True], [False, True], [False, False], [False, False]])
    >>> tally = CountCache(BitMatrix.from_booleans(design, rows, np.ones(5, dtype=bool)))
    >>> large_profiles(tally, design, [(0,), (1,), (0, 1)], 2)
    [True, True, False]
    """
    if not design.sends_undisguised:
        return large_crosses(tally, design, itemsets, least)
    found = [_profile(design, items) for items in itemsets]
    named = list(dict.fromkeys(profile for profile in found if profile is not None))
    counts = tally.need(
        terms for items, within in named for terms in pattern_terms(items, design, within=within)
    )
    large = {}
    for items, within in named:
        if not sum(counts[within]):
            large[items, within] = True
            continue
        shares = patterns(counts, items, design, within=within)
        rows = np.rint(shares.observed_share * shares.n)
        large[items, within] = bool(((rows == 0) | (rows >= least)).all())
    return [profile is None or large[profile] for profile in found]


def _profile(design: Design, items: Columns) -> tuple[Columns, Columns] | None:
    """Open items of an itemset, and the columns of those asked everything in it; None where nothing tells."""
    is_open = [not design.blocks[design.items[item].block].protected for item in items]
    if all(is_open) or not any(is_open):
        return None
    # Not by `asked`, which takes itemsets: an expression may name several options of a single choice.
    return tuple(item for item, on in zip(items, is_open, strict=True) if on), index_of(design).asked_of(
        items
    )
