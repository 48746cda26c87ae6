"""Exact mean errors of each mechanism on given places of the plane, for studies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Array
from privacy.scales.planar_baselines import draw_piecewise, draw_planar_laplace
from surveys.errors.error import SurveyError
from trials.studies.square import Part, Plane, best_width, best_width_for

__all__ = [
    "MECHANISMS",
    "StudyPoint",
    "best_grid",
    "central_region",
    "cluster_points",
    "corner_regions",
    "grid_errors",
    "mechanism_errors",
    "random_regions",
    "uniform_points",
]

HALF: Final = 1000.0
"""Half side of the square that all studies take place in, in metres."""

MECHANISMS: Final = (
    "square",
    "utility_square",
    "utility_square_own_width",
    "utility_square_prior_width",
    "grid",
    "utility_grid",
    "piecewise",
    "planar_laplace",
)

_MOST_TILES: Final = 400
_CLUSTERS: Final = ((-450.0, -350.0, 160.0), (350.0, 150.0, 220.0), (-100.0, 600.0, 120.0))


@dataclass(frozen=True, kw_only=True)
class StudyPoint:
    """Mean square error of one mechanism over given places, in square metres."""

    mechanism: str
    epsilon: float
    error: float


def whole() -> tuple[Part, ...]:
    """Return all of the square as sensitive."""
    return ((0.0, 0.0, HALF, HALF),)


def central_region() -> tuple[Part, ...]:
    """Return one square of half the side in the middle."""
    return ((0.0, 0.0, HALF / 2, HALF / 2),)


def corner_regions() -> dict[str, tuple[Part, ...]]:
    """Return the four squares of half the side in the corners, by name."""
    half = HALF / 2
    return {
        "south-west": ((-half, -half, half, half),),
        "north-west": ((-half, half, half, half),),
        "south-east": ((half, -half, half, half),),
        "north-east": ((half, half, half, half),),
    }


def random_regions(count: int, *, rng: np.random.Generator) -> tuple[Part, ...]:
    """Return squares of an eighth of the side at random places, without overlap."""
    count = validation.whole_number(count, "number of regions", low=1, high=12, code="regions")
    half = HALF / 8
    regions: list[Part] = []
    while len(regions) < count:
        x, y = rng.uniform(-HALF + half, HALF - half, 2)
        if all(max(abs(x - m1), abs(y - m2)) >= 2 * half for m1, m2, _, _ in regions):
            regions.append((float(x), float(y), half, half))
    return tuple(regions)


def uniform_points(n: int, *, rng: np.random.Generator) -> Array:
    """Return places uniform in the square, shape (n, 2)."""
    return rng.uniform(-HALF, HALF, (n, 2))


def cluster_points(n: int, *, rng: np.random.Generator) -> Array:
    """Return places of three normal clusters, put back into the square, shape (n, 2)."""
    which = rng.integers(len(_CLUSTERS), size=n)
    table = np.array(_CLUSTERS)[which]
    moved: Array = np.clip(table[:, :2] + rng.normal(size=(n, 2)) * table[:, 2:], -HALF, HALF)
    return moved


def grid_errors(parts: Sequence[Part], points: Array, epsilon: float, tiles: int) -> Array:
    """Return E |y - p|^2 of randomised response on `tiles` x `tiles` tiles of each part, exact outside.

    Notes
    -----
    With N tiles in all and E = e^epsilon - 1, alpha = 1/(E + N): a place reports any tile's middle with
    weight 1, its own (or, outside, itself) with E more.
    """
    total = len(parts) * tiles**2
    far = np.zeros(len(points))
    near = np.zeros(len(points))
    for m1, m2, a1, a2 in parts:
        spread = (a1**2 + a2**2) / 3 * (1 - 1 / tiles**2)
        off = points - np.array([m1, m2])
        far += tiles**2 * (spread + (off**2).sum(axis=1))
        inside = (np.abs(off) <= np.array([a1, a2])).all(axis=1)
        size = 2 * np.array([a1, a2]) / tiles
        tile = np.clip(np.floor((off + np.array([a1, a2])) / size), 0, tiles - 1)
        own = off - ((tile + 0.5) * size - np.array([a1, a2]))
        near[inside] = (own[inside] ** 2).sum(axis=1)
    growth = math.expm1(epsilon)
    errors: Array = (far + growth * near) / (growth + total)
    return errors


def best_grid(parts: Sequence[Part], epsilon: float) -> int:
    """Return the number of tiles along a side with the least error for uniform places.

    Examples
    --------
    >>> [best_grid(whole(), epsilon) for epsilon in (5, 8, 10)]
    [3, 6, 10]
    """
    growth, area = math.expm1(epsilon), 4 * HALF**2

    def error(tiles: int) -> float:
        far = near = 0.0
        for m1, m2, a1, a2 in parts:
            middle = 2 * HALF**2 / 3 + m1**2 + m2**2
            far += tiles**2 * ((a1**2 + a2**2) / 3 * (1 - 1 / tiles**2) + middle)
            near += 4 * a1 * a2 / area * (a1**2 + a2**2) / 3 / tiles**2
        return (far + growth * near) / (growth + len(parts) * tiles**2)

    return min(range(1, _MOST_TILES + 1), key=error)


def mechanism_errors(
    points: Array,
    parts: Sequence[Part],
    epsilon: float,
    *,
    rng: np.random.Generator,
    prior: Array | None = None,
) -> tuple[StudyPoint, ...]:
    """Return the mean square error of every mechanism over given places.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
        Places in the square of half side 1,000.
    parts : sequence of Part
        Disjoint sensitive rectangles.
    epsilon : float
    rng : numpy.random.Generator
        For the two mechanisms whose errors are drawn (piecewise and planar Laplace, put back into the
        square); all others are exact over these places: their rare far jumps would take millions of draws to
        show.
    prior : ndarray, shape (m, 2), optional
        Other places, public ones, from which the width of `utility_square_prior_width` is chosen; left out,
        that mechanism is left out.

    Raises
    ------
    SurveyError
        ``points``: none, or not inside the square. What `Plane` refuses.
    """
    if points.ndim != 2 or points.shape[1] != 2 or not len(points) or not (np.abs(points) <= HALF).all():
        raise SurveyError("points.shape", points.shape)
    square = Plane(half_sides=(HALF, HALF), parts=whole(), epsilon=epsilon)
    plane = Plane(half_sides=(HALF, HALF), parts=tuple(parts), epsilon=epsilon)
    side = best_width(square)
    by_mechanism = {
        "square": square.mean_square_errors_at(points, side),
        "utility_square": plane.mean_square_errors_at(points, min(side, plane.widest)),
        "utility_square_own_width": plane.mean_square_errors_at(points, best_width(plane)),
    }
    if prior is not None:
        by_mechanism["utility_square_prior_width"] = plane.mean_square_errors_at(
            points, best_width_for(plane, prior)
        )
    by_mechanism["grid"] = grid_errors(whole(), points, epsilon, best_grid(whole(), epsilon))
    by_mechanism["utility_grid"] = grid_errors(parts, points, epsilon, best_grid(parts, epsilon))
    for name, draw in (("piecewise", draw_piecewise), ("planar_laplace", draw_planar_laplace)):
        by_mechanism[name] = ((draw(points, (HALF, HALF), epsilon, rng=rng) - points) ** 2).sum(axis=1)
    return tuple(
        StudyPoint(mechanism=name, epsilon=epsilon, error=float(errors.mean()))
        for name, errors in by_mechanism.items()
    )
