"""What must come out of questionnaires that were once misread, one of each kind.

The name of each case says what must come out. `tests/fixtures/survey_cases.txt` has the texts.
"""

from pathlib import Path

import pytest

from privacy.tables.columns import ReadTable
from privacy.tables.reader import Reading
from surveys.imports.conditions.stated_conditions import READ
from surveys.imports.drafts.questionnaire import Note, Questionnaire
from surveys.imports.pasted_text import read_paste
from tests.fixtures.workbooks import Lines, workbook, xlsform_read

FILE = Path(__file__).parents[1] / "fixtures" / "survey_cases.txt"
_HEAD, *_PARTS = FILE.read_text(encoding="utf-8").strip().split("\n\n## ")
TEXTS = dict(part.split("\n", 1) for part in _PARTS)
NEEDS = ""
"""The kind of a question whose answers the report asks for."""
AGREE = ("strongly agree", "agree", "neutral", "disagree", "strongly disagree")
AMOUNTS, TRUST = ("Never", "Once", "More than once"), ("Not at all", "A little", "A lot")

CASES = {
    "a word for age, place or family does not open a question with a second subject": (
        "06",
        [
            ("yes_no", "Since your 18th birthday, has anybody forced you to have sex?", ()),
            ("single", "How old were you when somebody first forced you?", ("under 15", "15 or older")),
            ("single", "How many children have you slapped?", ("none", "one", "more")),
            ("yes_no", "Have you ever sold sex in your city?", ()),
        ],
    ),
    "only a question that yes or no can answer is yes/no": (
        "08",
        [
            (NEEDS, "Over the last 2 weeks, how often have you felt low?", ()),
            (NEEDS, "During your last visit, which drugs did you take?", ()),
            (NEEDS, "Apart from your partner, who has hit you?", ()),
            (NEEDS, "Are you single, married or divorced?", ()),
            (NEEDS, "Would you say your health is good, fair or poor?", ()),
            ("number", "Your weight in kg?", ()),
        ],
    ),
    "a follow-up without a number is a question with several answers": (
        "10",
        [
            ("yes_no", "Have you stolen from your employer?", ()),
            ("several", "What did you take? (tick all that apply)", ("Money", "Goods", "Time")),
            ("yes_no", "Does your employer know?", ()),
        ],
    ),
    "items above a scale are rows of a table": (
        "12",
        [
            ("single", "The police", TRUST),
            ("single", "The courts", TRUST),
            ("yes_no", "Have you paid a bribe?", ()),
        ],
    ),
    "codes of answers and of questions go": (
        "14",
        [
            (
                "single",
                "During the past 30 days, did you have at least one drink?",
                ("Yes", "No", "Don't know / Not sure", "Refused"),
            ),
            (
                "single",
                "On the days when you drank, about how many drinks did you have on average?",
                ("None", "Don't know / Not sure", "Refused"),
            ),
        ],
    ),
    "instructions in French are no answers, and oui and non are yes and no": (
        "16",
        [
            ("yes_no", "Avez-vous été insulté(e) au travail ?", ()),
            ("several", "Qui vous a insulté(e) ?", ("Un collègue", "Un client", "Autre")),
        ],
    ),
    "a data dictionary is refused in one sentence": ("18", []),
    "a sheet of another tool gives its three questions": (
        "19",
        [
            ("yes_no", "Has anybody hit you?", ()),
            ("single", "How often?", ("Never", "Once", "Often")),
            ("number", "How old are you?", ()),
        ],
    ),
    "the same answers behind three items make a table": (
        "20",
        [
            ("single", "Copying from a neighbour", AMOUNTS),
            ("single", "Using a hidden phone", AMOUNTS),
            ("single", "Paying for an essay", AMOUNTS),
        ],
    ),
    "numbers in words, in brackets and before dashes go": (
        "21",
        [
            ("yes_no", "Have you lied to your boss?", ()),
            ("single", "How often did you lie?", ("Once", "Often")),
            ("yes_no", "Did anybody notice?", ()),
        ],
    ),
    "the key of a quiz is no answer": (
        "23",
        [
            ("yes_no", "Have you lied to your boss?", ()),
            ("single", "How often did you lie?", ("Once", "Often")),
        ],
    ),
    "broken lines of an answer are joined": (
        "24",
        [
            (
                "single",
                "Which statement fits you best?",
                (
                    "I have never taken anything and do not plan to start now or later",
                    "I have taken something once",
                    "I take something now and then",
                ),
            ),
            ("yes_no", "Would you tell a doctor?", ()),
        ],
    ),
    "full and empty circles are questions and answers": (
        "26",
        [
            ("yes_no", "Have you lied to your boss?", ()),
            ("single", "How often did you lie?", ("Once", "Often")),
        ],
    ),
    "Frage 1 is a number": (
        "31",
        [
            ("yes_no", "Haben Sie Ihren Chef belogen?", ()),
            ("single", "Wie oft?", ("Einmal", "Oft")),
        ],
    ),
    "Devanagari letters go, and हाँ and नहीं are yes and no": (
        "32",
        [
            ("yes_no", "क्या आपको कभी काम पर मारा गया?", ()),
            ("single", "ऐसा कितनी बार हुआ?", ("एक बार", "कई बार", "हमेशा")),
        ],
    ),
    "conditions of two follow-ups are asked about": (
        "33",
        [
            ("yes_no", "Have you paid a doctor under the table?", ()),
            ("single", "How much did you pay? (If no, go on with question 3.)", ("under 10", "10 or more")),
            ("yes_no", "Did you report it?", ()),
            ("yes_no", "Would you pay again?", ()),
        ],
    ),
    "Question n° 1 is a number": (
        "34",
        [
            ("yes_no", "Avez-vous été harcelé(e) ?", ()),
            ("single", "À quelle fréquence ?", ("Une fois", "Souvent")),
        ],
    ),
    "buttons of a tool are no answers": (
        "36",
        [
            ("yes_no", "Have you ever hidden income?", ()),
            ("several", "What kind of income?", ("Tips", "Rent", "Side job")),
            (
                "single",
                "On a scale from 1 to 5, how fair are taxes?",
                ("1 – Not fair at all", "2", "3", "4", "5 – Very fair"),
            ),
        ],
    ),
    "answers and codes in brackets leave the text": (
        "37",
        [
            ("yes_no", "Have you paid a bribe in the last 12 months?", ()),
            ("single", "To whom?", ("police", "doctor", "teacher", "other")),
            ("number", "How much in total (USD)?", ()),
        ],
    ),
    "answers in a column on the right are two questions": (
        "38",
        [
            ("yes_no", "Has a current or former partner ever pushed you?", ()),
            ("yes_no", "Has a current or former partner ever choked you?", ()),
        ],
    ),
    "a legend below explains the answers of two items": (
        "39",
        [("single", "I was called names.", AGREE), ("single", "I was left out.", AGREE)],
    ),
}
"""By what must come out: the text, and the kind, wording and answers of each question."""


