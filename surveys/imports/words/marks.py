"""Marks at the beginning of lines: numbers, letters, boxes and bullets, in any script.

The shape of a mark is what stays the same when it counts: *Q1.* and *Q2.* have one shape.
`surveys.imports.roles.mark_shapes` decides what each shape stands for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from surveys.imports.words.amounts import ranges_on
from surveys.imports.words.cues import ROWS, pattern_of
from surveys.imports.words.patterns import AND_OR, DRAWN_BOX, TO, VOWEL_SIGNS

ROUND: Final = "○◯⚪o()（）"
SQUARE: Final = "☐□▢◻⬜❑❏[]"
_LIMIT: Final = re.compile(
    "|".join(pattern_of(name).pattern for name in ("up-below", "up-to", "from-above", "from-least")),
    re.IGNORECASE,
)
_HASHES: Final = re.compile(r"(?P<sign>#{1,6})\s?(?P<text>\S.*)")
_SIGN: Final = re.compile(
    rf"(?:\d{{1,2}}\s?(?={DRAWN_BOX}|\[\s?\]|[(（]\s?[)）]))?(?P<sign>[→►▶➤❖◆■]|-{{1,3}}>(?=\s)|={{1,3}}>(?=\s)|[\u25a0-\u27bf\U0001f300-\U0001faff](?=\s)|[-*]\s\[[\sxX]?\]|{DRAWN_BOX}|[☑✓]|\[\s?[xX]?\]|[(（]\s?[)）]|[•·・▪◦–—](?=\D)|-(?=[^\d-])"
    r"|\*(?=\s)|o(?=\s)|_{2,20}(?=\s?[^\W\d_]))\s*(?P<text>\S.*)"
)
_NUMBER: Final = re.compile(
    r"(?P<open>[\[【(（<]?)"
    rf"(?P<word>(?:[^\W\d_]|[{VOWEL_SIGNS}]){{0,14}}"
    r"(?:[ .]{0,2}(?:n\.?[°ºo]\.?|nr\.?|n\.(?=\s?\d)|№|#)|\s[^\W\d_]{2,3}(?=\s\d{1,3}\s?[:.：](?!\d)))?"
    r"(?:[ .]|(?<=[^\W\d_]{3})\. |(?<=[A-Z]{2})-)?)"
    r"(?P<number>\d{1,3}(?:[._]\d{1,3}){0,2})(?:(?:st|nd|rd|th)(?=[).:]\s))?(?P<letter>[a-z]?)"
    r"(?P<close>[\]】)）>]?(?:\s?\[[\w-]{0,30}\])?)\s?"
    r"(?P<end>[.:：)、．।–—=＝→/°ºª*…>-]{0,3}|题[.、:：]?)(?P<gap>\s*)(?P<text>.*)",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(
    r"(?P<open>[\[【(（<]?)(?P<letter>الف|[^\W\d_]|[ivx]{2,5}|[IVX]{2,5}|[一二三四五六七八九十]{2,3}|[①-⑳])"
    r"(?P<end>[.)]-(?=\s)|[\]】)）>.、．]|[:：](?=\s)|(?<=[A-Za-z])/(?=\s)|\s?[–—-](?=\s)|(?<=[①-⑳])|(?<=[A-H])(?=[㐀-鿿]))(?P<gap>\s*)(?P<text>\S.*)"
)
_NUMBER_WORD: Final = re.compile(
    r"(?P<word>[^\W\d_]{3,14})\s(?P<number>[^\W\d_]{2,10})\s?[:：]\s(?P<text>\S.*)"
)
NUMBER_WORDS: Final = {
    word: int(number) for number, words, _example in ROWS if number.isdecimal() for word in words.split("|")
}
"""Numbers in words, as in *Question One:*."""
_CHINESE: Final = re.compile(
    r"(?:第|问题|题目|問題|題目|設問|質問|問|문항|질문|문)\s?(?P<number>[一二三四五六七八九十\d]{1,3})(?P<word>[题題問]|部分|(?=[：:\s]))\s?[:：、.]?\s?(?P<text>\S.*)"
)
_GLUED: Final = re.compile(r"\d{0,4}[㐀-鿿]|\d{1,4}[-–~～+]")
"""Chinese text or an amount right behind a letter and a full stop."""
_UP_TO: Final = re.compile(r"(?:[^\W\d_]{1,3}\s|[-–—]\s?)\d{1,3}(?:\s[^\W\d_]{1,8})?\s?[,，?？]")
"""The second number of a range and the end of its clause: *From 1 to 5, how*; not *Question 1 of 5*."""
_GOES_ON: Final = re.compile(rf"(?:{TO}|{AND_OR})\s\d", re.IGNORECASE)
_LATIN: Final = re.compile("[a-zß-öø-ɏ]")
_IN_BRACKETS: Final = re.compile(r"\s?\[[\w-]{0,30}\]$")
_POINTS_SIGNS: Final = {*"(（=＝"}
"""A sign before or behind a number that may be the points of an answer."""
_FILLED: Final = re.compile(r"[\sxX]|_(?=_)")
ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10}
_DIGITS: Final = "〇一二三四五六七八九十"
_SERIES: Final = (
    "甲乙丙丁戊己庚辛壬癸",
    "アイウエオカキクケコ",
    "가나다라마바사아자차",
    "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊ",
)
"""Letters that count, but do not follow each other in Unicode."""
ALPHABETS: Final = ("abcdefghijklmnop", "абвгдежзиклмнопр", "абвгдежзийклмноп")
"""The first letters of alphabets; Russian lists may omit *й*."""
COUNTING_LETTERS: Final = "".join(_SERIES)
NEGATIVE: Final = 900
"""Added to a negative code in front of an answer; no list has so many answers."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A mark at the beginning of a line.

    Parameters
    ----------
    shape : str
        The mark without what counts; equal for all marks of one list.
    value : tuple of int
        What it counts to, such as (0, 2, 1) for *2.1*; empty for a sign.
    kind : str
        ``count``, ``letter``, ``sign`` or ``hash``.
    is_weak : bool
        Whether it is a mark only if its shape recurs: *4 pupils* begins with a number, too.
    points : int or None
        The number, if it may be the points of an answer: *(0)*, *2 =*.
    """

    shape: str
    value: tuple[int, ...]
    kind: str
    is_weak: bool = False
    points: int | None = None

    @property
    def is_number(self) -> bool:
        """Whether it counts, and is a mark even if its shape does not recur."""
        return self.kind == "count" and not self.is_weak


def mark_of(text: str) -> tuple[Mark | None, str]:
    """Return the mark of a line, and its text behind the mark.

    Examples
    --------
    >>> mark, body = mark_of("Frage 12: Wie oft?")
    >>> mark.shape, mark.value, body
    ('frage9:', (0, 12, 0), 'Wie oft?')
    >>> [mark_of(each)[0].shape for each in ("(ख) कई बार", "☐ Yes", "[q3] x", "iv. x", "## Work")]
    ['(DEVANAGARI)', '☐', '[q9]', 'roman.', '##']
    >>> mark_of("Yes, often")
    (None, 'Yes, often')
    """
    if match := _HASHES.fullmatch(text):
        inner, body = mark_of(match["text"])
        if inner is not None and inner.is_number:
            return replace(inner, shape=f"#{inner.shape}"), body
        return Mark(shape=match["sign"], value=(), kind="hash"), match["text"]
    if match := _SIGN.fullmatch(text):
        inner, body = mark_of(match["text"]) if match["sign"] == "*" else (None, "")
        if inner is not None and inner.is_number:
            return inner, body
        return Mark(shape=_FILLED.sub("", match["sign"])[:3], value=(), kind="sign"), match["text"]
    if match := _CHINESE.fullmatch(text):
        return Mark(
            shape=f"第9{match['word']}", value=(chinese_number(match["number"]),), kind="count"
        ), match["text"]
    if (match := _NUMBER_WORD.fullmatch(text)) and (number := NUMBER_WORDS.get(match["number"].lower())):
        return Mark(shape=f"{match['word'].lower()} word", value=(number,), kind="count"), match["text"]
    return _number(text) or _letter(text) or (None, text)


def _number(text: str) -> tuple[Mark, str] | None:
    match = _NUMBER.fullmatch(text)
    if match is None or not _is_mark_of_text(match):
        return None
    word, parts, letter = match["word"].lower().strip(), re.split(r"[._]", match["number"]), match["letter"]
    is_part = len(word) == 1 and _LATIN.match(word) is not None and word != "q"
    begins_small = match["word"].isupper() and match["text"][:1].islower()
    may_be_points = not word and len(parts) == 1 and {match["open"], match["end"]} & _POINTS_SIGNS
    mark = Mark(
        shape="".join(
            (
                match["open"],
                "x" if is_part else word,
                ".".join("9" * len(parts)),
                "a" if letter else "",
                _IN_BRACKETS.sub("[]", match["close"]),
                match["end"],
            )
        ),
        value=(ord(word) if is_part else 0, *map(int, parts), ord(letter) if letter else 0),
        kind="count",
        is_weak=not _has_sign(match) and (len(word) != 1 or (is_part and begins_small)),
        points=int(parts[0]) if may_be_points else None,
    )
    return mark, match["text"]


def _has_sign(number: re.Match[str]) -> bool:
    """Return whether a sign or a bracket is behind a number."""
    return bool(number["end"] or number["close"])


def _is_mark_of_text(match: re.Match[str]) -> bool:
    """Return whether a number is a mark in front of words, and not a part of them: *3D*, *2.5*."""
    if match["word"] and ":" in match["end"].replace("：", ":") and _LIMIT.fullmatch(match["word"].strip()):
        # The limit of a level: "Below 5: calm".
        return False
    words, has_sign = match["text"], _has_sign(match)
    is_remark = bool(match["word"]) and words[:1] in ("(", "（", "[", "【")
    has_gap = is_remark or match.string[match.start("text") - 1].isspace()
    is_plain = has_sign and has_gap and not match["word"]
    has_text = any(map(str.isalnum if is_plain else str.isalpha, words))
    is_glued = words[:1].isdecimal() and not has_gap
    is_open = bool(match["open"]) and not match["close"]
    is_part = is_glued or is_open or _is_in_range(match) or _is_in_date(match)
    return has_text and (has_sign or has_gap) and not is_part


def _is_in_date(match: re.Match[str]) -> bool:
    """Return whether a number behind a word is a date in a sentence: *by 30.11. at the latest*."""
    is_date = bool(match["word"]) and "." in match["number"] and match["end"] == "."
    return is_date and match["text"][:1].islower()


def _is_in_range(match: re.Match[str]) -> bool:
    """Return whether a number is the first one of a range: *from 1 to 5, how*, *2- to 3-times*."""
    if match["end"] == "-" and _GOES_ON.match(match["text"]):
        return True
    if not match["word"] or match["end"].startswith((".", ":", "：", ")", "、", "．")):
        return False
    return _UP_TO.match(match["text"]) is not None or ranges_on(match.string) is not None


def _letter(text: str) -> tuple[Mark, str] | None:
    match = _LETTER.fullmatch(text)
    if (
        match is None
        or (match["open"] and match["end"] not in "]】)）>")
        or (match["end"] == "." and not match["gap"] and not _GLUED.match(match["text"]))
    ):
        return None
    letter = "أ" if match["letter"] == "الف" else match["letter"]
    if len(letter) > 1 and letter[0] not in _DIGITS:
        return Mark(
            shape=f"{match['open']}roman{match['end'].strip()}", value=(roman_number(letter),), kind="letter"
        ), match["text"]
    script = "a" if letter.isascii() else unicodedata.name(letter[0], "").partition(" ")[0]
    if letter[0] in _DIGITS:
        script, value = "一", chinese_number(letter)
    else:
        value = value_of_letter(letter)
    shape = f"{match['open']}{script.upper() if letter.isupper() else script}{match['end'].strip()}"
    return Mark(shape=shape, value=(value,), kind="letter"), match["text"]


def signed_code(number: int) -> int:
    """Return a code with the sign that it had in the text.

    >>> signed_code(NEGATIVE + 8), signed_code(8)
    (-8, 8)
    """
    return NEGATIVE - number if number > NEGATIVE else number


def value_of_letter(letter: str) -> int:
    """Return what a letter counts to within its script.

    >>> value_of_letter("b") - value_of_letter("a"), value_of_letter("乙") - value_of_letter("甲")
    (1, 1)
    """
    series = next((series for series in _SERIES if letter in series), letter)
    return ord(series[0]) + series.index(letter)


def are_first_letters(letters: Sequence[str]) -> bool:
    """Return whether letters are those with which an alphabet begins, in its order.

    >>> are_first_letters("ABC"), are_first_letters(["а", "б"]), are_first_letters("bc")
    (True, True, False)
    """
    return any(alphabet.startswith("".join(letters).casefold()) for alphabet in ALPHABETS)


def is_first_letter(letter: str) -> bool:
    """Return whether lists begin with a letter.

    >>> is_first_letter("A"), is_first_letter("イ")
    (True, False)
    """
    return letter in "aA" or any(letter == series[0] for series in _SERIES)


def roman_number(text: str) -> int:
    """Return the value of a Roman number up to 39.

    >>> roman_number("iv"), roman_number("XI")
    (4, 11)
    """
    values = [ROMAN_VALUES[sign] for sign in text.lower()]
    return sum(-own if own < after else own for own, after in zip(values, [*values[1:], 0], strict=True))


def chinese_number(text: str) -> int:
    """Return the value of a Chinese number up to 99, or of digits.

    >>> chinese_number("十二"), chinese_number("7")
    (12, 7)
    """
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (_DIGITS.find(tens) if tens else int(bool(ten))) * 10 + (_DIGITS.find(ones) if ones else 0)
