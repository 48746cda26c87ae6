"""Statements of a scoring rule that are not used: their numbers are neither points, sums nor items.

The report always says if only part of a rule is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.formats.joints import short_text
from surveys.imports.drafts.questionnaire import LOST, Question, Questionnaire, points_of
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.scores.answer_keys import items_of_answers, key_in
from surveys.imports.scores.gap_rules import is_about_gaps
from surveys.imports.scores.item_names import ItemNames, nth_in, numbers_in
from surveys.imports.scores.item_points import without_points
from surveys.imports.scores.reversals import BEFORE_ITEM, ITEM_NUMBER, POINTS_UNREAD
from surveys.imports.scores.score_levels import without_levels
from surveys.imports.words.cues import ABOUT_SCORE, REVERSED, pattern_of
from surveys.imports.words.legends import points_of_letters
from surveys.imports.words.numerals import WORDS
from surveys.imports.words.patterns import HAN, STATEMENTS, WRAPPED

NO_LEVELS: Final = "no levels"
"""The cause of notes on lines about a score whose levels are not stated."""
RULE_UNREAD: Final = "rule unread"
"""The cause of notes on statements about a score that do not change points."""
_NUMBER: Final = re.compile(r"(?<![\d.,])\d{1,3}(?!\d|[.,]\d|\s?%)")
_SAMPLE: Final = re.compile(r"\b[nN]\s?=\s?\d{1,5}")
_LONGEST: Final = 120
_BEGINNING: Final = 12
_MOST_HEADING: Final = 4
_SUMS_UP: Final = pattern_of("sums-up")
_ITEM: Final = re.compile(rf"{pattern_of('item-number').pattern}|(?<![a-zà-ÿ])题", re.IGNORECASE)
_ITEM_BEHIND: Final = re.compile(
    rf"(?<![\d.,])(?P<number>\d{{1,2}})(?:\.|[ºª°]|[^\W\d_]{{1,3}})\s(?:{pattern_of('item-number').pattern})",
    re.IGNORECASE,
)
"""An item by its place in front of a word for it: *2nd sentence*."""
_WORD: Final = re.compile(r"[^\W\d_]{2,12}")
_VALUE: Final = re.compile(r"[=＝]\s?(?P<points>\d{1,2})(?!\d)")


def note_unread(
    survey: Questionnaire,
    block: Sequence[SourceLine],
    names: ItemNames,
    source: Sequence[SourceLine],
    sums: Collection[int],
    *,
    is_keyed: bool,
    count: int = 0,
) -> None:
    """Note the statements of a rule whose numbers have no meaning that is used.

    Parameters
    ----------
    survey : Questionnaire
    block : sequence of SourceLine
        The lines of the rule.
    names : ItemNames
        The names of the items that are added up.
    source : sequence of SourceLine
        All lines.
    sums : collection of int
        The least and the largest sum, and the limits of levels.
    is_keyed : bool
        Whether a key for yes and no was used.
    count : int
        Number of items whose mean the levels are about; 0 if they are about the sum.
    """
    text = names.with_numbers(WRAPPED.sub(" ", "\n".join(line.text for line in block)))
    for said in STATEMENTS.split(text):
        if said and _is_heading(said):
            continue
        rest = without_points(said, names, source)
        numbers = [*_unexplained(rest, names, sums, is_keyed=is_keyed, count=count)] if rest else []
        if not numbers and not _has_unread_words(said, {len(names.questions), *sums}):
            continue
        survey.note(
            next((line.number for line in block if said[:_BEGINNING] in line.text), block[0].number),
            _("these words about the score are not used: “%(words)s”")
            % {"words": short_text(said.strip(), _LONGEST)},
            _("check whether they change points, levels or the value of a missing answer"),
            effect=LOST,
            cause=POINTS_UNREAD
            if not numbers or any(number in names.by_number for number in numbers)
            else RULE_UNREAD,
        )


def _has_unread_words(said: str, known: Collection[int]) -> bool:
    """Return whether a statement without digits has a number word whose number has no known meaning."""
    if any(map(str.isdecimal, said)) or REVERSED.search(said) or is_about_gaps(said):
        return False
    if (
        (_ITEM.search(said) or nth_in(said))
        and len(said.split()) > _MOST_HEADING
        and not _SUMS_UP.search(said)
    ):
        # It speaks of items, but names none, and does not add them up: "Positive statements count otherwise."
        return True
    stated = {WORDS.get(word.casefold(), 0) for word in _WORD.findall(said)} - {0, 1}
    return bool(stated) and stated.isdisjoint(known)


def _is_heading(said: str) -> bool:
    """Return whether a statement is the heading of the rule: *Section 4: Scoring*."""
    words = said.split()
    length = max(len(words), len(HAN.findall(said)) // 2)
    names_item = any(BEFORE_ITEM.search(said[: match.start()]) for match in _NUMBER.finditer(said))
    return length <= _MOST_HEADING and not names_item and ABOUT_SCORE.search(words[-1]) is not None


def _unexplained(
    said: str, names: ItemNames, sums: Collection[int], *, is_keyed: bool, count: int
) -> Iterator[int]:
    """Yield the numbers of a statement that are neither sums nor points."""
    states_points = ABOUT_SCORE.search(said) or _VALUE.search(said)
    is_key = is_keyed and (key_in(said) or (states_points and ITEM_NUMBER.search(said)))
    if REVERSED.search(said) or is_about_gaps(said) or is_key:
        return
    are_binary = all(not question.options for question in names.questions)
    own = items_of_answers(without_levels(said, sums, count)) if are_binary and not is_keyed else []
    if len({*own} & {*names.by_number}) > 1:
        # A key for some items that is not understood.
        yield from own
        return
    named = numbers_in(said)
    first = named[: len(names.by_number)]
    if {*named} >= {*names.by_number} and len(first) > 1 and first == sorted(first):
        # All items are added up: "sum of 1-8".
        return
    for match in _ITEM_BEHIND.finditer(said):
        if int(match["number"]) in names.by_number:
            yield int(match["number"])
    points = {own for question in names.questions for own in points_of(question)}
    plain = _VALUE.sub(
        lambda match: " " if int(match["points"]) in points else match[0], _SAMPLE.sub(" ", said)
    )
    known = {*sums, len(names.questions)} | (points if _names_answers(said, names.questions) else set())
    rest = without_levels(plain, sums, count)
    for match in _NUMBER.finditer(rest):
        if int(match[0]) not in known or BEFORE_ITEM.search(rest[: match.start()]):
            yield int(match[0])


def _names_answers(said: str, questions: Sequence[Question]) -> bool:
    """Return whether a statement is about the points of answers."""
    words = said.casefold()
    labels = {
        text.casefold() for each in questions for option in each.options for text in option.texts.values()
    }
    is_binary = any(not question.options for question in questions)
    return is_binary or bool(points_of_letters(said)) or any(label in words for label in labels)
