"""Two mechanisms to compare with, for studies: planar Laplace, and the piecewise mechanism along each axis.

No device draws from them. Coordinates are metres from the middle of an area with half sides d1 and d2.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array

__all__ = [
    "draw_piecewise",
    "draw_planar_laplace",
    "piecewise_error",
    "planar_laplace_error",
]

_NODES = 64


def planar_laplace_error(half_sides: tuple[float, float], epsilon: float) -> float:
    """Return E |y - p|^2 of planar Laplace noise that gives epsilon over the whole area, not cut off.

    Parameters
    ----------
    half_sides : tuple of (float, float)
        Of the area, in metres.
    epsilon : float
        Over the whole area, above 0.

    Notes
    -----
    Its bound is epsilon_metre |p - p'|; the largest distance is 2 sqrt(d1^2 + d2^2), so epsilon_metre is
    epsilon over that. The noise's radius has a gamma distribution of shape 2: E r^2 = 6 / epsilon_metre^2.

    Examples
    --------
    >>> round(planar_laplace_error((1000, 1000), 5))
    1920000
    """
    return 6 / _per_metre(half_sides, epsilon) ** 2


def _per_metre(half_sides: tuple[float, float], epsilon: float) -> float:
    epsilon = validation.real_number(epsilon, "epsilon", low=0, high=50, open_ends=True, code="epsilon")
    return epsilon / (2 * math.hypot(*half_sides))


def draw_planar_laplace(
    points: Array, half_sides: tuple[float, float], epsilon: float, *, rng: np.random.Generator
) -> Array:
    """Return points moved by planar Laplace noise, and put back to the nearest point of the area.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
        In metres from the middle of the area.
    half_sides : tuple of (float, float)
        Of the area, in metres.
    epsilon : float
        Over the whole area, above 0.
    rng : numpy.random.Generator
        Of simulations only: people are protected by the platform's generator.
    """
    rate = _per_metre(half_sides, epsilon)
    angle = rng.uniform(0, 2 * math.pi, len(points))
    # The inverse of the radius' distribution function, 1 - (1 + rate r) e^(-rate r).
    share = rng.random(len(points))
    radius = -(scipy.special.lambertw((share - 1) / math.e, k=-1).real + 1) / rate
    moved = points + radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    sent: Array = np.clip(moved, np.negative(half_sides), half_sides)
    return sent


def piecewise_error(half_sides: tuple[float, float], epsilon: float) -> float:
    """Return E |y - p|^2 for uniform places, each axis with half of epsilon, put back into the area.

    Parameters
    ----------
    half_sides : tuple of (float, float)
        Of the area, in metres.
    epsilon : float
        Of both axes together, above 0.

    Examples
    --------
    >>> round(piecewise_error((1000, 1000), 5))
    630243
    """
    epsilon = validation.real_number(epsilon, "epsilon", low=0, high=50, open_ends=True, code="epsilon")
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    per_axis = float(weights @ _cut_error(nodes, epsilon / 2)) / 2
    return per_axis * (half_sides[0] ** 2 + half_sides[1] ** 2)


def _cut_error(t: Array, epsilon: float) -> Array:
    """Return E (clip(y) - t)^2 of the piecewise mechanism; its density is constant on three pieces."""
    s = math.exp(epsilon / 2)
    reach = (s + 1) / (s - 1)
    left = (reach + 1) * t / 2 - (reach - 1) / 2
    high = s / (s + 1) / (reach - 1)
    low = 1 / (s + 1) / (reach + 1)

    def integral(begin: Array, end: Array) -> Array:
        """Return the integral of (clip(y) - t)^2 over begin..end."""

        def upto(y: Array) -> Array:
            inner = (np.clip(y, -1, 1) - t) ** 3 / 3
            beyond = np.maximum(y - 1, 0) * (1 - t) ** 2 + np.minimum(y + 1, 0) * (1 + t) ** 2
            whole: Array = inner + beyond
            return whole

        return upto(end) - upto(begin)

    return low * integral(-np.full_like(t, reach), np.full_like(t, reach)) + (high - low) * integral(
        left, left + reach - 1
    )


def draw_piecewise(
    points: Array, half_sides: tuple[float, float], epsilon: float, *, rng: np.random.Generator
) -> Array:
    """Return points moved by the piecewise mechanism along each axis, half of epsilon each, and put back.

    Parameters
    ----------
    points : ndarray, shape (n, 2)
        In metres from the middle of the area.
    half_sides : tuple of (float, float)
        Of the area, in metres.
    epsilon : float
        Over the whole area, above 0.
    rng : numpy.random.Generator
        Of simulations only: people are protected by the platform's generator.
    """
    s = math.exp(epsilon / 4)
    reach = (s + 1) / (s - 1)
    t = points / np.asarray(half_sides)
    left = (reach + 1) * t / 2 - (reach - 1) / 2
    near = rng.random(t.shape) < s / (s + 1)
    inside = left + rng.random(t.shape) * (reach - 1)
    # What is not the window has the length reach + 1; beyond the window's left end one goes on behind it.
    outside = -reach + rng.random(t.shape) * (reach + 1)
    outside = np.where(outside >= left, outside + reach - 1, outside)
    sent: Array = np.clip(np.where(near, inside, outside), -1, 1) * np.asarray(half_sides)
    return sent
