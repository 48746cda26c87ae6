"""Patterns that several readers of a pasted text search for."""

from __future__ import annotations

import re
from typing import Final

LETTER: Final = re.compile(r"[^\W\d_]")
HAN: Final = re.compile("[㐀-䶿一-鿿]")
NUMBER: Final = re.compile(r"\d{1,3}")
WHOLE_NUMBER: Final = re.compile(r"(?<![\d.,])\d{1,6}(?![\d.,])")
BETWEEN_CELLS: Final = re.compile(r"\t| {3,}")
SPACE_TO_WRITE: Final = re.compile(r"[_＿]{3,200}|\.{6,200}|…{2,200}")
