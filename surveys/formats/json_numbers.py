"""Numbers for JSON, which has no infinity."""

from __future__ import annotations

import math


def finite(value: float) -> float | None:
    """Return a finite number for JSON, which has no infinity, or None."""
    return value if math.isfinite(value) else None


def for_json(value: object) -> object:
    """Convert a value for JSON: infinite numbers become texts."""
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
