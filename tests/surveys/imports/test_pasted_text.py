"""A pasted text becomes a draft: kinds, options and protection, with every note at its line."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.shapes import shapes_in
from privacy.risk.amplification import promise
from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import LOST, UNCERTAIN, Questionnaire
from surveys.imports.lines.text_lines import lines_of
from surveys.imports.pasted_text import MOST_CHARACTERS, join_languages, outline_of, read_paste
from surveys.imports.roles.outline import lines_with_marks
from surveys.imports.roles.structure import with_structure
from surveys.questionnaire.definition import ABOUT, definition_read

ABOUT_LINES = "".join(
    f"{word}: x\n"
    for word in ("Researcher", "Purpose", "Ethics", "Contact", "Retention", "Age limit", "Help")
)


def kinds(text: str, languages: tuple[str, ...] = ()) -> list[tuple[str, bool]]:
    return [(one.kind, one.is_protected) for one in read_paste(text, languages).questions]


def published(text: str) -> Any:
    document = draft_of(read_paste(text))
    reading = definition_read(document | {"slug": "pasted"})
    assert reading.problems == ()
    return reading.definition


def test_answers_on_one_line_are_read_in_both_languages() -> None:
    (first,) = read_paste("T | 题\n1. How often? | 多久一次？\nNever, often | 从不、经常").questions
    assert [option.texts for option in first.options] == [
        {"en": "Never", "zh-hans": "从不"},
        {"en": "often", "zh-hans": "经常"},
    ]


def test_ratings_are_recognised_by_their_flag() -> None:
    document = draft_of(read_paste("T\n1. How tired? [rating]\n- not at all\n- a bit\n- very"))
    (question,) = document["blocks"][0]["questions"]
    assert (question["kind"], question["look"], len(question["options"])) == ("single", "rating", 3)
    assert kinds("T\n# Work [open]\n1. Do you? [rating]\nYes\nNo") == [("single", False)]


@pytest.mark.parametrize("behind", ["? 0-79", "? 0 to 79", "? (0-79)", "？0～79。", "? 0-79 hours"])
def test_a_range_behind_the_question_mark_is_its_range(behind: str) -> None:
    survey = read_paste(f"T\n1. How many hours last week{behind}")
    (question,) = survey.questions
    assert (question.texts, survey.notes) == ({"en": f"How many hours last week{behind[0]}"}, [])
    (asked,) = draft_of(survey)["blocks"][0]["questions"]
    assert (asked["number"]["low"], asked["number"]["high"]) == (0, 79)
    assert asked["number"].get("unit") == ({"en": "hours"} if "hours" in behind else None)
    (note,) = read_paste("T\n1. How many hours? 99-0").notes
    assert (note.message, note.remedy) == ("99-0 is not a range", "write the smaller number first")


@pytest.mark.parametrize(("flag", "look"), [(" [slider]", "slider"), ("【滑块】", "slider"), ("", None)])
def test_ranges_become_sliders_when_flagged(flag: str, look: object) -> None:
    document = draft_of(read_paste(f"T\n1. How many hours?{flag}\n0-79 hours"))
    assert document["blocks"][0]["questions"][0].get("look") == look


@pytest.mark.parametrize(
    "text", ["T\n1. How many hours?{}\n0-79 hours", "T\n# Work{}\n1. How many hours?\n0-79 hours"]
)
@pytest.mark.parametrize("mark", [" [open]", "【公开】", "［公开］", "〔不受保护〕", "（公开）"])
def test_numbers_marked_open_are_stored_as_answered(text: str, mark: str) -> None:
    reading = read_paste(text.format(mark))
    assert [(question.kind, question.is_protected) for question in reading.questions] == [("number", False)]
    (block,) = draft_of(reading)["blocks"]
    assert not {"refusal", "truth_probability"} & block.keys()
    (question,) = block["questions"]
    assert (block["protected"], question["number"]) == (
        False,
        {"low": 0, "high": 79, "bin": 1, "unit": {"en": "hours"}},
    )
    assert [question.is_protected for question in read_paste(text.format("")).questions] == [True]


def test_open_parts_can_contain_protected_numbers_and_dates_keep_bins() -> None:
    assert kinds("T\n# Work [open]\n1. Hours? [protected]\n0-79\n2. Days?\n0-30\n3. Do you?") == [
        ("number", True),
        ("number", False),
        ("yes_no", False),
    ]
    document = draft_of(read_paste("T\n1. When did you move? [open]\n2020-01 to 2025-12"))
    assert document["blocks"][0]["questions"][0]["number"]["bin"] == 4


@pytest.mark.parametrize(
    ("line", "calendar", "ends"),
    [
        ("2020-01 to 2025-12", "month", ["2020-01", "2025-12"]),
        ("2024-01-01 - 2024-12-30", "day", ["2024-01-01", "2024-12-30"]),
        ("2024-01～2024-12", "month", ["2024-01", "2024-12"]),
    ],
)
def test_date_ranges_become_date_questions(line: str, calendar: str, ends: list[str]) -> None:
    document = draft_of(read_paste(f"T\n1. When did you move? [slider]\n{line}"))
    question = document["blocks"][0]["questions"][0]
    assert (question["kind"], question["look"], question["number"]["calendar"]) == (
        "number",
        "slider",
        calendar,
    )
    assert [question["number"][end] for end in ("low", "high")] == ends


def test_chinese_text_is_read_in_the_same_way() -> None:
    assert kinds(
        "睡眠\n1、您睡得不好吗？\n是\n否\n2、您用过哪些？（可多选）\nA、药\nB、酒\n3、您几岁？\nA、三十以下\nB、以上"
    ) == [("yes_no", True), ("several", True), ("single", False)]


def test_publicly_known_facts_are_open_with_a_reason_unless_flagged() -> None:
    text = "T\n1. How old are you?{}\n- under 30\n- older\n2. Do you steal?{}"
    assert [protected for _kind, protected in kinds(text.format("", ""))] == [False, True]
    assert "others know (age)" in read_paste(text.format("", "")).questions[0].why
    assert [protected for _kind, protected in kinds(text.format(" [protected]", " [open]"))] == [True, False]
    assert [protected for _kind, protected in kinds("T\n# Work [open]\n1. Do you steal?")] == [False]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("T\n1. Which drugs?", 2, "needs options"),
        ("T\n1. Is there anything else you would like to add?", 2, "free text"),
        ("T\n1. In which city do you live?", 2, "needs options"),
        ("T\n1. Did you lo\ufffde?", 2, "another encoding"),
        ("T\n1. Did you? [several]\n- Pills", 2, "needs options"),
        ("T\n1. How often?\n- Never\n- Never", 4, "occurs twice"),
        ("T\n1. Hours?\n9-3", 2, "is not a range"),
        ("T\n1. Hours? [open]\n9-3", 2, "is not a range"),
        ("T\n1. When?\n2025-12 to 2024-01", 2, "is not a range"),
        ("T\n1. When?\n2024-02-30 - 2024-12-31", 2, "is not a range"),
        ("T | 题\n1. Did you?", 2, "not written in"),
        ("T | 题\n1. Did you? |", 2, "not written in"),
        ("1. Did you?", 1, "no title"),
        ("T\n", 0, "no question"),
        ("T\n1. Did you?\n" + "x" * MOST_CHARACTERS, 3, "was not read"),
    ],
)
def test_problems_are_reported_at_their_line(text: str, line: int, said: str) -> None:
    languages = ("en", "zh-hans") if "题" in text else ("en",)
    found = [problem for problem in read_paste(text, languages).notes if said in problem.message]
    assert [problem.line for problem in found] == [line]
    assert found[0].remedy


def test_complete_texts_are_publishable_within_recommendations() -> None:
    definition = published(
        f"Sleep\n{ABOUT_LINES}# Nights\n1. Bad?\n2. How often?\n- Never\n- Often\n"
        "# Days\n3. Did you nod off?\n4. Hours at work?\n0-79 hours\n5. How old are you?\n- under 30\n- older"
    )
    assert [block.key for block in definition.design.blocks] == ["nights", "days-2", "days-3"]
    titles = [each.get("title") for each in definition.wording["blocks"]]
    assert titles == [{"en": "Nights · Days"}, {"en": "Days"}, {"en": "Days"}]
    assert [block.protected for block in definition.design.blocks] == [True, True, False]
    # The yes/no questions and the choice share a coin, and the number has the budget of one answer.
    made = promise(definition.design)
    assert made is not None
    assert (made.of_100, made.one_of_100) == (95, 80)


def test_a_single_protected_part_gets_medium_protection() -> None:
    definition = published(f"Sleep\n{ABOUT_LINES}" + "".join(f"{n}. Do you {n}?\n" for n in range(1, 7)))
    (block,) = definition.design.blocks
    # Four of six each. A skip has odds 9 and a row odds 19: p/(1 - p) = 8 r = 18 (1 - r)/16, so r = 9/73 and
    # p = 72/145.
    assert (block.questions_per_person, block.refusal, block.truth_probability) == (4, 1233, 4965)
    assert set(definition.wording["about"]) == set(ABOUT)


def test_texts_without_questions_yield_none() -> None:
    assert not read_paste("").questions
    assert not read_paste("Only a title").questions


@given(st.text(alphabet="1.)#-|>=[]QqAa?？是 \n\t/0:Contact", max_size=200))
def test_any_text_is_read_and_every_note_refers_to_a_line(text: str) -> None:
    reading = read_paste(text)
    n_lines = len(lines_of(text))
    assert all(0 <= problem.line <= n_lines for problem in reading.notes)
    definition_read(draft_of(reading) | {"slug": "pasted"})


def test_parts_without_a_heading_have_no_title() -> None:
    document = draft_of(
        read_paste("Have you ever cheated in an exam?\n\nHow old are you?\n- Below 25\n- Older")
    )
    blocks = document["blocks"]
    assert len(blocks) == 2
    for block in blocks:
        assert "title" not in block
        assert bool(block.get("refusal")) == block["protected"]


def outline(text: str, language: str = "en") -> Questionnaire:
    lines = lines_with_marks(list(enumerate(text.split("\n"), start=1)))
    return outline_of(with_structure(lines), language)


def test_numbered_questions_own_the_lines_below_them() -> None:
    survey = outline("Sleep\n\n1. How often?\nNever\n\nOften\n\nDays\n\n2. And now?\n- No\n- Yes")
    assert survey.title == {"en": "Sleep"}
    assert [part.texts.get("en", "") for part in survey.parts] == ["", "Days"]
    assert [len(question.options) for question in survey.questions] == [2, 2]
    assert {note.effect for note in survey.notes} == {UNCERTAIN}


@pytest.mark.parametrize(
    ("text", "n_noted"),
    [
        ("T\n1. How old?\n- 18\n- 21\n2) Did you cheat?\n3) I stole\n4. Do you?", 0),
        ("T\nQ1. How old?\n1) 18\n2) 21\nDid you?\n2. I cheated\nQ3. Do you?", 0),
        ("题\n一、几岁？\n- 少\n- 多\n二、你作弊吗？\n3、你喝酒吗\n4. 你抽烟", 0),
        ("T\n1. How old?\n- 18\n- Did you cheat\n2. Did you?\n3. Do you?\n4. Or not?", 1),
    ],
)
def test_no_question_silently_becomes_an_answer(text: str, n_noted: int) -> None:
    survey = read_paste(text)
    assert [len(question.options) for question in survey.questions] == [2, 0, 0, 0]
    assert sum(note.effect == UNCERTAIN and note.line == 4 for note in survey.notes) == n_noted


def test_stray_lines_are_reported_with_their_line_number() -> None:
    survey = outline("Sleep\n- Dear reader,\n1. Bad?")
    assert {problem.line for problem in survey.notes} == {2}


def test_a_few_words_in_another_script_are_no_second_language() -> None:
    text = "问卷\n1. 您抽烟吗？\nAnswers: 抽 / 不抽\n2. 您喝酒吗？\nAnswers: 喝 / 不喝\n\nEND\nAna Wu"
    survey = read_paste(text)
    assert survey.languages == ("zh-hans",)
    assert [next(iter(question.texts.values())) for question in survey.questions] == [
        "您抽烟吗？",
        "您喝酒吗？",
    ]


def test_outlines_pair_by_position_and_report_unmatched_lines() -> None:
    english = outline("Sleep\n1. How often?\n- Never\n- Often\n2. Bad?")
    chinese = outline("睡眠\n1. 多久？\n- 从不", "zh-hans")
    both = join_languages(english, chinese)
    assert both.title == {"en": "Sleep", "zh-hans": "睡眠"}
    assert both.questions[0].options[0].texts == {"en": "Never", "zh-hans": "从不"}
    assert sorted(problem.line for problem in both.notes) == [2, 5]


@pytest.mark.parametrize("question", ["How?", "怎么样？"])
def test_empty_texts_do_not_reach_the_survey(question: str) -> None:
    reading = read_paste(f"T\n1. {question}\n- a\n- --\n- b\n> .\n2. ?\n- a\n- b\n# -\n3. (0-60)\n4. (R)")
    texts = [
        reading.title,
        *(part.texts for part in reading.parts if part.texts),
        *(each.texts for each in reading.questions),
        *(option.texts for each in reading.questions for option in each.options),
        *(each.help for each in reading.questions if each.help),
    ]
    assert all(any(map(str.isalnum, text)) for wording in texts for text in wording.values())
    assert [note.line for note in reading.notes if "without words" in note.message] == [4]


def test_a_paragraph_before_the_first_question_is_the_purpose() -> None:
    reading = read_paste(
        "Sleep\nWe want to know how people sleep.\nIt takes three minutes.\n\n1. Do you sleep badly?"
    )
    assert not reading.notes
    assert draft_of(reading)["about"]["purpose"]["en"] == (
        "We want to know how people sleep. It takes three minutes."
    )


def test_an_explicit_purpose_and_other_paragraphs_are_kept_and_these_are_flagged() -> None:
    reading = read_paste("Sleep\nPurpose: To learn.\nDear all\n1. Do you sleep badly?")
    assert draft_of(reading)["title"] == {"en": "Sleep"}
    assert draft_of(reading)["about"]["purpose"]["en"] == "To learn. Dear all"
    assert {problem.line for problem in reading.notes} == {3}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "If yes, did you ever hit them?"),
        ("en", "If so, how often?"),
        ("de", "Falls ja, haben Sie sie geschlagen?"),
        ("fr", "Si oui, les avez-vous frappés ?"),
        ("es", "En caso afirmativo, ¿les ha pegado?"),
        ("pt", "Se sim, bateu-lhes?"),
        ("zh-hans", "如果有，您打过他们吗？"),
    ],
)
def test_a_question_that_begins_with_a_condition_is_a_point_to_settle(language: str, text: str) -> None:
    survey = read_paste(f"Survey\n1. A?\n- a\n- b\n2. {text}\n- a\n- b", [language])
    assert [(note.asks, note.target) for note in survey.notes if note.asks == "keep"] == [("keep", 5)]
    assert [question.is_protected for question in survey.questions] == [True, True]
    plain = read_paste("Survey\n1. A?\n- a\n- b\n2. Would you tell, if asked?\n- a\n- b", ["en"])
    assert not [note for note in plain.notes if note.asks == "keep"]


def test_a_table_with_a_question_of_its_own_leaves_the_question_above_it() -> None:
    """It became the heading of the table, and the table's own question was lost, without a word."""
    text = "Home\n1. What happened?\nHow often?\tNever\tSome days\n2. I was sad\t0\t1\n3. I slept badly\t0\t1"
    survey = read_paste(text, ("en",))
    assert [question.texts["en"] for question in survey.questions] == [
        "What happened?",
        "I was sad",
        "I slept badly",
    ]
    assert [note.line for note in survey.notes if note.asks == "answers"] == [2]
    assert "How often?" in [part.texts.get("en") for part in survey.parts]


