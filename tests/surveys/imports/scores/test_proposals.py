"""Points and levels come from the pasted text; what does not fit is noted, and never guessed."""

import re
from pathlib import Path

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import Questionnaire, points_of, text_of
from surveys.imports.pasted_text import read_paste
from surveys.imports.scores.proposals import use_score
from surveys.questionnaire.definition import definition_read

GAPS = re.compile(r"(\d+) (mean|no_points)")


def case(text: str) -> tuple[str, list[list[int]], list[int]]:
    pasted, _rule, below = text.strip().replace("⇥", "\t").rpartition("\n--\n")
    points, starts = below.split("\n")
    return (
        pasted,
        [list(map(int, own.split(","))) for own in points.split(" | ")],
        list(map(int, starts.split(","))),
    )


_HEAD, *_CASES = Path(__file__).parent.with_name("scales.txt").read_text(encoding="utf-8").split("\n\n## ")
SCALES = {name: case(text) for name, _break, text in (each.partition("\n") for each in _CASES)}

DRINKS = """Drinks
1. How often do you drink?
(0) Never
(1) Sometimes
(4) Often
2. How often do you drink alone?
(0) Never
(1) Sometimes
(4) Often
"""


_LAYOUTS_HEAD, *_LAYOUTS = (
    Path(__file__).parent.with_name("scales-layouts.txt").read_text(encoding="utf-8").split("\n\n## ")
)
LAYOUTS = dict(each.split("\n", 1) for each in _LAYOUTS)


def messages(text: str) -> list[str]:
    return [
        note.message for note in read_paste(text).notes if "score" in note.message or "item" in note.message
    ]


@pytest.mark.parametrize("name", SCALES)
def test_points_reversal_and_levels_of_pasted_scales_are_read(name: str) -> None:
    text, points, starts = SCALES[name]
    survey = read_paste(text)
    (score,) = survey.scores
    assert [points_of(each) for each in survey.questions if each.line in score.questions] == points
    assert [start for start, _label in score.levels] == [None, *starts]
    (note,) = [note for note in survey.notes if note.asks == "score"]
    assert note.remedy == "check the licence of this instrument"


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_of_scales_are_read_with_their_words_and_gaps(name: str) -> None:
    pasted, _rule, below = LAYOUTS[name].strip("\n").replace("⇥", "\t").rpartition("\n--\n")
    words, points, starts, *gaps = below.split("\n")
    survey = read_paste(pasted)
    (score,) = survey.scores
    assert [points_of(each) for each in survey.questions] == [
        list(map(int, own.split(","))) for own in points.split(" | ")
    ]
    assert [str(start) for start, _label in score.levels[1:]] == starts.split(",")
    for question in survey.questions:
        own = {next(iter(option.texts.values())) for option in question.options}
        assert (own and own <= set(words.split(","))) or (not own and question.kind == "yes_no")
    missing = [GAPS.fullmatch(each) for each in gaps]
    stated = [{"at_most": int(match[1]), "as": match[2]} for match in missing if match]
    assert [score.rule["missing"] for _each in stated] == stated
    # A line about the score is neither a question nor an answer, and no level is named by the next sentence.
    assert not any(note.effect in ("wrong", "lost") for note in survey.notes)
    assert all(len(label.split()) < 4 for _start, label in score.levels)
    use_score(survey, score.line, is_used=True)
    rule = next(each for block in draft_of(survey)["blocks"] for each in block["questions"])["computed"]
    assert [rule["missing"] for _each in stated] == stated


@pytest.mark.parametrize("name", SCALES)
def test_one_press_sends_the_level_alone(name: str) -> None:
    text, points, starts = SCALES[name]
    survey = read_paste(text)
    use_score(survey, survey.scores[0].line, is_used=True)
    document = draft_of(Questionnaire.from_json(survey.to_json()))
    assert definition_read(document, is_worded=False).definition is not None
    ((question,),) = [block["questions"] for block in document["blocks"]]
    rule = question["computed"]
    stated = [
        each.get("points") or [option["points"] for option in each["options"]] for each in rule["components"]
    ]
    assert stated == points
    assert [level.get("from") for level in rule["levels"]] == [None, *starts]
    assert rule["missing"]["as"] == ("no_points" if len(points[0]) == 2 else "mean")


