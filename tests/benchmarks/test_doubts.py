"""The weights of doubts are fitted to texts whose questions are known."""

import json
from pathlib import Path

import pytest

from benchmarks.doubts import Cases, cases_of, cross_validated, fitted, main
from benchmarks.shapes import shape_of

TEXT = "Work\n1. Do you smoke?\n2. How often?\n- Never\n- Often"


def some_cases(n: int) -> Cases:
    cases = Cases()
    for text in range(n):
        cases.add({"": 1, "sign": text % 2}, is_misread=text % 10 in (0, 1, 3, 5), text=text)
    return cases


def test_a_fact_of_misread_questions_has_a_positive_weight_and_predicts_other_texts() -> None:
    cases = some_cases(200)
    assert fitted(cases, ["", "sign"])[1] > 1
    doubt = cross_validated(cases, ["", "sign"], folds=5)
    assert doubt[1::2].min() > doubt[::2].max()


def test_questions_are_labelled_by_what_a_person_finds() -> None:
    smoke, often = {"text": "Do you smoke?", "kind": "yes_no"}, {"text": "How often?", "kind": "number"}
    shape = shape_of({"name": "one", "text": TEXT, "questions": [smoke, often]})
    questions, others = cases_of([shape])
    assert questions.misread == [False, True]
    assert not any(others.misread)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{}", "needs name, text, questions"),
        ("", "0 texts cannot be divided into 2 folds"),
        (json.dumps({"name": "one", "text": TEXT, "questions": []}), "1 texts cannot be divided"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    content: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit):
        main([str(path), "--folds", "2"])
    assert sentence in capsys.readouterr().err