def test_a_range_below_a_question_is_certain() -> None:
    survey = read_paste("Work\n1. How many hours do you work a week?\n0-80", ("en",))
    assert all(line.is_certain for line in survey.lines)
    assert [question.kind for question in survey.questions] == ["number"]


@pytest.mark.parametrize(
    "text",
    [
        "Work\n\nPlease tick ☐ the box that fits best.\n\n1. Where do you work?\n☐ Ward\n☐ Lab\n☐ Office",
        "Work\n1. In which year are you?\n☐ 1st year\n☐ 2nd year\n☐ 3rd year or later",
        "Work\n1. How satisfied are you?\n☐ 1 Not at all  ☐ 2  ☐ 3  ☐ 4  ☐ 5 Very",
    ],
)
def test_square_boxes_are_one_answer_if_the_form_says_so_or_one_excludes_others(text: str) -> None:
    reading = read_paste(text, ("en",))
    assert [question.kind for question in reading.questions] == ["single"]
    assert not [note.message for note in reading.notes if "boxes are square" in note.message]


def test_a_form_for_one_answer_keeps_its_question_with_several() -> None:
    asked = "1. Which of these? (Tick all that apply)\n☐ Pens\n☐ Food\n☐ Tools"
    reading = read_paste(f"Work\n\nPlease tick the box that fits best.\n\n{asked}")
    assert [question.kind for question in reading.questions] == ["several"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Work\n1. What did you take?\n☐ Pens\n☐ Food\n☐ Tools", "its boxes are square"),
        ("Work\n1. What did you take? ☐ Pens ☐ Food ☐ Tools", "its boxes are square"),
        (
            "Umsebenzi\n1. Uthathe ini? (enye inothi lapha)\n- imali\n- ukudla\n- amathuluzi",
            "the remark in brackets",
        ),
    ],
)
def test_a_list_that_may_allow_several_answers_is_noted(text: str, said: str) -> None:
    reading = read_paste(text)
    (question,) = reading.questions
    assert question.kind == "single"
    assert [note.line for note in reading.notes if note.message.startswith(said)] == [2]