def test_each_answer_is_sent_unless_the_score_is_used() -> None:
    survey = read_paste(DRINKS + "Score: 0-3 low, 4-8 high")
    assert [question["kind"] for block in draft_of(survey)["blocks"] for question in block["questions"]] == [
        "single",
        "single",
    ]


@pytest.mark.parametrize(
    ("scoring", "said"),
    [
        (
            "Score: 0-3 low, 4-9 high",
            "it states 0–9, but the points of the 2 questions above it add up to 0 to 8",
        ),
        ("Score: 1-3 low, 4-8 high", "add up to 0 to 8"),
        ("Score of 9 or more: high", "add up to 0 to 8"),
        ("Score of 0 or more: high", "add up to 0 to 8"),
        ("Score: see page 3", "is about the score, and is not an answer"),
        ("Item 7 is reversed.", "reverses item 7, but the scale has 2 items"),
    ],
)
def test_scoring_lines_that_do_not_fit_are_noted_and_never_answers(scoring: str, said: str) -> None:
    survey = read_paste(DRINKS + scoring)
    assert survey.scores == []
    assert [len(question.options) for question in survey.questions] == [3, 3]
    assert any(said in message for message in messages(DRINKS + scoring))


def test_answers_without_points_have_no_score() -> None:
    text = DRINKS.replace("(0) ", "- ").replace("(1) ", "- ").replace("(4) ", "- ")
    assert any(
        "fewer than two questions above it have answers with points" in message
        for message in messages(text + "Score: 3 or more is high")
    )


def test_an_item_that_is_marked_and_named_is_reversed_once() -> None:
    text = (
        DRINKS.replace("drink alone?", "drink water? (R)") + "Item 2 is reversed.\nScore: 0-3 low, 4-8 high"
    )
    survey = read_paste(text)
    assert [points_of(question) for question in survey.questions] == [[0, 1, 4], [4, 3, 0]]
    assert survey.questions[1].texts == {"en": "How often do you drink water?"}


def test_a_score_protects_its_questions() -> None:
    survey = read_paste(DRINKS.replace("alone?", "alone? [open]") + "Score: 0-3 low, 4-8 high")
    assert [question.is_protected for question in survey.questions] == [True, False]
    use_score(survey, survey.scores[0].line, is_used=True)
    assert [question.is_protected for question in survey.questions] == [True, True]


def test_each_scale_of_a_text_has_its_own_score() -> None:
    second = DRINKS.replace("Drinks\n1.", "3.").replace("2.", "4.").replace("drink", "smoke")
    survey = read_paste(DRINKS + "Score: 0-3 low, 4-8 high\n\n# Smoke\n" + second + "Cut-off: 5")
    assert [len(score.questions) for score in survey.scores] == [2, 2]
    assert survey.scores[1].levels == [(None, ""), (5, "")]


