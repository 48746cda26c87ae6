"""Read pasted questionnaires and compare them with what their authors expect.

    python -m benchmarks.shapes FILE.jsonl ... [--list] [--json]

Each line of a file is one shape, a JSON object: a questionnaire as someone would paste it, and the questions
that a person finds in it. `Shape` describes its members. The report counts the shapes that are

right
    every question has the expected text, kind, answers, points and condition, and there are no others;
flagged
    each deviation is noted at the lines of the question concerned, so that the import report asks for it, or
    the report says that it found no questions or that it does not read such a source;
marked
    each deviation is flagged, or the report marks its lines as read with less certainty, without asking;
silent
    at least one deviation is neither noted nor marked at its lines.

Marks cost little, but marks on every line are useless. So the report also states how many of the questions
that were read right have a note for any reason, how many may be misread by the report, and how many are only
marked.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
django.setup()

# Models need the settings.
# ruff: noqa: E402
from surveys.errors.error import short_json
from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.questionnaire import (
    LOST,
    UNCERTAIN,
    UNCLEAR,
    WRONG,
    Note,
    Question,
    Questionnaire,
    points_of,
)
from surveys.imports.pasted_text import read_paste

Verdict = Literal["right", "flagged", "marked", "silent"]
VERDICTS: Final[tuple[Verdict, ...]] = ("right", "flagged", "marked", "silent")
KINDS: Final = ("yes_no", "single", "several", "number", "text", "needs")
"""Kinds of expected questions. ``needs``: the text names no answers, and neither yes/no nor a number fits."""

_FLAGS: Final = (UNCERTAIN, UNCLEAR, WRONG, LOST)
_ABOUT_ALL: Final = ("language", "title")
_BETWEEN: Final = re.compile(r"\s[|/]\s")
_REMARK: Final = re.compile(r"\s?[(（][^()（）]{1,80}[)）]$|\s?[:：]$")
_LONGEST_ADDITION: Final = 80
"""Characters of instructions that may follow a question's text."""


@dataclass(frozen=True, kw_only=True)
class Expected:
    """A question that a person finds in a shape.

    Parameters
    ----------
    text : str
        As it should be shown, without number, code or instruction. It occurs in the shape.
    kinds : tuple of str
        Acceptable kinds, one or several of `KINDS`.
    options : tuple of str
        Answers in their order, without number or code; empty for yes/no, numbers and free text.
    points : tuple of int
        Points of each answer, for yes/no those of *no* and of *yes*; empty if none are expected.
    low, high : int or None
        Ends of a number's range, if the text states them.
    is_conditional : bool
        Whether the text asks the question only after some answers to another one.
    """

    text: str
    kinds: tuple[str, ...]
    options: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    low: int | None = None
    high: int | None = None
    is_conditional: bool = False


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A pasted text and the questions in it.

    Parameters
    ----------
    name : str
    text : str
    questions : tuple of Expected
        In order.
    starts : tuple of int
        Smallest sum of each level after the first, if the text says how to score the answers.
    language : str
    gaps : mapping or None
        How many answers may be missing, and how they count, as ``missing`` of a rule; None if the text does
        not say: ``{"at_most": 1, "as": "mean"}``.
    """

    name: str
    text: str
    questions: tuple[Expected, ...]
    starts: tuple[int, ...] = ()
    language: str = ""
    gaps: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Deviation:
    """A difference between a reading and its shape.

    Parameters
    ----------
    what : str
    lines : range
        Lines at which a note makes it visible.
    is_flagged : bool
        Whether the report asks about it.
    is_marked : bool
        Whether the report marks it as read with less certainty.
    """

    what: str
    lines: range
    is_flagged: bool
    is_marked: bool = False


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a shape was read."""

    shape: Shape
    deviations: tuple[Deviation, ...]
    choices: int = 0
    """Points that the import report asks the researcher to settle."""
    n_right: int = 0
    """Questions that were read right."""
    right_noted: tuple[int, int, int] = (0, 0, 0)
    """Of these, those with a note for any reason, those with a note that they may be misread, and those that
    are only marked."""

    @property
    def verdict(self) -> Verdict:
        """Outcome: read right, flagged, marked, or silently wrong."""
        if not self.deviations:
            return "right"
        if all(each.is_flagged for each in self.deviations):
            return "flagged"
        return "marked" if all(each.is_flagged or each.is_marked for each in self.deviations) else "silent"


