"""The visible lines of a pasted survey: without markup, quotes and invisible signs, boxes in front."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.lost_breaks import usual_breaks
from surveys.imports.words.marks import mark_of
from surveys.imports.words.markup import without_markup
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import counts_either_way
from surveys.questionnaire.displayed import limit_marks

NumberedLine = tuple[int, str]
"""The number of a line, counted from 1, and its text."""

_UNUSUAL_MARK: Final = re.compile(
    r"^(?P<indent>\s{0,40})(?:(?P<a>[A-Za-z])/|[<{«](?P<b>[A-Za-z]|\d{1,2})[>}»]|§\s?(?P<c>\d{1,2}))\s+(?=\S)"
)
"""A letter or number between other signs than usual in front of a line."""
_BOLD: Final = re.compile(r"(\*\*|__)(?P<text>[^*_]{1,300})\1")
_ITALIC: Final = re.compile(r"([*_])(?P<text>[^*_\s][^*_]{0,300})(?<=\S)\1")
_BOX_BEHIND: Final = re.compile(
    r"^\s{0,9}([^\W\d][^☐□▢○?？]{0,80}?)\s{0,9}([☐□▢○])(\s{1,9}(?:→|[-=–]?>|➔).{1,80})?\s{0,9}$"
)
"""An answer, its box, and perhaps an arrow that says how to go on."""
_WIDE: Final = {
    code: code - 0xFEE0 for ends in ("０９", "ＡＺ", "ａｚ") for code in range(ord(ends[0]), ord(ends[1]) + 1)
} | {**dict.fromkeys(range(0xF020, 0xF100), "☐"), ord("⊗"): None, 0x20DD: "○"}
"""Full-width digits and letters, and the usual ones; the bullets of word processors' own fonts, and a box."""
_ARROWS: Final = dict.fromkeys(map(ord, "↪↳➜➝➞⟶⇨⮕➡↦"), "→")
_FONT_SIGNS: Final = dict.fromkeys("§ØüvnŸ·", "•") | dict.fromkeys("¨q", "☐")
"""Letters that are bullets and boxes in word processors' own fonts."""
_FONT_BULLET: Final = re.compile(rf"(?m)^(?P<indent>[ \t]{{0,20}})(?P<sign>[{''.join(_FONT_SIGNS)}])(?=\t)")
_BLANK_SIGNS: Final = dict.fromkeys([0xA0, 0x202F, *range(0x2002, 0x200B)], " ") | {0x3000: "  "}
"""Blanks that do not break or have another width."""
_DRAWN: Final = re.compile(
    "(?P<enclosed>[\u24b6-\u24e9\u2776-\u2792\U0001f110-\U0001f129\U0001f150-\U0001f169\U0001f170-\U0001f189])|[\u25a0-\u25ff\u2600-\u27bf\u2900-\u2bff]"
)
"""Digits and letters in circles and boxes, and drawn signs."""
_ROUND_NAMES, _SQUARE_NAMES = ("CIRCLE", "ELLIPSE", "FISHEYE", "BULLSEYE"), ("SQUARE", "BALLOT BOX")
_FILLED_AND_EMPTY: Final = ("●○", "■□", "▪▫", "◉○", "◼◻", "⬛⬜", "⚫⚪", "⦿○")
"""A filled sign that may stand before questions, and the empty one before their answers."""
_MINUS: Final = re.compile(r"[\u2212\ufe63\uff0d](?=\d)")
"""Signs for minus, other than the hyphen, in front of a number."""
_LEADERS: Final = re.compile(r"(?<=\w)\s?(?:[.…·]\s?){4,99}(?=\s{0,20}[\[(☐□▢○])")
"""Dots between a text and its boxes."""
_FIRST_BOX: Final = re.compile(r"(?<=\S)\s(?=[☐□▢○]\s?\d{0,2}\s{2,})")
_NEXT_BOXES: Final = re.compile(r"\s{3,}[☐□▢○]")
"""The first box of several columns, behind one blank, and the next ones."""
_FACE: Final = re.compile(r"(?<!\S)(?:[:;][-^o]?[()|/\]\[D]|[\U0001f600-\U0001f64f☹☺])(?=\s{1,9}[^\W\d_])")
"""A face before an answer."""
_DIGITS: Final = re.compile(r"[□☐]{2,20}|(?:\[_\]){2,20}|\[(?:\s{1,5}\|){1,8}\s{1,5}\]")
"""One box for each digit of a number."""
_RUN: Final = re.compile(
    r"(?<![\d.,–—|-])(?<!\|\s)\d{1,2}(?:\s?(?:[-–—/|]|[.…·_]{3,40})\s?\d{1,2}){2,11}(?![\d.,–—-])"
)
_NAMED_NEXT: Final = re.compile(r"\s?[/|]\s?[^\W\d]")
_GOES_ON: Final = re.compile(r"\+|\s?[^\W\d]")
"""Words behind the last number, such as *3 or more*, or a sign for them."""
_BEFORE_LIST: Final = re.compile(r"[?？:：/|]\s*$|^\s*$")
_DRAWN_LINE: Final = re.compile(r"(?<![\d|])(\d{1,3})\s?\|?[-–—_]{6,200}\|?\s?(\d{1,3})(?!\d)")
"""A line to mark between two numbers: *0 |--------| 100*."""
_EMPTY_FIELD: Final = re.compile(r"^(?P<indent>\s{0,40})\[[\s_.…]{6,200}\]\s{0,40}$")
"""A space to write between two brackets."""
_WIDE_SPACE: Final = re.compile(r"(?<=[?？:：)）])(?P<gap>\s?)\[\s{3,200}\](?=\s?[^\W\d_])(?!.*\[)")
"""The same behind a question or a label, and in front of a unit: *Age: [    ] years*."""
_EMPHASISED_MARK: Final = re.compile(
    r"^(?P<indent>\s{0,9})(?P<sign>[*_])(?P<mark>[^\s*_]{1,9})(?P=sign)(?=\s)"
)
"""A number or letter in front of a line, between signs of emphasis."""
_FENCED: Final = re.compile(r"(?P<sign>[=*~#-])(?P=sign){0,5}\s(?P<text>\S.{0,200})\s(?P=sign){1,6}")
"""A line between the same signs, such as a heading of a wiki."""
_BEFORE_COLON: Final = re.compile(r"(?<=\S)\s{2,}(?=[:：]\s)")
_ROUND_BEFORE: Final = re.compile(r"\s*[oO]\s{2}")
_CAPITAL_ROUND: Final = re.compile(r"(?:^(?<!\S)|(?<=\s\s)|(?<=[:?]\s)|(?<=^\s))[oO](?:\s+(?=\w)|(?=\s*$))")
"""The letter O that stands for a round box, before several answers or in front of two blanks."""
_KEYCAP: Final = re.compile("([0-9])\ufe0f?\u20e3 ?")
_QUOTE: Final = re.compile(r"^\s{0,9}(?:> ?){1,9}")
_BLANKS: Final = re.compile(r"\s+")
# Keep zero-width joiners and non-joiners, which Persian, Hindi and emoji need.
_INVISIBLE: Final = re.compile("[\ue010\u00ad\u200b\u200e\u200f\u2060\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]")


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
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", limit_marks(usual_breaks(source))))
    text = text.translate(_BLANK_SIGNS | _ARROWS)
    text = textwrap.dedent(text) if text.count("\n") else text
    text = _with_font_signs(text)
    text = _KEYCAP.sub(r"\1. ", text.translate(_WIDE))
    text = _DRAWN.sub(_usual_sign, _with_bullets(text))
    lines = map(_seen, _without_quotes(text.split("\n")))
    return [_BOX_BEHIND.sub(r"\2 \1\3", line) for line in lines]


