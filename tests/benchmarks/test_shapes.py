"""Shapes are right, flagged at the line, or silently wrong; each way of being wrong is found."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.shapes import lines_of, main, plain, result_of, shape_of
from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.questionnaire import UNCERTAIN, WRONG, Questionnaire
from surveys.imports.pasted_text import read_paste

TEXT = "Work\n1. Do you steal?\n2. How often?\n(0) Never\n(2) Daily\n3. How many hours? 0-24\n"
QUESTIONS: list[dict[str, Any]] = [
    {"text": "Do you steal?", "kind": "yes_no"},
    {"text": "How often?", "kind": "single", "options": ["Never", "Daily"], "points": [0, 2]},
    {"text": "How many hours?", "kind": ["number", "needs"], "low": 0, "high": 24},
]


def verdict(reading: Questionnaire, **more: Any) -> str:
    entry = {"name": "work", "text": TEXT, "questions": QUESTIONS} | more
    return result_of(shape_of(entry), reading).verdict


def changed(at: int, **members: Any) -> list[dict[str, Any]]:
    return [question | (members if place == at else {}) for place, question in enumerate(QUESTIONS)]


def test_a_shape_that_is_read_as_expected_is_right() -> None:
    assert verdict(read_paste(TEXT)) == "right"


@pytest.mark.parametrize("asked", ["If yes, how often?", "how often?", "Never"])
def test_an_author_may_write_a_condition_as_a_part_of_the_text(asked: str) -> None:
    text = "Work\n1. Do you steal?\n2. If yes, how often?\n- Never\n- Daily\n"
    questions = [QUESTIONS[0], QUESTIONS[1] | {"text": asked, "points": [], "options": ["Never", "Daily"]}]
    is_right = verdict(read_paste(text), text=text, questions=questions) == "right"
    assert is_right == (asked != "Never")


@pytest.mark.parametrize(
    "questions",
    [
        changed(0, kind="single", options=["Yes", "No"]),
        changed(0, conditional=True),
        changed(1, options=["Never", "Weekly"]),
        changed(1, options=["Never", "Daily", "More"]),
        changed(1, points=[0, 1]),
        changed(1, kind="several"),
        changed(2, high=23),
        changed(2, kind="text"),
        QUESTIONS[:2],
        [*QUESTIONS, {"text": "Work", "kind": "text"}],
    ],
)
def test_each_deviation_is_silent_unless_it_is_noted(questions: list[dict[str, Any]]) -> None:
    if len(questions) == 4:
        questions = [questions[3], *questions[:3]]
    assert verdict(read_paste(TEXT), questions=questions) == "silent"
    noted = read_paste(TEXT)
    for line in range(1, 7):
        noted.note(line, "something", "check it", effect=WRONG)
    assert verdict(noted, questions=questions) == "flagged"


def test_a_deviation_that_is_only_marked_is_neither_flagged_nor_silent() -> None:
    questions = changed(1, points=[0, 1])
    marked = read_paste(TEXT)
    marked.note(3, "less certain", "check it", effect=UNCERTAIN, cause=LESS_CERTAIN)
    result = result_of(shape_of({"name": "work", "text": TEXT, "questions": questions}), marked)
    assert (result.verdict, result.n_right, result.right_noted) == ("marked", 2, (0, 0, 0))
    marked.note(2, "less certain", "check it", effect=UNCERTAIN, cause=LESS_CERTAIN)
    marked.note(6, "possibly misread", "check it", effect=UNCERTAIN)
    result = result_of(shape_of({"name": "work", "text": TEXT, "questions": questions}), marked)
    assert result.right_noted == (1, 1, 1)


def test_notes_at_other_lines_or_about_the_title_flag_nothing() -> None:
    reading = read_paste(TEXT)
    reading.note(2, "another question", "", effect=UNCERTAIN)
    reading.note(4, "the survey has no title", "", effect=WRONG)
    reading.note(0, "its language", "", asks="language")
    assert verdict(reading, questions=changed(1, points=[0, 1])) == "silent"


def test_missing_levels_are_silent_unless_their_line_is_noted() -> None:
    scored = TEXT.replace("1. Do", "Score: 2 or more is high\n1. Do")
    assert verdict(read_paste(TEXT), starts=[2]) == "silent"
    reading = read_paste(scored)
    assert verdict(reading, text=scored, starts=[2]) in ("right", "flagged")


def test_a_rule_on_missing_answers_is_compared() -> None:
    scale = (
        "Work\n0 = never, 1 = often, 2 = daily\n"
        "1. I lie.\n2. I steal.\n3. I cheat.\nSum: 0-2 low, 3-6 high.\n"
    )
    items = ("I lie.", "I steal.", "I cheat.")
    answers = ["never", "often", "daily"]
    questions = [{"text": item, "kind": "single", "options": answers} for item in items]
    asked = {"text": scale, "questions": questions, "gaps": {"at_most": 1, "as": "mean"}}
    rule = "With one missing answer, use the mean of the others; with more, give no total."
    assert verdict(read_paste(scale + rule), **asked) == "right"
    assert verdict(read_paste(scale), **asked) == "silent"
    assert verdict(read_paste(f"{scale}A missing answer counts 7."), **asked) == "flagged"
    # How missing answers count does not matter if none may be missing.
    none = {**asked, "gaps": {"at_most": 0, "as": "no_points"}}
    assert verdict(read_paste(f"{scale}Give no total if an answer is missing."), **none) == "right"


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "n", "text": "x"},
        {"name": "n", "text": "x", "questions": [], "gaps": "one"},
        {"name": "n", "text": "x", "questions": [], "gaps": {"at_most": 1, "as": 0}},
        {"name": "n", "text": "x", "questions": [], "gaps": {"at_most": "1", "as": "mean"}},
        {"name": "n", "text": "x", "questions": [], "gaps": {"as": "mean"}},
        {"name": "n", "text": "x", "questions": [], "more": 1},
        {"name": "n", "text": "x", "questions": [{"text": "x", "kind": "rating"}]},
        {"name": "n", "text": "x", "questions": [{"text": "y", "kind": "text"}]},
        [1, 2],
        {"name": "n", "text": "x", "questions": "x"},
        {"name": "n", "text": "x", "questions": ["x"]},
    ],
)
def test_a_malformed_shape_is_refused_with_its_line(
    entry: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("\n" + json.dumps(entry), encoding="utf-8")
    with pytest.raises(SystemExit):
        main([str(path)])
    assert "line 2" in capsys.readouterr().err


def test_refusals_name_each_problem_and_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.jsonl"
    for content, said in (
        (
            b'{"text": 5, "questions": "x"}',
            'name is missing; text must be a text, not 5; questions must be a list, not "x"',
        ),
        (b"root:x:0", "set.jsonl, line 1 is not a JSON object: Expecting value"),
        (b"\xd0\x00", "set.jsonl is not a text in UTF-8"),
    ):
        path.write_bytes(content)
        with pytest.raises(SystemExit):
            main([str(path)])
        message = capsys.readouterr().err
        assert said in message
        assert message.count("line 1") <= 1


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            {"kind": "rating"},
            'kind is "rating"; write yes_no, single, several, number, text or needs, or a list',
        ),
        ({"kind": ["single", "rating", 5]}, 'n, question 1: kind is "rating", 5; write yes_no,'),
        ({"kind": []}, "kind is empty; write yes_no,"),
        ({"kind": 5}, "kind must be a text or a list, not 5"),
        ({}, "kind is missing"),
        ({"kind": "text", "text": None}, "text must be a text, not null"),
        ({"kind": "text", "points": 3}, "points must be a list, not 3"),
        ({"kind": "number", "low": "zero"}, 'low must be a whole number, not "zero"'),
        ({"kind": "text", "conditional": "no"}, 'conditional must be true or false, not "no"'),
        (
            {"kind": "text", "option": []},
            'unknown: "option"; write text, kind, options, points, low, high or',
        ),
    ],
)
def test_a_malformed_question_is_refused_in_words(question: dict[str, Any], said: str) -> None:
    """It used to print lists and tuples of Python."""
    with pytest.raises(ValueError, match="n, question 1: ") as refused:
        shape_of({"name": "n", "text": "x", "questions": [{"text": "x"} | question]})
    message = str(refused.value)
    assert said in message
    assert not re.search(r"[\[(]'|None|True|False", message)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00"], ids=["missing", "empty", "binary"])
def test_files_without_shapes_are_refused_without_a_traceback(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SystemExit):
        main([str(path)])
    assert capsys.readouterr().err.count("error: ") == 1


def test_in_a_shape_without_questions_each_question_is_a_deviation() -> None:
    assert verdict(read_paste("Work"), text="Work", questions=[]) == "right"
    assert verdict(read_paste(TEXT), questions=[]) == "silent"


def test_the_report_counts_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.jsonl"
    entries = [
        {"name": "good", "text": TEXT, "questions": QUESTIONS},
        {"name": "bad", "text": TEXT, "questions": changed(1, points=[0, 1])},
    ]
    path.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    assert main([str(path), "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("set.jsonl: 2 shapes, {'right': 1, 'flagged': 0, 'marked': 0, 'silent': 1}")
    assert lines[1:] == ["  silent: bad", "    SILENT points of How often?: [0, 2]"]
    assert main([str(path), "--json"]) == 0
    (counts,) = json.loads(capsys.readouterr().out)
    assert (counts["right"], counts["silent"]) == (1, 1)


@pytest.mark.parametrize(
    ("text", "question", "first"),
    [
        ("Work\n1.  Did you work,\n    even for an hour?\nYes\nNo", "Did you work, even for an hour?", 2),
        ("1. Does your employ-\nment end?\nYes\nNo", "Does your employment end?", 1),
        ("1、您是否\n工作？\n是\n否", "您是否工作？", 1),
    ],
    ids=["comma", "hyphen", "Chinese"],
)
def test_a_question_may_be_wrapped_anywhere(text: str, question: str, first: int) -> None:
    shape = shape_of({"name": "one", "text": text, "questions": [{"text": question, "kind": "yes_no"}]})
    assert [lines.start for lines in lines_of(shape) if lines] == [first]


def test_a_question_that_does_not_occur_is_refused() -> None:
    with pytest.raises(ValueError, match="“Do you drink\\?” does not occur"):
        shape_of({"name": "one", "text": TEXT, "questions": [{"text": "Do you drink?", "kind": "yes_no"}]})


def test_a_sign_between_two_languages_does_not_matter() -> None:
    assert plain("How? | Wie?") == plain("How? Wie?")
