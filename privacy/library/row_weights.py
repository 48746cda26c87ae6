"""Weights and clusters that are given for each row, aligned with the answers and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from privacy import validation
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.frames import aligned, column_weights
from privacy.library.sampling_units import sampling_units
from privacy.library.shown_tables import data_frame

if TYPE_CHECKING:
    from privacy.library.frames import Series


def row_weights(
    answers: Series, weights: Any, clusters: Any, strata: Any, missing: str
) -> tuple[Flags, Array | None, SamplingUnits | None]:
    """Return which rows to use, and the weights and sampling units of these rows.

    Parameters
    ----------
    answers : Series
    weights, clusters, strata : Series or sequence, optional
        As for `privacy.library.frames.aligned`.
    missing : {"refuse", "drop"}
        Whether to use all rows, or only those with an answer, weight, cluster and stratum.

    Raises
    ------
    PrivacyError
        ``reports``: an unknown `missing`. ``answers``: as for `aligned`, or no row is complete.
        ``regression``, ``clusters``: as for `column_weights` and `sampling_units`.
    """
    validation.one_of(missing, "missing", allowed=("refuse", "drop"), code="reports")
    given = {"weights": weights, "clusters": clusters, "strata": strata}
    columns = {name: aligned(weight, answers, name) for name, weight in given.items() if weight is not None}
    keep = np.ones(len(answers), dtype=bool)
    if missing == "drop":
        for column in (answers, *columns.values()):
            keep &= column.notna().to_numpy(dtype=bool)
        if len(keep) and not keep.any():
            raise PrivacyError("answers.none_complete", len(keep))
    frame = data_frame(columns)[keep] if columns else None
    mass = column_weights(frame, "weights") if frame is not None and "weights" in columns else None
    units = None
    if frame is not None:
        by_name = {name: frame[name] if name in columns else None for name in ("clusters", "strata")}
        units = sampling_units(by_name["clusters"], by_name["strata"])
    return keep, mass, units
