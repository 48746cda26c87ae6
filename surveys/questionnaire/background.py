"""Which questions are plain background, so that they may be stored as answered, and which look sensitive.

A question is protected unless someone decides otherwise. The only exception is a question that is plain as
a whole, such as "How old are you?": each of its words is one that `background.tsv` lists for its topic or for
any topic, in eleven languages. A single word never makes a question plain, and one that is not listed keeps
it protected. Exceptions are examples, purposes and names of places, where they change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.questionnaire.checks.leftovers import leftovers
from surveys.questionnaire.plain_words import (
    FIRST_HALF,
    LANGUAGES,
    MOST_TEXTS,
    NAMED,
    NO_WORDS,
    ROWS,
    SECOND_HALF,
    TWO_DIGITS,
    Phrase,
    Vocabulary,
    all_naming,
    plain_letters,
    tokens_of,
    vocabulary,
    word_patterns,
    words_of,
)

Texts = Mapping[str, str]
_Spans = frozenset[tuple[int, int]]
_NONE: Final[_Spans] = frozenset()
_NO_NAMES: Final[frozenset[str]] = frozenset()

TOPICS: Final = {
    "age": gettext_lazy("age"),
    "sex": gettext_lazy("sex"),
    "work": gettext_lazy("the place of work"),
    "region": gettext_lazy("the region"),
    "household": gettext_lazy("the size of the household"),
    "schooling": gettext_lazy("schooling"),
    "habit": gettext_lazy("everyday habits"),
}
"""Topics of plain questions, in words."""

_KINDS: Final = {"n": "number", "s": "single", "y": "yes_no"}
_UNTIL_ANSWERED: Final = (_KINDS["s"], _KINDS["n"])
"""Kinds that a question without answers may become when somebody writes them."""
_LISTING: Final = frozenset({_KINDS["s"]})
"""Kinds whose answers are listed."""
_LONGEST: Final = 300
_MARKS: Final = " .,:;!?…*_؟،؛।\"'“”„«»‹›¿¡。，：；！？、·-–—"
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")
_CODE: Final = re.compile(
    r"(?:question |q )?(?:[a-z]|dem|soc|sd|bg)?\d{1,3}(?:[._]\d{1,2}){0,3}[a-z]?[.):]?[-–]?\s+"
)
_REMARK_ENDS: Final = re.compile(r"[,:;!?…()\[\]{}\n،؛؟।，。：；！？（）【】、–—]|(?<=\w\w)\.(?!\w)")
"""Signs before and after a remark, except the full stops of an abbreviation such as "e.g."."""
_OPTION_CODE: Final = re.compile(
    r"^\(?(?:\d{1,2}|[a-h])\)? ?[.):=\-–]{1,2} ?|(?<![ (\[=])[ (\[=]{1,3}\d{1,2}[)\]]?$"
)
"""A code before or after an option, such as "1 = ", "(1) ", "a) " or " (1)"."""
_END: Final = r"[,:;!?…()\[\]{}\n،؛؟।，。：；！？（）【】–—]|\.(?!\w)"
_END_OF_EXAMPLES: Final = r"[:;!?…()\[\]{}\n؛؟。；！？【】–—]|(?<=\w\w)\.(?!\w)"
_FEW: Final = {"example": 8, "purpose": 14}
"""The most words of an aside after its first ones; a Chinese character is half a word."""
_IF_SHOWN: Final = {"schooling": "level", "region": "size", "work": "post"}
"""Topics that answers can show, and what each answer then is."""
_OF_UNITS: Final = {"work": "works", "schooling": "studies"}
"""Topics whose answers may be names of departments or subjects, and patterns of words that show the topic."""
_CLOSED: Final = ("source", "identity")
"""Asides whose words are all listed."""
_BY_NAME: Final = frozenset({"work", "region", "schooling"})
"""Topics whose answers are names, so that examples of them are words."""
_NAME: Final = re.compile(r"(?<=[^\W\d_] )([^\W\d_]+(?:-[^\W\d_]+)*)|(?<=['’])([^\W\d_]+)")
_WORDS_OF_NAME: Final = 2
_BETWEEN_LANGUAGES: Final = re.compile(r"\s/\s|(?<=[?？:：])\s?/\s?|\n")
_TWO: Final = 2
_DIGIT: Final = re.compile(r"[\d一二两三四五六七八九十]")
_PICTURE: Final = re.compile("[\u2190-\u21ff\u2620-\u2712\U0001f000-\U0001ffff]")
"""An arrow or a picture, which may stand for a word."""


def why_stored(
    kind: str, texts: Texts, options: Iterable[Texts] = (), *, around: Iterable[Texts] = ()
) -> str:
    """Return why a new question is stored as answered; empty if it is protected.

    Every reader of questionnaires, the builder's plan and its proposals use this rule.

    Parameters
    ----------
    kind : str
        Empty if the question needs answers that nobody has written yet.
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
    >>> plain_topic("number", {"en": "No of ${transport}"})
    ''
    """
    if any(left[0] != "<" for text in texts.values() for left in leftovers(text)):
        # What the question is about comes from an earlier answer. Units are in angle brackets, too.
        return ""
    answers, others = list(options), list(around)
    # A question made of listed words is not sensitive, but its answers or heading may be. Only among sexes,
    # "non-binary" is an answer as any other.
    units = [
        each
        for each in answers
        if sensitive_words([each]) and _in_each_language(each, partial(_is_option, "unit"))
    ]
    beside = others if _are_sexes(answers) else [*(each for each in answers if each not in units), *others]
    if sensitive_words(beside) or _first_word("not_plain", beside) or _first_word("other_event", others):
        return ""
    if any(_is_clause("clause", each) for each in others):
        return ""
    # "I prefer not to say" is an answer among sexes and elsewhere.
    if any(_is_clause("story", each) and not _are_sexes([each]) for each in answers):
        return ""
    if any(map(_is_yes_or_no, answers)):
        kind = "yes_no"
    # A psychiatric ward is harmless only as a place of work, and psychology as a subject.
    topics = [name for name, by in _OF_UNITS.items() if _first_word(by, [texts])] if units else TOPICS
    shown = {name for name, of in _IF_SHOWN.items() if _are_all(of, answers)}
    found = (
        topic
        for topic in topics
        for each in ([kind] if kind else _UNTIL_ANSWERED)
        for is_shown in ({False, topic in shown})
        if _in_each_language(texts, partial(_is_plain, topic, each, is_shown)) and _fits(topic, each, answers)
    )
    return next(found, "")


def _are_all(meaning: str, options: list[Texts]) -> bool:
    """Return whether there are options and each has this meaning."""
    return bool(options) and all(_in_each_language(each, partial(_is_option, meaning)) for each in options)


def _fits(topic: str, kind: str, options: list[Texts]) -> bool:
    """Return whether the options fit the topic: all are sexes, or some ages and sizes have digits."""
    if topic == "sex" and kind in _LISTING:
        return _are_sexes(options)
    if topic in ("age", "household") and options:
        return any(_DIGIT.search(text) for each in options for text in each.values())
    return True


def _are_sexes(options: list[Texts]) -> bool:
    """Return whether there are options and each is a sex or refuses to say it."""
    return _are_all("sexes", options)


def _is_clause(meaning: str, texts: Texts) -> bool:
    """Return whether a heading or option has a clause in words that plain questions do not use.

    A heading may say who, where or from whom, and an option what happened or who did it.
    """
    return any(
        _first_word(meaning, [{tag: text}])
        and not any(
            _consists_of(_numbers_as_one(tokens_of(bare)), frozenset(), _all_words(language))
            for language in _possible_languages(text, texts)
            for bare in _bare(text)
        )
        for tag, text in texts.items()
        if text.strip()
    )


def _is_option(meaning: str, language: str, text: str) -> bool:
    if _is_option_of(meaning, language, text):
        return True
    return _in_two_languages(text, partial(_is_option_of, meaning), language)


def _is_option_of(meaning: str, language: str, text: str) -> bool:
    bare = _bare(text)
    return any(
        pattern.fullmatch(each.strip(_MARKS))
        for each in bare | {_OPTION_CODE.sub("", each) for each in bare}
        for pattern in word_patterns(meaning, language)
    )


def _is_yes_or_no(answer: Texts) -> bool:
    """Return whether an answer is *yes* or *no* in one of its languages."""
    return any(
        _is_option("yes_no", language, text)
        for text in answer.values()
        if text.strip()
        for language in _possible_languages(text, answer)
    )


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
            for pattern in word_patterns(meaning, language if language in LANGUAGES else ""):
                if (match := pattern.search(plain_letters(text))) is not None:
                    return match.group()
    return ""


def is_readable(texts: Texts) -> bool:
    """Return whether the rule reads all languages of a question."""
    tags = [tag.partition("-")[0] for tag, text in texts.items() if text.strip()]
    return bool(tags) and all(tag in LANGUAGES for tag in tags)


def _in_each_language(texts: Texts, is_such: Callable[[str, str], bool]) -> bool:
    """Return whether a function is true of a text in each of its languages.

    A text in a language that the rule does not read counts only if it could be in another language, because a
    translation may ask something else. The function receives language and text.
    """
    written = {tag: text for tag, text in texts.items() if text.strip()}
    return bool(written) and all(
        any(is_such(language, text) for language in _possible_languages(text, written))
        for text in written.values()
    )


def _possible_languages(text: str, texts: Texts) -> list[str]:
    """Return the languages of a text: all for an unknown tag, and those of the source for a copy."""
    tags = {tag.partition("-")[0] for tag, other in texts.items() if other == text}
    return [language for language in LANGUAGES if language in tags or not tags <= {*LANGUAGES}]


def _is_plain(topic: str, kind: str, is_shown: bool, language: str, text: str) -> bool:
    """Return whether a text consists of words of one row of a topic, and one of them names it.

    The rows for questions whose answers show the topic are used if they do.
    """
    if topic in _plain_topics(kind, language, text, is_shown):
        return True
    return _in_two_languages(
        text, lambda tag, part: topic in _plain_topics(kind, tag, part, is_shown), language
    )


def _in_two_languages(text: str, is_such: Callable[[str, str], bool], language: str) -> bool:
    """Return whether a function is true of both parts of "Idade / Age", of one of them in the language."""
    parts = _BETWEEN_LANGUAGES.split(text.strip())
    found = [{tag for tag in LANGUAGES if is_such(tag, part)} for part in parts] if len(parts) == _TWO else []
    return bool(found) and all(found) and any(language in tags for tags in found)


@lru_cache(maxsize=MOST_TEXTS * len(LANGUAGES))
def _plain_topics(kind: str, language: str, text: str, is_shown: bool) -> frozenset[str]:
    names = _NO_NAMES if kind == _KINDS["y"] else _names(text)
    return frozenset(
        topic
        for topic in (_IF_SHOWN if is_shown else TOPICS)
        if not _asks_for_other(topic, language, text)
        and any(
            _consists_of(tokens, remarks, words, _words_of_any(language, topic), parts)
            for tokens, remarks in _readings(language, text, topic)
            for parts in [_parts_of_places(language, tokens, names) if topic == "region" else _NONE]
            for words in _vocabularies(f"if_{_IF_SHOWN[topic]}" if is_shown else topic, kind, language)
        )
    )


def _readings(language: str, text: str, topic: str) -> list[tuple[Phrase, _Spans]]:
    """Return the tokens of a text and the spans of its remarks, with and without fillers."""
    # "Are you currently a woman?" is another question than "Are you a woman?".
    fillers = [NO_WORDS] if topic == "sex" else [NO_WORDS, _filler_words(language)]
    # "Age (of the first one)" asks for the age of another person.
    meanings = ("remark",) if topic in ("age", "sex") else ("remark", "remark_which")
    asides = [*(["source"] if topic == "sex" else _CLOSED), "purpose"]
    asides += ["example"] if topic in _BY_NAME else []
    return [
        _read(language, each, words, meanings, tuple(asides))
        for bare in _bare(text)
        for each in dict.fromkeys((bare, _shortened(language, bare)))
        for words in fillers
    ]


@lru_cache(maxsize=MOST_TEXTS)
def _read(
    language: str, text: str, fillers: Vocabulary, meanings: tuple[str, ...], asides: tuple[str, ...]
) -> tuple[Phrase, _Spans]:
    """Return the tokens of a text without fillers, and the spans of its remarks and asides.

    A remark is a sentence or bracket that only says how to answer: it consists of numbers and of words that
    are listed for remarks or for any topic. There can be many of them, because they never stand next to the
    words of a topic.
    """
    tokens: Phrase = ()
    remarks = set()
    for part, is_aside in _parts(language, text, asides):
        before, own = len(tokens), tokens_of(part)
        tokens += own if is_aside else _without(own, fillers)
        is_seen = before < len(tokens)
        if is_seen and (
            is_aside or _consists_of(_numbers_as_one(own), frozenset(), _remark_words(language, *meanings))
        ):
            remarks.add((before, len(tokens)))
        if not is_aside:
            remarks |= {(before, before + length) for length in _courtesies(language, tokens[before:])}
    return tokens, frozenset(remarks)


def _shortened(language: str, text: str) -> str:
    """Return a text without endings for the other sex, words for the respondent, and details of a place.

    All who answer belong to the same club, so "the rowing club" asks nothing more than "the club" does.
    """
    for pattern in word_patterns("left_out", language):
        text = pattern.sub(_kept, text)
    return text


def _kept(match: re.Match[str]) -> str:
    return match.groupdict().get("kept") or ""


def _parts(language: str, text: str, asides: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text between its signs, and whether each is an aside.

    An aside gives examples or says what the answer is for or where it is recorded, so it changes nothing that
    is asked. The words of examples and purposes need not be listed. They must be few, and none may be
    sensitive or name another person, time or event.
    """
    places = sorted(
        match.span()
        for meaning in asides
        for pattern in _aside_patterns(meaning, language)
        for match in pattern.finditer(text)
        if meaning in _CLOSED or _is_harmless(language, match["words"], _FEW[meaning])
    )
    end = 0
    for start, stop in places:
        if start < end:
            continue
        yield from ((part, False) for part in _REMARK_ENDS.split(text[end:start]))
        yield text[start:stop], True
        end = stop
    yield from ((part, False) for part in _REMARK_ENDS.split(text[end:]))


