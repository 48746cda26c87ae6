"""Lines that recur around the answers of questions: buttons of a survey tool, and instructions above answers.

Both are found by their places. A line that ends the answers of several questions, or stands between several
questions and their answers, is no answer there if the other answers differ and it looks like none of them.
Words of many languages make this certain: buttons such as *Back* and *Next*, and imperatives to choose.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final

from surveys.imports.lines.source_lines import INSTRUCTION, LEFT, SourceLine
from surveys.imports.words.cues import CHOOSES, TOOL, is_yes_no, says_how_many
from surveys.imports.words.question_marks import asks, holds_question
from surveys.questionnaire.exclusive_wordings import looks_exclusive

_KEY: Final = re.compile(r"(?P<label>[^\W\d_][^:：?？]{1,30}?)\s?[:：]\s?(?P<answer>\S.{0,60})")
_AROUND: Final = " .):：）、．([（"
_LEAST: Final = 2
_LEAST_WORDS: Final = 3
_LEAST_SIGNS: Final = 8
"""Characters of an instruction in a language without blanks."""


def read_recurring_lines(lines: Sequence[SourceLine]) -> None:
    """Leave out the lines of a survey tool, and find the instructions between questions and answers.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> text = ["Is it?", "Ja", "Zurück Weiter", "Was?", "Bitte auswählen", "Eins", "Drei", "Zurück Weiter"]
    >>> lines = [read_line(n, each, has_gap=False) for n, each in enumerate(text)]
    >>> read_recurring_lines(lines)
    >>> [line.role for line in lines]
    ['', '', 'left', '', 'instruction', '', '', 'left']
    """
    below = _lists(lines)
    _leave_buttons(lines, below)
    below = [[line for line in each if not line.role] for each in below]
    _leave_keys(below)
    _leave_variants([[line for line in each if not line.role] for each in below])
    _instruct([[line for line in each if not line.role] for each in below])


def _lists(lines: Sequence[SourceLine]) -> list[list[SourceLine]]:
    """Return the lines below each question, up to the next one."""
    shapes = Counter(line.mark_shape for line in lines if line.mark_kind == "count")
    asking = {line.mark_shape for line in lines if line.mark_kind == "count" and asks(line.text)}
    if not any(asks(line.text) for line in lines):
        # The first numbers of a text count its questions.
        asking = {next((shape for shape, n in shapes.items() if n > 1), "")}
    places = [
        place
        for place, line in enumerate(lines)
        if asks(line.text) or line.is_starred or (line.mark is not None and line.mark_shape in asking)
    ]
    return [[*lines[place + 1 : end]] for place, end in pairwise([*places, len(lines)])]


def _is_plain(line: SourceLine) -> bool:
    """Return whether a line has neither a role nor a mark except its indent."""
    return not line.role and line.mark_shape in ("", "indent")


def _may_be_button(line: SourceLine) -> bool:
    """Return whether a line has no mark but a star, or a number that counts: *41 responses*, *0/500*."""
    is_count = line.mark is not None and (line.mark.is_weak or line.mark_shape in ("*", "9/"))
    return _is_plain(line) or (not line.role and is_count)


def _buttons(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Return the lines of known buttons below a question; *done* and *not done* are its answers."""
    are_known = [_may_be_button(line) and TOOL.fullmatch(line.text) is not None for line in lines]
    answers = [place for place, is_known in enumerate(are_known) if not is_known and not lines[place].role]
    known = [line for line, is_known in zip(lines, are_known, strict=True) if is_known]
    is_pair = len(answers) == 1 and len(lines) == _LEAST and len(known[:1]) == 1
    return [] if is_pair and " " not in known[0].text else known


def _leave_buttons(lines: Sequence[SourceLine], below: Sequence[list[SourceLine]]) -> None:
    """Leave out lines that consist of known buttons: of several, at several questions, or last of all."""
    found = _buttons_of_lists(below)
    is_recurring = sum(map(bool, found)) >= _LEAST
    may_answer = _may_be_answers(below, found)
    for each, buttons in zip(below, found, strict=True):
        for line in buttons:
            is_pair = len(line.text.split()) > 1
            # A scoring rule may be behind it.
            is_end = each is below[-1] and all(other.role for other in each[each.index(line) + 1 :])
            if is_recurring or is_pair or is_end:
                line.give(LEFT, is_certain=is_recurring and (is_pair or not may_answer))
    if below and any(line.role for line in found[-1]):
        _leave_behind(below[-1], found[-1][-1])
    for line in lines if is_recurring else ():
        if _is_plain(line) and line.text[:1] == "*" and TOOL.fullmatch(line.text):
            line.give(LEFT)