def shape_of(entry: Mapping[str, Any]) -> Shape:
    """Return a shape as a JSON object states it.

    Raises
    ------
    ValueError
        A member is missing or unknown, or a question's text does not occur in the shape.

    Examples
    --------
    >>> shape_of({"name": "one", "text": "1. Do you smoke?", "questions": [
    ...     {"text": "Do you smoke?", "kind": "yes_no"}]}).questions[0].kinds
    ('yes_no',)
    """
    if not isinstance(entry, Mapping):
        raise ValueError(
            f'{short_json(entry)} is not an object; write {{"name": ..., "text": ..., "questions": [...]}}'
        )
    _check_members(entry)
    questions = tuple(
        _expected(each, entry["name"], number) for number, each in enumerate(entry["questions"], start=1)
    )
    shape = Shape(
        name=entry["name"],
        text=entry["text"],
        questions=questions,
        starts=tuple(entry.get("starts", ())),
        language=entry.get("language", ""),
        gaps=entry.get("gaps"),
    )
    for question, lines in zip(questions, lines_of(shape), strict=True):
        if lines is None:
            raise ValueError(f"{shape.name}: “{question.text}” does not occur in the text")
    return shape


_NEEDED: Final = {"name": str, "text": str, "questions": list}
_POSSIBLE: Final = {"starts": list, "language": str, "gaps": dict}
_OF_QUESTIONS: Final = {
    "text": (str,),
    "kind": (str, list),
    "options": (list,),
    "points": (list,),
    "low": (int,),
    "high": (int,),
    "conditional": (bool,),
}
_WORDS: Final = {
    str: "a text",
    list: "a list",
    int: "a whole number",
    bool: "true or false",
    dict: "an object",
}


def _check_members(entry: Mapping[str, Any]) -> None:
    """Refuse missing, unknown and wrong members of a shape, and name them.

    Raises
    ------
    ValueError
    """
    kinds = {name: (kind,) for name, kind in {**_NEEDED, **_POSSIBLE}.items()}
    problems = [f"{name} is missing" for name in _NEEDED if name not in entry]
    problems += _wrong_members(entry, kinds)
    gaps = entry.get("gaps", _SOME_GAPS)
    if isinstance(gaps, dict) and not _is_gap_rule(gaps):
        problems.append(f"gaps is {short_json(gaps)}; write {short_json(_SOME_GAPS)}, or as: no_points")
    if problems:
        raise ValueError("; ".join(problems))


_SOME_GAPS: Final = {"at_most": 1, "as": "mean"}


def _is_gap_rule(gaps: Mapping[str, Any]) -> bool:
    return (
        gaps.keys() == _SOME_GAPS.keys()
        and type(gaps["at_most"]) is int
        and gaps["at_most"] >= 0
        and gaps["as"] in ("mean", "no_points")
    )


def _wrong_members(entry: Mapping[str, Any], kinds: Mapping[str, tuple[type, ...]]) -> list[str]:
    """Return what is wrong with the members of an object, in words."""
    unknown = [short_json(name) for name in entry if name not in kinds]
    problems = [f"unknown: {', '.join(unknown)}; write {_either(kinds)}"] if unknown else []
    return problems + [
        f"{name} must be {_either(_WORDS[each] for each in kinds[name])}, not {short_json(value)}"
        for name, value in entry.items()
        if name in kinds and type(value) not in kinds[name]
    ]


