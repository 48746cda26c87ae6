"""Instructions to skip: *go to 14* behind an answer, in a column, or as a line that quotes a question.

The numbers of the questions show which are skipped: those up to 14.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from surveys.imports.lines.sheets import SHEET
from surveys.imports.lines.source_lines import (
    ASKED,
    LEFT,
    REMARK_BEHIND,
    SCORING,
    SKIP,
    SourceLine,
    read_line,
)
from surveys.imports.words.answers_on_line import answers_on
from surveys.imports.words.cues import (
    CONDITION,
    ENDS,
    GOES_ON,
    LEADS_ON,
    NAMES_QUESTION,
    SKIPS_OVER,
    says_how_many,
    without_interviewer,
)
from surveys.imports.words.legends import legend_of
from surveys.imports.words.limits import is_for_all
from surveys.imports.words.marks import chinese_number
from surveys.imports.words.number_ranges import STATED_RANGE
from surveys.imports.words.patterns import BRACKETED, HAN, NUMBER, SPACE_TO_WRITE
from surveys.imports.words.question_marks import SIGN_OF_QUESTION, asks

_NEAR: Final = 8
_FEW: Final = 2
_LAST_BRACKET: Final = re.compile(r"\s?[(（\[][^()（）\[\]]{0,200}[)）\]]\W{0,3}$")
_LEAST_QUOTED: Final = 12
"""Largest number of bytes of a question that is recognised if another line quotes it."""
CONDITION_FORMULA: Final = re.compile(
    r"[^?？=|]{0,30}(?:\[[^\W\d][\w()-]{0,30}\]|\$\{\w{1,30}\}|[^\W\d_]{1,2}\d{1,3}[a-z]?)\s?"
    r"(?:[=!<>]?=|<>|≠)\s?[^?？=|.]{1,30}"
)
"""A line with the code of a question, an equals sign and an answer."""
_MOST_QUOTED: Final = 300
"""Largest number of characters of a quoted question."""
_MOST: Final = 8
"""Largest number of possible quotations in a line."""
_BEHIND: Final = 3
"""Characters that may follow the number to which an instruction leads."""
_ARROWS: Final = ("→", "⇒", "➔", "←", "-", "=")
NUMBER_NAMED: Final = re.compile(
    r"(?<![^\W㐀-鿿])(?<![.])(?P<word>[IVX]{1,4}[.]|[^\W\d_㐀-鿿]{1,2}[.](?=\d)|[^\W\d_㐀-鿿]{0,4}?)"
    r"(?P<number>\d{1,3}(?:[._]\d{1,3})?[a-z]?)(?![^\W㐀-鿿]{2}|[㐀-鿿]{2}(?<![题題].)|[.,:]\d)"
)
"""The number of a question in a remark, with the letters in front of it."""
_HAN_NUMBER: Final = re.compile(r"[一二三四五六七八九十]{1,3}")
_HAN_NAMED: Final = re.compile(
    rf"(?<=第){_HAN_NUMBER.pattern}(?:[、，和至到–~-]第?{_HAN_NUMBER.pattern}){{0,6}}(?=\s?[题題])"
)
CODED_ANSWER: Final = re.compile(
    r"(?:(?<=[=≠>])(?<![-=]>)\s?[\"'“”‘’„]?|\bcodes? "
    r"|(?<![\w.,–-])(?=\d{1,3}\s(?:in|at|bei|en|em)\s[^\W\d_]{1,9}[.\s]{0,2}\d))"
    r"(?P<code>\d{1,3})(?!\d)[\"'“”‘’]?",
    re.IGNORECASE,
)
"""The code of an answer, after an equals sign, or in front of the number of its question: *1 in Q2*."""
_LETTERS: Final = re.compile(r"[㐀-鿿]|[^\W\d_].*\w")
_WORD_START: Final = re.compile(r"(?<!\w)[\w¿]")
_PART_OF_NAME: Final = re.compile(r"[^\W\d_]-$")
_TO_NUMBER: Final = re.compile(
    r"(?P<remark>[^\d.,:;?!]{2,30}\w{0,3}[. ]?\d{1,3}[a-z]?\s?[题題]?)[\s.。]{0,3}$"
)
_ARROW_ALONE: Final = re.compile(r"(?:→|⇒|➔|-{1,3}>|={1,3}>|>>)[^\d?？]{0,30}\d{1,3}[a-z]?\s?[题題]?\W{0,3}")
"""A whole line that leads everyone on: *→ Q6*."""
_PARTED: Final = re.compile(r"[,;:，；：](?!\d)|[.…_]{2}\s{0,3}\d{0,3}|\s{2}|\s[–—-]\s")
"""The text between an answer with its code and an instruction."""
_COLUMN: Final = re.compile(r"[.…]{3}\s{0,9}(?P<remark>\d{1,3}|[^\W\d_]{3,12})\s?$")
"""The number of a question after dots."""
_SECTION: Final = re.compile(
    r"[(（]?(?:(?P<letter>[^\W\d_]{1,4})(?:、|[.)．:）](?!\w))"
    r"|(?P<word>[^\W\d_]{3,14}) (?P<number>\d{1,2}|[^\W\d_]{1,3})(?!\w))"
)
_SECTION_NAMED: Final = re.compile(
    r"(?:(?P<word>[^\W\d_]{1,14}) ?)?(?<![^\W㐀-鿿])"
    r"(?P<letter>\d{1,2}|[^\W\d_㐀-鿿]{1,4}|[一二三四五六七八九十]{1,3}(?=[题題]?\W{0,3}$))[题題]?\W{0,3}$"
)
_STEM: Final = 5
"""Number of letters that all forms of a word for a section share."""
_MOST_PARTED: Final = 40
_SIGNS: Final = "→⇒➔←-=> "
STATED_ANSWER: Final = re.compile(r"[=＝<>≠≤≥]|[«„“\"'”‘「『].{1,40}[»“”\"'’」』]|\b[Cc](?i:odes?) \d")
"""An answer that a condition states: behind an equals sign, or in quotation marks."""


def with_digits(text: str) -> str:
    """Return a text with Chinese numbers of questions in digits.

    Examples
    --------
    >>> with_digits("跳到第四题"), with_digits("第二、三题"), with_digits("四个人")
    ('跳到第4题', '第2、3题', '四个人')
    """
    return _HAN_NAMED.sub(
        lambda named: _HAN_NUMBER.sub(lambda number: str(chinese_number(number[0])), named[0]), text
    )


def codes_before(line: SourceLine) -> set[str]:
    """Return the number in front of a line, with and without its letters.

    Examples
    --------
    >>> sorted(codes_before(read_line(1, "Q5. Do you smoke?", has_gap=False)))
    ['5', 'q5']
    """
    if line.topic == SHEET:
        match = NUMBER_NAMED.match(line.raw.lstrip('| "'))
        return {match["number"], (match["word"] + match["number"]).lower()} if match else set()
    if line.mark is not None and line.mark_kind == "letter" and HAN.match(line.mark.shape):
        return {str(line.mark.value[-1])}
    is_counted = line.mark_kind == "count"
    match = NUMBER_NAMED.search(line.text[: -len(line.body)]) if is_counted and line.body else None
    return {match["number"], (match["word"] + match["number"]).lower()} if match else set()


def codes_of(lines: Sequence[SourceLine | None]) -> dict[str, list[int]]:
    """Return the places of the lines that have each number in front of them."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        for code in codes_before(line) if line else ():
            found[code].append(place)
    return found


