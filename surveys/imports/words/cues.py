"""Words that raise or lower the confidence of a reading, in eleven languages; `cues.tsv` lists most of them.

The reader finds questions, answers and headings by structure, in any language. These words only help to tell
what a question asks for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from typing import Final

from surveys.imports.words.patterns import AND_OR, HAN, POINTS, RECODED, VOWEL_SIGNS
from surveys.imports.words.question_marks import holds_question
from surveys.questionnaire.condition_cues import CONDITION_CUES
from surveys.questionnaire.yes_no_words import NO, YES

_TEXT: Final = resources.files("surveys.imports.words").joinpath("cues.tsv").read_text(encoding="utf-8")
ROWS: Final = (
    *CONDITION_CUES,
    ("yes", "|".join(YES), "yes"),
    ("no", "|".join(NO), "no"),
    *(tuple(line.split("\t")) for line in _TEXT.splitlines() if line and not line.startswith("#")),
)
"""Meaning, pattern and example of each cue."""


def pattern_of(meaning: str, *, behind: str = "", flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return one pattern for all cues of a meaning.

    Parameters
    ----------
    meaning : str
    behind : str
        A pattern for what may follow the cue.
    flags : re.RegexFlag
    """
    own = (pattern for name, pattern, _example in ROWS if name == meaning)
    return re.compile(f"(?:{'|'.join(own)}){behind}", flags)


def pattern_within(*meanings: str) -> re.Pattern[str]:
    """Return one pattern that finds cues of these meanings at the start of a word; in Han texts, anywhere.

    It omits the signs that may precede cues. A search does not need them, and would be slower with them.

    Parameters
    ----------
    *meanings : str

    Examples
    --------
    >>> found = pattern_within("if")
    >>> [bool(found.search(text)) for text in ("and if you do, when?", "a motif you know, or not?")]
    [True, False]
    """
    own = "|".join(pattern_of(meaning).pattern for meaning in meanings).replace(r"\W*", "")
    return re.compile(rf"(?<![^\W㐀-鿿])(?:{own})", re.IGNORECASE)


def words_of(group: str) -> dict[str, str]:
    """Return the words of all rows whose meaning begins with a group; each has the rest of its meaning.

    Examples
    --------
    >>> words_of("about-")["who asks"]
    'researcher'
    """
    rows = ((name.removeprefix(group), words) for name, words, _example in ROWS if name.startswith(group))
    return {word: name for name, words in rows for word in words.split("|")}


class Cue:
    """Patterns of which one is enough.

    Parameters
    ----------
    *patterns : re.Pattern
    """

    def __init__(self, *patterns: re.Pattern[str]) -> None:
        self.patterns = patterns

    def search(self, text: str) -> re.Match[str] | None:
        """Return a match of the first pattern that is in a text."""
        return next(filter(None, (pattern.search(text) for pattern in self.patterns)), None)


def _instruction_for(meaning: str) -> re.Pattern[str]:
    """Return a pattern for an imperative to choose, with a number of answers behind it or before it."""
    number = pattern_of(meaning).pattern
    return re.compile(
        rf"{_IMPERATIVE_FIRST}[^.?!。？！\n]{{0,40}}?{number}"
        rf"|{number}(?:[^\s.?!。？！]{{0,20}}\s){{1,6}}?{pattern_of('choose-last').pattern}{_END_OF_CLAUSE}"
        rf"|{number}[^\s.?!。？！]{{0,12}}?{pattern_of('choose-end').pattern}{_END_OF_CLAUSE}",
        re.IGNORECASE,
    )