@pytest.mark.parametrize(
    "text",
    [
        "Work\n1. What did you take? Tick one answer only\n☐ Pens\n☐ Food\n☐ Tools",
        "Work\n1. Did you take pens?\n☐ Yes\n☐ No",
        "Work\n1. What did you take?\n○ Pens\n○ Food\n○ Tools",
        "Work\n1. What did you take? (last year)\n- Pens\n- Food\n- Tools",
    ],
)
def test_a_list_that_allows_one_answer_is_not_noted(text: str) -> None:
    notes = [note for note in read_paste(text).notes if note.cause != LESS_CERTAIN]
    assert not [note for note in notes if "row" in note.remedy]


def test_a_text_with_more_questions_than_a_survey_can_have_is_refused_in_one_sentence() -> None:
    """The report of 5,000 questions was a page of 8 MB."""
    reading = read_paste("Work\n" + "".join(f"{n}. Did you {n}?\n" for n in range(1, 502)))
    assert reading.questions == []
    (note,) = reading.notes
    assert "501" in note.message
    assert "500" in note.message
    assert len(read_paste("Work\n" + "".join(f"{n}. Did you {n}?\n" for n in range(1, 501))).questions) == 500


def test_a_long_text_without_questions_has_no_note_for_each_line() -> None:
    reading = read_paste("x y z\n" * 2_000)
    assert {note.effect for note in reading.notes} == {"wrong"}
    assert len(reading.notes) <= 3
    assert any("no questions" in note.message for note in reading.notes)