@pytest.mark.parametrize(
    ("how", "key"),
    [
        ("Answer “yes” or “no”.", "Key: 1 point for “yes” on 1, 3 and for “no” on 2, 4."),
        (
            "Отвечайте «да» или «нет».",
            "Ключ: ответ «да» на пункты 1, 3 – по 1 баллу; «нет» на пункты 2, 4 – по 1 баллу.",
        ),
        ("Answer “yes” or “no”.", "Key: 1 point for “yes” on 1, 3 and for\n“no” on 2, 4."),
        ("Antworten Sie mit „ja“ oder „nein“.", "Schlüssel: 1, 3: „ja“ = 1 Punkt; 2, 4: „nein“ = 1 Punkt."),
    ],
)
def test_a_key_says_for_which_items_no_counts(how: str, key: str) -> None:
    survey = read_paste(
        f"Test\n\n{how}\n\n1. Item a.\n2. Item b.\n3. Item c.\n4. Item d.\n\n{key}\n0-2 low; 3-4 high"
    )
    assert [points_of(each) for each in survey.questions] == [[0, 1], [1, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize("is_above", [True, False])
@pytest.mark.parametrize(
    ("how", "key"),
    [
        (
            "Answer “yes” or “no”.",
            "Yes counts 1 point, No counts 0 - except for item 4, where No counts 1.",
        ),
        ("Answer “yes” or “no”.", "Yes = 1, no = 0, but for item 4 it is the other way round."),
        (
            "Antworten Sie mit „ja“ oder „nein“.",
            "Ja zählt 1 Punkt, Nein 0 – außer bei Frage 4, dort zählt Nein 1.",
        ),
        ("Répondez par « oui » ou « non ».", "Oui = 1 point, non = 0, sauf pour la question 4 où non = 1."),
    ],
)
def test_a_key_may_name_only_the_items_that_count_otherwise(how: str, key: str, is_above: bool) -> None:
    above, below = (f"{key}\n", "") if is_above else ("", f"{key}\n")
    items = "1. Item a.\n2. Item b.\n3. Item c.\n4. Item d.\n"
    survey = read_paste(f"Test\n\n{how}\n{above}\n{items}\n{below}0-2 points: low\n3-4 points: high")
    assert [points_of(each) for each in survey.questions] == [[0, 1], [0, 1], [0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("how", "key"),
    [
        ("Answer “yes” or “no”.", "Key: 1 point for “yes” on 1, 2 and for “no” on 9."),
        ("Отвечайте «да» или «нет».", "Ключ: «да» на пункты 1, 2 – 1 балл; «нет» на пункты 2, 3 – 1 балл."),
    ],
)
def test_a_key_that_does_not_fit_is_noted(how: str, key: str) -> None:
    survey = read_paste(f"Test\n\n{how}\n\n1. Item a.\n2. Item b.\n3. Item c.\n\n{key}\n0-1 low; 2-3 high")
    assert any("which answers score points" in note.message for note in survey.notes)


def test_an_unclear_rule_about_missing_answers_is_noted_and_not_guessed() -> None:
    survey = read_paste(DRINKS + "Score: 0-3 low, 4-8 high\nMissing answers count as the mean or as 0.")
    (score,) = survey.scores
    assert "missing" not in score.rule
    (note,) = [note for note in survey.notes if "missing answers" in note.message]
    assert note.effect == "wrong"
    assert score.levels == [(None, "low"), (4, "high")]


def test_codes_that_are_points_of_a_score_are_not_noted_as_left_out() -> None:
    with_score = read_paste(DRINKS + "Score: 0-3 low, 4-8 high")
    assert not any("codes" in note.message for note in with_score.notes)
    assert any("codes" in note.message for note in read_paste(DRINKS).notes)


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        ("Items 2-3 are reversed.", [[0, 1], [1, 0], [1, 0], [0, 1]]),
        ("Items 1 through 3 are reversed.", [[1, 0], [1, 0], [1, 0], [0, 1]]),
        ("Items 1—3 are reversed.", [[1, 0], [1, 0], [1, 0], [0, 1]]),
        ("Add items 1 to 4, items 2 and 4 reversed.", [[0, 1], [1, 0], [0, 1], [1, 0]]),
        ("Items 2, 3, and 4 are reversed.", [[0, 1], [1, 0], [1, 0], [1, 0]]),
        ("Score: sum of all, item 3 is reversed", [[0, 1], [0, 1], [1, 0], [0, 1]]),
    ],
)
def test_numbers_of_other_clauses_reverse_nothing(rule: str, points: list[list[int]]) -> None:
    items = "".join(f"{number}. I {verb}\n" for number, verb in enumerate(("cook", "sing", "dig", "rest"), 1))
    survey = read_paste(
        f"Home\nAnswer each line (0 = never, 1 = often)\n\n{items}\n{rule}\n0-1 low; 2-4 high"
    )
    assert [points_of(question) for question in survey.questions] == points


def test_a_rule_adds_up_the_items_that_it_names() -> None:
    items = "".join(
        f"{number}. Are you {word}?\n(0) never\n(1) often\n" for number, word in enumerate("abcdef", 1)
    )
    survey = read_paste(f"Home\n{items}Score of items 3 to 6: 0-1 low, 2-4 high")
    (score,) = survey.scores
    assert score.questions == [question.line for question in survey.questions[2:]]


@pytest.mark.parametrize(
    "scale", ["no 0 - 1 - 2 - 3 - 4 - 5 - 6 - 7 - 8 - 9 - 10 yes", "0 |----------------| 100"]
)
def test_numbers_are_added_up_as_they_are(scale: str) -> None:
    items = "".join(
        f"{letter}. How much {word}?\n{scale}\n\n" for letter, word in (("a", "pain"), ("b", "fear"))
    )
    survey = read_paste(f"Pain\n\n{items}Sum of a-b. Under 4 = slight, 4 or more = severe.")
    (score,) = survey.scores
    assert score.levels == [(None, "slight"), (4, "severe")]
    use_score(survey, score.line, is_used=True)
    ((question,),) = [
        block["questions"] for block in draft_of(Questionnaire.from_json(survey.to_json()))["blocks"]
    ]
    bands = [each["bands"][-1] for each in question["computed"]["components"]]
    most = 100 if "100" in scale else 10
    assert bands == [{"from": most, "to": most, "points": most}] * 2


def test_every_number_of_a_rule_is_used_or_noted() -> None:
    scale = "Home\n0 = never, 1 = often, 2 = always\n\n1. I cook late.\n2. I sing well.\n3. I dig deep.\n\n"
    for rule in (
        "Item 3 has a weight of 4.",
        "The sum is then multiplied by 17.",
        "Items 1 and 2 form one group.",
    ):
        survey = read_paste(f"{scale}{rule} Score: 0-2 low, 3-6 high")
        assert any(rule in note.message for note in survey.notes)
    survey = read_paste(f"{scale}Sum of items 1-3, 0 to 6. Score: 0-2 low, 3-6 high")
    assert not any("not used" in note.message for note in survey.notes)


def test_subscales_may_mark_their_reversed_items() -> None:
    scale = "Home\n0 = never, 1 = often, 2 = always\n\n1. I cook.\n2. I sing.\n3. I dig.\n4. I rest.\n\n"
    rule = "Scoring\nWork: items 1, 3 (reversed), 4\nRest: items 2 (reversed), 3, 4"
    survey = read_paste(scale + rule)
    assert [points_of(question) for question in survey.questions] == [
        [0, 1, 2],
        [2, 1, 0],
        [2, 1, 0],
        [0, 1, 2],
    ]
    assert len(survey.questions) == 4


def test_a_key_makes_questions_yes_or_no_and_may_name_their_letters() -> None:
    items = "a) Do you hide bills or receipts?\nb) Do you lie?\nc) Are you calm?"
    survey = read_paste(f"Money\n\n{items}\n\nYes to a or b = 1 point. No to c = 1 point. Cut-off is 2.")
    assert [(question.kind, points_of(question)) for question in survey.questions] == [
        ("yes_no", [0, 1]),
        ("yes_no", [0, 1]),
        ("yes_no", [1, 0]),
    ]


def test_a_key_names_items_by_their_printed_numbers() -> None:
    """An item that is not read must not shift the numbers of the others."""
    text = (
        "Debts\n\n“Yes” scores 1 and “no” 0. On items 3 and 5 it is the other way round: “no” = 1, "
        "“yes” = 0. 3 or more points: see a counsellor.\n\n"
        "1. Do you owe more than you earn?\n2. Which debts do you hide? ________\n"
        "3. Do you pay your rent on time?\n"
        "4. Have you borrowed to gamble?\n5. Do you open your letters?\n"
    )
    points = {each.line: points_of(each) for each in read_paste(text).questions if each.kind == "yes_no"}
    assert points == {5: [0, 1], 7: [1, 0], 8: [0, 1], 9: [1, 0]}


def test_levels_without_ends_are_those_of_all_parts_of_a_scale() -> None:
    items = "1. I hide.\n2. I lie.\n\nPart {}\n3. I steal.\n4. I cheat.\n"
    text = f"Secrets\n\nNever (0) Sometimes (1) Often (2)\n\nPart 1\n{items.format(2)}\n"
    (score,) = read_paste(text + "Fewer than three points: low. Three or more points: high.").scores
    assert len(score.questions) == 4
    # Here each part has levels.
    first, second = items.format(2).split("\n\n")
    rule = "Fewer than three points: low. Three or more points: high.\n"
    scores = read_paste(
        f"Secrets\n\nNever (0) Sometimes (1) Often (2)\n\nPart 1\n{first}\n{rule}\n{second}\n{rule}"
    ).scores
    assert [len(each.questions) for each in scores] == [2, 2]


@pytest.mark.parametrize(
    "rule",
    [
        "Each yes is worth 2 points, except item 2, where no is worth 2 points.",
        'Cada resposta "sim" vale 2 pontos, exceto no item 2, em que é o "não" que vale 2 pontos.',
    ],
)
def test_a_yes_may_be_worth_several_points(rule: str) -> None:
    survey = read_paste(
        f"Alone\n1. Do you eat alone? yes / no\n2. Can you call someone? yes / no\n"
        f"3. Are you afraid? yes / no\n{rule} 0 to 2 = low; 3 to 6 = high"
    )
    assert [points_of(each) for each in survey.questions] == [[0, 2], [2, 0], [0, 2]]


ITEMS_OF_SCALE = ("I hear the street.", "I sleep well.", "I wear plugs.", "I like my home.")
LEGEND = "0 = never, 1 = rarely, 2 = often\n\n"
BOXES = "\t[ ]\t[ ]\t[ ]"
ANSWERS_OF_SCALE = {
    "legend": (LEGEND, ""),
    "points in the header": ("\tnever (0)\trarely (1)\toften (2)\n", BOXES),
    "points below the header": ("\tnever\trarely\toften\n\t0\t1\t2\n", BOXES),
    "numbers in rows": (LEGEND, "\t0\t1\t2"),
}
REVERSALS_OF_SCALE = {
    "mark": ("(R)", ""),
    "sign": ("*", "* reversed item"),
    "numbers": ("", "Turn the points round for 2 and 4."),
    "places": ("", "The even items are reversed."),
    "quotation": ("", "“I sleep well” and “I like my home” are reversed."),
    "points": ("", "In items 2 and 4, never counts 2, rarely 1 and often 0."),
}
KEYS_OF_SCALE = (
    "A total of 0-2 means low, 3-5 middle and 6-8 high.",
    "Low: 0-2; middle: 3-5; high: 6-8.",
    "Up to 2: low; up to 5: middle; over 5: high.",
    "Add up all points.\n- 0-2: low\n- 3-5: middle\n- 6-8: high",
    "0-2: low; 3-5: middle; 6 or more: high.",
    "Below 3: low. 3-5: middle. Above 5: high.",
)


@pytest.mark.parametrize("answers", ANSWERS_OF_SCALE)
@pytest.mark.parametrize(("reversal", "key"), [*zip(REVERSALS_OF_SCALE, KEYS_OF_SCALE, strict=True)])
def test_each_layout_of_a_scale_is_read_with_each_wording(answers: str, reversal: str, key: str) -> None:
    """Scales by strangers combine layouts, reversed items and levels in all ways."""
    head, cells = ANSWERS_OF_SCALE[answers]
    mark, rule = REVERSALS_OF_SCALE[reversal]
    rows = "".join(
        f"{number}. {item}{f' {mark}' * (mark != '' and number % 2 == 0)}{cells}\n"
        for number, item in enumerate(ITEMS_OF_SCALE, start=1)
    )
    survey = read_paste("\n".join(filter(None, (f"Noise at home\n\n{head}{rows}", rule, key))))
    assert [*map(text_of, survey.questions)] == [*ITEMS_OF_SCALE]
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0]] * 2
    assert [[start for start, _label in each.levels] for each in survey.scores] == [[None, 3, 6]]


