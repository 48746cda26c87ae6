"""Answers behind a question with unusual signs between them, written with slashes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.patterns import DRAWN_BOX, LETTER

_KNOWN: Final = r"\w\s.,;:!?…'\"“”„‘’()\[\]{}、，。；：！？（）【】/|／｜=＝&%‰€$£¥₹→←–—−-"
"""Signs that belong to words, or that other readers know."""
_HAN: Final = "[㐀-鿿]"
_SIGN: Final = re.compile(
    rf"(?:(?<=\S)\s{{1,3}}|(?<={_HAN}))(?P<sign>(?!{DRAWN_BOX})[^{_KNOWN}]{{1,3}}|//{{1,2}})"
    rf"(?:\s{{1,3}}(?=\S)|(?={_HAN}))"
)
"""A sign between two words with blanks around it, or between two Chinese words."""
_LABEL: Final = re.compile(
    r"[^?？؟:：]{2,300}?(?:[?？؟:：]\s{0,20}(?:[^?？!！()（）]{2,60}[!！]\s{0,9}|[(（][^()（）]{2,60}[)）]\s{0,9})?"
    r"|[)）]\s{1,9}|\s{2,40}|\t)(?=\S)"
)
"""A question, and the instruction and blanks in front of its answers."""
_DASH: Final = re.compile(r"\s[–—-]\s")
_ARROWS: Final = re.compile(r"(?:(?<=^\d)|(?<=[\s,;:，；：、(（/|]\d))\s?→\s?(?=[^\W\d_])")
"""An arrow between a digit and a word."""
_CODED: Final = re.compile(r"[^\W\d_][^\d_]{0,58}\s\d{1,2}")
"""An answer with its code behind it."""
_LONGEST: Final = 60
_LEAST: Final = 2


def write_separators(lines: Sequence[str]) -> list[str]:
    """Write slashes between answers where the same unusual sign separates them behind at least two questions.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_separators(["Who? (ring all) me ~ you ~ all", "Drinks: yes ~ no", "I ~ you"])
    ['Who? (ring all) me / you / all', 'Drinks: yes / no', 'I ~ you']
    >>> write_separators(["支持吗？ 支持+反对", "能接受吗？ 能+不能", "How old? 18 + years"])[:2]
    ['支持吗？ 支持 / 反对', '能接受吗？ 能 / 不能']
    """
    labels = [_LABEL.match(line) for line in lines]
    signs = [_sign_behind(label) if label else "" for label in labels]
    counts = Counter(filter(None, signs))
    written = [*lines]
    for place, (label, sign) in enumerate(zip(labels, signs, strict=True)):
        if label and counts[sign] >= _LEAST:
            start = label.end()
            written[place] = f"{label[0].rstrip()}   {_SIGN.sub(' / ', lines[place][start:])}"
    return [_with_equals(_without_dashes(line)) for line in written]


def _with_equals(line: str) -> str:
    """Return a legend with = in place of the arrows between its numbers and answers.

    >>> _with_equals("0 → never, 1 → often"), _with_equals("0-3 → low, 4-6 → high"), _with_equals("2 → Sex")
    ('0 = never, 1 = often', '0-3 → low, 4-6 → high', '2 → Sex')
    """
    return _ARROWS.sub(" = ", line) if len(_ARROWS.findall(line)) > 1 else line


def _without_dashes(line: str) -> str:
    """Return a line of answers, each in front of its code, with slashes in place of the dashes between them.

    >>> _without_dashes("never 0 – now and then 1 – often 2"), _without_dashes("never – often 2")
    ('never 0 / now and then 1 / often 2', 'never – often 2')
    """
    answers = _DASH.split(line.strip())
    are_coded = len(answers) > _LEAST and all(map(_CODED.fullmatch, answers))
    return _DASH.sub(" / ", line) if are_coded else line


def _sign_behind(label: re.Match[str]) -> str:
    """Return the one sign between the short texts behind a question; empty without one."""
    answers = label.string[label.end() :]
    signs = {match["sign"] for match in _SIGN.finditer(answers)}
    pieces = _SIGN.sub("\n", answers).split("\n")
    are_short = all(LETTER.search(piece) and len(piece) <= _LONGEST for piece in pieces)
    return signs.pop() if len(signs) == 1 and are_short else ""
