"""Numbers of questions and marks of answers that recur in a pasted text, in any language and script.

A number is recognised by its place and by counting up, not by the word before it: *Question n° 1:*, *Frage
2:*, *[q3]*, *4 –*. A letter is the mark of an answer if lines next to each other have different ones in the
same brackets: *[a]*, *(क)*, *가.*. Both are rewritten into the marks that the reader knows. Each line is read
a fixed number of times.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_PLAIN: Final = re.compile(r"\s*(?:Q|Question|问题|第)?\s?\d{1,3}\s?(?:[.)、．:：）]|题)", re.IGNORECASE)
"""A number that the reader knows without help."""
_NUMBER: Final = re.compile(
    r"\s*(?P<open>[\[【(（<]?)(?P<word>[^\W\d_]{0,14})(?P<sign>[ .]{0,2}(?:n[°ºo]\.?|nr\.?|№|#)?)\s?"
    r"(?P<number>\d{1,3})(?P<close>[\]】)）>]?)\s?(?P<end>[.:：)、．–—-]?)\s+(?=[^\W\d_]|[¿¡\"“«'‘(])(?P<text>.+)",
    re.IGNORECASE,
)
_WORDED: Final = re.compile(
    r"\s*(?P<word>[^\W\d_]{3,14})\s(?P<number>[^\W\d_]{2,10})\s?[:：.]\s(?P<text>.+)", re.IGNORECASE
)
_WORDS: Final = {
    word: number
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "un deux trois quatre cinq six sept huit neuf dix onze douze",
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "um dois três quatro cinco seis sete oito nove dez onze doze",
    )
    for number, word in enumerate(words.split(), start=1)
}
"""Numbers in words, as in *Question One*."""
_CHINESE: Final = re.compile(
    r"\s*(?:问题|题目|第)(?P<number>[一二三四五六七八九十]{1,3})题?\s?[：:、.]\s?(?P<text>.+)"
)
_SUBCODE: Final = re.compile(r"\s*[A-Za-z]{0,3}\d{1,3}[a-z][.:)]?\s(?=[^\W\d_])(?P<text>.+)")
"""A code with a small letter, as in *Q1a*."""
_PROGRESS: Final = re.compile(
    r"\s*(?:[^\W\d_]{1,14}\s)?(?P<number>\d{1,3})\s?[^\W\d_]{1,5}\s?(?P<total>\d{1,3})\s*"
)
"""A line that only counts pages or questions: *Pregunta 1 de 3*."""
_SECTION: Final = re.compile(r"\s*(?P<letter>[A-Z])[.)]\s(?P<text>\S.*)")
_CODE: Final = re.compile(r"\s*(?:[A-Za-z]{1,3}[._-]?\d{1,3}|\d{1,3}(?=[._]))(?:[._-]\d{1,3}){0,3}[.:)]?\s*")
"""A line that is nothing but the code of the question below it."""
_MARK: Final = re.compile(
    r"\s*(?P<open>[\[【(（<]?)(?P<mark>[^\W_]|\d{1,2})(?P<close>[\]】)）>]|[.、．:：]|\s[-–—](?=\s))(?P<blank>\s?)"
    r"(?P<text>\S.*)"
)
_KNOWN_MARK: Final = re.compile(r"\s*(?:[(（]?[A-Za-z][.)、．）]\s|[(（]\d{1,2}[)）]|\d{1,2}[.)、．）])")
_TWO_SIGNS: Final = re.compile(r"^(\s{0,40}\d{1,3}\s?[.)])[)–—-]\s?(?=[^\W\d_]|[¿¡])")
"""A number with two signs: *1.)*, *2.-*."""
_COUNTED: Final = re.compile(r"\s*[^\W\d_]{2,14}\s?\d{1,3}[.:)]?\s*")
"""A line with nothing but a word and a number, such as *Item 1*."""
_ASKS: Final = re.compile(r"[?？][^\w?？]{0,4}$")


@dataclass(frozen=True)
class _Numbered:
    """A line with a number in front of its text, in a form that the reader does not know."""

    place: int
    shape: tuple[str, ...]
    number: int
    text: str
    is_worded: bool


def with_known_numbers(lines: Sequence[str]) -> list[str]:
    """Return lines whose numbers and marks have the forms that the reader knows.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> with_known_numbers(["Frage 1: Lügen Sie?", "Ja", "Nein", "Frage 2: Wie oft?", "[a] Nie", "[b] Oft"])
    ['1. Lügen Sie?', 'Ja', 'Nein', '2. Wie oft?', '- Nie', '- Oft']
    >>> with_known_numbers(["C04.01", "Do you drink?", "C04.02", "How often?"])
    ['', '1. Do you drink?', '', '2. How often?']
    """
    lines = _without_progress(lines)
    lines = _with_section_headings(lines)
    found = list(_with_known_marks([_TWO_SIGNS.sub(r"\1 ", line, count=1) for line in lines]))
    codes = _code_lines(found)
    for count, place in enumerate(codes, start=1):
        below = place + 1
        found[place] = ""
        found[below] = f"{count}. {found[below].strip()}"
    if codes:
        return found
    for each in _questions(found):
        found[each.place] = f"{each.number % _PER_LETTER}. {each.text}"
    return _with_known_subcodes(found)


def _without_progress(lines: Sequence[str]) -> list[str]:
    """Empty the lines that only count pages or questions, if several count up to the same number."""
    matches = {place: match for place, line in enumerate(lines) if (match := _PROGRESS.fullmatch(line))}
    totals: dict[str, list[int]] = defaultdict(list)
    for place, match in matches.items():
        # Lines next to each other may be answers: 1 of 3, 2 of 3.
        if place - 1 not in matches and place + 1 not in matches:
            totals[match["total"]].append(int(match["number"]))
    counting = {
        total
        for total, numbers in totals.items()
        if len(numbers) > 1 and numbers == sorted(set(numbers)) and numbers[-1] <= int(total)
    }
    return [
        "" if place in matches and matches[place]["total"] in counting else line
        for place, line in enumerate(lines)
    ]


def _with_section_headings(lines: Sequence[str]) -> list[str]:
    """Mark *A. Work* as a heading if the next line begins with *A1*."""
    found = list(lines)
    after = ""
    for place in range(len(lines) - 1, -1, -1):
        match = _SECTION.fullmatch(lines[place])
        if match and re.match(rf"\s*{match['letter']}\s?\d", after):
            found[place] = f"# {match['text']}"
        after = lines[place] if lines[place].strip() else after
    return found


def _with_known_subcodes(lines: list[str]) -> list[str]:
    """Number questions with codes such as *Q1a*."""
    matches = [(place, match) for place, line in enumerate(lines) if (match := _SUBCODE.fullmatch(line))]
    asking = [(place, match) for place, match in matches if _ASKS.search(match["text"])]
    for count, (place, match) in enumerate(asking if len(asking) > 1 else (), start=1):
        lines[place] = f"{count}. {match['text']}"
    return lines


def _with_known_marks(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines; unusual marks of adjacent answers become hyphens, and numbers in square brackets round."""
    matches = [None if _KNOWN_MARK.match(line) else _MARK.fullmatch(line) for line in lines]
    shapes = [(match["open"], match["close"], _script(match["mark"])) if match else None for match in matches]
    for place, (line, match) in enumerate(zip(lines, matches, strict=True)):
        own = shapes[place]
        beside = [
            other["mark"]
            for near in (place - 1, place + 1)
            if 0 <= near < len(lines) and own is not None and shapes[near] == own and (other := matches[near])
        ]
        is_open = match is not None and (
            match["open"] or match["close"].strip() in ")）]】>-–—" or own != ("", ".", "a")
        )
        if match is None or not is_open or not beside or match["mark"] in beside or _ASKS.search(line):
            yield line
        elif match["mark"].isdecimal():
            yield f"({int(match['mark'])}) {match['text']}" if match["open"] else line
        else:
            yield f"{line[: len(line) - len(line.lstrip())]}- {match['text']}"


