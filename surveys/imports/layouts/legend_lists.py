"""Legends with one answer per line, above items that have no answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from surveys.imports.words.cues import ABOUT_SCORE, REVERSED, pattern_of
from surveys.imports.words.patterns import NUMBER
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import counts_up, filled_runs, repeats, runs_of

_ANSWER: Final = re.compile(
    r"\s*(?:(?P<letter>[A-La-l])(?:[.)]|\s[–—-])\s?|[–—•*·-]\s)?(?P<label>[^\W\d][^=(（]{0,59}?)"
    r"\s?(?:[=＝]\s?(?P<code>\d{1,2})(?:\s[^\W\d]{1,8}\.?)?|[(（]\s?(?P<inner>\d{1,2})(?:\s[^\W\d]{1,8}\.?)?\s?[)）])\s*$"
)
"""An answer on a line of its own, with its points behind it."""
_ITEM: Final = re.compile(r"\s*(?:(?:\d{1,3}\s?[.)/:]|[–—•*·-])\s*)[^\W\d].*[^\W\d].*")
_NUMBERED: Final = re.compile(r"\s*\d{1,3}\s?[.)/:]")
_COUNTS: Final = pattern_of("counts-points").pattern
_BULLETS: Final = " \t•·–—*-"
_LEAST: Final = 3


_CODED: Final = re.compile(
    r"\s*(?:[–—•*·-]\s)?(?P<code>\d{1,2}|[^\W\d_]{1,3})(?P<sign>\s?[=＝:：.)]|\s[–—-]|(?<=\d)(?=\s))\s?\s?"
    r"(?P<label>[^\W\d](?:[^?？_]{0,59}[^\s?？_;,.；，。])?)[;,.；，。]?\s*"
)
"""An answer on a line of its own, with its code in front of it."""
_PARALLEL: Final = re.compile(
    r"(?P<before>(?:[^:：/|]{0,60}[:：]\s?)?)(?P<labels>[^\W\d][^\d/|]{0,40}(?:[/|][^\d/|]{1,40}){2,9}?)"
    r"(?P<points>\d{1,2}(?:(?:\s?[/|,–-]\s?|\s\s)\d{1,2}){2,9})(?:\s?[^\W\d_]{1,8}\.?)?[)\]]?\W{0,2}"
)
"""A list of answers, and behind it a list of as many numbers."""
_APART: Final = re.compile(r"\s?(?:[,;=(（\[]|\s[–—-]\s|:\s|\s→)")
_STATED: Final = re.compile(r"(?<![\d.,–-])(?P<code>\d{1,2})\s?[=＝]\s?(?=[^\W\d])")
"""A code in front of an answer."""
_MARK: Final = re.compile(
    r"\s*(?:\||#\s|[(（\[]?[^\W\d]{0,6}\d{1,3}(?P<sign>\s?[.)/:、|]|\s\s|\t))\s{0,3}\|?\s?[^\W\d]"
)
"""The beginning of an item with a number or code."""
_EXPLAINS: Final = re.compile("[=＝–—-]")
"""A sign behind a code that is explained."""
_MOST: Final = 11
_MOST_WORDS: Final = 5
_FEW_WORDS: Final = 3


def _join_codes(lines: list[str]) -> None:
    """Write a legend with a code before each answer in one line, if the text scores other marked items."""
    run = _run_of_labels(lines)
    if not run or not any(ABOUT_SCORE.search(line) or REVERSED.search(line) for line in lines):
        return
    above = next((at for at in range(run[0] - 1, -1, -1) if lines[at].strip()), None)
    if above is not None and (asks(lines[above]) or _MARK.match(lines[above])):
        return
    coded = [match for at in run if (match := _CODED.fullmatch(lines[at]))]
    others = [line for at, line in enumerate(lines) if at not in run]
    if not _score_marked_items(lines[run[0]], [match["code"] for match in coded], others):
        return
    said = "; ".join(f"{match['code']} = {match['label']}" for match in coded)
    if above is not None and above == run[0] - 1 and len(lines[above].split()) <= _FEW_WORDS:
        # The name of the list.
        lines[above] = ""
    for at in run:
        lines[at] = said if at == run[0] else ""


def _run_of_labels(lines: Sequence[str]) -> Sequence[int]:
    """Return the places of the only run of coded labels, or of the only one whose sign explains."""
    runs = [run for run in _runs_of_codes(lines) if _are_labels(lines, run)]
    explaining = [run for run in runs if _EXPLAINS.search(_sign_of(lines[run[0]]))]
    # The others are items with a few words.
    runs = explaining if len(explaining) == 1 else runs
    return runs[0] if len(runs) == 1 else ()


def _score_marked_items(first: str, codes: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether other lines are items with other marks, and state points if codes are letters."""
    items = [line for line in others if _MARK.match(line) and not asks(line)]
    is_apart = _sign_of(first) not in {_sign_of(item) for item in items}
    is_letter = codes[0].isalpha() and len(codes[0]) == 1
    return len(items) >= _LEAST and is_apart and (not is_letter or state_points(others, codes))


def _with_parallel_points(line: str) -> str:
    """Write the points of a second list behind the answers of the first: *no / yes: 0 / 1 points*.

    >>> _with_parallel_points("Answers: never / seldom / often, that is 0 / 1 / 2 points")
    'Answers: never (0), seldom (1), often (2)'
    >>> _with_parallel_points("1. Do you lie? yes / no   0 / 1")
    '1. Do you lie? yes / no   0 / 1'
    """
    match = _PARALLEL.fullmatch(line.rstrip())
    labels = re.split(r"\s?[/|]\s?", match["labels"]) if match else []
    points = [int(each) for each in NUMBER.findall(match["points"])] if match else []
    is_scale = len(points) > len("ab") and sorted(points) == [*range(min(points), min(points) + len(points))]
    if match is None or len(labels) != len(points) or not is_scale or _NUMBERED.match(line):
        return line
    # Words and a sign are behind the last answer.
    labels[-1] = _APART.split(labels[-1])[0]
    said = ", ".join(f"{label.strip()} ({code})" for label, code in zip(labels, points, strict=True))
    return f"{match['before']}{said}"


