"""Amplification and ε of the disguise of a number or a place, as pages and files print them."""

from __future__ import annotations

from privacy.channels import effective_epsilon
from privacy.scales.skips import Disguise
from surveys.formats.numbers import number


def gamma_text(disguise: Disguise) -> str:
    """Format the amplification, or that of each level if there are several."""
    return " / ".join(number(float(bound), 2) for bound in disguise.level_bounds) or "∞"


def epsilon_text(disguise: Disguise) -> str:
    """Format ε, or that of each level if there are several."""
    return " / ".join(number(effective_epsilon(bound), 3) for bound in disguise.level_bounds) or "∞"
