"""Shares among the people at or above a level of a composite question: "of those with contact, how many ...".

The ratio of two events of one question inverts one test, as confidence does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import asked_columns
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.forged import ratio_shift
from privacy.levels import chi_square_quantile
from privacy.policy import RELIABLE_ERRORS
from privacy.printed import UNCHECKED, Measured
from privacy.survey.answer_probabilities import item_probability
from privacy.survey.design import Design


def options_from_base(design: Design, question: int) -> tuple[str, ...]:
    """Return the options of the base of a composite question and of all levels above it, each once.

    Parameters
    ----------
    design : Design
    question : int
        Number of the question.

    Returns
    -------
    tuple of str
        The base first; empty if the question has no base.
    """
    rule = design.questions[question].computed
    if rule is None or not rule.base:
        return ()
    options = [level.option for level in rule.levels]
    return tuple(dict.fromkeys(options[options.index(rule.base) :]))


def columns_of_base(design: Design, question: int) -> list[Columns]:
    """Return the sets of columns that `base_shares` needs to be counted.

    Parameters
    ----------
    design : Design
    question : int
        Number of a question with a base.
    """
    items = _items(design, question)
    return [asked_columns((items[0],), design), *((item,) for item in items)]


def _items(design: Design, question: int) -> list[int]:
    return [item.index for item in design.items if item.question == question]


def base_shares(
    counts: SupportCounts, design: Design, question: int, *, level: float = 0.95, forged: int = 0
) -> dict[str, Measured]:
    """Estimate the share of each option above the base, among the people at or above the base.

    Parameters
    ----------
    counts : SupportCounts
        With the columns of `columns_of_base`.
    design : Design
    question : int
        Number of a question with a base.
    level : float, optional
        Confidence level.
    forged : int
        Number of rows among them that no device sent.

    Returns
    -------
    dict of str to Measured
        By option, in the order of the levels, without the base itself.

    Notes
    -----
    With the score z of an event (see `privacy.estimation.moments`), a hypothesised share c is kept if the
    empirical-likelihood ratio for the mean of h = z(option) - c z(at or above the base) is small.
    """
    options = options_from_base(design, question)
    if not options:
        raise PrivacyError("computed.no_base", design.questions[question].key)
    items = _items(design, question)
    keys = design.questions[question].options
    own = dict(zip(keys, items, strict=True))
    block = design.blocks[design.block_of(question)]
    decoys = {key: float(item_probability(design, {item: True})) for key, item in own.items()}
    rows: list[int] = []
    cells: list[tuple[float, str]] = []
    asked = counts[asked_columns((items[0],), design)]
    for group, direct in enumerate((True, False)):
        in_group = [counts[item,][group] for item in items]
        others = asked[group] - sum(in_group)
        if not asked[group]:
            continue
        truth = float(block.truth_in(direct=direct))
        rows += [*in_group, *([others] if block.refusal is not None else [])]
        cells += [(truth, key) for key in (*keys, *([""] if block.refusal is not None else []))]
    n = np.array(rows)
    of_base = _scores(cells, options, decoys)
    found = {}
    for option in options[1:]:
        of_option = _scores(cells, [option], decoys)
        found[option] = _ratio(n, of_option, of_base, level, forged)
    return found


def _scores(cells: Sequence[tuple[float, str]], options: Sequence[str], decoys: dict[str, float]) -> Array:
    """Return the score of "one of these options" in each cell, given its p and the reported option."""
    q = sum(decoys[option] for option in options)
    return np.array([((key in options) - (1 - truth) * q) / truth for truth, key in cells])


def _ratio(n: Whole, above: Array, below: Array, level: float, forged: int) -> Measured:
    total = n.sum()
    means = (n @ above) / total, (n @ below) / total
    value = means[0] / means[1] if means[1] else math.nan
    sets = likelihood_sets(n[None], above[None], -below[None], chi_square_quantile(level)).inside(0.0, 1.0)
    # The mean of h is 0.
    h = above - value * below
    variance = (n @ h**2) / total
    of_base = (n @ below**2) / total - means[1] ** 2
    is_reliable = abs(means[1]) > RELIABLE_ERRORS * math.sqrt(of_base / total)
    error = math.sqrt(variance / total) / abs(means[1]) if is_reliable else None
    return Measured(
        value=value,
        low=float(sets.low[0]),
        high=float(sets.high[0]),
        standard_error=error,
        estimable=bool(sets.estimable[0]),
        n=int(total),
        effective_n=float(total),
        level=level,
        possible=(0.0, 1.0),
        method="ratio",
        shift=float(ratio_shift(above[None], below, n.astype(np.float64), forged)[0]),
        origin=UNCHECKED,
    )
