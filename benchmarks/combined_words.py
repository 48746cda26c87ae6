"""The words of generated questionnaires in six languages (see `benchmarks.combined_shapes`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True)
class Words:
    """The words of a questionnaire in one language."""

    title: str
    question: str
    """A word in front of the number of a question."""
    yes_no: tuple[str, str]
    binary: tuple[str, str]
    """Two questions that yes or no can answer."""
    single: tuple[tuple[str, tuple[str, ...]], ...]
    several: tuple[str, tuple[str, ...]]
    instructions: tuple[str, ...]
    number: str
    unit: str
    span: str
    """The smallest and the largest number."""
    open: str
    opening: tuple[str, str]
    """Two introductions; the second holds a question."""
    sentences: tuple[str, ...]
    """Sentences about how to answer, which may be anywhere."""
    furniture: tuple[str, ...]
    """Lines of a page or a tool."""
    thanks: str
    condition: str
    follow_up: str
    """A question for those who answer the second binary question with yes."""
    go_to: str
    grid: tuple[str, tuple[str, ...], tuple[str, ...]]
    """A question, its items, and the answers that they share."""
    facts: tuple[str, tuple[str, str], tuple[str, tuple[str, ...]], str]
    """A heading, a number with its unit, a choice, and a text, about the respondent."""


WORDS: Final = {
    "en": Words(
        title="Neighbourhood survey",
        question="Question",
        yes_no=("Yes", "No"),
        binary=("Do you live alone?", "Have you ever been robbed here?"),
        single=(
            ("How safe do you feel at night?", ("Very safe", "Fairly safe", "Rather unsafe", "Very unsafe")),
            ("Who do you trust most?", ("My family", "The police", "My neighbours", "Nobody")),
        ),
        several=("What bothers you?", ("Noise", "Rubbish", "Drug dealing", "Dogs")),
        instructions=("tick all that apply", "more than one answer possible", "several answers"),
        number="How many people live in your flat?",
        unit="people",
        open="What should change?",
        opening=(
            "Thank you for your time. The survey takes five minutes.",
            "Why are we asking this? We want to know how people live here. Your answers stay anonymous.",
        ),
        sentences=("Please answer as honestly as you can.", "There are no right or wrong answers."),
        furniture=("Page 2 of 3", "Next", "* Required", "Form B-12/v2", "- 2 -"),
        thanks="Thank you for taking part!",
        condition="If yes",
        follow_up="what was stolen from you?",
        go_to="go to question {}",
        grid=(
            "How much do you agree with the following?",
            ("People here help each other", "I like living here", "The streets are clean"),
            ("Fully", "Mostly", "A little", "Not at all"),
        ),
        facts=("About you", ("Age", "years"), ("Sex", ("female", "male", "other")), "Occupation"),
        span="{} to {}",
    ),
    "de": Words(
        title="Umfrage im Viertel",
        question="Frage",
        yes_no=("Ja", "Nein"),
        binary=("Leben Sie allein?", "Wurden Sie hier schon einmal bestohlen?"),
        single=(
            (
                "Wie sicher fühlen Sie sich nachts?",
                ("Sehr sicher", "Eher sicher", "Eher unsicher", "Sehr unsicher"),
            ),
            ("Wem vertrauen Sie am meisten?", ("Meiner Familie", "Der Polizei", "Den Nachbarn", "Niemandem")),
        ),
        several=("Was stört Sie?", ("Lärm", "Müll", "Drogenhandel", "Hunde")),
        instructions=(
            "Mehrfachnennungen möglich",
            "alles Zutreffende ankreuzen",
            "mehrere Antworten möglich",
        ),
        number="Wie viele Personen wohnen in Ihrer Wohnung?",
        unit="Personen",
        open="Was sollte sich ändern?",
        opening=(
            "Vielen Dank für Ihre Zeit. Die Befragung dauert fünf Minuten.",
            "Warum fragen wir das? Wir möchten wissen, wie man hier lebt. Ihre Antworten bleiben anonym.",
        ),
        sentences=(
            "Bitte antworten Sie so ehrlich wie möglich.",
            "Es gibt keine richtigen oder falschen Antworten.",
        ),
        furniture=("Seite 2 von 3", "Weiter", "* Pflichtfeld", "Bogen B-12/v2", "- 2 -"),
        thanks="Vielen Dank für Ihre Teilnahme!",
        condition="Wenn ja",
        follow_up="was wurde Ihnen gestohlen?",
        go_to="weiter mit Frage {}",
        grid=(
            "Wie sehr stimmen Sie den folgenden Aussagen zu?",
            ("Die Leute hier helfen einander", "Ich lebe gern hier", "Die Straßen sind sauber"),
            ("Völlig", "Eher", "Wenig", "Gar nicht"),
        ),
        facts=(
            "Angaben zur Person",
            ("Alter", "Jahre"),
            ("Geschlecht", ("weiblich", "männlich", "divers")),
            "Beruf",
        ),
        span="{} bis {}",
    ),
    "fr": Words(
        title="Enquête de quartier",
        question="Question",
        yes_no=("Oui", "Non"),
        binary=("Vivez-vous seul ?", "Avez-vous déjà été volé ici ?"),
        single=(
            (
                "Vous sentez-vous en sécurité la nuit ?",
                ("Tout à fait", "Plutôt oui", "Plutôt non", "Pas du tout"),
            ),
            ("À qui faites-vous le plus confiance ?", ("Ma famille", "La police", "Mes voisins", "Personne")),
        ),
        several=(
            "Qu'est-ce qui vous gêne ?",
            ("Le bruit", "Les déchets", "Le trafic de drogue", "Les chiens"),
        ),
        instructions=("plusieurs réponses possibles", "cochez toutes les cases utiles", "plusieurs choix"),
        number="Combien de personnes vivent chez vous ?",
        unit="personnes",
        open="Que faudrait-il changer ?",
        opening=(
            "Merci de votre temps. L'enquête dure cinq minutes.",
            "Pourquoi ces questions ? Nous voulons savoir comment on vit ici. Vos réponses restent anonymes.",
        ),
        sentences=(
            "Merci de répondre le plus franchement possible.",
            "Il n'y a pas de bonne ou de mauvaise réponse.",
        ),
        furniture=("Page 2 sur 3", "Suivant", "* Obligatoire", "Fiche B-12/v2", "- 2 -"),
        thanks="Merci de votre participation !",
        condition="Si oui",
        follow_up="que vous a-t-on volé ?",
        go_to="passez à la question {}",
        grid=(
            "Êtes-vous d'accord avec les phrases suivantes ?",
            ("Les gens d'ici s'entraident", "J'aime vivre ici", "Les rues sont propres"),
            ("Tout à fait d'accord", "Plutôt d'accord", "Plutôt pas d'accord", "Pas du tout d'accord"),
        ),
        facts=("À propos de vous", ("Âge", "ans"), ("Sexe", ("femme", "homme", "autre")), "Profession"),
        span="{} à {}",
    ),
    "es": Words(
        title="Encuesta del barrio",
        question="Pregunta",
        yes_no=("Sí", "No"),
        binary=("¿Vive solo?", "¿Le han robado alguna vez aquí?"),
        single=(
            (
                "¿Se siente seguro por la noche?",
                ("Muy seguro", "Bastante seguro", "Poco seguro", "Nada seguro"),
            ),
            ("¿En quién confía más?", ("Mi familia", "La policía", "Mis vecinos", "Nadie")),
        ),
        several=("¿Qué le molesta?", ("El ruido", "La basura", "La venta de drogas", "Los perros")),
        instructions=(
            "marque todas las que correspondan",
            "varias respuestas posibles",
            "puede elegir varias",
        ),
        number="¿Cuántas personas viven en su piso?",
        unit="personas",
        open="¿Qué debería cambiar?",
        opening=(
            "Gracias por su tiempo. La encuesta dura cinco minutos.",
            "¿Por qué preguntamos esto? Queremos saber cómo se vive aquí. Sus respuestas son anónimas.",
        ),
        sentences=(
            "Responda con la mayor sinceridad posible.",
            "No hay respuestas correctas ni incorrectas.",
        ),
        furniture=("Página 2 de 3", "Siguiente", "* Obligatorio", "Hoja B-12/v2", "- 2 -"),
        thanks="¡Gracias por participar!",
        condition="Si contestó que sí",
        follow_up="¿qué le robaron?",
        go_to="pase a la pregunta {}",
        grid=(
            "¿Está de acuerdo con estas frases?",
            ("La gente de aquí se ayuda", "Me gusta vivir aquí", "Las calles están limpias"),
            ("Muy de acuerdo", "Bastante de acuerdo", "Poco de acuerdo", "Nada de acuerdo"),
        ),
        facts=("Datos personales", ("Edad", "años"), ("Sexo", ("mujer", "hombre", "otro")), "Profesión"),
        span="{} a {}",
    ),
    "it": Words(
        title="Questionario di quartiere",
        question="Domanda",
        yes_no=("Sì", "No"),
        binary=("Vive da solo?", "È mai stato derubato qui?"),
        single=(
            (
                "Quanto si sente sicuro di notte?",
                ("Molto sicuro", "Abbastanza sicuro", "Poco sicuro", "Per niente sicuro"),
            ),
            ("Di chi si fida di più?", ("Della famiglia", "Della polizia", "Dei vicini", "Di nessuno")),
        ),
        several=("Che cosa La disturba?", ("Il rumore", "I rifiuti", "Lo spaccio", "I cani")),
        instructions=(
            "più risposte possibili",
            "segnare tutte le voci che valgono",
            "sono possibili più risposte",
        ),
        number="Quante persone vivono in casa Sua?",
        unit="persone",
        open="Che cosa dovrebbe cambiare?",
        opening=(
            "Grazie del suo tempo. Il questionario dura cinque minuti.",
            "Perché queste domande? Vogliamo sapere come si vive qui. Le risposte restano anonime.",
        ),
        sentences=("Risponda nel modo più sincero possibile.", "Non ci sono risposte giuste o sbagliate."),
        furniture=("Pagina 2 di 3", "Avanti", "* Obbligatorio", "Modulo B-12/v2", "- 2 -"),
        thanks="Grazie per aver partecipato!",
        condition="Se sì",
        follow_up="che cosa Le hanno rubato?",
        go_to="passare alla domanda {}",
        grid=(
            "Quanto è d'accordo con queste frasi?",
            ("La gente qui si aiuta", "Mi piace vivere qui", "Le strade sono pulite"),
            ("Del tutto", "Abbastanza", "Poco", "Per niente"),
        ),
        facts=("Dati personali", ("Età", "anni"), ("Sesso", ("donna", "uomo", "altro")), "Professione"),
        span="da {} a {}",
    ),
    "zh": Words(
        title="社区调查",
        question="问题",
        yes_no=("是", "否"),
        binary=("您一个人住吗？", "您在这里被偷过东西吗？"),
        single=(
            ("您晚上觉得安全吗？", ("很安全", "比较安全", "不太安全", "很不安全")),
            ("您最信任谁？", ("家人", "警察", "邻居", "谁也不信")),
        ),
        several=("什么让您烦恼？", ("噪音", "垃圾", "毒品交易", "狗")),
        instructions=("可多选", "多选", "可选多项"),
        number="您家住几口人？",
        unit="人",
        open="您觉得应该改变什么？",
        opening=(
            "感谢您抽出时间。本次调查约需五分钟。",
            "为什么要问这些？我们想了解大家在这里的生活。您的回答将严格保密。",
        ),
        sentences=("请如实回答。", "答案没有对错之分。"),
        furniture=("第2页 共3页", "下一页", "*必填", "表号：B-12/v2", "- 2 -"),
        thanks="感谢您的参与！",
        condition="如果是",
        follow_up="被偷了什么？",
        go_to="跳至第{}题",
        grid=(
            "您同意下列说法吗？",
            ("这里的人互相帮助", "我喜欢住在这里", "街道很干净"),
            ("完全同意", "比较同意", "不太同意", "完全不同意"),
        ),
        facts=("基本信息", ("年龄", "岁"), ("性别", ("女", "男", "其他")), "职业"),
        span="{}到{}",
    ),
}
