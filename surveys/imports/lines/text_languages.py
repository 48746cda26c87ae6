"""Detect the languages of a pasted text from its words and signs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from surveys.imports.lines.language_streams import BESIDE, separate_scripts, sides_of
from surveys.imports.words.cues import ROWS, words_of
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import HAN
from surveys.imports.words.question_marks import asks
from surveys.imports.words.text_flags import split_flags

_KANA: Final = re.compile("[ぁ-ヺ]")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_ENOUGH_WORDS: Final = 14
"""A text with this many words and no frequent English word is in another language."""
_ENGLISH: Final = words_of("english")
_FREQUENT: Final = {
    name.removeprefix("words-"): frozenset(words.split("|"))
    for name, words, _example in ROWS
    if name.startswith("words-")
}
"""Frequent words of other languages."""
_ENOUGH_HITS: Final = 4
"""Fewest frequent words by which a language is recognised."""
_FEW_WORDS: Final = 6
"""Fewer words in another script are names, whatever they are."""
_NOT_ENGLISH: Final = words_of("not-english")
UNKNOWN: Final = "und"
"""Stands for the language of a text until the user states it."""
_LEAST_PAIRS: Final = 2
_HITS_OF_SIDE: Final = 2
"""Fewest lines with two sides, and fewest frequent words of a side, by which two languages are recognised."""
_ENDS: Final = re.compile(r"[?？؟;]\W{0,2}$")
"""The end of a question, also in Greek and Arabic."""
_SCRIPT_OF: Final = words_of("script-")
"""Scripts of Chinese, by characters that the other script lacks."""


def languages_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Detect the languages of a text, in order of appearance; empty if that is not clear.

    Two languages are detected if one of them is Chinese, and the other is taken for English.

    A language in fewer than a fifth of the lines is ignored: it may be a name or a loan word.

    Examples
    --------
    >>> languages_of(["Sleep | 睡眠", "1. Bad? | 不好吗？"]), languages_of(["睡眠", "您用 WhatsApp 吗？"])
    (('en', 'zh-hans'), ('zh-hans',))
    >>> languages_of(["睡眠調查", "1. 您睡得不好嗎？"])
    ('zh-hant',)
    >>> languages_of(["Sommeil", "1. Vous dormez mal ?"]), languages_of(["お酒を飲みますか？", "Beer"])
    ((), ())
    """
    texts = [split_flags(mark_of(line)[1])[0] for _number, line in separate_scripts([*enumerate(lines)])]
    pieces = [piece for text in texts for piece in BESIDE.split(text) if any(map(str.isalpha, piece))]
    chinese = [bool(HAN.search(piece)) for piece in pieces]
    scripts = [_SCRIPT_OF[sign] for piece in pieces for sign in piece if sign in _SCRIPT_OF]
    chinese_tag = "zh-hant" if 2 * scripts.count("hant") > len(scripts) else "zh-hans"
    if 5 * sum(bool(_KANA.search(piece)) for piece in pieces) > len(pieces):
        return ()
    if sum(chinese) * 5 > len(chinese) * 4:
        return (chinese_tag,)
    if sum(chinese) * 5 >= len(chinese) and chinese:
        others = [piece for piece, is_chinese in zip(pieces, chinese, strict=True) if not is_chinese]
        if not _are_asked(others):
            return (chinese_tag,)
        return (chinese_tag, "en") if chinese[0] else ("en", chinese_tag)
    words = [word for piece in pieces for word in _WORDS.findall(piece.lower())]
    other = _frequent_language(words)
    return (other,) if other else ("en",) if _is_english(pieces) else ()