_END_OF_CLAUSE: Final = r"\s{0,2}(?=$|[.!)）\],。！\]])"
_CHOOSE: Final = pattern_of("choose").pattern
_IMPERATIVE_FIRST: Final = (
    rf"(?:^|(?<=[.?!:;(（\[,。？！：]))\s{{0,2}}(?:{pattern_of('please').pattern}\s{{0,2}})?{_CHOOSE}"
)
"""An imperative to choose at the beginning of a clause."""
CHOOSES: Final = re.compile(
    rf"{_IMPERATIVE_FIRST}\W{{0,3}}\w|\w\W{{1,3}}{pattern_of('choose-last').pattern}{_END_OF_CLAUSE}"
    rf"|\w{pattern_of('choose-end').pattern}{_END_OF_CLAUSE}",
    re.IGNORECASE,
)
"""Matches an imperative to choose that has an object."""
_TOOL: Final = rf"(?:{pattern_of('tool').pattern}|\d{{1,2}}\s?{POINTS})"
TOOL: Final = re.compile(rf"\W{{0,6}}{_TOOL}(?:\W{{1,9}}{_TOOL}){{0,4}}\W{{0,6}}", re.IGNORECASE)
"""Matches a whole line of buttons, or of other things that a survey tool shows beside questions."""

_YES: Final = pattern_of("yes")
_NO: Final = pattern_of("no")
_NO_NEXT_TO_YES: Final = pattern_of("no-with-yes")
"""Matches words that are common in other sentences, and mean no next to a yes."""
_YES_NEXT_TO_NO: Final = pattern_of("yes-with-no")
"""Matches letters that mean yes in front of a no: *J / N*, *O / N*."""
_BETWEEN_LANGUAGES: Final = re.compile(r"\w\s?[/|(（–—·]")
"""The sign between an answer in one language and in another."""
_BETWEEN_WORDS: Final = re.compile(rf"[^\w{VOWEL_SIGNS}]|_")

