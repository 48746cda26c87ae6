"""Flags in a line of a pasted text, such as [required] or (optional)."""

from __future__ import annotations

import re
from typing import Final

from surveys.imports.words.cues import words_of

_FLAG: Final = re.compile(r"[\[【［〔](?P<word>[^\[\]【】［］〔〕]{1,30})[\]】］〕]")


FLAG_OF: Final = words_of("flag-")
"""Names of flags, by their words in square brackets at the end of a line."""


_LONGEST_FLAG: Final = 32


_ROUND: Final = re.compile(r"[(（](?P<word>[㐀-䶿一-鿿]{2,8}|required|optional)[)）]", re.IGNORECASE)
"""Chinese flags in round brackets; English words in round brackets belong to the question."""


def split_flags(line: str) -> tuple[str, list[str]]:
    """Split off the flags and blanks at the end of a line; return the rest, and the flags in order."""
    words: list[str] = []
    end = len(line)
    while True:
        while end and line[end - 1].isspace():
            end -= 1
        if end > 1 and line[end - 1] in "*＊":
            end -= 1
            continue
        if not end or line[end - 1] not in "]】］〕)）":
            return line[:end], words[::-1]
        begin = max(line.rfind(bracket, max(0, end - _LONGEST_FLAG), end) for bracket in "[【［〔(（")
        flag = (
            (_FLAG.fullmatch(line, begin, end) or _ROUND.fullmatch(line, begin, end)) if begin >= 0 else None
        )
        if flag is None or flag["word"].strip().lower() not in FLAG_OF:
            return line[:end], words[::-1]
        words.append(flag["word"])
        end = begin