def question_codes(lines: Sequence[SourceLine]) -> dict[str, list[int]]:
    """Return the lines of the questions that have each number in front of them, from the first to the last.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their roles.
    """
    asked = [line if line.role in ASKED else None for line in lines]
    return {code: [lines[place].number for place in places] for code, places in codes_of(asked).items()}


def places_ahead(codes: Mapping[str, list[int]], code: re.Match[str], place: int) -> Sequence[int]:
    """Return the next places that have a number in front of them."""
    places = codes.get((code["word"] + code["number"]).lower()) or codes.get(code["number"]) or []
    start = bisect_right(places, place)
    return places[start : start + _NEAR]


def read_skips(lines: Sequence[SourceLine]) -> None:
    """Cut the instructions to skip behind answers, and keep to which line they lead.

    Parameters
    ----------
    lines : sequence of SourceLine
        Lines that are not blank; `SourceLine.target` is set where an instruction is, to 0 if it names no
        line.
    """
    _read_quotes(lines)
    codes = codes_of(lines) | _sections_of(lines)
    columns = _skip_columns(lines, codes)
    for place, line in enumerate(lines):
        match = columns.get(place) or REMARK_BEHIND.search(line.raw) or _plain_skip(line)
        is_for_everyone = BRACKETED.fullmatch(line.text) is not None and is_for_all(line.text)
        if _is_whole_skip(match, codes, lines, place) or (is_for_everyone and not line.role):
            line.mark, line.body = None, line.text
            line.give(LEFT if is_for_everyone else SKIP)
        if match is None or line.role or not _LETTERS.search(line.raw[: match.start()]):
            continue
        remark = match["remark"]
        if asks(remark) or SPACE_TO_WRITE.search(remark) or _is_code(remark, lines, place):
            continue
        target = (
            _ahead_of(codes, remark, place) if place in columns else _place_of(remark, codes, lines, place)
        )
        if not _leads_on(remark, has_target=target is not None):
            continue
        cut = read_line(line.number, line.raw[: match.start()], has_gap=line.has_gap)
        line.raw, line.text, line.cells = cut.raw, cut.text, cut.cells
        line.mark, line.body = cut.mark, cut.body
        if not GOES_ON.fullmatch(remark):
            line.target = lines[target].number if target is not None else 0
            line.skip = remark