_SOME: Final = (
    r"(?<!\w)(?<!not )(?<!no )(?<!nicht )(?<!non )(?<!pas )(?<!не )"
    r"(?<!if )(?<!wenn )(?<!falls )(?<!bei )(?<!si )(?<!se )(?<!если )"
    rf"{pattern_of('some').pattern}(?!\w)"
)
_ALLOWS_SOME: Final = re.compile(
    rf"(?:[(（\[]|[?？؟])[^()（）\[\]?？؟.!\n]{{0,40}}?{_SOME}"
    rf"(?:\s?(?:$|[.!,;)）\]])|\s{pattern_of('some-fine').pattern}(?!\w))",
    re.IGNORECASE,
)
"""A word for several in a remark behind a question or in brackets, at its end or with leave to choose."""
ASKS_SEVERAL: Final = Cue(pattern_of("asks-several"), _instruction_for("all"), _ALLOWS_SOME)
"""Matches words that allow several answers."""
SAYS_SOME: Final = re.compile(rf"(?:[(（\[]|[?？؟])[^()（）\[\]?？؟\n]{{0,40}}?{_SOME}", re.IGNORECASE)
"""Matches a word for several in a remark behind a question or in brackets, whatever it is about."""
ASKS_ONE: Final = Cue(pattern_of("asks-one"), _instruction_for("one"))
"""Matches words that allow only one answer."""
OR_MORE: Final = re.compile(rf"\s*(?:{pattern_of('or-more').pattern})\W*", re.IGNORECASE)
"""Words behind a number that make it an amount, not the name of an end: *3 or more*."""
ONLY_NUMBERS: Final = pattern_of("only-numbers")
SAYS_NUMBER: Final = pattern_of("says-number")
"""Matches words that say to write a number."""
SAYS_ONE: Final = pattern_of("says-one")
"""Matches words that say to choose one answer."""
SAYS_SEVERAL: Final = pattern_of("says-several")
"""Matches words that say to choose several answers."""
SAYS_TEXT: Final = pattern_of("says-text")
"""Matches words that say to write a text."""
ASKS_SCALE: Final = pattern_of("asks-scale")
"""Matches words beside the two ends of a scale of numbers."""
LEADS_ON: Final = pattern_of("skip")
"""Matches words that lead to another question."""
ENDS: Final = pattern_of("ends")
"""Matches a whole instruction that ends the survey."""
_INTERVIEWER: Final = re.compile(
    rf"^\W{{0,3}}(?:{pattern_of('interviewer').pattern})\W{{0,2}}[:：]\s{{0,2}}", re.IGNORECASE
)
_PART: Final = re.compile(r"sec[ct]|sezion|se[cç]|abschn|teil|modul|раздел|\bpart|部分", re.IGNORECASE)
"""Words for a part of a survey."""
GOES_ON: Final = pattern_of("goes-on")
"""Matches a whole instruction that leads to the next question."""
SKIPS_OVER: Final = pattern_of("skip-over")
"""Matches an instruction not to answer the questions that it names; some can mean either."""
LAST_QUESTION: Final = pattern_of("last-question", behind=r"\W*$")
"""Matches words at the end of an instruction that lead to the last question."""
COMING: Final = pattern_of("coming")
"""Matches words for several questions that follow."""
NAMES_QUESTION: Final = pattern_of("names-question")
"""Matches the number of a question with a word for it."""
OTHERWISE: Final = pattern_of("otherwise")
"""Matches words between an instruction for some people and one for all others."""
IF_SO: Final = pattern_of("if-so")
"""Matches the beginning of a question that is asked after certain answers to the one before it."""
TRUE_FALSE: Final = pattern_of("true-false")
"""Matches an answer that says whether a statement is right."""
EXCEPTS: Final = pattern_of("excepts")
"""A word that sets something apart from a rule."""
REVERSED: Final = re.compile(f"{pattern_of('reversed').pattern}|{RECODED}", re.IGNORECASE)
"""Matches words that reverse the points of items."""
REVERSED_MARK: Final = re.compile(
    rf"[(（\[]\s?(?:{pattern_of('reversed-word').pattern}"
    rf"|(?!{AND_OR}\s)(?:[^\W\d_]{{2,12}}[\s:-]\s?){{0,2}}(?:{REVERSED.pattern})(?:[\s-]?[^\W\d_]{{1,12}}\.?){{0,2}})\s?[)）\]]",
    re.IGNORECASE,
)
"""Matches the mark of one reversed item."""
ABOUT_SCORE: Final = re.compile(
    "|".join(pattern_of(meaning).pattern for meaning in ("scoring", "scoring-weak")), re.IGNORECASE
)
"""Matches words about points or their sum."""
CONDITION: Final = pattern_within("if", "if-so", "for-some")
"""Matches words of a condition."""
_CLAUSE: Final = re.compile(r"\W{0,3}(?P<clause>[^,，،.:：?？؟—–]{1,50})(?:[,，،:：]|(?<=\s)[—–]\s)")
"""The first clause of a text, before a comma."""
_OF_THOSE: Final = re.compile(r"(?<=[㐀-鿿])[”」\"]?(?:的|者|的(?:人|话|話|同学|同學))$")
"""Words behind an answer that mean the people who chose it."""
_SHORT: Final = 3


def without_interviewer(text: str) -> str:
    """Return a text without a label for interviewers in front of it.

    Examples
    --------
    >>> without_interviewer("(INTERVIEWER: if no, go to 5)"), without_interviewer("If no: go to 5")
    ('if no, go to 5)', 'If no: go to 5')
    """
    return _INTERVIEWER.sub("", text, count=1)


def ends_survey(text: str) -> bool:
    """Return whether a whole instruction ends the survey, and not only a part of it.

    Examples
    --------
    >>> [ends_survey(each) for each in ("→ END", "(end of the section)", "(thank you)")]
    [True, False, False]
    """
    return ENDS.fullmatch(text) is not None and not _PART.search(text)


def says_how_many(text: str) -> bool:
    """Return whether a text allows one answer or several.

    Examples
    --------
    >>> says_how_many("Tick all that apply."), says_how_many("How many apply?")
    (True, False)
    """
    return bool(ASKS_SEVERAL.search(text) or ASKS_ONE.search(text))


def speaks_of_condition(text: str) -> bool:
    """Return whether a line has a word of a condition or a jump anywhere.

    Examples
    --------
    >>> [speaks_of_condition(each) for each in ("Please turn over", "Parents: if so", "No (skip to 7)")]
    [False, True, True]
    """
    return bool(LEADS_ON.search(text) or CONDITION.search(f"{text}:"))


