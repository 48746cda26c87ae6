"""A rule may name the answers that score, with their points and items, in any order."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.named_answers import labelled, points_by_name, yes_and_no
from surveys.imports.scores.reversals import POINTS_UNREAD

TWO = [[1, 0], [0, 1], [1, 0], [0, 1]]
VERBS = ("cook", "sing", "rest", "walk")


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        ("Score: 1 point for “true” on 1 and 3 and for “false” on 2 and 4.", TWO),
        ("Items 1 and 3: one point for true; items 2 and 4: one point for false.", TWO),
        ("Score one point for every “false” on 2 and 4, and one point for every “true” on 1 and 3.", TWO),
        ("Each “true” counts 1 point, but on items 2 and 4 “false” counts 1 point.", TWO),
        ("Scoring: T for items 1, 3; F for items 2, 4.", TWO),
        ("Score 2 points for “true” on 1, 3 and 2 points for “false” on 2, 4.", [[2, 0], [0, 2]] * 2),
        ("Score one point for every “true”.", [[1, 0]] * 4),
    ],
)
def test_two_answers_score_in_the_items_that_a_rule_lists(rule: str, points: list[list[int]]) -> None:
    items = "\n".join(f"{n}. I {verb}.\n[ ] true  [ ] false" for n, verb in enumerate(VERBS, 1))
    survey = read_paste(f"Home\n\n{items}\n\n{rule}\n0-1 points: low, 2-8 points: high")
    assert [points_of(each) for each in survey.questions] == points


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        ("Each “often” is 2 points and each “sometimes” 1 point.", [0, 1, 2]),
        ("“Sometimes” or “often” counts 1 point.", [0, 1, 1]),
        ("Give 3 points for every often, 1 point for every sometimes and nothing for never.", [0, 1, 3]),
        ("An answer of “often” counts 2 points. All other answers count 0.", [0, 0, 2]),
    ],
)
def test_one_of_several_answers_may_score_alone(rule: str, points: list[int]) -> None:
    items = "\n".join(
        f"{n}. I {verb}.\n[ ] never  [ ] sometimes  [ ] often" for n, verb in enumerate(VERBS, 1)
    )
    survey = read_paste(f"Home\n\n{items}\n\nScoring: {rule}\n0-2 points: low; 3-12 points: high")
    assert [points_of(each) for each in survey.questions] == [points] * 4


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        ("3 points for every A, 1 point for every B and nothing for a C.", (3, 1, 0)),
        ("Je 2 Punkte für „A“, je 1 Punkt für „B“.", (2, 1, 0)),
        ("选A计2分，选B计1分，选C不计分", (2, 1, 0)),
        ("4-8 points: A tug of war. Try it.", None),
        ("A counts 1 point and 2 points.", None),
        ("A counts 1 point. A counts 2 points.", None),
    ],
)
def test_letters_have_points(rule: str, points: tuple[int, ...] | None) -> None:
    assert points_by_name(rule, labelled("abc"), 3, [1]).get(1) == points


@pytest.mark.parametrize(
    ("rule", "on_no"),
    [
        ("1 punto per ogni SI; per le domande 2 e 5 si assegna 1 punto per il NO e 0 per il SI", {2, 5}),
        ("Yes counts 1, on 4 no counts 1.", {4}),
        ("Für jedes Ja gibt es 1 Punkt, bei 2 und 5 gibt es den Punkt für „Nein“.", {2, 5}),
        ("Für jedes „Ja“ 1 Punkt, bei den Fragen 02 und 05 für jedes „Nein“ 1 Punkt.", {2, 5}),
        ("1 point for each yes; in question 2 for each no", {2}),
        ("Für jedes Ja gibt es 1 Punkt, bei Frage 3 für jedes Nein.", {3}),
        ("1 punto per ogni SI; per la domanda 2 si assegna 1 punto per il NO. Da 0 a 1: bene.", {2}),
        ("每个“是”计1分。第2、5题则是“否”计1分。", {2, 5}),
        ("sim = 1, não = 0, menos na 3 e na 5, em que sim = 0 e não = 1", {3, 5}),
        ("答“是”得1分，答“否”得0分（第3题和第5题除外，答“否”得1分，答“是”得0分）", {3, 5}),
        ("第3、5题答“否”得1分，其余各题答“是”得1分。总分达到2分及以上者，请咨询。", {3, 5}),
        ("sì = 1 punto, no = 0 punti, tranne le domande 3 e 5 dove sì = 0 e no = 1. Si fa la somma.", {3, 5}),
        (
            "Für jedes „Ja“ 1 Punkt, für jedes „Nein“ keinen. Bei 2 und 5 zählt „Nein“ 1 und „Ja“ null.",
            {2, 5},
        ),
        (
            "cada SÍ suma 1 punto y cada NO, 0 puntos, salvo en la 3: el NO suma 1 y el SÍ no suma nada",
            {3},
        ),
        ("Sí vale 1 punto y No vale 0. En la 1 y la 4 al revés: No vale 1 y Sí vale 0.", {1, 4}),
        ("«да» на вопросы 1, 3, 4 и «нет» на вопросы 2, 5 — по 1 баллу, за остальные ответы — 0", {2, 5}),
        ("1 point for yes on 1, 2, 4 and for no on 3 and 5, otherwise 0", {3, 5}),
    ],
)
def test_no_scores_in_some_items(rule: str, on_no: set[int]) -> None:
    points = points_by_name(rule, yes_and_no, 2, range(1, 6))
    assert points == {item: (1, 0) if item in on_no else (0, 1) for item in range(1, 6)}


@pytest.mark.parametrize(
    "rule",
    [
        "Yes counts 1 and no counts 1.",
        "Yes counts 1 on item 2, on item 2 yes counts 2.",
        "1 point for yes on 1, 2 and for no on 3.",
        "1 point for yes on items 1 to 9.",
    ],
)
def test_rules_that_contradict_themselves_or_lack_items_give_no_points(rule: str) -> None:
    assert points_by_name(rule, yes_and_no, 2, range(1, 6)) == {}


@pytest.mark.parametrize(
    "rule",
    [
        "From never = 1 point to often = 4 points.",
        "Never counts 0, sometimes 1, always 2 points.",
        "“Often” counts 1 point on item 9.",
    ],
)
def test_rules_that_do_not_fit_the_answers_give_no_points(rule: str) -> None:
    items = "\n".join(
        f"{n}. I {verb}.\n[ ] never  [ ] sometimes  [ ] often" for n, verb in enumerate(VERBS, 1)
    )
    survey = read_paste(f"Home\n\n{items}\n\nScoring: {rule}\n0-2 points: low; 3-12 points: high")
    assert not survey.scores


@pytest.mark.parametrize("part", ["{0} yes", "yes {0}", "on {0} yes = 1;", "yes = 1 on {0}, no = 0."])
@pytest.mark.parametrize("count", [20, 60, 2000])
def test_the_ways_to_read_a_rule_are_few_however_long_it_is(part: str, count: int) -> None:
    """Before, they doubled with each answer."""
    rule = ", ".join(map(part.format, range(1, count + 1)))
    points = points_by_name(rule, yes_and_no, 2, range(1, count + 1))
    assert points in ({}, dict.fromkeys(range(1, count + 1), (0, 1)))


def test_each_answer_scores_in_its_items_on_lines_of_their_own() -> None:
    """Before, the first answer of a line was taken for that of the line above."""
    items = "\n".join(f"{n}. Do you {verb}?  Y / N" for n, verb in enumerate(VERBS, 1))
    rule = "Questions 1 and 3: one point for each No.\nQuestions 2 and 4: one point for each Yes."
    survey = read_paste(f"Home\n\n{items}\n\nScoring\n{rule}\nA total of 3 or more: high")
    assert [points_of(each) for each in survey.questions] == [[1, 0], [0, 1]] * 2


def test_points_that_differ_for_items_in_words_are_asked_about() -> None:
    """Before, the first statement held for all items without a note."""
    items = "\n".join(f"{n}. Do you {verb}? Yes / No" for n, verb in enumerate(VERBS, 1))
    rule = "Yes is 1 point, no is 0 points. But on cooking, no is 1 point and yes 0."
    survey = read_paste(f"Home\n\n{items}\n\nScoring: {rule}\nA total of 3 or more: high")
    assert any(note.cause == POINTS_UNREAD for note in survey.notes)
