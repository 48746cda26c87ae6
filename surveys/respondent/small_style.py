"""Style sheets without comments and unnecessary spaces."""

from __future__ import annotations

import re
from typing import Final

STYLE_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLANKS: Final = re.compile(r"\s*([{};,>])\s*|\s+")


def small_style(text: str) -> str:
    """Return a style sheet without comments and unnecessary spaces.

    Examples
    --------
    >>> small_style("/* Links. */ a > b { color: red; }")
    'a>b{color:red;}'
    """
    return _BLANKS.sub(lambda blank: blank[1] or " ", STYLE_COMMENT.sub("", text)).strip().replace(": ", ":")
