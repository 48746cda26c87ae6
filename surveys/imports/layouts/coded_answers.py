"""Codes and points next to answers, in any notation, written in brackets behind these: *never = 0*.

A notation counts if two questions have it. Numbers that only count the answers stay in front of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from surveys.imports.words.patterns import LETTER, POINTS
from surveys.imports.words.runs import counts_up

_UNIT: Final = rf"(?P<unit>\s?{POINTS}|\s?p\.)?"
_LABEL: Final = (
    r"(?P<label>[^\s=＝:：\[\]()（）|\t](?:[^=＝:：\[\]()（）|\t]{0,78}?[^\s=＝:：\[\]()（）|.…–—>→⇒➔-])?)"
)
_NOTATIONS: Final = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("=", rf"{_LABEL}\s?[=＝]\s?(?P<code>\d{{1,2}}){_UNIT}"),
        (":", rf"{_LABEL}\s?[:：]\s?(?P<code>\d{{1,2}}){_UNIT}"),
        ("-", rf"{_LABEL}\s[–—-]\s(?P<code>\d{{1,2}}){_UNIT}"),
        ("dots", rf"{_LABEL}\s?(?:\.{{2,80}}|…{{1,40}})\s?(?P<code>\d{{1,2}}){_UNIT}"),
        ("wide", rf"{_LABEL}(?:\t|\s{{3,80}})(?P<code>\d{{1,2}}){_UNIT}"),
        ("[]", rf"{_LABEL}\s?\[(?P<code>\d{{1,2}}){_UNIT}\]"),
        ("()", rf"{_LABEL}\s?\((?P<code>\d{{1,2}}){_UNIT}\)"),
        ("bare", rf"{_LABEL}\s(?P<code>\d{{1,2}}){_UNIT}"),
        (
            "front",
            rf"(?:\((?=\d{{1,2}}\))|\[(?=\d{{1,2}}\])|(?=\d{{1,2}}\s?[=＝]))(?P<code>\d{{1,2}})\s?[)\]=＝]\s?{_LABEL}(?P<unit>)",
        ),
    )
)
"""The notations of an answer and its code."""
_BULLET: Final = re.compile(r"\s*(?:(?:[-–•·*▪]|[☐○□])\s+|[A-Ha-h]\s?[).]\s+)?")
_BETWEEN: Final = re.compile(r"\s*(?:[,，、;；|｜]|/)\s*|\s+(?=[☐○□])")
_BETWEEN_OR_WIDE: Final = re.compile(rf"{_BETWEEN.pattern}|\s{{3,}}")
_BOX: Final = re.compile(r"[☐○□]\s*")
_ASKED: Final = re.compile(r".*[?？؟]\s*")
_LETTER_CODE: Final = re.compile(r"\d{0,3}[A-Za-z]")
"""The letter of an answer, in a key."""
_LEAST_GROUPS: Final = 2


@dataclass(frozen=True)
class _Answer:
    """An answer, the box in front of it, its code, and the word for points behind this."""

    box: str
    label: str
    code: int
    unit: str
    sign: str
    """The sign and blanks behind it."""

    def written(self) -> str:
        """Return the answer with its code in brackets."""
        return f"{self.box}{self.label} ({self.code}{self.unit})"


@dataclass(frozen=True)
class _Answers:
    """The answers on a line, and the text in front of them."""

    notation: str
    front: str
    answers: Sequence[_Answer]

    @property
    def codes(self) -> tuple[int, ...]:
        return tuple(answer.code for answer in self.answers)

    def written(self) -> str:
        """Return the line with each code in brackets behind its answer, and boxes between several."""
        if len(self.answers) == 1 or any(answer.box for answer in self.answers):
            return self.front + "".join(answer.written() + answer.sign for answer in self.answers)
        boxes = "   ".join(f"○ {answer.written()}" for answer in self.answers)
        return f"{self.front.rstrip()}   {boxes}" if self.front.strip() else boxes


def write_coded_answers(lines: Sequence[str]) -> list[str]:
    """Write codes and points in brackets behind their answers, if two questions have the same notation.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_coded_answers(["Tired?", "- no = 0", "- yes = 2", "Ill?", "- no = 0", "- yes = 1"])[1:3]
    ['- no (0)', '- yes (2)']
    >>> write_coded_answers(["Tired? [0] no / [2] yes", "Ill? [0] no / [1] yes"])[0]
    'Tired?   ○ no (0)   ○ yes (2)'
    >>> write_coded_answers(["never = 0, often = 1", "Tired?"])[0]
    'never = 0, often = 1'
    """
    written = [*lines]
    for notation, pattern in _NOTATIONS:
        groups = _apart(group for group in _groups(lines, notation, pattern) if _is_scale(group))
        if len(groups) < _LEAST_GROUPS or (notation == "bare" and len({*map(_codes_of, groups)}) > 1):
            continue
        for place, answers in (pair for group in groups for pair in group.items()):
            written[place] = answers.written()
    return written


def _groups(lines: Sequence[str], notation: str, pattern: re.Pattern[str]) -> Iterator[dict[int, _Answers]]:
    """Yield the answers of one question each, by their lines: several on one, or one on each of several."""
    run: dict[int, _Answers] = {}
    for place, line in enumerate(lines):
        found = _answers_on(line, notation, pattern)
        if found is None or len(found.answers) > 1:
            yield run
            run = {}
            yield {place: found} if found else {}
        else:
            run[place] = found
    yield run


def _answers_on(line: str, notation: str, pattern: re.Pattern[str]) -> _Answers | None:
    """Return the answers with codes on a line that has no other words, but for a question in front."""
    if "\t" in line and notation != "wide":
        # A row of a table.
        return None
    asked = _ASKED.match(line)
    bullet = None if asked and asked.end() < len(line.rstrip()) else _BULLET.match(line)
    front = (asked or bullet)[0] if bullet is None else bullet[0]  # type: ignore[index]  # one of them matches
    rest = line[len(front) :].rstrip()
    signs = [*(_BETWEEN if notation == "wide" else _BETWEEN_OR_WIDE).finditer(rest)]
    starts, ends = [0, *(sign.end() for sign in signs)], [*(sign.start() for sign in signs), len(rest)]
    answers: list[_Answer] = []
    for start, end, sign in zip(starts, ends, [*(sign[0] for sign in signs), ""], strict=True):
        box = _BOX.match(rest, start, end)
        match = pattern.fullmatch(rest, box.end() if box else start, end)
        if match is None or not LETTER.search(match["label"]) or _LETTER_CODE.fullmatch(match["label"]):
            return None
        unit = match["unit"] or ""
        answers.append(_Answer(box[0] if box else "", match["label"], int(match["code"]), unit, sign))
    is_alone = len(answers) == 1 and (notation == "dots" or (notation == "front" and not front.strip()))
    if is_alone or (notation == "()" and any(each.box for each in answers)):
        # Other readers know these.
        return None
    return _Answers(notation, front, answers)


def _apart(groups: Iterable[dict[int, _Answers]]) -> list[dict[int, _Answers]]:
    """Return groups that are no part of a list on adjacent lines."""
    found = [*groups]
    ends = {max(group) for group in found}
    below = {min(group) - 1 for group in found if not next(iter(group.values())).front.strip()} & ends
    return [group for group in found if max(group) not in below and min(group) - 1 not in below]


def _codes_of(group: dict[int, _Answers]) -> tuple[int, ...]:
    return tuple(code for answers in group.values() for code in answers.codes)


def _is_scale(group: dict[int, _Answers]) -> bool:
    """Return whether answers and codes differ, and the codes do not only number the answers."""
    codes = _codes_of(group)
    labels = {answer.label for answers in group.values() for answer in answers.answers}
    if len(codes) < 2 or len({*codes}) < len(codes) or len(labels) < len(codes):
        return False
    notation = next(iter(group.values())).notation
    is_count = counts_up(codes) and codes[0] == 1
    if notation == "bare":
        return min(codes) in (0, 1)
    return notation != "front" or not is_count
