"""Signs in front of lines that other texts use rarely, written as the usual bullets, boxes and numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from string import ascii_uppercase
from typing import Final

from surveys.imports.words.question_marks import holds_question

_SIGN: Final = re.compile(
    r"(?P<indent>\s*)(?P<sign>[>＞»›]{1,3}|[~+§^¤¶]{1,2}|_(?=\s)|[\[(][._]{1,2}[\])])"
    r"\s{0,9}(?=[\"“„«¿¡(\[]?[^\W\d_])"
)
_BOX_WITHIN: Final = re.compile(
    r"(?:(?<=\s)|(?<=[?？:：]))(?P<box>\[[_.]\]|\([_.]\)|\{[\s_.]?\})\s{1,3}(?=[^\W\d_])"
)
"""An unusual box in front of an answer on the same line as others."""
_QUOTES: Final = ">＞»›"
"""Signs that are also in front of quoted lines and remarks."""
_LIKE_ONE: Final = re.compile(r"(?P<indent>\s*)[lI|!i](?P<end>[.):])(?=\s)")
"""A letter or sign in place of the number 1."""
_COUNTED: Final = re.compile(r"\s*(?P<number>\d{1,3})(?P<end>[.):])(?=\s)")
_LIKE_CAPITAL: Final = re.compile(r"^(?P<before>\s*(?:\d{1,3}[.):]\s+)?)l(?=[fnst]\s)")
"""A small L in place of a capital I, at the beginning of a line: no word has these letters."""
_LETTER_AND_GAP: Final = re.compile(
    r"(?P<indent>\s*)(?P<letter>[A-Za-z])(?P<gap>\s{2,9}|\t)(?=[^\W\d_]{2}|[¿¡«„“(])"
)
"""A letter in front of a wide gap and a word."""
_LEAST: Final = 2
_LEAST_LETTERS: Final = 3


def write_marks(lines: Sequence[str]) -> list[str]:
    """Write bullets and boxes where at least two lines begin with the same unusual sign.

    Parameters
    ----------
    lines : sequence of str
        Signs that quote lines stay, unless most of their lines ask.

    Examples
    --------
    >>> write_marks([">> Where?", "~ here", "~ there", ">> When?", "[_] now", "[_] later"])
    ['► Where?', '▪ here', '▪ there', '► When?', '[ ] now', '[ ] later']
    >>> write_marks(["> Please answer all questions.", "> Tick one.", "+ 5 years"])
    ['> Please answer all questions.', '> Tick one.', '+ 5 years']
    >>> write_marks(["Tired?", "~ yes   ~ no", "Ill?", "~ yes   ~ no"])[1]
    '○ yes   ○ no'
    >>> write_marks(["Tired? [_] yes [_] no", "[_] cm long"])
    ['Tired? [ ] yes [ ] no', '[_] cm long']
    """
    lines = [*map(_write_boxes, lines)]
    found = [_SIGN.match(line) for line in lines]
    counts = Counter(match["sign"] for match in found if match)
    asking = Counter(match["sign"] for match in found if match and holds_question(match.string))
    written = [*lines]
    for place, match in enumerate(found):
        if match is None or counts[match["sign"]] < _LEAST:
            continue
        sign = match["sign"]
        is_asking = 2 * asking[sign] > counts[sign]
        if sign[0] in _QUOTES and not is_asking:
            continue
        box = "[ ]" if len(sign) > 1 and sign[0] in "[(" else "__" if sign == "_" else "▪"
        if len(several := match.string.split(f"{sign} ")) > _LEAST:
            written[place] = "○ ".join(several)
            continue
        written[place] = f"{match['indent']}{'►' if is_asking else box} {match.string[match.end() :]}"
    return written


def _write_boxes(line: str) -> str:
    """Write the usual boxes on a line with at least two alike; the first may begin the line."""
    boxes = Counter(match["box"] for match in _BOX_WITHIN.finditer(f" {line}"))
    box, count = boxes.most_common(1)[0] if boxes else ("", 0)
    return line.replace(box, "( )" if box[0] == "(" else "[ ]") if count >= _LEAST else line


def read_letters(lines: Sequence[str]) -> list[str]:
    """Write the number 1 and the capital I where scanned texts have letters that look alike.

    Parameters
    ----------
    lines : sequence of str
        A letter counts one if the next number behind the same sign is 2.

    Examples
    --------
    >>> read_letters(["l. Do you drive?", "2. lf so, where?", "l) here", "m) there"])
    ['1. Do you drive?', '2. If so, where?', 'l) here', 'm) there']
    >>> read_letters(["I. Work", "1. Do you work?", "2. Do you drive?"])[0]
    'I. Work'
    """
    found = [_LIKE_CAPITAL.sub(r"\g<before>I", line) for line in lines]
    after: dict[str, int] = {}
    for place in range(len(found) - 1, -1, -1):
        if counted := _COUNTED.match(found[place]):
            after[counted["end"]] = int(counted["number"])
        elif (one := _LIKE_ONE.match(found[place])) and after.get(one["end"]) == _LEAST:
            found[place] = f"{one['indent']}1{one['end']}{found[place][one.end() :]}"
            after[one["end"]] = 1
    return found


def write_letters(lines: Sequence[str]) -> list[str]:
    """Write a full stop behind letters that count from A at the beginning of lines, each before a wide gap.

    Parameters
    ----------
    lines : sequence of str
        At least three of them begin with such a letter.

    Examples
    --------
    >>> write_letters(["A   Who?", "   ☐ I", "B   When?", "   ☐ now", "C   Where?"])[::2]
    ['A.   Who?', 'B.   When?', 'C.   Where?']
    >>> write_letters(["A   lie", "B   fall"]), write_letters(["A  veces", "A  diario", "B  nunca"])
    (['A   lie', 'B   fall'], ['A  veces', 'A  diario', 'B  nunca'])
    """
    found = [(place, match) for place, line in enumerate(lines) if (match := _LETTER_AND_GAP.match(line))]
    letters = "".join(match["letter"] for _place, match in found)
    if len(found) < _LEAST_LETTERS or not ascii_uppercase.startswith(letters.upper()):
        return [*lines]
    written = [*lines]
    for place, match in found:
        written[place] = f"{match['indent']}{match['letter']}.{lines[place][match.end('letter') :]}"
    return written
