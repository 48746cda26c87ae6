"""Codes in capital letters and brackets: *[RM - ROTATE]* says something to interviewers, in any language.

A code whose meaning is known, or explained on another line, says how many answers are allowed. Any other one
is asked about at its line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import LOST, Option, Question, Questionnaire
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.roles.listed_answers import number_allowed
from surveys.imports.words.cues import REVERSED, SAYS_NUMBER, SAYS_TEXT
from surveys.imports.words.patterns import STATEMENTS

_CODE: Final = re.compile(
    r"\s?(?:[\[［【](?P<square>[^\[\]［］【】\d=＝]{1,40})[\]］】]|(?<=[?？؟:：])\s?[(（](?P<round>[^\W\d_]{1,6})[)）])\s?"
)
_IN_BRACKETS: Final = re.compile(r"[\[［【(（](?P<code>[^\W\d_]{1,6})[)）\]］】]")
_EXPLAINED: Final = re.compile(
    r"\W{0,2}(?P<code>[^\W\d_]{1,6})[\]）)］】]?\s?[=＝:：–—-]\s?(?P<words>[^,;，；=＝]{3,60})(?:[,;，；]|$)"
)


def read_codes(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Remove codes for interviewers from questions and answers, and ask about those that are not understood.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have no kinds yet.
    source : sequence of SourceLine
        All lines; one of them may explain the codes.
    """
    explained: dict[str, str] | None = None
    reversing = _reversing_codes(survey, source)
    for question in survey.questions:
        texts: list[Question | Option] = [question, *question.options]
        for read in texts:
            for code, is_removed in _without_codes(read, reversing):
                explained = _explanations(source) if explained is None else explained
                allowed = _said(f"({code})") or _said(explained.get(code, ""))
                if read is question and allowed:
                    question.flags |= allowed
                    continue
                message = (
                    _("“%(code)s” is left out, because it was not understood")
                    if is_removed
                    else _("“%(code)s” was not understood")
                )
                remedy = _("check whether it says how many answers are allowed, or who is asked what")
                survey.note(read.line, message % {"code": code}, remedy, effect=LOST)


def _said(words: str) -> frozenset[str]:
    """Return whether words ask for one answer, several, a number or a text, as a flag."""
    kinds = {"number": SAYS_NUMBER, "text": SAYS_TEXT}
    return number_allowed(words) or frozenset(kind for kind, cue in kinds.items() if cue.search(words))


def _reversing_codes(survey: Questionnaire, source: Sequence[SourceLine]) -> set[str]:
    """Return the codes in brackets that a rule explains as marks of reversed items: *[I] = inverse item*."""
    asked = {question.line for question in survey.questions}
    rules = (
        said
        for line in source
        if line.number not in asked
        for said in STATEMENTS.split(line.text)
        if said and REVERSED.search(said)
    )
    return {match["code"] for said in rules for match in _IN_BRACKETS.finditer(said)}


def _without_codes(read: Question | Option, reversing: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the codes in a question or answer, and whether each was removed: within a sentence, it stays.

    Marks of reversed items are no such codes.
    """
    for tag, text in read.texts.items():
        if not any(map(str.islower, text)):
            # Without small letters, capital ones show nothing.
            continue
        found = [
            match
            for match in _CODE.finditer(text)
            if (code := match["square"] or match["round"] or "").isupper() and code not in reversing
        ]
        kept = text
        for match in reversed(found):
            before, behind = kept[: match.start()], kept[match.end() :]
            is_removed = not before.strip() or not behind.strip(" .:：?？؟")
            kept = f"{before} {behind}".strip() if is_removed else kept
            yield (match["square"] or match["round"]).strip(), is_removed
        read.texts[tag] = kept


def _explanations(source: Sequence[SourceLine]) -> dict[str, str]:
    """Return what lines say about codes: *[S] = one answer, [M] = several answers*."""
    return {
        match["code"]: match["words"]
        for line in source
        for part in re.split(r"[,;，；]", line.text)
        if (match := _EXPLAINED.match(part.strip())) and match["code"].isupper()
    }