def _leave_behind(lines: Sequence[SourceLine], button: SourceLine) -> None:
    """Leave out the lines behind the last button of a text, unless one has a mark."""
    behind = [line for line in lines[lines.index(button) + 1 :] if not line.role]
    if not any(line.mark for line in behind):
        for line in behind:
            line.give(LEFT, is_certain=False)


def _buttons_of_lists(below: Sequence[list[SourceLine]]) -> list[list[SourceLine]]:
    """Return the buttons among the lines below each question.

    A list of nothing but such words is a list of answers, unless they are below other answers, too.
    """
    found = [_buttons(each) for each in below]
    pairs = [*zip(below, found, strict=True)]
    behind_answers = {line.text for each, buttons in pairs if len(buttons) < len(each) for line in buttons}
    return [
        buttons if len(buttons) < len(each) or {line.text for line in buttons} <= behind_answers else []
        for each, buttons in pairs
    ]


def _may_be_answers(below: Sequence[list[SourceLine]], found: Sequence[list[SourceLine]]) -> bool:
    """Return whether buttons may be answers, because the others are the same: not started, started, done."""
    rests = {
        tuple(line.text for line in each if line not in buttons)
        for each, buttons in zip(below, found, strict=True)
        if buttons
    }
    return len(rests) == 1 and not any(map(is_yes_no, rests))


def _leave_variants(below: Sequence[list[SourceLine]]) -> None:
    """Leave out last lines that share words as buttons do: *Next*, *Back Next* and *Back Send*.

    One line recurs below different answers; only the first or the last list ends with another one.
    """
    below = [each for each in below if each]
    ends = [each[-1] for each in below]
    words = [tuple(word for word in line.text.casefold().split() if word.isalpha()) for line in ends]
    if len({*words}) < _LEAST or not all(len(each) > _LEAST and _is_plain(each[-1]) for each in below):
        return
    common = Counter(words).most_common(1)[0][0]
    others = [place for place, own in enumerate(words) if own != common]
    rests = {
        tuple(line.text for line in each[:-1])
        for each, own in zip(below, words, strict=True)
        if own == common
    }
    is_outer = {*others} <= {0, len(words) - 1}
    share_words = all({*words[place]} & {*common} for place in others)
    if len(common) > _LEAST or len(rests) < _LEAST or not is_outer or not share_words:
        return
    for line in ends:
        if not looks_exclusive({"": line.text}):
            line.give(LEFT, is_certain=False)


def _leave_keys(below: Sequence[list[SourceLine]]) -> None:
    """Leave out the keys of a quiz: a label that recurs behind answers, with one of these: *Answer: B*."""
    found = [(each[-1], _KEY.fullmatch(each[-1].text), each[:-1]) for each in below if len(each) > _LEAST]
    keys = [
        (line, match["label"])
        for line, match, others in found
        if match
        and not line.role
        and any(
            match["answer"].casefold() in (other.body.casefold(), _name(other).casefold()) for other in others
        )
    ]
    counts = Counter(label for _line, label in keys)
    for line, label in keys:
        if counts[label] >= _LEAST:
            line.give(LEFT)


def _name(line: SourceLine) -> str:
    """Return the letter or number in front of an answer."""
    return line.text[: -len(line.body)].strip(_AROUND) if line.mark and line.body else ""


def _instruct(below: Sequence[list[SourceLine]]) -> None:
    """Make the first line below a question its instruction if it tells to choose, or recurs above answers."""
    lists = [(plain, each) for each in below if (plain := [*takewhile(_is_plain, each)])]
    answers: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for (first, *others), _each in lists:
        answers[first.text].add(tuple(line.text for line in others))
    n_telling = sum(_tells(plain[0]) for plain, _each in lists)
    for (first, *_others), each in lists:
        if len(each) <= _LEAST:
            continue
        if _tells(first):
            first.give(INSTRUCTION, is_certain=n_telling >= _LEAST or says_how_many(first.text))
        elif len(answers[first.text]) >= _LEAST and _looks_apart(first, each[1:]):
            first.give(INSTRUCTION, is_certain=False)


def _looks_apart(first: SourceLine, answers: Sequence[SourceLine]) -> bool:
    """Return whether a line has several words, and is at least twice as long as the answers below it."""
    words = first.text.split()
    is_long = len(words) >= _LEAST_WORDS or (len(words) == 1 and len(first.text) >= _LEAST_SIGNS)
    longest = max(len(line.text) for line in answers)
    return is_long and len(first.text) >= 2 * longest and not looks_exclusive({"": first.text})


def _tells(line: SourceLine) -> bool:
    """Return whether a line tells to choose answers."""
    return not holds_question(line.text) and CHOOSES.search(line.text) is not None