def kinds_and_answers(text: str) -> list[tuple[str, list[str]]]:
    return [
        (each.kind, [next(iter(option.texts.values())) for option in each.options])
        for each in read_paste(text).questions
    ]


@pytest.mark.parametrize(
    "rows",
    [
        "Y / N    I drink alone at night.\nY / N    I hide my bottles.",
        "□ Ja  □ Nein    Ich lüge.\n□ Ja  □ Nein    Ich lüge oft.",
    ],
)
def test_answers_in_front_of_questions_are_read(rows: str) -> None:
    assert [kind for kind, _answers in kinds_and_answers(f"Check\n\n{rows}")] == ["yes_no", "yes_no"]


@pytest.mark.parametrize(
    "text",
    [
        "住房调查\n\n1. 您和谁一起住：①独居；②配偶；③工友。\n2. 您抽烟吗？①每天；②有时；③从不。",
        "住房调查\n\n1. 您和谁一起住？  ① 独居  ② 配偶  ③ 工友\n2. 您抽烟吗？  ① 每天  ② 有时  ③ 从不",
        "Home\n\n1. Live with? ① nobody; ② partner; ③ friends\n2. Smoke? ① daily; ② rarely; ③ never",
    ],
)
def test_no_circled_digit_is_left_in_an_answer(text: str) -> None:
    found = kinds_and_answers(text)
    assert [len(answers) for _kind, answers in found] == [3, 3]
    assert not any(label[0] in "①②③" for _kind, answers in found for label in answers)


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("一周来几次：1次以下、2到3次、4次以上", ["1次以下", "2到3次", "4次以上"]),
        ("How often do you come? once, 2 to 3 times, 4 times", ["once", "2 to 3 times", "4 times"]),
    ],
)
def test_amounts_among_answers_are_not_codes(line: str, answers: list[str]) -> None:
    asked = f"Gym\n\n1. {line}\n2. {line}"
    assert [own for _kind, own in kinds_and_answers(asked)] == [answers, answers]


