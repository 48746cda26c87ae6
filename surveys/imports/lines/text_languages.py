"""Detect the languages of a pasted text: by py3langid, which knows 140, and Chinese by its signs."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

from django.conf.locale import LANG_INFO

from surveys.imports.lines.language_streams import BESIDE, separate_scripts, sides_of
from surveys.imports.words.cues import words_of
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import HAN
from surveys.imports.words.question_marks import asks
from surveys.imports.words.text_flags import split_flags

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_KANA: Final = re.compile("[ぁ-ヺ]")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_ENOUGH_WORDS: Final = 14
"""A text with this many words and no frequent English word is in another language."""
_ENGLISH: Final = words_of("english")
_LEAST_PROBABILITY: Final = 0.5
"""Smallest probability at which a language is recognised."""
_CLEAR_PROBABILITY: Final = 0.8
"""Smallest probability at which a single line is in another language than its text."""
_WORDS_OF_LINE: Final = 4
"""Fewest words of such a line."""
_MOST_OF_OTHERS: Final = 4
"""One line in this many may be in other languages."""
_MOST_LINES: Final = 60
"""Largest number of such lines that are read on their own."""
_ENOUGH_CHARACTERS: Final = 5_000
"""A longer text is recognised by its beginning."""
_SAME: Final = {"no": "nb", "nn": "nb", "ary": "ar", "arz": "ar", "wuu": "zh", "yue": "zh", "pcm": "en"}
"""Tags of the detector that are dialects of one language here, or have another name."""
_FEW_WORDS: Final = 6
"""Fewer words in another script are names, whatever they are."""
_NOT_ENGLISH: Final = words_of("not-english")
UNKNOWN: Final = "und"
"""Stands for the language of a text until the user states it."""
_BARS: Final = re.compile("[|｜]")
_LEAST_PAIRS: Final = 2
"""Fewest lines with two sides by which two languages are recognised."""
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
    (('fr',), ('ja',))
    >>> languages_of(2 * ["Rauchen Sie schon lange?", "Hiç sigara içtiniz mi ve kaç tane?"])
    ()
    """
    pieces = _pieces_of(lines)
    if 5 * sum(_KANA.search(piece) is not None for piece in pieces) > len(pieces):
        return ("ja",)
    chinese = [HAN.search(piece) is not None for piece in pieces]
    if pieces and 5 * sum(chinese) >= len(pieces):
        tag = _tag_of_chinese(pieces)
        others = [piece for piece, is_chinese in zip(pieces, chinese, strict=True) if not is_chinese]
        if 5 * len(others) < len(pieces) or not _are_asked(others):
            return (tag,)
        return (tag, "en") if chinese[0] else ("en", tag)
    found = _language(pieces)
    if not found:
        return ("en",) if _is_english(pieces) else ()
    return (found,) if _is_offered(found) and not _is_mixed(pieces, found) else ()


def _pieces_of(lines: Iterable[str]) -> list[str]:
    """Return the texts in lines, without marks; each side of a line is one."""
    texts = [split_flags(mark_of(line)[1])[0] for _number, line in separate_scripts([*enumerate(lines)])]
    return [piece for text in texts for piece in BESIDE.split(text) if any(map(str.isalpha, piece))]


def _tag_of_chinese(pieces: Sequence[str]) -> str:
    """Return the tag of the script of Chinese in which most characters are that only one script has."""
    scripts = [_SCRIPT_OF[sign] for piece in pieces for sign in piece if sign in _SCRIPT_OF]
    return "zh-hant" if 2 * scripts.count("hant") > len(scripts) else "zh-hans"


