"""Texts as respondents see them, so that word lists cannot be avoided by invisible or unusual characters."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_SIMPLIFIED: Final = str.maketrans(
    "齡歲數幾別國戶裡裏區縣來鄉結滿過個屬於沒無從願說記這項種樣選擇況為發現經歷還嗎後滅婦",
    "龄岁数几别国户里里区县来乡结满过个属于没无从愿说记这项种样选择况为发现经历还吗后灭妇",
)
_MOST_MARKS: Final = 30
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_BETWEEN_CHINESE: Final = re.compile("(?<=[\u4e00-\u9fff])\\s+(?=[\u4e00-\u9fff])")


def as_read(text: str) -> str:
    """Return a text as displayed: no invisible characters, narrow letters, single blanks."""
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", limit_marks(text))).replace("’", "'")
    return _BETWEEN_CHINESE.sub("", " ".join(seen.split()).translate(_SIMPLIFIED))


def limit_marks(text: str) -> str:
    """Limit runs of combining marks to 30, as in Unicode's stream-safe text format.

    When Python normalises a text, it sorts each run in quadratic time.
    """
    if text.isascii():
        return text
    output, in_a_row = [], 0
    for character in text:
        in_a_row = in_a_row + 1 if unicodedata.combining(character) else 0
        if in_a_row <= _MOST_MARKS:
            output.append(character)
    return "".join(output)
