"""The narrowest width of a journal's column at which a picture can be read."""

from __future__ import annotations

from typing import Final

from surveys.formats.svg import size_of

_COLUMNS: Final = (84.0, 120.0, 174.0)
"""Widths of one, one and a half, and two columns of a journal, in millimetres."""
_LETTERS: Final = 12 * 72 / 25.4
"""Point size of a picture's 12 px text, times the picture's width in px and per millimetre."""
_LEAST_POINTS: Final = 6.0
"""Smallest type that journals accept."""


def journal_width(picture: str) -> float:
    """Return the narrowest journal width, in millimetres, at which the text is large enough.

    Examples
    --------
    >>> from surveys.formats import svg
    >>> [journal_width(svg.render_svg(svg.drawing(wide, 100, title="t"))) for wide in (400, 640, 900)]
    [84.0, 120.0, 174.0]
    """
    wide, _high = size_of(picture)
    fits = [column for column in _COLUMNS if _LETTERS * column / wide >= _LEAST_POINTS]
    return fits[0] if fits else _COLUMNS[-1]
