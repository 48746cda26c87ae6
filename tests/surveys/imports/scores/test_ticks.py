"""Each tick in a list scores points if a rule says so, or if its levels fit the number of answers."""

import pytest

from surveys.imports.corrections.score_choices import Correction, correct
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import SEVERAL, Questionnaire, points_of
from surveys.imports.drafts.score_items import parts_of, write_points
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.proposals import hindrance, use_score
from surveys.questionnaire.definition import definition_read

ITEMS = ("I was woken twice", "I skipped a meal", "I shouted at her", "I cried alone")


def read(
    rule: str, *, above: str = "Which happened? Tick all that apply.", mark: str = "☐ "
) -> Questionnaire:
    rows = "\n".join(f"{mark}{item}" for item in ITEMS)
    return read_paste(f"Carers\n\n{above}\n{rows}\n\n{rule}")


def starts(survey: Questionnaire) -> list[list[int]]:
    return [[start for start, _label in score.levels if start is not None] for score in survey.scores]


@pytest.mark.parametrize(
    "rule",
    [
        "Each tick is one point.\n0-1 light\n2-4 heavy",
        "Score one point for every box ticked. 0-1 light; 2-4 heavy",
        "Jedes Kreuz zählt einen Punkt. 0–1: leicht; 2–4: schwer",
        "Un point par case cochée.\n0 à 1 point : léger\n2 à 4 points : lourd",
        "Cada casilla marcada vale 1 punto.\n0-1 leve\n2-4 grave",
        "Conte 1 ponto para cada item marcado.\n0-1: leve\n2-4: grave",
        "每勾选一项得1分。\n0-1分：轻度\n2-4分：重度",
        "За каждую отметку 1 балл.\n0–1 балл: норма\n2–4 балла: риск",
        "Two or more ticks: see your doctor.",
        "Deux croix ou plus : parlez-en.",
        "Score: 0-1 light, 2-4 heavy",
    ],
)
@pytest.mark.parametrize("mark", ["☐ ", "[ ] ", "( ) ", "- [ ] "])
def test_each_tick_scores_a_point(rule: str, mark: str) -> None:
    survey = read(rule, mark=mark)
    assert [question.kind for question in survey.questions] == [SEVERAL]
    assert points_of(survey.questions[0]) == [1, 1, 1, 1]
    assert starts(survey) == [[2]]


def test_levels_for_another_number_of_answers_add_up_nothing() -> None:
    survey = read("Score: 0-4 light, 5-9 heavy")
    assert points_of(survey.questions[0]) == [0, 0, 0, 0]
    assert not survey.scores
    assert any("cannot be computed" in note.message for note in survey.notes)


def test_none_of_these_scores_nothing() -> None:
    survey = read_paste(
        "Nights\n\nWhich apply? (tick all that apply)\n☐ I sleep badly\n☐ I drive tired\n☐ I take pills\n"
        "☐ None of these\n\nOne point per tick. 2 or more points: see a doctor."
    )
    assert points_of(survey.questions[0]) == [1, 1, 1, 0]
    assert starts(survey) == [[2]]


def test_points_in_brackets_are_those_of_ticks_if_levels_fit_their_sum() -> None:
    survey = read_paste(
        "Risk\n\nTick what you observed:\n[ ] No papers (2 points)\n[ ] Bruises (1 point)\n"
        "[ ] Afraid to speak (1 point)\n\nAdd up the points. 0-1 no action, 2-4 call"
    )
    assert survey.questions[0].kind == SEVERAL
    assert points_of(survey.questions[0]) == [2, 1, 1]
    assert starts(survey) == [[2]]


def test_ticks_and_yes_are_added_up_together() -> None:
    survey = read_paste(
        "Gambling\n1. Have you lied? yes / no\n2. Where from? Tick all that apply.\n[ ] loans\n[ ] family\n"
        "[ ] something I sold\n3. Do you feel ill? yes / no\n\n"
        "One point for each yes and for each tick. 3 points or more: refer."
    )
    (score,) = survey.scores
    assert len(score.questions) == 3
    assert "5 questions (0 to 5)" in next(note.message for note in survey.notes if note.asks == "score")


def test_a_scale_with_boxes_keeps_one_answer() -> None:
    rows = "\n".join(f"{n}. {item}: □ never □ rarely □ often" for n, item in enumerate(ITEMS, start=1))
    survey = read_paste(f"Scale\n{rows}\n\nEach tick below “often” counts one point.")
    assert {question.kind for question in survey.questions} == {"single"}


def test_the_draft_adds_up_the_lines_of_a_list() -> None:
    survey = read("Each tick is one point.\n0-1 light\n2-4 heavy")
    (score,) = survey.scores
    assert hindrance(survey, score) == ""
    use_score(survey, score.line, is_used=True)
    document = draft_of(survey)
    (composite,) = (each for block in document["blocks"] for each in block["questions"] if "computed" in each)
    rule = composite["computed"]
    assert [each["points"] for each in rule["components"]] == [[0, 1]] * 4
    assert rule["missing"]["as"] == "no_points"
    definition_read(document)


def test_the_points_of_a_tick_can_be_corrected() -> None:
    survey = read("Each tick is one point.\n0-1 light\n2-4 heavy")
    (score,) = survey.scores
    items = parts_of(survey, score).items
    assert [item.name for item in items] == [f"{survey.questions[0].line}.{n}" for n in (1, 2, 3, 4)]
    write_points(survey, score, items[1], [0, 3])
    assert points_of(survey.questions[0]) == [1, 3, 1, 1]


def test_an_answer_without_a_tick_scores_nothing() -> None:
    survey = read("Each tick is one point.\n0-1 light\n2-4 heavy")
    (score,) = survey.scores
    (own_set,) = parts_of(survey, score).sets
    assert not any(item.can_turn for item in parts_of(survey, score).items)
    (refusal,) = correct(survey, score, Correction(points={own_set.name: ["1", "0"]}))
    assert refusal.message == "An answer that is not ticked scores nothing. Write 0."
    assert not correct(survey, score, Correction(points={own_set.name: ["0", "2"]}))
    assert points_of(survey.questions[0]) == [2, 2, 2, 2]


def test_ticks_and_yes_have_points_of_their_own() -> None:
    survey = read_paste(
        "Gambling\n1. Have you lied? yes / no\n2. Where from? Tick all that apply.\n[ ] loans\n[ ] family\n"
        "[ ] sold things\n3. Do you feel ill? yes / no\n\n"
        "One point for each yes and for each tick. 3 points or more: refer."
    )
    assert [each.are_ticks for each in parts_of(survey, survey.scores[0]).sets] == [False, True]
