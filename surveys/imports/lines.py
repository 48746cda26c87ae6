"""Lines of a pasted survey: the role of each by its marks, and its language.

Two languages can be side by side with ``|`` in between, on alternate lines in two scripts, or one after the
other with a line of ``===`` in between.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from surveys.imports.answer_blocks import Line, with_roles
from surveys.imports.numbering import with_known_numbers
from surveys.imports.printed_layouts import (
    HAN,
    MARK,
    NUMBER,
    ROUND,
    ROWS,
    SPECIAL,
    SQUARE,
    Shaper,
    pattern_of,
    words_of,
)
from surveys.imports.scoring_lines import with_scoring
from surveys.questionnaire.displayed import limit_marks

_TAGS: Final = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_IMAGE: Final = re.compile(r"!?\[(?P<text>[^\[\]]{0,200})\]\([^()\s]{1,300}\)")
_STRONG: Final = re.compile(r"(?<![\w_])__(?=[^\W_])|(?<=[^\W_])__(?![\w_])")
_EMPHASIS: Final = re.compile(r"(?<![\w*\\])[*](?=[^\s*])(?P<text>[^*\n]{1,200})(?<=[^\s*])[*](?![\w*])")
_MARKDOWN_HEADING: Final = re.compile(r"^#{1,6} ")


def plain(text: str) -> str:
    """Remove tags, entities and Markdown from a text.

    Examples
    --------
    >>> plain("**Did** <span style='color:red'>anybody</span> *hit*&nbsp;you?")
    'Did anybody hit you?'
    """
    text = without_markup(text)
    if "*" in text or "__" in text:
        text = _EMPHASIS.sub(lambda match: match["text"], _STRONG.sub("", text))
    return " ".join(_MARKDOWN_HEADING.sub("", text).split())


def without_markup(text: str) -> str:
    """Remove tags, entities and double asterisks from a text, but keep its blanks."""
    if "<" in text or "&" in text:
        text = html.unescape(_TAGS.sub("", text)).replace("\xa0", " ")
    if "](" in text:
        text = _IMAGE.sub(lambda match: match["text"], text)
    return text.replace("**", "")


MOST_CHARACTERS: Final = 100_000
"""Longest pasted text that is read."""

# Lines from `lines_of` never have two adjacent blanks.
_HEADING: Final = re.compile(
    r"(?:#{1,6}\s?|[一二三四五六七八九十]{1,3}、\s?"
    r"|(?=(?:part|section) [A-Z\d]{1,3}\b(?!.{0,80}\?)|第[一二三四五六七八九十\d]{1,3}部分))(?P<text>.+)",
    re.IGNORECASE,
)
ASKED: Final = "asked"
"""Style of a question that was an item of a table or a scale."""
_HELP: Final = re.compile(r"[>＞]\s?(?P<text>.+)")
_NUMBERED: Final = re.compile(r"(?P<style>(?:Q|Question|问题|第|[(（])?)" + NUMBER, re.IGNORECASE)
_OPTION: Final = re.compile(rf"(?!-\d)(?:{MARK})\s?(?P<text>\S.*)")
# Matched backwards from the end of a line: matching forwards from each question mark took quadratic time.
_ASKS_BACKWARDS: Final = re.compile(r"[^\w?？]*[?？]")
_CELLS: Final = re.compile(r"\t| {3,}")
_BOX_BEHIND: Final = re.compile(r"^\s{0,9}([^\W\d][^☐□▢○?？]{0,80}?)\s{0,9}([☐□▢○])\s{0,9}$")
_BLANK_BEHIND: Final = re.compile(r"(?<=[?？])\s?[(（]\s?[)）]$")
"""Brackets to write an answer in."""
_RULE: Final = re.compile(r":?-{1,99}:?")
"""A cell of the line below the header of a Markdown table."""
_WIDE: Final = {
    code: code - 0xFEE0 for ends in ("０９", "ＡＺ", "ａｚ") for code in range(ord(ends[0]), ord(ends[1]) + 1)
} | {**dict.fromkeys(range(0xF020, 0xF100), "☐"), ord("⊗"): None}
"""Full-width digits and letters, and the usual ones; the bullets of word processors' own fonts, and a box."""
_SHEET: Final = pattern_of("sheet")
_HEAD: Final = 5_000
"""Characters in which the first two lines of a sheet end."""
_FLAG: Final = re.compile(r"[\[【](?P<word>[^\[\]【】]{1,30})[\]】]")
_BESIDE: Final = re.compile(r"\s?[|｜\t]\s?|\s/\s")
_BETWEEN: Final = re.compile(r"\s?={3,}\s?")
_BLANKS: Final = re.compile(r"\s+")
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
_NOT_ENGLISH: Final = words_of("not-english")
# Keep zero-width joiners and non-joiners, which Persian, Hindi and emoji need.
_INVISIBLE: Final = re.compile("[\ue010\u00ad\u200b\u200e\u200f\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]")

