"""The labels of a legend: the words before or behind its codes, without the sentence around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.cues import is_yes_no, pattern_of, says_yes
from surveys.imports.words.marks import roman_number
from surveys.imports.words.patterns import AND_OR, LETTER, POINTS
from surveys.imports.words.question_marks import asks

OPEN: Final = "(（[【「『«„“\"'"
_CLOSED: Final = ")）]】」』»“”\"'"
_OR: Final = pattern_of("between").pattern
OR_BEHIND: Final = re.compile(rf"\s{_OR}$")
_OR_BEFORE: Final = re.compile(rf"^{_OR}\s")
_LONGEST: Final = 60
MOST_WORDS: Final = 7
"""Most words of a label."""
_BEHIND_CODE: Final = re.compile(r"\s?[)）\]】]?\s?(?:[=＝:：.．、)]|[-–—](?=\s))?\s?")
EDGES: Final = " \t.。,，、،;；؛/／|｜・·…—–-=＝:：" + OPEN + _CLOSED
_ENDED: Final = re.compile(r"[)）\]】」』»]|[.。](?:\s|$)")
_STEM: Final = re.compile(r"[:：(（.。!！?？«„“「]\s{0,4}(?=\S)")
_BEFORE_LAST: Final = re.compile(rf"^{pattern_of('before-last').pattern}\s", re.IGNORECASE)
_PAUSE: Final = re.compile(r"\s?[;；…]\s?(?=\S)")
_QUOTE_END: Final = re.compile(r"(?:^|[«„“\"「『])(?P<word>[^«»„“”\"「」『』]{1,30})(?:[»”」』]|(?<!\s)\")")
"""A word in quotation marks, or the end of one whose beginning was cut."""
_QUOTE_START: Final = re.compile(r"(?:[«„“「『]\s?|(?<!\S)\")(?P<word>[^«»„“”\"「」『』]{1,30})$")
"""The beginning of a word in quotation marks whose end was cut."""
_ITEM_OR_POINTS: Final = re.compile(
    rf"[=＝]\s?\d|{pattern_of('item-number').pattern}\s?\d|\d[^\d]{{0,3}}[题題]", re.IGNORECASE
)
"""The number of an item, or points: parts of a rule, not of an answer."""
_NEXT_SENTENCE: Final = re.compile(r"[^\W\d_]{2}[.!]\s[^\W\d_]|[。！]\S")
"""The end of a sentence and the beginning of the next one: a part of a rule."""
QUOTED: Final = re.compile(r"[«„“\"「『](?P<word>[^«»„“”\"「」『』]{1,30})[»“”\"」』]")
_KEY: Final = r"(?:[^\W\d_]{1,3}|[^\W\d_]\.\s?[^\W\d_]\.|[nN]/[aA]|[-–—*?•])"
"""A code that is no number: letters, or a sign."""
_BEFORE_FURTHER: Final = (
    rf"(?<=[^\s,;，；、،=＝:：(（])(?:\s?[,;/|，；、،]\s?|(?<!\d)\s+|(?=或))(?:(?:{AND_OR}|{_OR})\s|或)?"
)
_FURTHER: Final = tuple(
    re.compile(_BEFORE_FURTHER + pattern + r"[\s.。)）\]]{0,3}$")
    for pattern in (
        rf"(?<!\w){_KEY}(?:\s?[=＝]\s?|\s[–—-]\s)(?P<label>[^\W\d][^\d=＝;；]{{1,60}}?)",
        rf"(?<!\w){_KEY}\s?[(（](?P<label>[^()（）]{{2,60}}?)",
        rf"(?:(?<=[,;/|،]\s)|(?<=[，；、]))(?P<label>[^\W\d][^\d=＝,;，；、،]{{1,60}}?)\s?[=＝]\s?{_KEY}",
        r"[(（\[](?:[A-Z]{1,3}|[-–—*?])[)）\]]\s?(?P<label>[^\W\d][^()（）\[\]=＝,;，；、،\d]{1,60}?)",
        r"(?<!\w)[A-ZА-Я]{1,3}\s?[:：]\s?(?P<label>[^\W\d][^\d=＝:：;；]{1,60}?)",
        r"(?P<label>[^\W\d_]{2,20}(?:\s[^\W\d_]{2,20}){0,3})\s?[(（\[](?:[A-Z]{1,3}|[-–—*?])",
        r"(?:(?<=[,;،]\s)|(?<=[，；、]))(?:[B-DF-HJ-NP-TV-XZ]|[A-Z]{2,3}|[-–—*?])\s(?P<label>[^\W\d][^\d=＝,;，；、،]{1,60}?)",
    )
)
"""An answer with such a code, at the end of a text: before its label, or behind it."""
_ROMAN: Final = re.compile(r"(?P<number>[IVX]{1,4}|[ivx]{1,4})\s?(?:[.)=–—-]\s?|\s)(?=\S)")
_WITHOUT_UNIT: Final = re.compile(r"^\s?[^\W\d_]{1,8}\.?\s?[,;]\s?")
"""A unit after points, up to the next answer: *1 point, often*."""
POINTS_OF_EACH: Final = re.compile(
    rf"\d{{1,2}}\s?{POINTS}\s[^\d,;.]{{0,20}}?(?:{pattern_of('each-answer').pattern})\s\W?[a-z](?!\w)",
    re.IGNORECASE,
)
"""Points of each of something, not what a number means: *1 point for each b*."""
_COUNTS: Final = re.compile(
    rf"(?:\s(?:{pattern_of('counts-points').pattern})|[计记得给打算])$", re.IGNORECASE
)
"""A verb between an answer and its points."""
_COUNTED: Final = re.compile(rf"[»”\"]?\s(?:{pattern_of('counts-points').pattern})$", re.IGNORECASE)
"""Such a verb, perhaps behind a quotation mark."""
_CHOSEN: Final = re.compile(r"^(?:选择?|回?答)\s?")
_LEAD: Final = re.compile(
    rf"^(?:{pattern_of('answer-lead').pattern})(?:\s|(?<=[\u4e00-\u9fff]))(?=\w)", re.IGNORECASE
)
"""Words that ask to answer, in front of the first label: *Answer never (0) or often (1)*."""
_LIMIT: Final = "|".join(
    pattern_of(name).pattern for name in ("from-least", "from-above", "up-to", "up-below")
)
_LIMIT_LAST: Final = re.compile(rf"(?:^|\s)(?:{_LIMIT})$", re.IGNORECASE)
"""Words before the limit of a sum: *from*, *up to*."""


def without_further(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without answers at its end whose codes are no numbers, and these answers.

    Examples
    --------
    >>> without_further("0 = no, 1 = yes, X = does not apply")
    ('0 = no, 1 = yes', ('does not apply',))
    >>> without_further("no (0), yes (1), refused (NA)")
    ('no (0), yes (1)', ('refused',))
    """
    found: list[str] = []
    while match := next(filter(None, (each.search(text) for each in _FURTHER)), None):
        found.insert(0, clean_label(match["label"]))
        text = text[: match.start()]
    return text, tuple(found)


