"""The visible lines of a pasted survey, and their languages.

Two languages can be side by side with ``|`` in between, on alternate lines in two scripts, or one after the
other with a line of ``===`` in between.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from surveys.imports.cues import ROWS, words_of
from surveys.imports.marks import asks, mark_of
from surveys.questionnaire.displayed import limit_marks

HAN: Final = re.compile("[㐀-䶿一-鿿]")
_TAGS: Final = re.compile(
    r"</?(?:a|b|big|blockquote|br|button|center|code|div|em|fieldset|font|form|h[1-6]|hr|html|body|head|i|img"
    r"|input|label|legend|li|meta|ol|optgroup|option|p|pre|s|section|select|small|span|strong|style|sub|sup"
    r"|t(?:able|body|d|extarea|h|head|r)|u|ul)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
_IMAGE: Final = re.compile(r"!?\[(?P<text>[^\[\]]{0,200})\]\([^()\s]{1,300}\)")
_STRONG: Final = re.compile(r"(?<![\w_])__(?=[^\W_])|(?<=[^\W_])__(?![\w_])")
_UNUSUAL_MARK: Final = re.compile(
    r"^(?P<indent>\s{0,40})(?:(?P<a>[A-Za-z])/|[<{«](?P<b>[A-Za-z]|\d{1,2})[>}»]|§\s?(?P<c>\d{1,2}))\s+(?=\S)"
)
"""A letter or number between other signs than usual in front of a line."""
_EMPHASIS: Final = re.compile(r"(?<![\w*\\])[*](?=[^\s*])(?P<text>[^*\n]{1,200})(?<=[^\s*])[*](?![\w*])")
_BOLD: Final = re.compile(r"(\*\*|__)(?P<text>[^*_]{1,300})\1")
_ITALIC: Final = re.compile(r"([*_])(?P<text>[^*_\s][^*_]{0,300})(?<=\S)\1")
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

_BOX_BEHIND: Final = re.compile(r"^\s{0,9}([^\W\d][^☐□▢○?？]{0,80}?)\s{0,9}([☐□▢○])\s{0,9}$")
_WIDE: Final = {
    code: code - 0xFEE0 for ends in ("０９", "ＡＺ", "ａｚ") for code in range(ord(ends[0]), ord(ends[1]) + 1)
} | {**dict.fromkeys(range(0xF020, 0xF100), "☐"), ord("⊗"): None}
"""Full-width digits and letters, and the usual ones; the bullets of word processors' own fonts, and a box."""
_DRAWN: Final = re.compile(
    "(?P<enclosed>[\u24b6-\u24e9\u2776-\u2792\U0001f110-\U0001f129\U0001f150-\U0001f169\U0001f170-\U0001f189])|[\u25a0-\u25ff\u2600-\u27bf\u2900-\u2bff]"
)
"""Digits and letters in circles and boxes, and drawn signs."""
_ROUND_NAMES, _SQUARE_NAMES = ("CIRCLE", "ELLIPSE", "FISHEYE", "BULLSEYE"), ("SQUARE", "BALLOT BOX")
_LEADERS: Final = re.compile(r"(?<=\w)\s?(?:[.…·]\s?){4,99}(?=\s{0,20}[\[(☐□▢○])")
"""Dots between a text and its boxes."""
_RUN: Final = re.compile(r"(?<![\d.,–—-])\d{1,2}(?:\s?[-–—/|]\s?\d{1,2}){2,11}(?![\d.,–—-])")
_FENCED: Final = re.compile(r"(?P<sign>[=*~#-])(?P=sign){0,5}\s(?P<text>\S.{0,200})\s(?P=sign){1,6}")
"""A line between the same signs, such as a heading of a wiki."""
_FLAG: Final = re.compile(r"[\[【［〔](?P<word>[^\[\]【】［］〔〕]{1,30})[\]】］〕]")
_BESIDE: Final = re.compile(r"\s?[|｜\t]\s?|\s/\s")
_BEFORE_COLON: Final = re.compile(r"(?<=\S)\s{2,}(?=[:：]\s)")
_ROUND_BEFORE: Final = re.compile(r"\s*[oO]\s{2}")
_CAPITAL_ROUND: Final = re.compile(r"(?:^(?<!\S)|(?<=\s\s)|(?<=[:?]\s)|(?<=^\s))[oO]\s+(?=\w)")
"""The letter O that stands for a round box, before several answers or in front of two blanks."""
_KEYCAP: Final = re.compile("([0-9])\ufe0f?\u20e3 ?")
_QUOTE: Final = re.compile(r"^\s{0,9}(?:> ?){1,9}")
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

