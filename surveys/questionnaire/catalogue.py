"""Starting points of a new survey: an empty draft, a shipped template, or another survey."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from privacy.risk.budget import budget
from surveys.models import Survey
from surveys.questionnaire.definition import ABOUT, FORMAT, definition_parse
from surveys.questionnaire.languages import Language, language_of, text_in

LAID_OUT: Final = ("workplace", "integrity", "health", "drugs", "doping")
"""Templates laid out from their questions, as every draft is."""
TEMPLATES: Final = (*LAID_OUT, "experiment")


@dataclass(frozen=True, kw_only=True)
class TemplateLine:
    """A template in the list to choose from.

    Parameters
    ----------
    name : str
        Its name in `TEMPLATES`.
    title, about : str
        Its name and purpose, in the language of the page.
    languages : tuple of Language
    blocks, protected, questions : int
        Number of blocks, of disguised blocks, and of questions.
    epsilon : float
        Bound of all disguised answers together.
    """

    name: str
    title: str
    about: str
    languages: tuple[Language, ...]
    blocks: int
    protected: int
    questions: int
    epsilon: float


def template_lines() -> tuple[TemplateLine, ...]:
    """Return the templates, as the page lists them."""
    return tuple(_line(name) for name in TEMPLATES)


def template_document(name: str) -> dict[str, Any]:
    """Return a new draft made from a template.

    Raises
    ------
    KeyError
        There is no template of this name.
    """
    if name not in TEMPLATES:
        raise KeyError(name)
    document: dict[str, Any] = json.loads(_template_text(name))
    return document


def scratch_document(*, title: str, languages: Sequence[str]) -> dict[str, Any]:
    """Return an empty draft with a title, in the first of its languages."""
    empty = dict.fromkeys(languages, "")
    return {
        "sotto": FORMAT,
        "slug": "",
        "languages": list(languages),
        "title": {**empty, languages[0]: title},
        "practice": False,
        "about": {name: dict(empty) for name in ABOUT},
        "group": {"policy": "protected"},
        "blocks": [],
    }


def duplicate_document(survey: Survey) -> dict[str, Any]:
    """Return a new draft like the survey's, without its times."""
    times = ("opens_at", "closes_at", "delete_on")
    return {name: value for name, value in survey.definition.items() if name not in times}


def live_document(survey: Survey) -> dict[str, Any]:
    """Return a new draft like a practice survey's, for real answers."""
    return duplicate_document(survey) | {"practice": False}


@lru_cache(maxsize=len(TEMPLATES))
def _template_text(name: str) -> str:
    folder = resources.files("surveys").joinpath("definitions", "templates")
    return folder.joinpath(f"{name}.json").read_text(encoding="utf-8")


def _line(name: str) -> TemplateLine:
    definition = definition_parse(template_document(name))
    blocks = definition.design.blocks
    return TemplateLine(
        name=name,
        title=text_in(definition.title),
        about=_first_sentence(text_in(definition.wording["about"]["purpose"])),
        languages=tuple(language_of(tag) for tag in definition.languages),
        blocks=len(blocks),
        protected=sum(block.protected for block in blocks),
        questions=len(definition.design.questions) - len(definition.design.arms),
        epsilon=budget(definition.design).epsilon,
    )


def _first_sentence(text: str) -> str:
    # The following texts are for respondents, and refer to their page.
    return re.split(r"(?<=\.) |(?<=。)", text, maxsplit=1)[0]
