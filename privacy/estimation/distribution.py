"""The shape of a number's distribution from its disguised answers: likely shares of bins, without errors."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.channels.refusal import Skipping
from privacy.channels.window import Band
from privacy.channels.window_operator import backward, forward
from privacy.errors import PrivacyError
from privacy.estimation.em import GAIN, MOST_STEPS, Fit, Map, fit
from privacy.estimation.refusals import among_decoys, apart, decoy_chances

__all__ = ["answers_among", "both_checked", "checked", "distribution", "mixed"]

Array: TypeAlias = NDArray[np.float64]


def distribution(
    band: Band,
    counts: ArrayLike,
    *,
    skipping: Skipping | None = None,
    smooth: bool = True,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Return the shares of the bins from counts of the outputs.

    Parameters
    ----------
    band : Band
    counts : array_like of int, shape (..., band.outputs), or one longer
        How many rows of the protected group sent each output; one more with `skipping`: the rows that say
        "skipped" come last.
    skipping : Skipping, optional
        How the question may be skipped. The shares are then those among the people who answer.
    smooth : bool
        EMS (default) or plain EM, see `privacy.estimation.em.fit`.
    gain, most_steps
        When to stop.

    Raises
    ------
    PrivacyError
        ``counts`` (another shape, or negative), ``no_rows``.

    Notes
    -----
    Where skips are offered, the share tau of decoys of skips among the rows that do not say "skipped" follows
    from those that do (`privacy.estimation.refusals.apart`); the others were sent under the channel
    (1 - tau) C + tau D, D the law of a decoy, which stands for C in every step.

    Examples
    --------
    Ten thousand people of whom all said the first of two bins, kept with chance 3/4:

    >>> from privacy.channels.number_range import NumberRange
    >>> from privacy.channels.numeric_mechanisms import keep_with_chance
    >>> band = keep_with_chance(NumberRange(low=0, high=1), 7500)
    >>> distribution(band, [7500, 2500], smooth=False).shares.round(2).tolist()
    [1.0, 0.0]
    """
    table = checked(counts, band.outputs + (skipping is not None))
    start = np.full((*table.shape[:-1], band.inputs), 1 / band.inputs)
    ahead: Map = partial(forward, band)
    back: Map = partial(backward, band)
    if skipping is not None:
        table, _, tau = apart(skipping, table)
        ahead, back = among_decoys(ahead, back, decoy_chances(skipping), tau)
    return fit(
        table,
        start,
        ahead,
        back,
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
        raise PrivacyError("counts.values", table.shape, name=name, size=size)
    return table


def both_checked(
    band: Band, counts: ArrayLike, direct: ArrayLike | None, skipping: Skipping | None
) -> tuple[Array, Array]:
    """Return the counts of both groups as floats; where nobody is direct, zeros."""
    more = int(skipping is not None)
    protected = checked(counts, band.outputs + more)
    told = np.zeros(band.inputs + more)
    return protected, told if direct is None else checked(direct, band.inputs + more, "direct counts")


def mixed(shares: Array, told: Array, n_protected: int | Array) -> Array:
    """Return the shares of all rows: those told directly, and those reconstructed from the others."""
    whole: Array = (told + shares * n_protected) / (told.sum(axis=-1, keepdims=True) + n_protected)
    return whole


def answers_among(shares: Array, told: Array, protected: Array, skipping: Skipping | None) -> Array:
    """Return the shares of all who answer, from those reconstructed and the counts of both groups."""
    if skipping is None:
        return mixed(shares, told, int(protected.sum(axis=-1).max()))
    return mixed(shares, told[..., :-1], apart(skipping, protected)[1])
