"""Names of variables in front of questions, and negative codes of missing answers.

A word with a digit, an underline or a capital letter inside is the name of a variable if most questions begin
with one: *drugs_1*, *everPaid*. It becomes a number. Codes in a list lose their signs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.amounts import have_one_unit
from surveys.imports.words.marks import NEGATIVE, mark_of
from surveys.imports.words.patterns import HAN
from surveys.imports.words.question_marks import holds_question
from surveys.imports.words.runs import runs_of

_NAMED: Final = re.compile(
    r"(?P<indent>\s{0,40})[(\[]?(?P<name>[A-Za-z](?=\w{0,30}(?:_|[a-z\d][A-Z]|\.[a-z\d])|\w{0,30}[._][A-Za-z]{0,9}\d)[\w.]{2,40}?)[)\]]?"
    r"(?:\s?[.:：)]|\s[-–—])?\s+(?P<rest>\S.*)"
)
"""A line that begins with the name of a variable."""
_CODE: Final = re.compile(
    r"(?P<indent>\s*[(\[]?)(?P<sign>[-–+]?)(?P<code>\d{1,2})(?P<behind>\s?[.:：=)\]]\s?|\s+)(?P<text>[^\W\d].*)"
)
"""An answer behind its code, which may have a sign."""
_GLUED: Final = re.compile(
    r"\s{0,40}(?P<code>[A-Z]{1,4}\d{1,3}[a-z]?)(?P<word>[㐀-鿿]|[^\W\d_a-z]\w{1,20}(?=\s(?P<next>\w)))"
)
"""A code without a blank before the first word of a text."""
_GLUED_COUNT: Final = re.compile(r"^\s{0,40}(?P<number>\d{1,2})(?=[^\W\d_a-z][a-zß-ÿа-яё])")
"""A number without a blank before a word."""
_LEAST: Final = 2


def without_item_codes(lines: Sequence[str]) -> list[str]:
    """Return lines with numbers in place of the names of variables, and codes without signs.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> lines = ["use_1. Do you?", "1 yes", "2 no", "-8 refused", "use_2. Did you?", "1 yes", "2 no"]
    >>> without_item_codes(lines)
    ['1. Do you?', '1 yes', '2 no', '908 refused', '2. Did you?', '1 yes', '2 no']
    """
    found = [*lines]
    _unglue(found)
    _write_negatives(found)
    n_asked = sum(map(holds_question, found))
    named = {
        place: match
        for place, line in enumerate(found)
        if holds_question(line)
        and not _GLUED.match(line)
        and (match := _NAMED.fullmatch(line))
        and mark_of(line.strip())[1] != match["rest"]
    }
    names = {match["name"] for match in named.values()}
    are_names = len(names) == len(named) >= _LEAST and 2 * len(named) > n_asked
    for count, (place, match) in enumerate(named.items() if are_names else (), start=1):
        found[place] = f"{match['indent']}{count}. {match['rest']}"
    return found


def _unglue(lines: list[str]) -> None:
    """Write a blank between a code and the first word of a sentence: *Q1Have you*, *1Yes*.

    Such a word goes on with a small letter, or recurs; other words may be parts of the names of variables.
    """
    found = [*map(_GLUED.match, lines)]
    words = Counter(match["word"] for match in found if match)
    is_han = sum(HAN.match(match["word"]) is not None for match in found if match) >= _LEAST
    for place, match in enumerate(found):
        following = (match["next"] or "") if match else ""
        if match and (following.islower() or words[match["word"]] >= _LEAST or (is_han and not following)):
            lines[place] = f"{match.string[: match.end('code')]} {match.string[match.end('code') :]}"
    numbers = [*map(_GLUED_COUNT.match, lines)]
    for run in runs_of(numbers, _count_on):
        for place in run if len(run) >= _LEAST else ():
            if number := numbers[place]:
                lines[place] = f"{number[0]}. {number.string[number.end() :]}"


def _count_on(number: re.Match[str] | None, below: re.Match[str] | None) -> bool:
    """Return whether the number of a line follows that of the line above it."""
    return bool(number and below and int(below["number"]) == int(number["number"]) + 1)


def _write_negatives(lines: list[str]) -> None:
    """Write lists of codes without signs: negative ones as large numbers, which no list reaches.

    A list has a code 0 or 1. Numbers with one unit are amounts: *1 degree*, *-5 degrees*.
    """
    codes = [None if holds_question(line) else _CODE.fullmatch(line) for line in lines]
    for run in runs_of(codes, _have_one_form):
        found = [match for place in run if (match := codes[place])]
        is_list = len(found) > _LEAST and any(match["code"] in ("0", "1") for match in found)
        signs = {match["sign"] for match in found}
        if (
            is_list
            and "" in signs
            and len(signs) > 1
            and not have_one_unit([match["text"] for match in found])
        ):
            for place, match in zip(run, found, strict=True):
                number = int(match["code"]) + (NEGATIVE if match["sign"] in ("-", "–") else 0)
                # A sign is in front of numbers below each other.
                aligned = " " if match["sign"] and match["indent"][:1] == " " else ""
                lines[place] = f"{aligned}{match['indent']}{number}{match['behind']}{match['text']}"


def _have_one_form(code: re.Match[str] | None, below: re.Match[str] | None) -> bool:
    """Return whether two lines have codes between the same signs."""
    if code is None or below is None:
        return False
    return all(code[name].strip() == below[name].strip() for name in ("indent", "behind"))