def test_levels_may_name_only_the_sums_that_answers_reach() -> None:
    items = "\n".join(f"{n}. Do I {verb}? yes / no" for n, verb in enumerate(("cook", "sing", "rest"), 1))
    survey = read_paste(f"Home\n\n{items}\n\nEach yes counts 2 points. 0-2: low; 4-6: high")
    assert [points_of(each) for each in survey.questions] == [[0, 2]] * 3
    assert [score.levels for score in survey.scores] == [[(None, "low"), (4, "high")]]


@pytest.mark.parametrize(
    "levels",
    [
        "Below 2: calm.\n2 to 4: some.\nAbove 4: much.",
        "Moins de 2 : calm.\nDe 2 à 4 : some.\nPlus de 4 : much.",
        "Bis 1: calm.\n2 bis 4: some.\nÜber 4: much.",
    ],
)
def test_a_level_that_begins_with_its_limit_is_no_numbered_question(levels: str) -> None:
    items = "\n".join(f"{n}. I {verb}." for n, verb in enumerate(("hear it", "wake up", "move"), 1))
    survey = read_paste(f"Noise\n\n0 = never, 1 = rarely, 2 = often\n\n{items}\n\n{levels}")
    assert len(survey.questions) == 3
    assert [score.levels for score in survey.scores] == [[(None, "calm"), (2, "some"), (5, "much")]]
