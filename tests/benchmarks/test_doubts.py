"""The weights of doubts are fitted to texts whose questions are known."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.doubts import Cases, Readings, main
from benchmarks.shapes import shape_of

TEXT = "Work\n1. Do you smoke?\n2. How often?\n- Never\n- Often"
SMOKE, OFTEN = {"text": "Do you smoke?", "kind": "yes_no"}, {"text": "How often?", "kind": "number"}


def some_cases(n: int) -> Cases:
    cases = Cases()
    for text in range(n):
        cases.add(
            {"": 1, "sign": text % 2}, is_misread=text % 10 in (0, 1, 3, 5), place=(text * 5 // n, text, 1)
        )
    return cases


def test_a_fact_of_misread_questions_has_a_positive_weight_and_predicts_other_files() -> None:
    cases = some_cases(200)
    assert cases.weights()[1] > 1
    doubt = cases.predicted()
    assert doubt[1::2].min() > doubt[::2].max()


def test_questions_are_labelled_by_what_a_person_finds() -> None:
    readings = Readings()
    readings.add([shape_of({"name": "one", "text": TEXT, "questions": [SMOKE, OFTEN]})])
    assert readings.questions.misread == [False, True]
    assert not any(readings.others.misread)


def test_a_text_is_silent_unless_a_misread_question_reaches_the_limit() -> None:
    readings = Readings()
    readings.add([shape_of({"name": "one", "text": TEXT, "questions": [SMOKE, OFTEN]})])
    lines = np.full(len(readings.others.facts), -9.0)
    assert readings.silent(np.array([0.0, -3.0]), lines, -2, -2) == 1
    assert readings.silent(np.array([-3.0, 0.0]), lines, -2, -2) == 0


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{}", "name is missing; text is missing; questions is missing"),
        ("", "give at least two files of shapes"),
        (json.dumps({"name": "one", "text": TEXT, "questions": [SMOKE]}), "fitting needs at least 10"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    content: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit):
        main([str(path), str(path)])
    assert sentence in capsys.readouterr().err
