"""Plain background questions are recognised as a whole, in eleven languages, and never by one word."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from surveys.questionnaire.background import (
    _KINDS,
    TOPICS,
    _aside_patterns,
    _first_word,
    harm_words,
    is_readable,
    plain_topic,
    sensitive_words,
    why_stored,
)
from surveys.questionnaire.plain_words import LANGUAGES, ROWS, phrases_of
from tests.test_linear_patterns import MOST_GROWTH, worst_growth

SEXES: Final = {
    "en": ("Male", "Female"), "de": ("Mann", "Frau"), "fr": ("Homme", "Femme"), "es": ("Hombre", "Mujer"),
    "pt": ("Homem", "Mulher"), "it": ("Uomo", "Donna"), "zh": ("男", "女"),
    "ar": ("ذكر", "أنثى"), "hi": ("पुरुष", "महिला"), "sw": ("Mwanamke", "Mwanaume"),
    "ru": ("Женский", "Мужской"),
}  # fmt: skip


def topic(kind: str, text: str, *options: str, language: str = "en", **more: Any) -> str:
    return plain_topic(kind, {language: text}, [{language: option} for option in options], **more)


@pytest.mark.parametrize(
    ("kind", "text", "language"),
    [
        ("number", "No of ${specify_transport}", "en"),
        ("number", "Number of {{household_members}}", "en"),
        ("single", "In which ${region} do you live?", "en"),
        ("single", "In welcher ${abteilung} arbeiten Sie?", "de"),
        ("number", "¿Cuántos años tiene? ${edad}", "es"),
        ("number", "#{age} How old are you?", "en"),
        ("number", "Quel âge avez-vous ? [Q3]", "fr"),
    ],
)
def test_a_question_about_an_earlier_answer_is_never_plain(kind: str, text: str, language: str) -> None:
    assert topic(kind, text, language=language) == ""


def test_a_unit_in_angle_brackets_leaves_a_question_plain() -> None:
    assert topic("number", "How old are you? <years>") == "age"


PATTERNS: Final = ("sexes", "yes_no", "not_plain", "event", "other_event", "clause", "sensitive", "harm")
OF_SOME_LANGUAGES: Final = (
    "unit", "level", "size", "post", "works", "studies", "example", "purpose", "source", "identity", "turn",
    "asks", "left_out", "another", "patient",
    "story",
)  # fmt: skip
IF_SHOWN: Final = ("if_level", "if_size", "if_post")
OF_ANY_TOPIC: Final = ("any", "but_sex", "by_name", "courtesy", "part", "filler", "remark", "remark_which")
PLAIN_ROWS: Final = [row for row in ROWS if row[0] in TOPICS]


@pytest.mark.soak
@pytest.mark.parametrize(("meaning", "kinds", "language", "words", "example"), PLAIN_ROWS)
def test_the_example_of_a_plain_row_is_plain_for_each_kind_until_a_word_is_added(
    meaning: str, kinds: str, language: str, words: str, example: str
) -> None:
    for kind in (_KINDS[letter] for letter in kinds):
        options = SEXES[language] if kind == "single" and meaning == "sex" else ()
        assert topic(kind, example, *options, language=language) == meaning
        for text in (f"{example} Qwerty", f"Qwerty {example}"):
            assert topic(kind, text, *options, language=language) == ""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("meaning", "language", "example"),
    [(row[0], row[2], row[4]) for row in ROWS if row[0] in (*PATTERNS, *OF_SOME_LANGUAGES)],
)
def test_every_row_of_patterns_finds_its_example(meaning: str, language: str, example: str) -> None:
    assert _first_word(meaning, [{language: example}])
    if meaning in ("sensitive", "harm"):
        assert (harm_words if meaning == "harm" else sensitive_words)([{language: example}])


def test_no_plain_word_looks_sensitive_except_known_ones() -> None:
    found = {
        phrase
        for meaning, _kinds, language, words, _example in ROWS
        if meaning in (*OF_ANY_TOPIC, *TOPICS, *IF_SHOWN)
        for tokens in phrases_of(words.replace(" + ", "|").replace(" & ", "|"))
        for phrase in [("" if language == "zh" else " ").join(tokens)]
        if sensitive_words([{language: phrase}])
    }
    # "Wahl" is an election, "krank" is ill, डर is fear, 酒 in a hotel is wine and 药 in a pharmacy a drug.
    known = ("wahlen sie", "krankenhaus", "酒店", "药店")
    assert {each for each in found if not any(word in each for word in known)} == {"sex", "earned", "जडर"}


def test_a_slash_separates_words_for_the_same_place() -> None:
    assert phrases_of("in/at the school/firm|class") == (
        ("in", "the", "school"),
        ("in", "the", "firm"),
        ("at", "the", "school"),
        ("at", "the", "firm"),
        ("class",),
    )


def test_the_words_that_name_a_topic_are_separate_from_others() -> None:
    """Without the sign between them, each word of a row would name its topic: "Which group are you in?"."""
    rows = [row[:3] for row in PLAIN_ROWS if not all(row[3].partition(" + ")) or "" in row[3].split("|")]
    assert rows == []


def test_all_eleven_languages_have_every_topic() -> None:
    assert LANGUAGES == ("en", "de", "fr", "es", "pt", "it", "zh", "ar", "hi", "sw", "ru")
    assert {(row[0], row[2]) for row in ROWS} >= {
        (name, language) for name in [*TOPICS, "any", "but_sex", *PATTERNS] for language in LANGUAGES
    }


@pytest.mark.parametrize(
    ("kind", "text", "options"),
    [
        ("yes_no", "Sex", ()),
        ("number", "Sex", ()),
        ("single", "Sex", ("Never", "Once", "Often")),
        ("multi", "In which department do you work?", ("Sales", "Stores")),
        ("yes_no", "City", ()),
        ("single", "Gender", ("Woman", "Man", "Trans woman", "Trans man")),
        ("single", "What is your gender?", ("Woman", "Man", "I have had an abortion")),
        ("single", "In which department do you work?", ("Sales", "The drugs squad")),
        ("number", "How old are you when drunk?", ()),
        ("number", "Tell us: how old were you?", ()),
        ("single", "In which city do you live with your lover?", ("Here", "Elsewhere")),
        ("number", "How old are you? And how often did you steal?", ()),
        ("number", "Have you been raped? How old are you?", ()),
        ("number", "How old are you " * 40, ()),
    ],
)
def test_what_is_not_plain_as_a_whole_stays_protected(kind: str, text: str, options: tuple[str, ...]) -> None:
    assert topic(kind, text, *options) == ""


@pytest.mark.parametrize(
    "text",
    [
        "1. How old are you?",
        "Q3: How old are you today?",
        "A1) Please tell us: how old are you (in years)?",
        "  HOW OLD ARE YOU??  ",
        "Ｈｏｗ  ｏｌｄ are you?",
        "And how old are you*",
    ],
)
def test_codes_signs_and_courtesies_around_a_plain_question_are_ignored(text: str) -> None:
    assert topic("number", text) == "age"


@pytest.mark.parametrize(
    ("language", "kind", "text", "options"),
    [
        ("en", "number", "In which year were you born? (Four digits, e.g. 1978)", ()),
        ("en", "single", "INT.: do not read out. Sex of respondent", ("1 = M", "2 = F", "Refused")),
        ("de", "single", "Noch eine Frage für die Statistik: Sind Sie ein Mann?", ("Mann (1)", "Frau (2)")),
        ("fr", "number", "Ne pas lire, estimer si besoin : âge de la personne interrogée", ()),
        ("es", "single", "Sexo: anote por observación, no pregunte", ("a) Hombre", "b) Mujer")),
        ("it", "single", "Sesso: rilevare a cura dell'intervistatore (non chiedere)", ("1 - M", "2 - F")),
        ("ru", "single", "Пол респондента (не спрашивать)", ("Мужской", "Женский", "Отказ от ответа")),
        ("zh", "single", "受访者性别（访员观察填写，无需提问）", ("A. 男", "B. 女", "不方便透露")),
    ],
)
def test_remarks_on_how_to_answer_and_codes_of_answers_are_ignored(
    language: str, kind: str, text: str, options: tuple[str, ...]
) -> None:
    assert topic(kind, text, *options, language=language) in ("age", "sex")


def test_remarks_count_only_as_whole_sentences_or_brackets() -> None:
    assert topic("number", "Age (do not read out)") == "age"
    assert topic("number", "Age (do not read out when you were first hit)") == ""
    assert topic("number", "Do you read out your age?") == ""
    assert topic("number", "(Do not read out)") == ""


def test_remarks_on_one_of_several_leave_age_and_sex_protected() -> None:
    remark = "(if you have several, choose the one with most hours)"
    assert topic("single", f"In which department do you work? {remark}", "Sales", "Stores") == "work"
    assert topic("number", f"Age {remark}") == ""
    assert topic("single", f"Sex {remark}", "Men", "Women") == ""


def test_a_word_such_as_currently_may_occur_anywhere_except_in_a_question_about_sex() -> None:
    assert topic("single", "Which unit do you currently mainly work in?", "A", "B") == "work"
    assert topic("number", "Currently, how old are you?") == "age"
    assert topic("yes_no", "Are you currently a woman?") == ""


@pytest.mark.parametrize(
    ("language", "text", "bad"),
    [
        ("en", "Ward or unit (e.g. Maternity, Pharmacy)", "Ward or unit (e.g. where you were sectioned)"),
        ("de", "Ihre Dienststelle (z. B. Bauhof)", "Ihre Dienststelle (z. B. als Sie kündigten)"),
        ("fr", "UFR (par exemple Lettres)", "UFR (par exemple celle qui vous a exclue)"),
        ("es", "Departamento (p. ej., Logística)", "Departamento (p. ej., cuando le despidieron)"),
        ("it", "Ufficio (ad es. Anagrafe)", "Ufficio (ad es. quello che l'ha licenziata)"),
        ("ru", "Факультет (например, физический)", "Факультет (например, где вас били)"),
        ("zh", "所在部门（例如后勤处）", "所在部门（例如您被打的地方）"),
    ],
)
def test_examples_of_a_name_need_not_be_listed_unless_they_could_change_the_question(
    language: str, text: str, bad: str
) -> None:
    assert topic("single", text, "A", "B", language=language)
    assert topic("single", bad, "A", "B", language=language) == ""


def test_examples_of_ages_and_sexes_are_read_word_by_word() -> None:
    assert topic("number", "Age (e.g. maternity)") == ""
    assert topic("number", "Year of birth (e.g. 1985)") == "age"


@pytest.mark.parametrize(
    ("language", "text", "bad"),
    [
        ("en", "So that we can compare shifts, how old are you?", "So that we can compare him, how old?"),
        ("de", "Um Werke zu vergleichen: Wie alt sind Sie?", "Um Täter zu vergleichen: Wie alt?"),
        ("fr", "Afin de comparer les sites : votre âge ?", "Afin de comparer vos amants : âge ?"),
        ("es", "Para comparar plantillas, ¿cuál es su edad?", "Para comparar a sus hijos, ¿edad?"),
        ("it", "Per confrontare le sedi, quanti anni ha?", "Per confrontare i suoi amanti, quanti anni?"),
        ("ru", "Для сравнения цехов просим указать возраст.", "Для сравнения ваших врагов укажите возраст."),
        ("zh", "为便于统计各厂意见，请填写年龄", "为便于统计打您的人，请填写年龄"),
    ],
)
def test_what_the_answer_is_for_need_not_be_listed_unless_it_could_change_the_question(
    language: str, text: str, bad: str
) -> None:
    assert topic("number", text, language=language) == "age"
    assert topic("number", bad, language=language) == ""


@pytest.mark.parametrize(
    ("language", "text", "bad"),
    [
        ("en", "Sex as recorded in the staff register", "Sex as recorded at birth"),
        ("de", "Geschlecht laut Personalakte", "Geschlecht laut Geburtsurkunde"),
        ("fr", "Sexe indiqué sur votre contrat", "Sexe indiqué sur votre carte d'identité"),
        ("es", "Sexo según su contrato", "Sexo según su DNI"),
        ("it", "Sesso secondo il contratto", "Sesso secondo la carta d'identità"),
        ("ru", "Пол согласно штатному расписанию", "Пол по паспорту"),
        ("zh", "性别（以人事档案为准）", "性别（以身份证为准）"),
    ],
)
def test_a_record_of_sex_is_plain_if_it_is_the_employers(language: str, text: str, bad: str) -> None:
    """Sex on identity papers and sex in life tell who has changed it."""
    assert topic("single", text, *SEXES[language], language=language) == "sex"
    assert topic("single", bad, *SEXES[language], language=language) == ""


def test_identity_papers_may_state_an_age() -> None:
    assert topic("number", "出生年月（按身份证填写）", language="zh") == "age"
    assert topic("single", "Region, as recorded in your criminal record", "A", "B") == ""


def test_a_department_with_a_sensitive_name_is_an_answer_only_to_a_question_about_work_or_study() -> None:
    wards = ("Psychiatry", "Surgery")
    assert topic("single", "Which directorate do you mainly work in?", *wards) == "work"
    assert topic("single", "In which department are you?", *wards) == ""
    assert topic("single", "In which department do you work?", "Psychiatry", "As an escort") == ""
    assert topic("single", "In which faculty are you studying?", "Psychology", "Law") == "schooling"
    assert topic("single", "您在哪个科室工作？", "药剂科", "内科", language="zh") == "work"


@pytest.mark.parametrize(
    ("language", "text", "plain", "bad"),
    [
        ("en", "Region", "The one I live in", "The one I fled from"),
        ("en", "Age", "16 or older", "16, he thinks 18"),
        ("en", "How long have you lived in this city?", "Less than a year", "Since they let me out, 5 years"),
        ("de", "Region", "Dort, wo ich wohne", "Dort, wo ich geschlagen wurde"),
        ("de", "Abteilung", "Möchte ich nicht sagen", "Die, die ich bestohlen habe"),
        ("fr", "Service", "Je ne souhaite pas répondre", "Celui que j'ai volé"),
        ("es", "Región", "Donde vivo", "La que dejé huyendo"),
        ("pt", "Região", "Onde moro", "A que deixei a fugir"),
        ("it", "Regione", "Dove vivo", "Quella da cui sono scappata"),
        ("zh", "地区", "其他", "我逃离的那个"),
        ("ru", "Регион", "Другой", "Тот, откуда я сбежала"),
    ],
)
def test_an_option_that_says_what_happened_keeps_a_question_protected(
    language: str, text: str, plain: str, bad: str
) -> None:
    others = ("18-29", "North")
    assert topic("single", text, *others, plain, language=language)
    assert topic("single", text, *others, bad, language=language) == ""


def test_levels_of_schooling_show_the_topic_of_a_question_that_does_not_name_it() -> None:
    levels = ("une licence", "un master", "un doctorat")
    assert topic("single", "Cette année, je prépare :", *levels, language="fr") == "schooling"
    assert topic("single", "Cette année, je prépare :", "une licence", "un mauvais coup", language="fr") == ""
    assert topic("single", "Where?", "Primary school", "High school") == ""


def test_the_size_of_a_place_shows_the_topic() -> None:
    text, few, many = "Votre commune compte :", "moins de 2 000 habitants", "2 000 habitants ou plus"
    assert topic("single", text, few, "plus", language="fr") == ""
    assert topic("single", text, few, many, language="fr") == "region"


def test_a_question_without_answers_yet_is_plain_if_it_is_for_a_number_or_one_answer() -> None:
    assert topic("", "Your faculty or school") == "work"
    assert topic("", "Sex") == ""
    assert topic("several", "Your faculty or school", "A", "B") == ""


@pytest.mark.parametrize(
    ("language", "text", "bad"),
    [
        ("en", "Gender of the member", "Gender of the member you fancy"),
        ("de", "Geschlecht des Mitglieds", "Geschlecht des Mitglieds, das Ihnen gefällt"),
        ("fr", "Sexe de l'adhérent(e)", "Sexe de l'adhérent qui vous plaît"),
        ("es", "Sexo del socio", "Sexo del socio que le gusta"),
        ("it", "Sesso del socio", "Sesso del socio che le piace"),
        ("ru", "Пол спортсмена", "Пол спортсмена, с которым вы спали"),
        ("zh", "会员本人的性别", "会员喜欢的性别"),
    ],
)
def test_a_word_for_the_person_who_answers_is_left_out(language: str, text: str, bad: str) -> None:
    assert topic("single", text, *SEXES[language], language=language) == "sex"
    assert topic("single", bad, *SEXES[language], language=language) == ""


def test_details_of_a_place_to_which_all_belong_are_left_out_if_they_are_listed() -> None:
    assert topic("single", "Which section of the rowing club do you belong to?", "A", "B") == "work"
    assert topic("single", "Which section of the swingers club do you belong to?", "A", "B") == ""


NON_BINARY: Final = {
    "en": ("Non-binary", "In some other way"), "de": ("nicht-binär", "auf andere Weise"),
    "fr": ("Non binaire", "D'une autre façon"), "es": ("No binario", "De otra forma"),
    "pt": ("Não binário", "De outra forma"), "it": ("Non binario", "In altro modo"),
    "ru": ("Небинарный", "Иначе"), "zh": ("非二元性别", "其他方式"),
}  # fmt: skip


@pytest.mark.parametrize("language", NON_BINARY)
def test_an_answer_between_the_sexes_keeps_a_question_plain_only_among_sexes(language: str) -> None:
    names = {
        "en": "Gender", "de": "Geschlecht", "fr": "Genre", "es": "Género", "pt": "Género", "it": "Genere",
        "ru": "Пол", "zh": "性别",
    }  # fmt: skip
    between, other = NON_BINARY[language]
    options = (*SEXES[language], between)
    for more in ((), (other,)):
        assert topic("single", names[language], *options, *more, language=language) == "sex"
    assert topic("single", names[language], *options, "Trans", language=language) == ""


def test_an_answer_between_the_sexes_looks_sensitive_in_other_questions() -> None:
    assert topic("single", "In which department do you work?", "Sales", "Non-binary") == ""
    assert topic("single", "Which gender are you attracted to?", "Woman", "Man", "Non-binary") == ""


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "en",
            "Which county do you live in? If you have moved recently, give the one where you live now.",
            "region",
        ),
        ("en", "Which county do you live in? If you have moved out, give the old one.", ""),
        ("de", "An welcher Fakultät studieren Sie? Bei mehreren bitte das Hauptfach nennen.", "schooling"),
        ("fr", "Dans quel département vivez-vous (numéro à deux ou trois chiffres) ?", "region"),
        ("es", "¿En qué provincia vive? Si se ha mudado recientemente, indique la actual.", "region"),
        ("it", "In quale comune vive? Se si è trasferito di recente, indichi il principale.", "region"),
        ("ru", "Ваш факультет? Если учитесь на двух факультетах, укажите основной факультет.", "schooling"),
        ("zh", "您就读于哪个学院？如为双学位，请填写主修学院。", "schooling"),
    ],
)
def test_a_sentence_on_which_of_several_to_choose_is_ignored(language: str, text: str, expected: str) -> None:
    assert topic("single", text, "A", "B", language=language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Department or faculty in which you are enrolled", "work"),
        ("en", "In which care unit do you work?", "work"),
        ("en", "In which care unit are you?", ""),
        ("de", "Wohnkanton", "region"),
        ("de", "In welchem Verwaltungsbezirk wohnen Sie?", "region"),
        ("fr", "Dans quelle unité de soins exercez-vous actuellement ?", "work"),
        ("fr", "De quelle unité de soins relevez-vous ?", ""),
        ("es", "¿En qué unidad de cuidados trabaja?", "work"),
        ("es", "Unidad o servicio en que se desempeña", "work"),
        ("it", "In quale unità operativa presta servizio?", "work"),
        ("it", "In quale unità operativa è?", ""),
        ("ru", "Отделение больницы, за которым Вы закреплены", "work"),
        ("ru", "В каком отделении больницы вы?", ""),
        ("ru", "Назовите область, край или республику, где Вы постоянно живёте", "region"),
        ("zh", "您在哪个护理单元工作？", "work"),
        ("zh", "您在哪个护理单元？", ""),
    ],
)
def test_units_of_regions_and_of_care_are_plain_as_a_place_of_home_or_work(
    language: str, text: str, expected: str
) -> None:
    """Care is also what patients receive."""
    assert topic("single", text, "A", "B", language=language) == expected


@pytest.mark.parametrize(
    ("language", "text", "halves"),
    [
        ("en", "Which depots do you work at?", ("Which depots are you at?", "Do you work?")),
        ("de", "Auf welcher Etage arbeiten Sie?", ("Auf welcher Etage sind Sie?", "Arbeiten Sie?")),
        ("fr", "À quel étage travaillez-vous ?", ("À quel étage êtes-vous ?", "Travaillez-vous ?")),
        ("es", "¿En qué planta trabaja?", ("¿En qué planta está?", "¿Trabaja?")),
        ("pt", "Em que piso trabalha?", ("Em que piso está?", "Trabalha?")),
        ("it", "In quale reparto lavora?", ("In quale reparto è?", "Lavora?")),
        ("zh", "您在哪层楼上班？", ("您在哪层楼？", "您上班吗？")),
    ],
)
def test_a_place_is_plain_only_with_words_that_say_that_people_work_there(
    language: str, text: str, halves: tuple[str, ...]
) -> None:
    """Without them, the question may be one to a patient or somebody in a home."""
    assert topic("single", text, "A", "B", language=language) == "work"
    for half in halves:
        for kind in ("", *_KINDS.values()):
            assert topic(kind, half, language=language) == ""


@pytest.mark.parametrize(
    ("language", "text", "bad"),
    [
        ("en", "Before we finish, may I just ask how old you are?", "May I just ask how old you were then?"),
        ("en", "Finally, would you mind telling us your age?", "First age"),
        (
            "de",
            "Dürfte ich noch kurz fragen, wie alt Sie sind?",
            "Dürfte ich fragen, wie alt Sie damals waren?",
        ),
        ("fr", "Avant de terminer, pourrait-on savoir votre âge ?", "Pourrait-on savoir votre premier âge ?"),
        ("es", "Antes de terminar, ¿nos podría decir su edad?", "¿Nos podría decir su primera edad?"),
        ("pt", "Antes de terminar, podia dizer-nos a sua idade?", "Podia dizer-nos a sua primeira idade?"),
        ("it", "Prima di finire, posso chiederle quanti anni ha?", "Posso chiederle a che età ha finito?"),
        ("zh", "最后，能否告知我们您的年龄？", "能否告知我们您初次的年龄？"),
    ],
)
def test_a_courtesy_in_front_of_a_question_is_ignored(language: str, text: str, bad: str) -> None:
    assert topic("number", text, language=language) == "age"
    assert topic("number", bad, language=language) == ""


def test_a_courtesy_counts_only_in_front_of_a_question() -> None:
    assert topic("single", "May I ask your sex?", "Male", "Female") == "sex"
    assert topic("single", "Your sex before we start", "Male", "Female") == ""


@pytest.mark.parametrize(
    ("language", "text", "answers", "bad"),
    [
        ("en", "You mostly work:", ("mornings", "nights"), "on the street"),
        ("de", "Sie arbeiten meistens", ("morgens", "nachts"), "auf der Straße"),
        ("fr", "Vous travaillez le plus souvent :", ("le matin", "la nuit"), "dans la rue"),
        ("es", "Jornada laboral", ("completa", "parcial"), "en la calle"),
        ("pt", "Regime de trabalho", ("tempo integral", "meio período"), "na rua"),
        ("it", "Orario di lavoro", ("tempo pieno", "tempo parziale"), "in strada"),
        ("zh", "您的身份", ("工人", "职员"), "妓女"),
    ],
)
def test_kinds_of_posts_show_that_a_question_is_about_work(
    language: str, text: str, answers: tuple[str, ...], bad: str
) -> None:
    assert topic("single", text, *answers, language=language) == "work"
    assert topic("single", text, *answers, bad, language=language) == ""


@pytest.mark.parametrize(
    ("language", "text", "bad"),
    [
        ("en", "Which grade did you finish?", "Did you finish the grade?"),
        ("de", "Welche Klasse haben Sie zuletzt besucht?", "Haben Sie die Klasse besucht?"),
        ("fr", "Quel diplôme avez-vous obtenu ?", "Avez-vous obtenu le diplôme ?"),
        ("es", "¿Qué título obtuvo?", "¿Obtuvo el título?"),
        ("pt", "Que diploma obteve?", "Obteve o diploma?"),
        ("it", "Quale diploma ha conseguito?", "Ha conseguito il diploma?"),
    ],
)
def test_what_was_completed_is_plain_but_not_whether_it_was(language: str, text: str, bad: str) -> None:
    assert topic("single", text, "A", "B", language=language) == "schooling"
    assert topic("single", bad, "A", "B", language=language) == ""


@pytest.mark.parametrize(
    ("language", "text", "bad"),
    [
        ("en", "Which part of Northumbria do you live in?", "Which part of the scene do you live in?"),
        ("de", "In welchem Ortsteil von Dettelbach wohnen Sie?", "Auf welcher Seite der Szene wohnen Sie?"),
        ("fr", "Dans quel quartier de Vierzon habitez-vous ?", "Dans quel quartier de Vierzon dormez-vous ?"),
        ("es", "¿En qué barrio de Teruel vive?", "¿En qué barrio de Teruel compra?"),
        ("pt", "Em que freguesia de Tomar mora?", "Em que lado da cena mora?"),
        ("it", "In quale quartiere di Udine abita?", "In quale quartiere di Udine compra?"),
    ],
)
def test_the_name_of_a_place_need_not_be_listed_behind_one_of_its_parts(
    language: str, text: str, bad: str
) -> None:
    assert topic("single", text, "A", "B", language=language) == "region"
    assert topic("single", bad, "A", "B", language=language) == ""
    assert topic("yes_no", text, language=language) == ""


def test_a_name_has_a_capital_letter_and_nothing_sensitive() -> None:
    for text in ("Which part of northumbria do you live in?", "Which part of Detention do you live in?"):
        assert topic("single", text, "A", "B") == ""
    assert topic("single", "WHICH PART OF NORTHUMBRIA DO YOU LIVE IN?", "A", "B") == ""


@pytest.mark.parametrize(
    ("language", "text", "answers", "expected"),
    [
        ("pt", "Idade / Age", (), "age"),
        ("en", "How old are you? / ¿Cuántos años tiene?", (), "age"),
        ("zh", "性别 / Sex", ("男 / Male", "女 / Female"), "sex"),
        ("de", "Geschlecht\nSexe", ("weiblich / femme", "männlich / homme"), "sex"),
        ("en", "Age / Âge de la première fois", (), ""),
        ("en", "Age / Have you stolen?", (), ""),
        ("zh", "性别 / Sex", ("男 / Male", "女 / Ex-con"), ""),
    ],
)
def test_a_question_in_two_languages_is_plain_if_each_part_is(
    language: str, text: str, answers: tuple[str, ...], expected: str
) -> None:
    kind = "single" if answers else "number"
    assert topic(kind, text, *answers, language=language) == expected


FRAMES: Final = {
    "en": (
        "In which {} do you work?|I work in the following {}:|Which of our {}s do you work in?",
        "department|team|ward|depot",
    ),
    "de": (
        "In welcher {} arbeitest du?|Ich arbeite in dieser {}:|Darf ich fragen, in welcher {} Sie arbeiten?",
        "Abteilung|Filiale|Einheit|Küche",
    ),
    "fr": (
        "Dans quel {} travaillez-vous ?|Je travaille dans le {} suivant :|Dans quel {} est votre poste ?",
        "service|pôle|atelier|magasin",
    ),
    "es": (
        "¿En qué {} trabajas?|Trabajo en este {}:|¿Cómo se llama el {} donde trabaja?",
        "departamento|taller|turno|almacén",
    ),
    "pt": (
        "Em que {} trabalha?|Em que {} fica o seu posto?|Diga-nos em que {} trabalha.",
        "departamento|setor|turno|armazém",
    ),
    "it": (
        "In quale {} lavori?|Lavoro nel seguente {}:|Come si chiama il {} in cui lavora?",
        "reparto|dipartimento|settore|magazzino",
    ),
    "zh": ("您在哪个{}工作？|我在以下{}工作：|您的岗位在哪个{}？", "部门|车间|门店|科室"),
}  # fmt: skip


@pytest.mark.parametrize("language", FRAMES)
def test_each_frame_is_plain_with_each_noun(language: str) -> None:
    frames, nouns = (each.split("|") for each in FRAMES[language])
    texts = [frame.format(noun) for frame in frames for noun in nouns]
    assert [text for text in texts if topic("single", text, "A", "B", language=language) != "work"] == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "How old were you when you left full-time education?"),
        ("de", "Wie alt waren Sie, als Sie Ihre Ausbildung abgeschlossen haben?"),
        ("fr", "À quel âge avez-vous terminé vos études ?"),
        ("es", "¿A qué edad terminó sus estudios?"),
        ("pt", "Com que idade terminou os estudos?"),
        ("it", "A che età ha terminato gli studi?"),
        ("ru", "В каком возрасте вы окончили школу?"),
        ("zh", "您几岁离开学校？"),
    ],
)
def test_the_age_at_which_schooling_ended_is_plain(language: str, text: str) -> None:
    assert topic("single", text, "15", "16", language=language) == "schooling"
    assert topic("number", "How old were you when you left school because you were pregnant?") == ""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "With which gender do you identify?"),
        ("de", "Mit welchem Geschlecht identifizieren Sie sich?"),
        ("fr", "À quel genre vous identifiez-vous ?"),
        ("es", "¿Con qué género se identifica?"),
        ("es", "Indique su sexo marcando con una X:"),
        ("pt", "Com que género se identifica?"),
        ("it", "Con quale genere si identifica?"),
        ("ru", "С каким полом вы себя идентифицируете?"),
        ("zh", "您认同的性别是？"),
    ],
)
def test_a_question_about_sex_may_ask_how_people_describe_themselves(language: str, text: str) -> None:
    assert topic("single", text, *SEXES[language], language=language) == "sex"
    assert topic("yes_no", text, language=language) == ""


@pytest.mark.parametrize(
    ("text", "answers", "expected"),
    [
        ("請問您的性別是？", SEXES["zh"], "sex"),
        ("您的年齡區間為何？", ("18-29歲", "30歲以上"), "age"),
        ("您目前任職於哪個部門？", ("業務", "行政"), "work"),
        ("您的服務年資", ("1年以下", "1年以上"), "work"),
        ("您居住的鄉鎮市區", ("A", "B"), "region"),
        ("您的最高學歷是？", ("高中職", "大學"), "schooling"),
        ("您在哪個縣市買過毒品？", ("A", "B"), ""),
        ("您為何住在這個縣市？", ("A", "B"), ""),
        ("您的服務類別為何？", ("A", "B"), ""),
        ("您喜歡的性別為何？", SEXES["zh"], ""),
        ("您在哪個單位接受服務？", ("A", "B"), ""),
        ("您在哪個部門工作？", ("業務", "被關進監獄"), ""),
    ],
)
def test_traditional_characters_are_read_as_simplified_ones(
    text: str, answers: tuple[str, ...], expected: str
) -> None:
    assert plain_topic("single", {"zh-hant": text}, [{"zh-hant": each} for each in answers]) == expected


def test_sensitive_words_are_found_in_traditional_characters() -> None:
    for text in ("您曾被強暴嗎？", "他毆打您嗎？", "您墮胎過嗎？", "您是否懷孕？", "他威脅您嗎？"):
        assert sensitive_words([{"zh-hant": text}])
    assert harm_words([{"zh-hant": "有人毆打您嗎？"}])


def test_the_place_where_people_live_may_be_described() -> None:
    text = "Would you describe the place where you live as ..."
    assert topic("single", text, "A big city", "A town or small city") == "region"


_HEAD, _SENSITIVE, _PLAIN, _NEAR = (
    Path(__file__).with_name("background_questions.txt").read_text(encoding="utf-8").strip().split("\n\n")
)
SENSITIVE, PLAIN = (
    [line.partition("\t")[::2] for line in text.split("\n")[1:]] for text in (_SENSITIVE, _PLAIN)
)
NEAR: Final = [line.split("\t") for line in _NEAR.split("\n")[1:]]


def test_a_sensitive_question_with_a_word_for_age_place_or_family_stays_protected() -> None:
    opened = [
        (text, kind)
        for language, text in SENSITIVE
        for tag in (language, "und")
        for kind in ("", *_KINDS.values())
        if topic(kind, text, *(["A", "B"] if kind == "single" else ()), language=tag)
    ]
    assert opened == []


def test_a_question_made_of_plain_words_that_asks_for_something_else_stays_protected() -> None:
    opened = []
    for language, kinds, line in NEAR:
        text, *options = line.split("|")
        for kind in [*(_KINDS[letter] for letter in kinds), *([] if options else [""])]:
            if topic(kind, text, *(options if kind == "single" else ()), language=language):
                opened.append((text, kind))
    assert opened == []


@pytest.mark.parametrize(
    ("language", "heading", "plain"),
    [
        ("en", "Who you are", True),
        ("en", "Where you live and work", True),
        ("en", "Colleagues", True),
        ("en", "Where they treat you badly", False),
        ("en", "Who gets on whose nerves", False),
        ("de", "Wo Sie wohnen", True),
        ("de", "Mit wem Sie etwas hatten", False),
        ("fr", "Avec qui vous avez couché", False),
        ("es", "De dónde huyó", False),
        ("it", "Dove vive", True),
        ("it", "Con chi è scappata", False),
        ("ru", "С кем вы спали", False),
        ("zh", "您住在哪里", True),
        ("zh", "谁骂您", False),
    ],
)
def test_a_heading_that_says_who_or_where_must_consist_of_plain_words(
    language: str, heading: str, plain: bool
) -> None:
    texts = {
        "en": "Team",
        "de": "Team",
        "fr": "Équipe",
        "es": "Equipo",
        "it": "Ufficio",
        "ru": "Отдел",
        "zh": "部门",
    }
    around = [{language: heading}]
    assert bool(topic("single", texts[language], "A", "B", language=language, around=around)) == plain


@pytest.mark.parametrize("heading", ["Your first time", "The relationship you are in"])
def test_a_heading_about_an_event_or_another_person_keeps_age_and_sex_protected(heading: str) -> None:
    assert topic("number", "Age", around=[{"en": heading}]) == ""
    assert topic("single", "Sex", "Male", "Female", around=[{"en": heading}]) == ""


def test_most_plain_questions_are_proposed_as_stored() -> None:
    assert (len(SENSITIVE), len(PLAIN)) == (350, 979)
    found = []
    for language, line in PLAIN:
        text, *options = line.split("|")
        kind = options[0] if options in (["number"], ["yes_no"]) else "single"
        found.append(topic(kind, text, *(options if kind == "single" else ()), language=language))
    assert len([each for each in found if each]) >= 0.9 * len(PLAIN)


@pytest.mark.parametrize(
    ("around", "plain"),
    [
        ({"en": "Background"}, True),
        ({"en": "Sexual violence"}, False),
        ({"en": "Did your husband beat you?"}, False),
        ({"fr": "Questions générales"}, True),
        ({"zh-hans": "家暴"}, False),
        ({}, True),
    ],
)
def test_a_sensitive_heading_help_or_condition_keeps_a_plain_question_protected(
    around: dict[str, str], plain: bool
) -> None:
    assert bool(topic("number", "Age", around=[around])) == plain


@pytest.mark.parametrize(
    ("texts", "plain"),
    [
        ({"en": "How old are you?", "de": "Wie alt sind Sie?"}, True),
        ({"en": "How old are you?", "de": "Haben Sie gestohlen?"}, False),
        ({"en": "How old are you?", "ha": "Shekarunka nawa?"}, False),
        ({"en": "How old are you?", "ha": "How old are you?"}, True),
        ({"en": "How old are you?", "ha": ""}, True),
        ({"en": "How old are you?", "zh-hans": "How old are you?"}, True),
        ({"en": "How old are you?", "zh-hans": "¿Cuántos años tiene?"}, False),
        ({"ha": "Shekarunka nawa?"}, False),
        ({"und": "¿Cuántos años tiene?"}, True),
        ({"en": "How old are you?", "und": "¿Ha robado?"}, False),
        ({"en": " "}, False),
        ({}, False),
    ],
)
def test_each_language_has_to_be_read_and_plain(texts: dict[str, str], plain: bool) -> None:
    assert bool(why_stored("number", texts)) == plain


def test_texts_in_other_languages_are_known_to_be_unread() -> None:
    assert is_readable({"ha": " ", "en-gb": "How old are you?"})
    assert not is_readable({"ha": "Shekarunka nawa?", "en-gb": "How old are you?"})
    assert not is_readable({"ha": "Shekarunka nawa?", "en": ""})


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Transport department"),
        ("en", "Essex"),
        ("en", "Secretary"),
        ("fr", "Secrétariat"),
        ("fr", "Mention bien"),
        ("es", "Secretaría"),
        ("it", "Segreteria"),
        ("de", "Transportwesen"),
        ("es", "Transporte"),
        ("zh-hans", "女性"),
        ("zh-hans", "个性"),
        ("en", ""),
    ],
)
def test_ordinary_words_do_not_look_sensitive(language: str, text: str) -> None:
    assert sensitive_words([{language: text}]) == ""


@pytest.mark.soak
def test_searching_for_sensitive_words_takes_linear_time() -> None:
    patterns = [re.compile(row[3]) for row in ROWS if row[0] in (*PATTERNS, *OF_SOME_LANGUAGES)]
    patterns += [
        pattern
        for meaning in ("example", "purpose", "source", "identity")
        for language in LANGUAGES
        for pattern in _aside_patterns(meaning, language)
    ]
    assert [
        pattern.pattern[:40] for pattern in patterns if worst_growth(pattern, "search")[0] > MOST_GROWTH
    ] == []
