"""A second strength of a block: what the direct group's devices do where nothing leaves them undisguised."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from privacy import validation
from privacy.channels.planar_window import Windows
from privacy.channels.refusal import Skipping
from privacy.channels.window import Band
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.question import Disguise

if TYPE_CHECKING:
    from privacy.survey.block import Block

__all__ = ["Light", "checked_light"]

Light: TypeAlias = int | Disguise
"""A light strength: a truth probability in ten-thousandths, or another disguise of a number or a place."""


def checked_light(block: Block) -> Light:
    """Return the light strength of a block, normalised.

    Parameters
    ----------
    block : Block
        One that states a light strength.

    Returns
    -------
    int or Band or Windows

    Raises
    ------
    PrivacyError
        ``light``: the block is open, the truth probability is not between the strong one and 10,000, or the
        disguise is not of the same kind, range or map and items, has no bound, or hides as much as the strong
        one. ``refusal_low``: "skipped" would tell more than an answer does.

    Notes
    -----
    Decoys, items and the chance of "skipped" among decoys are the same for both strengths: a record that is
    a decoy looks alike in both groups, and z = ([match] - (1 - p_g) q) / p_g has one q.
    """
    light = block.light
    if not block.protected:
        raise PrivacyError("light.open", light, key=block.key)
    if not block.is_scale:
        return validation.whole_number(
            light,
            f"light truth probability of block {block.key}",
            low=block.truth_probability + 1,
            high=SCALE - 1,
            code="light",
        )
    strong = block.disguise
    if not isinstance(light, Band | Windows) or _asked(light) != _asked(strong):
        raise PrivacyError("light.disguise", light, key=block.key)
    if light.amplification is None or strong.amplification is None:
        unbounded = light if light.amplification is None else strong
        raise PrivacyError("light.unbounded", unbounded.mechanism, key=block.key)
    if light.amplification <= strong.amplification:
        raise PrivacyError("light.weak", light.mechanism, key=block.key)
    if block.questions[0].options and (light.law is None or light.decoy_shares != strong.decoy_shares):
        raise PrivacyError("light.items", light.mechanism, key=block.key)
    if block.refusal is not None:
        Skipping(disguise=light, refusal=block.refusal)
    return light


def _asked(disguise: Disguise) -> tuple[object, ...]:
    """Return what a disguise is of: two are compared that exchange the same answers."""
    if isinstance(disguise, Band):
        return disguise.range, disguise.spans
    return disguise.area, disguise.regions