def _either(words: Iterable[str]) -> str:
    """Return words as an alternative: "a, b or c"."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _expected(entry: Any, name: str, number: int) -> Expected:
    where = f"{name}, question {number}"
    if not isinstance(entry, Mapping):
        raise ValueError(f"{where} must be a JSON object, not {short_json(entry)}")
    problems = [f"{each} is missing" for each in ("text", "kind") if each not in entry]
    problems += _wrong_members(entry, _OF_QUESTIONS)
    stated = entry.get("kind", "")
    kinds = tuple(stated) if isinstance(stated, list) else (stated,)
    unknown = [short_json(kind) for kind in kinds if kind not in KINDS]
    if not problems and (unknown or not kinds):
        found = f"kind is {', '.join(unknown)}" if unknown else "kind is empty"
        problems.append(f"{found}; write {_either(KINDS)}, or a list of these")
    if problems:
        raise ValueError(f"{where}: {'; '.join(problems)}")
    return Expected(
        text=entry["text"],
        kinds=kinds,
        options=tuple(map(str, entry.get("options", ()))),
        points=tuple(entry.get("points", ())),
        low=entry.get("low"),
        high=entry.get("high"),
        is_conditional=bool(entry.get("conditional", False)),
    )


def shapes_in(path: Path) -> Iterator[Shape]:
    """Yield the shapes of a file; blank lines are skipped.

    Raises
    ------
    ValueError
        A line is not a shape; the message names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not a text in UTF-8; choose a file of shapes") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield shape_of(json.loads(line))
            except json.JSONDecodeError as error:
                raise ValueError(f"{path.name}, line {number} is not a JSON object: {error.msg}") from error
            except ValueError as error:
                raise ValueError(f"{path.name}, line {number}: {error}") from error


def plain(text: str) -> str:
    """Return a text without what does not matter for a comparison: width, blanks, punctuation at its ends.

    A sign between two languages does not matter either.

    Examples
    --------
    >>> plain("  Do  you smoke？ "), plain("Never:")
    ('do you smoke', 'never')
    >>> plain("Bien | Good")
    'bien good'
    """
    words = _BETWEEN.sub(" ", " ".join(unicodedata.normalize("NFKC", text).split()).casefold())
    return re.sub(r"^[\W_]+|[\W_]+$", "", words)


def lines_of(shape: Shape) -> list[range | None]:
    """Return the lines of each expected question, up to the next one; None if its text does not occur."""
    lines = shape.text.split("\n")
    starts: list[int | None] = []
    least = 0
    for question in shape.questions:
        found = _place_of(plain(question.text), [*map(plain, lines)], least, " ")
        if found is None:
            # A line may end with a comma or a hyphen, and lines of Chinese join without a blank.
            found = _place_of(_letters(question.text), [*map(_letters, lines)], least, "")
        starts.append(found)
        least = found if found is not None else least
    ends = [*starts[1:], *[None for _last in starts[:1]]]
    return [
        None if start is None else range(start + 1, max(start + 1, len(lines) if end is None else end) + 1)
        for start, end in zip(starts, ends, strict=True)
    ]


def _letters(text: str) -> str:
    return "".join(sign for sign in plain(text) if sign.isalnum())


def _place_of(words: str, lines: Sequence[str], least: int, between: str) -> int | None:
    """Return the place of the line that contains these words, or of the last line at which they may begin."""
    places = [at for at in range(least, len(lines)) if words in between.join(lines[at : at + 3])]
    return next((at for at in places if words in lines[at]), places[-1] if places else None)


def result_of(shape: Shape, reading: Questionnaire) -> Result:
    """Compare a reading with its shape."""
    own = [lines or range(1) for lines in lines_of(shape)]
    pairs, additional = _pairs(shape.questions, reading.questions)
    is_refused = not reading.questions
    deviations = []
    for question, lines, found in zip(shape.questions, own, pairs, strict=True):
        kept = [question.text if found is None else "", *(_differences(question, found) if found else ())]
        if found and question.is_conditional and not _asks_condition(reading, found):
            kept.append(f"no condition: {question.text}")
        near = range(min(lines.start, found.line), max(lines.stop, found.line + 1)) if found else lines
        deviations += [
            Deviation(
                what=f"missing: {each}" if found is None else each,
                lines=near,
                is_flagged=is_refused or _is_noted(reading.notes, near),
                is_marked=_is_noted(reading.notes, near, is_mark=True),
            )
            for each in kept
            if each
        ]
    for found in additional:
        lines = _lines_below(shape, reading, found)
        deviations.append(
            Deviation(
                what=f"not expected: {_text(found.texts)}",
                lines=lines,
                is_flagged=_is_noted(reading.notes, lines),
                is_marked=_is_noted(reading.notes, lines, is_mark=True),
            )
        )
    doubts = [note for note in reading.notes if note.effect == UNCERTAIN]
    right = [
        _lines_below(shape, reading, found)
        for found in reading.questions
        if not any(found.line in each.lines for each in deviations)
    ]
    deviations += _score_deviations(shape, reading)
    return Result(
        shape=shape,
        deviations=tuple(deviations),
        choices=len(reading.unclear),
        n_right=len(right),
        right_noted=(
            sum(_is_noted(reading.notes, lines) for lines in right),
            sum(_is_noted(doubts, lines) for lines in right),
            sum(
                _is_noted(reading.notes, lines, is_mark=True) and not _is_noted(doubts, lines)
                for lines in right
            ),
        ),
    )


