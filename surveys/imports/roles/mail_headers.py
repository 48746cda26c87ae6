"""Leave out the head of a mail, such as *From: Ada <ada@example.org>*, and its greeting.

They are not texts for respondents. The form of a head identifies it in any language: adjoining lines of a
word, a colon and a value, at least one with an address or a date.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines.source_lines import HELP, LEFT, SourceLine, split_space
from surveys.imports.roles.about_lines import labelled
from surveys.imports.words.question_marks import asks

_FIELD: Final = re.compile(
    r"[>＞\s]*(?P<name>[^\W\d_][\w'’-]{0,24}(?:\s[\w'’-]{1,16})?)\s?[:：]\s?(?P<value>\S.*)"
)
_ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_IN_BRACKETS: Final = re.compile(rf"[<\[(](?:mailto:)?{_ADDRESS.pattern}[>\])]")
_YEAR_OR_TIME: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[:.]\d\d(?!\d)")
_NUMBER: Final = re.compile(r"\d+")
_LEAST_NUMBERS: Final = 3
"""Numbers of a date: day, month or hour, and year."""
_LEAST_LINES: Final = 2
_LONGEST_GREETING: Final = 5
"""Largest number of words in a greeting."""


def leave_mail_headers(lines: Sequence[SourceLine]) -> None:
    """Leave out the heads of mails, the line above a quoted mail, and the greeting before a text.

    Parameters
    ----------
    lines : sequence of SourceLine
        Lines with a role keep it, except quoted lines.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> texts = ("Von: Ada <ada@example.org>", "Betreff: Fragen", "Hallo,", "Schlaf")
    >>> lines = [read_line(number, each, has_gap=number > 2) for number, each in enumerate(texts, 1)]
    >>> leave_mail_headers(lines)
    >>> [line.role for line in lines]
    ['left', 'left', 'left', '']
    """
    block: list[SourceLine] = []
    is_before = True
    for line in lines:
        if block and (line.has_gap or not (_is_field(line) or _ADDRESS.search(line.text))):
            _leave_head(block, is_before=is_before)
            block = []
        if block or _is_field(line):
            block.append(line)
        else:
            is_before = is_before and not (asks(line.text) or line.mark_kind == "count")
            if _is_free(line) and line.ends_with_colon and _IN_BRACKETS.search(line.text):
                # It names the author of the quoted text below.
                line.give(LEFT)
    _leave_head(block, is_before=is_before)
    _leave_greeting(lines)


def _is_free(line: SourceLine) -> bool:
    """Return whether the role of a line is open: it has none, or is only quoted."""
    return not line.role or (line.role == HELP and line.text[0] in ">＞")


def _is_field(line: SourceLine) -> bool:
    """Return whether a line has the form of a field in the head of a mail."""
    return _is_free(line) and _FIELD.fullmatch(line.text) is not None and split_space(line.text) is None


def _leave_head(block: Sequence[SourceLine], *, is_before: bool) -> None:
    """Leave out adjoining lines of this form if their values are typical of the head of a mail."""
    n_labels = sum(labelled(line.text) is not None for line in block)
    if len(block) < _LEAST_LINES or 2 * n_labels > len(block):
        # Most lines are about the survey: its researcher, contact, ...
        return
    n_addresses = sum(_ADDRESS.search(line.text) is not None for line in block)
    is_named = any(_IN_BRACKETS.search(line.text) for line in block)
    is_dated = any(map(_has_date, block)) and (n_addresses > 0 or (is_before and len(block) > _LEAST_LINES))
    if is_named or n_addresses > 1 or is_dated:
        for line in block:
            line.give(LEFT)


def _has_date(line: SourceLine) -> bool:
    """Return whether a line has a date."""
    return _YEAR_OR_TIME.search(line.text) is not None and len(_NUMBER.findall(line.text)) >= _LEAST_NUMBERS


def _leave_greeting(lines: Sequence[SourceLine]) -> None:
    """Leave out a few words that end with a comma before the text; titles do not end with a comma."""
    for line, below in pairwise(lines):
        if line.role == LEFT:
            continue
        is_short = len(line.text.split()) <= _LONGEST_GREETING
        if not line.role and is_short and line.text[-1] in ",，" and below.has_gap:
            line.give(LEFT, is_certain=False)
        return