_HARMS: Final = ("sensitive", "harm", "not_plain", "event", "other_event", "clause", "turn")


def _is_harmless(language: str, words: str, most: int) -> bool:
    """Return whether the words of an aside are few, and none of a kind that could change a question."""
    tokens = tokens_of(words)
    length = sum(0.5 if _CHINESE.match(token) else 1 for token in tokens)
    return 0 < length <= most and not any(
        pattern.search(words) for meaning in _HARMS for pattern in word_patterns(meaning, language)
    )


@cache
def _aside_patterns(meaning: str, language: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of asides with this meaning: their first words, and those up to a sign.

    A purpose begins a sentence or bracket and ends before the words that ask for the answer.
    """
    if meaning in _CLOSED:
        return word_patterns(meaning, language)
    begins = r"(?:^|(?<=[,.:;!?(。])|(?<=[,.:;!?(。] ))" if meaning == "purpose" else ""
    asks = "|".join(pattern.pattern for pattern in word_patterns("asks", language))
    stops = rf"(?={_END}|$|{asks})" if meaning == "purpose" and asks else rf"(?={_END_OF_EXAMPLES}|$)"
    return tuple(
        re.compile(rf"{begins}(?:{pattern.pattern})[\s:,.：，]{{0,4}}(?P<words>.{{1,120}}?){stops}")
        for pattern in word_patterns(meaning, language)
    )


def _numbers_as_one(tokens: Phrase) -> Phrase:
    return tuple(TWO_DIGITS if token.isdecimal() else token for token in tokens)


def _courtesies(language: str, tokens: Phrase) -> Iterator[int]:
    """Yield the lengths of the courtesies in front of a question, such as "may I just ask"."""
    words = _courtesy_words(language)
    ends = {0}
    for start in range(len(tokens)):
        if start in ends:
            ends.update(words.ends(tokens, start))
    yield from ends - {0}


@lru_cache(maxsize=MOST_TEXTS)
def _names(text: str) -> frozenset[str]:
    """Return the tokens of words with a capital letter within a sentence; none of a text in capitals."""
    if text.isupper():
        return _NO_NAMES
    found = (match.group() for match in _NAME.finditer(text))
    return frozenset(token for word in found if word[0].isupper() for token in tokens_of(plain_letters(word)))


def _parts_of_places(language: str, tokens: Phrase, names: frozenset[str]) -> _Spans:
    """Return the spans of parts of a place with its name, as in "part of Wales": it need not be listed."""
    words = _part_words(language)
    return frozenset(
        (start, end)
        for start in (range(len(tokens)) if names else ())
        for part in words.ends(tokens, start)
        if words.names[tokens[start:part]] == FIRST_HALF and part < len(tokens)
        for before in words.ends(tokens, part)
        if words.names[tokens[part:before]] == SECOND_HALF
        for end in range(before + 1, min(before + _WORDS_OF_NAME, len(tokens)) + 1)
        if names.issuperset(tokens[before:end])
        and _is_harmless(language, " ".join(tokens[before:end]), _WORDS_OF_NAME)
    )


def _without(tokens: Phrase, fillers: Vocabulary) -> Phrase:
    kept, start = [], 0
    while start < len(tokens):
        end = next(fillers.ends(tokens, start), start)
        if end == start:
            kept.append(tokens[start])
        start = max(end, start + 1)
    return tuple(kept)


_OTHERS: Final = {"age": "event", "sex": "another", "work": "patient"}
"""Patterns of texts that ask for something else, though they consist of words of a topic."""


def _asks_for_other(topic: str, language: str, text: str) -> bool:
    patterns = word_patterns(_OTHERS[topic], language) if topic in _OTHERS else ()
    return any(pattern.search(plain_letters(text)) for pattern in patterns)


def _consists_of(
    tokens: Phrase,
    remarks: _Spans,
    words: Vocabulary,
    of_any: Vocabulary = NO_WORDS,
    units: _Spans = _NONE,
) -> bool:
    """Return whether tokens can be divided into remarks and phrases that together name the topic.

    It takes linear time, because for each position it only keeps which halves of a name the divisions that
    end there hold.
    """
    halves: list[set[int]] = [set() for _place in range(len(tokens) + 1)]
    halves[0] = {0}
    ends: dict[int, list[int]] = {}
    for start, end in remarks:
        ends.setdefault(start, []).append(end)
    for start in range(len(tokens)):
        if not halves[start]:
            continue
        for end in ends.get(start, ()):
            halves[end] |= halves[start]
        for _start, end in (span for span in units if span[0] == start):
            halves[end] |= {each | FIRST_HALF for each in halves[start]}
        for end in {*words.ends(tokens, start), *of_any.ends(tokens, start)}:
            named = words.names.get(tokens[start:end], 0)
            halves[end] |= {each | named for each in halves[start]}
    return NAMED in halves[-1]


@lru_cache(maxsize=MOST_TEXTS)
def _bare(text: str) -> frozenset[str]:
    """Return a text in plain letters without signs around it, with and without a code in front of it."""
    plain = plain_letters(text).strip(_MARKS)
    if len(plain) > _LONGEST or _PICTURE.search(plain):
        return frozenset()
    code = _CODE.match(plain)
    return frozenset({plain, plain[code.end() :].strip(_MARKS)} if code else {plain})


@cache
def _vocabularies(topic: str, kind: str, language: str) -> tuple[Vocabulary, ...]:
    """Return the vocabulary of each row of a topic for a kind of answers."""
    return tuple(
        vocabulary(words)
        for meaning, kinds, tag, words, _example in ROWS
        if meaning == topic and tag == language and kind in {_KINDS[letter] for letter in kinds}
    )


@cache
def _words_of_any(language: str, topic: str) -> Vocabulary:
    meanings = ["any"] if topic == "sex" else ["any", "but_sex"]
    meanings += ["by_name"] if topic in _BY_NAME else []
    return Vocabulary({}, words_of(language, *meanings))


@cache
def _all_words(language: str) -> Vocabulary:
    """Return the words of plain questions of all topics; each word names a topic."""
    meanings = ("any", "but_sex", "by_name", "filler", "remark", "remark_which", *TOPICS)
    return all_naming(words_of(language, *meanings) | {(TWO_DIGITS,)})


@cache
def _remark_words(language: str, *meanings: str) -> Vocabulary:
    return all_naming(words_of(language, "any", *meanings) | {(TWO_DIGITS,)})


@cache
def _filler_words(language: str) -> Vocabulary:
    return Vocabulary({}, words_of(language, "filler"))


@cache
def _part_words(language: str) -> Vocabulary:
    rows = [row[3] for row in ROWS if row[0] == "part" and row[2] == language]
    return vocabulary(*rows) if rows else NO_WORDS


@cache
def _courtesy_words(language: str) -> Vocabulary:
    return Vocabulary({}, words_of(language, "courtesy"))