@pytest.mark.parametrize(
    "text",
    [
        "Encuesta\n\n1. ¿Sexo?\n( ) Hombre\n( ) Mujer\n2. ¿Volvería?\n0 [ ] 1 [ ] 2 [ ] 3 [ ] 4 [ ]",
        "Umfrage\n\n1. Geschlecht?\n( ) Mann\n( ) Frau\n2. Wieder?\n0 [ ] 1 [ ] 2 [ ] 3 [ ] 4 [ ]",
    ],
)
def test_one_number_is_chosen_though_boxes_are_square(text: str) -> None:
    assert [kind for kind, _answers in kinds_and_answers(text)] == ["single", "single"]


@pytest.mark.parametrize(
    "amounts", [("under 30", "30-59", "60+"), ("Nothing", "Up to £20", "£21 to £100", "More than £100")]
)
def test_one_range_is_chosen_though_boxes_are_square(amounts: tuple[str, ...]) -> None:
    boxes = "\n".join(f"☐ {amount}" for amount in amounts)
    text = f"Club\n\n1. Which day?\n○ Monday\n○ Friday\n\n2. Which applies to you?\n{boxes}"
    assert [kind for kind, _answers in kinds_and_answers(text)] == ["single", "single"]


@pytest.mark.parametrize(
    ("scale", "rows", "kinds"),
    [
        (
            "Notez de 1 (non) à 5 (oui).",
            "f. Votre âge : ____ ans\ng. Avez-vous fraudé ?  OUI  NON",
            ["number", "yes_no"],
        ),
        ("Valore de 1 (no) a 5 (sí).", "f. Edad: ____ años\ng. ¿Ha mentido?  SI  NO", ["number", "yes_no"]),
    ],
)
def test_rows_that_say_how_to_answer_leave_their_table(scale: str, rows: str, kinds: list[str]) -> None:
    items = "\n".join(f"{letter}. Item {letter} du service  1 2 3 4 5" for letter in "abcde")
    assert [kind for kind, _answers in kinds_and_answers(f"X\n\n{scale}\n\n{items}\n{rows}")][5:] == kinds


