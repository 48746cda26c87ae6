"""Write the number words of a scoring rule in digits: *fewer than ten points* has a 10."""

from __future__ import annotations

import re
from typing import Final

from surveys.imports.words.cues import ROWS, pattern_of
from surveys.imports.words.kept_readings import kept
from surveys.imports.words.marks import chinese_number
from surveys.imports.words.patterns import AND_OR, HAN, POINTS, TO
from surveys.questionnaire.yes_no_words import YES

WORDS: Final = {
    word: number
    for number, words in enumerate((words for name, words, _example in ROWS if name == "gap-number"), start=1)
    for word in words.split("|")
}
"""The number of each number word, from one."""
NUMBER_WORD: Final = "|".join(sorted(WORDS, key=len, reverse=True))
"""A pattern for these words, the longest first."""
_ZERO: Final = pattern_of("number-zero")
_WORD: Final = rf"(?<![\w-])(?:{NUMBER_WORD}|once(?=\spuntos)|{_ZERO.pattern}|\d{{1,3}})(?![\w-])"
_BETWEEN: Final = r"(?:between|zwischen|entre|tra|między|между)"
_LIMIT: Final = "|".join(
    pattern_of(name).pattern for name in ("from-least", "from-above", "up-to", "up-below")
)
_BEHIND: Final = "|".join(pattern_of(name).pattern for name in ("or-more", "or-less"))
_LIMITS: Final = re.compile(
    rf"(?P<before>(?:{_LIMIT}|\b{_BETWEEN})\s)?(?P<low>{_WORD})"
    rf"(?:\s(?P<between>{AND_OR}|{TO})\s(?P<high>{_WORD}))?(?P<behind>\s{POINTS}|\s?(?:{_BEHIND}))?",
    re.IGNORECASE,
)
"""One number or two, and what shows that they are limits of a sum."""
_HAN_NUMBER: Final = r"[零一二两三四五六七八九十]{1,3}"
_HAN: Final = re.compile(
    rf"(?<![第零一二两三四五六七八九十])(?:{_HAN_NUMBER}(?=分?\s?[至到~～–—-]\s?{_HAN_NUMBER}分)"
    rf"|(?!十分(?![及以或到至为属者时：:，,。；、）)\s]|$)){_HAN_NUMBER}(?=分(?![钟之别类析享手配数级])))"
)
"""A Chinese number of points, or the first of two; not the word for *very*."""
_QUOTED: Final = rf"[«„“\"'‘「『]\s?(?:{'|'.join(YES)})\s?[»“”\"'’」』]"
OTHER_MEANINGS: Final = ("ano", "da", "jo", "si", "ya", "有")
"""Words for yes that mean something else in other languages, so that they count only in quotation marks."""
_BARE: Final = "|".join((*(word for word in YES if word not in OTHER_MEANINGS), pattern_of("tick").pattern))
_NOUN: Final = rf"(?:[\s-](?!(?:{AND_OR}|{NUMBER_WORD})\s)[^\W\d_]{{4,12}})?"
_ANSWER: Final = rf"(?:{_QUOTED}|(?:{_BARE})(?![^\W㐀-鿿])){_NOUN}(?!\s?[=＝]\s?\d)"
"""A yes or a tick, perhaps with a noun: *“yes” answers*."""
_VERB: Final = pattern_of("counts-points").pattern
_TIMES: Final = r"(?:mal|\s?(?:times|x|×|fois|veces|vezes|volte|раза?|[个次项]))?"
_COUNT: Final = rf"(?<![^\W_㐀-鿿])(?<!-)(?P<count>{NUMBER_WORD}|\d{{1,2}}){_TIMES}"
_MORE: Final = rf"(?:,\s?)?(?:{_BEHIND})"
_COUNTED: Final = re.compile(
    rf"(?P<before>(?:{_LIMIT}|\d\s?{AND_OR}|\d\s?{TO})\s?)?{_COUNT}\s?(?:(?!(?:{_VERB})\s)[^\W\d_]{{4,10}}\s)?{_ANSWER}"
    rf"(?P<behind>\s?{_MORE}|(?=\s?[:：]))?"
    rf"|{_COUNT.replace('<count>', '<least>')}(?P<more>\s?{_MORE})\s?(?:[^\W\d_]{{2,10}}\s?)?{_ANSWER}"
    rf"|{_ANSWER}\s{_COUNT.replace('<count>', '<times>')}(?P<often>\s{_MORE})",
    re.IGNORECASE,
)
"""A number of answers that is the limit of a sum: *two yes or more*, *two or more ticks*."""


_TENS: Final = dict(enumerate((words for name, words, _example in ROWS if name == "tens"), start=2))
_UNIT_FIRST: Final = rf"(?P<unit>{NUMBER_WORD})und"
_LARGE: Final = tuple(
    (
        10 * number,
        re.compile(
            rf"(?:{_UNIT_FIRST})?(?:{words})(?:[\s-]?(?:(?:y|e|et|and)\s)?(?P<last>{NUMBER_WORD}))?", re.I
        ),
    )
    for number, words in _TENS.items()
)
"""The words for twenty, thirty and so on, with the units behind or in front of them."""
_TENS_WORD: Final = "|".join(_TENS.values())
_ANY: Final = (
    rf"(?:(?:(?:{NUMBER_WORD})und)?(?:{_TENS_WORD})(?:[\s-]?(?:(?:y|e|et|and)\s)?(?:{NUMBER_WORD}))?"
    rf"|{NUMBER_WORD}|{_ZERO.pattern}|\d{{1,3}})"
)
_MEANING: Final = r"(?:\s?[(（][^()（）]{1,60}[)）])?"
_RANGE: Final = re.compile(
    rf"(?<![\w-])(?:(?P<between>{_BETWEEN})\s)?(?P<low>{_ANY})(?P<said>{_MEANING}\s(?P<to>{TO}|{AND_OR})\s)(?P<high>{_ANY})(?![\w-])",
    re.IGNORECASE,
)
_HAN_RANGE: Final = re.compile(
    rf"(?<![第一二两三四五六七八九十])(?P<low>{_HAN_NUMBER})(?P<said>分?{_MEANING}\s?[至到~～–—-]\s?)(?P<high>{_HAN_NUMBER})"
)