def _script(mark: str) -> str:
    """Return the kind of a mark: a digit, a plain letter, or the script of another letter."""
    if mark.isdecimal():
        return "1"
    return "a" if mark.isascii() else unicodedata.name(mark[0], "").partition(" ")[0]


def _code_lines(lines: Sequence[str]) -> list[int]:
    """Return the places of lines that only hold the code of the next line; none unless several do."""
    places = [
        place
        for place, line in enumerate(lines[:-1])
        if line.strip()
        and lines[place + 1].strip()
        and (_CODE.fullmatch(line) or (_COUNTED.fullmatch(line) and _ASKS.search(lines[place + 1])))
    ]
    shapes = Counter(_shape(lines[place]) for place in places)
    return [place for place in places if shapes[_shape(lines[place])] > 1]


def _shape(code: str) -> str:
    return re.sub(r"\d+", "9", code.strip())


def _questions(lines: Sequence[str]) -> list[_Numbered]:
    """Return the lines whose unusual numbers count questions."""
    found = [each for place, line in enumerate(lines) if (each := _numbered(place, line)) is not None]
    shapes: dict[tuple[str, ...], list[_Numbered]] = defaultdict(list)
    for each in found:
        shapes[each.shape].append(each)
    alone = {
        each.place
        for same in shapes.values()
        for position, each in enumerate(same)
        # Numbers on adjacent lines count answers, unless each of them asks something.
        if _ASKS.search(each.text)
        or not any(
            abs(other.place - each.place) == 1
            for other in same[max(0, position - 1) : position + 2]
            if other is not each
        )
    }
    chosen: list[_Numbered] = []
    last = 0
    for each in found:
        same = shapes[each.shape]
        numbers = [other.number for other in same]
        counts = len(same) > 1 and numbers == sorted(set(numbers)) and (each.is_worded or numbers[0] < 2)
        follows = each.number == last + 1 and (each.is_worded or bool(chosen)) and _ASKS.search(each.text)
        if each.place in alone and (counts or follows):
            chosen.append(each)
            last = each.number
    return chosen