@pytest.mark.parametrize(
    ("heads", "labels"),
    [
        (("WORKLOAD", "SAFETY"), "Disagree\tNeither\tAgree"),
        (("ARBEIT", "SCHUTZ"), "Nein\tTeils\tZustimmung"),
    ],
)
def test_a_row_in_capitals_heads_the_rows_below(heads: tuple[str, str], labels: str) -> None:
    rows = [
        f"{head}\t\t\n{own} takes my time\t\t\n{own} is fair to me\t\t"
        for head in heads
        for own in [head.title()]
    ]
    survey = read_paste("Staff\n\n\t" + labels + "\n" + "\n".join(rows))
    assert len(survey.questions) == 4


@pytest.mark.parametrize(
    ("begins", "ends"),
    [
        ("A quel âge avez-vous bu pour la première", "fois ?            ____ ans"),
        ("¿A qué edad bebió usted por primera", "vez?            ____ años"),
    ],
)
def test_a_question_that_continues_next_to_a_column_is_joined(begins: str, ends: str) -> None:
    survey = read_paste(f"X\n\n{begins}\n{ends}\n1. Smoke?            □ Yes    □ No")
    texts = [next(iter(each.texts.values())) for each in survey.questions]
    assert texts[0] == f"{begins} {ends.split('  ')[0]}"


