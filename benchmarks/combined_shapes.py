"""Read generated questionnaires, which combine marks and places that people use, and count misreadings.

    python -m benchmarks.combined_shapes COUNT [--seed NUMBER] [--show NUMBER]

Texts by authors show one kind of fault at a time, and seldom two unusual ones together. Here each text draws
its language, the marks of its questions and answers, where answers and instructions are, and how a space to
write looks, independently of each other. Since the script builds the text, it knows what a person finds in
it. It prints for each choice how many texts were right, flagged, marked and silent (see `benchmarks.shapes`),
the worst first, and the numbers of the silent texts. ``--show`` prints one text and its deviations.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.shapes import VERDICTS, Result, Shape, result_of, shape_of
from surveys.imports.pasted_text import read_paste

Choices = Mapping[str, Any]
"""The choice of each name: ``language``, ``mark``, ``place``, ``form`` and others."""


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
    open: str


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
    ),
}
MARKS: Final = (
    "{}. ", "{}) ", "Q{}. ", "Q{}: ", "({}) ", "{} - ", "{}/ ", "W {}: ", "W {}\n", "**{}.** ", "- ", "• ",
    "", "{}.", ">> ", "[{}] ", "# ", "### {}. ",
)  # fmt: skip
"""In front of questions; W is a word such as *Question*."""
EASTERN: Final = ("{}、", "{}．", "第{}题 ")
WESTERN: Final = ("{}° ", "No. {} ")
BELOW: Final = (
    "☐ ", "□ ", "( ) ", "[ ] ", "(  ) ", "- ", "• ", "* ", "○ ", "o ", "{a}) ", "{a}. ", "({a}) ", "{n}. ",
    "{n}) ", "{n} ", "({n}) ", "", "{n} = ", "– ", "◯ ", "_ ", "{a}\t", "→ ", "✓ ", "[{n}] ",
)  # fmt: skip
"""In front of answers on lines of their own."""
BETWEEN: Final = (" / ", " | ", "; ", ", ", "   ", "\t", " - ", "/", " // ", " · ")
"""Between answers on one line."""
BEFORE: Final = (
    " ☐ ", " ( ) ", " [ ] ", " • ", " ○ ", " {n}=", " {n} ", " ({n}) ", " {a}) ", " {A}. ", " {n}. ",
)  # fmt: skip
"""In front of each answer on one line."""
BRACKETED: Final = (" / ", ", ", "; ", " | ", "/")
PLACES: Final = ("below", "below", "line", "line below", "brackets")
INSTRUCTED: Final = ("in brackets", "below", "behind", "above")
YES_NO: Final = ("like others", "none", "slash", "boxes")
SPACES: Final = ("____", ".......", "", "[    ]", "________________")


def choices_of(seed: int, number: int) -> dict[str, Any]:
    """Return the choices of a text; the same seed and number give the same.

    Parameters
    ----------
    seed, number : int

    Examples
    --------
    >>> choices_of(1, 1)["place"] in PLACES
    True
    """
    draw = random.Random(f"{seed}/{number}")
    language = draw.choice([*WORDS])
    place = draw.choice(PLACES)
    forms = {"below": BELOW, "brackets": BRACKETED}.get(place, BETWEEN + BEFORE)
    return {
        "language": language,
        "mark": draw.choice(MARKS + (EASTERN if language == "zh" else WESTERN)),
        "place": place,
        "form": draw.choice(forms),
        "is spaced": draw.choice([True, True, False]),
        "indent": draw.choice(["", "   "]),
        "instruction": draw.choice(INSTRUCTED),
        "cue": draw.randrange(3),
        "yes or no": draw.choice(YES_NO),
        "space": draw.choice(SPACES),
        "has title": draw.choice([True, True, False]),
        "order": tuple(draw.sample(range(7), 7)),
    }


def is_readable(choices: Choices) -> bool:
    """Return whether a person can tell questions from answers in a text with these choices."""
    mark, form = _marked(choices, 1).strip(), _numbered(choices["form"], 0).strip()
    is_list = choices["place"] == "below"
    is_bare = not mark and not choices["is spaced"]
    return not (is_bare or (is_list and form == mark))


def _marked(choices: Choices, number: int) -> str:
    word = WORDS[choices["language"]].question
    return str(choices["mark"]).replace("W", word).format(number)


def _numbered(form: str, place: int) -> str:
    """Return the mark of an answer."""
    letters = {"{a}": "abcdefgh"[place], "{A}": "ABCDEFGH"[place], "{n}": str(place + 1)}
    for name, sign in letters.items():
        form = form.replace(name, sign)
    return form


def _on_line(choices: Choices, answers: Sequence[str]) -> str:
    form = choices["form"]
    if form in BETWEEN:
        return str(form).join(answers)
    return "".join(_numbered(form, place) + answer for place, answer in enumerate(answers)).strip()


def _with_answers(choices: Choices, asked: str, answers: Sequence[str], cue: str) -> Iterator[str]:
    """Yield the lines of a question that lists its answers; the cue may be empty."""
    is_chinese = choices["language"] == "zh"
    bracketed = ("（{}）" if is_chinese else " ({})").format(cue)
    where = choices["instruction"] if cue else ""
    place = choices["place"]
    if where == "below" and place in ("line", "brackets"):
        where = "in brackets"
    if where == "above":
        yield bracketed.strip()
    if where == "in brackets":
        asked += bracketed
    if where == "behind":
        asked += f"{cue}。" if is_chinese else f" {cue[0].upper()}{cue[1:]}."
    if place == "line":
        yield f"{asked}   {_on_line(choices, answers)}"
        return
    if place == "brackets":
        yield f"{asked} " + ("（{}）" if is_chinese else "({})").format(_on_line(choices, answers))
        return
    yield asked
    if where == "below":
        yield bracketed.strip()
    if place == "line below":
        yield choices["indent"] + _on_line(choices, answers)
    else:
        for at, answer in enumerate(answers):
            yield choices["indent"] + _numbered(choices["form"], at) + answer


def _binary(choices: Choices, asked: str) -> Iterator[str]:
    yes, no = WORDS[choices["language"]].yes_no
    how = choices["yes or no"]
    if how == "like others":
        yield from _with_answers(choices, asked, (yes, no), "")
    elif how == "boxes":
        yield from (asked, f"☐ {yes}   ☐ {no}")
    else:
        yield asked + (f"  {yes.lower()} / {no.lower()}" if how == "slash" else "")


def combined(choices: Choices) -> Shape:
    """Return the text with these choices, and the questions in it.

    Parameters
    ----------
    choices : mapping
        See `choices_of`.

    Examples
    --------
    >>> shape = combined(choices_of(1, 1))
    >>> len(shape.questions), all(each.text in shape.text for each in shape.questions)
    (7, True)
    """
    words, space = WORDS[choices["language"]], choices["space"]
    cue = words.instructions[choices["cue"]]
    questions: list[tuple[str, dict[str, Any]]] = [
        (words.binary[0], {"kind": "yes_no"}),
        (words.single[0][0], {"kind": "single", "options": [*words.single[0][1]]}),
        (words.several[0], {"kind": "several", "options": [*words.several[1]]}),
        (words.number, {"kind": "number"}),
        (words.binary[1], {"kind": "yes_no"}),
        (words.single[1][0], {"kind": "single", "options": [*words.single[1][1]]}),
        (words.open, {"kind": ["text", "needs"]}),
    ]
    lines = [words.title, ""] if choices["has title"] else []
    expected = []
    for number, place in enumerate(choices["order"], start=1):
        text, members = questions[place]
        asked = _marked(choices, number) + text
        if members["kind"] == "yes_no":
            lines += _binary(choices, asked)
        elif members["kind"] == "number":
            lines.append(f"{asked} {space} {words.unit}" if space else asked)
        elif "options" in members:
            lines += _with_answers(
                choices, asked, members["options"], cue if members["kind"] == "several" else ""
            )
        else:
            lines += [asked, space] if space else [asked]
        lines += [""] if choices["is spaced"] else []
        expected.append({"text": text} | members)
    return shape_of(
        {"name": "combined", "language": choices["language"], "text": "\n".join(lines), "questions": expected}
    )


def results(count: int, seed: int) -> Iterator[tuple[int, Choices, Result]]:
    """Yield the number, choices and result of each readable text."""
    for number in range(count):
        choices = choices_of(seed, number)
        if is_readable(choices):
            shape = combined(choices)
            yield number, choices, result_of(shape, read_paste(shape.text))


def _print(count: int, seed: int) -> None:
    counts: dict[tuple[str, Any], Counter[str]] = defaultdict(Counter)
    silent = []
    for number, choices, result in results(count, seed):
        for name, choice in [("all", ""), *choices.items()]:
            if name not in ("order", "cue"):
                counts[name, choice][result.verdict] += 1
        if result.verdict == "silent":
            silent.append((number, [each.what for each in result.deviations if not each.is_flagged]))
    for (name, choice), own in sorted(
        counts.items(), key=lambda each: (each[0][0] != "all", each[0][0], each[1]["right"] / each[1].total())
    ):
        print(f"{name} {choice!r}: " + ", ".join(f"{own[verdict]} {verdict}" for verdict in VERDICTS))
    for number, what in silent:
        print(f"silent {number}: {'; '.join(what[:3])}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, or one text."""
    parser = argparse.ArgumentParser(description="Read generated questionnaires, and count misreadings.")
    parser.add_argument("count", type=int, help="how many texts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, help="print the text with this number")
    options = parser.parse_args(arguments)
    if options.count < 1:
        parser.error(f"{options.count} texts are none; give a number from 1 on")
    if options.show is None:
        _print(options.count, options.seed)
        return
    shape = combined(choices_of(options.seed, options.show))
    print(shape.text)
    for each in result_of(shape, read_paste(shape.text)).deviations:
        print(each)


if __name__ == "__main__":
    main()
