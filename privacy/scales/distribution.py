"""The shape of a number's distribution from its disguised answers: likely shares of bins, without errors."""

from __future__ import annotations

from numpy.typing import ArrayLike

from privacy.scales.em import GAIN, MOST_STEPS, Fit
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.scales.skipping import Skipping
from privacy.scales.window import WindowChannel

__all__ = ["distribution"]


def distribution(
    channel: WindowChannel,
    counts: ArrayLike,
    *,
    direct: ArrayLike | None = None,
    light: WindowChannel | None = None,
    skipping: Skipping | None = None,
    smooth: bool = True,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Return the shares of the bins from counts of the outputs.

    Parameters
    ----------
    channel : WindowChannel
        Disguise of the protected group.
    counts, direct, light, skipping
        As for `privacy.scales.scale_groups.scale_groups`. Where the question may be skipped the shares
        are those among the people who answer.
    smooth : bool
        EMS (default) or plain EM, see `privacy.scales.em.fit`.
    gain, most_steps
        When to stop.

    Raises
    ------
    PrivacyError
        ``counts`` (another shape, or negative), ``no_rows``.

    Examples
    --------
    Ten thousand people of whom all said the first of two bins, kept with chance 3/4:

    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    >>> distribution(channel, [7500, 2500], smooth=False).shares.round(2).tolist()
    [1.0, 0.0]
    """
    groups = scale_groups(channel, counts, direct=direct, light=light, skipping=skipping)
    return mixed_fit(groups, (channel.inputs,), smooth=smooth, gain=gain, most_steps=most_steps)