def test_a_pasted_xlsform_is_refused_with_a_remedy() -> None:
    for label in ("How old are you?", "¿Cuántos años tiene?"):
        survey = read_paste(f"type\tname\tlabel\ninteger\tage\t{label}\nselect_one yn\tpay\tPaid?")
        assert not survey.questions
        assert any("XLSForm" in note.message for note in survey.notes)


@pytest.mark.parametrize(
    ("question", "below"),
    [("题干：您打工多少年？", "类型：数值，范围0–60"), ("How many years?", "number, range 0-60")],
)
def test_a_range_below_a_number_is_its_range(question: str, below: str) -> None:
    survey = read_paste(f"X\n\n{question}\n{below}\n\nWie? 怎么样？\n- 1 a\n- 2 b")
    assert survey.questions[0].own["number"]["high"] == 60


@pytest.mark.parametrize(
    "text",
    ["Education:   1. low   2. middle   3. high", "第二部分 邻里关系\n    2. 不愿意\n第二部分 邻里关系"],
)
def test_fragments_of_a_questionnaire_are_read_without_an_error(text: str) -> None:
    assert read_paste(text).lines


def staff_survey(number: int) -> Questionnaire:
    """Return what is read from a staff survey as people write it: parts, boxes, a table, a scale."""
    return read_paste(Path(__file__).with_name(f"staff-{number}.txt").read_text(encoding="utf-8"))


def kinds_of(survey: Questionnaire) -> str:
    """Return the first letters of the kinds; a digit is the number of answers of a single choice."""
    return " ".join(
        str(len(each.options)) if each.kind == "single" else each.kind[:1] for each in survey.questions
    )


@pytest.mark.parametrize(
    ("number", "kinds_read", "parts", "asked"),
    [
        (1, "5 4 4 n 4 4 4 4 4 y 3 s 5 t", 3, 2),
        (2, "5 y y 4 4 4 4 4 4 4 4 4 y y n n 4", 3, 1),
        (3, "4 4 2 4 4 4 4 4 4 y y y s n n", 3, 2),
    ],
)
def test_staff_surveys_of_14_to_17_questions_are_read(
    number: int, kinds_read: str, parts: int, asked: int
) -> None:
    survey = staff_survey(number)
    assert kinds_of(survey) == kinds_read
    assert len(survey.parts) == parts
    # A person settles at most two points in each.
    assert len(survey.unclear) == asked
    assert len([note for note in survey.notes if note.cause == "misread"]) < 3