def _numbered(place: int, line: str) -> _Numbered | None:
    if _PLAIN.match(line):
        return None
    worded = _WORDED.fullmatch(line)
    if worded and (number := _WORDS.get(worded["number"].lower())):
        return _Numbered(place, (worded["word"].lower(), "word"), number, worded["text"], is_worded=True)
    chinese = _CHINESE.fullmatch(line)
    if chinese:
        number = _chinese_number(chinese["number"])
        return _Numbered(place, ("chinese",), number, chinese["text"], is_worded=True)
    match = _NUMBER.fullmatch(line)
    if match is None or not (match["open"] or match["end"] or match["word"]):
        return None
    word = match["word"].lower()
    if bool(match["open"]) != bool(match["close"]) and not match["end"]:
        return None
    # A bare word and number begins a sentence ("Grade 4 pupils").
    if word and not match["open"] and not match["end"] and not (len(word) == 1 and word.isascii()):
        return None
    shape = (
        match["open"],
        "" if _is_letter(word) else word,
        match["sign"].strip(),
        match["close"],
        match["end"],
    )
    number = int(match["number"]) + (_PER_LETTER * ord(word) if _is_letter(word) else 0)
    return _Numbered(place, shape, number, match["text"], is_worded=bool(word))


def _is_letter(word: str) -> bool:
    """Return whether the word before a number is the letter of a section."""
    return len(word) == 1 and word.isascii()


def _chinese_number(text: str) -> int:
    """Return a Chinese number below 100.

    Examples
    --------
    >>> [_chinese_number(text) for text in ("三", "十", "十二", "二十一")]
    [3, 10, 12, 21]
    """
    tens, ten, ones = text.rpartition("十")
    return (_DIGITS.find(tens) if tens else int(bool(ten))) * 10 + (_DIGITS.find(ones) if ones else 0)


_DIGITS: Final = "〇一二三四五六七八九"
_PER_LETTER: Final = 1_000
"""Keeps numbers of several sections, A1, A2 and B1, in order."""
