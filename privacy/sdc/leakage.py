"""Leakage: how much the classes of a table reveal about the sensitive value, in bits."""

from __future__ import annotations

import math
from dataclasses import dataclass

import scipy

from privacy.sdc.classes import ClassMatrix


@dataclass(frozen=True, kw_only=True)
class Leakage:
    """Information between sensitive value and class, in bits.

    Parameters
    ----------
    entropy : float
        H(S), the uncertainty before the release.
    mutual_information : float
        I(S; class), the average information in the release; at most `entropy`.
    share : float
        `mutual_information` / `entropy`, or 0 if the column is constant.
    largest_loss : float
        max over classes of H(S) - H(S | class): the privacy loss of Yu 2016 without prior knowledge, for the
        worst output.
    """

    entropy: float
    mutual_information: float
    share: float
    largest_loss: float


def leakage(matrix: ClassMatrix) -> Leakage:
    """Measure the information of classes about the sensitive value.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.

    Notes
    -----
    I(S; class) = sum_c n_c/n KL(p_c || q) = H(S) - sum_c n_c/n H(S | c).

    Examples
    --------
    >>> leakage(ClassMatrix.from_counts([[2, 0], [0, 2]])).mutual_information
    1.0
    """
    before = float(scipy.special.entr(matrix.table_part).sum()) / math.log(2)
    share = matrix.row_part
    within = matrix.per_class(scipy.special.entr(share)) / math.log(2)
    divergence = matrix.per_class(scipy.special.rel_entr(share, matrix.table_part[matrix.values])) / math.log(
        2
    )
    mutual = float((matrix.n_counted / max(1, matrix.n_counted.sum()) * divergence).sum())
    return Leakage(
        entropy=before,
        mutual_information=mutual,
        share=mutual / before if before > 0 else 0.0,
        largest_loss=float(before - within.min()),
    )