def _join_rests(lines: list[str]) -> None:
    """Join the rest of a legend to the line above, if its codes go on: *1 = no, 2 = so-so*, *3 = yes*."""
    codes: list[int] = []
    start = 0
    for at, line in enumerate(lines):
        own = [int(match["code"]) for match in _STATED.finditer(line)]
        goes_on = bool(codes and own) and _STATED.match(line.lstrip()) is not None
        if goes_on and own == [*range(codes[-1] + 1, codes[-1] + 1 + len(own))] and codes[0] < len("ab"):
            codes += own
            lines[start] = f"{lines[start].rstrip().rstrip(',;.')}; {line.strip()}"
            lines[at] = ""
        else:
            codes = own if len(own) > 1 and own == [*range(own[0], own[0] + len(own))] else []
            start = at


def _runs_of_codes(lines: Sequence[str]) -> Iterator[range]:
    """Return the places of lines that follow each other, with one sign behind codes that count or differ."""
    return (run for run in runs_of([*map(_CODED.fullmatch, lines)], _follows) if len(run) >= _LEAST)


def _follows(first: re.Match[str] | None, second: re.Match[str] | None) -> bool:
    if first is None or second is None or first["sign"].strip() != second["sign"].strip():
        return False
    one, other = first["code"], second["code"]
    if one.isdecimal() and other.isdecimal():
        return abs(int(other) - int(one)) == 1
    if one.isdecimal() or other.isdecimal():
        # A code that is no number may be the last one: "X = does not apply".
        return one.isdecimal() and other.isupper() and first["sign"].strip() in ("=", "＝")
    if len(one) == len(other) == 1 and one.islower() == other.islower():
        return ord(other) - ord(one) == 1 or first["sign"].strip() in ("=", "＝")
    return first["sign"].strip() in ("=", "＝") and one.isupper() and other.isupper()


def _are_labels(lines: Sequence[str], run: Sequence[int]) -> bool:
    """Return whether lines are the answers of a scale: a few words, with codes from 0 or 1 or letters."""
    matches = [match for at in run if (match := _CODED.fullmatch(lines[at]))]
    codes = [match["code"] for match in matches]
    numbers = [int(code) for code in codes if code.isdecimal()]
    is_start = not numbers or min(numbers) < 2
    return (
        is_start
        and len(run) <= _MOST
        and not repeats(codes)
        and all(len(match["label"].split()) <= _MOST_WORDS for match in matches)
    )


def _sign_of(line: str) -> str:
    coded = _CODED.fullmatch(line)
    mark = _MARK.match(line)
    if mark and not coded:
        return f"9{(mark['sign'] or '').strip()}"
    return f"{'9' if coded and coded['code'].isdecimal() else 'a'}{coded['sign'].strip()}" if coded else ""


def state_points(lines: Sequence[str], codes: Sequence[str]) -> bool:
    """Return whether a line states points for each of several letters or abbreviations of answers.

    Examples
    --------
    >>> state_points(["Key: N = 0, O = 1"], ["N", "O"]), state_points(["N = never, O = often"], ["N", "O"])
    (True, False)
    >>> state_points(["N scores 0, and O scores 1"], ["N", "O"])
    True
    """
    words = "|".join(map(re.escape, sorted(codes, key=len, reverse=True)))
    pattern = re.compile(
        rf"(?<!\w)(?P<code>{words})(?:\s?[^\w\s]{{0,3}}\s?|\s(?:{_COUNTS})\s)\d", re.IGNORECASE
    )
    wanted = {code.casefold() for code in codes}
    return any({match["code"].casefold() for match in pattern.finditer(line)} == wanted for line in lines)


def join_legends(lines: Sequence[str]) -> list[str]:
    """Write a legend with one answer per line in one line, if items without answers follow it.

    Parameters
    ----------
    lines : sequence of str
        Lines that were joined to the one above become empty.

    Examples
    --------
    >>> legend = ["Choose:", "A – never (0 points)", "B – often (1 point)", "C – daily (2 points)"]
    >>> join_legends([*legend, "", "1. I lie.", "2. I steal.", "3. I cheat."])[:3]
    ['Choose: never (0), often (1), daily (2)', '', '']
    """
    found = [*map(_with_parallel_points, lines)]
    _join_rests(found)
    _join_codes(found)
    answers = [*map(_ANSWER.fullmatch, found)]
    runs = [*filled_runs(answers)]
    if len(runs) != 1 or len(runs[0]) < _LEAST or not runs[0][0]:
        return found
    own = [
        (match["label"].strip(), int(match["code"] or match["inner"]))
        for at in runs[0]
        if (match := answers[at])
    ]
    codes = [code for _label, code in own]
    above, below = found[runs[0][0] - 1].rstrip(), found[runs[0][-1] + 1 :]
    is_scale = counts_up(codes) and codes[0] < 2
    is_shared = bool(above.strip()) and not asks(above) and not _NUMBERED.match(above)
    if not is_scale or not is_shared or sum(map(bool, map(_ITEM.fullmatch, below))) < _LEAST:
        return found
    said = ", ".join(f"{label} ({code})" for label, code in own)
    found[runs[0][0] - 1] = f"{above.strip(_BULLETS).rstrip(' :：')}: {said}"
    for at in runs[0]:
        found[at] = ""
    return found