def is_condition(text: str, answers: Sequence[str] = ()) -> bool:
    """Return whether a text begins with a condition: a cue, or a clause that ends with an answer.

    Parameters
    ----------
    text : str
    answers : sequence of str
        Answers of the question above; yes and no are always answers.

    Examples
    --------
    >>> [is_condition(each) for each in ("If so, when?", "Kama ndiyo, ni mara ngapi?", "Yes, often")]
    [True, True, False]
    >>> is_condition("Se mai, perché?", ["Mai"]), is_condition("从不的，为什么？", ["从不"])
    (True, True)
    """
    if IF_SO.match(text):
        return True
    first = _CLAUSE.match(text)
    is_led = first is not None and first[0][-1] in ":：" and holds_question(text[first.end() :])
    if first and is_led and _is_answer(first["clause"], answers):
        # Yes: how often?
        return True
    clause = first["clause"].strip(" \"'“”„«»「」").lower() if first else ""
    clause = _OF_THOSE.sub("", clause)
    ends = [each for each in map(str.lower, answers) if clause.endswith(each)]
    if any(len(each) > (1 if HAN.search(each) else _SHORT) for each in ends):
        return True
    if CONDITION.match(f"{clause},") and clause.split()[-1].strip("\"'“„«") in ends:
        return True
    *before, last = clause.split() or [""]
    return bool(before) and len(last) > 1 and says_yes(last) is not None


def _is_answer(clause: str, answers: Sequence[str]) -> bool:
    return says_yes(clause) is not None or clause.strip().lower() in map(str.lower, answers)


def begins_with_clause(text: str) -> bool:
    """Return whether a few words and a comma or a colon are in front of the rest of a text.

    A label alone has nothing behind its colon.

    Examples
    --------
    >>> [begins_with_clause(each) for each in ("Dans ce cas, quand ?", "Wann?", "Lavoro:")]
    [True, False, False]
    """
    found = _CLAUSE.match(text)
    return found is not None and bool(text[found.end() :].strip())


def is_yes_no(texts: Sequence[str]) -> bool:
    """Return whether two options are yes and no, in either order.

    Examples
    --------
    >>> is_yes_no(["No.", "Yes!"]), is_yes_no(["Yes", "Maybe"])
    (True, False)
    >>> is_yes_no(["Yes / हाँ", "No / नहीं"]), is_yes_no(["Kyllä", "En"])
    (True, True)
    >>> is_yes_no(["J", "N"]), is_yes_no(["N", "S"])
    (True, False)
    """
    means = [False if _NO_NEXT_TO_YES.fullmatch(text.strip(" .!")) else says_yes(text) for text in texts]
    if len(texts) == 2 and _YES_NEXT_TO_NO.fullmatch(texts[0].strip(" .!")):
        # In the other order, letters may be directions: N / S.
        means[0] = True
    return len(texts) == 2 and {*means} == {True, False}


def says_yes(text: str) -> bool | None:
    """Return whether a whole answer means yes; None if it means neither yes nor no.

    Examples
    --------
    >>> says_yes("Yes!"), says_yes("nein"), says_yes("Maybe"), says_yes("Yes / No")
    (True, False, None, None)
    >>> says_yes("No (No)"), says_yes("no no")
    (False, None)
    """
    plain = " ".join(_BETWEEN_WORDS.sub(" ", text).split())
    is_pair = _BETWEEN_LANGUAGES.search(text) is not None
    means = (is_yes for is_yes, answer in ((True, _YES), (False, _NO)) if _means(answer, plain, is_pair))
    return next(means, None)


def _means(answer: re.Pattern[str], text: str, is_pair: bool) -> bool:
    """Whether a text is an answer, or the same answer in two languages, which may share the word."""
    words = text.split()
    return answer.fullmatch(text) is not None or (
        len(words) == 2 and all(map(answer.fullmatch, words)) and (is_pair or words[0] != words[1])
    )