def without_romans(labels: Sequence[str]) -> tuple[str, ...]:
    """Return answers without Roman numbers that count up in front of all of them.

    >>> without_romans(["I never", "II often"]), without_romans(["I never", "I often"])
    (('never', 'often'), ('I never', 'I often'))
    """
    marks = [match for label in labels if (match := _ROMAN.match(label))]
    is_count = [roman_number(mark["number"]) for mark in marks] == [*range(1, len(labels) + 1)]
    return tuple(mark.string[mark.end() :] for mark in marks) if is_count else tuple(labels)


def without_words_between(labels: Sequence[str]) -> list[str]:
    """Return answers without words between them and their numbers: *“yes” scores 1*, *1 for “yes”*.

    >>> [without_words_between(each) for each in (["“yes” is", "“no” is"], ["选不符合得", "选符合得"])]
    [['yes', 'no'], ['不符合', '符合']]
    """
    patterns = (QUOTED, _QUOTE_END, _QUOTE_START)
    quoted = [next(filter(None, (each.search(label) for each in patterns)), None) for label in labels]
    if all(quoted):
        return [match["word"].strip() for match in quoted if match]
    found = [*labels]
    for pattern in (_COUNTS, _CHOSEN):
        if all(map(pattern.search, found)):
            found = [pattern.sub("", label) for label in found]
    # The verb may be behind the first answer alone: *“never” counts 1, “often” 2*.
    found[:1] = [_COUNTED.sub("", label) if len(found) > len("ab") else label for label in found[:1]]
    return found


