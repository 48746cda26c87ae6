"""Answers behind statements that nothing separates from these: *I sleep well. yes / no* on several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final

from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.cues import is_yes_no
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import HAN, LETTER

_START: Final = re.compile(r"(?:(?<=[\s。！])|(?=[(（\[]))\S")
"""Where a word, a sentence or a bracket begins."""
_SENTENCE_END: Final = re.compile(r".*(?:[.!…]\s+(?=\S)|[。！])")
_BRACKETS: Final = re.compile(r"[(（\[](?P<words>[^()（）\[\]]+)[)）\]]\s?[.:]?")
_SIGNS: Final = tuple(
    (re.compile(sign), is_certain)
    for sign, is_certain in (
        (r"\s?[/／]\s?", True),
        (r"\s?[|｜]\s?", True),
        (r"\s?;\s", True),
        (r"[,，、]\s?", False),
        (r"\s[–—-]\s", False),
        (r"\s?(?:\.{3}|…)\s?", False),
    )
)
"""Signs between answers, and whether they only stand between alternatives; others need three answers."""
_LETTER_BOX: Final = re.compile(r"\s[Oo0](?:\s|$)")
"""A letter in place of a circle behind an answer."""
_OTHER: Final = re.compile(r"[=＝?？:：_\d\t]|\s{3}")
"""Signs of points, questions and columns, which other readers know."""
_LONGEST, _MOST_WORDS = 120, 5
_LEAST_LINES, _LEAST_YES_NO = 3, 2
_LEAST_HAN = 4
_LEAST_LABELS = 3
_MOST_ENDS = 20
_DIGITS: Final = re.compile(r"\d")


def write_recurring_ends(lines: Sequence[str]) -> list[str]:
    """Write boxes in front of the answers with which at least three lines end, two if these are yes and no.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_recurring_ends(["1. I eat. yes/no", "2. I sleep. yes/no", "3. I run. yes/no", "Sex: m/f"])[2:]
    ['3. I run.   ○ yes   ○ no', 'Sex: m/f']
    >>> write_recurring_ends(["- I eat (never, rarely, often)", "- I run (never, rarely, often)"])[1]
    '- I run (never, rarely, often)'
    """
    filled = [line.rstrip() for line in lines if line.strip()]
    ends = {end for pair in pairwise(filled) if (end := _common_end(*pair))}
    written = [*lines]
    for end in sorted(ends, key=len, reverse=True)[:_MOST_ENDS]:
        labels = _labels_in(end)
        items = {
            place: item for place, line in enumerate(written) if (item := _item_before(line.rstrip(), end))
        }
        least = _LEAST_YES_NO if is_yes_no(labels) else _LEAST_LINES
        if len({_DIGITS.sub("", item) for item in items.values() if _is_statement(item)}) < least:
            continue
        for place, item in items.items():
            written[place] = item + "".join(f"   ○ {label}" for label in labels)
    return written


def _common_end(first: str, second: str) -> str:
    """Return the list of answers with which two lines end; empty if there is none.

    >>> _common_end("I eat a lot. yes / no", "I sleep. yes / no"), _common_end("Do you?", "Will you?")
    ('yes / no', '')
    """
    pairs = zip(reversed(first), reversed(second), strict=False)
    n_common = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start = _START.search(first, len(first) - n_common) if n_common < min(len(first), len(second)) else None
    end = first[start.start() :] if start else ""
    sentence = _SENTENCE_END.match(end)
    end = end[sentence.end() :] if sentence else end
    return end if len(end) <= _LONGEST and _labels_in(end) else ""


def _labels_in(end: str) -> Sequence[str]:
    """Return the answers that an end lists with one sign between them, or with letters in place of circles.

    >>> _labels_in("(ja/nein)"), _labels_in("Ja O Nein O"), _labels_in("never, often")
    (['ja', 'nein'], ['Ja', 'Nein'], [])
    """
    found = _BRACKETS.fullmatch(end)
    words = (found["words"] if found else end).strip(" .–—-")
    *circled, rest = map(str.strip, _LETTER_BOX.split(words))
    if len(circled) > 1 and not rest and _are_labels(circled):
        return circled
    for sign, is_certain in _SIGNS:
        labels = [*map(str.strip, sign.split(words))]
        if len(labels) > 1 and _are_labels(labels):
            is_list = is_certain or len(labels) >= _LEAST_LABELS or is_yes_no(labels)
            return labels if is_list else []
    return []


def _are_labels(labels: Sequence[str]) -> bool:
    """Return whether texts are short, hold letters and differ."""
    are_short = all(
        LETTER.search(label) and len(label.split()) <= _MOST_WORDS and not _OTHER.search(label)
        for label in labels
    )
    return are_short and len({*labels}) == len(labels)


def _item_before(line: str, end: str) -> str:
    """Return the text in front of the answers at the end of a line; empty for a question."""
    item = line.removesuffix(end).rstrip()
    is_other = item == line or item[-1:] in "?？:：|" or "\t" in item or BOX.search(line) or "   " in item
    return item if LETTER.search(item) and not is_other else ""


def _is_statement(item: str) -> bool:
    """Return whether a text has several words."""
    _mark, body = mark_of(item.strip())
    return len(body.split()) > 1 or len(HAN.findall(body)) >= _LEAST_HAN
