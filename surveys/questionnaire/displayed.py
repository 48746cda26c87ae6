"""Texts as respondents see them, so that word lists cannot be avoided by invisible or unusual characters."""

from __future__ import annotations

import re
import unicodedata
from importlib import resources
from typing import Final

_TRADITIONAL: Final = [
    line.split("\t")
    for line in resources.files("surveys.questionnaire")
    .joinpath("traditional.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
    if not line.startswith("#")
]
_SIMPLIFIED: Final = str.maketrans(
    "".join(line[0] for line in _TRADITIONAL), "".join(line[1] for line in _TRADITIONAL)
)
_MOST_MARKS: Final = 30
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_BETWEEN_CHINESE: Final = re.compile("(?<=[\u4e00-\u9fff])\\s+(?=[\u4e00-\u9fff])")


def as_read(text: str) -> str:
    """Return a text as displayed: no invisible characters, narrow letters, single blanks, simplified Chinese.

    Examples
    --------
    >>> as_read("請問您的性別？")
    '请问您的性别?'
    """
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", limit_marks(text))).replace("’", "'")
    return _BETWEEN_CHINESE.sub("", simplified(" ".join(seen.split())))


def simplified(text: str) -> str:
    """Return a text with the simplified characters of word lists in place of traditional ones.

    A pattern with Japanese words has to be changed in the same way as the texts that it searches.

    Examples
    --------
    >>> simplified("無回答")
    '无回答'
    """
    return text.translate(_SIMPLIFIED)


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