def test_a_rule_names_the_items_of_a_staff_survey_by_their_printed_numbers() -> None:
    survey = staff_survey(2)
    (score,) = survey.scores
    reversed_lines = [each.line for each in survey.questions if each.options and each.options[0].points == 3]
    texts = {each.line: each.texts["en"] for each in survey.questions}
    assert [texts[line] for line in reversed_lines] == [
        "were you able to relax after work?",
        "did you feel proud of your work?",
    ]
    assert len(score.questions) == 9
    assert score.rule == {"missing": {"at_most": 1, "as": "mean"}}


@pytest.mark.parametrize("other", ["Other: ______", "Other, namely: ......", "Other (please specify) ____"])
def test_a_write_in_space_is_cut_from_an_answer_wherever_it_is_listed(other: str) -> None:
    text = f"Work\n1. Who was it? ( ) Boss  ( ) Client  ( ) {other}\n2. Do you steal?\n- Yes\n- No"
    found = read_paste(text)
    assert [next(iter(option.texts.values())).split(",")[0] for option in found.questions[0].options] == [
        "Boss",
        "Client",
        "Other",
    ]
    assert "the write-in space is left out" in " ".join(
        note.message for note in found.notes if note.line == 2
    )


@pytest.mark.parametrize(
    "answers",
    [
        "☐ 1. Klasse\n☐ 2. Klasse\n☐ 3. Klasse",
        "☐ 1. Klasse   ☐ 2. Klasse   ☐ 3. Klasse",
        "o 1 year ago\no 2 years ago\no 3 or more years ago",
        "1 year ago\n2 years ago\n3 or more years ago",
    ],
)
def test_a_number_that_distinguishes_answers_stays(answers: str) -> None:
    found = read_paste(f"School\n1. Which one?\n{answers}\n2. Do you steal?\n☐ yes\n☐ no")
    labels = [next(iter(option.texts.values())) for option in found.questions[0].options]
    assert [label[0] for label in labels] == ["1", "2", "3"]
    assert len(found.questions) == 2


def test_the_report_names_a_left_out_heading_without_questions() -> None:
    text = "Work\n# Consent\n> Write to the office.\n# Part A\n1. Do you steal?\n- Yes\n- No\n# End"
    found = read_paste(text)
    said = {note.line: note.message for note in found.notes if note.effect == LOST}
    assert said == {
        2: "this heading and its explanation are left out: no question is below them",
        8: "this heading is left out: no question is below it",
    }


@pytest.mark.parametrize(
    ("asked", "unit"),
    [
        ("How much do you give in a month?   £ ________", "£"),
        ("Wie viel schlafen Sie?   ca. ____ Stunden", "Stunden"),
        ("Рост, см ________", ""),
        ("Wohnfläche (in m²): ____", ""),
        ("Your age  [   |   |   ]", ""),
    ],
)
def test_a_unit_or_boxes_for_digits_ask_for_a_number(asked: str, unit: str) -> None:
    question = read_paste(f"T\n\n1. {asked}\n2. Do you smoke?").questions[0]
    assert question.kind == "number"
    assert [*question.unit.values()] == [unit][: bool(unit)]


SHAPES = [
    shape.text for path in sorted(Path(__file__).parent.glob("shapes-*.jsonl")) for shape in shapes_in(path)
]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(600))
def test_a_text_with_lines_lost_added_cut_or_in_another_order_is_read(seed: int) -> None:
    chance = Random(seed)
    lines = chance.choice(SHAPES).split("\n")
    others = chance.choice(SHAPES).split("\n")
    place = chance.randrange(len(lines))
    lines = chance.choice(
        [
            [line for line in lines if chance.random() < 0.8],
            [*lines[:place], *others[:6], *lines[place:]],
            chance.sample(lines, len(lines)),
            [line[: chance.randint(0, len(line))] if chance.random() < 0.2 else line for line in lines],
        ]
    )
    survey = read_paste("\n".join(lines))
    filled = {at for at, line in enumerate(lines, start=1) if any(map(str.isalnum, line))}
    assert filled <= {each.line for each in survey.lines}
