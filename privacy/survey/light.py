"""The light strength of a protected block."""

from __future__ import annotations

from typing import TypeAlias

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.scales.skips import Disguise, Skipping
from privacy.survey.question import Question

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
        The value to check.
    block : str
        Key of the block.
    truth_probability, decoy_skip_probability
        Probabilities of the block, in ten-thousandths. The latter is None if the block cannot be skipped.
    question : Question
        The first question of the block; a number or a place is its only one.

    Returns
    -------
    int or WindowChannel or PlanarWindowChannel

    Raises
    ------
    PrivacyError
        ``light``: the truth probability is not between the strong one and 10,000; or the disguise differs in
        kind, range, map or items from the strong one, has no bound, or hides at least as much.
        ``refusal_low``: "skipped" would reveal more than an answer does.

    Notes
    -----
    Decoys, items and the probability of "skipped" among decoys are the same for both strengths. So decoys
    have the same distribution in both groups, and z = ([match] - (1 - p_g) q) / p_g needs only one q.
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
    if type(light) is not type(strong) or light.domain != strong.domain:
        raise PrivacyError("light.disguise", light, key=block)
    if light.amplification is None or strong.amplification is None:
        offender = light if light.amplification is None else strong
        raise PrivacyError("light.unbounded", offender.mechanism, key=block)
    if light.amplification <= strong.amplification:
        raise PrivacyError("light.weak", light.mechanism, key=block)
    if question.options and (
        light.retention_probability is None or light.decoy_shares != strong.decoy_shares
    ):
        raise PrivacyError("light.items", light.mechanism, key=block)
    if decoy_skip_probability is not None:
        Skipping(disguise=light, refusal=decoy_skip_probability)
    return light
