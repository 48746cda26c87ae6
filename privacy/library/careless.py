"""Shares corrected for careless answers by an anchor: a second question whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from privacy import validation
from privacy.errors import PrivacyError
from privacy.library.inverted_tests import Hypothesis, inverse_range, one_sample
from privacy.library.probabilities import Probability, probability
from privacy.library.study import PaperStudy, Quantity

if TYPE_CHECKING:
    pass


def anchored_crosswise(
    counts: Sequence[Sequence[int]], *, p: Probability, anchor_p: Probability
) -> PaperStudy:
    """Correct a crosswise share for careless answers.

    Parameters
    ----------
    counts : nested sequence of int, shape (2, 2)
        ``counts[y][a]``: rows that report "same" (1) or "different" (0) to the crosswise question (y) and to
        an anchor (a): a crosswise question whose sensitive statement is true of no one.
    p, anchor_p : float or Fraction, in (0, 1), not 1/2
        Share of "yes" to the innocuous question of each.

    Returns
    -------
    PaperStudy
        The corrected ``share``, ``share, uncorrected``, and ``attentive``: the share of attentive people.

    Raises
    ------
    PrivacyError
        ``chance``; ``paper``: p = 1/2, invalid counts, or no attentive respondents.

    Notes
    -----
    Inattentive respondents say "same" with probability 1/2. With l and a the shares of "same" to the question
    and the anchor, the share g = (a - 1/2)/(1/2 - anchor_p) is attentive. The bias of
    pi = (l + p - 1)/(2p - 1) is (1/2) ((l - 1/2)/(p - 1/2)) (1 - 1/g), and subtracting it gives
    pi = 1/2 + (1/2) ((l - 1/2)/(p - 1/2))/g. The error is the delta method's from the four counts. The
    interval tests l - 1/2 = (2 pi - 1)(p - 1/2) g with the larger of two variances: with the two answers as
    dependent as in the counts, and with independent answers. By enumeration, 95% intervals have a coverage
    of .95 to 1 for 5 to 80 respondents.

    References
    ----------
    Atsusaka and Stevenson 2023.

    Examples
    --------
    >>> study = anchored_crosswise([[148, 425], [311, 1116]], p=.15, anchor_p=.15)
    >>> [round(quantity.value, 5) for quantity in study.quantities]
    [0.10536, 0.195, 0.77286]
    """
    main, of_anchor = probability(p, "p"), probability(anchor_p, "anchor_p")
    for share, name in ((main, "p"), (of_anchor, "anchor_p")):
        if share == 0.5:
            raise PrivacyError("paper.half", share, name=name)
    table = _table(counts)
    n = int(table.sum())
    validation.number_of_rows(n, "number of rows", low=2, code="paper")
    shares = table / n
    same, anchor, both = float(shares[1].sum()), float(shares[:, 1].sum()), float(shares[1, 1])
    attentive = (anchor - 0.5) / (0.5 - of_anchor)
    if attentive <= 0:
        raise PrivacyError("paper.careless", round(attentive, 4))
    ratio = (same - 0.5) / (main - 0.5)
    covariance = np.array(
        [[same * (1 - same), both - same * anchor], [both - same * anchor, anchor * (1 - anchor)]]
    ) / (n - 1)

    def figure(
        name: str,
        value: float,
        gradient: tuple[float, float],
        hypothesis: Hypothesis,
        within: tuple[float, float] | None = None,
    ) -> Quantity:
        slope = np.array(gradient)
        return Quantity(
            name=name,
            value=value,
            standard_error=float(np.sqrt(max(slope @ covariance @ slope, 0.0))),
            hypothesis=hypothesis,
            within=within,
        )

    def correction(guess: float) -> tuple[float, float]:
        """Test same - 1/2 = (2 t - 1)(p - 1/2) g, with g estimated from the anchors."""
        slope = (2 * guess - 1) * (main - 0.5)
        factor = slope / (0.5 - of_anchor)
        # Mean product of (answer - 1/2) over both questions: in the counts, and for independent answers.
        product = min(factor * (both - (same + anchor) / 2 + 0.25), slope**2 * min(attentive, 1))
        return (same - 0.5) - factor * (anchor - 0.5), (0.25 + 0.25 * factor**2 - 2 * product) / n

    by_same = 1 / (2 * (main - 0.5))
    return PaperStudy(
        method=f"crosswise with an anchor (p={main:g}, anchor_p={of_anchor:g})",
        n=n,
        quantities=(
            figure(
                "share",
                0.5 + ratio / (2 * attentive),
                (by_same / attentive, -ratio / (2 * attentive**2 * (0.5 - of_anchor))),
                correction,
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
                (0.0, 1 / (0.5 - of_anchor)),
                one_sample(anchor, n, rise=0.5 - of_anchor, start=0.5),
                inverse_range(0.5 - of_anchor, 0.5),
            ),
        ),
    )


def _table(counts: Sequence[Sequence[int]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    if hasattr(counts, "keys"):
        raise PrivacyError("paper.table", type(counts).__name__, name="the counts")
    if [len(row) for row in counts] != [2, 2]:
        raise PrivacyError("paper.cells", [len(row) for row in counts])
    return np.array(
        [[validation.number_of_rows(count, "count", low=0, code="paper") for count in row] for row in counts],
        dtype=np.int64,
    )
