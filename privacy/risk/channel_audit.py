"""The audit of any finite channel: a number's or a place's disguise, or whatever states its probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from privacy.arrays import Array, Flags
from privacy.channels.amplification import conditional
from privacy.errors import PrivacyError
from privacy.risk.leakage import LEVELS
from privacy.scales.planar_window import Operator, PlanarWindowChannel
from privacy.scales.skipping import Skipping
from privacy.scales.skips import answering
from privacy.scales.window import WindowChannel, forward

_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class ScaleRows:
    """Disguised rows of a number or a place by the posterior of their likeliest answer.

    Parameters
    ----------
    n : int or None
        Disguised rows; None where they may not be counted.
    sent : tuple of float
        For each of the `LEVELS`, 50, 90 and 95%: of all disguised rows, the share whose likeliest answer has
        a greater posterior than that.
    highest : float
        Largest posterior of an answer of a row that was sent.
    before : float
        Share of the most frequent answer: so sure is anyone who saw no row.
    """

    n: int | None
    sent: tuple[float, ...]
    highest: float
    before: float


def scale_rows(
    disguise: WindowChannel | PlanarWindowChannel,
    shares: ArrayLike,
    counts: ArrayLike,
    *,
    skipping: Skipping | None = None,
) -> ScaleRows:
    """Measure what share of rows says its answer, under shares of the answers.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
    shares : array_like, shape (inputs,) or (rows, columns)
        How frequent each bin or cell is, among those who answer.
    counts : array_like of int, shape (outputs,), or one longer with `skipping`
        Disguised rows by what they sent; "skipped" last.
    skipping : Skipping, optional
        How the question may be skipped; who skips is estimated from the counts.

    Raises
    ------
    PrivacyError
        ``counts``, ``no_rows``.

    Notes
    -----
    A row that sent y is recognised at level t if max_x K(y, x) s(x) / sum_x K(y, x) s(x) > t, x the very bin
    or cell. To have skipped counts as an answer. A place of no level is always recognised.

    Examples
    --------
    A bit, kept with probability 3/4, and nine of ten have 0: who sends 0 has it with 27/28, who sends 1 with
    3/4.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> rows = scale_rows(generalised_rr(NumberRange(low=0, high=1), 7500), [.9, .1], [700, 300])
    >>> rows.n, rows.sent, round(rows.highest, 4)
    (1000, (1.0, 0.7, 0.7), 0.9643)
    >>> rows.before
    0.9
    """
    rows = np.asarray(counts, dtype=np.float64).ravel()
    if rows.size != disguise.outputs + (skipping is not None):
        raise PrivacyError("counts.values", rows.shape, name="counts", size=disguise.outputs)
    if not rows.sum():
        raise PrivacyError("no_rows", 0)
    table = np.asarray(shares, dtype=np.float64)
    best, chances = max_posterior(disguise, table)
    before = float(table.max())
    if skipping is not None:
        skips = float(np.clip(1 - answering(skipping, rows), 0, 1))
        best, chances = _with_skips(skipping, best, chances, skips)
        before = max((1 - skips) * before, skips)
    posterior = conditional(best, chances)
    return ScaleRows(
        n=int(rows.sum()),
        sent=tuple(float(rows[posterior > level + _ROUNDING].sum() / rows.sum()) for level in LEVELS),
        highest=min(1.0, float(posterior[rows > 0].max())),
        before=before,
    )


def max_posterior(disguise: WindowChannel | PlanarWindowChannel, shares: Array) -> tuple[Array, Array]:
    """Return max_x K(y, x) s(x) and sum_x K(y, x) s(x) for each output y.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Disguise of a number, or of a place.
    shares : ndarray
        Prior of the true values: bins, or cells of shape (rows, columns).
    """
    if isinstance(disguise, WindowChannel):
        return _of_window(disguise, shares.ravel()), forward(disguise, shares.ravel())
    table = shares.reshape(disguise.area.rows, disguise.area.columns)
    return _of_windows(disguise, table).ravel(), np.maximum(Operator(disguise).forward(table), 0).ravel()


def _of_window(channel: WindowChannel, shares: Array) -> Array:
    sent = np.zeros(channel.outputs)
    if channel.window:
        x = np.arange(channel.grid_outputs if channel.cyclic else channel.inputs)
        begins = np.zeros(channel.grid_outputs)
        begins[(x - channel.window // 2) % channel.inputs if channel.cyclic else x] = shares
        near = _spread(np.concatenate([begins, begins]) if channel.cyclic else begins, channel.window, 0)
        near = near[-channel.grid_outputs :]
        sent[: channel.grid_outputs] = (
            np.maximum(channel.floor * shares.max(), (channel.floor + channel.peak) * near) / channel.total
        )
    if channel.coin:
        up = np.array([(channel.lean + channel.step * x) / channel.total for x in range(channel.inputs)])
        sent[-1], sent[-2] = (up * shares).max(), ((channel.coin / channel.total - up) * shares).max()
    return sent


def _of_windows(windows: PlanarWindowChannel, shares: Array) -> Array:
    rows, columns = shares.shape
    sent = np.zeros(shares.shape)
    left, passed = shares.copy(), 1.0
    for number, level in enumerate(windows.levels):
        y, x = np.nonzero(_inside(windows, number))
        first_x, first_y, wide, high = level.windows_of(x.astype(np.int64), y.astype(np.int64))
        beta = float(level.truth)
        far = (1 - beta) * level.chances(columns, rows)
        best = far * left.max()
        for across, up in level.sizes:
            own = (wide == across) & (high == up)
            begins = np.zeros(shares.shape)
            np.maximum.at(begins, (first_y[own], first_x[own]), shares[y[own], x[own]])
            nearest = _spread(_spread(begins, across, 1), up, 0)
            # Where no such window lies, the nearest is 0, and any cell is likelier.
            best = np.maximum(best, (far + beta / (across * up)) * nearest)
        sent[y, x] = passed * best[y, x]
        left[y, x] = 0
        passed *= beta
    outside = np.ones((rows, columns), dtype=np.bool_)
    for number in range(len(windows.levels)):
        outside &= ~_inside(windows, number)
    sent[outside] = passed * shares[outside]
    return sent


def _inside(windows: PlanarWindowChannel, number: int) -> Flags:
    inside = np.zeros((windows.area.rows, windows.area.columns), dtype=np.bool_)
    for left, low, width, height in windows.levels[number].rectangles:
        inside[low : low + height, left : left + width] = True
    return inside


def _spread(begins: Array, size: int, axis: int) -> Array:
    """Return the largest value of the windows of a size that begin at most that far before."""
    spread: Array = scipy.ndimage.maximum_filter1d(
        begins, size, axis=axis, mode="constant", cval=0.0, origin=(size - 1) // 2
    )
    return spread


def _with_skips(skipping: Skipping, best: Array, chances: Array, skips: float) -> tuple[Array, Array]:
    """Add "skipped" as the last output, and to have skipped as one more answer."""
    skipped, truth = float(skipping.skip_probability), float(skipping.truth)
    decoys = skips * (1 - truth - skipped) * skipping.disguise.decoy_array()
    answered = (1 - skips) * (1 - skipped)
    skip_mass = np.array([skips * (truth + skipped)])
    return (
        np.concatenate([np.maximum(answered * best, decoys), skip_mass]),
        np.concatenate([answered * chances + decoys, skip_mass + (1 - skips) * skipped]),
    )
