"""Positions of a draft's problems, in the words of the builder's page.

A definition file is mended by its paths; a draft by somebody who never saw one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from surveys.authoring.builder_texts import builder_texts
from surveys.questionnaire.checks.finding import Level
from surveys.questionnaire.document import Problem
from surveys.questionnaire.languages import language_of, tags_of

_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_WRITTEN: Final = ("title", "text", "help")

Step = str | int


@dataclass(frozen=True, kw_only=True)
class PlacedProblem:
    """One thing to be mended.

    Parameters
    ----------
    path : str
        As the definition spells it; the builder opens there.
    where : str
        The same in the builder's words: "Part 2, no title yet · Question 1, no text yet".
    text : str
        What is wrong and what to do, a whole sentence.
    """

    path: str
    where: str
    text: str


def placed(problems: Iterable[Problem], document: dict[str, Any]) -> list[PlacedProblem]:
    """Return the problems of a draft with their places in words, in their order."""
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


@dataclass(frozen=True, kw_only=True)
class FindingGroup:
    """Findings of one kind that one remedy is for.

    Attributes
    ----------
    findings : list of dict
    remedy : str
        It names the questions where there are several.
    """

    findings: list[dict[str, str]]
    remedy: str


def grouped_findings(
    findings: Sequence[dict[str, str]], level: Level, document: Mapping[str, Any]
) -> list[FindingGroup]:
    """Return the findings of a level, those of one kind and one remedy together.

    Parameters
    ----------
    findings : sequence of dict
        As `Finding.to_json` gives them.
    level : Level
    document : mapping
        The draft, which says the number of each question.
    """
    alike: dict[tuple[str, str], list[dict[str, str]]] = {}
    for finding in findings:
        if finding["level"] == level:
            alike.setdefault((finding["code"], finding["remedy"]), []).append(finding)
    return [
        FindingGroup(findings=group, remedy=_for_questions(remedy, group, document))
        for (_code, remedy), group in alike.items()
    ]


def _for_questions(remedy: str, group: Sequence[dict[str, str]], document: Mapping[str, Any]) -> str:
    paths = [
        f"blocks[{number}].questions[{position}]"
        for number, block in enumerate(document["blocks"])
        for position, _question in enumerate(block["questions"])
    ]
    numbers = sorted({1 + paths.index(finding["path"]) for finding in group if finding["path"] in paths})
    if len(numbers) < 2:
        return remedy
    return _("Questions %(some)s and %(last)s: %(remedy)s") % {
        "some": ", ".join(map(str, numbers[:-1])),
        "last": numbers[-1],
        "remedy": remedy,
    }


def _steps(path: str) -> list[Step]:
    return [int(index) if index else name for index, name in _STEP.findall(path)]


def _at(document: Any, steps: Sequence[Step]) -> Any:
    for step in steps:
        try:
            document = document[step]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def _path(steps: list[Step], document: dict[str, Any], texts: dict[str, str]) -> str:
    names = []
    match steps:
        case ["about", name, *_rest]:
            names = [texts["part_about"], texts.get(f"about_{name}", str(name))]
        case ["group", *_rest]:
            names = [texts["part_group"]]
        case ["blocks", int(), *_rest]:
            names = [_named(document, steps[:2], "title", texts["block_unnamed"])]
            if len(steps) > 3 and steps[2] == "questions":
                names.append(_named(document, steps[:4], "text", texts["question_unnamed"]))
            if len(steps) > 5 and steps[4] == "options" and isinstance(steps[5], int):
                names.append(texts["option_number"].replace("{number}", str(steps[5] + 1)))
        case ["explanations", *_rest]:
            names = [texts["part_explanations"]]
        case ["blocks"]:
            names = [texts["outline"]]
        case _:
            names = [texts["part_head"]]
    if len(steps) > 2 and steps[0] == "blocks" and steps[-2] == "help":
        names.append(texts["field_help"])
    languages = tags_of(document)
    if len(languages) > 1 and steps and steps[-1] in languages:
        names.append(language_of(str(steps[-1])).name)
    return " · ".join(names)


def _named(document: dict[str, Any], steps: list[Step], member: str, unnamed: str) -> str:
    """Return the title of a part or the text of a question in this language, in another, or its number."""
    stated = _at(document, [*steps, member])
    written = (
        {tag: text for tag, text in stated.items() if isinstance(text, str) and text.strip()}
        if isinstance(stated, dict)
        else {}
    )
    number = unnamed.replace("{number}", str(int(steps[-1]) + 1))
    return written.get(get_language() or "") or next(iter(written.values()), number)


def _sentence(problem: Problem, document: dict[str, Any], texts: dict[str, str]) -> str:
    steps = _steps(problem.path)
    stated = _at(document, steps)
    is_text = len(steps) > 1 and (steps[0] == "about" or steps[-2] in _WRITTEN)
    if is_text and (stated is None or (isinstance(stated, str) and not stated.strip())):
        return texts["unwritten"]
    if steps == ["blocks"] and not stated:
        return _("There is no question yet. Add a part, and a question to it.")
    if len(steps) == 3 and steps[2] == "questions" and not stated:
        return _("It has no question yet. Add one, or delete the part.")
    whole = _("%(message)s; %(remedy)s") % {"message": problem.message, "remedy": problem.remedy}
    return whole[:1].upper() + whole[1:] + pgettext("end of a sentence", ".")