def read(number: str) -> Questionnaire:
    return read_paste(TEXTS[number])


def asked_about(survey: Questionnaire, asks: str) -> list[int]:
    return [note.line for note in survey.notes if note.asks == asks]


@pytest.mark.parametrize("name", CASES)
def test_what_a_pasted_text_must_become(name: str) -> None:
    number, expected = CASES[name]
    found = [
        (
            question.kind,
            next(iter(question.texts.values())),
            tuple(next(iter(option.texts.values())) for option in question.options),
        )
        for question in read(number).questions
    ]
    assert found == expected


def test_every_text_has_its_case() -> None:
    assert sorted(number for number, _questions in CASES.values()) == sorted(TEXTS)


@pytest.mark.soak
def test_questions_with_a_second_subject_are_protected() -> None:
    assert [question.is_protected for question in read("06").questions] == [True] * 4


@pytest.mark.soak
@pytest.mark.parametrize(("number", "lines"), [("10", [5]), ("33", [5, 8])])
def test_a_condition_of_a_follow_up_is_read_and_listed_to_check(number: str, lines: list[int]) -> None:
    survey = read(number)
    assert [note.line for note in survey.notes if note.cause == READ] == lines
    assert [question.line for question in survey.questions if question.condition] == lines


@pytest.mark.soak
def test_questions_without_answers_are_asked_about() -> None:
    assert asked_about(read("08"), "answers") == [2, 3, 4, 5, 6]


