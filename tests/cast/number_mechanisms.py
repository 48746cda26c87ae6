"""Every mechanism of the library that disguises a number within a given epsilon."""

from __future__ import annotations

from typing import Final

from privacy.scales.numeric_mechanisms import BY_EPSILON, duchi, piecewise, r3_window_mixture

ALL_BY_EPSILON: Final = {
    **BY_EPSILON,
    "piecewise": piecewise,
    "duchi": duchi,
    "shift_or_any": r3_window_mixture,
}
