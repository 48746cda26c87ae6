"""Every line of a pasted text with its role, and the roles that a researcher chooses for lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.protection import is_decision, protect_question, store_question
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.lines.lost_breaks import with_line_breaks
from surveys.imports.roles.outline import ROLES

CHOICES_OF_ROLES: Final = ("question", "answer", "heading", "title", "introduction", "help", "joined", "left")
"""Roles that the researcher can choose for a line."""
_LONGEST_QUOTE: Final = 60


@dataclass(frozen=True, kw_only=True)
class AccountedLine:
    """A line of a pasted text, and its role."""

    number: int
    text: str
    role: str
    is_certain: bool
    role_before: str = ""
    """Its role in the earlier reading, if that was a different one."""

    @property
    def words(self) -> str:
        """The role in words."""
        return str(ROLES[self.role])

    @property
    def words_before(self) -> str:
        """The earlier role in words; empty if it was the same."""
        return str(ROLES.get(self.role_before, ""))


def accounted_lines(
    survey: Questionnaire, pasted: str, read_before: Mapping[str, str] | None = None
) -> dict[str, list[AccountedLine]]:
    """Return all lines of a pasted text with their roles, those read differently, and other uncertain ones.

    Parameters
    ----------
    survey : Questionnaire
    pasted : str
        Its text; empty if it was not read from one.
    read_before : mapping of str to str, optional
        Roles of lines in the reading before, by line number, as of `changed_roles`.
    """
    before = read_before or {}
    texts = source_lines(pasted)
    # Rows of questions show the marks of their lines; nothing else shows those of lines above the first row.
    starts = [part.line or part.questions[0].line for part in survey.parts if part.questions]
    opening_end = min(starts, default=0)
    marked = {note.line for note in survey.notes if note.cause == LESS_CERTAIN and note.line < opening_end}
    found = [
        AccountedLine(
            number=each.line,
            text=texts[each.line - 1],
            role=each.role,
            is_certain=each.is_certain and each.line not in marked,
            role_before=before.get(str(each.line), ""),
        )
        for each in survey.lines
        if pasted and 0 < each.line <= len(texts)
    ]
    return {
        "all": found,
        "differing": [line for line in found if line.role_before],
        "uncertain": [line for line in found if not (line.is_certain or line.role_before)],
    }


def changed_roles(before: Questionnaire, again: Questionnaire, chosen: Collection[str]) -> dict[str, str]:
    """Return the earlier roles of the lines whose role changes in a second reading, by line number.

    Parameters
    ----------
    before, again : Questionnaire
        Two readings of one text.
    chosen : collection of str
        Numbers of the lines whose role a person chose; the result omits them.
    """
    now = {each.line: each.role for each in again.lines}
    return {
        str(each.line): each.role
        for each in before.lines
        if str(each.line) not in chosen and now.get(each.line, each.role) != each.role
    }


def source_lines(text: str) -> list[str]:
    """Return the lines of a text to which notes refer; a text on one line has a line for each question."""
    return with_line_breaks(text).split("\n")


def line_quote(lines: Sequence[str], number: int) -> str:
    """Return a line of a text in quotation marks, without the signs of a heading; empty if there is none.

    Examples
    --------
    >>> line_quote(["Work", "# Appendix"], 2), line_quote(["Work"], 2)
    ('“Appendix”', '')
    """
    text = lines[number - 1].strip().lstrip("#>＃＞ ") if 0 < number <= len(lines) else ""
    return f"“{text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + '…'}”" if text else ""


def chosen_roles(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the roles that a form states, by line number; unknown lines and roles are ignored."""
    chosen = {
        name.removeprefix("role-"): role
        for name, role in answers.items()
        if name.startswith("role-") and name[5:].isdecimal() and role in CHOICES_OF_ROLES
    }
    other = answers.get("other-line", "")
    if other.isdecimal() and answers.get("other-role", "") in CHOICES_OF_ROLES:
        chosen[str(int(other))] = answers["other-role"]
    return chosen


def unknown_line(text: str, answers: Mapping[str, str]) -> str:
    """Return the number in the field for another line, if no line with words has it; else nothing.

    Examples
    --------
    >>> unknown_line("Poll", {"other-line": "7"}), unknown_line("Poll", {"other-line": "1"})
    ('7', '')
    """
    written = answers.get("other-line", "").strip()
    known = [str(number) for number, line in enumerate(source_lines(text), start=1) if line.strip()]
    return "" if written.lstrip("0") in known or not written else written


def keep_decisions(before: Questionnaire, again: Questionnaire, answers: Mapping[str, str]) -> dict[str, str]:
    """Carry a researcher's decisions to another reading of the same text, and return the answers so far.

    Parameters
    ----------
    before : Questionnaire
    again : Questionnaire
        Its questions are protected or stored as in `before`, if they are read as before.
    answers : mapping of str to str
        Fields of the form of `before`: ``how-N`` and ``said-N`` for note N.
    """
    known = {question.line: question for question in before.questions}
    for question in again.questions:
        old = known.get(question.line)
        if old is not None and is_decision(old, question):
            change = protect_question if old.is_protected else store_question
            change(again, question)
    numbers = {(note.line, note.asks): number for number, note in enumerate(again.notes) if note.asks}
    for line, new in _moved_scores(before, again):
        numbers[line, "score"] = numbers[new, "score"]
    chosen = {name: text for name, text in answers.items() if name.startswith(("decider-", "box"))}
    return chosen | {
        f"{name}-{numbers[note.line, note.asks]}": answers[f"{name}-{number}"]
        for number, note in enumerate(before.notes)
        for name in ("how", "said")
        if (note.line, note.asks) in numbers and f"{name}-{number}" in answers
    }


def _moved_scores(before: Questionnaire, again: Questionnaire) -> Iterator[tuple[int, int]]:
    """Yield the line of each score that is now read in another line, and its new line."""
    for score in before.scores:
        found = [each for each in again.scores if {*each.questions} & {*score.questions}]
        if found and all(each.line != score.line for each in again.scores):
            yield score.line, max(found, key=lambda each: len({*each.questions} & {*score.questions})).line
