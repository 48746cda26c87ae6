"""Yes and no are assumed only if the main clause of a question asks for them."""

from typing import Final

import pytest

from surveys.imports.words.yes_no_questions import asks_yes_or_no, begins_with_yes_or_no, has_rule

YES: Final = {
    "en": [
        "Have you ever lied about how many drinks you had?",
        "Does your partner know how many hours you play?",
        "Do you smoke?",
        "Have you ever been hit, slapped or kicked?",
        "Since your 18th birthday, has anybody forced you to have sex?",
        "In the past year, did you use any drug?",
        "If yes, did you report it?",
        "Isn't it hard?",
        "When you drink, do you get angry?",
        "Ever smoked a pipe?",
        "Would you tell a doctor?",
        "Has your current or former partner ever pushed you?",
        "Is your youngest child from another man?",
    ],
    "de": [
        "Haben Sie Ihrem Partner verschwiegen, wie viel Sie verloren haben?",
        "Ihr Partner weiß, wie viel Sie verdienen?",
        "Haben Sie Ihren Chef belogen?",
        "Hat Ihr Partner Sie geschlagen?",
        "Wurden Sie im letzten Jahr bedroht?",
        "Seit Ihrem 18. Geburtstag, hat jemand Sie gezwungen?",
        "Rauchen Sie?",
        "Falls ja, haben Sie es gemeldet?",
        "Gab es schon einmal Streit?",
    ],
    "fr": [
        "Vos enfants savent-ils combien de cigarettes vous fumez ?",
        "Est-ce que quelqu'un a demandé combien ?",
        "Avez-vous été insulté(e) au travail ?",
        "Est-ce que vous fumez ?",
        "Quelqu'un vous a-t-il frappé ?",
        "Votre partenaire vous a-t-il menacée ?",
        "Si oui, l'avez-vous signalé ?",
        "Vous êtes-vous déjà drogué ?",
    ],
    "es": [
        "¿Sus hijos saben cuántos cigarrillos fuma?",
        "¿Diría a su médico cuántas pastillas toma?",
        "¿Ha mentido a su jefe?",
        "¿Alguna vez le han pegado?",
        "En los últimos 12 meses, ¿ha fumado?",
        "¿Le ha pegado alguien?",
        "¿Es usted fumador?",
    ],
    "ru": [
        "Знает ли ваша семья, сколько часов вы играете?",
        "Кто-нибудь бил вас?",
        "Курите ли вы?",
        "Вы лгали начальнику?",
        "Били ли вас хоть раз?",
        "У вас есть дети?",
    ],
    "pt": [
        "Você já escondeu da família quantas horas joga?",
        "Já mentiu ao seu chefe?",
        "Você já usou drogas?",
        "Tem medo de alguém?",
        "Alguém lhe bateu?",
    ],
    "it": [
        "I suoi figli sanno quante sigarette fuma?",
        "Direbbe al medico quanto beve?",
        "Ha mai rubato qualcosa?",
        "È mai stata minacciata?",
        "E' mai stato arrestato?",
        "Nell'ultimo anno, qualcuno l'ha aggredita?",
        "Se sì, l'ha denunciato?",
        "Il suo capo l'ha mai minacciata?",
        "Le è mai capitato di mentire?",
        "Sei iscritto all'università?",
        "Lavora di notte?",
        "Lei fuma?",
    ],
    "zh": [
        "你是否隐瞒过自己输了多少钱？",
        "你的家人知道你每天玩几个小时吗？",
        "您知道什么是HIV吗？",
        "您吸烟吗？",
        "您是否打过孩子？",
        "你有没有骗过老板？",
    ],
    "pl": ["Czy pali Pan?", "Czy ktoś wie, ile godzin Pan gra?"],
}

