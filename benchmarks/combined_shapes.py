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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final

from benchmarks.combined_words import WORDS
from benchmarks.shapes import VERDICTS, Result, Shape, result_of, shape_of
from surveys.imports.pasted_text import read_paste

Choices = Mapping[str, Any]
"""The choice of each name: ``language``, ``mark``, ``place``, ``form`` and others."""

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
CONDITIONS: Final = ("front", "brackets in front", "line above", "brackets behind", "jump")
"""Where a text says that only some people are asked a question."""
GRIDS: Final = ("tabs", "numbers", "pipes", "letters")
RANGES: Final = ("in brackets", "behind")
_MIDDLE: Final = 3
"""How many questions are above what is between questions."""
_OF_ONE_LANGUAGE: Final = ("question", "span", "furniture")
ORDINARY: Final = "none"
"""The choice of texts without an opening, a grid and so on."""


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
        "opening": _seldom(draw, (0, 1)),
        "sentence": _seldom(draw, ("first", "between", "last")),
        "furniture": _seldom(draw, range(5)),
        "condition": _seldom(draw, CONDITIONS),
        "grid": _seldom(draw, GRIDS),
        "facts": _seldom(draw, ("first", "last")),
        "range": _seldom(draw, RANGES),
        "second language": _seldom(draw, [each for each in WORDS if each != language], one_in=6),
    }


def _seldom(draw: random.Random, values: Sequence[Any], one_in: int = 3) -> Any:
    """Draw a value in some texts, and `ORDINARY` in the others."""
    return draw.choice(values) if draw.randrange(one_in) == 0 else ORDINARY


def is_readable(choices: Choices) -> bool:
    """Return whether a person can tell questions from answers in a text with these choices."""
    mark, form = _marked(choices, 1).strip(), _numbered(choices["form"], 0).strip()
    is_list = choices["place"] == "below"
    is_bare = not mark and not choices["is spaced"]
    is_bilingual = choices["second language"] != ORDINARY
    # A slash cannot be between languages and between answers.
    is_mixed = is_bilingual and (not is_list or choices["yes or no"] == "slash" or mark.endswith("/"))
    is_lost_jump = choices["condition"] == "jump" and "{}" not in choices["mark"]
    return not (is_bare or (is_list and form == mark) or is_mixed or is_lost_jump)


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


def _binary(choices: Choices, asked: str, answers: tuple[str, str], jump: str = "") -> Iterator[str]:
    """Yield the lines of a question of yes or no; a jump is behind its last answer."""
    how = choices["yes or no"]
    yes, no = answers[0], answers[1] + jump
    if how == "like others" or (jump and how == "none"):
        yield from _with_answers(choices, asked, (yes, no), "")
    elif how == "boxes":
        yield from (asked, f"☐ {yes}   ☐ {no}")
    else:
        yield asked + (f"  {yes.lower()} / {no.lower()}" if how == "slash" else "")


def _in_two_languages(first: Any, second: Any) -> Any:
    """Return words with those of a second language behind them."""
    if isinstance(first, str):
        return f"{first} / {second}"
    return tuple(_in_two_languages(*pair) for pair in zip(first, second, strict=True))


