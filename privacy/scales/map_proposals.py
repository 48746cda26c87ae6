"""Every mechanism for one map, with its predicted error, the best one first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.scales.area import Area, Box
from privacy.scales.planar_baselines import piecewise_error, planar_laplace_error
from privacy.scales.planar_error import cell_errors, mean_square_error
from privacy.scales.planar_mechanisms import EVERYWHERE, UTILITY
from privacy.scales.planar_report_error import Looked, map_error
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import skipping_of

__all__ = ["Proposal", "proposals", "share_worse_than"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Proposal:
    """One mechanism for a map.

    Parameters
    ----------
    name : {"square", "grid", "utility_square", "utility_square_equal_area", "utility_grid", "piecewise",
            "planar_laplace"}
    windows : PlanarWindowChannel or None
        What a design takes; None for the two that are for comparison only.
    map_error : float or None, metres
        How far off the map of a thousand answers would be (`planar_report_error.map_error`): what mechanisms
        are ranked by. None for the two that are for comparison only.
    root_mean_square_error : float, metres
        Of one answer, over a place uniform on the map, or under the public prior.
    protects_everywhere : bool
        False where places outside the sensitive rectangles are sent as they are: errors of the two kinds are
        not comparable like for like, since they promise different things.
    """

    name: str
    windows: PlanarWindowChannel | None
    map_error: float | None
    root_mean_square_error: float
    protects_everywhere: bool


def proposals(
    area: Area,
    epsilon: float,
    rectangles: Sequence[Box] = (),
    *,
    prior: Array | None = None,
    skip: int | bool | None = None,
) -> tuple[Proposal, ...]:
    """Return what can be done on a map: first that with the most accurate report, last what only compares.

    Parameters
    ----------
    area : Area
    epsilon : float, 0.01 to 20
    rectangles : sequence of (left, low, width, height), cells
        Sensitive ones; without any, only mechanisms that protect everywhere are looked at.
    prior : ndarray, shape (rows, columns), optional
        Public weights of the cells. The two that only compare are predicted for uniform places whatever it
        is.
    skip : int or bool, optional
        How the question may be skipped, as `privacy.scales.skipping.skipping_of` reads it; what that costs
        under each mechanism is in its error. The two that only compare offer no skip.

    Notes
    -----
    That the utility-optimised form is always more accurate than the square mechanism is not a theorem: where
    the sensitive rectangles are a frame along the border of the map, or for places near the corners of a
    rectangle, it can be less so. What counts is the prediction for this very map.

    Examples
    --------
    >>> area = Area.of_cell_size(west=0, south=0, east=0.018, north=0.018, metres=100)
    >>> [proposal.name for proposal in proposals(area, 2.0, [(5, 5, 10, 10)])][:2]
    ['utility_square', 'utility_square_equal_area']
    """
    made = {name: make(area, epsilon, prior=prior) for name, make in EVERYWHERE.items()}
    if rectangles:
        made |= {name: make(area, rectangles, epsilon, prior=prior) for name, make in UTILITY.items()}
    looked = Looked.at(made["square"], prior)
    proposals = []
    for name, windows in made.items():
        skipping = skipping_of(windows, skip)
        error = math.sqrt(mean_square_error(windows, prior, skipping=skipping))
        proposals.append(
            Proposal(
                name=name,
                windows=windows,
                map_error=map_error(windows, skipping=skipping, looked=looked),
                root_mean_square_error=error,
                protects_everywhere=not windows.exact_outside,
            )
        )
    proposals.sort(key=lambda proposal: proposal.map_error or 0.0)
    width, height = area.metres
    half_sides = (width / 2, height / 2)
    compared = (
        ("piecewise", piecewise_error(half_sides, epsilon)),
        ("planar_laplace", planar_laplace_error(half_sides, epsilon)),
    )
    for name, square in compared:
        proposals.append(
            Proposal(
                name=name,
                windows=None,
                map_error=None,
                root_mean_square_error=math.sqrt(square),
                protects_everywhere=True,
            )
        )
    return tuple(proposals)


def share_worse_than(
    windows: PlanarWindowChannel,
    other: PlanarWindowChannel,
    *,
    prior: Array | None = None,
    skip: int | bool | None = None,
) -> float:
    """Return the share of the map's cells where one design is less accurate than another.

    Parameters
    ----------
    windows, other : PlanarWindowChannel
    prior, skip
        As for `proposals`.

    Raises
    ------
    PrivacyError
        ``area``: the two are not of one map.
    """
    if windows.area != other.area:
        raise PrivacyError("area.two_maps", windows.area)
    own, others = (cell_errors(each, prior, skipping=skipping_of(each, skip)) for each in (windows, other))
    return float((own > others * (1 + 1e-9)).mean())
