"""Languages that are recognised in a pasted survey."""

import pytest

from surveys.imports.lines.text_languages import languages_of, side_languages
from surveys.imports.lines.text_lines import lines_of
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("title", ["花园", "Garden 2026", "TB"])
def test_answers_in_another_script_are_not_a_second_language(title: str) -> None:
    text = f"{title}\n1. 您检查过哪些？\nHIV\nHPV\nA/B\nTB\n2. 您怎样得到结果？\nSMS\nWhatsApp\n电话"
    assert languages_of(lines_of(text)) == ("zh-hans",)
    first, second = read_paste(text).questions
    assert [len(first.options), len(second.options)] == [4, 3]


@pytest.mark.parametrize(
    ("text", "language", "line"),
    [
        (
            "Club survey\nPlease answer all of the questions.\n1. Do you smoke?\n2. Do you lie?"
            "\n3. Do you steal?\n4. 您吸烟吗？\n谢谢您",
            "en",
            6,
        ),
        (
            "俱乐部\n1. 您吸烟吗？\n2. 您说谎吗？\n3. 您偷过东西吗？\n\nDo you know all of the rules?",
            "zh-hans",
            6,
        ),
    ],
)
def test_a_few_lines_in_another_language_are_read_and_noted(text: str, language: str, line: int) -> None:
    reading = read_paste(text)
    assert reading.languages == (language,)
    assert len(reading.questions) >= 4
    assert any(note.line == line and "another language" in note.message for note in reading.notes)


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "pl",
            ["Ankieta", "1. Czy pali Pan/Pani papierosy?", "- tak", "- nie", "2. Ile dziennie?", "- do 5"],
        ),
        ("tr", ["Anket", "1. Hiç sigara içtiniz mi?", "- Evet", "- Hayır", "2. Evet ise, günde kaç tane?"]),
        ("id", ["Survei", "1. Apakah Anda pernah mencuri?", "- Ya", "- Tidak", "2. Berapa kali?"]),
        ("sw", ["Utafiti", "1. Je, umewahi kuiba?", "- Ndiyo", "- Hapana", "2. Mara ngapi?"]),
        ("ar", ["استبيان", "1. هل تعرضت للعنف من شريكك؟", "- نعم", "- لا", "2. كم مرة؟"]),
        (
            "da",
            ["Alkohol", "1. Har du drukket alkohol i denne uge?", "- Ja", "- Nej", "2. Hvor mange gange?"],
        ),
        ("hi", ["सर्वेक्षण", "1. क्या आप धूम्रपान करते हैं?", "- हाँ", "- नहीं"]),
        ("ja", ["アンケート", "1. お酒を飲みますか？", "- はい", "- いいえ"]),
        ("ko", ["설문", "1. 담배를 피우십니까?", "- 예", "- 아니요"]),
        ("uk", ["Опитування", "1. Чи палите ви?", "- так", "- ні", "2. Скільки разів на день?"]),
        ("fa", ["پرسشنامه", "1. آیا تا به حال دزدی کرده اید؟", "- بله", "- خیر"]),
    ],
)
def test_short_texts_in_the_languages_of_respondents_are_recognised(language: str, lines: list[str]) -> None:
    assert languages_of(lines) == (language,)


def test_a_short_text_with_words_of_an_unknown_language_is_not_taken_for_english() -> None:
    reading = read_paste(
        "Imibuzo\n1. Ingabe uyabhema?\n- yebo\n- cha\n2. Ingabe uphuza kangaki?\n- kancane\n- kaningi"
    )
    assert [note.message for note in reading.notes if not note.line] == [
        "the language of this text was not recognised"
    ]


@pytest.mark.parametrize(
    "second", ["Hiç sigara içtiniz mi ve kaç tane?", "Ingabe uyabhema noma uphuza kakhulu?"]
)
def test_a_language_is_not_chosen_if_many_lines_are_in_another(second: str) -> None:
    lines = ["Rauchen Sie schon lange?", second, "Wie viele Zigaretten am Tag?", second]
    assert languages_of(lines) == ()


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        (
            "Habits | Gewohnheiten\n1. Do you drink? | Trinken Sie?\n- Never | Nie\n- Often | Oft",
            ("en", "de"),
        ),
        (
            "Schlaf｜Sommeil\nSchlafen Sie nie? ｜ Vous dormez mal ?\nHaben Sie ja? ｜ Vous avez oui ?",
            ("de", "fr"),
        ),
        ("Sömn | Uni\nSover du dåligt? | Nukutko huonosti?", ("sv", "fi")),
        ("Ukulala | Iskay\nIngabe ulala kabi? | Allintachu puñunki?", ("und", "und-extra1")),
    ],
)
def test_two_languages_side_by_side_need_not_be_chosen(text: str, languages: tuple[str, str]) -> None:
    reading = read_paste(text)
    assert reading.languages == languages
    assert set(reading.title) == set(languages)
    assert all(set(question.texts) == set(languages) for question in reading.questions)
    asked = [note.where for note in reading.notes if note.asks == "language"]
    assert asked == [tag for tag in languages if tag.startswith("und")]


def test_signs_between_texts_of_one_language_are_no_second_language() -> None:
    text = "Work\n1. Have you been ill? | yes / no\n2. Do you and your boss lie? | yes / no"
    assert read_paste(text).languages == ("en",)
    assert side_languages(lines_of("A | B\n1. How often do you work | sleep?\n- never\n- often")) == ()


def test_languages_with_a_slash_between_are_separated_with_boxes_remarks_and_spaces() -> None:
    """The title became a scale, and its two words the answers to *Name / First name*."""
    survey = read_paste(
        "Anmeldung / Registration\n\n1. Familienname / Family name: ______\n2. Alter / Age: ____\n"
        "3. Haben Sie Kinder? / Do you have children?\n[ ] ja / yes   [ ] nein / no\n"
        "4. Wobei brauchen Sie Hilfe? / What do you need help with? (mehrere möglich / several possible)\n"
        "[ ] Wohnung / housing\n[ ] Arbeit / work\n"
    )
    assert survey.languages == ("de", "en")
    assert [(question.kind, question.texts["en"]) for question in survey.questions] == [
        ("", "Family name:"),
        ("number", "Age:"),
        ("yes_no", "Do you have children?"),
        ("several", "What do you need help with? (several possible)"),
    ]
    assert [option.texts for option in survey.questions[3].options] == [
        {"de": "Wohnung", "en": "housing"},
        {"de": "Arbeit", "en": "work"},
    ]


def test_a_slash_between_answers_separates_no_languages() -> None:
    text = (
        "Sleep\n\nDo you sleep badly? yes / no\nAre you often tired? yes / no\nDo you dream? never / often\n"
    )
    assert read_paste(text).languages == ("en",)


def test_a_line_in_one_language_does_not_move_the_questions_below_it() -> None:
    survey = read_paste(
        "Anmeldung | Registration\n1. Trinken Sie? | Do you drink?\n2. Rauchen Sie?\n"
        "3. Lügen Sie? | Do you lie?\n"
    )
    assert [question.texts.get("en", "") for question in survey.questions] == [
        "Do you drink?",
        "",
        "Do you lie?",
    ]
    assert any(note.line == 3 and "not written in English" in note.message for note in survey.notes)
