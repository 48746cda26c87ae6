"""Crosswise answers corrected for those who answer without reading, by an anchor question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privacy import validation
from privacy.errors import PrivacyError
from privacy.library.inverted_tests import Hypothesis, inverse_range, one_sample
from privacy.library.response_design import Chance
from privacy.library.study import PaperStudy, Quantity, chance

__all__ = ["anchored_crosswise"]


def anchored_crosswise(counts: Sequence[Sequence[int]], *, p: Chance, anchor_p: Chance) -> PaperStudy:
    """Correct a crosswise share for careless answers.

    Parameters
    ----------
    counts : nested sequence of int, shape (2, 2)
        ``counts[y][a]``: rows that report "same" (1) or "different" (0) to the crosswise question, and to an
        anchor, a crosswise question whose sensitive statement is true of nobody.
    p, anchor_p : float or Fraction, in (0, 1), not 1/2
        Share of "yes" to the innocuous question of each.

    Returns
    -------
    PaperStudy
        ``share`` corrected, ``share, uncorrected``, and ``attentive``, the share of those who read.

    Raises
    ------
    PrivacyError
        ``chance``; ``paper``: p = 1/2, counts that are none, or anchors that nobody read.

    Notes
    -----
    Who does not read says "same" with chance 1/2. With l and a the shares of "same", g = (a - 1/2)/(1/2 -
    anchor_p) attend, and pi = (l + p - 1)/(2p - 1) is off by (1/2) ((l - 1/2)/(p - 1/2)) (1 - 1/g), which
    is taken away: pi = 1/2 + (1/2) ((l - 1/2)/(p - 1/2))/g. Error by the delta method from the four counts.

    References
    ----------
    Atsusaka and Stevenson 2023.

    Examples
    --------
    >>> study = anchored_crosswise([[148, 425], [311, 1116]], p=.15, anchor_p=.15)
    >>> [round(quantity.value, 5) for quantity in study.quantities]
    [0.10536, 0.195, 0.77286]
    """
    main, anchored = chance(p, "p"), chance(anchor_p, "anchor_p")
    for share, name in ((main, "p"), (anchored, "anchor_p")):
        if share == 0.5:
            raise PrivacyError("paper.half", share, name=name)
    table = _table(counts)
    n = int(table.sum())
    validation.number_of_rows(n, "number of rows", low=2, code="paper")
    shares = table / n
    same, anchor, both = float(shares[1].sum()), float(shares[:, 1].sum()), float(shares[1, 1])
    attentive = (anchor - 0.5) / (0.5 - anchored)
    if attentive <= 0:
        raise PrivacyError("paper.careless", round(attentive, 4))
    ratio = (same - 0.5) / (main - 0.5)
    covariance = np.array(
        [
            [same * (1 - same), both - same * anchor],
            [both - same * anchor, anchor * (1 - anchor)],
        ]
    ) / (n - 1)

    def of_counts(gradient: tuple[float, float]) -> float:
        slope = np.array(gradient)
        return max(float(slope @ covariance @ slope), 0.0)

    def figure(
        name: str,
        value: float,
        gradient: tuple[float, float],
        hypothesis: Hypothesis,
        within: tuple[float, float] | None = None,
    ) -> Quantity:
        return Quantity(
            name=name,
            value=value,
            standard_error=float(np.sqrt(of_counts(gradient))),
            hypothesis=hypothesis,
            within=within,
        )

    def corrected(tried: float) -> tuple[float, float]:
        """Test same - 1/2 = (2 t - 1)(p - 1/2) g, with g of the anchors."""
        factor = (2 * tried - 1) * (main - 0.5) / (0.5 - anchored)
        return (same - 0.5) - factor * (anchor - 0.5), of_counts((1.0, -factor))

    by_same = 1 / (2 * (main - 0.5))
    return PaperStudy(
        method=f"crosswise with an anchor (p={main:g}, anchor_p={anchored:g})",
        n=n,
        quantities=(
            figure(
                "share",
                0.5 + ratio / (2 * attentive),
                (by_same / attentive, -ratio / (2 * attentive**2 * (0.5 - anchored))),
                corrected,
            ),
            figure(
                "share, uncorrected",
                0.5 + ratio / 2,
                (by_same, 0.0),
                one_sample(same, n, rise=2 * main - 1, start=1 - main),
                inverse_range(2 * main - 1, 1 - main),
            ),
            figure(
                "attentive",
                attentive,
                (0.0, 1 / (0.5 - anchored)),
                one_sample(anchor, n, rise=0.5 - anchored, start=0.5),
                inverse_range(0.5 - anchored, 0.5),
            ),
        ),
    )


def _table(counts: Sequence[Sequence[int]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    if [len(row) for row in counts] != [2, 2]:
        raise PrivacyError("paper.cells", [len(row) for row in counts])
    return np.array(
        [[validation.number_of_rows(count, "count", low=0, code="paper") for count in row] for row in counts],
        dtype=np.int64,
    )
