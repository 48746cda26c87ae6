"""Codes below answers or at the ends of their lines, written in front of these answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import COLUMN_GAP, POINTS
from surveys.imports.words.runs import counts_up, filled_runs

_GAP: Final = re.compile(r"(?<!\s)\s{2,}")
_LABEL: Final = re.compile(r"[^\W\d_]|\d{1,2}[-–~]?\d{0,2}\s[^\W\d_]{2}")
"""The beginning of an answer, also of an amount: *1-2 times*."""
_UNITS: Final = re.compile(rf"(?<=\d)\s?{POINTS}", re.IGNORECASE)
_SHORT_CODE: Final = re.compile(r"\d{1,2}")
_WIDE: Final = re.compile(r"\S\s{3,}\S")
"""Blanks between a question and its first answer."""
_IN_BRACKETS: Final = re.compile(
    rf"[\[{{<【〔［〖〈《]\s?(?P<points>\d{{1,2}}\s?{POINTS})\s?[\]}}>】〕］〗〉》]", re.IGNORECASE
)
"""Points in brackets that are not round."""
_BEHIND_ARROW: Final = re.compile(
    rf"(?<=[^\s:：=])\s{{0,9}}(?:→|⇒|➔|-{{1,3}}>|=>|>>)\s{{0,9}}(?P<points>[+]?\d{{1,2}}\s?(?:{POINTS}|p\.?))(?=\s{{2}}|\s?$)",
    re.IGNORECASE,
)
"""Points behind an arrow, which also leads to other questions: *never → 0 points*."""
_POINTS_ROW: Final = re.compile(
    rf"[\s|*_]{{0,40}}{POINTS}[值数]?[*_:：]{{0,4}}(?P<codes>(?:[\s|*_(]{{1,40}}\d{{1,2}}[*_)]{{0,3}}){{2,11}})[\s|]{{0,20}}",
    re.IGNORECASE,
)
"""A row of a table that states the points of its columns, with a word for points in front."""
_COLUMNS: Final = re.compile(r"\s?\|\s?|\t|\s{2,}")
_RULE: Final = re.compile(r"[\s|:=+-]*")
_SPACED: Final = re.compile(r"[(（]\s{1,3}(\d{1,2})\s{1,3}[)）]")
"""A code in brackets, with blanks around it."""
_ONE_DOT: Final = re.compile(r"(?<=[^\W_])\s\.\s(?=\d{1,3}\s{0,9}$)")
"""The only dot between a long answer and its code."""
_DOTTED: Final = re.compile(
    r"(?P<indent>\s{0,40})(?P<label>[^\s.…·_?？](?:[^?？]{0,98}?[^\s?？])?)"
    r"(?:\s?(?:[.…·]{2,120}|(?<=\s)…)\s{0,9}|\s{4,200}(?=[(\[☐○])|(?:\s{2,200}|\t)(?=\d{1,2}\s[^\W\d_]{1,8}\.?\s*$))(?:[(\[☐○]\s{0,5}[)\]]?\s{1,5})?"
    r"(?P<code>\d{1,3}|[A-Z](?![^\W\d_]))(?P<unit>\s[^\W\d_]{1,8}\.?)?(?P<rest>(?:\s{2,60}\S|\s?[(（\[→⇒➔>]).{0,80})?\s{0,9}"
)
"""An answer, dots or a box, and its code or its points; what is behind them says how to go on."""


def round_brackets(lines: Sequence[str]) -> list[str]:
    """Write points in other brackets or behind arrows in round ones, and codes in brackets without blanks.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> round_brackets(["□ 85厘米以下【0分】", "( ) never [2 points]", "( 1 ) Often"])
    ['□ 85厘米以下(0分)', '( ) never (2 points)', '(1) Often']
    >>> round_brackets(["b) yes -> 2 points", "b) yes -> question 2", "b) yes -> 2"])
    ['b) yes (2 points)', 'b) yes -> question 2', 'b) yes -> 2']
    """
    lines = [_BEHIND_ARROW.sub(r" (\g<points>)", line) for line in lines]
    return [_SPACED.sub(r"(\1)", _IN_BRACKETS.sub(r"(\g<points>)", line)) for line in lines]


def bare_points(lines: Sequence[str]) -> list[str]:
    """Remove the word for points from rows of tables that state the points of the columns above them.

    Examples
    --------
    >>> bare_points(["| Item | never | often |", "| *Points* | 0 | 1 |", "| I lie. | ○ | ○ |"])[1]
    '0   1'
    >>> bare_points(["How many?", "Points   0   1"])[1]
    'Points   0   1'
    """
    found = list(lines)
    header = ""
    for place, line in enumerate(lines):
        row = _POINTS_ROW.fullmatch(line)
        codes = re.findall(r"\d{1,2}", row["codes"]) if row else []
        if row and len(_COLUMNS.split(header.strip(" |"))) > len(codes):
            found[place] = "   ".join(codes)
        header = header if _RULE.fullmatch(line) else line
    return found


def write_codes(lines: Sequence[str]) -> list[str]:
    """Write the codes on a line of their own in front of the answers in columns above them.

    A header of a table keeps its codes below it: a row of the table follows.

    Parameters
    ----------
    lines : sequence of str
        Lines whose codes moved become empty.

    Examples
    --------
    >>> write_codes(["Tired?", "Never   Often", "0       1", "Sad?"])
    ['Tired?', '(0) Never   (1) Often', '', 'Sad?']
    >>> write_codes(["Never   Often", "0       1", "Tired   0   1"])[0]
    'Never   Often'
    """
    found = list(lines)
    for place in range(1, len(found)):
        steps, labels = found[place].split(), _GAP.split(found[place - 1].strip())
        if "|" in found[place - 1]:
            labels = re.split(r"\s*\|\s*", found[place - 1].strip(" |"))
            steps = _UNITS.sub("", found[place]).replace("|", " ").split()
        is_run = len(steps) > 1 and all(map(_SHORT_CODE.fullmatch, steps)) and int(steps[0]) < 2
        is_run = is_run and counts_up([*map(int, steps)])
        if not is_run or len(labels) != len(steps) or not all(map(_LABEL.match, labels)):
            continue
        below = found[place + 1] if place + 1 < len(found) else ""
        if COLUMN_GAP.search(below.strip()) or "|" in below:
            continue
        answers = "   ".join(f"({step}) {label}" for step, label in zip(steps, labels, strict=True))
        found[place - 1 : place + 1] = [answers, ""]
    return found


def front_codes(lines: Sequence[str]) -> list[str]:
    """Write the codes at the end of dotted lines in front of their answers, and points after them.

    Parameters
    ----------
    lines : sequence of str
        Codes grow from one line to the next.

    Examples
    --------
    >>> front_codes(["Yes ...... 1   GO TO Q2", "No ....... 2"])
    ['[1] Yes   (GO TO Q2)', '[2] No']
    >>> front_codes(["Never .... 0 pts", "Often .... 3 pts"])
    ['Never (0 pts)', 'Often (3 pts)']
    """
    found = _with_dots(lines)
    dotted = [*map(_dotted_answer, found)]
    for places in filled_runs(dotted):
        run = [match for match in dotted[places.start : places.stop] if match]
        codes = [match["code"].zfill(3) for match in run]
        units = [bool(match["unit"]) for match in run]
        if len(run) > 1 and (all(units) or (not any(units) and codes == sorted({*codes}))):
            for at, match in enumerate(run, start=places.start):
                rest = (match["rest"] or "").strip()
                rest = f"   ({rest})" if rest[:1].isalpha() else f"   {rest}" if rest else ""
                code = f"[{match['code']}] " if not match["unit"] else ""
                # The first unit for all, in one number: pt, pts.
                points = f" ({match['code']}{run[0]['unit']})" if match["unit"] else ""
                found[at] = match["indent"] + code + match["label"] + points + rest
    return found


def _with_dots(lines: Sequence[str]) -> list[str]:
    """Add a dot where an answer has only one, next to a dotted one that ends in the same column."""
    ends = [len(line.rstrip()) if _dotted_answer(line) else 0 for line in lines]
    near = [{*ends[max(place - 1, 0) : place], *ends[place + 1 : place + 2]} for place in range(len(lines))]
    return [
        _ONE_DOT.sub(" .. ", line) if len(line.rstrip()) in beside else line
        for line, beside in zip(lines, near, strict=True)
    ]


def _dotted_answer(line: str) -> re.Match[str] | None:
    """Return the parts of an answer with a code behind dots; a box before it needs a unit, too."""
    found = _DOTTED.fullmatch(line)
    if found is None or _WIDE.search(found["label"].strip()):
        return None
    mark = mark_of(found["label"])[0]
    return found if found["unit"] or mark is None or mark.kind != "sign" else None
