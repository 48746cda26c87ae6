"""Buttons of survey tools and instructions are found by where they recur, and answers that recur are kept."""

import pytest

from surveys.imports.drafts.questionnaire import UNCERTAIN, labels_of
from surveys.imports.pasted_text import read_paste


def answers(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(question.kind, labels_of(question)) for question in read_paste(text).questions]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("Zurück Weiter", "Zurück Weiter\nAbsenden"),
        ("Suivant", "Précédent Envoyer"),
        ("Назад\nДалее", "Назад\nОтправить"),
        ("Page 1 of 2\nBack  Next", "Page 2 of 2\nBack  Submit"),
        ("Clear selection", "Clear selection\nSubmit\nNever send passwords."),
        ("戻る　次へ", "戻る　送信"),
        ("Lösung: Ja", "Lösung: Oft"),
    ],
)
def test_buttons_below_the_answers_are_no_answers(first: str, last: str) -> None:
    """Before, they were answers, and a question with yes and no had three."""
    text = f"Umfrage\n\nHaben Sie Angst?\nJa\nNein\n{first}\nWie oft weinen Sie?\nNie\nManchmal\nOft\n{last}"
    assert answers(text) == [("yes_no", ()), ("single", ("Nie", "Manchmal", "Oft"))]


def test_buttons_with_unknown_words_are_left_out_and_asked_about() -> None:
    text = "T\n\nA?\nბევრი\nცოტა\nუკან შემდეგი\nB?\nარა\nდიახ\nუკან შემდეგი\nC?\nაქ\nიქ\nუკან გაგზავნა"
    survey = read_paste(text)
    assert [len(question.options) for question in survey.questions] == [2, 2, 2]
    assert {6, 10, 14} <= {note.line for note in survey.notes if note.effect == UNCERTAIN}


@pytest.mark.parametrize(
    "last", ["Keine Angabe", "I would rather keep this to myself", "Möchte ich nicht sagen"]
)
def test_an_answer_that_ends_several_lists_is_kept(last: str) -> None:
    text = f"T\n\nHaben Sie Angst?\nJa\nNein\n{last}\nWie oft weinen Sie?\nNie\nOft\n{last}"
    assert [labels for _kind, labels in answers(text)] == [("Ja", "Nein", last), ("Nie", "Oft", last)]


def test_an_answer_with_the_word_of_a_button_is_kept() -> None:
    text = "Pain\n\n1. Where does it hurt?\nHead\nLeg\nBack\n2. How often?\nDaily\nRarely"
    assert answers(text)[0] == ("single", ("Head", "Leg", "Back"))


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("Selezionare una sola delle seguenti voci", "Scegliere tutte le corrispondenti"),
        ("Kies één van de volgende mogelijkheden", "Selecteer alles wat voldoet"),
        ("Proszę wybrać jedną z poniższych odpowiedzi", "Zaznacz wszystko, co dotyczy"),
        ("Lütfen aşağıdaki seçeneklerden yalnızca birini seçin", "Lütfen uygun olanların tümünü seçin"),
        ("Välj ett av följande svar", "Välj alla som stämmer"),
        ("Vyberte jednu z následujících odpovědí", "Zaškrtněte vše, co platí"),
        ("하나만 선택하십시오", "해당하는 것을 모두 고르십시오"),
        ("次の中から1つだけ選んでください", "当てはまるものをすべて選んでください"),
        ("请选择一项", "请选择所有符合的选项"),
        ("اختر إجابة واحدة فقط", "ضع علامة أمام كل ما ينطبق عليك"),
        ("Pick whichever fits best", "Pick as many as you need"),
    ],
)
def test_an_imperative_between_question_and_answers_says_how_to_answer(one: str, several: str) -> None:
    text = f"T\n\n1. A?\n{one}\nX\nY\nZ\n2. B?\n{several}\nV\nW\nU"
    assert answers(text) == [("single", ("X", "Y", "Z")), ("several", ("V", "W", "U"))]


def test_an_instruction_with_unknown_words_is_found_by_its_place_and_asked_about() -> None:
    told = "Aukeratu erantzun bakarra"
    survey = read_paste(f"T\n\nNon?\n{told}\nEtxean\nLanean\n\nNoiz?\n{told}\nGauean\nGoizean")
    assert [labels_of(question) for question in survey.questions] == [
        ("Etxean", "Lanean"),
        ("Gauean", "Goizean"),
    ]
    assert {3, 8} <= {note.line for note in survey.notes if note.effect == UNCERTAIN}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Stop\nContinue", "Stop\nContinue"),
        ("Done\nNot done", "Done\nNot done"),
        ("Good\nVery bad", "Bad\nVery bad\nVery good"),
        ("Never (0)\nOften (1)", "Often (0)\nNever (1)"),
        (
            "Alle in meiner Familie\nNur einer Person\nNiemand",
            "Alle in meiner Familie\nNur einer Person\nJeder",
        ),
    ],
)
def test_answers_that_look_like_buttons_or_instructions_are_kept(first: str, second: str) -> None:
    text = f"T\n\n1. A?\n{first}\n2. B?\n{second}"
    counts = [first.count("\n") + 1, second.count("\n") + 1]
    assert [len(labels) for _kind, labels in answers(text)] == counts


@pytest.mark.parametrize(
    ("first", "second", "is_asked"), [("Begun", "Begun", True), ("Begun", "Late", False)]
)
def test_a_button_that_may_be_an_answer_is_asked_about(first: str, second: str, is_asked: bool) -> None:
    survey = read_paste(f"Tasks\n1. Tax?\nNew\n{first}\nDone\n2. Rent?\nNew\n{second}\nDone")
    asked = {note.line for note in survey.notes if note.effect == UNCERTAIN and note.cause == "uncertain"}
    assert ({5, 9} <= asked) is is_asked


@pytest.mark.parametrize(
    "count",
    [
        "0 / 500 characters",
        "0/1000",
        "Noch 300 Zeichen",
        "0/200 caractères",
        "500 caracteres restantes",
        "0/500字",
    ],
)
def test_a_count_of_characters_below_a_space_is_left_out(count: str) -> None:
    """Before, it was asked as a question of its own."""
    survey = read_paste(
        "Survey\n\nWere you stopped? *\n○ Yes\n○ No\n\nWere you hurt? *\n○ Yes\n○ No\n\n"
        f"Tell us more (optional)\n[                    ]\n{count}\n\n< Back     Next >\n"
    )
    assert [question.kind for question in survey.questions] == ["yes_no", "yes_no", "text"]


def test_a_button_above_a_rule_is_no_answer() -> None:
    answers = "○ never (0) ○ often (1)"
    survey = read_paste(
        f"Home\n1. I cook\n{answers}\n2. I sing\n{answers}\nSubmit\nTotal score: 0 low, 1-2 high", ("en",)
    )
    assert [len(each.options) for each in survey.questions] == [2, 2]
    assert survey.scores


@pytest.mark.parametrize(
    "cue", ["Tick all that apply.", "More than one answer possible.", "Several answers."]
)
@pytest.mark.parametrize("above", ["# Do you live alone?", "# How many rooms?", "# What should change?"])
def test_a_question_with_an_instruction_behind_it_is_no_instruction(above: str, cue: str) -> None:
    """Its answers became those of the question above, which listed none."""
    text = f"T\n\n{above}\n# What bothers you? {cue}\n- Noise\n- Dogs\n# Who helps?\n- Friends\n- Nobody\n"
    _first, second, _third = read_paste(text).questions
    assert (second.line, second.kind, len(second.options)) == (4, "several", 2)
