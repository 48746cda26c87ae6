"""Codes and figures that all answers of a question have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import WRONG, Question, Questionnaire, labels_of
from surveys.imports.words.amounts import (
    BRACKETED_POINTS,
    CODE_BEHIND,
    are_ranges,
    have_one_unit,
    words_beside,
)
from surveys.imports.words.marks import are_first_letters, mark_of
from surveys.imports.words.patterns import POINTS
from surveys.imports.words.runs import counts_up, repeats

CODES_LEFT: Final = "codes"
"""The cause of notes on answer codes that are left out."""
_POINTS: Final = rf"(?:\s?{POINTS})?"
_CODE_BEHIND: Final = re.compile(
    rf"(?:[.…_·]{{2,60}}\s?|\s[-–—]\s|\s)?[\[(（]?(?P<code>\d{{1,3}}){_POINTS}[\])）]?", re.IGNORECASE
)
_DOTS: Final = re.compile(
    rf"[.…_·]{{2,}}|[(（\[]\s?\d{{1,3}}{_POINTS}\s?[)）\]]|(?<=\S)\s(?:[-–—]\s)?\d{{1,3}}{_POINTS}$",
    re.IGNORECASE,
)
_BRACKET_LAST: Final = re.compile(BRACKETED_POINTS.pattern + "$")
_BEHIND_DOTS: Final = re.compile(
    r"\s?[.…_·]{3,80}\s?(?P<before>)(?P<code>\d{1,3})\s?(?P<behind>[^\W\d]{0,12}\.?)$"
)
_BEHIND_EQUALS: Final = re.compile(
    rf"\s?(?P<before>)(?:[=＝]\s?|(?P<sign>[:：→]|[–—-](?=\s))\s?(?=\d{{1,3}}\s?{POINTS}))"
    r"(?P<code>\d{1,3})\s?(?P<behind>[^\W\d]{0,12}\.?)$",
    re.IGNORECASE,
)
"""Points behind a sign of equality, or with their unit behind another sign: *nowhere = 0 pt*."""
_SIGNED: Final = re.compile(r"\s(?P<before>)(?P<sign>[+]?)\s?(?P<code>\d{1,3})(?P<behind>)$")
"""Points behind a blank; at least one of them has a plus: *no 0*, *perhaps +1*."""
_BEHIND_DASH: Final = re.compile(r"\s[–—-]\s?(?P<before>)(?P<code>\d{1,3})\s?(?P<behind>[^\W\d]{1,12}\.?)$")
"""Points with a unit behind a dash: *never – 0 pts*."""
_CODE_AND_ANY: Final = re.compile(r"(?P<code>\d{1,2})\s(?P<text>[^\W_].*)")
"""A code in front of an answer that may begin with a number of its own: *1 10 to 30 minutes*."""
_CODE_BEFORE: Final = re.compile(
    r"(?P<code>\d{1,2})(?:\s?[=＝:：.)、．]\s?|,\s|\s[-–—]\s|\s)(?=[^\W\d])(?P<text>.+)"
)
_LETTER_BEFORE: Final = re.compile(r"(?P<letter>[A-Z])(?:\s?[=＝]\s?|\s)(?P<text>.+)")
_WEAK: Final = re.compile(r"\d{1,2}\s[^\W\d].*|.*[^\W\d]\s\d{1,3}")
"""A number separated from the text by a blank at most: a code only if the numbers count up."""
_FIGURES: Final = re.compile(r"(?<=\S)\s+(?:\d[\d.,]*\s?%|\d[\d.,]*\s?[(（]\s?\d[\d.,]*\s?%\s?[)）])$")


def without_codes(question: Question, survey: Questionnaire) -> None:
    """Remove codes that all options have: after the text, before it, or a hyphen before a digit.

    Codes on lines of their own alternate with the options.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import Option
    >>> options = [Option(line=2, texts={"en": "yes (1)"}), Option(line=3, texts={"en": "no (0)"})]
    >>> without_codes(Question(line=1, texts={"en": "Well?"}, options=options), Questionnaire())
    >>> [(option.texts["en"], option.points) for option in options]
    [('yes', 1), ('no', 0)]
    """
    _without_letters(question)
    answers = [*labels_of(question)]
    codes = [answer for answer in answers if answer.isdecimal()]
    if (
        len(codes) > 1
        and counts_up([*map(int, codes)])
        and codes in (answers[: 2 * len(codes) : 2], answers[1::2])
    ):
        question.options = [
            each for each, answer in zip(question.options, answers, strict=True) if answer not in codes
        ]
        question.flags |= {"coded"}
    _without_figures(question, survey)
    texts = [option.texts for option in question.options]
    if len(texts) > 1:
        for tag in texts[0]:
            answers = [each.get(tag, "") for each in texts]
            plain = _plain_options(answers)
            if plain is None:
                continue
            question.flags |= {"coded"}
            for option, (text, code) in zip(question.options, plain, strict=True):
                option.texts[tag] = text
                option.points = option.points if code is None else code
    if "coded" in question.flags:
        survey.note(
            question.line,
            _("the codes of the answers are left out"),
            _("results name the answers themselves; for a score, send one answer in the builder"),
            cause=CODES_LEFT,
        )


def _without_letters(question: Question) -> None:
    """Remove letters that count up in front of all answers: *a) never b) often*, *①从不 ②经常*."""
    texts = [*question.options[0].texts] if len(question.options) > 1 else []
    for tag in texts:
        marked = [mark_of(option.texts.get(tag, "")) for option in question.options]
        marks = [mark for mark, _text in marked if mark is not None and mark.kind == "letter"]
        values = [mark.value[0] for mark in marks]
        if len(marks) == len(marked) and len({mark.shape for mark in marks}) == 1 and counts_up(values):
            for option, (_mark, text) in zip(question.options, marked, strict=True):
                option.texts[tag] = text


def _without_figures(question: Question, survey: Questionnaire) -> None:
    """Remove the results of a survey behind all answers: *Yes 18 %*, *No 98 (82%)*."""
    texts = [text for option in question.options for text in option.texts.values()]
    if len(texts) < 2 or not all(map(_FIGURES.search, texts)):
        return
    for option in question.options:
        option.texts = {tag: _FIGURES.sub("", text) for tag, text in option.texts.items()}
    survey.note(
        question.line,
        _("the figures behind the answers are left out"),
        _("check that they are results, and no parts of the answers"),
        effect=WRONG,
    )


def _bracketed(texts: Sequence[str]) -> list[tuple[str, int]]:
    """Return options and the number in brackets or after dots at the end of each; empty unless all have one.

    Words next to the number are the same for all: *often [value 2]*, *never ..... 0 P.*
    """
    ends = {text[-1:] for text in texts}
    bare = [text[:-1] if text[-1:] in ".;," else text for text in texts] if ends <= set(".;,") else [*texts]
    found = [
        _BRACKET_LAST.search(text) or _BEHIND_DOTS.search(text) or _BEHIND_EQUALS.search(text)
        for text in bare
    ]
    if not any(found):
        found = _behind_signs(bare)
    words = words_beside(filter(None, found))
    plain = [
        (text[: match.start()].rstrip(), int(match["code"]))
        for text, match in zip(bare, found, strict=True)
        if match
    ]
    is_list = len(plain) == len(texts) and len(words) == 1 and len({code for _text, code in plain}) > 1
    has_words = any if {match.re for match in found if match} == {_BEHIND_DASH} else all
    return plain if is_list and has_words(any(map(str.isalpha, text)) for text, _code in plain) else []


def _behind_signs(texts: Sequence[str]) -> list[re.Match[str] | None]:
    """Return the points after a plus or a dash, if each option has them and they go up or down to 0 or 1."""
    for pattern in (_SIGNED, _BEHIND_DASH):
        found = [pattern.search(text) for text in texts]
        codes = [int(match["code"]) for match in found if match]
        has_sign = pattern is _BEHIND_DASH or any(match["sign"] for match in found if match)
        is_sorted = codes in (sorted(codes), sorted(codes, reverse=True))
        if has_sign and len(codes) == len(texts) and is_sorted and min(codes) < 2:
            return [*found]
    return [None for _text in texts]


def _numbered(texts: Sequence[str]) -> list[tuple[str, str]]:
    """Return options and the codes before them that count up from 0 or 1, if one begins with a number."""
    found = [match for text in texts if (match := _CODE_AND_ANY.fullmatch(text))]
    codes = [int(match["code"]) for match in found]
    firsts = {match["text"][0].isdecimal() for match in found}
    is_list = len(codes) == len(texts) > 2 and counts_up(codes) and codes[0] < 2 and len(firsts) > 1
    return [(match["text"], match["code"]) for match in found] if is_list else []


def _plain_options(texts: Sequence[str]) -> list[tuple[str, int | None]] | None:
    """Return options without their codes, and codes that are numbers; None unless all options have codes."""
    if bracketed := _bracketed(texts):
        return [*bracketed]
    if all(text[:1] == "-" and text[1:2].isdecimal() for text in texts):
        return [(text[1:], None) for text in texts]
    if lettered := _without_capitals(texts):
        return [(text, None) for text in lettered]
    if counted := _numbered(texts):
        return [(text, int(code)) for text, code in counted]
    before = [(match["text"], match["code"]) for text in texts if (match := _CODE_BEFORE.fullmatch(text))]
    if not are_ranges([CODE_BEHIND.sub("", text) for text in texts]) and _are_codes(before, texts):
        return [(text, int(code)) for text, code in before]
    behind = [each for text in texts if (each := _split_code(text)) is not None]
    if _are_codes(behind, texts, are_behind=True):
        return [(text, int(code)) for text, code in behind]
    return None


def _without_capitals(texts: Sequence[str]) -> list[str]:
    """Return options without capital letters that count up in front of all of them; else none."""
    marked = [match for text in texts if (match := _LETTER_BEFORE.fullmatch(text))]
    if len(marked) < len(texts) or not are_first_letters([match["letter"] for match in marked]):
        return []
    return [match["text"] for match in marked]


def _are_codes(pairs: Sequence[tuple[str, str]], texts: Sequence[str], *, are_behind: bool = False) -> bool:
    """Return whether numbers next to all options are codes: they differ, as the options without them do."""
    codes = [int(code) for _text, code in pairs]
    labels = {text.casefold() for text, _code in pairs}
    # If only the numbers distinguish the answers, they are parts of these: "1. Klasse", "2. Klasse".
    if len(pairs) < len(texts) or repeats(codes) or len(labels) < len(pairs):
        return False
    is_weak = any(map(_WEAK.fullmatch, texts))
    if not is_weak:
        return True
    if have_one_unit([text for text, _code in pairs]):
        return False
    is_clear = not all(map(_WEAK.fullmatch, texts)) if are_behind else len(codes) > 2
    ascends = is_clear and codes == sorted(codes) and codes[0] < 2
    return ascends or counts_up(codes)


def _split_code(text: str) -> tuple[str, str] | None:
    """Split an option from the code after it, as in ``Yes ..... 1`` and ``Yes (1)``."""
    found = _DOTS.search(text)
    match = _CODE_BEHIND.fullmatch(text, found.start()) if found else None
    if found is None or match is None:
        return None
    plain = text[: found.start()].rstrip()
    is_bracketed = text[found.start() :].strip()[0] in "(（["
    return (plain, match["code"]) if any(map(str.isalnum if is_bracketed else str.isalpha, plain)) else None