def yes_and_no(labels: Sequence[str]) -> list[str]:
    """Return the words for yes and no in two parts of a sentence, or in front of a verb; empty for others.

    >>> yes_and_no(["Each yes scores", "each no"]), yes_and_no(["Yes often", "No never"])
    (['yes', 'no'], [])
    """
    words = [_COUNTS.sub("", label).split() for label in labels]
    found = [word for each in words for word in each if says_yes(word) is not None]
    is_sentence = any(each[:1] != [word] for each, word in zip(words, found, strict=False))
    is_alone = [word for each in words for word in each] == found
    return found if is_yes_no(found) and len(labels) == 2 and (is_sentence or is_alone) else []


def begins_label(piece: str, *, has_unit: bool) -> bool:
    """Return whether a label follows the last number, and not the end of the text or a further bracket."""
    code = _BEHIND_CODE.match(piece)
    last = piece[code.end() :] if code else ""
    return LETTER.match(last if has_unit else last.lstrip(OPEN + " ")) is not None


def labels_behind(pieces: Sequence[str]) -> list[str]:
    """Return the labels in the pieces of a text that follow its numbers."""
    behind = [match.end() if (match := _BEHIND_CODE.match(piece)) else 0 for piece in pieces]
    found = [piece[start:] for piece, start in zip(pieces, behind, strict=True)]
    labels = [
        clean_label(OR_BEHIND.sub("", _PAUSE.split(each.strip())[0].strip(EDGES))) for each in found[:-1]
    ]
    last = without_rest(cut_like(pieces)[behind[-1] :])
    return [*labels, clean_label(_PAUSE.split(last.strip(EDGES))[0])]


def labels_before(before: str, pieces: Sequence[str]) -> tuple[str, list[str]]:
    """Return the text in front of the first label, and the labels in front of the numbers of a text.

    Parameters
    ----------
    before : str
        The text in front of the first number.
    pieces : sequence of str
        The texts between two numbers.
    """
    cut = max((match.end() for match in _STEM.finditer(before.rstrip(OPEN + " "))), default=0)
    found = [
        before[cut:],
        *(_ENDED.sub(" ", _WITHOUT_UNIT.sub("", piece), count=1) for piece in pieces),
    ]
    *others, last = [each.strip(EDGES) for each in found]
    # The word may also begin an answer: "a veces".
    joined = _OR_BEFORE if len(found) == 2 else _BEFORE_LAST
    labels = [*map(clean_label, others), clean_label(joined.sub("", last))]
    labels[0] = _LEAD.sub("", _last_words(labels[0], labels[1:]))
    return before[:cut], labels


def cut_like(pieces: Sequence[str]) -> str:
    """Return the last of several pieces up to the sign with which all others end, such as a comma.

    Examples
    --------
    >>> cut_like(["= never, ", "= often, ", "= always, tick one"])
    '= always'
    """
    ends = {piece.rstrip()[-1:] for piece in pieces[:-1]}
    sign = ends.pop() if len(ends) == 1 else ""
    if not sign or sign not in ",，、;；" or any(sign in piece.rstrip()[:-1] for piece in pieces[:-1]):
        # A label may hold the sign: "= no, never, ".
        return pieces[-1]
    cut = pieces[-1].split(sign)[0]
    # The last label may begin like another one: "= no, I am alone".
    others = {piece.rstrip()[:-1].strip() for piece in pieces[:-1]}
    return pieces[-1] if cut.strip() in others else cut


def without_rest(label: str) -> str:
    """Return the last label without the text behind it."""
    label = label.lstrip(OPEN + " ")
    end = _ENDED.search(label)
    return label[: end.start()] if end else label


def _last_words(label: str, others: Sequence[str]) -> str:
    """Return the last words of a label that begins with an instruction: as many as others have."""
    most = max((len(other.split()) for other in others), default=1)
    words = label.split()
    return " ".join(words[-most:]) if len(words) > most + 2 else label


def clean_label(text: str) -> str:
    """Return a label with single blanks and without signs around it."""
    return " ".join(text.split()).strip(EDGES)


def is_label(label: str) -> bool:
    """Return whether words may be an answer."""
    return bool(
        LETTER.search(label)
        and len(label) <= _LONGEST
        and len(label.split()) <= MOST_WORDS
        and not asks(label)
        and "_" not in label
        and not _LIMIT_LAST.search(label)
        and not _ITEM_OR_POINTS.search(label)
        and not _NEXT_SENTENCE.search(label)
    )