def _place_of(
    remark: str, codes: Mapping[str, list[int]], lines: Sequence[SourceLine], place: int
) -> int | None:
    """Return the place of the section or question to which a remark leads; None if it names none."""
    target = _section(remark, codes, place, is_worded=True)
    if target is None:
        target = _target(remark, codes, lines, place)
    return _section(remark, codes, place) if target is None else target


def _leads_on(remark: str, *, has_target: bool) -> bool:
    """Return whether a remark behind an answer is an instruction to skip, and no explanation of it."""
    ends = ENDS.fullmatch(remark) is not None
    if not (ends or GOES_ON.fullmatch(remark) or LEADS_ON.search(remark)):
        return has_target and not says_how_many(remark)
    return has_target or ends or answers_on(remark.lstrip(_SIGNS)) is None or bool(CONDITION.search(remark))


def _is_whole_skip(
    match: re.Match[str] | None, codes: Mapping[str, list[int]], lines: Sequence[SourceLine], place: int
) -> bool:
    """Return whether a whole line leads some people to a question below: *(under 18: go to 5)*.

    It is in brackets, behind an arrow, or begins with a condition.
    """
    line = lines[place]
    is_remark = match is not None and not _LETTERS.search(line.raw[: match.start()])
    if (
        is_remark
        and _ARROW_ALONE.fullmatch(line.text)
        and _target(line.text, codes, lines, place) is not None
    ):
        return not line.role
    if (
        line.role not in ("", SCORING)
        or asks(line.text)
        or not (is_remark or CONDITION.match(f"{without_interviewer(line.text)}:"))
    ):
        return False
    if not LEADS_ON.search(line.text.lstrip(_SIGNS)):
        return False
    section = _section(line.text.rstrip(")）]】"), codes, place)
    text = with_digits(line.text)
    ahead = [each for code in NUMBER_NAMED.finditer(text) for each in places_ahead(codes, code, place)]
    if not ahead and section is not None:
        line.target, line.skip = lines[section].number, line.text
    return bool(ahead) or section is not None


def _sections_of(lines: Sequence[SourceLine]) -> dict[str, list[int]]:
    """Return the places of lines that begin with a letter, or with a word and a number: *III.*, *Part 2*."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        if match := _SECTION.match(line.text.lower()):
            found[match["letter"] or f"{match['word'][:_STEM]} {match['number']}"].append(place)
    return found


def _section(
    remark: str, codes: Mapping[str, list[int]], place: int, *, is_worded: bool = False
) -> int | None:
    """Return the place of the next section that the last words of an instruction name.

    A word in front of the number makes it certain: *page 2* is not question 2 if a line begins with *Page 2*.
    """
    last = _SECTION_NAMED.search(remark.lower()) if LEADS_ON.search(remark) else None
    if last is None:
        return None
    worded = [f"{last['word'][:_STEM]} {last['letter']}"] if last["word"] else []
    names = worded if is_worded else [last["letter"], *worded]
    return min((at for name in names if (at := _ahead_of(codes, name, place)) is not None), default=None)


def _ahead_of(codes: Mapping[str, list[int]], code: str, place: int) -> int | None:
    """Return the next place that a code precedes."""
    places = codes.get(code.strip(), [])
    start = bisect_right(places, place)
    return places[start] if start < len(places) else None


def _skip_columns(lines: Sequence[SourceLine], codes: Mapping[str, list[int]]) -> dict[int, re.Match[str]]:
    """Return the numbers at the ends of dotted lines that refer to questions, not the codes of answers."""
    found: dict[int, re.Match[str]] = {}
    block: dict[int, re.Match[str]] = {}
    for place, line in enumerate(lines):
        match = _COLUMN.search(line.raw)
        if match:
            block[place] = match
        if not match or place + 1 == len(lines):
            numbers = [each["remark"] for each in block.values() if each["remark"].isdecimal()]
            are_ahead = all(_ahead_of(codes, number, place - 1) is not None for number in numbers)
            counted = [*map(int, numbers)]
            is_counting = counted == sorted({*counted}) and counted[:1] < [_FEW]
            is_end = any(ENDS.fullmatch(each["remark"]) for each in block.values())
            found |= block if are_ahead and (is_end or not is_counting) else {}
            block = {}
    return found


def _is_code(remark: str, lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether words in brackets are a code: a line next to it has them with another number."""
    if not NUMBER.search(remark) or LEADS_ON.search(remark):
        return False
    words = NUMBER.sub("9", remark.strip())
    beside = (*lines[max(place - 1, 0) : place], *lines[place + 1 : place + 2])
    found = [match["remark"].strip() for line in beside if (match := REMARK_BEHIND.search(line.raw))]
    return any(NUMBER.sub("9", each) == words and each != remark.strip() for each in found)


