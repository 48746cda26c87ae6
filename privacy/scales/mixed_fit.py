"""Shares of the bins of a number or the cells of a map, fitted over all groups of a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from privacy.arrays import Array
from privacy.scales.em import GAIN, MOST_STEPS, Fit, MapOfSets, fit
from privacy.scales.scale_groups import ScaleGroup, ScaleGroups
from privacy.scales.scale_skips import mix_with_decoys, split_skips
from privacy.scales.skips import Disguise


def mixed_fit(
    disguise: Disguise, groups: ScaleGroups, *, smooth: bool, gain: float = GAIN, most_steps: int = MOST_STEPS
) -> Fit:
    """Fit the shares of the bins, or of the cells of a map, among those who answer.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Disguise of the protected group.
    groups : ScaleGroups
        Groups of one survey or many.
    smooth, gain, most_steps
        As in `privacy.scales.em.fit`; steps are smoothed along the bins, or along columns and rows. On a map,
        plain steps overfit to a speckle and smoothed steps blur borders, so inspect both.

    Raises
    ------
    PrivacyError
        ``no_rows``.

    Notes
    -----
    Shares are fitted in each group under its own channel, and then averaged, weighted by the number of people
    in the group who answer. This is right for the population even if people who chose a group differ from the
    others. If the question may be skipped, `privacy.scales.scale_skips.split_skips` estimates the share tau
    of decoys for skips among the rows that do not say "skipped". These rows were sent under
    (1 - tau) C + tau D, where D is the distribution of a decoy. This mixture replaces the channel C in every
    step.

    Examples
    --------
    Ten thousand people are all in the first of two bins, which is kept with probability 3/4:

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> from privacy.scales.scale_groups import scale_groups
    >>> channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    >>> mixed_fit(channel, scale_groups(channel, [7500, 2500]), smooth=False).shares.round(2).tolist()
    [1.0, 0.0]
    """
    shape = disguise.shape
    fits = [_fit_one(group, shape, smooth=smooth, gain=gain, most_steps=most_steps) for group in groups]
    if len(fits) == 1:
        return fits[0]
    ones = (1,) * len(shape)
    people = [group.people.reshape(*group.counts.shape[:-1], *ones) for group in groups]
    mixture = sum(part.shares * many for part, many in zip(fits, people, strict=True)) / sum(people)
    return Fit(
        shares=np.asarray(mixture),
        steps=max(part.steps for part in fits),
        gain=max(part.gain for part in fits),
        reason="steps" if any(part.reason == "steps" for part in fits) else "gain",
    )


def _fit_one(group: ScaleGroup, shape: tuple[int, ...], *, smooth: bool, gain: float, most_steps: int) -> Fit:
    answers, disguise = group.counts[..., : group.outputs], group.disguise
    surveys = answers.shape[:-1]
    if disguise is None:
        # If everyone skips, the shares are 0, and they get no weight in the average.
        shares = answers / np.maximum(answers.sum(axis=-1, keepdims=True), 1)
        return Fit(shares=shares.reshape(*surveys, *shape), steps=0, gain=0.0, reason="gain")
    sets = answers.reshape(-1, group.outputs)
    ahead, back = (_of_sets(step) for step in disguise.maps())
    if group.skipping is not None:
        tau = split_skips(group.skipping, group.counts)[1].reshape(-1, 1)
        ahead, back = mix_with_decoys(ahead, back, group.skipping.disguise.decoy_array(), tau)
    outside = shape if len(shape) > 1 else (group.outputs,)
    result = fit(
        sets.reshape(-1, *outside),
        np.full((len(sets), *shape), 1 / group.inputs),
        lambda shares, of: ahead(shares.reshape(len(of), -1), of).reshape(-1, *outside),
        lambda ratios, of: back(ratios.reshape(len(of), -1), of).reshape(-1, *shape),
        smooth=smooth,
        gain=gain,
        most_steps=most_steps,
    )
    return replace(result, shares=result.shares.reshape(*surveys, *shape))


def _of_sets(step: Callable[[Array], Array]) -> MapOfSets:
    """Return a step of `fit` that is the same for every set of answers."""
    return lambda values, _sets: step(values)