def _has_gaps(missing: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Return whether two rules agree; how missing answers count matters only if some may be missing."""
    return missing.get("at_most") == expected["at_most"] and (
        expected["at_most"] == 0 or missing.get("as") == expected["as"]
    )


def _score_deviations(shape: Shape, reading: Questionnaire) -> list[Deviation]:
    """Return how the scores that were read differ from the expected levels and rule on missing answers."""
    # A proposed score asks about its levels, but what it says about missing answers is easily overlooked.
    missed = []
    if shape.starts and not any(_starts(score.levels) == shape.starts for score in reading.scores):
        missed.append((f"levels from {shape.starts}", ("answers",)))
    if shape.gaps and not any(
        _has_gaps(score.rule.get("missing", {}), shape.gaps) for score in reading.scores
    ):
        missed.append((f"missing answers: {shape.gaps}", ("answers", "score")))
    # A note at a line that is left out, or that states a level.
    texts = shape.text.split("\n")
    lines = range(1, len(texts) + 1)
    stated = re.compile(rf"(?<!\d)(?:{'|'.join(map(str, shape.starts)) or '(?!)'})(?!\d)")
    scoring = [
        each.line
        for each in reading.lines
        if each.line in lines and (each.role in ("scoring", "left") or stated.search(texts[each.line - 1]))
    ]
    notes = [note for note in reading.notes if note.line in scoring]
    return [
        Deviation(
            what=what,
            lines=lines,
            is_flagged=not reading.questions
            or any(_is_flag(note) and note.asks not in others for note in notes),
            is_marked=any(note.cause == LESS_CERTAIN for note in notes),
        )
        for what, others in missed
    ]


def _lines_below(shape: Shape, reading: Questionnaire, found: Question) -> range:
    """Return the lines of a question that was read, up to the next one."""
    after = [each.line for each in reading.questions if each.line > found.line]
    return range(found.line, min(after, default=len(shape.text.split("\n")) + 1))


def _pairs(
    expected: Sequence[Expected], found: Sequence[Question]
) -> tuple[list[Question | None], list[Question]]:
    """Return the question read for each expected one, in order, and the questions that no one expects."""
    left, pairs = list(found), list[Question | None]()
    for question in expected:
        words = plain(question.text)
        same = next((each for each in left if words in _asked_in(each)), None)
        same = same or next((each for each in left if _is_same(words, _asked_in(each)[-1])), None)
        pairs.append(same)
        left = [each for each in left if each is not same]
    return pairs, left


def _is_same(words: str, read: str) -> bool:
    return words in read and len(read) - len(words) <= _LONGEST_ADDITION


def _differences(expected: Expected, found: Question) -> Iterator[str]:
    """Yield what differs between an expected question and the one that was read."""
    if not any(read.startswith(plain(expected.text)) for read in _asked_in(found)):
        yield f"text: {_text(found.texts)!r}"
    kind = found.kind or "needs"
    acceptable = {*expected.kinds} | ({"text", "needs"} if {*expected.kinds} & {"text", "needs"} else set())
    if kind not in acceptable:
        yield f"{'/'.join(expected.kinds)} read as {kind}: {expected.text}"
        return
    wanted = [*map(plain, expected.options)]
    is_same = len(wanted) == len(found.options) and all(
        label in _wordings(each.texts) for label, each in zip(wanted, found.options, strict=True)
    )
    # A number that may also be read as a scale has no options of its own.
    is_listed = bool(expected.options) or "number" not in expected.kinds
    if kind in ("single", "several") and is_listed and not is_same:
        yield f"answers of {expected.text}: {[_text(each.texts) for each in found.options]}"
    elif expected.points and tuple(points_of(found)) != expected.points:
        yield f"points of {expected.text}: {points_of(found)}"
    stated = found.own.get("number", {})
    for name, value in (("low", expected.low), ("high", expected.high)):
        if kind == "number" and value is not None and stated.get(name) != value:
            yield f"{name} of {expected.text}: {stated.get(name)}"


def _text(texts: Mapping[str, str]) -> str:
    return next(iter(texts.values()), "")


def _wordings(texts: Mapping[str, str]) -> list[str]:
    """Return a text in its first language, and in all its languages: an author may write either.

    In several languages, an author leaves out remarks in brackets and colons, which each language has.
    """
    short = " ".join(_REMARK.sub("", text) for text in texts.values())
    return [plain(_text(texts)), plain(" ".join(texts.values())), plain(short)]


def _asked_in(question: Question) -> list[str]:
    """Return the wordings of a question, the last one with the condition in front that was cut from it.

    An author may write that condition as a part of the text, or leave it out.
    """
    return [*_wordings(question.texts), *_wordings(question.whole_texts)[::-1]]


def _asks_condition(reading: Questionnaire, question: Question) -> bool:
    return bool(question.condition) or any(
        note.asks == "keep" and question.line in (note.line, note.target) for note in reading.notes
    )


def _is_noted(notes: Iterable[Note], lines: range, *, is_mark: bool = False) -> bool:
    """Whether a note is at one of these lines, or a mark."""
    return any(
        note.line in lines and (note.cause == LESS_CERTAIN if is_mark else _is_flag(note)) for note in notes
    )


def _is_flag(note: Note) -> bool:
    """Whether the report asks about anything except the title and the language."""
    return (
        note.effect in _FLAGS
        and note.cause != LESS_CERTAIN
        and note.asks not in _ABOUT_ALL
        and "title" not in note.message
    )


def _starts(levels: Sequence[tuple[int | None, str]]) -> tuple[int, ...]:
    return tuple(start for start, _label in levels if start is not None)


@dataclass(kw_only=True)
class Report:
    """The results of one file."""

    name: str
    results: list[Result] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """Number of shapes by verdict."""
        found = Counter(each.verdict for each in self.results)
        return {verdict: found[verdict] for verdict in VERDICTS}

    @property
    def choices(self) -> float:
        """Mean number of points to settle per shape."""
        return sum(each.choices for each in self.results) / max(1, len(self.results))

    @property
    def needless(self) -> tuple[float, float, float]:
        """Shares of the questions read right, in the order of `Result.right_noted`."""
        n_right = max(1, sum(each.n_right for each in self.results))
        any_note, doubted, marked = (
            sum(each.right_noted[place] for each in self.results) / n_right for place in range(3)
        )
        return any_note, doubted, marked


def report_on(path: Path) -> Report:
    """Read all shapes of a file."""
    shapes = list(shapes_in(path))
    return Report(name=path.name, results=[result_of(each, read_paste(each.text)) for each in shapes])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line of counts for each file, and with ``--list`` each shape that was not read right."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.shapes", description=__doc__.split("\n")[0] if __doc__ else ""
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="list the deviations")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    try:
        reports = [report_on(path) for path in options.files]
    except OSError as error:
        parser.error(f"{error.filename} cannot be read: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))
    if empty := [each.name for each in reports if not each.results]:
        parser.error(f"no shapes in {', '.join(empty)}; write one JSON object in each line")
    if options.json:
        print(
            json.dumps(
                [
                    {"file": each.name, "choices": each.choices, "needless": each.needless} | each.counts
                    for each in reports
                ]
            )
        )
        return 0
    for report in reports:
        n = len(report.results)
        noted, doubted, marked = report.needless
        print(
            f"{report.name}: {n} shapes, {report.counts}, {report.choices:.1f} choices per shape; "
            f"of questions read right, {noted:.0%} have a note, {doubted:.0%} a doubt, "
            f"{marked:.0%} only a mark"
        )
        for result in report.results if options.list else ():
            if result.verdict != "right":
                print(f"  {result.verdict}: {result.shape.name}")
                for each in result.deviations:
                    level = "flagged" if each.is_flagged else "marked" if each.is_marked else "SILENT"
                    print(f"    {level} {each.what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
