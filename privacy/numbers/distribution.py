"""The distribution of a number from its disguised answers: shares of bins with their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy import validation
from privacy.disguise.band import Band
from privacy.errors import ParameterError
from privacy.numbers.expectation import GAIN, MOST_STEPS, Fit, fit
from privacy.numbers.operator import backward, forward

__all__ = ["REPLICATES", "Histogram", "checked", "distribution", "histogram", "mixed", "replicated"]

Array: TypeAlias = NDArray[np.float64]

REPLICATES: Final = 200
_REPLICATE_GAIN: Final = 1e-6
_REPLICATE_STEPS: Final = 1_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Histogram:
    """Shares of bins with their errors.

    Parameters
    ----------
    shares, standard_errors : ndarray of float64, shape (bins,)
        The error is the spread over replicates; what smoothing takes from peaks is not in it.
    fit : Fit
        How the reconstruction of the disguised rows ended.
    n, n_direct : int
        Rows, and how many of them were sent as they are.
    replicates : int
    """

    shares: Array
    standard_errors: Array
    fit: Fit
    n: int
    n_direct: int
    replicates: int


def distribution(
    band: Band,
    counts: ArrayLike,
    *,
    smooth: bool = True,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Return the shares of the bins from counts of the outputs.

    Parameters
    ----------
    band : Band
    counts : array_like of int, shape (..., band.outputs)
        How many rows of the protected group sent each output.
    smooth : bool
        EMS (default) or plain EM, see `privacy.numbers.expectation.fit`.
    gain, most_steps
        When to stop.

    Raises
    ------
    ParameterError
        ``counts`` (another shape, or negative), ``no_rows``.

    Examples
    --------
    Ten thousand people of whom all said the first of two bins, kept with chance 3/4:

    >>> from privacy.disguise.number_range import NumberRange
    >>> from privacy.numbers.mechanisms import keep_with_chance
    >>> band = keep_with_chance(NumberRange(low=0, high=1), 7500)
    >>> distribution(band, [7500, 2500], smooth=False).shares.round(2).tolist()
    [1.0, 0.0]
    """
    table = checked(counts, band.outputs)
    start = np.full((*table.shape[:-1], band.inputs), 1 / band.inputs)
    return fit(
        table,
        start,
        lambda shares: forward(band, shares),
        lambda ratios: backward(band, ratios),
        values=(-1,),
        outputs=(-1,),
        smooth=smooth,
        gain=gain,
        most_steps=most_steps,
    )


def checked(counts: ArrayLike, size: int, name: str = "counts") -> Array:
    """Return counts as floats; refuse another length, and what is no count."""
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim == 0 or table.shape[-1] != size or not ((table >= 0) & np.isfinite(table)).all():
        raise ParameterError(
            "counts",
            f"{name} of shape {table.shape}",
            table.shape,
            f"give {size} numbers of 0 or more, one per value",
        )
    return table


def histogram(
    band: Band,
    counts: ArrayLike,
    *,
    rng: np.random.Generator,
    direct: ArrayLike | None = None,
    smooth: bool = True,
    replicates: int = REPLICATES,
) -> Histogram:
    """Return the shares of the bins with standard errors from a bootstrap.

    Parameters
    ----------
    band, counts, smooth
        As for `distribution`.
    rng : numpy.random.Generator
        Draws the replicates.
    direct : array_like of int, shape (band.inputs,), optional
        Rows of the direct group by bin. Their shares are mixed with those reconstructed from the others.
    replicates : int
    """
    protected = checked(counts, band.outputs)
    told = np.zeros(band.inputs) if direct is None else checked(direct, band.inputs, "direct counts")
    n_direct, n_protected = int(told.sum()), int(protected.sum())
    found = distribution(band, protected, smooth=smooth)
    many = replicated(band, protected, told, rng, replicates, smooth)
    return Histogram(
        shares=mixed(found.shares, told, n_protected),
        standard_errors=many.std(axis=0, ddof=1),
        fit=found,
        n=n_direct + n_protected,
        n_direct=n_direct,
        replicates=replicates,
    )


def mixed(shares: Array, told: Array, n_protected: int) -> Array:
    """Return the shares of all rows: those told directly, and those reconstructed from the others."""
    whole: Array = (told + shares * n_protected) / (told.sum(axis=-1, keepdims=True) + n_protected)
    return whole


def replicated(
    band: Band, protected: Array, told: Array, rng: np.random.Generator, replicates: int, smooth: bool
) -> Array:
    """Return shares of the bins in resampled rows, shape (replicates, bins); group sizes stay."""
    replicates = validation.whole_number(replicates, "replicates", low=20, high=10_000, code="replicates")
    n_protected, n_direct = int(protected.sum()), int(told.sum())
    drawn = rng.multinomial(n_protected, protected / n_protected, size=replicates).astype(np.float64)
    found = distribution(band, drawn, smooth=smooth, gain=_REPLICATE_GAIN, most_steps=_REPLICATE_STEPS).shares
    if n_direct:
        told = rng.multinomial(n_direct, told / n_direct, size=replicates).astype(np.float64)
    return mixed(found, told, n_protected)
