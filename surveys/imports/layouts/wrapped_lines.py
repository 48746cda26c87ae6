"""Questions and answers that go on in the next line, as in text copied from a page."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import Final

from surveys.imports.words.answers_on_line import answers_on
from surveys.imports.words.marks import Mark, mark_of
from surveys.imports.words.question_marks import holds_question

_WIDE: Final = re.compile(r"\t|\s{2,}|[|…_]|\.{3}")
"""Blanks and signs between columns, or a space to write."""
_SPACE_BEHIND: Final = re.compile(r"(?<=[?？؟])\s{0,9}(?:[|_＿…]|\.{3}).{0,60}$")
"""A space to write and its unit, behind a question."""
_REMARK_FIRST: Final = re.compile(r"[(（\[【][^()（）\[\]【】]{2,60}[)）\]】]\s?")
_UNFINISHED: Final = re.compile(r"[^\W_][,'’]?$")
_NEAR: Final = 1
_MOST_LINES: Final = 3
"""Lines into which a question or an answer may be broken, besides its first."""
_LEAST_WORDS: Final = 3


def join_wrapped(lines: Sequence[str], chosen: Collection[int] = ()) -> list[str]:
    """Join lines that begin with a small letter to the question or answer with a mark above them.

    A question goes on up to its question mark. An answer of a list goes on in one line that is indented as
    its words are.

    Parameters
    ----------
    lines : sequence of str
        Lines that were joined to the one above become empty.
    chosen : collection of int, optional
        Places of the lines whose role a person chose; they are joined to none.

    Examples
    --------
    >>> join_wrapped(["1) Which of these", "fits you best?", "- none of", "  them", "- all"])
    ['1) Which of these fits you best?', '', '- none of them', '', '- all']
    >>> join_wrapped(["1) Sex", "male", "female"])[0]
    '1) Sex'
    """
    found, alone = [*lines], {*chosen}
    place = 0
    while place < len(found):
        below: list[str] = []
        for at in range(place + 1, min(place + 2 + _MOST_LINES, len(found))):
            if {place, at} & alone or not _may_go_on(found[at].strip()):
                break
            below.append(found[at])
        rest = found[place + 1 + len(below) :][:1]
        n_joined = _wraps(found[place], below, above=found[place - 1 : place], rest=rest)
        if n_joined:
            words = " ".join(line.strip() for line in below[:n_joined])
            found[place] = f"{found[place].rstrip()} {words}"
            found[place + 1 : place + 1 + n_joined] = [""] * n_joined
        place += 1 + n_joined
    return found


def _may_go_on(text: str) -> bool:
    text = _SPACE_BEHIND.sub("", text)
    return text[:1].islower() and not (mark_of(text)[0] or _WIDE.search(text) or _lists(text))


def _ends_question(line: str) -> bool:
    return _SPACE_BEHIND.sub("", line.rstrip())[-1] in "?？؟"


def _lists(text: str) -> bool:
    listed = answers_on(text)
    return listed is not None and listed.sign != ","


def _wraps(text: str, below: Sequence[str], above: Sequence[str], rest: Sequence[str]) -> int:
    """Return how many lines below a line continue it, given the lines directly above and behind them."""
    mark, body = mark_of(" ".join(text.split()))
    column = len(text.rstrip()) - len(body)
    if mark is None or mark.kind == "hash" or not below or column <= 0:
        return 0
    is_open = _UNFINISHED.search(body) is not None and not _WIDE.search(text[column:].rstrip())
    if not is_open or holds_question(body):
        return 0
    if (
        mark.kind != "sign"
        and not mark.is_weak
        and _REMARK_FIRST.sub("", body, count=1).lstrip('¿¡"“«„')[:1].isupper()
    ):
        asking = next((at for at, line in enumerate(below, start=1) if _ends_question(line)), 0)
        if asking and len(f"{body} {below[0]}".split()) > _LEAST_WORDS:
            return asking
    is_deeper = column > len(text) - len(text.lstrip())
    hanging = [*takewhile(lambda line: abs(len(line) - len(line.lstrip()) - column) <= _NEAR, below)]
    behind = [*below[len(hanging) :], *rest]
    return int(len(hanging) == 1 and is_deeper and _is_in_list(mark, above, behind))


def _is_in_list(mark: Mark, above: Sequence[str], rest: Sequence[str]) -> bool:
    """Return whether a mark belongs to a list of answers: the list goes on below it, or began above it."""
    before, after = (mark_of(" ".join(line.split()))[0] for line in ([*above, ""][0], [*rest, ""][0]))
    if mark.kind == "count":
        return before is not None and before.shape == mark.shape
    is_end = not rest or not rest[0].strip()
    return is_end or (after is not None and after.kind in (mark.kind, "count"))