FLAG_OF: Final = words_of("flag-")
"""Names of flags, by their words in square brackets at the end of a line."""
_LONGEST_FLAG: Final = 32
_ROUND: Final = re.compile(r"[(（](?P<word>[㐀-䶿一-鿿]{2,8}|required|optional)[)）]", re.IGNORECASE)
"""Chinese flags in round brackets; English words in round brackets belong to the question."""


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
        for line in seen_lines(text)
    ]


def seen_lines(source: str) -> list[str]:
    """Return the lines of a text without markup and invisible signs; bold lines become headings.

    Examples
    --------
    >>> seen_lines("**Work**\\n**1. Do you lie?**\\nYes ☐")
    ['###### Work', '1. Do you lie?', '☐ Yes']
    """
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", limit_marks(source)).replace("\r\n", "\n"))
    text = _KEYCAP.sub(r"\1. ", text.translate(_WIDE))
    text = _DRAWN.sub(_usual_sign, text)
    lines = map(_seen, _without_quotes(text.replace("\r", "\n").split("\n")))
    return [_BOX_BEHIND.sub(r"\2 \1", line) for line in lines]


def _usual_sign(match: re.Match[str]) -> str:
    """Return the usual sign for one that is drawn otherwise: a box, or a digit or a letter in a circle."""
    sign = match[0]
    name = unicodedata.name(sign, "")
    if match["enclosed"]:
        inner = unicodedata.digit(sign, None)
        return f"{name[-1] if inner is None else inner}) "
    is_round = any(word in name for word in _ROUND_NAMES)
    return "○" if is_round else "☐" if any(word in name for word in _SQUARE_NAMES) else sign


def _without_dashes(match: re.Match[str]) -> str:
    """Return numbers that count up without the signs between them."""
    steps = [int(step) for step in re.findall(r"\d+", match[0])]
    is_run = steps == [*range(steps[0], steps[0] + len(steps))] and steps[0] < 2
    return "  ".join(map(str, steps)) if is_run else match[0]


