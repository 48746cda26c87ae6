"""Texts that spreadsheets would read as formulas."""

from __future__ import annotations

from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters that make spreadsheets read a cell as a formula."""


def safe_text(text: str) -> str:
    """Prefix a text with an apostrophe if a spreadsheet would read it as a formula.

    >>> safe_text("=1+1"), safe_text("affair"), safe_text("")
    ("'=1+1", 'affair', '')

    Parameters
    ----------
    text : str
    """
    return "'" + text if text.startswith(_FORMULA) else text
