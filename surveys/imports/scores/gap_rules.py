"""Read scoring rules about missing answers: *with more than one missing answer, give no total*."""

from __future__ import annotations

import re
from typing import Any, Final

from surveys.imports.scores.score_levels import spans_in
from surveys.imports.words.cues import pattern_of
from surveys.imports.words.numerals import NUMBER_WORD, WORDS, in_digits
from surveys.imports.words.patterns import AND_OR, POINTS, WRAPPED

GAPS_UNREAD: Final = "gaps unread"
"""The cause of notes on rules about missing answers that were not understood."""
_GAP: Final = pattern_of("gap")
_ANSWERED: Final = pattern_of("gap-answered")
AS_MEAN: Final = pattern_of("gap-mean")
_AS_NOTHING: Final = pattern_of("gap-nothing")
_NO_TOTAL: Final = pattern_of("gap-no-total")
_ALL: Final = pattern_of("gap-all")
_BEYOND: Final = pattern_of("beyond")
_AS_VALUE: Final = pattern_of("gap-value")
"""A number of points as the value of a missing answer."""
_LEVEL: Final = re.compile(
    rf"[^\d:：]{{0,12}}\d{{1,3}}[^:：\d]{{0,3}}(?:\d{{1,3}}\s?)?{POINTS}[^:：\d]{{0,20}}[:：]", re.IGNORECASE
)
"""A number of points before a colon: the rest is what a level means."""
_SENTENCE: Final = re.compile(r"(?<=[.;])\s+|(?<=[。；])|\f?\n(?![a-zß-öø-ÿа-яё])|\f\n?")
_CLAUSE: Final = re.compile(r"(?:[,，;。；]|(?<!max)\.)\s?", re.IGNORECASE)
_STATEMENT: Final = re.compile(r"(?:[;。；]|\n(?![a-zß-öø-ÿа-яё])|(?<!max)\.(?!\d))\s?", re.IGNORECASE)
_ANY_NUMBER: Final = re.compile(r"(?<![\w.,])(?:\d{1,3})(?![\w]|[.,]\d)|\d{1,3}(?=[㐀-鿿])")
_SAMPLE: Final = re.compile(r"[(（]\s?[nN]\s?=\s?\d{1,5}\s?[)）]")

_NUMBER_PATTERN: Final = rf"(?:\d{{1,2}}|{NUMBER_WORD})"
_NUMBER: Final = re.compile(
    rf"(?<![^\W㐀-鿿])(?<!-)(?P<count>{_NUMBER_PATTERN})(?![^\W㐀-鿿])(?!-)|(?P<han>[一二两三四五])", re.I
)
_ALTERNATIVE: Final = re.compile(
    rf"(?<![\w-]){_NUMBER_PATTERN}\s{AND_OR}\s(?={_NUMBER_PATTERN}(?![\w-]))",
    re.I,
)
"""The smaller of two numbers: *one or two missing answers*."""
_BEFORE: Final = {
    name: re.compile(rf"{pattern_of(f'gap-{name}').pattern}\s?\W?(?P<count>{_NUMBER_PATTERN})", re.I)
    for name in ("more-than", "less-than", "at-most", "at-least")
}
_BEHIND: Final = {
    name: re.compile(
        rf"(?P<count>{_NUMBER_PATTERN})\D{{0,30}}?{pattern_of(f'gap-{name}-behind').pattern}", re.I
    )
    for name in ("at-most", "at-least")
}


def says_gaps(text: str) -> bool:
    """Return whether a text says what happens to the score of people who leave answers empty.

    Examples
    --------
    >>> says_gaps("A missing answer counts as 0."), says_gaps("What is missing in your team?")
    (True, False)
    """
    text = in_digits(text)
    if _ALL.search(text):
        return True
    is_about = _GAP.search(text) or (_ANSWERED.search(text) and _BEFORE["at-least"].search(text))
    return bool(is_about and (AS_MEAN.search(text) or _AS_NOTHING.search(text) or _NO_TOTAL.search(text)))


def is_about_gaps(text: str) -> bool:
    """Return whether a sentence of a scoring rule is about missing answers."""
    # A number of answers yes is a sum.
    text = in_digits(text)
    if _LEVEL.match(text):
        return False
    if AS_MEAN.search(text) and _NO_TOTAL.search(text):
        return True
    limit = _BEFORE["at-least"].search(text) or _BEFORE["less-than"].search(text)
    return bool(_GAP.search(text) or (limit and _ANSWERED.search(text))) or says_gaps(text)


def without_gaps(text: str) -> tuple[str, str]:
    """Return a scoring rule without its sentences on missing answers, and these sentences.

    Examples
    --------
    >>> without_gaps("0-4 low; 5-9 high. If one answer is missing, use the mean of the others.")
    ('0-4 low;\\n5-9 high.', 'If one answer is missing, use the mean of the others.')
    """
    lines = text.split("\n")
    # A sentence does not continue after a line that states levels.
    text = "\n".join(line + ("\f" if len(spans_in(line)) > 1 else "") for line in lines)
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    about: list[bool] = []
    for sentence in sentences:
        # A sentence continues after a semicolon if a small letter follows.
        about.append(is_about_gaps(sentence) or (about[-1:] == [True] and _continues(sentence)))
    rest = [sentence for sentence, is_about in zip(sentences, about, strict=True) if not is_about]
    own = [sentence for sentence, is_about in zip(sentences, about, strict=True) if is_about]
    return "\n".join(rest), "\n".join(own)


