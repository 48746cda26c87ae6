"""The answers that the words of a condition name: by their texts, as yes or no, or by repeating the question.

Words are understood only if each is part of an answer, of the question, or common to conditions (`glue` in
`cues.tsv`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from surveys.imports.drafts.questionnaire import Question, Texts, text_of
from surveys.imports.lines.source_lines import ANSWER, SourceLine, answers_of
from surveys.imports.words.cues import IF_SO, LEADS_ON, says_yes, words_of
from surveys.imports.words.patterns import HAN
from surveys.questionnaire.exclusive_wordings import means_no_answer

_GLUE: Final = frozenset(map(str.casefold, words_of("glue")))
WORDS: Final = re.compile(r"[㐀-鿿]+|[^\W_㐀-鿿]+")
_ALONE: Final = re.compile(r"(?<![^\W㐀-鿿'’])(?:(?<!^)[A-H]|[a-h])(?![^\W㐀-鿿]|['’]|[.]?\d)")
_WORDS_OF_ONE_LETTER: Final = "ae"
_HAN_WORDS: Final = re.compile(
    "|".join(sorted((word for word in _GLUE if HAN.match(word)), key=len, reverse=True))
)
_HAN_YES: Final = ("是的", "有过", "是", "有", "会", "对")
_HAN_NO: Final = ("没有过", "没有", "不是", "不会", "否", "没", "无", "不")
_OR: Final = re.compile(r"\b(?:or|oder|ou|o|или)\b|还是|或")
"""Words between two things that one question asks: an answer does not say which."""
_SO: Final = ("so", "afirmativo")
_NOT_SO: Final = ("not", "nicht", "negativo", "ne", "pas", "не")
_FEW: Final = 2
_STEM, _ENDING = 4, 2
"""Letters that two forms of a word share at least, and letters of an ending."""
_OTHER_WORDS: Final = ("da", "si", "ya", "jo", "ano")
"""Words for yes that mean something else in other languages: no answer next to another one."""
CIRCLED: Final = {ord("①") + place: f" ={place + 1} " for place in range(20)}
"""Numbers in circles in front of answers, as the codes of these answers."""
_CHOICES: Final = ("yes_no", "single")


def letters_in(phrase: str) -> list[str]:
    """Return the letters that name answers in a phrase, as small letters.

    A small letter counts only if it is no word, or next to such letters.

    Examples
    --------
    >>> [letters_in(each) for each in ("如选B请跳转", "if you chose a or c", "si a la question 3")]
    [['b'], ['a', 'c'], []]
    """
    found = _ALONE.findall(phrase)
    if not any(each.isupper() or each not in _WORDS_OF_ONE_LETTER for each in found):
        return []
    return [*dict.fromkeys(each.lower() for each in found)]


def codes_printed(line: SourceLine) -> dict[str, str]:
    """Return the answers in a line by the number or letter in front of each.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> codes_printed(read_line(1, "(1) yes (2) no", has_gap=False))
    {'1': 'yes', '2': 'no'}
    """
    listed = answers_of(line)
    if listed and listed.points:
        return {str(code): label for label, code in zip(listed.labels, listed.points, strict=False)}
    if listed and listed.sign == "letter":
        # Letters, or numbers in circles.
        return {
            code: label
            for place, label in enumerate(listed.labels)
            for code in (chr(ord("a") + place), str(place + 1))
        }
    if line.role == ANSWER and line.mark and line.mark.kind in ("count", "letter"):
        value = line.mark.value[-2:][0]
        code = CIRCLED.get(value, "").strip(" =") or chr(value).lower()
        return {code if line.mark.kind == "letter" else str(value): line.body}
    return {}


def can_decide(question: Question) -> bool:
    """Return whether a condition can name answers to a question: yes/no or single-choice."""
    return question.is_asked and question.kind in _CHOICES


def is_clear(question: Question) -> bool:
    """Return whether a question can decide and none of its answers is an instruction that was misread."""
    texts = (text for option in question.options for text in option.texts.values())
    return can_decide(question) and not any(IF_SO.match(text) or LEADS_ON.search(text) for text in texts)


def choices_of(question: Question) -> list[Texts]:
    """Return the answers to a question that can decide; for yes/no questions, their English names."""
    return [option.texts for option in question.options] or [{"en": "yes"}, {"en": "no"}]


@dataclass(frozen=True)
class AnswersNamed:
    """The answers that the words of a condition name; numbers of questions are ignored."""

    words: str
    differ: bool = False
    """Whether all other answers are meant."""

    @property
    def are_understood(self) -> bool:
        """Whether the words name neither an answer nor anything else."""
        return polarity_of(self.words) == set()

    def repeats(self, question: Question) -> bool:
        """Return whether the words repeat a question, and name answers to it."""
        return _without_echo(self.words, question)[1] and bool(self.of(question))

    def people(self, question: Question) -> frozenset[int]:
        """Return the positions of the answer of the people whom the words name: *only for smokers*.

        Their name begins like one answer, or like a word of a question of yes or no.
        """
        named = [word for word in WORDS.findall(_HAN_WORDS.sub(" ", self.words)) if word not in _GLUE]
        if not is_clear(question) or not 0 < len(named) <= _FEW:
            return frozenset()
        if not question.options:
            said = WORDS.findall(text_of(question).casefold())
            positions = frozenset({0}) if _begin_alike(named, said) else frozenset()
        else:
            labels = [
                WORDS.findall(" ".join(option.texts.values()).casefold()) for option in question.options
            ]
            positions = frozenset(place for place, each in enumerate(labels) if _begin_alike(named, each))
        everything = frozenset(range(len(choices_of(question))))
        positions = positions if len(positions) == 1 else frozenset()
        return everything - positions if self.differ and positions else positions

    def of(self, question: Question) -> frozenset[int]:
        """Return the positions of the answers to a question; empty unless all words are understood."""
        if not is_clear(question):
            return frozenset()
        rest, named = _without_labels(self.words, question)
        rest, is_echo = _without_echo(rest, question)
        polarity = polarity_of(rest)
        if polarity == set() and is_echo and not named:
            # "If you smoke" below "Do you smoke?" means yes.
            polarity = {True}
        if polarity is None or len(polarity) + bool(named) != 1:
            return frozenset()
        groups = _yes_and_no(question)
        if len(named) == 1 and any(named < group for group in groups.values()):
            # "Yes" may mean all answers that begin with it.
            return frozenset()
        positions = frozenset(named) or groups.get(polarity.pop(), frozenset())
        everything = frozenset(range(len(choices_of(question))))
        positions = everything - positions if self.differ and positions else positions
        return positions if positions < everything else frozenset()


def _without_labels(words: str, question: Question) -> tuple[str, set[int]]:
    """Return words without the answers to a question, the longest first, and their positions."""
    labels = [
        (" ".join(label.casefold().split()), place)
        for place, option in enumerate(question.options)
        for label in option.texts.values()
        if any(map(str.isalnum, label))
    ]
    named = set[int]()
    for label, place in sorted(labels, key=lambda pair: -len(pair[0])):
        edges = ("", "") if HAN.search(label) else (r"(?<!\w)", r"(?!\w)")
        words, count = re.subn(f"{edges[0]}{re.escape(label)}{edges[1]}", " ", words)
        named |= {place} if count else set()
    return words, named


def _begin_alike(named: Collection[str], said: Collection[str]) -> bool:
    """Return whether each word begins like one of the others, up to its ending: *smokers*, *smoke*."""
    return all(any(_have_stem(word, each) for each in said) for word in named)


def _have_stem(word: str, other: str) -> bool:
    if HAN.match(word) or word == other:
        return word == other
    least = max(_STEM, min(len(word), len(other)) - _ENDING)
    return len(word) >= least and word[:least] == other[:least]


def _without_echo(words: str, question: Question) -> tuple[str, bool]:
    """Return words without those that repeat the question, and whether any did. Chinese: runs of signs.

    Examples
    --------
    >>> asked = Question(line=1, texts={"en": "Do you smoke?"}, kind="yes_no")
    >>> [_without_echo(each, asked) for each in ("if you smoke", "if you drink")]
    [('if you  ', True), ('if you drink', False)]
    """
    text = text_of(question).casefold()
    left = {word for word in WORDS.findall(_HAN_WORDS.sub(" ", words)) if word not in _GLUE}
    asked = {word for word in WORDS.findall(_HAN_WORDS.sub(" ", text)) if word not in _GLUE}
    echoed = {word for word in left if word in asked or (HAN.match(word) and word in text)}
    if _OR.search(text) or 2 * sum(map(len, echoed)) < sum(map(len, asked)):
        return words, False
    for word in sorted(echoed, key=len, reverse=True):
        words = words.replace(word, " ")
    return words, bool(echoed)


def polarity_of(words: str) -> set[bool] | None:
    """Return whether words say yes, no or both; None if a word is not understood.

    Examples
    --------
    >>> [polarity_of(words) for words in ("if yes to question", "if you smoke", "如果没有")]
    [{True}, None, {False}]
    >>> polarity_of("not if no") is None  # Two negations
    True
    """
    said = list[bool]()
    perhaps, negated = set[bool](), set[bool]()
    for word in WORDS.findall(words):
        if HAN.match(word):
            found = [*_HAN_WORDS.findall(word)]
            said += [each in _HAN_YES for each in found if each in (*_HAN_YES, *_HAN_NO)]
            if _HAN_WORDS.sub("", word):
                return None
        elif word in _SO:
            said.append(True)
        elif word in _NOT_SO:
            negated.add(False)
        elif word in _GLUE:
            continue
        elif (is_yes := says_yes(word)) is not None:
            if word in _OTHER_WORDS:
                perhaps.add(is_yes)
            else:
                said.append(is_yes)
        else:
            return None
    if said.count(False) + len(negated) > 1:
        return None
    return {*said, *negated} or perhaps


def _yes_and_no(question: Question) -> Mapping[bool, frozenset[int]]:
    """Return the positions of the answers that begin with yes and with no; empty if others are possible."""
    if not question.options:
        return {True: frozenset({0}), False: frozenset({1})}
    groups: dict[bool, set[int]] = {True: set(), False: set()}
    for place, option in enumerate(question.options):
        if means_no_answer(option.texts):
            continue
        meanings = {_meaning(text) for text in option.texts.values()}
        if len(meanings) != 1 or None in meanings:
            return {}
        groups[bool(meanings.pop())].add(place)
    return {meaning: frozenset(places) for meaning, places in groups.items()}


def _meaning(text: str) -> bool | None:
    """Return whether an answer begins with yes or with no; None for others."""
    first = re.split(r"[\s,，;；:：.。(（–—/-]", text.strip().casefold(), maxsplit=1)[0]
    return says_yes(first)
