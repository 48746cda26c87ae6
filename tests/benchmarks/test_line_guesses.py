"""The weights of guesses are fitted to texts whose questions are known."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.line_guesses import Lines, logistic_weights, main, questions_and_answers
from benchmarks.shapes import shape_of
from surveys.imports.lines.line_guesses import guesses_of

TEXT = "Work\n1. Do you smoke?\n2. How often?\n- Never\n- Often"
ENTRY = {
    "name": "one",
    "text": TEXT,
    "questions": [
        {"text": "Do you smoke?", "kind": "yes_no"},
        {"text": "How often?", "kind": "single", "options": ["Never", "Often"]},
    ],
}


def test_a_person_marks_questions_and_answers() -> None:
    assert questions_and_answers(shape_of(ENTRY)) == ({2, 3}, {4, 5})


def test_a_fact_that_is_more_frequent_among_cases_has_a_positive_weight() -> None:
    table = np.array([[1, place % 2] for place in range(100)])
    holds = np.array([place % 10 in (0, 1, 3, 5) for place in range(100)])
    assert logistic_weights(table, holds, 1.0)[1] > 0.5


def test_weights_of_the_other_files_guess_a_file() -> None:
    shapes = [shape_of(ENTRY)] * 20
    lines = Lines([shapes, shapes])
    assert lines.right(lines.weights(without=1), 1) == [1, 1]
    guesses = guesses_of(TEXT.split("\n"), lines.weights())
    assert [number for number, guess in guesses.items() if guess.question > 0] == [2, 3]


def test_each_file_is_printed_and_one_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        path.write_text(json.dumps(ENTRY), encoding="utf-8")
    assert main([*map(str, paths)]) == 0
    assert capsys.readouterr().out.startswith("a.jsonl: ")
    with pytest.raises(SystemExit):
        main([str(paths[0])])
    assert "give at least two files" in capsys.readouterr().err
