"""Answers that a question lists on its line, behind its text or in brackets."""

from __future__ import annotations

from typing import Final

from surveys.imports.words.answers_on_line import BOX, Listed, answers_on
from surveys.imports.words.cues import ASKS_ONE, ASKS_SEVERAL, is_yes_no
from surveys.imports.words.question_marks import asks

_WORDS: Final = 4
"""More words than an answer has that stands among others between commas."""


def lists_answers(line: str, end: int) -> bool:
    """Return whether a line lists answers before a remark at its end."""
    listed, signs = answers_on(line[:end].strip()), ("/", "|", ",", ";", "code", "letter", "cells")
    return len(BOX.findall(line)) > 1 or (listed is not None and listed.sign in signs)


def number_allowed(text: str) -> frozenset[str]:
    """Return whether a text asks for one or several answers, as a flag."""
    return frozenset({"several"} if ASKS_SEVERAL.search(text) else {"one"} if ASKS_ONE.search(text) else ())


def are_answers(listed: Listed, text: str) -> bool:
    """Return whether what a question lists are its answers: commas also separate the parts of a sentence."""
    if not listed.before:
        return False
    is_bracketed = text.rstrip(" .。?？").endswith((")", "）")) and not listed.labels[-1].endswith(
        (")", "）")
    )
    is_list = listed.sign == ";" and len(listed.labels) > 2 and ":" in text.replace("：", ":")
    are_short = all(len(label.split()) < _WORDS for label in listed.labels)
    is_behind = text[len(listed.before) :].lstrip()[:1] in (":", "：") or asks(listed.before)
    is_list = is_list or (are_short and is_behind and (len(listed.labels) > 2 or listed.sign == ";"))
    return listed.sign not in ",;" or is_yes_no(listed.labels) or is_bracketed or is_list


def question_mark(text: str, before: str) -> str:
    """Return the question mark that is behind the answers in brackets."""
    return text.rstrip()[-1] if asks(text) and not asks(before) else ""