def side_languages(lines: Iterable[str]) -> tuple[str, ...]:
    """Detect two languages with ``|`` in between; unknown ones get tags that `UNKNOWN` begins.

    Empty without two languages: if the sides are in the same language, as in a table of questions and
    answers, or if it is not clear that they are two, because no question is asked on both sides.

    Examples
    --------
    >>> side_languages(["Habits | Gewohnheiten", "Do you drink? | Trinken Sie?", "Never | Nie, ja oder nein"])
    ('en', 'de')
    >>> side_languages(["Sömn | Uni", "Sover du dåligt? | Nukutko huonosti?"])
    ('und', 'und-extra1')
    >>> side_languages(["Sleep", "Do you sleep badly? | yes / no", "Have you been ill? | yes / no"])
    ()
    """
    whole = [line for line in lines if line.strip()]
    pairs = [tuple(sides_of(mark_of(line.strip())[1])) for line in whole if "|" in line or "｜" in line]
    pairs = [pair for pair in pairs if len(pair) == 2 and all(any(map(str.isalpha, side)) for side in pair)]
    if len(pairs) < _LEAST_PAIRS or 2 * len(pairs) < len(whole):
        return ()
    sides = [[pair[at] for pair in pairs] for at in (0, 1)]
    if any(2 * sum(bool(HAN.search(text)) for text in side) > len(side) for side in sides):
        return ()
    found = [_language_of_side(side) for side in sides]
    if found[0] == found[1] != "" or ("" in found and not _ask_alike(pairs)):
        return ()
    return (found[0] or UNKNOWN, found[1] or f"{UNKNOWN}-extra1")


def _language_of_side(texts: Sequence[str]) -> str:
    """Return the language of the texts on one side, which may be few; empty if that is not clear."""
    words = [word for text in texts for word in _WORDS.findall(text.lower())]
    counts = {tag: sum(word in own for word in words) for tag, own in (*_FREQUENT.items(), ("en", _ENGLISH))}
    (best, most), (_second, next_most), *_rest = sorted(counts.items(), key=lambda each: -each[1])
    return best if most >= _HITS_OF_SIDE and 6 * most >= len(words) and most >= 2 * next_most else ""


def _ask_alike(pairs: Sequence[tuple[str, ...]]) -> bool:
    """Return whether questions are asked on both sides, and none on one side only."""
    ends = [[_ENDS.search(side) is not None for side in pair] for pair in pairs]
    return any(all(both) for both in ends) and all(both[0] == both[1] for both in ends)


def _are_asked(pieces: Sequence[str]) -> bool:
    """Return whether texts in another script than Chinese are a language: answers such as *HIV* ask nothing.

    Examples
    --------
    >>> _are_asked(["Sleep", "Bad?"]), _are_asked(["HIV", "WhatsApp", "A/B"])
    (True, False)
    """
    words = [word for piece in pieces for word in _WORDS.findall(piece.lower())]
    return any(map(asks, pieces)) or 5 * sum(word in _ENGLISH for word in words) > len(words) > _FEW_WORDS


def _frequent_language(words: Sequence[str]) -> str:
    """Return the language whose frequent words a text has, other than English; empty if that is not clear.

    Examples
    --------
    >>> _frequent_language("haben sie ihren chef belogen ja nein wie oft".split())
    'de'
    >>> _frequent_language(["vous", "dormez", "mal"])
    ''
    """
    counts = {tag: sum(word in own for word in words) for tag, own in _FREQUENT.items()}
    counts["en"] = sum(word in _ENGLISH for word in words)
    (best, most), (_second, next_most), *_rest = sorted(counts.items(), key=lambda each: -each[1])
    is_clear = most >= _ENOUGH_HITS and 5 * most >= len(words) and 2 * most >= 3 * next_most
    return best if is_clear and best != "en" else ""


def _is_english(pieces: Sequence[str]) -> bool:
    """Return whether a text can be English: few letters, accents or words of other languages."""
    letters = [sign for word in _WORDS.findall(HAN.sub(" ", " ".join(pieces))) for sign in word]
    if 5 * sum(sign > "\u024f" for sign in letters) > len(letters):
        return False
    words = [word for piece in pieces for word in _WORDS.findall(piece.lower())]
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _NOT_ENGLISH or not word.isascii() for word in words)
    return other <= english and not (english == 0 and len(words) >= _ENOUGH_WORDS)
