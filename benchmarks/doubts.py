"""Fit the weights with which the reader of pasted texts doubts a question or a line.

    python -m benchmarks.doubts FILE.jsonl ...

The files hold shapes, as `benchmarks.shapes` describes them: texts, and the questions that a person finds in
each. Use texts that the reader was not changed for. The script prints two sets of weights for
`surveys.imports.doubts.weights`, of questions and of other lines. Below each it prints the share of
misreadings that a limit leaves silent, and of right ones that it doubts needlessly. At the end it prints,
for pairs of limits, the share of texts in which a misreading stays silent.

Each file is predicted by weights that were fitted to the others, those of
`surveys.imports.lines.line_guesses` too, because the texts of one author resemble each other.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np

from benchmarks.line_guesses import Lines, logistic_weights
from benchmarks.shapes import Deviation, Result, Shape, result_of, shapes_in
from surveys.imports.doubts import misreadings
from surveys.imports.doubts import weights as doubts
from surveys.imports.drafts.questionnaire import LOST, UNCERTAIN, UNCLEAR, WRONG, Note, Questionnaire
from surveys.imports.lines import line_guesses
from surveys.imports.pasted_text import read_paste

Facts = Mapping[int, Mapping[str, float]]
"""Value of each fact, by line."""
_PENALTY: Final = 3.0
"""Strength of the penalty for large weights; the constant has none."""
_LEAST: Final = 10
"""Fewest misread and right cases that are fitted."""
_NEEDLESS: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
"""Shares of right cases that the printed limits doubt."""


@dataclass(kw_only=True)
class Cases:
    """Facts about questions or lines, whether each was misread, and its file, text and line."""

    facts: list[Mapping[str, float]] = field(default_factory=list)
    misread: list[bool] = field(default_factory=list)
    places: list[tuple[int, int, int]] = field(default_factory=list)
    """The file, the text in it, and the line."""

    def add(self, facts: Mapping[str, float], *, is_misread: bool, place: tuple[int, int, int]) -> None:
        """Add a question or a line."""
        self.facts.append(facts)
        self.misread.append(is_misread)
        self.places.append(place)

    @property
    def names(self) -> list[str]:
        """The names of the facts; the first is empty, the constant."""
        return [*self.facts[0]]

    def table(self) -> np.ndarray:
        """Return the facts, a row for each case."""
        return np.array([[float(own[name]) for name in self.names] for own in self.facts])

    def weights(self) -> np.ndarray:
        """Return the weights that fit all cases.

        Examples
        --------
        >>> cases = Cases()
        >>> for sign, wrong in [(1, True), (1, True), (1, False), (0, False), (0, False), (0, True)] * 50:
        ...     cases.add({"": 1, "sign": sign}, is_misread=wrong, place=(0, 0, 0))
        >>> [round(float(weight), 1) for weight in cases.weights()]
        [-0.6, 1.2]
        """
        return logistic_weights(self.table(), np.array(self.misread), _PENALTY)

    def predicted(self) -> np.ndarray:
        """Return the doubt about each case by weights that were fitted to the other files."""
        table, misread = self.table(), np.array(self.misread)
        files = np.array([file for file, _text, _line in self.places])
        found = np.zeros(len(table))
        for own in {*files.tolist()}:
            others = files != own
            found[~others] = table[~others] @ logistic_weights(table[others], misread[others], _PENALTY)
        return found


@dataclass(kw_only=True)
class Readings:
    """The cases of several files, and the results of their texts."""

    questions: Cases = field(default_factory=Cases)
    others: Cases = field(default_factory=Cases)
    results: dict[tuple[int, int], tuple[Result, list[Note]]] = field(default_factory=dict)
    """By file and text: its reading, and the points of the report that are not doubts."""

    def add(self, shapes: Sequence[Shape], file: int = 0) -> None:
        """Read the texts of a file; leave out questions and lines that the report asks about anyway."""
        for text, shape in enumerate(shapes):
            reading, asked, lines = _weighed(shape.text)
            result = result_of(shape, reading)
            if not reading.questions:
                # The report says that it found none.
                continue
            # Notes on who is asked depend on no weight.
            notes = [note for note in reading.notes if note.remedy != str(misreadings.CORRECT)]
            self.results[file, text] = (result, notes)
            wrong = [each for each in result.deviations if not each.what.startswith("levels")]
            for line, own in asked.items():
                is_misread = any(line in each.lines for each in wrong)
                self.questions.add(own, is_misread=is_misread, place=(file, text, line))
            for line, own in lines.items():
                near = [each for each in wrong if line in each.lines]
                if not near or _is_missing(line, near):
                    self.others.add(own, is_misread=bool(near), place=(file, text, line))

    def silent(
        self, doubt: np.ndarray, doubt_of_lines: np.ndarray, limit: float, limit_of_lines: float
    ) -> float:
        """Return the share of texts with a misreading that neither limit reveals."""
        noted = {key: {*()} for key in self.results}
        for cases, own, least in (
            (self.questions, doubt, limit),
            (self.others, doubt_of_lines, limit_of_lines),
        ):
            for (file, text, line), value, facts in zip(cases.places, own, cases.facts, strict=True):
                if value >= least or facts.get("clear sign"):
                    noted[file, text].add(line)
        n_silent = 0
        for key, (result, notes) in self.results.items():
            lines = noted[key] | {
                note.line for note in notes if note.effect in (UNCERTAIN, UNCLEAR, WRONG, LOST)
            }
            n_silent += any(
                not any(line in each.lines for line in lines)
                for each in result.deviations
                if not each.what.startswith("levels")
            )
        return n_silent / max(1, len(self.results))


def _weighed(text: str) -> tuple[Questionnaire, Facts, Facts]:
    """Return the reading of a text, and the facts about its questions and other lines."""
    asked: dict[int, Mapping[str, float]] = {}
    lines: dict[int, Mapping[str, float]] = {}
    settled: set[int] = set()

    def facts_of(survey: Questionnaire, *arguments: Any, **options: Any) -> list[dict[str, float]]:
        found = doubts.facts_of(survey, *arguments, **options)
        asked.update((each.line, own) for each, own in zip(survey.questions, found, strict=True))
        settled.update(each.line for each in survey.notes if each.effect in (UNCLEAR, WRONG, LOST))
        return found

    def facts_of_lines(*arguments: Any) -> dict[int, dict[str, float]]:
        found = doubts.facts_of_lines(*arguments)
        lines.update(found)
        return found

    with mock.patch.multiple(misreadings, facts_of=facts_of, facts_of_lines=facts_of_lines):
        reading = read_paste(text)
    for line in settled:
        asked.pop(line, None)
        lines.pop(line, None)
    return reading, asked, lines


def _is_missing(line: int, near: Sequence[Deviation]) -> bool:
    """Whether a line holds a question that was not read."""
    return any(each.what.startswith("missing") and each.lines.start == line for each in near)


def read_files(files: Sequence[Sequence[Shape]]) -> Readings:
    """Return the readings of files, each with guesses by the weights of the others."""
    lines, readings = Lines(files), Readings()
    for place, shapes in enumerate(files):
        weights = lines.weights(place)
        with mock.patch.object(line_guesses, "fitted_weights", return_value=weights):
            readings.add(shapes, place)
    return readings


def _report(title: str, cases: Cases) -> list[str]:
    misread = np.array(cases.misread, bool)
    if min(misread.sum(), (~misread).sum()) < _LEAST:
        raise ValueError(
            f"{title}: {misread.sum()} misread and {(~misread).sum()} right; "
            f"fitting needs at least {_LEAST} of each, so give more texts"
        )
    weights, doubt = cases.weights(), cases.predicted()
    rows = [f"{title}: {misread.sum()} misread, {(~misread).sum()} right"]
    rows += [f'    "{name}": {weight:.2f},' for name, weight in zip(cases.names, weights, strict=True)]
    for share in _NEEDLESS:
        limit = np.quantile(doubt[~misread], 1 - share)
        needless, silent = (doubt[~misread] >= limit).mean(), (doubt[misread] < limit).mean()
        rows.append(
            f"  limit {limit:5.1f}: {silent:4.0%} of misread silent, {needless:4.0%} of right doubted"
        )
    return rows


def _report_on_texts(readings: Readings) -> list[str]:
    doubt, doubt_of_lines = readings.questions.predicted(), readings.others.predicted()
    right, others = (doubt[~np.array(readings.questions.misread)], doubt_of_lines)
    return [f"{len(readings.results)} texts"] + [
        f"  limits {limit:.1f} and {limit_of_lines:.1f}: "
        f"{readings.silent(doubt, doubt_of_lines, limit, limit_of_lines):.1%} of texts silent, "
        f"{(right >= limit).mean():.0%} of right questions doubted, "
        f"{(others >= limit_of_lines).mean():.0%} of lines"
        for limit in (-1.4, -1.8, -2.2, -2.6, -3.0, -3.2, -3.5)
        for limit_of_lines in (-2.0, -3.5)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print weights for questions and for other lines, and how well they hold for other texts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    try:
        files = [[*shapes_in(path)] for path in options.files]
        if len(files) < 2 or not all(files):
            raise ValueError("give at least two files of shapes: each is predicted from the others")
        readings = read_files(files)
        rows = [
            *_report("questions", readings.questions),
            *_report("other lines", readings.others),
            *_report_on_texts(readings),
        ]
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print("\n".join(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
