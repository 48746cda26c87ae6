"""Whether a text states how answers are scored: a sum, its levels, points, or reversed items."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from surveys.imports.scores.answer_keys import (
    TICK,
    counts_ticks,
    counts_yes,
    excepts_items,
    key_in,
    lists_solutions,
)
from surveys.imports.scores.gap_rules import AS_MEAN, says_gaps
from surveys.imports.scores.item_names import ITEM_WORD, nth_in
from surveys.imports.scores.score_levels import (
    COLON,
    LEAST_RANGES,
    PARTS,
    RANGE,
    levels_in,
    ranges_in,
    spans_in,
    steps_in,
    with_ranges,
)
from surveys.imports.words.cues import ABOUT_SCORE, CHOOSES, LEADS_ON, REVERSED, REVERSED_MARK, pattern_of
from surveys.imports.words.legends import ITEM_KEY, legend_of, letters_by_item, points_of_letters
from surveys.imports.words.numerals import in_digits
from surveys.imports.words.patterns import HAN, LETTER, NUMBER, POINTS, STATEMENTS
from surveys.imports.words.question_marks import SIGN_OF_QUESTION, asks

CUE: Final = pattern_of("scoring")
WEAK_CUE: Final = pattern_of("scoring-weak")
ITEM_NUMBER: Final = pattern_of("item-number", behind=r"\s?\d")
_PAIRED: Final = re.compile(r"[^\W\d_]\W{0,3}[(（\[=＝]\s?\d{1,2}(?!\d)")
"""An answer and its points behind a sign."""
_LEAST_PAIRS: Final = 4
_EACH: Final = re.compile(
    rf"(?:{pattern_of('each-answer').pattern})\s?[«„“\"'‘「『]?[^\W\d][^\d.;。；]{{0,40}}?(?<!\d)\d{{1,2}}\s?{POINTS}(?![^\W\d_㐀-鿿])"
    rf"|(?<![\d–-])\d{{1,2}}\s?{POINTS}\s[^\d.,;。；]{{0,20}}?(?:{pattern_of('each-answer').pattern})",
    re.IGNORECASE,
)
"""Points of each of something, in any order."""
_ITEM_POINTS: Final = pattern_of("item-number", behind=r"\s?\d[\d\s,;&–-]{0,60}[:：][^:：]{0,20}[=＝]\s?\d")
"""Items by number, and the points of their answers: *items 1, 3: T = 1, F = 0*."""
_SAID_SIGN: Final = re.compile(
    r"(?<!\w)(?:[(（\[][^\s\d()（）\[\]]{1,3}[)）\]]|[*＊†‡§#°^])|^\W{0,3}[+–−-]\s?[=:：]"
)
"""Such a sign in a statement, where dashes also separate words."""
_SAID_ITEM: Final = re.compile(rf"{ITEM_WORD}|[«„“\"「][^«»„“”\"「」]{{5,200}}[»“”\"」]", re.IGNORECASE)
"""A word for items, or the text of one in quotation marks."""
_AMONG_AMOUNTS: Final = re.compile(r"\d\D{0,20}[/|｜]\s?\d")
"""A stroke between ranges: they are answers."""
_LEAST_WORDS: Final = 2
MOST_HEADING_WORDS: Final = 4


def is_scoring(text: str) -> bool:
    """Return whether a line says how answers are scored.

    Examples
    --------
    >>> [is_scoring(text) for text in ("0-7 low; 8-15 high", "Score 5 or more: high", "5 or more times")]
    [True, True, False]
    """
    if LEADS_ON.search(text) and not (_has_cue(text) or _states_points(text) or ITEM_KEY.match(text)):
        # Who answered so goes on with another question.
        return False
    if says_gaps(text) or ITEM_KEY.match(text) or _limits_ticks(text):
        return True
    text = with_ranges(_without_item_mark(text))
    if not has_number(text):
        is_about_item = CUE.search(text) is not None and bool(nth_in(text))
        is_reversing = REVERSED.search(text) and (_SAID_SIGN.search(text) or _SAID_ITEM.search(text))
        return is_about_item or (bool(is_reversing) and not asks(text))
    return any(states(text) for states in _STATEMENTS)


def _limits_ticks(text: str) -> bool:
    """Return whether a text names the level of a number of ticks, and is no instruction to choose."""
    return bool(TICK.search(text)) and not CHOOSES.search(text) and any(span.label for span in spans_in(text))


def _without_item_mark(text: str) -> str:
    """Return an item without its own mark of reversed points; a line that names items by number keeps it."""
    bare = REVERSED_MARK.sub("", text)
    words = [word for word in bare.split() if LETTER.search(word)]
    is_item = len(words) > _LEAST_WORDS or HAN.search(bare) is not None
    return bare if is_item else text


def _states_points(text: str) -> bool:
    """Return whether a text states points of letters, of items, or of each yes or tick."""
    is_key = len(points_of_letters(text)) > LEAST_RANGES or letters_by_item(text) or key_in(text) is not None
    return is_key or lists_solutions(text) or counts_yes(text) or counts_ticks(text) or scores_each(text)


def scores_each(text: str) -> bool:
    """Return whether a statement says how many points each of something scores.

    Examples
    --------
    >>> scores_each("Each “often” is 2 points."), scores_each("You have 2 points each, don't you?")
    (True, False)
    """
    text = in_digits(text)
    return not asks(text) and _EACH.search(text) is not None


def _states_points_of_items(text: str) -> bool:
    """Return whether a text names items by number, and the points of at least four answers."""
    return ITEM_NUMBER.search(text) is not None and len(_PAIRED.findall(text)) >= _LEAST_PAIRS


def _has_cue(text: str) -> bool:
    return bool(CUE.search(text) or REVERSED.search(text))


def _states_means(text: str) -> bool:
    """Return whether a text states the levels of a mean."""
    return AS_MEAN.search(text) is not None and len(spans_in(text, 1)) > 1


def _adds_up_items(text: str) -> bool:
    """Return whether a text with a word for a sum names items by number."""
    has_words = WEAK_CUE.search(text) and ITEM_NUMBER.search(text)
    return bool(has_words) and len(NUMBER.findall(text)) > 2


def _names_ranges(text: str) -> bool:
    """Return whether a text states ranges with names of their own, and does not list them as answers."""
    ranges = ranges_in(text)
    names = {label.casefold().strip(" /|") for _low, _high, label in ranges}
    if len(ranges) < LEAST_RANGES or not all(names) or len(names) < len(ranges):
        return False
    # Amounts among which to choose: "0-2 / 3-5 / more".
    asked = SIGN_OF_QUESTION.search(text)
    is_list = asked is not None and RANGE.search(text, asked.start()) is not None
    return not is_list and not _AMONG_AMOUNTS.search(text)


def _names_steps(text: str) -> bool:
    """Return whether a text names at least three limits that follow each other."""
    names = {label.casefold() for _low, _high, label in steps_in(text)}
    return not SIGN_OF_QUESTION.search(text) and len(names) > LEAST_RANGES and all(map(LETTER.search, names))


def _limits_sum(text: str) -> bool:
    """Return whether a text with a word for a sum states a limit."""
    return WEAK_CUE.search(text) is not None and not all(each.is_weak for each in spans_in(text))


_STATEMENTS: Final[tuple[Callable[[str], bool], ...]] = (
    _states_points,
    _states_points_of_items,
    _has_cue,
    _states_means,
    _adds_up_items,
    _names_ranges,
    _names_steps,
    _limits_sum,
)
"""What a text with a number may state about a score."""


def has_number(text: str) -> bool:
    """Return whether a text has a digit, or a number word that limits a sum."""
    return any(map(str.isdecimal, in_digits(text)))


def is_key(text: str) -> bool:
    """Return whether a line states points of letters or items, or the items in which yes and no score."""
    return (
        bool(ITEM_KEY.match(text) or _ITEM_POINTS.match(text)) or is_yes_no_key(text) or lists_solutions(text)
    )


def is_yes_no_key(text: str) -> bool:
    """Return whether a line names the items in which yes scores, and those in which no does."""
    return not asks(text) and (key := key_in(text)) is not None and all(key)


def is_headed(text: str) -> bool:
    """Return whether a line begins with a few words about scoring and a colon."""
    head, *rest = COLON.split(text, maxsplit=1)
    return bool(rest) and len(head.split()) <= MOST_HEADING_WORDS and CUE.search(head) is not None


def explains_answers(text: str) -> bool:
    """Return whether a line says which answer each number is the code of, and no more."""
    if counts_ticks(text) or scores_each(text) or _reverses_and_scores(text) or excepts_items(text):
        return False
    if any(_limits_sum(said) for said in STATEMENTS.split(text) if said and not legend_of(said)):
        return False
    if len(ranges_in(text)) > 1 and len({name for _start, name in levels_in(text)}) > LEAST_RANGES:
        return False
    if len(steps_in(text)) > (1 if WEAK_CUE.search(text) else LEAST_RANGES):
        return False
    legend = legend_of(text)
    return legend is not None and len(legend.points) > 1 and not REVERSED.search(text)


def _reverses_and_scores(text: str) -> bool:
    """Return whether one statement of a text reverses items, and one is about a score."""
    parts = [part for part in PARTS.split(text) if "=" not in part and "＝" not in part]
    return any(map(REVERSED.search, parts)) and any(map(ABOUT_SCORE.search, parts))
