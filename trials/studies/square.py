"""The square mechanism on a plane, as formulas: density, mean square error, and the width that minimises it.

The area D is [-d1, d1] x [-d2, d2]; a sensitive rectangle is (m1, m2, a1, a2): its centre and half sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array, Whole
from surveys.errors.error import SurveyError

__all__ = ["Part", "Plane", "best_width", "best_width_for"]

Part: TypeAlias = tuple[float, float, float, float]
"""Centre (m1, m2) and half sides (a1, a2) of a sensitive rectangle."""

_NARROWEST: Final = 1e-4


@dataclass(frozen=True, kw_only=True)
class Plane:
    """An area and its sensitive rectangles under the utility-optimised square mechanism.

    Parameters
    ----------
    half_sides : (float, float)
        d1 and d2 of the area.
    parts : tuple of Part
        Disjoint sensitive rectangles inside the area. One that fills the area makes the square mechanism.
    epsilon : float

    Raises
    ------
    SurveyError
        ``epsilon``, ``part``.

    Notes
    -----
    With E = e^epsilon - 1 and S_A the sensitive area, alpha = 1/(E w^2 + S_A) is the density anywhere in A
    and beta = E w^2 alpha the chance of "near": a place in A is then moved to a square C of side w around it,
    as near as the square fits into its rectangle; a place outside is sent as it is.

    References
    ----------
    Feng and Zhu, equations 2-6 (square mechanism) and 8-13 (utility-optimised); the optimal width is derived
    from them.

    Examples
    --------
    >>> whole = Plane(half_sides=(1000, 1000), parts=((0, 0, 1000, 1000),), epsilon=5)
    >>> width = best_width(whole)
    >>> round(width, 3), round(whole.mean_square_error(width), 1)
    (601.573, 165985.1)
    """

    half_sides: tuple[float, float]
    parts: tuple[Part, ...]
    epsilon: float

    def __post_init__(self) -> None:
        validation.real_number(self.epsilon, "epsilon", low=0, high=50, open_ends=True, code="epsilon")
        if not self.parts or not all(
            abs(m) + a <= d * (1 + 1e-12) and a > 0
            for part in self.parts
            for m, a, d in zip(part[:2], part[2:], self.half_sides, strict=True)
        ):
            raise SurveyError("part", self.parts)

    @property
    def growth(self) -> float:
        """E = e^epsilon - 1."""
        return math.expm1(self.epsilon)

    @property
    def area(self) -> float:
        """S_D."""
        return 4 * self.half_sides[0] * self.half_sides[1]

    @property
    def sensitive_area(self) -> float:
        """S_A."""
        return sum(4 * a1 * a2 for _, _, a1, a2 in self.parts)

    @property
    def widest(self) -> float:
        """The largest square that fits into every part."""
        return 2.0 * min(min(part[2:]) for part in self.parts)

    def alpha(self, width: float) -> float:
        """Return the density of any output in A for any place."""
        return 1 / (self.growth * width**2 + self.sensitive_area)

    def beta(self, width: float) -> float:
        """Return the chance of reporting near, or of passing through."""
        return self.growth * width**2 * self.alpha(width)

    def holding(self, points: Array) -> Whole:
        """Return for each point the number of the part that holds it, -1 outside; borders belong to parts.

        Parameters
        ----------
        points : ndarray, shape (n, 2)
        """
        squares = np.full(len(points), -1, dtype=np.int64)
        for number, (m1, m2, a1, a2) in reversed(list(enumerate(self.parts))):
            squares[(np.abs(points[:, 0] - m1) <= a1) & (np.abs(points[:, 1] - m2) <= a2)] = number
        return squares

    def square_centres(self, points: Array, width: float) -> Array:
        """Return the centre of the square around each point of A, and points outside as they are."""
        centres = points.astype(np.float64).copy()
        part = self.holding(points)
        for number, own in enumerate(self.parts):
            here = part == number
            for axis in (0, 1):
                low, high = own[axis] - own[2 + axis] + width / 2, own[axis] + own[2 + axis] - width / 2
                centres[here, axis] = np.clip(points[here, axis], low, high)
        return centres

    def mean_square_errors_at(self, points: Array, width: float) -> Array:
        """Return E |y - p|^2 for each true place, shape (n,)."""
        far = np.zeros(len(points))
        for m1, m2, a1, a2 in self.parts:
            away = (points[:, 0] - m1) ** 2 + (points[:, 1] - m2) ** 2
            far += 4 * a1 * a2 * ((a1**2 + a2**2) / 3 + away)
        off = ((points - self.square_centres(points, width)) ** 2).sum(axis=1)
        inside = self.holding(points) >= 0
        near = self.growth * width**2 * (width**2 / 6 + off)
        errors: Array = self.alpha(width) * (far + np.where(inside, near, 0))
        return errors

    @property
    def _moments(self) -> tuple[float, float, float]:
        """r, P and kappa_U of a uniform place."""
        d1, d2 = self.half_sides
        share = self.sensitive_area / self.area
        far = sum(
            4 * a1 * a2 * ((d1**2 + d2**2) / 3 + (a1**2 + a2**2) / 3 + m1**2 + m2**2)
            for m1, m2, a1, a2 in self.parts
        )
        kappa = sum(4 * a1 * a2 / self.area * (1 / a1 + 1 / a2) / 24 for _, _, a1, a2 in self.parts)
        return share, far, kappa

    def mean_square_error(self, width: float) -> float:
        """Return E |y - p|^2 for a place uniform in the area, F(w)."""
        share, far, kappa = self._moments
        near = self.growth * (share * width**4 / 6 + kappa * width**5)
        return (far + near) / (self.growth * width**2 + self.sensitive_area)


def best_width(plane: Plane) -> float:
    """Return the width w that minimises the mean square error of a place uniform in the area.

    Notes
    -----
    F'(w) = 0 is g(w) = 3 E kappa w^5 + (E r / 3) w^4 + 5 S_A kappa w^3 + (2/3) r S_A w^2 - 2 P = 0. Every
    coefficient but the constant is positive, so g rises, has one positive root, and F falls before and rises
    after it. The root is cut to the widest square that fits every part.

    Examples
    --------
    >>> round(best_width(Plane(half_sides=(1000, 50), parts=((0, 0, 1000, 50),), epsilon=6)), 9)
    100.0
    """
    growth, area = plane.growth, plane.sensitive_area
    share, far, kappa = plane._moments

    def slope(width: float) -> float:
        return (
            3 * growth * kappa * width**5
            + growth * share / 3 * width**4
            + 5 * area * kappa * width**3
            + 2 / 3 * share * area * width**2
            - 2 * far
        )

    widest = plane.widest
    if slope(widest) <= 0:
        return widest
    return float(scipy.optimize.brentq(slope, 0.0, widest, xtol=1e-12 * widest, rtol=1e-14))


def best_width_for(plane: Plane, points: Array, weights: Array | None = None) -> float:
    """Return the width that minimises the error under a public prior.

    Parameters
    ----------
    plane : Plane
    points : ndarray, shape (n, 2)
        Places of the prior: public knowledge, or an earlier private estimate; never the answers themselves.
    weights : ndarray, shape (n,), optional
        Equal where it is left out.

    Notes
    -----
    One minimum is proven for uniform places only: 50 widths are tried, the best one is refined, and the
    widest is looked at by itself.
    """
    share = np.full(len(points), 1 / len(points)) if weights is None else weights / weights.sum()

    def error(width: float) -> float:
        return float(share @ plane.mean_square_errors_at(points, width))

    widest = plane.widest
    # In equal ratios: at large epsilon the best width is a small part of the widest.
    tried = np.geomspace(widest * _NARROWEST, widest, 50)
    best = int(np.argmin([error(width) for width in tried]))
    low, high = tried[max(best - 1, 0)], tried[min(best + 1, 49)]
    optimum = scipy.optimize.minimize_scalar(
        error, bounds=(low, high), method="bounded", options={"xatol": 1e-9 * high}
    )
    return min((float(optimum.x), float(tried[best]), widest), key=error)