def _with_font_signs(text: str) -> str:
    """Write bullets and boxes for the letters that stand for them in several lines, in front of a tab."""
    counts = Counter(match["sign"] for match in _FONT_BULLET.finditer(text))
    signs = {sign: _FONT_SIGNS[sign] if counts[sign] > 1 else sign for sign in counts}
    return _FONT_BULLET.sub(lambda match: match["indent"] + signs[match["sign"]], text)


def _with_bullets(text: str) -> str:
    """Write bullets before questions that begin with a filled box, if answers begin with an empty one."""
    for filled, empty in _FILLED_AND_EMPTY:
        lines = text.split("\n")
        begun = [line.strip() for line in lines if line.lstrip()[:1] == filled]
        n_asking = sum(map(asks, begun))
        if 2 * n_asking > len(begun) and any(line.lstrip()[:1] == empty for line in lines):
            text = "\n".join(
                line.replace(filled, "•", 1) if line.lstrip()[:1] == filled else line for line in lines
            )
    return text


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
    """Return numbers that count up or down without the signs between them."""
    if _NAMED_NEXT.match(match.string, match.end()):
        # The next one of the list has words: 0 / 1 / 2 / more.
        return match[0]
    signs = {"".join(between.split())[:1] for between in re.split(r"\d+", match[0])[1:-1]}
    if len(signs) > 1:
        # Ranges between slashes: 1-2 / 3-4 / 5.
        return match[0]
    is_list = signs <= {"/", "|"} and _BEFORE_LIST.search(match.string[: match.start()]) is not None
    if is_list and _GOES_ON.match(match.string, match.end()):
        # A list whose last answer goes on, and no scale with words at both ends: 1 / 2 / 3 or more.
        return match[0]
    steps = [int(step) for step in re.findall(r"\d+", match[0])]
    is_run = min(steps) < 2 and counts_either_way(steps)
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
    line = _MINUS.sub("-", line)
    line = line.replace("｜", "|") if line.count("｜") > 2 else line
    line = _FIRST_BOX.sub("   ", line, count=1) if len(_NEXT_BOXES.findall(line)) > 1 else line
    line = _LEADERS.sub("     ", _BEFORE_COLON.sub("", line))
    line = _DIGITS.sub(lambda match: "|__" * len(re.findall(r"[□☐_]|\s\s*(?=[|\]])", match[0])) + "|", line)
    line = _FACE.sub("○", line) if len({*_FACE.findall(line)}) > 1 else line
    line = _UNUSUAL_MARK.sub(lambda mark: f"{mark['indent']}{mark['a'] or mark['b'] or mark['c']}) ", line)
    line = _WIDE_SPACE.sub(r"\g<gap>____", _EMPTY_FIELD.sub(r"\g<indent>__________", line))
    line = _RUN.sub(_without_dashes, _DRAWN_LINE.sub(r"\1-\2", line))
    if _ROUND_BEFORE.match(line) or len(_CAPITAL_ROUND.findall(line)) > 1:
        line = _CAPITAL_ROUND.sub("○ ", line)
    if (emphasised := _EMPHASISED_MARK.match(line)) and mark_of(f"{emphasised['mark']} x")[0] is not None:
        line = emphasised["indent"] + emphasised["mark"] + line[emphasised.end() :]
    bare = line.strip()
    if fenced := _FENCED.fullmatch(bare):
        mark = mark_of(fenced["text"])[0]
        if mark is not None and mark.kind == "count" and not mark.is_weak:
            return fenced["text"]
        sign = "###### " if fenced["sign"] in "=#" else ""
        return f"({fenced['text']})" if fenced["sign"] in "*~-" else sign + fenced["text"]
    if bare[:1] not in ("*", "_"):
        return without_markup(line)
    if (match := _BOLD.fullmatch(bare)) and mark_of(match["text"])[0] is None:
        return f"###### {without_markup(match['text'])}"
    match = _ITALIC.fullmatch(bare)
    if match is None:
        return without_markup(line)
    return f"({match['text']})" if mark_of(match["text"])[0] is None else match["text"]