_SCRIPT_OF: Final = words_of("script-")
"""Scripts of Chinese, by characters that the other script lacks."""

_MARKS: Final = {"heading": _HEADING, "help": _HELP, "question": _NUMBERED, "option": _OPTION}

_FLAG_OF: Final = words_of("flag-")
"""Names of flags, by their words in square brackets at the end of a line."""
_LONGEST_FLAG: Final = 32
_ROUND: Final = re.compile(r"[(（](?P<word>[㐀-䶿一-鿿]{2,8}|required|optional)[)）]", re.IGNORECASE)
"""Chinese flags in round brackets; English words in round brackets belong to the question."""

_ABOUT_OF: Final = words_of("about-")
_ABOUT: Final = re.compile(
    rf"(?P<name>{'|'.join(sorted(map(re.escape, _ABOUT_OF), key=len, reverse=True))})\s?[:：]"
    r"\s?(?P<text>\S.*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class PastedLine:
    """One line in one language.

    Parameters
    ----------
    number : int
        Line number in the pasted text, counted from 1.
    role : str
        Meaning of its mark: ``heading``, ``question``, ``option``, ``help``, ``about``, or one of `SPECIAL`;
        ``plain`` without a mark, ``blank`` without a text.
    text : str
        The text without the mark.
    flags : frozenset of str
        Names of flags in `phrases.tsv`.
    style : str
        Style of the numbering; for an ``about`` line, its topic.
    count : int
        The number of a numbered line.
    """

    number: int
    role: str
    text: str
    flags: frozenset[str] = frozenset()
    style: str = ""
    count: int = 0


def asks(text: str) -> bool:
    """Return whether a text ends with a question mark, possibly followed by signs but not by words."""
    return _ASKS_BACKWARDS.match(text[::-1]) is not None


def lines_of(text: str) -> list[str]:
    """Return the visible lines of a pasted text, with one blank between words.

    A tab among several blanks is kept in their place, because it separates two languages.

    Examples
    --------
    >>> lines_of("Sleep \\r\\n\\n1. Bad  at\\tnight?\\ufeff")
    ['Sleep', '', '1. Bad at\\tnight?']
    """
    return [
        _BLANKS.sub(lambda blanks: "\t" if "\t" in blanks[0] else " ", line).strip(" ")
        for line in _seen_lines(text)
    ]


def shape_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of a pasted text with their numbers, after rewriting other layouts.

    See `surveys.imports.printed_layouts`. This is for texts in one language.

    Examples
    --------
    >>> [line for _number, line in shape_lines("Sleep\\n1. Bad?  ☐ Yes  ☐ No")][:2]
    ['Sleep', '\\x03Bad?']
    """
    known = with_known_numbers(_seen_lines(text))
    seen = with_roles(with_scoring([Line(number, line) for number, line in enumerate(known, start=1)]))
    rows = _mark_empty_rows([[line.text] if line.sign else _cells_of(line.text) for line in seen])
    lines = [
        (line, cells)
        for line, row in zip(seen, rows, strict=True)
        for cells in ([row] if line.sign else _split_columns(row))
    ]
    nonempty = [*(cells for _line, cells in lines if cells), []]
    shaper, n_nonempty = Shaper(), 0
    for line, cells in lines:
        n_nonempty += bool(cells)
        if line.sign:
            shaper.keep(line.number, line.sign, " ".join(line.text.split()))
        else:
            shaper.take(line.number, cells, nonempty[n_nonempty])
    return shaper.lines


def is_sheet(text: str) -> bool:
    """Return whether a text is a sheet of another tool, with one question in each row.

    Examples
    --------
    >>> is_sheet("type,name,label\\nmc,hit,Has anyone hit you?"), is_sheet("Name, type of work\\n1. Bad?")
    (True, False)
    """
    rows = [line for line in _seen_lines(text[:_HEAD]) if line.strip()][:2]
    return len(rows) > 1 and any(
        len(cells) > 2
        and 2 * sum(_SHEET.fullmatch(cell.strip(' "').lower()) is not None for cell in cells) > len(cells)
        and rows[1].count(sign) >= len(cells) - 2
        for sign in "\t,;"
        for cells in [rows[0].split(sign)]
    )


def _cells_of(line: str) -> list[str]:
    cells = line.strip().strip("|").split("|") if line.count("|") > 1 else _CELLS.split(line)
    return [" ".join(cell.split()) for cell in cells]


def _split_columns(cells: list[str]) -> list[list[str]]:
    """Return options in columns as lines of their own, after their question; drop empty cells.

    Examples
    --------
    >>> _split_columns(["A. Never", "B. Once"]), _split_columns(["Tea", "☐", "☐"])
    ([['A. Never'], ['B. Once']], [['Tea', '☐', '☐']])
    """
    cells = [cell for cell in cells if cell]
    first, *others = cells or [""]
    marks = {_mark_of(cell) for cell in others}
    if len(marks) != 1 or "" in marks or not (_mark_of(first) in marks or _NUMBERED.fullmatch(first)):
        return [cells]
    return [[first], *([cell] for cell in others)]


def _mark_of(cell: str) -> str:
    """Return the mark before an option, the same for all letters; empty if the cell is no option."""
    match = _OPTION.fullmatch(cell)
    if match is None or not any(map(str.isalpha, match["text"])):
        return ""
    return "a" if cell.lstrip("(（")[0].isalpha() else cell[0]


def _mark_empty_rows(rows: list[list[str]]) -> list[list[str]]:
    """Mark the empty cells of items below a header; empty the rules of Markdown tables.

    Examples
    --------
    >>> _mark_empty_rows([["", "Never", "Often"], ["---", "---", "---"], ["Beer", "", ""]])
    [['', 'Never', 'Often'], [], ['Beer', '☐', '☐']]
    """
    found, width = [], 0
    for row in rows:
        if len(row) > 1 and all(map(_RULE.fullmatch, row)):
            row = []
        elif len(row) == width and row[0] and not any(row[1:]):
            row = [row[0], *["☐"] * (width - 1)]
        else:
            width = len(row) if len(row) > 2 and all(row[1:]) else 0
        found.append(row)
    return found


def _seen_lines(source: str) -> list[str]:
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", limit_marks(source)).replace("\r\n", "\n"))
    text = text.translate(_WIDE)
    lines = map(without_markup, text.replace("\r", "\n").split("\n"))
    return [_BOX_BEHIND.sub(r"\2 \1", line) for line in lines]


def _without_flags(line: str) -> tuple[str, list[str]]:
    """Split off the flags and blanks at the end of a line; return the rest, and the flags in order."""
    words: list[str] = []
    end = len(line)
    while True:
        while end and line[end - 1].isspace():
            end -= 1
        if end > 1 and line[end - 1] in "*＊":
            end -= 1
            continue
        if not end or line[end - 1] not in "]】)）":
            return line[:end], words[::-1]
        begin = max(line.rfind(bracket, max(0, end - _LONGEST_FLAG), end) for bracket in "[【(（")
        flag = (
            (_FLAG.fullmatch(line, begin, end) or _ROUND.fullmatch(line, begin, end)) if begin >= 0 else None
        )
        if flag is None or flag["word"].strip().lower() not in _FLAG_OF:
            return line[:end], words[::-1]
        words.append(flag["word"])
        end = begin


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
    texts = [_parse_line(*line).text for line in _separate_scripts([*enumerate(lines)])]
    pieces = [piece for text in texts for piece in _BESIDE.split(text) if any(map(str.isalpha, piece))]
    chinese = [bool(HAN.search(piece)) for piece in pieces]
    scripts = [_SCRIPT_OF[sign] for piece in pieces for sign in piece if sign in _SCRIPT_OF]
    chinese_tag = "zh-hant" if 2 * scripts.count("hant") > len(scripts) else "zh-hans"
    if 5 * sum(bool(_KANA.search(piece)) for piece in pieces) > len(pieces):
        return ()
    if sum(chinese) * 5 > len(chinese) * 4:
        return (chinese_tag,)
    if sum(chinese) * 5 >= len(chinese) and chinese:
        return (chinese_tag, "en") if chinese[0] else ("en", chinese_tag)
    words = [word for piece in pieces for word in _WORDS.findall(piece.lower())]
    other = _frequent_language(words)
    return (other,) if other else ("en",) if _is_english(pieces) else ()


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


def streams_of(lines: Sequence[tuple[int, str]], languages: Sequence[str]) -> list[list[PastedLine]] | None:
    """Separate the lines of each language, in the order of the languages; None if that is ambiguous.

    Parameters
    ----------
    lines : sequence of (int, str)
        Lines with their numbers.
    languages : sequence of str
        One or two.
    """
    if len(languages) == 1:
        return [_demote_options([_parse_line(number, line) for number, line in lines])]
    between = next(
        (position for position, (_number, line) in enumerate(lines) if _BETWEEN.fullmatch(line)), None
    )
    if between is not None:
        parts = lines[:between], lines[between + 1 :]
        return [_demote_options([_parse_line(number, line) for number, line in half]) for half in parts]
    lines = _separate_scripts(lines)
    whole = [(number, line) for number, line in lines if line]
    if 2 * sum(len(_BESIDE.split(line)) == 2 for _number, line in whole) >= len(whole) > 0:
        return _side_by_side(lines)
    chinese = [tag.split("-")[0] in ("zh", "yue", "wuu") for tag in languages]
    if chinese[0] == chinese[1]:
        return None
    return _by_script(lines, first_is_chinese=chinese[0])


def _separate_scripts(lines: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Write | between Chinese and another script, if at least half of the lines have one after the other.

    Examples
    --------
    >>> _separate_scripts([(1, "1. 您吸烟吗？ Do you smoke?"), (2, "A. Yes（是）"), (3, "B. 否 No")])
    [(1, '1. 您吸烟吗？ | Do you smoke?'), (2, 'A. Yes | 是'), (3, 'B. 否 | No')]
    """
    split = [(number, _separate_scripts_in(line)) for number, line in lines]
    n_split = sum(line != new for (_number, line), (_same, new) in zip(lines, split, strict=True))
    n_texts = sum(any(map(str.isalpha, _parse_line(*line).text)) for line in lines)
    if n_split == 0 or 2 * n_split < n_texts:
        return lines
    joined: list[tuple[int, str]] = []
    for number, line in split:
        before = joined[-1][1] if joined else ""
        is_pair = "|" not in before + line and bool(HAN.search(before)) != bool(HAN.search(line))
        is_text = any(map(str.isalpha, before)) and any(map(str.isalpha, line))
        if is_pair and is_text and _parse_line(number, line).role == "plain":
            joined[-1] = joined[-1][0], f"{before} | {line}"
        else:
            joined.append((number, line))
    return joined


def _separate_scripts_in(line: str) -> str:
    """Write | where a line changes from Chinese to another script or back, if it does so once."""
    body, flags = _without_flags(line)
    text = _parse_line(0, body).text
    han = [match.start() for match in HAN.finditer(text)]
    if not han or _BESIDE.search(line) or not body.endswith(text):
        return line
    head, tail = text[: han[0]], text[han[-1] + 1 :]
    if _has_latin(head) == _has_latin(tail):
        return line
    if _has_latin(head):
        last = max(place for place, sign in enumerate(head) if sign.isalpha()) + 1
        cut = max(last, head.rfind(" "))
        while cut < len(head) and head[cut] in ".?!,:;)":
            cut += 1
    else:
        first = next(place for place, sign in enumerate(tail) if sign.isalpha())
        blank = tail.find(" ", 0, first)
        cut = len(text) - len(tail) + (blank if blank >= 0 else len(tail[:first].rstrip("(（")))
    left, right = text[:cut].strip(), text[cut:].strip()
    if right[0] in "(（" and right[-1] in ")）":
        right = right[1:-1]
    return f"{body[: len(body) - len(text)]}{left} | {right}" + "".join(f" [{flag}]" for flag in flags)


def _has_latin(text: str) -> bool:
    """Return whether a text has words: a single letter is a mark."""
    return sum(map(str.isalpha, text)) > 1


def _side_by_side(lines: Sequence[tuple[int, str]]) -> list[list[PastedLine]]:
    first: list[PastedLine] = []
    second: list[tuple[int, PastedLine]] = []
    for place, (number, line) in enumerate(lines):
        left, *right = _BESIDE.split(line, maxsplit=1)
        first.append(_parse_line(number, left))
        if right:
            # The left part of the line decides its role; the mark may be repeated on the right.
            other = _parse_line(number, right[0])
            first[-1] = replace(first[-1], flags=first[-1].flags | other.flags)
            second.append((place, replace(first[-1], text=other.text)))
        elif not any(map(str.isalpha, first[-1].text)):
            second.append((place, first[-1]))
    # The numbering on the left decides which lines are questions.
    first = _demote_options(first)
    return [first, [replace(line, role=first[place].role) for place, line in second]]


def _by_script(source: Sequence[tuple[int, str]], *, first_is_chinese: bool) -> list[list[PastedLine]]:
    lines = _demote_options([_parse_line(number, line) for number, line in source])
    streams: list[list[PastedLine]] = [[], []]
    before: tuple[PastedLine, bool] | None = None
    for line in lines:
        if not any(map(str.isalpha, line.text)):
            for stream in streams:
                stream.append(line)
            before = None
            continue
        is_chinese = bool(HAN.search(line.text))
        # A line without a mark that follows a line in the other script is its translation.
        if line.role == "plain" and before is not None and before[1] != is_chinese:
            line = replace(
                line, role=before[0].role, style=before[0].style, flags=line.flags | before[0].flags
            )
        streams[is_chinese != first_is_chinese].append(line)
        before = line, is_chinese
    return streams


def _parse_line(number: int, line: str) -> PastedLine:
    """Parse a line by its mark. A numbered line counts as a question until `_demote_options` decides."""
    if line in ("", ">", "＞"):
        return PastedLine(number=number, role="blank", text="")
    fixed_role = SPECIAL.get(line[:1])
    line, words = _without_flags(line[fixed_role is not None :].lstrip())
    flags = {_FLAG_OF[word.strip().lower()] for word in words} - {""}
    if fixed_role is not None:
        style = ASKED if fixed_role == "question" else ""
        return PastedLine(number=number, role=fixed_role, text=line, flags=frozenset(flags), style=style)
    role, text, style, count = "plain", line, "", 0
    if about := _ABOUT.fullmatch(line):
        role, text, style = "about", about["text"], _ABOUT_OF[about["name"].lower()]
    else:
        marks = ((name, pattern.fullmatch(line)) for name, pattern in _MARKS.items())
        role, match = next(((name, match) for name, match in marks if match), (role, None))
        if match:
            text = match["text"].strip()
        if role == "option":
            flags |= {"square"} if SQUARE.match(line) else {"round"} if ROUND.match(line) else set()
        elif match and role == "question":
            style, count = match["style"].lower() + match["sign"], int(match["count"])
            text = _BLANK_BEHIND.sub("", text)
            if (flag := _FLAG.match(text)) and flag["word"].lower() in _FLAG_OF:
                flags, text = flags | {_FLAG_OF[flag["word"].lower()]} - {""}, text[flag.end() :].lstrip()
        elif role == "heading" and line[0] in "一二三四五六七八九十" and asks(text):
            role, style = "question", ASKED
    return PastedLine(number=number, role=role, text=text, flags=frozenset(flags), style=style, count=count)


def _demote_options(lines: list[PastedLine]) -> list[PastedLine]:
    """Turn numbered lines that are not questions into options.

    Lines numbered in the style of the first question (``1.`` or ``1)``) are questions. So are lines that end
    with a question mark, that continue the numbering of the last question, or that come after a heading or
    options with other marks. Users notice an option that was read as a question, but not the reverse.
    """
    styles = [line.style for line in lines if line.role == "question" and line.style != ASKED]
    found: list[PastedLine] = []
    n_asked, before = 0, None
    for line in lines:
        if line.role == "heading" or (line.role == "option" and before is None):
            before = line
        elif line.role == "question" and (
            line.style in (ASKED, *styles[:1])
            or asks(line.text)
            or (before is None and line.count == n_asked + 1)
            or (before is not None and (line.style != before.style or line.count <= before.count))
        ):
            n_asked, before = line.count or n_asked + 1, None
        elif line.role == "question":
            line = before = replace(line, role="option")
        found.append(line)
    return found
