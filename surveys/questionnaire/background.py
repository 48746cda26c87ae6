"""Which questions are plain background, so that they may be stored as answered, and which look sensitive.

A question is protected unless someone decides otherwise. The only exception is a question that is plain as
a whole, such as "How old are you?": `background.tsv` lists such questions in nine languages. A single word
never makes a question plain, and a word of a topic that people hide keeps it protected.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.questionnaire.displayed import as_read

Texts = Mapping[str, str]

_FILE: Final = resources.files("surveys.questionnaire").joinpath("background.tsv")
ROWS: Final = tuple(
    tuple(line.split("\t"))
    for line in _FILE.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
"""Meaning, kinds, language, pattern and example of each row."""

TOPICS: Final = {
    "age": gettext_lazy("age"),
    "sex": gettext_lazy("sex"),
    "work": gettext_lazy("the place of work"),
    "region": gettext_lazy("the region"),
    "schooling": gettext_lazy("schooling"),
    "habit": gettext_lazy("everyday habits"),
}
"""Topics of plain questions, in words."""

LANGUAGES: Final = tuple(dict.fromkeys(row[2] for row in ROWS))
"""Languages that the rule reads."""

_KINDS: Final = {"n": "number", "s": "single", "y": "yes_no"}
_LONGEST: Final = 300
_MOST_TEXTS: Final = 2_000
"""Texts whose letters are kept: a page asks for each text of a questionnaire several times."""
_MARKS: Final = " .,:;!?…*_؟،؛।\"'“”„«»‹›¿¡。，：；！？、·-–—"
_CODE: Final = re.compile(r"(?:question |q )?[a-z]{0,3}\d{1,3}(?:[._]\d{1,2}){0,3}[a-z]?[.):]?[-–]?\s+")
_ITEM: Final = "sexes"


def why_stored(
    kind: str, texts: Texts, options: Iterable[Texts] = (), *, around: Iterable[Texts] = ()
) -> str:
    """Return why a new question is stored as answered; empty if it is protected.

    Every reader of questionnaires, the builder's plan and its proposals use this rule.

    Parameters
    ----------
    kind : str
    texts : mapping of str to str
        Text of the question, by language.
    options : iterable of mappings of str to str
        Texts of its options, by language.
    around : iterable of mappings of str to str
        Other texts that show what it is about: its help, its heading, the questions on which it depends.

    Examples
    --------
    >>> why_stored("number", {"en": "How old are you?"})
    'it only asks for background that others know (age)'
    >>> why_stored("number", {"en": "How old were you when somebody first forced you?"})
    ''
    """
    topic = plain_topic(kind, texts, options, around=around)
    if not topic:
        return ""
    if topic == "habit":
        return _("people seldom hide this")
    return _("it only asks for background that others know (%(topic)s)") % {"topic": TOPICS[topic]}


def plain_topic(
    kind: str, texts: Texts, options: Iterable[Texts] = (), *, around: Iterable[Texts] = ()
) -> str:
    """Return the topic of a plain background question, a key of `TOPICS`; empty for all other questions.

    Examples
    --------
    >>> plain_topic("single", {"de": "In welcher Abteilung arbeiten Sie?"}, [{"de": "Einkauf"}])
    'work'
    >>> plain_topic("single", {"en": "Sex"}, [{"en": "Never"}, {"en": "Often"}])
    ''
    """
    answers = list(options)
    # A whole question that a pattern matches holds nothing sensitive; what is around it may.
    if sensitive_words([*answers, *around]):
        return ""
    found = (
        topic for topic in TOPICS if _all_match(texts, _plain_patterns(topic, kind)) and _fits(topic, answers)
    )
    return next(found, "")


def _fits(topic: str, options: list[Texts]) -> bool:
    """Return whether the options fit the topic: those of a question about sex are sexes."""
    return topic != "sex" or all(_all_match(option, _plain_patterns(_ITEM, "")) for option in options)


def sensitive_words(texts: Iterable[Texts]) -> str:
    """Return the first word that suggests a topic that people hide; empty if there is none.

    The word is returned in lower case and without accents. Texts in a language without a list are searched
    with the lists of all languages.

    Examples
    --------
    >>> sensitive_words([{"en": "Have you ever sold sex in your city?"}])
    'sex'
    >>> sensitive_words([{"fr": "Quel âge avez-vous ?"}])
    ''
    """
    return _first_word("sensitive", texts)


def harm_words(texts: Iterable[Texts]) -> str:
    """Return the first words of violence or self-harm, as `sensitive_words`; empty if there are none.

    Examples
    --------
    >>> harm_words([{"en": "Has anyone hit you?"}]), harm_words([{"en": "Which songs were a hit?"}])
    ('hit you', '')
    """
    return _first_word("harm", texts)


def _first_word(meaning: str, texts: Iterable[Texts]) -> str:
    for wording in texts:
        for tag, text in wording.items():
            language = tag.partition("-")[0]
            for pattern in _word_patterns(meaning, language if language in LANGUAGES else ""):
                if (match := pattern.search(_plain_letters(text))) is not None:
                    return match.group()
    return ""


def is_readable(texts: Texts) -> bool:
    """Return whether the rule reads one of the languages of a question."""
    return any(tag.partition("-")[0] in LANGUAGES for tag, text in texts.items() if text.strip())


def _all_match(texts: Texts, patterns: tuple[re.Pattern[str], ...]) -> bool:
    """Return whether a pattern matches the whole text in each language that the rule reads.

    Texts in other languages are translations if a readable one matches, or else have to match, too.
    """
    written = {tag: text for tag, text in texts.items() if text.strip()}
    readable = {tag: text for tag, text in written.items() if tag.partition("-")[0] in LANGUAGES}
    # A text in an unknown language may be in one of these.
    judged = readable | {tag: text for tag, text in written.items() if not readable or tag.startswith("und")}
    return bool(judged) and all(
        any(pattern.fullmatch(each) for each in _bare(text) for pattern in patterns)
        for text in judged.values()
    )


@lru_cache(maxsize=_MOST_TEXTS)
def _bare(text: str) -> frozenset[str]:
    """Return a text in plain letters without signs around it, with and without a code in front of it."""
    plain = _plain_letters(text).strip(_MARKS)
    if len(plain) > _LONGEST:
        return frozenset()
    code = _CODE.match(plain)
    return frozenset({plain, plain[code.end() :].strip(_MARKS)} if code else {plain})


@lru_cache(maxsize=_MOST_TEXTS)
def _plain_letters(text: str) -> str:
    """Return a text as displayed, in lower case and without accents."""
    apart = unicodedata.normalize("NFD", as_read(text))
    return "".join(sign for sign in apart if unicodedata.category(sign) != "Mn").casefold()


@cache
def _plain_patterns(topic: str, kind: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a topic for a kind of answers, one for each language."""
    words: dict[str, dict[str, str]] = defaultdict(dict)
    others: dict[tuple[str, str], list[str]] = defaultdict(list)
    for meaning, kinds, language, pattern, _example in ROWS:
        if meaning == "words":
            words[language][kinds] = pattern
            continue
        whole = pattern
        for name, within in words[language].items():
            whole = whole.replace(f"<{name}>", f"(?:{within})")
        if meaning in ("lead", "tail") or (
            meaning == topic and (not kinds or kind in {_KINDS[letter] for letter in kinds})
        ):
            others[language, meaning].append(whole)
    found = []
    for language in LANGUAGES:
        if plain := others[language, topic]:
            lead, tail = ("|".join(others[language, name]) for name in ("lead", "tail"))
            found.append(re.compile(f"(?:{lead}){{0,2}}(?:{'|'.join(plain)})\\s?(?:{tail}){{0,2}}"))
    return tuple(found)


@cache
def _word_patterns(meaning: str, language: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of words with this meaning in a language; those of all languages if it is empty."""
    return tuple(
        re.compile(pattern)
        for own, _kinds, tag, pattern, _example in ROWS
        if own == meaning and language in ("", tag)
    )