class _Paper:
    """A questionnaire that grows line by line, and the questions that a person finds in it."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.words = self.shown = WORDS[choices["language"]]
        if choices["second language"] != ORDINARY:
            second = WORDS[choices["second language"]]
            names = [each.name for each in fields(second) if each.name not in _OF_ONE_LANGUAGE]
            both = {
                name: _in_two_languages(getattr(self.words, name), getattr(second, name)) for name in names
            }
            self.shown = replace(self.words, **both)
        self.lines: list[str] = [self.shown.title, ""] if choices["has title"] else []
        self.expected: list[dict[str, Any]] = []
        self.number = 0

    def say(self, text: str) -> None:
        """Add a paragraph that asks nothing."""
        self.lines += [text, ""]

    def ask(self, kinds: str | list[str], text: str, lines: Iterable[str], **members: Any) -> None:
        """Add the lines of a question, and what is expected of it."""
        self.expected.append({"text": text, "kind": kinds} | members)
        self.lines += lines
        self.lines += [""] if self.choices["is spaced"] else []

    def _numbered(self, text: str) -> str:
        self.number += 1
        return _marked(self.choices, self.number) + text

    def add_binary(self, which: int) -> None:
        """Add a question of yes or no; a question for some people follows the second one."""
        has_follow_up = which == 1 and self.choices["condition"] != ORDINARY
        jump = ""
        if has_follow_up and self.choices["condition"] == "jump":
            jump = f" ({self.words.go_to.format(self.number + 3)})"
        asked = self._numbered(self.shown.binary[which])
        self.ask("yes_no", self.words.binary[which], _binary(self.choices, asked, self.shown.yes_no, jump))
        if has_follow_up:
            self._add_follow_up()

    def _add_follow_up(self) -> None:
        condition, asked = self.words.condition, self.words.follow_up
        comma, colon = ("，", "：") if self.choices["language"] == "zh" else (", ", ":")
        alone = asked[0].upper() + asked[1:].replace("¿q", "¿Q")
        lines = {
            "front": [self._numbered(f"{condition}{comma}{asked}")],
            "brackets in front": [_marked(self.choices, self.number) + f"({condition}) {alone}"],
            "line above": [condition + colon, _marked(self.choices, self.number) + alone],
            "brackets behind": [_marked(self.choices, self.number) + f"{alone} ({condition})"],
            "jump": [_marked(self.choices, self.number) + alone],
        }[self.choices["condition"]]
        space = self.choices["space"] or "____"
        self.ask(["text", "needs"], asked, [*lines, space], conditional=True)

    def add_listed(self, kind: str, asked: str, shown: tuple[str, tuple[str, ...]]) -> None:
        """Add a question with answers of its own."""
        cue = self.shown.instructions[self.choices["cue"]] if kind == "several" else ""
        lines = _with_answers(self.choices, self._numbered(shown[0]), shown[1], cue)
        self.ask(kind, asked, lines, options=[*shown[1]])

    def add_number(self) -> None:
        """Add a question about a number, perhaps with its range."""
        where, space, unit = self.choices["range"], self.choices["space"], self.shown.unit
        span = f"({self.words.span.format(0, 20)})"
        asked = self._numbered(self.shown.number) + (f" {span}" if where == "in brackets" else "")
        asked += f" {space} {unit}" if space else ""
        asked += f" {span}" if where == "behind" else ""
        ends = {} if where == ORDINARY else {"low": 0, "high": 20}
        self.ask("number", self.words.number, [asked], **ends)

    def add_open(self) -> None:
        """Add a question that is answered with a text."""
        space = self.choices["space"]
        asked = self._numbered(self.shown.open)
        self.ask(["text", "needs"], self.words.open, [asked, space] if space else [asked])

    def add_grid(self) -> None:
        """Add items that share their answers, below a text."""
        form, (stem, items, answers) = self.choices["grid"], self.shown.grid
        between = " | " if form == "pipes" else "\t"
        cells = {"numbers": ["1", "2", "3", "4"], "letters": []}.get(form, ["☐"] * 4)
        head = " / ".join(answers) if form == "letters" else between.join(["", *answers])
        self.lines += [self._numbered(stem), head]
        for place, item in enumerate(items):
            line = f"{'abc'[place]}) {item}" if form == "letters" else between.join([item, *cells])
            self.lines.append(line)
            self.expected.append({"text": self.words.grid[1][place], "kind": "single", "options": [*answers]})
        self.lines.append("")

    def add_facts(self) -> None:
        """Add lines about the respondent, below a heading."""
        heading, (age, unit), (sex, answers), job = self.shown.facts
        own = self.words.facts
        space = self.choices["space"] or "____"
        listed = "  ".join(f"☐ {answer}" for answer in answers)
        self.lines += [heading, f"{age}: {space} {unit}", f"{sex}: {listed}", f"{job}: {space}", ""]
        self.expected += [
            {"text": own[1][0], "kind": "number"},
            {"text": own[2][0], "kind": "single", "options": [*answers]},
            {"text": own[3], "kind": ["text", "needs"]},
        ]

    def add(self, which: int) -> None:
        """Add one of the seven questions that each text has."""
        words, shown = self.words, self.shown
        adding = (
            lambda: self.add_binary(0),
            lambda: self.add_listed("single", words.single[0][0], shown.single[0]),
            lambda: self.add_listed("several", words.several[0], shown.several),
            self.add_number,
            lambda: self.add_binary(1),
            lambda: self.add_listed("single", words.single[1][0], shown.single[1]),
            self.add_open,
        )
        adding[which]()


def combined(choices: Choices) -> Shape:
    """Return the text with these choices, and the questions in it.

    Parameters
    ----------
    choices : mapping
        See `choices_of`.

    Examples
    --------
    >>> shape = combined(choices_of(1, 1))
    >>> len(shape.questions) >= 7, all(each.text.lower() in shape.text.lower() for each in shape.questions)
    (True, True)
    """
    paper = _Paper(choices)
    shown, sentence = paper.shown, choices["sentence"]
    if choices["opening"] != ORDINARY:
        paper.say(shown.opening[choices["opening"]])
    if sentence == "first":
        paper.say(shown.sentences[0])
    if choices["facts"] == "first":
        paper.add_facts()
    for place, which in enumerate(choices["order"]):
        if place == _MIDDLE and choices["furniture"] != ORDINARY:
            paper.say(paper.words.furniture[choices["furniture"]])
        if place == _MIDDLE and sentence == "between":
            paper.say(shown.sentences[1])
        if place == _MIDDLE and choices["grid"] != ORDINARY:
            paper.add_grid()
        paper.add(which)
    if choices["facts"] == "last":
        paper.add_facts()
    if sentence == "last":
        paper.say(shown.thanks)
    return shape_of(
        {
            "name": "combined",
            "language": choices["language"],
            "text": "\n".join(paper.lines),
            "questions": paper.expected,
        }
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
