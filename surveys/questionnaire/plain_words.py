"""The words of `background.tsv`, from which plain questions are made, as phrases and patterns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from itertools import product
from typing import Final

from surveys.questionnaire.displayed import as_read

Phrase = tuple[str, ...]

_FILE: Final = resources.files("surveys.questionnaire").joinpath("background.tsv")
ROWS: Final = tuple(
    tuple(line.split("\t"))
    for line in _FILE.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
"""Meaning, kinds, language, words or pattern, and example of each row."""

LANGUAGES: Final = tuple(dict.fromkeys(row[2] for row in ROWS))
"""Languages that the rule reads."""
MOST_TEXTS: Final = 2_000
"""Texts whose letters are kept: a page asks for each text of a questionnaire several times."""
_BEFORE_OTHERS: Final = " + "
"""Follows the words of a row that name its topic."""
_BETWEEN_HALVES: Final = " & "
"""Separates two lists of words; a question names its topic if it has a word of each."""
FIRST_HALF: Final = 1
SECOND_HALF: Final = 2
"""Halves of a name, as bits."""
NAMED: Final = FIRST_HALF | SECOND_HALF
TWO_DIGITS: Final = "00"
_TOKEN: Final = re.compile(r"[\u4e00-\u9fff]|(?:[^\W_\u4e00-\u9fff]|[\u0900-\u0963])+")
"""A Chinese character, or a word or part of one: with vowel signs in Hindi. A write-in line is not a word."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The phrases of which a plain question of a topic consists, each a sequence of tokens."""

    names: Mapping[Phrase, int]
    """Phrases that name the topic, or half of it, as bits."""
    phrases: frozenset[Phrase]
    """All phrases."""

    @cached_property
    def lengths(self) -> dict[str, tuple[int, ...]]:
        """Lengths of the phrases that begin with each token, the longest first."""
        found: dict[str, set[int]] = {}
        for phrase in self.phrases:
            found.setdefault(phrase[0], set()).add(len(phrase))
        return {token: tuple(sorted(lengths, reverse=True)) for token, lengths in found.items()}

    def ends(self, tokens: Phrase, start: int) -> Iterator[int]:
        """Yield where the phrases end that begin at a token, the longest first."""
        for length in self.lengths.get(tokens[start], ()):
            end = start + length
            if end <= len(tokens) and tokens[start:end] in self.phrases:
                yield end


NO_WORDS: Final = Vocabulary({}, frozenset())


@cache
def vocabulary(words: str) -> Vocabulary:
    """Return the vocabulary of a row.

    Parameters
    ----------
    words : str
        Words that name the topic, or both halves of them, and others.

    Returns
    -------
    Vocabulary

    Examples
    --------
    >>> vocabulary("ward & you work + on|which").names
    {('ward',): 1, ('you', 'work'): 2}
    """
    names_in_row, _sign, others = words.partition(_BEFORE_OTHERS)
    one, _sign, other = names_in_row.partition(_BETWEEN_HALVES)
    names = dict.fromkeys(phrases_of(one), FIRST_HALF if other else NAMED)
    names |= dict.fromkeys(phrases_of(other), SECOND_HALF)
    return Vocabulary(names, frozenset([*names, *phrases_of(others)]))


def all_naming(phrases: frozenset[Phrase]) -> Vocabulary:
    """Return a vocabulary whose phrases all name the topic.

    Parameters
    ----------
    phrases : frozenset of tuple of str

    Returns
    -------
    Vocabulary

    Examples
    --------
    >>> all_naming(frozenset({("age",)})).names
    {('age',): 3}
    """
    return Vocabulary(dict.fromkeys(phrases, NAMED), phrases)


@cache
def words_of(language: str, *meanings: str) -> frozenset[Phrase]:
    """Return the phrases of all rows with these meanings in a language.

    Parameters
    ----------
    language : str
    *meanings : str
        Values of the first column of the file.

    Returns
    -------
    frozenset of tuple of str

    Examples
    --------
    >>> ("at", "present") in words_of("en", "filler")
    True
    """
    return frozenset(
        phrase
        for meaning, _kinds, tag, words, _example in ROWS
        if meaning in meanings and tag == language
        for phrase in phrases_of(words.replace(_BEFORE_OTHERS, "|").replace(_BETWEEN_HALVES, "|"))
    )


@cache
def phrases_of(words: str) -> tuple[Phrase, ...]:
    """Return the tokens of each phrase of a row.

    Parameters
    ----------
    words : str
        Phrases between vertical bars, with slashes between words for the same place.

    Returns
    -------
    tuple of tuple of str

    Examples
    --------
    >>> phrases_of("in/at school|class")
    (('in', 'school'), ('at', 'school'), ('class',))
    """
    return tuple(
        _divide(" ".join(chosen))
        for phrase in plain_letters(words).split("|")
        if phrase
        for chosen in product(*(place.split("/") for place in phrase.split(" ")))
    )


@lru_cache(maxsize=MOST_TEXTS)
def tokens_of(text: str) -> Phrase:
    """Return the Chinese characters, words and numbers of a text in plain letters.

    Parameters
    ----------
    text : str

    Returns
    -------
    tuple of str
        With 00 for each number of two digits.

    Examples
    --------
    >>> tokens_of("aged 18, 您好")
    ('aged', '00', '您', '好')
    """
    return _divide(text)


def _divide(text: str) -> Phrase:
    """Divide a text in plain letters into Chinese characters, words and numbers; 00 stands for two digits."""
    return tuple(
        TWO_DIGITS if token.isdecimal() and len(token) == len(TWO_DIGITS) else token
        for token in _TOKEN.findall(text)
    )


@lru_cache(maxsize=MOST_TEXTS)
def plain_letters(text: str) -> str:
    """Return a text as displayed, in lower case and without accents.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> plain_letters("Âge")
    'age'
    """
    apart = unicodedata.normalize("NFD", as_read(text))
    return "".join(sign for sign in apart if unicodedata.category(sign) != "Mn").casefold()


@cache
def word_patterns(meaning: str, language: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of words with a meaning.

    Parameters
    ----------
    meaning : str
        A value of the first column of the file.
    language : str
        Empty for the patterns of all languages.

    Returns
    -------
    tuple of re.Pattern

    Examples
    --------
    >>> bool(word_patterns("yes_no", "en")[0].fullmatch("yes"))
    True
    """
    return tuple(
        re.compile(pattern)
        for own, _kinds, tag, pattern, _example in ROWS
        if own == meaning and language in ("", tag)
    )
