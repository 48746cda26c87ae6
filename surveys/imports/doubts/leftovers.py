"""Signs of a layout that were left in the questions and answers read from a text.

A layout that was understood leaves no marks in the texts. A mark, bracket, column, label or number that is
still in a question or among its answers shows that its line was not understood, in any language. One table
lists these signs; each says what a person should check. None knows a layout, so that a new kind of layout
ends as a question to check, and not in silence. A clear sign is enough to ask: of ten questions with one, at
least six were misread in texts that the reader did not know.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from surveys.imports.drafts.questionnaire import Question, labels_of, text_of
from surveys.imports.lines.sheets import UNREAD_CELL
from surveys.imports.lines.used_lines import is_understood
from surveys.imports.roles.question_kinds import ODD_UNIT
from surveys.imports.words.amounts import are_ranges
from surveys.imports.words.cues import says_how_many, says_yes
from surveys.imports.words.patterns import IN_BRACKETS
from surveys.imports.words.question_marks import asks, holds_question
from surveys.questionnaire.exclusive_wordings import looks_exclusive

_NUMBER_BEFORE: Final = re.compile(r"[\W_]*(?:[A-Z]{0,3}\d{1,4}\s?[\W_]|\d{1,4}\s)")
_LETTER_BEFORE: Final = re.compile(r"[(\[]?[^\W\d_][.)\]、．]\s")
"""A single letter with a full stop or bracket."""
_NUMBER_EARLY: Final = re.compile(r"(?:[^\s?？؟]{1,30}\s){0,3}[^\s?？؟]{0,3}\d{1,2}[^\w\s]")
"""A number with a sign among the first words of a question."""
_LABEL_BEFORE: Final = re.compile(r"(?:[^\W\d_]{1,20}\s?){1,3}[:：](?=.*[?？؟])")
"""A few words and a colon in front of a question."""
_COLON_INSIDE: Final = re.compile(r"[:：=]\s?\S")
_SIGN_BEFORE: Final = re.compile(
    r"[^\w\s¿¡\"'“„«‘「『《(（\[【…+-]|(?=\S{0,6}[^\W\d_])\S{0,6}\d\S{0,6}\s|\S\s\S\s"
)
"""A sign, a word with a number, or two single letters at the beginning of a question."""
_BRACKET_BEFORE: Final = re.compile(r"[(（\[【][^()（）\[\]【】]{1,60}[)）\]】]")
_REMARK_BEHIND: Final = re.compile(r"[(（\[【][^()（）\[\]【】\d]{4,60}[)）\]】]\W{0,2}$")
_REMARK_BEHIND_SPACE: Final = re.compile(
    r"(?:_|\.{3}|…)\s{0,3}[(（\[][^()（）\[\]\d/|]{2,40}\s[^()（）\[\]\d/|]{2,40}[)）\]]\W{0,2}$"
)
"""Several words in brackets behind a space to write, where a unit may be."""
_BEHIND_LABEL: Final = re.compile(r"\s?(?:[(（\[【]|\s[–—-]{1,3}\s|[,，:：]).{1,90}$")
"""Words behind an answer: in brackets, or after a dash, a comma or a colon."""
_WORDS_BEHIND: Final = re.compile(r"[?？؟][^\w(（\[【]{0,3}[^\W\d_]{2}")
_SENTENCE_BEFORE: Final = re.compile(r"[^\W\d_]{3}[.!。！।]\s?[^\w\s]?[^\W\d_]")
_FIGURE_BEHIND: Final = re.compile(
    r"\S\s{0,3}(?:\d[\d.,]{0,8}\s?%|[(（\[]\s?-?(?:\d[^()（）\[\]]{0,12}|[A-Z])[)）\]])\W{0,2}$"
)
_ODD_LABEL: Final = re.compile(
    r"[:：=]$|^[^\w\s(（¿¡<>≤≥+±$€£\"'“„«「『…-]|[=＝|{}\[\]]|_{2}|[^\w\s…]{3}|[-–—>]{2}|^\W?[^\W\d_]{1,3}\s?[):：/]\s?\w"
    r"|[^\W\d_][.!]\s[A-ZÀ-ÖØ-ÞА-Я][^\W\d_]|^\W?[A-Za-z]\.\s?(?=\d|\s)|[:：]\s?\S|\s[/|·;+]\s|[/|].*[/|]|[^\W\d_]{3}[.!。！।?？]\s?[^\w\s]?[^\W\d_]|[,،、，].*[,،、，]"
)
"""An answer that begins or ends with a sign, or holds a mark, a bracket, a run of signs or a colon."""
_WITH_CUES: Final = {"en", "zh-hans", "zh-hant"}
"""Languages whose words for one answer and for several are known best."""
_FEW: Final = 3
_OPENED: Final = re.compile(r"(?:^|\s)[(\[]|[（【]")
"""A bracket that does not belong to a word, such as *alone* in *seul(e)*."""
_IN_SQUARE: Final = re.compile(r"[\[【]([^\[\]【】]{1,60})[\]】]")


class Sign(NamedTuple):
    """A sign of a misreading, in words, and whether it alone is enough to ask about the question."""

    words: str
    is_clear: bool


@dataclass(frozen=True)
class _Read:
    """A question, its line, and the wordings of all questions."""

    question: Question
    line: str
    all: _Wordings

    @cached_property
    def text(self) -> str:
        return text_of(self.question)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return labels_of(self.question)

    @cached_property
    def worded(self) -> tuple[str, ...]:
        """The answers; empty if they are ranges, because their numbers belong to them."""
        return () if are_ranges(self.labels) else self.labels

    @property
    def is_row(self) -> bool:
        return "table" in self.question.flags


class _Wordings:
    """What the texts of all questions have in common."""

    def __init__(self, questions: Sequence[Question], lines: Sequence[str]) -> None:
        texts = [*map(text_of, questions)]
        self.n_lists = sum(
            ", " in line and len(each.options) > 2 for each, line in zip(questions, lines, strict=True)
        )
        self.n_split = sum(map(_ends_with_two, map(labels_of, questions), lines))
        self.n = len(texts)
        self.texts = Counter(texts)
        self.n_lower = sum(text[:1].islower() for text in texts)
        self.n_asking = sum(asks(text) for text in texts)
        self.n_inferred = sum(not each.options and _has_reason(each) for each in questions)
        self.n_answered = sum(len(each.options) > 1 or (not each.own and not each.why) for each in questions)
        self.n_sentences = sum(_SENTENCE_BEFORE.search(text) is not None for text in texts)


def _ends_with_two(labels: Sequence[str], line: str) -> bool:
    """Return whether only a word separates the last two of several answers: *first, second or third*."""
    if len(labels) < _FEW or ", " not in line:
        return False
    first, second = labels[-2:]
    _before, _first, behind = line.partition(f"{first} ")
    word, _blank, rest = behind.partition(" ")
    return bool(rest) and word.isalpha() and rest.startswith(second)


def _begins_with_sign(read: _Read) -> bool:
    text = read.text
    return bool(
        _LABEL_BEFORE.match(text)
        or (text and _SIGN_BEFORE.match(text))
        or (not read.is_row and _COLON_INSIDE.search(text) and asks(text))
        or _NUMBER_EARLY.match(text)
    )


def _has_remark(read: _Read) -> bool:
    """Whether words behind the question mark, or in brackets at the end, say something that is no cue."""
    if read.is_row or read.question.kind == "text" or says_how_many(read.text):
        return False
    is_number = bool(read.question.own.get("number"))
    has_cues = {*read.question.texts} <= _WITH_CUES
    has_remark = not (is_number or has_cues) and _REMARK_BEHIND.search(read.text)
    return bool(_WORDS_BEHIND.search(read.text) or has_remark)


def _has_square_remark(read: _Read) -> bool:
    return any(not is_understood(match[1]) for match in _IN_SQUARE.finditer(read.text))


def _has_explanation(read: _Read) -> bool:
    """Whether words in brackets that were not understood became the explanation of a question."""
    helps = {*read.question.help.values()}
    remarks = [match[1] for match in IN_BRACKETS.finditer(read.line)]
    return bool(read.labels) and any(each in helps and not is_understood(each) for each in remarks)


def _is_half_yes_no(read: _Read) -> bool:
    """Whether only one of two answers is yes or no."""
    return len(read.labels) == 2 and sum(says_yes(label) is None for label in read.labels) == 1


def has_instruction(labels: Sequence[str]) -> bool:
    """Return whether words in brackets or behind a dash follow one of two answers, yes or no.

    Parameters
    ----------
    labels : sequence of str
        The answers of a question.

    Examples
    --------
    >>> has_instruction(["Yes", "No (done)"]), has_instruction(["Yes", "No"]), has_instruction(["A", "B (x)"])
    (True, False, False)
    """
    said = [(says_yes(label), says_yes(_BEHIND_LABEL.sub("", label))) for label in labels]
    return len(said) == 2 and {bare for _own, bare in said} == {True, False} and (None in dict(said))


def _is_odd(label: str) -> bool:
    """Whether a mark, a separator, or only one of two brackets or quotation marks is left in an answer."""
    is_paired = all(
        sum(map(label.count, opened)) == sum(map(label.count, closed))
        for opened, closed in (("(（", ")）"), ("«", "»"), ("「『", "」』"), ("“„", "”"))
    )
    is_paired = is_paired or ("„" in label and label.count("„") == label.count("“"))
    return bool(_BRACKET_BEFORE.match(label) or _ODD_LABEL.search(label)) or not is_paired


def _has_both_cases(read: _Read) -> bool:
    """Whether only some answers begin with a capital letter, apart from a first that begins a sentence."""
    # "none of these" is written as a sentence or not, whatever the other answers are.
    labels = [label for label in read.labels if not looks_exclusive({"": label})]
    small = [label[0].islower() for label in labels if label[:1].islower() or label[:1].isupper()]
    return any(small[1:]) and not all(small[1:]) and "rating" not in read.question.flags


def _is_inferred(read: _Read) -> bool:
    """Whether yes or no is inferred although a text does not ask, or most other questions list answers."""
    if read.question.options or not read.question.is_asked or read.question.own.get("number"):
        return False
    others = read.all.n - 1
    # The reason for storing a question concerns its protection. Several such questions are a pattern.
    is_odd = others >= _FEW and 2 * read.all.n_answered > others and read.all.n_inferred < 2
    return _has_reason(read.question) and (not asks(read.text) or is_odd)


def _has_reason(question: Question) -> bool:
    """Return whether the kind of a question has a stated reason: it was inferred from its text."""
    return bool(question.why) and question.is_protected is not False


def _are_marked(read: _Read) -> bool:
    """Whether all answers begin with the same single sign and a blank, or with letters that count up."""
    if len(read.labels) < 2 or not all(len(label) > 2 and label[1] == " " for label in read.labels):
        return False
    first = {label[0] for label in read.labels}
    return len(first) == 1 or (len(first) == len(read.labels) and not any(map(str.isdecimal, first)))


_Signs = tuple[tuple[object, Callable[[_Read], object]], ...]
_CLEAR: Final[_Signs] = (
    (
        _("its text begins with a number or a sign"),
        lambda read: _NUMBER_BEFORE.match(read.text)
        or _LETTER_BEFORE.match(read.text)
        or read.text[:1] in "*#",
    ),
    (_("it begins with a label or a sign"), _begins_with_sign),
    (
        _("its text begins with a small letter, and others do not"),
        lambda read: read.text[:1].islower() and 2 * read.all.n_lower <= read.all.n,
    ),
    (
        _("it begins with another sentence"),
        lambda read: 2 * read.all.n_sentences >= read.all.n and _SENTENCE_BEFORE.search(read.text),
    ),
    (
        _("one of its answers may be incomplete"),
        lambda read: "rating" not in read.question.flags and any(map(_is_odd, read.worded)),
    ),
    (
        _("the words after yes or no may say who is asked the next questions"),
        lambda read: has_instruction(read.labels),
    ),
    (
        _("the words after its space to write may not be a unit"),
        lambda read: ODD_UNIT in read.question.flags,
    ),
    (
        _("its answers end with numbers"),
        lambda read: sum(map(bool, map(_FIGURE_BEHIND.search, read.worded))) > 1,
    ),
    (
        _("one of its answers is longer than the question"),
        lambda read: not read.is_row and max(map(len, read.labels), default=0) > 1.5 * len(read.text),
    ),
    (_("one of its answers contains brackets"), lambda read: any(map(_OPENED.search, read.labels))),
    (_("the words in square brackets were not understood"), _has_square_remark),
    (_("only one of its two answers is yes or no"), _is_half_yes_no),
)  # fmt: skip
_WEAK: Final[_Signs] = (
    (
        _("it does not end with a question mark, but most questions do"),
        lambda read: not (read.labels or holds_question(read.text)) and 2 * read.all.n_asking > read.all.n,
    ),
    (
        _("the words after the question were not understood"),
        lambda read: _has_remark(read) or _REMARK_BEHIND_SPACE.search(read.line),
    ),
    (_("only some of its answers begin with a capital letter"), _has_both_cases),
    (_("it lists no answers, but most other questions do"), _is_inferred),
    (_("all its answers begin with the same sign"), _are_marked),
    (
        _("its last two answers may be one"),
        lambda read: read.all.n_split < read.all.n_lists and _ends_with_two(read.labels, read.line),
    ),
    (
        _("its answers have no words"),
        lambda read: len(read.worded) > 1 and not any(map(str.isalpha, "".join(read.worded))),
    ),
    (_("words in brackets became its explanation"), _has_explanation),
    (_("a cell of its row was not read"), lambda read: UNREAD_CELL in read.question.flags),
)  # fmt: skip
"""What a layout leaves behind, and how it is seen."""


def leftovers(questions: Sequence[Question], lines: Sequence[str]) -> Iterator[list[Sign]]:
    """Yield for each question the signs that are left in it.

    Parameters
    ----------
    questions : sequence of Question
        All questions of a text, with their kinds.
    lines : sequence of str
        The lines of these questions.

    Examples
    --------
    >>> asked = [Question(line=n, texts={"en": text}) for n, text in enumerate(("E. Who?", "Who else?"))]
    >>> [*leftovers(asked, ["", ""])]
    [[Sign(words='its text begins with a number or a sign', is_clear=True)], []]
    """
    wordings = _Wordings(questions, lines)
    for question, line in zip(questions, lines, strict=True):
        read = _Read(question, line, wordings)
        yield [
            Sign(str(words), is_clear)
            for signs, is_clear in ((_CLEAR, True), (_WEAK, False))
            for words, is_seen in signs
            if is_seen(read)
        ]