def _plain_skip(line: SourceLine) -> re.Match[str] | None:
    """Return an instruction after an answer without brackets or an arrow: *No ..... 2 GO TO Q15*."""
    found = NAMES_QUESTION.search(line.raw) or LEADS_ON.search(line.raw)
    if found is None or asks(line.text) or CONDITION.search(f"{line.text}:"):
        return None
    parted = [*_PARTED.finditer(line.raw, max(0, found.start() - _MOST_PARTED), found.start())]
    is_led = line.mark is not None and LEADS_ON.match(line.raw, found.start()) is not None
    return (
        _TO_NUMBER.match(line.raw, parted[-1].end() if parted else found.start())
        if parted or is_led
        else None
    )


def _read_quotes(lines: Sequence[SourceLine]) -> None:
    """Make conditions from lines that quote a question above them, or give an answer by its code.

    Examples are *Answer was "Yes" at "Do you smoke?"* and *[q1] = '1'*.
    """
    asked_above: set[str] = set()
    above: SourceLine | None = None
    for line in lines:
        words = line.body.casefold().rstrip("* ")
        is_formula = CONDITION_FORMULA.fullmatch(line.text) is not None or _refers_back(line, above)
        quoted = [] if _asks_itself(line) else _possible_quotations(words)
        if not line.role and (is_formula or any(each in asked_above for each in quoted)):
            line.mark, line.body = None, line.text
            line.give(SKIP)
        elif asks(line.body) and len(words.encode()) >= _LEAST_QUOTED:
            asked_above.add(words)
        above = line


def _asks_itself(line: SourceLine) -> bool:
    """Return whether a line is a question: it has a number, or only a remark or a sentence is behind its end.

    *2. What do you smoke? (Tick all)* does not quote *Do you smoke?*.
    """
    _asked, sign, behind = line.body.replace("？", "?").replace("؟", "?").partition("?")
    is_followed = bool(sign) and behind.lstrip(" *_")[:1].isupper()
    is_counted = line.mark_kind == "count"
    return is_counted or is_followed or asks(_LAST_BRACKET.sub("", line.body))


def _refers_back(line: SourceLine, above: SourceLine | None) -> bool:
    """Return whether a line names an earlier question, directly below a question with a number."""
    named = NAMES_QUESTION.search(line.text)
    if named is None or above is None or line.mark or line.has_gap or asks(line.text):
        return False
    own = above.mark.value if above.mark and above.mark.kind == "count" else ()
    return any(0 < int(number) < max(own, default=0) for number in NUMBER.findall(named[0]))


def _possible_quotations(text: str) -> Iterator[str]:
    """Return the parts of a text from a word to a question mark that is not at its end.

    A question may end with another: "How often do you smoke?" does not quote "Do you smoke?".
    """
    for mark in islice(SIGN_OF_QUESTION.finditer(text, 0, len(text) - 1), _MOST):
        least, end = max(0, mark.end() - _MOST_QUOTED), mark.end()
        yield from (text[word.start() : end] for word in _WORD_START.finditer(text, least, end))


def _target(
    remark: str, codes: Mapping[str, list[int]], lines: Sequence[SourceLine], place: int
) -> int | None:
    """Return the place of the line that the last number of a remark names, if it is ahead."""
    remark = with_digits(remark)
    found = [*NUMBER_NAMED.finditer(remark)]
    legend = legend_of(remark)
    if (legend and len(legend.points) > 1) or CODED_ANSWER.search(remark):
        # Points of answers, or the code of one: (never – 0, often – 3), (if Q1 = 2).
        return None
    if not found or len(remark) - found[-1].end() > _BEHIND or STATED_ANSWER.match(remark, found[-1].end()):
        return None
    last = found[-1]
    ranges = [span for span in STATED_RANGE.finditer(remark) if span.end() == last.end()]
    leads_on = LEADS_ON.search(remark[: ranges[0].start()]) if ranges else None
    if ranges and not (leads_on or SKIPS_OVER.search(remark)):
        # The smallest and the largest answer: (0 to 7).
        return None
    is_bare = not any(map(str.isalpha, remark[: last.end()]))
    if is_bare and remark[0] not in _ARROWS and not LEADS_ON.search(remark):
        # The points of an answer: (2 points).
        return None
    if _PART_OF_NAME.search(remark[: last.start()]):
        # The name of a scale: (AB-7).
        return None
    ahead = places_ahead(codes, last, place + 1)
    return next((each for each in ahead if asks(lines[each].text)), ahead[0] if ahead else None)
