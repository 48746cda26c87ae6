"""How far forged rows can have moved a difference between two groups, and how many overturn its verdict."""

from __future__ import annotations

from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array, Whole
from privacy.estimation.composed_parts import influence
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.joined_scores import likelihood_ratios, with_base
from privacy.forged import distances, farthest, flips
from privacy.policy import SIGNIFICANCE_LEVEL


def measure_shifts(rows: JoinedRows, forged: int) -> Array:
    """Return how far each measure of a comparison is from that without some rows with equal reports.

    Parameters
    ----------
    rows : JoinedRows
        As in `privacy.estimation.comparison.compare`.
    forged : int
        Number of rows.

    Returns
    -------
    ndarray of float, shape (5,)
        For the share with the answer, that of all others, their difference, the lift and the leverage;
        infinite if nothing is known of a measure without these rows.
    """
    counts, scores = rows.counts, with_base(rows.scores)
    sums = scores @ counts
    measures = _measures(sums)
    shifts = distances(_measures(sums[:, None] - forged * scores), measures[:, None]).max(axis=1)
    if rows.partial is not None:
        # The centres of the scores move with the rows.
        partial = rows.partial
        kinds = np.flatnonzero(partial.counts >= forged).tolist()

        def read(changed: Array) -> Array:
            again = partial.joined(changed)
            return _measures(with_base(again.scores) @ again.counts)

        shifts = np.maximum(shifts, farthest(read, partial.counts, forged, kinds))
    return np.asarray(shifts)


def _measures(sums: Array) -> Array:
    """Return the measures of `measure_shifts` from sums of scores; infinite without one of the groups."""
    both, _by, outcome, base_by, base = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        having, others, everyone = both / base_by, (outcome - both) / (base - base_by), outcome / base
        lift, leverage = having / everyone, both / base - base_by / base * everyone
        found = np.stack([having, others, having - others, lift, leverage])
    return np.where((base_by > 0) & (base > base_by) & np.isfinite(found), found, np.inf)


def _differences(sums: Array) -> Array:
    """Return the difference of two groups from sums of five scores; infinite without one of the groups."""
    return np.asarray(_measures(sums)[2])


MOST_KINDS: Final = 64
"""Most kinds of forged rows to try; if there are more, those with the most influence on the difference."""

MOST_PARTIAL_KINDS: Final = 24
"""The same if rows that were asked a part count, too: their scores are computed again for each number."""


def difference_flips(rows: JoinedRows) -> int | None:
    """Return the least number of forged rows with equal reports that changes the verdict on a difference.

    Parameters
    ----------
    rows : JoinedRows
        As in `compare`, without clusters. Weights stay as they are.

    Returns
    -------
    int or None
        As `privacy.forged.flips`: a verdict is a p-value below 5% and the sign of the difference.

    Examples
    --------
    Eight people with open answers, as in `compare`. Three more who gave both answers make the difference
    significant:

    >>> from privacy.estimation.comparison import compare
    >>> from privacy.estimation.joined_rows import JoinedRows
    >>> few = JoinedRows(counts=np.array([3, 1, 1, 3]), n_direct=0, n_protected=8, smallest_cell=1,
    ...                  scores=np.array([[1., 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]))
    >>> more = JoinedRows(counts=few.counts + [3, 0, 0, 0], n_direct=0, n_protected=11, smallest_cell=1,
    ...                   scores=few.scores)
    >>> difference_flips(few), round(compare(more).p_value, 3)
    (3, 0.041)
    """
    scores, counts, partial = with_base(rows.scores), rows.counts.astype(np.float64), rows.partial
    if rows.clusters is not None or not counts.sum():
        return None
    if partial is None:
        kinds = _most_influential(_together(scores, counts[None])[0], MOST_KINDS)
        return flips(lambda cases: _verdicts(scores, cases), counts, kinds)

    def conclude(cases: Array) -> Whole:
        found = []
        for case in cases:
            again = partial.joined(case)
            found += _verdicts(with_base(again.scores), again.counts[None].astype(np.float64)).tolist()
        return np.array(found)

    influences = influence(
        partial.factors, partial.codes, partial.counts, direct=partial.direct, is_asked=partial.is_asked
    )
    by_cell = _together(with_base(influences), partial.counts[None].astype(np.float64))[0]
    return flips(conclude, partial.counts, _most_influential(by_cell, MOST_PARTIAL_KINDS))


def _together(scores: Array, cases: Array) -> Array:
    """Return the influence of each score on the difference in each case; shape (cases, cells)."""
    _both, _by, outcome, base_by, base = scores @ cases.T
    with np.errstate(divide="ignore", invalid="ignore"):
        share, middle = (base_by / base)[:, None], (outcome / base)[:, None]
    return np.asarray(scores[0] - share * scores[2] - middle * scores[3] + middle * share * scores[4])


def _verdicts(scores: Array, cases: Array) -> Whole:
    """Return the sign of a significant difference in each case, or 0."""
    together, differences = _together(scores, cases), _differences(scores @ cases.T)
    is_known = np.isfinite(together).all(axis=1) & np.isfinite(differences)
    result = np.zeros(len(cases), dtype=np.int64)
    if is_known.any():
        p_values = scipy.special.chdtrc(1, likelihood_ratios(cases[is_known], together[is_known]))
        result[is_known] = np.sign(differences[is_known]) * (p_values < SIGNIFICANCE_LEVEL)
    return result


def _most_influential(together: Array, most: int) -> list[int]:
    order = np.argsort(together, kind="stable")
    ends = order if len(order) <= most else np.concatenate([order[: most // 2], order[-(most // 2) :]])
    return [int(kind) for kind in ends]