def side_languages(lines: Iterable[str]) -> tuple[str, ...]:
    """Detect two languages with ``|`` or `` / `` in between; unknown ones get tags that `UNKNOWN` begins.

    Empty without two languages: if the sides are in the same language, as in a table of questions and
    answers, or if it is not clear that they are two, because no question is asked on both sides.

    Examples
    --------
    >>> side_languages(["Habits | Gewohnheiten", "Do you drink? | Trinken Sie?", "Never | Nie, ja oder nein"])
    ('en', 'de')
    >>> side_languages(["Sömn | Ukulala", "Sover du dåligt? | Ingabe ulala kabi?"])
    ('sv', 'und-extra1')
    >>> side_languages(["Sleep", "Do you sleep badly? | yes / no", "Have you been ill? | yes / no"])
    ()
    >>> side_languages(["Intake / Aufnahme", "Do you drink much? / Trinken Sie viel?", "no / nein"])
    ('en', 'de')
    """
    filled = [line for line in lines if line.strip()]
    has_bars = any(map(_BARS.search, filled))
    pairs = [pair for line in filled if (not has_bars or _BARS.search(line)) and (pair := _sides_of(line))]
    if len(pairs) < _LEAST_PAIRS or 2 * len(pairs) < len(filled):
        return ()
    sides = [*zip(*pairs, strict=True)]
    if any(2 * sum(HAN.search(text) is not None for text in side) > len(side) for side in sides):
        return ()
    first, second = (tag if _is_offered(tag) else "" for tag in map(_language, sides))
    # A slash is more often between two answers than between two languages.
    signs = [bool(first and second), _ask_alike(pairs)]
    if not (any(signs) if has_bars else all(signs)):
        return ()
    return () if first == second != "" else (first or UNKNOWN, second or f"{UNKNOWN}-extra1")


def _sides_of(line: str) -> tuple[str, ...]:
    """Return the two texts of a line; empty for other lines."""
    sides = tuple(sides_of(mark_of(line.strip())[1]))
    return sides if len(sides) == 2 and all(any(map(str.isalpha, side)) for side in sides) else ()


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


@cache
def _detector() -> LanguageIdentifier:
    # It needs 100 MB and most of a second, which only processes that read texts should pay.
    from py3langid import langid, modelio

    # py3langid unpacks its model to a temporary file, and the process that reads forms can write to none.
    modelio.tempfile = SimpleNamespace(TemporaryFile=_file_in_memory)
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


def _file_in_memory(suffix: str) -> io.BytesIO:  # the name of the file's kind
    return io.BytesIO()


def _language(pieces: Sequence[str], least: float = _LEAST_PROBABILITY) -> str:
    """Return the tag of the language of texts; empty if that is not clear.

    Examples
    --------
    >>> _language(["Haben Sie Ihren Chef belogen?", "ja", "nein"]), _language(["Alter"]), _language(["Yes"])
    ('de', '', '')
    """
    shares: dict[str, float] = {}
    for tag, share in _detector().rank("\n".join(pieces)[:_ENOUGH_CHARACTERS]):
        name = _SAME.get(tag, tag)
        shares[name] = shares.get(name, 0) + share
    best = max(shares, key=lambda tag: shares[tag])
    return best if shares[best] >= least else ""


def _is_offered(tag: str) -> bool:
    """Return whether a survey can be in a language without its tag being typed."""
    return "name_local" in LANG_INFO.get(tag, ())


def _is_mixed(pieces: Sequence[str], language: str) -> bool:
    """Return whether several lines with enough words are clearly in other languages."""
    long = [piece for piece in pieces if len(_WORDS.findall(piece)) >= _WORDS_OF_LINE][:_MOST_LINES]
    others = sum(_language([piece], _CLEAR_PROBABILITY) not in ("", language) for piece in long)
    return others > 1 and _MOST_OF_OTHERS * others > len(long)


def _is_english(pieces: Sequence[str]) -> bool:
    """Return whether a text can be English: few letters, accents or words of other languages."""
    letters = [sign for word in _WORDS.findall(HAN.sub(" ", " ".join(pieces))) for sign in word]
    if 5 * sum(sign > "\u024f" for sign in letters) > len(letters):
        return False
    words = [word for piece in pieces for word in _WORDS.findall(piece.lower())]
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _NOT_ENGLISH or not word.isascii() for word in words)
    return other <= english and not (english == 0 and len(words) >= _ENOUGH_WORDS)
