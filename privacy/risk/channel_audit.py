"""The audit of any finite channel: a number's or a place's disguise, or whatever states its probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array
from privacy.channels.amplification import conditional, largest_ratio
from privacy.channels.channel import Channel
from privacy.entropy import entropy, times_log
from privacy.errors import PrivacyError
from privacy.risk.leakage import Leakage

__all__ = ["ChannelAudit", "audit_channel"]

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
