"""Fit the weights with which the reader of pasted texts doubts a question or a line.

    python -m benchmarks.doubts FILE.jsonl ... [--folds 10]

The files hold shapes, as `benchmarks.shapes` describes them: texts, and the questions that a person finds in
each. Use texts that the reader was not changed for. The script prints two sets of weights for
`surveys.imports.doubts`, of questions and of other lines. Below each it prints, for texts that a fit did not
use, the share of misreadings that a limit leaves silent, and of right ones that it doubts needlessly.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np
from scipy.optimize import minimize

from benchmarks.shapes import Deviation, Shape, result_of, shapes_in
from surveys.imports import doubts, misreadings
from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import LOST, UNCLEAR, WRONG, Questionnaire

Facts = Mapping[int, Mapping[str, float]]
"""By line, how much each fact holds."""
_PENALTY: Final = 3.0
"""Strength of the penalty for large weights; the constant has none."""
_LEAST: Final = 10
"""Fewest misread and right cases that are fitted."""
_NEEDLESS: Final = (0.05, 0.1, 0.2, 0.3, 0.4)
"""Shares of right cases that the printed limits doubt."""


@dataclass(kw_only=True)
class Cases:
    """What is weighed for questions or lines, whether each was misread, and in which text each is."""

    facts: list[Mapping[str, float]] = field(default_factory=list)
    misread: list[bool] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)

    def add(self, facts: Mapping[str, float], *, is_misread: bool, text: int) -> None:
        """Add a question or a line of a text."""
        self.facts.append(facts)
        self.misread.append(is_misread)
        self.texts.append(text)


def cases_of(shapes: Sequence[Shape]) -> tuple[Cases, Cases]:
    """Return the questions and the other lines of texts; left out is what the report asks about anyway."""
    questions, others = Cases(), Cases()
    for text, shape in enumerate(shapes):
        reading, asked, lines = _weighed(shape.text)
        wrong = [each for each in result_of(shape, reading).deviations if not each.what.startswith("levels")]
        for line, own in asked.items():
            questions.add(own, is_misread=any(line in each.lines for each in wrong), text=text)
        for line, own in lines.items():
            near = [each for each in wrong if line in each.lines]
            if not near or _is_missing(line, near):
                others.add(own, is_misread=bool(near), text=text)
    return questions, others


def _weighed(text: str) -> tuple[Questionnaire, Facts, Facts]:
    """Return the reading of a text, and what was weighed for its questions and for other lines."""
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


def fitted(cases: Cases, names: Sequence[str], chosen: Sequence[bool] | None = None) -> np.ndarray:
    """Return the weights of facts in a logistic regression, in the order of their names.

    Parameters
    ----------
    cases : Cases
    names : sequence of str
        The empty name is the constant.
    chosen : sequence of bool, optional
        Which cases to use; all by default.

    Examples
    --------
    >>> cases = Cases()
    >>> for sign, wrong in [(1, True), (1, True), (1, False), (0, False), (0, False), (0, True)] * 50:
    ...     cases.add({"": 1, "sign": sign}, is_misread=wrong, text=0)
    >>> [round(float(weight), 1) for weight in fitted(cases, ["", "sign"])]
    [-0.6, 1.2]
    """
    use = np.ones(len(cases.facts), bool) if chosen is None else np.array(chosen)
    table = _table(cases, names)[use]
    misread = np.array(cases.misread, float)[use]
    penalty = np.array([_PENALTY if name else 0 for name in names])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        doubt = table @ weights
        value = (np.logaddexp(0, doubt) - misread * doubt).sum() + (penalty * weights**2).sum() / 2
        return float(value), table.T @ (1 / (1 + np.exp(-doubt)) - misread) + penalty * weights

    return np.asarray(minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x)


def cross_validated(cases: Cases, names: Sequence[str], folds: int) -> np.ndarray:
    """Return the doubt about each case by weights that were fitted to the texts of other folds."""
    fold = np.array(cases.texts) % folds
    table = _table(cases, names)
    found = np.zeros(len(table))
    for own in range(folds):
        found[fold == own] = table[fold == own] @ fitted(cases, names, fold != own)
    return found


def _table(cases: Cases, names: Sequence[str]) -> np.ndarray:
    return np.array([[float(own[name]) for name in names] for own in cases.facts])


def _report(title: str, cases: Cases, folds: int) -> list[str]:
    misread = np.array(cases.misread, bool)
    if min(misread.sum(), (~misread).sum()) < _LEAST:
        raise ValueError(
            f"{title}: {misread.sum()} misread and {(~misread).sum()} right; "
            f"fitting needs at least {_LEAST} of each, so give more texts"
        )
    names = list(cases.facts[0])
    weights = fitted(cases, names)
    order = sorted(range(len(names)), key=lambda place: (names[place] != "", -abs(weights[place])))
    doubt = cross_validated(cases, names, folds)
    rows = [f"{title}: {misread.sum()} misread, {(~misread).sum()} right"]
    rows += [f'    "{names[place]}": {weights[place]:.1f},' for place in order]
    for share in _NEEDLESS:
        limit = np.quantile(doubt[~misread], 1 - share)
        needless, silent = (doubt[~misread] >= limit).mean(), (doubt[misread] < limit).mean()
        rows.append(
            f"  limit {limit:5.1f}: {silent:4.0%} of misread silent, {needless:4.0%} of right doubted"
        )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print weights for questions and for other lines, and how well they hold for other texts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument(
        "--folds", type=int, default=10, help="parts of the texts, each of which is predicted"
    )
    options = parser.parse_args(arguments)
    try:
        shapes = [shape for path in options.files for shape in shapes_in(path)]
        if not 2 <= options.folds <= len(shapes):
            raise ValueError(
                f"{len(shapes)} texts cannot be divided into {options.folds} folds; give at least 2 and "
                "at most as many as texts"
            )
        questions, others = cases_of(shapes)
        rows = [
            *_report("questions", questions, options.folds),
            *_report("other lines", others, options.folds),
        ]
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print("\n".join(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
