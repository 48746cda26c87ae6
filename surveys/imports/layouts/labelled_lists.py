"""Answers behind short labels or questions, listed in one way on several lines: *Home (town, village)*.

One list between commas may be a sentence or a remark. Several lines of the same form are a questionnaire.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.cues import is_yes_no, says_how_many
from surveys.imports.words.patterns import LETTER
from surveys.imports.words.question_marks import holds_question

_FORMS: Final = tuple(
    (name, least, re.compile(pattern))
    for name, least, pattern in (
        ("?", 2, r"(?P<label>[^?？؟]{2,300}[?？؟])\s{0,9}(?P<rest>\S.{2,200})"),
        (":", 3, r"(?P<label>[^:：?？]{2,80})[:：]\s{0,9}(?P<rest>\S.{2,200})"),
        ("(", 3, r"(?P<label>[^(（\[]{2,200}[^(（\[\s])(?=\s?[(（\[])(?P<rest>\s?[(（\[].{3,200})"),
        (" ", 3, r"(?P<label>\S(?:\S| (?=\S)){1,200})(?:\t|\s{2,9})(?P<rest>\S.{2,200})"),
        ("-", 3, r"(?P<label>(?:[–—-]\s)?[^–—/-]{2,80}?)\s[–—-]\s(?P<rest>[^–—-]{3,200})"),
    )
)
"""What is between a label and its answers, and on how many lines it must be."""
_SIGNS: Final = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("/", r"\s?[/／]\s?"),
        ("|", r"\s?[|｜]\s?"),
        (";", r"\s?[;；]\s?"),
        (",", r"\s?[,，、]\s?"),
        ("-", r"\s[–—-]\s"),
        ("other", r"\s[^\w\s=＝:：/]{1,2}\s"),
        ("wide", r"\s{2,9}|\t"),
    )
)
_BRACKETS: Final = re.compile(r"\s{0,3}[(（\[<](?P<words>[^()（）\[\]<>]{3,160})[)）\]>]\s?[.:]?")
_FRONT: Final = re.compile(r"[^\W\d_]{4,12}\s?[:：]\s{1,3}")
"""A word in front of answers: *Answers: yes / no*."""
_OTHER: Final = re.compile(r"[=＝?？:：_\t()（）;；|｜]|\s{2}|[.!]\s")
_MOST_WORDS: Final = 4
_SEPARATED: Final = ("?", ":")
"""Signs behind a label behind which answers between slashes are read anyway."""
_CELL_SIGNS: Final = '",;|/'
"""Signs that begin another cell of a table."""
_CODED: Final = re.compile(r"\d.*|.*\s\d{1,2}")
"""An answer with a code; or a number."""


class _List(NamedTuple):
    """The form of a line, its label, and the answers behind it."""

    form: tuple[str, str, bool]
    label: str
    answers: Sequence[str]


def write_labelled_lists(lines: Sequence[str]) -> list[str]:
    """Write boxes in front of the answers of several lines that list them in one way.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_labelled_lists(["Home (town, village)", "Sleep (good, bad)", "Smoker (yes, no)"])[2]
    'Smoker:   ○ yes   ○ no'
    >>> write_labelled_lists(["Where? town, village", "Smoker? yes, no", "Sex?"])[:2]
    ['Where?   ○ town   ○ village', 'Smoker?   ○ yes   ○ no']
    """
    found: dict[tuple[str, str, bool], dict[int, _List]] = defaultdict(dict)
    for place, line in enumerate(lines):
        listed = _list_in(line)
        # A row of a sheet has further cells.
        if listed and (listed.form[1] == "wide" or line.count("\t") <= 1):
            found[listed.form][place] = listed
    written = [*lines]
    for (name, sign, is_bracketed), own in found.items():
        least = max(least for form, least, _pattern in _FORMS if name == form or sign == "/")
        # Words between commas in brackets may be examples, and wide blanks are between columns.
        is_certain = sign not in (",", "wide") or (name == "?" and sign == "," and not is_bracketed)
        has_yes_no = any(is_yes_no(listed.answers) for listed in own.values())
        if len(own) < least or not (is_certain or has_yes_no):
            continue
        if (
            name not in _SEPARATED
            and not has_yes_no
            and any(_is_below_question(lines, at, own) for at in own)
        ):
            # They are answers themselves, with examples.
            continue
        for place, listed in own.items():
            written[place] = listed.label + "".join(f"   ○ {answer}" for answer in listed.answers)
    return written


def _is_below_question(lines: Sequence[str], place: int, own: Collection[int]) -> bool:
    """Return whether a line is the first of its form, directly below a question."""
    above = place - 1
    return above >= 0 and above not in own and holds_question(lines[above])


def _list_in(line: str) -> _List | None:
    """Return the label of a line and the answers behind it; None if it lists none."""
    text = line.rstrip()
    if BOX.search(text):
        return None
    for name, _least, pattern in _FORMS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        if not LETTER.search(match["label"]) or "\t" in match["label"] or match["rest"][0] in _CELL_SIGNS:
            return None
        front = _FRONT.match(match["rest"])
        rest = match["rest"][front.end() if front else 0 :]
        inner = _BRACKETS.fullmatch(rest)
        listed = _answers_in(inner["words"] if inner else rest, is_apart=name != " ")
        is_known = name in _SEPARATED and not front and (inner or not rest[0].isalnum())
        is_wide = name == "?" and not (inner or front)
        if listed and (
            says_how_many(rest) or (listed[0] == "/" and is_known) or (listed[0] == "wide" and is_wide)
        ):
            return None
        if listed:
            sign, answers = listed
            label = match["label"].rstrip(" :：-–")
            return _List((name, sign, inner is not None), label if name == "?" else f"{label}:", answers)
    return None


def _answers_in(words: str, *, is_apart: bool) -> tuple[str, Sequence[str]] | None:
    """Return the sign between answers and these; behind a label without a sign, wide blanks are columns."""
    for sign, separator in _SIGNS:
        answers = [*map(str.strip, separator.split(words.strip(" .→>–—-")))]
        if len(answers) > 1 and all(map(_CODED.fullmatch, answers)):
            return None
        if len(answers) > 1 and (is_apart or sign != "wide") and _are_answers(answers):
            return sign, answers
    return None


def _are_answers(texts: Sequence[str]) -> bool:
    """Return whether texts are short, hold letters or digits, and differ."""
    are_short = all(
        text[:1].isalnum() and len(text.split()) <= _MOST_WORDS and not _OTHER.search(text) for text in texts
    )
    return are_short and len({*texts}) == len(texts) and any(map(LETTER.search, texts))