@pytest.mark.soak
@pytest.mark.parametrize(("number", "line", "points"), [("12", 3, [1, 2, 3]), ("37", 3, [1, 2, 3, 4])])
def test_codes_of_answers_are_kept_as_points(number: str, line: int, points: list[int]) -> None:
    question = next(each for each in read(number).questions if each.line == line)
    assert [option.points for option in question.options] == points


def test_a_refused_text_says_why() -> None:
    (note,) = read("18").notes
    assert "data dictionary" in note.message


YES_NO: Lines = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]


def form(*rows: list[str | None], choices: Lines = YES_NO) -> tuple[Questionnaire, list[Note]]:
    survey = xlsform_read(workbook(survey=[*rows], choices=choices))
    return survey, survey.notes


@pytest.mark.soak
def test_a_sensitive_question_that_decides_who_is_asked_is_protected_or_asked_about() -> None:
    survey, notes = form(
        ["type", "name", "label", "relevant"],
        ["select_one yn", "forced", "Has your partner ever forced you to have sex?", None],
        ["select_one yn", "doctor", "Did you see a doctor about it?", "${forced} = 'yes'"],
        ["select_one yn", "police", "Did you tell the police?", "${forced} = 'yes'"],
    )
    assert survey.questions[0].is_protected
    assert [(note.line, note.asks) for note in notes] == [(2, "skip")]


def test_rows_of_unknown_types_are_left_out_and_listed() -> None:
    survey, notes = form(
        ["type", "name", "label"],
        ["start", "starttime", None],
        ["caseid", "caseid", None],
        ["text audit", "audit", None],
        ["calculate_here", "t1", None],
        ["select_one yn", "bribe", "Have you paid a bribe?"],
    )
    assert [question.key for question in survey.questions] == ["bribe"]
    assert [(note.line, note.effect) for note in notes] == [(row, "lost") for row in (2, 3, 4, 5)]


def test_texts_without_a_language_beside_others_are_noted() -> None:
    survey, notes = form(
        ["type", "name", "label", "label::English (en)", "label::French (fr)"],
        ["select_one yn", "hit", "Hit?", "Has anybody hit you at home?", "Vous a-t-on frappé ?"],
    )
    assert survey.questions[0].texts["en"] == "Has anybody hit you at home?"
    assert any(note.effect == "lost" and "without a language" in note.message for note in notes)


def test_a_name_that_occurs_twice_is_renamed_and_noted() -> None:
    survey, notes = form(
        ["type", "name", "label"],
        ["select_one yn", "hit", "Has anybody hit you?"],
        ["select_one yn", "hit", "Has anybody kicked you?"],
    )
    assert [question.key for question in survey.questions] == ["hit", "hit_2"]
    assert [note.line for note in notes] == [3]


def test_answers_that_are_only_pictures_are_wrong_at_their_question() -> None:
    choices = [
        ["list_name", "name", "label", "media::image"],
        ["s", "1", None, "sad.png"],
        ["s", "2", None, "happy.png"],
    ]
    _survey, notes = form(
        ["type", "name", "label", "media::image"],
        ["select_one s", "a", "Which face?", None],
        choices=choices,
    )
    assert any(note.line == 2 and note.effect == "wrong" and "no text" in note.message for note in notes)


def test_every_negative_code_below_a_gap_is_asked_about() -> None:
    table = ReadTable.of_rows(["age"], [[text] for text in ("31", "-99", "22", "-88", "19")])
    assert {*Reading.of(table.columns[0]).missing} == {"-99", "-88"}
