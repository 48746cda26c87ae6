"""The light strength of a block, under which the direct group's devices disguise."""

from __future__ import annotations

from typing import TypeAlias, cast

from privacy import validation
from privacy.channels.channel import ScaleDisguise
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.scales.skipping import Disguise, Skipping
from privacy.survey.question import Question

__all__ = ["Light", "checked_light"]

Light: TypeAlias = "int | Disguise"
"""A light strength: a truth probability in ten-thousandths, or another disguise of a number or a place."""


def checked_light(
    light: object,
    *,
    block: str,
    truth_probability: int,
    decoy_skip_probability: int | None,
    question: Question,
) -> Light:
    """Return the light strength of a protected block, normalised.

    Parameters
    ----------
    light : int or WindowChannel or PlanarWindowChannel
        What is stated.
    block : str
        Key of the block.
    truth_probability, decoy_skip_probability
        Of the block, ten-thousandths; None where it cannot be skipped.
    question : Question
        Its first one, which is the only one if it is a number or a place.

    Returns
    -------
    int or WindowChannel or PlanarWindowChannel

    Raises
    ------
    PrivacyError
        ``light``: the truth probability is not between the strong one and 10,000, or the disguise is not of
        the same kind, range or map and items, has no bound, or hides as much as the strong one.
        ``refusal_low``: "skipped" would reveal more than an answer does.

    Notes
    -----
    Decoys, items and the probability of "skipped" among decoys are the same for both strengths: a record that
    is a decoy looks alike in both groups, and z = ([match] - (1 - p_g) q) / p_g has one q.
    """
    strong = question.disguise
    if strong is None:
        return validation.whole_number(
            light,
            f"light truth probability of block {block}",
            low=truth_probability + 1,
            high=SCALE - 1,
            code="light",
        )
    if not isinstance(light, ScaleDisguise) or (light.kind, light.domain) != (strong.kind, strong.domain):
        raise PrivacyError("light.disguise", light, key=block)
    light = cast(Disguise, light)
    if light.amplification is None or strong.amplification is None:
        unbounded = light if light.amplification is None else strong
        raise PrivacyError("light.unbounded", unbounded.mechanism, key=block)
    if light.amplification <= strong.amplification:
        raise PrivacyError("light.weak", light.mechanism, key=block)
    if question.options and (
        light.retention_probability is None or light.decoy_shares != strong.decoy_shares
    ):
        raise PrivacyError("light.items", light.mechanism, key=block)
    if decoy_skip_probability is not None:
        Skipping(disguise=light, refusal=decoy_skip_probability)
    return light