def _continues(sentence: str) -> bool:
    numbers = {*_ANY_NUMBER.findall(sentence)}
    counts_nothing = numbers == {"0"} and _AS_NOTHING.search(sentence) is not None
    return sentence[0].islower() and (counts_nothing or not any(map(str.isdecimal, sentence)))


def gap_rule(text: str, count: int, *, usual: str = "mean") -> dict[str, Any] | None:
    """Return the rule about missing answers in sentences, as ``missing`` of a rule; None if unclear.

    Parameters
    ----------
    text : str
        Sentences on missing answers.
    count : int
        Number of questions that are added up, at least 2.
    usual : str
        How a missing answer counts if the text only says how many may be missing: ``mean`` or ``no_points``.

    Examples
    --------
    >>> gap_rule("With more than one missing answer, no total is computed; else use the mean.", 9)
    {'at_most': 1, 'as': 'mean'}
    >>> gap_rule("At least 7 of the 9 items must be answered. Missing answers count as 0.", 9)
    {'at_most': 2, 'as': 'no_points'}
    >>> gap_rule("The total can only be used if all items are answered.", 9)
    {'at_most': 0, 'as': 'mean'}
    >>> gap_rule("Missing answers need care.", 9)
    """
    text = WRAPPED.sub(" ", _SAMPLE.sub(" ", text))
    allowed, named = _limits_in(text, count)
    if any(2 * each > count for each in allowed):
        # Rather a number of answers that must be present, in words that this reader does not know.
        return None
    is_mean, is_nothing = AS_MEAN.search(text) is not None, _AS_NOTHING.search(text) is not None
    if not allowed and is_mean != is_nothing:
        # Without a limit, a person with one answer still has a score.
        allowed = named or {count - 1}
    if not allowed and (_ALL.search(text) or _NO_TOTAL.search(text)):
        allowed = {0}
    # An unexplained number may be the value of a missing answer: the middle of the scale, for example.
    explained = _stated(text, count) | ({0} if is_nothing else set())
    if len(allowed) != 1 or not {*map(int, _ANY_NUMBER.findall(text))} <= explained:
        return None
    most = allowed.pop()
    if not 0 <= most < count or (most and is_mean and is_nothing):
        return None
    stated = "no_points" if is_nothing else "mean" if is_mean else usual
    return {"at_most": most, "as": stated if most else "mean"}


def _limits_in(text: str, count: int) -> tuple[set[int], set[int]]:
    """Return how many missing answers the clauses of a text allow, and the numbers that others name first."""
    allowed: set[int] = set()
    named: set[int] = set()
    for said in _STATEMENT.split(text):
        own_allowed, own_named = _limits_of(said, count)
        if own_named and not own_allowed and _NO_TOTAL.search(said) and not _fills(said):
            # Without a word for more, it is the number from which there is no total.
            own_allowed = {min(own_named) - (_BEYOND.search(said) is None)}
        allowed |= own_allowed
        named |= own_named
    return allowed, named


def _fills(text: str) -> bool:
    """Return whether a text says how a missing answer counts."""
    return AS_MEAN.search(text) is not None or _AS_NOTHING.search(text) is not None


def _limits_of(said: str, count: int) -> tuple[set[int], set[int]]:
    allowed: set[int] = set()
    named: set[int] = set()
    for clause in _CLAUSE.split(said):
        found = _allowed(clause, count)
        first = _NUMBER.search(_ALTERNATIVE.sub("", clause)) if _GAP.search(clause) else None
        if found is not None:
            allowed.add(found)
        elif first and (number := _number_of(first)):
            named.add(number)
    return allowed, named


def _stated(text: str, count: int) -> set[int]:
    """Return the numbers in a text that are limits, or counts of missing or added answers."""
    found = {count}
    for clause in _CLAUSE.split(text):
        numbers = [_number_of(match) for match in _NUMBER.finditer(clause)]
        patterns = [*_BEFORE.values(), *_BEHIND.values()]
        found |= {_number_of(match) for pattern in patterns for match in pattern.finditer(clause)}
        found |= {*numbers[:1]} if _GAP.search(clause) and not _AS_VALUE.search(clause) else set()
    return found


def _allowed(clause: str, count: int) -> int | None:
    """Return how many missing answers a clause allows; None if it names no limit."""
    if (least := _BEFORE["at-least"].search(clause)) and _ANSWERED.search(clause) and not _GAP.search(clause):
        return count - _number_of(least)
    if less := _BEFORE["less-than"].search(clause):
        is_answered = _ANSWERED.search(clause) and not _GAP.search(clause)
        return count - _number_of(less) if is_answered else _number_of(less) - 1
    if most := _BEFORE["at-most"].search(clause) or _BEHIND["at-most"].search(clause):
        return _number_of(most)
    if more := _BEFORE["more-than"].search(clause):
        return _number_of(more)
    least = least or _BEHIND["at-least"].search(clause)
    return _number_of(least) - 1 if least and _GAP.search(clause) else None


def _number_of(match: re.Match[str]) -> int:
    """Return the number that a match of this module's patterns holds, in digits or as a word."""
    word = match["count"] or match["han"]
    return int(word) if word.isdecimal() else WORDS[word.casefold()]
