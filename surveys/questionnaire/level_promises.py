"""What each level of a place question promises, and what it costs: figures for the builder."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from privacy.arrays import Array
from privacy.channels.amplification import effective_epsilon
from privacy.scales.area import painted
from privacy.scales.planar_error import cell_errors
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import Skipping

__all__ = ["level_promises"]


def level_promises(
    windows: PlanarWindowChannel,
    prior: Array | None = None,
    *,
    skipping: Skipping | None = None,
) -> dict[str, Any]:
    """Return for each level, the most sensitive first, and for what lies in none, what happens to a place.

    Where the question may be skipped, an answer may be sent as "skipped" too: that is in
    all chances and errors.

    Returns
    -------
    dict
        ``levels``: each with ``gamma`` and ``epsilon`` (how much likelier a report from this level can be for
        one place than for another, of this level or a later one), ``share`` of the map, ``window`` (metres
        across and up), ``near`` (chance that a place of the level is sent from its window), ``error`` (root
        mean square, metres; None where a prior has nobody). ``outside``: None, or ``share``, ``exact``
        (chance that a place in no level is sent as it is) and ``error``.

    Examples
    --------
    One level of half of a map of four cells, rho = 3 and a window of one cell: a place is sent from its
    window, or passes, with chance 1/2.

    >>> from privacy.scales.area import Area
    >>> from privacy.scales.planar_level import PlanarLevel
    >>> area = Area(west=0, south=0, east=40, north=10, columns=4, rows=1)
    >>> half = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),),
    ...                    frames=((0, 0, 2, 1, 1, 1),))
    >>> promises = level_promises(PlanarWindowChannel(mechanism="levels", area=area, levels=(half,)))
    >>> promises["levels"][0]["near"], promises["outside"]["share"], promises["outside"]["exact"]
    (0.5, 0.5, 0.5)
    """
    area = windows.area
    across, up = area.cell_metres
    errors = cell_errors(windows, prior, skipping=skipping)
    weights = np.ones(errors.shape) if prior is None else prior
    rest = np.ones(errors.shape, dtype=np.bool_)
    passed = 1.0 if skipping is None else float(1 - skipping.skip_probability)
    levels = []
    for level in windows.levels:
        inside = painted(level.rectangles, area.columns, area.rows)
        rest &= ~inside
        passed *= float(level.truth)
        frame = level.frames[0]
        levels.append(
            {
                "gamma": float(level.amplification),
                "epsilon": effective_epsilon(level.amplification),
                "share": level.cells / area.cells,
                "window": [frame[4] * across, frame[5] * up],
                "near": passed,
                "error": _error(errors[inside], weights[inside]),
            }
        )
    outside = None
    if rest.any():
        outside = {"share": float(rest.mean()), "exact": passed, "error": _error(errors[rest], weights[rest])}
    return {"levels": levels, "outside": outside}


def _error(errors: Array, weights: Array) -> float | None:
    total = float(weights.sum())
    return math.sqrt(float((errors * weights).sum()) / total) if total else None
