"""Words that mix alphabets: a Cyrillic letter in a Latin word looks right and is another word.

Such letters come from copied texts or a second keyboard. Search, screen readers and translations fail on
them, and two texts that look the same differ. Words in several scripts are common and right in Chinese
("A型"), in formulas ("TNFα", "μm") and with a hyphen ("α-Test"), so only these are reported:

- a Cyrillic, Armenian or Cherokee letter next to Latin ones;
- a Greek letter that looks like a Latin one, next to Latin ones, or any Greek letter between Latin ones;
- a full-width or mathematical letter next to ordinary Latin ones;
- a whole word of Cyrillic or Greek letters that all look Latin, in a text that is otherwise Latin.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from surveys.questionnaire.displayed import limit_marks
from surveys.questionnaire.findings import Finding, Level

_LOOK_LATIN: Final = frozenset(
    "АВЕЅІЈКМНОРСТУХԚԜаеѕіјорсухԁԛԝһӏ"  # Cyrillic
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"  # Greek
)
_FOREIGN: Final = frozenset({"CYRILLIC", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL"})
_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST: Final = 20
"""Most findings: a text in the wrong alphabet has one in each word."""


class Mixed(NamedTuple):
    """A word and its letter of another alphabet."""

    word: str
    letter: str

    @property
    def name(self) -> str:
        """The letter's name in Unicode."""
        return unicodedata.name(self.letter)


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    """Return the first word of a letter's name, which names its script."""
    return unicodedata.name(letter, "UNKNOWN").split()[0]


def mixed_words(text: str) -> Iterator[Mixed]:
    """Yield each word of a text that mixes alphabets, once.

    Examples
    --------
    >>> [word.letter for word in mixed_words("Did you ch\\u0435at?")]  # a Cyrillic e
    ['е']
    >>> [*mixed_words("α-Test, TNFα, 5 μm, A型, Café, IT-отдел")]
    []
    """
    words = list(dict.fromkeys(_WORD.findall(unicodedata.normalize("NFC", limit_marks(text)))))
    for word in words:
        if (letter := _stranger(word)) is not None:
            yield Mixed(word, letter)
    latin = [word for word in words if {"LATIN"} == set(map(_script, word))]
    others = [
        word for word in words if not word.isascii() and {"CYRILLIC", "GREEK"} & set(map(_script, word))
    ]
    disguised = [word for word in others if set(word) <= _LOOK_LATIN]
    # A text that has other Cyrillic or Greek words is simply written in two languages.
    if latin and len(disguised) == len([word for word in others if _stranger(word) is None]):
        yield from (Mixed(word, word[0]) for word in disguised)


def _stranger(word: str) -> str | None:
    """Return the first letter of another alphabet in a word with Latin letters; None if it has none."""
    if word.isascii():
        return None
    scripts = list(map(_script, word))
    n_latin, n_cyrillic = scripts.count("LATIN"), scripts.count("CYRILLIC")
    if not n_latin:
        return None
    if n_cyrillic > n_latin:
        # A Latin letter in a Cyrillic word.
        return word[scripts.index("LATIN")]
    for at, (letter, script) in enumerate(zip(word, scripts, strict=True)):
        is_between = 0 < at < len(word) - 1 and scripts[at - 1] == "LATIN" == scripts[at + 1]
        if script in _FOREIGN or (script == "GREEK" and (letter in _LOOK_LATIN or is_between)):
            return letter
    return None


def check_letters(document: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a warning for each word that mixes alphabets in a text that respondents read.

    Parameters
    ----------
    document : mapping
        A definition that can be published.
    """
    count = 0
    for path, text in _texts(document, "", frozenset(document["title"])):
        for word, letter in mixed_words(text):
            count += 1
            if count > _MOST:
                return
            yield Finding(
                level=Level.WARN,
                code="mixed_letters",
                path=path,
                message=_("“%(word)s” mixes alphabets: its letter “%(letter)s” is %(name)s")
                % {"word": word, "letter": letter, "name": unicodedata.name(letter)},
                remedy=_("type the word again with letters of one alphabet"),
            )


def _texts(value: Any, path: str, languages: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield every text in any language, with the path of what it belongs to."""
    if isinstance(value, Mapping):
        is_text = value and languages >= set(value) and all(isinstance(each, str) for each in value.values())
        if is_text:
            place = re.sub(r"\.text$", "", path)
            yield from ((place, text) for text in value.values())
            return
        for name, each in value.items():
            yield from _texts(each, f"{path}.{name}" if path else name, languages)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _texts(each, f"{path}[{number}]", languages)