NO: Final = {
    "en": [
        "Do you smoke? How many a day?",
        "Do you drink, and if so how many glasses?",
        "Over the last 2 weeks, how often have you felt low?",
        "During your last visit, which drugs did you take?",
        "Apart from your partner, who has hit you?",
        "Are you single, married or divorced?",
        "Would you say your health is good, fair or poor?",
        "Your weight in kg?",
        "How often, if ever, do you drink?",
        "When, if ever, did you last take drugs?",
        "Do you live alone or with others?",
        "Can you tell us how often you drink?",
        "Bad?",
        "On a scale from 1 to 10, how happy are you?",
        "And with whom?",
        "Have you smoked, and how much?",
        "Please rate your mood",
        "The last time you drank?",
        "You smoke?",
        "Did you come by car or by train?",
        "What have you taken?",
    ],
    "de": [
        "Haben Sie Kinder, und wie viele?",
        "Denken Sie an gestern. Wie viele Stunden waren es?",
        "Wie oft haben Sie gelogen?",
        "In welcher Stadt wohnen Sie?",
        "Sind Sie ledig oder verheiratet?",
        "Mit wem haben Sie gesprochen?",
        "Ihr Gewicht in kg?",
        "Wenn ja, wie oft?",
        "Bitte geben Sie Ihr Alter an",
        "Seit wann rauchen Sie?",
        "Können Sie uns sagen, wie oft?",
        "Was haben Sie genommen?",
        "Postleitzahl Ihres Wohnorts",
    ],
    "fr": [
        "Vous habitez où ?",
        "Vous êtes de quelle nationalité ?",
        "Savez-vous combien il gagne ?",
        "Combien de fois avez-vous menti ?",
        "À quelle fréquence ?",
        "Qui vous a insulté(e) ?",
        "Êtes-vous célibataire ou marié ?",
        "Depuis combien de temps fumez-vous ?",
        "Quand avez-vous arrêté ?",
        "Pouvez-vous nous dire combien ?",
        "Votre poids ?",
        "Qu'avez-vous pris ?",
    ],
    "es": [
        "¿Tiene hijos y cuántos?",
        "¿Sabe usted cuántas son?",
        "¿Cuántas veces ha mentido?",
        "¿Es usted soltero o casado?",
        "¿Con quién ha hablado?",
        "¿Qué ha tomado?",
        "Su peso en kg",
    ],
    "ru": [
        "Вы курите, сколько сигарет в день?",
        "Ваш возраст?",
        "Как часто вы курите?",
        "Вы пьёте чай или кофе?",
        "Кто вас бил?",
        "Если да, сколько раз?",
    ],
    "pt": [
        "Tem filhos e quantos?",
        "Categoria profissional?",
        "Quantas vezes mentiu?",
        "É solteiro ou casado?",
        "O que tomou?",
        "Com quem falou?",
    ],
    "it": [
        "Ha figli e quanti?",
        "Quante volte ha mentito?",
        "È celibe o sposato?",
        "Con chi ha parlato?",
        "Può dirci quante volte beve?",
        "Se sì, da quando?",
        "Chi l'ha picchiata?",
        "Dov'è successo?",
        "Il suo peso in kg",
        "Sei mesi fa?",
        "Ha fumato, e quanto?",
        "Luogo di nascita?",
    ],
    "zh": [
        "您有没有孩子，有几个？",
        "您能告诉我您有几个孩子吗？",
        "以下哪些情况您是否有过？",
        "您喝酒还是抽烟？",
        "您多久喝一次酒？",
        "您跟谁说过？",
    ],
    "pl": ["Czy woli Pan kawę czy herbatę?", "Ile Pan pali?", "Czy wie Pan, ile kosztuje bilet?"],
    "sw": ["Je, umewahi?"],
}


@pytest.mark.parametrize(("tag", "text"), [(tag, text) for tag, texts in YES.items() for text in texts])
def test_questions_whose_main_clause_begins_with_a_verb_are_asked_as_yes_or_no(tag: str, text: str) -> None:
    assert asks_yes_or_no(tag, text)


@pytest.mark.parametrize(("tag", "text"), [(tag, text) for tag, texts in NO.items() for text in texts])
def test_questions_that_yes_or_no_may_not_answer_are_not(tag: str, text: str) -> None:
    assert not asks_yes_or_no(tag, text)


def test_the_rule_reads_nine_languages() -> None:
    tags = ("en", "de", "fr", "es", "pt", "it", "ru", "pl", "zh-hans", "sw", "und", "")
    assert [tag for tag in tags if not has_rule(tag)] == ["sw", "und", ""]


def test_a_chinese_question_for_a_length_is_not_answered_with_yes_or_no() -> None:
    assert not asks_yes_or_no("zh", "你每天玩手机多长时间？", is_stated=True)
    assert not asks_yes_or_no("zh", "您家离公司多远？", is_stated=True)


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("en", "In total, how many days were you ill?"),
        ("en", "Can you say how many cigarettes you smoke?"),
        ("de", "Wenn Sie trinken, wie viele Gläser trinken Sie?"),
        ("de", "Denken Sie an gestern. Wie viele Stunden waren es?"),
        ("de", "Sagen Sie uns bitte, wie viele Kinder Sie haben."),
        ("fr", "La semaine dernière combien de verres a-t-il bu ?"),
        ("fr", "Vous dormez combien d'heures ?"),
        ("es", "¿Usted cuántos hijos tiene?"),
        ("ru", "У вас сколько детей?"),
        ("zh", "您觉得每天喝几杯酒算多？"),
        ("sw", "Je, umewahi?"),
    ],
)
def test_a_question_word_of_the_main_clause_asks_for_no_yes_or_no(tag: str, text: str) -> None:
    assert not begins_with_yes_or_no(tag, text)


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("en", "Do you smoke? How many a day?"),
        ("de", "Wissen Sie, wie viele es waren?"),
        ("fr", "Vous avez déjà caché combien vous buvez ?"),
        ("zh", "您有没有孩子，有几个？"),
    ],
)
def test_a_question_for_yes_or_no_may_precede_a_question_word(tag: str, text: str) -> None:
    assert begins_with_yes_or_no(tag, text)
