"""The items that a scoring rule names: by their number, their code, their letter, or as *the third*."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from surveys.imports.drafts.questionnaire import Question, labels_of, text_of
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.words.cues import ROWS, pattern_of
from surveys.imports.words.marks import chinese_number, roman_number
from surveys.imports.words.numerals import NUMBER_WORD, WORDS
from surveys.imports.words.patterns import AND_OR, TO
from surveys.imports.words.runs import repeats

SPAN: Final = rf"(?P<low>\d{{1,3}})\s?{TO}\s?(?P<high>\d{{1,3}})"
"""A pattern for the two ends of a range and the text between them."""
_NUMBERS: Final = re.compile(rf"(?<!\d)(?:{SPAN}|(?P<single>\d{{1,3}}))(?!\d)", re.IGNORECASE)
_MOST_ITEMS: Final = 100
_LEAST_ITEMS: Final = 3
_LEAST_QUOTED: Final = 5
"""Largest number of characters of an item that a rule may quote."""
_CIRCLED: Final = re.compile("[①-⑳]")
_NTH: Final = {
    int(name.removeprefix("nth-")): re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
    for name, words, _example in ROWS
    if name.startswith("nth-")
}
_NTH_HAN: Final = re.compile(r"第(?P<number>[一二三四五六七八九十]{1,3})")
_NTH_COLUMN: Final = re.compile(
    r"\w{4,14}\s(?:columns?|colonn[ea]s?|columnas?|colunas?|spalten?)\b|第[一二三四五六七八九十\d]{1,3}列",
    re.IGNORECASE,
)
"""A column of a table of items, not an item: *in the third column*."""
_HAN_NUMBER: Final = re.compile(r"[一二三四五六七八九十]{1,3}")
_HAN_LIST: Final = re.compile(
    r"第[一二三四五六七八九十]{1,3}(?:[、,，和与及至到][一二三四五六七八九十]{1,3}){1,30}(?=[题项条句、,，:：])"
)
_LETTERS: Final = re.compile(r"(?<![^\W_㐀-鿿])(?P<letter>[A-Za-zА-Яа-я])(?![^\W_㐀-鿿])")
_LONE: Final = re.compile(r"(?<![\w.])(?:[B-HJ-Z]|[AI](?=\s?[,;:：=)&+]))(?![\w.])(?!\s?[=＝]\s?\d)")
"""A capital letter that is no word."""
_ROMAN: Final = re.compile(r"(?<!\w)[IVX]{1,5}(?!\w)")
_SMALL_ROMAN: Final = re.compile(
    r"(?<![\w'’])(?:i(?=\s?[,;]|\s(?:and|und|et)\s)|i{2,3}|iv|vi{0,3}|ix|xi{0,3})(?![\w'’])"
)
_LISTED: Final = re.compile(
    r"(?<![^\W_㐀-鿿])[a-zа-я]"
    r"(?:\s?[,、/&+和与及]\s?(?![eoyи]\s(?:\d|uma?|un[ao]?|cada|para|per|por|за)(?!\w))[a-zа-я]"
    rf"|\s(?:{AND_OR}|en)\s[a-zа-я]){{1,30}}(?![^\W_㐀-鿿]|['’])",
    re.IGNORECASE,
)
"""Letters in a list: *a, c and f*."""
_JOINED: Final = re.compile(rf"(?<![,、/&+])\s(?:{AND_OR}|en)\s(?=[a-zа-я](?!\w))", re.IGNORECASE)
"""A word between two letters, which may itself be one letter: *b y c*."""
_ITEM: Final = pattern_of("item-number", behind=r"\s?[(（]?(?P<letter>[A-Za-zА-Яа-я])(?![^\W_])")
_BEFORE_SIGN: Final = re.compile(r"(?<=[^\W\d_]\s)(?P<letter>[a-zа-я])(?=\s?[=:：.,;)]|$)", re.IGNORECASE)
"""A letter behind a word and before a sign: *no to c = 1 point*."""
_CODE: Final = re.compile(
    r"\W{0,3}(?P<code>[^\W\d]{1,8}[.-]?\d{1,3}(?:[._]\d{1,2})?)(?![\w%])(?:[^\w\s]{0,3}(?=\s)|\s?\W\s?)"
)
"""The code in front of an item: *I.4*, *SVP02*, *Q4_1*."""
_CODE_NAMED: Final = re.compile(r"(?<!\w)[A-ZА-Я]{1,3}[.-]?\d{1,3}(?:_\d{1,2})?(?!\w)")
"""A code of an item in a rule."""
_QUOTED: Final = re.compile(r"[(（\[«„“\"'](?P<letter>[A-Za-zА-Яа-я])[)）\]»“”\"']")
ITEM_WORD: Final = rf"(?:{pattern_of('item-number').pattern}|(?<![a-zà-ÿ])题)"
"""A word for items; a part of other patterns."""
_BLANK_BEFORE_SIGN: Final = re.compile(r"(?<=\d)\s(?=[.,;:)）])")
_OTHERS: Final = tuple(
    (
        rest,
        re.compile(
            rf"(?<![^\W㐀-鿿])(?:{words}\s?{ITEM_WORD}|{ITEM_WORD}\s{words})(?![^\W㐀-鿿])", re.IGNORECASE
        ),
    )
    for rest, words in enumerate(pattern_of(f"{name}-items").pattern for name in ("even", "odd"))
)
"""The items with even numbers, and those with odd ones."""
_NTH_WORD: Final = "|".join(pattern.pattern for pattern in _NTH.values())
_NTH_ITEMS: Final = re.compile(
    rf"(?:{_NTH_WORD})(?:(?:\s?,|\s{AND_OR})\s(?:[^\W\d_]{{1,3}}\s)?(?:{_NTH_WORD})){{0,9}}\s{ITEM_WORD}"
    r"|第[一二三四五六七八九十]{1,3}(?=[题项条句])",
    re.IGNORECASE,
)
"""Items by their places: *the third and the sixth question*."""
_PART: Final = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}(?![\d.]\d)")
_PARTS: Final = re.compile(
    rf"{ITEM_WORD}\s?{_PART.pattern}(?:(?:\s?[,;、]|\s{AND_OR})\s?{_PART.pattern}){{0,30}}", re.IGNORECASE
)
"""Items whose printed numbers have several parts: *items 1.2 and 1.5*."""
_ONE_PART: Final = 3
"""Values of the mark of an item whose number has one part."""
_TWO: Final = pattern_of("two-items")
_PAIR: Final = 2
_COUNT: Final = rf"\d{{1,2}}|{_TWO.pattern}|{NUMBER_WORD}|[两二三四五]"
_AT_END: Final = tuple(
    re.compile(
        rf"(?<![^\W㐀-鿿])(?:{words}\s?(?P<behind>{_COUNT})|(?P<before>{_COUNT})\s{words})\s?{ITEM_WORD}",
        re.IGNORECASE,
    )
    for words in (pattern_of(f"{name}-items").pattern for name in ("first", "last"))
)
"""The first items by their count, and the last ones: *the last two items*."""


class ItemNames:
    """The names of the items of a scale.

    Parameters
    ----------
    questions : sequence of Question
        The items in their order.
    source : sequence of SourceLine
        All lines.
    """

    def __init__(self, questions: Sequence[Question], source: Sequence[SourceLine]) -> None:
        marks = {line.number: line.mark for line in source if line.mark is not None}
        own = [marks.get(question.line) for question in questions]
        printed = [
            mark.value[-2] if mark is not None and mark.kind == "count" and len(mark.value) > 1 else 0
            for mark in own
        ]
        counted = [(number, question) for number, question in zip(printed, questions, strict=True) if number]
        is_counted = bool(counted) and len(dict(counted)) == len(counted)
        if not is_counted:
            alike = _run_of_items(questions)
            questions, own = questions[alike], own[alike]
        self.by_number = dict(counted) if is_counted else dict(enumerate(questions, start=1))
        self.is_roman = bool(own) and all("roman" in mark.shape.lower() for mark in own if mark) and all(own)
        """Whether their numbers are Roman."""
        letters = [chr(mark.value[0]).casefold() if _is_letter(mark) else "" for mark in own]  # type: ignore[union-attr]  # a letter is a mark
        has_letters = bool(letters) and all(letters) and not (repeats(letters) or self.is_roman)
        self.by_letter: Mapping[str, Question] = (
            dict(zip(letters, questions, strict=True)) if has_letters else {}
        )
        self.has_capitals = has_letters and all(mark.shape.isupper() for mark in own if mark is not None)
        """Whether their letters are capital ones."""
        self.by_parts = {
            ".".join(map(str, mark.value[1:-1])): number
            for number, question in self.by_number.items()
            if (mark := marks.get(question.line)) and mark.kind == "count" and len(mark.value) > _ONE_PART
        }
        """The numbers of items whose printed numbers have several parts: 1.2."""
        self.questions = questions
        self.by_code = _codes_of(questions, source)

    def with_numbers(self, text: str) -> str:
        """Return a text with the numbers of the items that it quotes in full, or names by their places."""
        for number, question in self.by_number.items():
            wording = text_of(question).strip().rstrip(".。")
            if len(wording) >= _LEAST_QUOTED and wording in text:
                text = text.replace(wording, f" {number} ")
        text = self._without_places(text)
        text = _PARTS.sub(self._without_parts, text) if self.by_parts else text
        places = {id(question): number for number, question in self.by_number.items()}
        for code in sorted(self.by_code, key=len, reverse=True):
            number = places.get(id(self.by_code[code]), 0)
            text = (
                text
                if not number
                else re.sub(rf"(?<!\w){re.escape(code)}(?!\w)", f" {number} ", text, flags=re.IGNORECASE)
            )
        if self.is_roman:
            for pattern in (_ROMAN, _SMALL_ROMAN):
                text = pattern.sub(lambda match: str(roman_number(match[0])), text)
            return text
        text = self._without_letters(text) if self.by_letter else text
        # A blank behind the last number of a sentence would hide its end.
        return _BLANK_BEFORE_SIGN.sub("", text)

    def _without_parts(self, match: re.Match[str]) -> str:
        """Return the numbers of items in place of those with several parts; others as they are."""
        return _PART.sub(lambda part: str(self.by_parts.get(part[0], part[0])), match[0])

    def _without_places(self, text: str) -> str:
        """Return a text with numbers in place of *the third*, *the even* and *the last two items*."""
        numbers = sorted(self.by_number)
        text = _NTH_ITEMS.sub(lambda match: f" items {', '.join(map(str, nth_in(match[0])))} ", text)
        for rest, pattern in _OTHERS:
            own = ", ".join(str(number) for number in numbers if number % 2 == rest)
            text = pattern.sub(f" items {own} ", text)
        for is_last, pattern in enumerate(_AT_END):
            for match in reversed([*pattern.finditer(text)]):
                count = _count_of(match["behind"] or match["before"])
                chosen = numbers[-count:] if is_last else numbers[:count]
                text = f"{text[: match.start()]} items {', '.join(map(str, chosen))} {text[match.end() :]}"
        return text

    def _without_letters(self, text: str) -> str:
        """Return a text with numbers in place of the letters that name items."""
        places = {id(question): number for number, question in self.by_number.items()}
        spans = [match.span() for pattern in (_LISTED, _BEFORE_SIGN) for match in pattern.finditer(text)]
        spans += [match.span("letter") for pattern in (_ITEM, _QUOTED) for match in pattern.finditer(text)]
        if self.has_capitals:
            spans += [match.span() for match in _LONE.finditer(text)]
        for start, end in reversed(_outermost(spans)):
            parts = _JOINED.split(text[start:end])
            names = [match["letter"].casefold() for part in parts for match in _LETTERS.finditer(part)]
            if all(name in self.by_letter for name in names):
                numbers = ", ".join(
                    _LETTERS.sub(
                        lambda match: str(places[id(self.by_letter[match["letter"].casefold()])]), part
                    )
                    for part in parts
                )
                text = text[:start] + numbers + text[end:]
        return text

    def named_in(self, text: str) -> tuple[list[Question], list[str]]:
        """Return the items that a text names, and those of its names that no item has."""
        found: list[Question] = []
        unknown: list[str] = []
        letters = self._letters_in(text)
        if letters:
            return [self.by_letter[letter] for letter in letters], []
        if self.by_code:
            # Codes of other parts are not the numbers of these items.
            codes = [match[0] for match in _CODE_NAMED.finditer(text)]
            unknown = [code for code in codes if code.casefold() not in self.by_code]
            found = [self.by_code[code.casefold()] for code in codes if code not in unknown]
            text = _CODE_NAMED.sub(" ", text)
        for number in numbers_in(text):
            if number in self.by_number:
                found.append(self.by_number[number])
            else:
                unknown.append(str(number))
        if not (found or unknown):
            places = nth_in(text)
            found = [self.questions[place - 1] for place in places if place <= len(self.questions)]
            unknown = [str(place) for place in places if place > len(self.questions)]
        return found, unknown

    def _letters_in(self, text: str) -> list[str]:
        """Return the letters of items in a text: in lists, in brackets, or after a word for items."""
        if not self.by_letter:
            return []
        pieces = [match[0] for match in _LISTED.finditer(text)]
        pieces += [match["letter"] for pattern in (_ITEM, _QUOTED) for match in pattern.finditer(text)]
        letters = [match["letter"].casefold() for piece in pieces for match in _LETTERS.finditer(piece)]
        return [letter for letter in dict.fromkeys(letters) if letter in self.by_letter]


def _outermost(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans that are not within another one, in their order."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or end > found[-1][1]:
            found.append((start, end))
    return found


def _count_of(word: str) -> int:
    """Return a count of items in digits or as a word, such as *both*."""
    if word.isdecimal():
        return int(word)
    return _PAIR if _TWO.fullmatch(word) or word == "两" else WORDS[word.casefold()]


def printed_numbers(questions: Sequence[Question], source: Sequence[SourceLine]) -> list[int]:
    """Return the numbers that a text prints in front of questions, without those of questions that have none.

    Parameters
    ----------
    questions : sequence of Question
    source : sequence of SourceLine
        All lines.
    """
    marks = {line.number: line.mark for line in source if line.mark is not None}
    own = (marks.get(question.line) for question in questions)
    return [mark.value[-2] for mark in own if mark and mark.kind == "count" and len(mark.value) > 1]


def _run_of_items(questions: Sequence[Question]) -> slice:
    """Return where the items of a scale without numbers are: those with the same answers, if most have them.

    Questions above or below them, such as one for the age, do not count.
    """
    answers = [(question.kind, labels_of(question)) for question in questions]
    usual, count = Counter(answers).most_common(1)[0] if answers else (None, 0)
    first = answers.index(usual) if usual else 0
    is_run = 2 * count > len(answers) and answers[first : first + count] == [usual] * count
    return slice(first, first + count) if is_run and count >= _LEAST_ITEMS else slice(None)


def _codes_of(questions: Sequence[Question], source: Sequence[SourceLine]) -> dict[str, Question]:
    """Return the items by the codes in front of them; none unless each has its own."""
    raw = {line.number: line.raw.lstrip() for line in source}
    codes = [_CODE.match(raw.get(question.line, "")) for question in questions]
    found = {code["code"].casefold(): each for code, each in zip(codes, questions, strict=True) if code}
    return found if len(found) == sum(map(bool, codes)) > 1 else {}


def _is_letter(mark: object) -> bool:
    return getattr(mark, "kind", "") == "letter" and bool(getattr(mark, "value", ()))


def with_digits(text: str) -> str:
    """Return a text with digits in place of circled numbers, and of Chinese numbers in lists.

    >>> with_digits("第一、三题")
    '第1、3题'
    >>> with_digits("③和⑥").split()
    ['3', '和', '6']
    """
    text = _HAN_LIST.sub(
        lambda match: _HAN_NUMBER.sub(lambda own: str(chinese_number(own[0])), match[0]), text
    )
    return _CIRCLED.sub(lambda match: f" {ord(match[0]) - ord('①') + 1} ", text)


def numbers_in(text: str) -> list[int]:
    """Return the numbers that a text lists, including those within its ranges.

    Examples
    --------
    >>> numbers_in("Items 2, 5 and 7 through 9"), numbers_in("none")
    ([2, 5, 7, 8, 9], [])
    """
    found: list[int] = []
    for match in _NUMBERS.finditer(with_digits(text)):
        low, high = int(match["single"] or match["low"]), int(match["single"] or match["high"])
        found += range(low, high + 1) if low <= high < low + _MOST_ITEMS else [low, high]
    return found


def nth_in(text: str) -> list[int]:
    """Return the places that a text names in words.

    Examples
    --------
    >>> nth_in("The third and the sixth statement"), nth_in("第三题"), nth_in("Der vierte Satz")
    ([3, 6], [3], [4])
    >>> nth_in("Items with yes in the third column")
    []
    """
    text = _NTH_COLUMN.sub(" ", text)
    found = [number for number, pattern in _NTH.items() if pattern.search(text)]
    return sorted({*found, *(chinese_number(match["number"]) for match in _NTH_HAN.finditer(text))})
