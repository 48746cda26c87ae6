"""Information of a class about the sensitive value, in bits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privacy.sdc.classes import ClassMatrix

__all__ = ["Leakage", "class_divergences", "leakage"]

Real = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Leakage:
    """Information between sensitive value and class, in bits.

    Parameters
    ----------
    entropy : float
        H(S), what is unknown before.
    mutual_information : float
        I(S; class), what the release tells on average; at most `entropy`.
    share : float
        Their quotient, 0 when the column is constant.
    largest_loss : float
        max over classes of H(S) - H(S | class): amount of privacy loss, source 001 eq. 5 with the prior
        knowledge empty and the worst output.
    largest_divergence : float
        max over classes of KL(p || q).
    """

    entropy: float
    mutual_information: float
    share: float
    largest_loss: float
    largest_divergence: float


def class_divergences(matrix: ClassMatrix) -> Real:
    """Return KL(p || q) of each class, in bits."""
    share = matrix.row_part
    return matrix.per_class(share * np.log2(share / matrix.table_part[matrix.values]))


def leakage(matrix: ClassMatrix) -> Leakage:
    """Measure the information of classes about the sensitive value.

    Notes
    -----
    I(S; class) = sum_c n_c/n KL(p_c || q) = H(S) - sum_c n_c/n H(S | c).

    Examples
    --------
    >>> leakage(ClassMatrix.from_counts([[2, 0], [0, 2]])).mutual_information
    1.0
    """
    q = matrix.table_part[matrix.table_part > 0]
    entropy = float(-(q * np.log2(q)).sum())
    share = matrix.row_part
    within = matrix.per_class(-share * np.log2(share))
    divergence = class_divergences(matrix)
    mutual = float((matrix.held / matrix.held.sum() * divergence).sum())
    return Leakage(
        entropy=entropy + 0.0,
        mutual_information=mutual,
        share=mutual / entropy if entropy > 0 else 0.0,
        largest_loss=float(entropy - within.min()),
        largest_divergence=float(divergence.max()),
    )