@kept
def ranges_in_digits(text: str) -> str:
    """Return a text in which the two ends of a range are in digits.

    Examples
    --------
    >>> ranges_in_digits("Days (from zero to thirty-one)"), ranges_in_digits("null bis einundzwanzig")
    ('Days (from 0 to 31)', '0 bis 21')
    >>> ranges_in_digits("entre quatorze et vingt ans"), ranges_in_digits("零分（不疼）到十分")
    ('entre 14 et 20 ans', '0分（不疼）到10分')
    >>> ranges_in_digits("One or two of your friends"), ranges_in_digits("one to one")
    ('One or two of your friends', 'one to one')
    """
    text = _HAN_RANGE.sub(_ends_in_digits, text)
    return _RANGE.sub(_ends_in_digits, text)


def _ends_in_digits(match: re.Match[str]) -> str:
    """Return a range with its ends in digits; other words, and two numbers that do not grow, as they are."""
    low, high = _value_of(match["low"]), _value_of(match["high"])
    is_range = "to" not in match.re.groupindex or (
        match["between"] is not None or re.fullmatch(TO, match["to"], re.IGNORECASE) is not None
    )
    if not is_range or low is None or high is None or low >= high:
        return match[0]
    before = f"{match['between']} " if match.groupdict().get("between") else ""
    return f"{before}{low}{match['said']}{high}"


def _value_of(word: str) -> int | None:
    """Return the number that a word, or two, or digits state.

    >>> [_value_of(word) for word in ("ventiquattro", "treinta y uno", "forty-two", "zwei", "十二", "17")]
    [24, 31, 42, 2, 12, 17]
    """
    word = word.casefold()
    if word.isdecimal():
        return int(word)
    if HAN.search(word):
        return 0 if word == "零" else chinese_number(word.replace("两", "二"))
    if _ZERO.fullmatch(word):
        return 0
    if word in WORDS:
        return WORDS[word]
    for tens, pattern in _LARGE:
        if match := pattern.fullmatch(word):
            return tens + WORDS.get((match["unit"] or match["last"] or "").casefold(), 0)
    return None


@kept
def in_digits(text: str) -> str:
    """Return a text whose number words are in digits where they are limits of a sum of points.

    A number of answers is one of points if each counts one: *two yes or more*.

    Examples
    --------
    >>> in_digits("Fewer than ten points: low. Ten to fourteen: middle. Fifteen or more: high.")
    'Fewer than 10 points: low. 10 to 14: middle. 15 or more: high.'
    >>> in_digits("Two dogs, at least one cat"), in_digits("低于四分为正常，四至六分为轻度，十分满意")
    ('Two dogs, at least one cat', '低于4分为正常，4至6分为轻度，十分满意')
    >>> in_digits("Two yes or more: see a lawyer"), in_digits("Items 1, 3 yes; 2 no")
    ('2 points or more: see a lawyer', 'Items 1, 3 yes; 2 no')
    """
    text = _COUNTED.sub(_as_points, text)
    text = _HAN.sub(lambda match: str(chinese_number(match[0].replace("两", "二"))), text)
    return _LIMITS.sub(_limits_in_digits, text)


def _as_points(match: re.Match[str]) -> str:
    """Return a number of answers as one of points if it is a limit; else as it is."""
    number = match["count"] or match["least"] or match["times"]
    if match["count"] and not (match["before"] or match["behind"] is not None):
        return match[0]
    value = int(number) if number.isdecimal() else WORDS.get(number.casefold(), 0)
    unit = "分" if HAN.search(match[0]) else " points"
    return f"{match['before'] or ''}{value}{unit}{match['behind'] or match['more'] or match['often'] or ''}"


def _limits_in_digits(match: re.Match[str]) -> str:
    """Return limits in digits; other numbers, and a single *one* without a word for points, as they are."""
    low, high = (_number_of(match[name]) for name in ("low", "high"))
    is_range = high is not None and re.fullmatch(TO, match["between"], re.IGNORECASE) is not None
    has_points = (
        match["behind"] is not None and re.fullmatch(POINTS, match["behind"].strip(), re.I) is not None
    )
    is_limit = has_points or (is_range and low != high)
    is_limit = is_limit or (low != 1 and bool(match["before"] or match["behind"]))
    if not is_limit:
        return match[0]
    found = match[0]
    for name in ("high", "low"):
        if match[name]:
            start, end = (place - match.start() for place in match.span(name))
            found = f"{found[:start]}{_number_of(match[name])}{found[end:]}"
    return found


def _number_of(word: str | None) -> int | None:
    if word is None or word.isdecimal():
        return int(word) if word else None
    return 0 if _ZERO.fullmatch(word) else WORDS.get(word.casefold(), WORDS["elf"])