def _without_quotes(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a mail without the sign before quoted ones, if most lines are quoted."""
    full = [line for line in lines if line.strip()]
    quoted = [_QUOTE.sub("", line).strip() for line in full if line.lstrip()[:1] == ">"]
    are_asking = any(asks(line) or mark_of(line)[0] for line in quoted)
    if 2 * len(quoted) <= len(full) or not are_asking:
        return lines
    return [_QUOTE.sub("", line) for line in lines]


def _seen(line: str) -> str:
    """Return a line without markup; a line that is bold as a whole as a heading, in italics in brackets."""
    line = _LEADERS.sub("     ", _BEFORE_COLON.sub("", line))
    line = _UNUSUAL_MARK.sub(lambda mark: f"{mark['indent']}{mark['a'] or mark['b'] or mark['c']}) ", line)
    line = _RUN.sub(_without_dashes, line)
    if _ROUND_BEFORE.match(line) or len(_CAPITAL_ROUND.findall(line)) > 1:
        line = _CAPITAL_ROUND.sub("○ ", line)
    bare = line.strip()
    if fenced := _FENCED.fullmatch(bare):
        is_heading = fenced["sign"] in "=#" and mark_of(fenced["text"])[0] is None
        sign = "###### " if is_heading else ""
        return f"({fenced['text']})" if fenced["sign"] in "*~-" else sign + fenced["text"]
    if bare[:1] not in ("*", "_"):
        return without_markup(line)
    if (match := _BOLD.fullmatch(bare)) and mark_of(match["text"])[0] is None:
        return f"###### {without_markup(match['text'])}"
    match = _ITALIC.fullmatch(bare)
    if match is None:
        return without_markup(line)
    return f"({match['text']})" if mark_of(match["text"])[0] is None else match["text"]


def split_flags(line: str) -> tuple[str, list[str]]:
    """Split off the flags and blanks at the end of a line; return the rest, and the flags in order."""
    words: list[str] = []
    end = len(line)
    while True:
        while end and line[end - 1].isspace():
            end -= 1
        if end > 1 and line[end - 1] in "*＊":
            end -= 1
            continue
        if not end or line[end - 1] not in "]】］〕)）":
            return line[:end], words[::-1]
        begin = max(line.rfind(bracket, max(0, end - _LONGEST_FLAG), end) for bracket in "[【［〔(（")
        flag = (
            (_FLAG.fullmatch(line, begin, end) or _ROUND.fullmatch(line, begin, end)) if begin >= 0 else None
        )
        if flag is None or flag["word"].strip().lower() not in FLAG_OF:
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
    texts = [split_flags(mark_of(line)[1])[0] for _number, line in _separate_scripts([*enumerate(lines)])]
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


Pair = tuple[int, str]
"""A line with its number."""


def streams_of(lines: Sequence[Pair], languages: Sequence[str]) -> list[list[Pair]] | None:
    """Separate the lines of each language, in the order of the languages; None if that is ambiguous.

    Parameters
    ----------
    lines : sequence of (int, str)
        Lines with their numbers.
    languages : sequence of str
        One or two.

    Examples
    --------
    >>> streams_of([(1, "1. Bad? | 不好吗？"), (2, "- No | 否")], ("en", "zh-hans"))
    [[(1, '1. Bad?'), (2, '- No')], [(1, '1. 不好吗？'), (2, '- 否')]]
    """
    if len(languages) == 1:
        return [[*lines]]
    between, *further = [place for place, (_n, line) in enumerate(lines) if _BETWEEN.fullmatch(line)] or [-1]
    if between >= 0 and not further:
        return [[*lines[:between]], [*lines[between + 1 :]]]
    lines = _separate_scripts(lines)
    whole = [line for _number, line in lines if line.strip()]
    if 2 * sum(len(_BESIDE.split(line.strip())) == 2 for line in whole) >= len(whole) > 0:
        return _side_by_side(lines)
    chinese = [tag.split("-")[0] in ("zh", "yue", "wuu") for tag in languages]
    return None if chinese[0] == chinese[1] else _by_script(lines, first_is_chinese=chinese[0])


def _mark_before(line: str) -> str:
    """Return the mark of a line with what is before it."""
    text = line.strip()
    mark, body = mark_of(text)
    return text[: len(text) - len(body)] if mark else ""


def _side_by_side(lines: Sequence[Pair]) -> list[list[Pair]]:
    first: list[Pair] = []
    second: list[Pair] = []
    for number, line in lines:
        left, *right = _BESIDE.split(line.strip(), maxsplit=1)
        first.append((number, left))
        if right:
            # The mark may be repeated on the right.
            second.append(
                (number, _mark_before(left) + (mark_of(right[0])[1] if _mark_before(left) else right[0]))
            )
        elif not any(map(str.isalpha, left)):
            second.append((number, left))
    return [first, second]


def _by_script(lines: Sequence[Pair], *, first_is_chinese: bool) -> list[list[Pair]]:
    streams: list[list[Pair]] = [[], []]
    mark, was_chinese = "", None
    for number, line in lines:
        if not any(map(str.isalpha, line)):
            for stream in streams:
                stream.append((number, line))
            was_chinese = None
            continue
        is_chinese = bool(HAN.search(line))
        # A line without a mark that follows a line in the other script is its translation.
        own = _mark_before(line)
        if not own and was_chinese is not None and was_chinese != is_chinese:
            line = mark + line.strip()
        mark, was_chinese = own or mark, is_chinese
        streams[is_chinese != first_is_chinese].append((number, line))
        mark = own or (mark if line.startswith(mark) else "")
    return streams


def _separate_scripts(lines: Sequence[Pair]) -> Sequence[Pair]:
    """Write | between Chinese and another script, if at least half of the lines have one after the other.

    Examples
    --------
    >>> _separate_scripts([(1, "1. 您吸烟吗？ Do you smoke?"), (2, "A. Yes（是）"), (3, "B. 否 No")])
    [(1, '1. 您吸烟吗？ | Do you smoke?'), (2, 'A. Yes | 是'), (3, 'B. 否 | No')]
    """
    split = [(number, _separate_scripts_in(line)) for number, line in lines]
    n_split = sum(line != new for (_number, line), (_same, new) in zip(lines, split, strict=True))
    n_texts = sum(any(map(str.isalpha, line)) for _number, line in lines)
    if n_split == 0 or 2 * n_split < n_texts:
        return lines
    joined: list[Pair] = []
    for number, line in split:
        before = joined[-1][1] if joined else ""
        is_pair = "|" not in before + line and bool(HAN.search(before)) != bool(HAN.search(line))
        is_text = any(map(str.isalpha, before)) and any(map(str.isalpha, line))
        if is_pair and is_text and not _mark_before(line):
            joined[-1] = joined[-1][0], f"{before} | {line.strip()}"
        else:
            joined.append((number, line))
    return joined


def _separate_scripts_in(line: str) -> str:
    """Write | where a line changes from Chinese to another script or back, if it does so once."""
    body, flags = split_flags(line)
    text = body[len(_mark_before(body)) :] if _mark_before(body) else body
    han = [match.start() for match in HAN.finditer(text)]
    if not han or _BESIDE.search(line.strip()):
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
