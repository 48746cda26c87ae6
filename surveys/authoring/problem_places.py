"""The place of each problem and finding of a draft, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from surveys.authoring.builder_texts import builder_texts
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.document import Problem
from surveys.questionnaire.languages import language_of, tags_of

_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_WRITTEN: Final = ("title", "text", "help")

PathStep = str | int


@dataclass(frozen=True, kw_only=True)
class PlacedProblem:
    """One problem to fix.

    Parameters
    ----------
    path : str
        As in the definition; the builder opens at this place.
    where : str
        The same place in the builder's words: "Part 2 · Question 1, no text yet".
    text : str
        The problem and its remedy, as a whole sentence.
    """

    path: str
    where: str
    text: str


def locate_problems(problems: Iterable[Problem], document: dict[str, Any]) -> list[PlacedProblem]:
    """Return the problems of a draft in order, with their places in words."""
    texts = builder_texts()
    return [
        PlacedProblem(
            path=problem.path,
            where=_path(_steps(problem.path), document, texts),
            text=_sentence(problem, document, texts),
        )
        for problem in problems
    ]


def place_of(path: str, document: dict[str, Any]) -> str:
    """Return a place of a draft in the builder's words; empty for the survey as a whole."""
    return _path(_steps(path), document, builder_texts()) if path else ""


def _steps(path: str) -> list[PathStep]:
    return [int(index) if index else name for index, name in _STEP.findall(path)]


def _at(document: Any, steps: Sequence[PathStep]) -> Any:
    for step in steps:
        try:
            document = document[step]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def _path(steps: list[PathStep], document: dict[str, Any], texts: dict[str, str]) -> str:
    names = []
    match steps:
        case ["about", name, *_rest]:
            names = [texts["part_about"], texts.get(f"about_{name}", str(name))]
        case ["group", *_rest]:
            names = [texts["part_group"]]
        case ["blocks", int(), *_rest]:
            names = [_display_name(document, steps[:2], "title", texts["block_unnamed"])]
            if len(steps) > 3 and steps[2] == "questions":
                names.append(_display_name(document, steps[:4], "text", texts["question_unnamed"]))
            if len(steps) > 5 and steps[4] == "options" and isinstance(steps[5], int):
                names.append(texts["option_number"].replace("{number}", str(steps[5] + 1)))
            if len(steps) > 6 and steps[4:6] == [COMPUTED, COMPONENTS]:
                names.append(_display_name(document, steps[:7], "text", texts["component_number"]))
        case ["explanations", *_rest]:
            names = [texts["part_explanations"]]
        case ["blocks"]:
            names = [texts["outline"]]
        case _:
            names = [texts["part_head"]]
    if len(steps) > 2 and steps[0] == "blocks" and steps[-2] == "help":
        names.append(texts["field_help"])
    fields = [f"{kind}_{step}" for kind in ("number", "edge", "scale") for step in steps[-1:]]
    names += [texts[field] for field in fields if field in texts]
    languages = tags_of(document)
    if len(languages) > 1 and steps and steps[-1] in languages:
        names.append(language_of(str(steps[-1])).name)
    return " · ".join(names)


def _display_name(document: dict[str, Any], steps: list[PathStep], member: str, placeholder: str) -> str:
    """Return a part's title or a question's text in this language, else in another, else its number."""
    texts = _at(document, [*steps, member])
    nonempty = (
        {tag: text for tag, text in texts.items() if isinstance(text, str) and text.strip()}
        if isinstance(texts, dict)
        else {}
    )
    number = placeholder.replace("{number}", str(int(steps[-1]) + 1))
    return nonempty.get(get_language() or "") or next(iter(nonempty.values()), number)


def _sentence(problem: Problem, document: dict[str, Any], texts: dict[str, str]) -> str:
    steps = _steps(problem.path)
    value = _at(document, steps)
    is_text = len(steps) > 1 and (steps[0] == "about" or steps[-2] in _WRITTEN)
    if is_text and (value is None or (isinstance(value, str) and not value.strip())):
        return texts["unwritten"]
    if steps == ["blocks"] and not value:
        return _("There are no questions yet. Add a part, then add a question to it.")
    whole = _("%(message)s; %(remedy)s") % {"message": problem.message, "remedy": problem.remedy}
    return whole[:1].upper() + whole[1:] + pgettext("end of a sentence", ".")
