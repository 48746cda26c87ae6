"""The audit of any finite channel: a number's or a place's disguise, or whatever states its probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import ArrayLike

from privacy.arrays import Array, Flags
from privacy.channels.amplification import conditional, largest_ratio
from privacy.channels.channel import Channel
from privacy.entropy import entropy, times_log
from privacy.errors import PrivacyError
from privacy.risk.leakage import LEVELS, Leakage
from privacy.scales.planar_window import Operator, PlanarWindowChannel
from privacy.scales.skipping import Skipping
from privacy.scales.skips import answering
from privacy.scales.window import WindowChannel, forward

LARGEST: Final = 1 << 21
_STEPS: Final = 2_000
_CLOSE: Final = 1e-7


@dataclass(frozen=True, kw_only=True)
class ChannelAudit:
    """Audit of the observed values of a channel.

    Parameters
    ----------
    amplification, epsilon : float
        gamma and its logarithm; ``inf`` where some true value never leads to an observed one that others do.
    at_prior : tuple of (float, float)
        For each chosen rho1 the posterior that no property of that prior exceeds after any observed value,
        with the prior as it is.
    leakage : Leakage
        In bits; the worst prior to within 1e-6.
    perfect_privacy : bool
        Whether every true value leads everywhere with the same chance.
    """

    amplification: float
    epsilon: float
    at_prior: tuple[tuple[float, float], ...]
    leakage: Leakage
    perfect_privacy: bool


def audit_channel(
    channel: Channel | Array, *, prior: Sequence[float] | Array | None = None, rho1: Sequence[float] = ()
) -> ChannelAudit:
    """Audit a channel.

    Parameters
    ----------
    channel : Channel, or float array, shape (observed, true)
        At most two million entries.
    prior : sequence of float, shape (true,), optional
        Even where it is left out.
    rho1 : sequence of float, each in (0, 1)

    Raises
    ------
    PrivacyError
        ``too_large``, ``shape``, ``column_sum``, ``prior``.

    Notes
    -----
    `at_prior` is the posterior of values taken by falling likelihood until they have mass rho1, the last in
    part: no property with such a prior has more (for any Q, sum_F P l - sum_Q P l >= t (P(F) - P(Q)) >= 0
    with t the likelihood at which F ends). It is for all observed values at once.

    Examples
    --------
    >>> audit = audit_channel(np.array([[.75, .25], [.25, .75]]), rho1=[.5])
    >>> round(audit.amplification, 6), [(a, round(b, 2)) for a, b in audit.at_prior]
    (3.0, [(0.5, 0.75)])
    """
    table = channel.as_array() if isinstance(channel, Channel) else np.asarray(channel, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise PrivacyError("shape.channel", table.shape)
    if table.size > LARGEST:
        raise PrivacyError("too_large.channel", table.size, largest=LARGEST)
    if (table < 0).any() or not np.allclose(table.sum(axis=0), 1.0, atol=1e-9):
        raise PrivacyError("column_sum.distribution", table.sum(axis=0))
    share = np.full(table.shape[1], 1 / table.shape[1]) if prior is None else np.asarray(prior, np.float64)
    if share.shape != (table.shape[1],) or (share < 0).any() or not math.isclose(float(share.sum()), 1.0):
        raise PrivacyError("prior.distribution", prior)
    table = table[table.max(axis=1) > 0]
    # Of each observed value the two entries that matter.
    ratio = largest_ratio(zip(table.max(axis=1).tolist(), table.min(axis=1).tolist(), strict=True))
    gamma = math.inf if ratio is None else float(ratio)
    return ChannelAudit(
        amplification=gamma,
        epsilon=math.log(gamma) if math.isfinite(gamma) else math.inf,
        at_prior=tuple((value, _max_posterior(table, share, value)) for value in rho1),
        leakage=_leakage(table, share),
        perfect_privacy=gamma == 1.0,
    )


def _max_posterior(table: Array, prior: Array, rho1: float) -> float:
    """Return the posterior of the likeliest true values that have mass rho1, the last one in part."""
    order = np.argsort(-table, axis=1, kind="stable")
    mass = prior[order]
    before = np.cumsum(mass, axis=1) - mass
    taken = np.clip(rho1 - before, 0.0, mass)
    held = (taken * np.take_along_axis(table, order, axis=1)).sum(axis=1)
    return float(conditional(held, table @ prior).max())


def _leakage(table: Array, prior: Array) -> Leakage:
    joint = table * prior
    sent = joint.sum(axis=1)
    joint, sent = joint[sent > 0], sent[sent > 0]
    after = conditional(joint, sent[:, None])
    before = entropy(prior[None], log=np.log2)[0]
    left = entropy(after, log=np.log2)
    return Leakage(
        entropy=float(before),
        mutual_information=max(0.0, float(before - sent @ left)),
        worst_output=max(0.0, float((before - left).max())),
        worst_prior=_capacity(table),
    )


def _capacity(table: Array) -> float:
    """Return the upper bound of the capacity at which the Blahut-Arimoto iteration ends."""
    prior = np.full(table.shape[1], 1 / table.shape[1])
    own = times_log(table, table, log=np.log2).sum(axis=0)
    highest = 0.0
    for _ in range(_STEPS):
        tells = own - table.T @ np.log2(np.maximum(table @ prior, 1e-300))
        highest = float(tells.max())
        if highest - float(prior @ tells) < _CLOSE:
            break
        prior = prior * np.exp2(tells - highest)
        prior /= prior.sum()
    return max(0.0, highest)


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
        raise PrivacyError("counts.outputs", rows.size, outputs=disguise.outputs)
    if not rows.sum():
        raise PrivacyError("no_rows.disguised", 0)
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
