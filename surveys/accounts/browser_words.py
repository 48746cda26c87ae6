"""A browser and its system in words."""

from __future__ import annotations

import re
from typing import Final

# The order matters: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari.
_BROWSERS: Final = (
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/"),
    ("Safari", r"Safari/"),
)
_SYSTEMS: Final = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("Windows", r"Windows"),
    ("macOS", r"Macintosh"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux|X11"),
)


def browser_words(agent: str) -> str:
    """Return the names of browser and system, without versions.

    Examples
    --------
    >>> browser_words("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> browser_words("curl/8.5.0")
    ''
    """
    words = (_first(names, agent) for names in (_BROWSERS, _SYSTEMS))
    return ", ".join(name for name in words if name)


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for name, pattern in names if re.search(pattern, agent)), "")
