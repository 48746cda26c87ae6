"""Wording of a disguise: its mechanism, its bounds, and how a reconstruction ended."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from privacy.channels.amplification import effective_epsilon
from privacy.scales.em import GAIN, Fit
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.window import WindowChannel
from surveys.formats.figures import MINUS, number

NO_ERROR = 1e-9
"""An error below it is a rounding: all answers say the same, and of how far off they are nothing."""

__all__ = [
    "NO_ERROR",
    "ended_text",
    "epsilon_text",
    "gamma_text",
    "ground_text",
    "known_error",
    "mechanism_text",
    "typed",
]


def mechanism_text(name: str) -> str:
    """Return what a mechanism is called."""
    names = {
        "square_wave": _("square wave"),
        "hybrid": _("hybrid"),
        "keep": _("keep the bin or draw any"),
        "as_answered": _("stored as answered"),
        "sm": _("square around the place"),
        "usm": _("square inside the sensitive places"),
        "grid": _("keep the tile or draw any"),
        "ugrid": _("keep the tile or draw any, inside the sensitive places"),
        "levels": _("several levels of sensitive places"),
    }
    return names.get(name, name)


def gamma_text(disguise: WindowChannel | PlanarWindowChannel) -> str:
    """Return the amplification as it is printed; of each level, where there are several."""
    return " / ".join(number(float(bound), 2) for bound in _bounds(disguise)) or "∞"


def epsilon_text(disguise: WindowChannel | PlanarWindowChannel) -> str:
    """Return ε as it is printed; of each level, where there are several."""
    return " / ".join(number(effective_epsilon(bound), 3) for bound in _bounds(disguise)) or "∞"


def _bounds(disguise: WindowChannel | PlanarWindowChannel) -> list[Fraction]:
    """Return the amplification of each level; none where there is no bound."""
    if isinstance(disguise, PlanarWindowChannel):
        return [level.amplification for level in disguise.levels]
    return [] if disguise.amplification is None else [disguise.amplification]


def ended_text(fit: Fit) -> str:
    """Say how many steps a reconstruction took and why it ended."""
    words = {"steps": f"{fit.steps:,}", "gain": number(GAIN, 7)}
    if fit.reason == "gain":
        return _("%(steps)s steps; the last gained less than %(gain)s in log-likelihood per answer") % words
    return (
        _(
            "stopped after %(steps)s steps; the last still gained at least %(gain)s in log-likelihood"
            " per answer"
        )
        % words
    )


def typed(value: float, channel: WindowChannel) -> str:
    """Write a value as people type it, with a digit more than the answers have; or the date it lies in.

    >>> from privacy.scales.number_range import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr_below
    >>> channel = generalised_rr_below(NumberRange(low=0, high=9), 1.0)
    >>> typed(0.52, channel), typed(-1234.5, channel)
    ('0.5', '−1,234.5')
    """
    digits = channel.range.decimals + 1
    text = f"{abs(value):,.{digits}f}"
    return (
        channel.range.value_text(value)
        or (MINUS if value < 0 and float(text.replace(",", "")) else "") + text
    )


def known_error(standard_error: float | None) -> float | None:
    """Return a standard error; None where all answers say the same."""
    return standard_error if standard_error is not None and standard_error > NO_ERROR else None


def ground_text(metres: float) -> str:
    """Write a length on the ground.

    >>> ground_text(0.42), ground_text(84.2), ground_text(12_340)
    ('.4 m', '84 m', '12.3 km')
    """
    if metres < 10:
        return _("%(length)s m") % {"length": number(metres, 1)}
    return (
        _("%(length)s m") % {"length": f"{metres:.0f}"}
        if metres < 10_000
        else _("%(length)s km") % {"length": f"{metres / 1000:.1f}"}
    )
