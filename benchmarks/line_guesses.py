"""Fit the weights with which the reader of pasted texts guesses which lines are questions and answers.

    python -m benchmarks.line_guesses FILE.jsonl ... [--write]

The files hold shapes, as `benchmarks.shapes` describes them. The script prints how often the guesses are
right about the lines of a file that a fit did not use. With ``--write`` it writes the weights of all files
to `surveys/imports/lines/line_guesses.tsv`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import minimize

from benchmarks.shapes import Shape, lines_of, plain, shapes_in
from surveys.imports.lines import line_guesses
from surveys.imports.lines.line_guesses import Weights, facts_of_texts
from surveys.imports.words.marks import mark_of

_PENALTY: Final = 1.0
_HEADER: Final = (
    "# Weights of facts about a line: for a question, for one answer. Made by benchmarks.line_guesses."
)


def logistic_weights(table: np.ndarray, holds: np.ndarray, penalty: float) -> np.ndarray:
    """Return the weights of a logistic regression whose first column is the constant, without a penalty.

    Parameters
    ----------
    table : array
        A row for each case.
    holds : array of bool
        Whether the outcome to predict is true.
    penalty : float
        Strength of the penalty for large weights.
    """
    penalties = np.full(table.shape[1], penalty)
    penalties[0] = 0
    wanted = holds.astype(float)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        sums = table @ weights
        value = (np.logaddexp(0, sums) - wanted * sums).sum() + (penalties * weights**2).sum() / 2
        return float(value), table.T @ (1 / (1 + np.exp(-sums)) - wanted) + penalties * weights

    return np.asarray(minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B").x)


def questions_and_answers(shape: Shape) -> tuple[set[int], set[int]]:
    """Return the lines on which a person finds the beginning of a question, and those with one answer."""
    texts = shape.text.split("\n")
    asked, answers = set(), set()
    for question, lines in zip(shape.questions, lines_of(shape), strict=True):
        if lines is None:
            continue
        asked.add(lines.start)
        labels = {*map(plain, question.options)}
        for number in lines:
            text = " ".join(texts[number - 1].split())
            if labels & {plain(text), plain(mark_of(text)[1])}:
                answers.add(number)
    return asked, answers


class Lines:
    """The facts about the lines of several files, and the true kind of each line."""

    def __init__(self, files: Sequence[Sequence[Shape]]) -> None:
        rows: list[Mapping[str, float]] = []
        asked: list[bool] = []
        answers: list[bool] = []
        of_files: list[int] = []
        for place, shapes in enumerate(files):
            for shape in shapes:
                starts, labels = questions_and_answers(shape)
                for number, facts in facts_of_texts(shape.text.split("\n")).items():
                    rows.append(facts)
                    asked.append(number in starts)
                    answers.append(number in labels)
                    of_files.append(place)
        self.names = [*rows[0]] if rows else []
        self.table = np.array([[facts[name] for name in self.names] for facts in rows])
        self.holds = np.array([asked, answers])
        self.files = np.array(of_files)

    def weights(self, without: int = -1) -> Weights:
        """Return the weights that fit all files, or all but one."""
        use = self.files != without
        pair = [logistic_weights(self.table[use], holds[use], _PENALTY) for holds in self.holds]
        return {
            name: (float(question), float(answer))
            for name, question, answer in zip(self.names, *pair, strict=True)
        }

    def right(self, weights: Weights, place: int) -> list[float]:
        """Return the shares of lines of a file that are guessed right: as questions, and as answers."""
        use = self.files == place
        sums = self.table[use] @ np.array([weights[name] for name in self.names])
        return [float(((sums[:, at] > 0) == self.holds[at][use]).mean()) for at in (0, 1)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how often the guesses are right, for each file by the weights of the others."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="write the weights of all files")
    options = parser.parse_args(arguments)
    try:
        files = [[*shapes_in(path)] for path in options.files]
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if len(files) < 2 or not all(files):
        parser.error("give at least two files of shapes: each is guessed with the weights of the others")
    lines = Lines(files)
    for place, path in enumerate(options.files):
        question, answer = lines.right(lines.weights(place), place)
        print(f"{path.name}: {question:.1%} right about questions, {answer:.1%} about answers")
    if options.write:
        rows = [f"{name}\t{one:.2f}\t{two:.2f}" for name, (one, two) in lines.weights().items()]
        path = Path(line_guesses.__file__).with_suffix(".tsv")
        path.write_text("\n".join([_HEADER, *rows]) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
