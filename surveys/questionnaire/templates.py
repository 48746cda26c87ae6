"""The documents that drafts start from: templates, a copy of a survey, and an empty one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from privacy.risk.budget import budget
from privacy.survey.composed_block import block_components
from privacy.survey.design import Design
from surveys.models import Survey
from surveys.questionnaire.definition import (
    ABOUT,
    DEFINITION_FORMAT,
    definition_parse,
)
from surveys.questionnaire.languages import Language, language_of, text_in

COMPOSITE: Final = ("drinking", "violence", "doping-any", "mood")
"""Templates with composite questions: *at least* and *how many*, of questions written for them."""


LAID_OUT: Final = ("workplace", "integrity", "health", "drugs", "doping", *COMPOSITE)
"""Templates whose layout is computed from their questions, as for every draft."""


TEMPLATES: Final = (*LAID_OUT, "experiment", "introductions")


@dataclass(frozen=True, kw_only=True)
class TemplateLine:
    """A template in the list of choices.

    Parameters
    ----------
    name : str
        Its name in `TEMPLATES`.
    title, about : str
        Its name and purpose, in the page's language.
    languages : tuple of Language
    questions : int
        That respondents see, also those from which devices compute answers.
    epsilon : float
        Bound for all disguised answers together.
    """

    name: str
    title: str
    about: str
    languages: tuple[Language, ...]
    questions: int
    epsilon: float


def template_lines() -> tuple[TemplateLine, ...]:
    """Return the templates for the page's list."""
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
    """Return an empty draft; its title is in the first language."""
    empty = dict.fromkeys(languages, "")
    return {
        "sotto": DEFINITION_FORMAT,
        "slug": "",
        "languages": list(languages),
        "title": {**empty, languages[0]: title},
        "practice": False,
        "about": {name: dict(empty) for name in ABOUT},
        "group": {"policy": "protected"},
        "blocks": [],
    }


def duplicate_document(survey: Survey) -> dict[str, Any]:
    """Return a copy of the survey's draft without its dates."""
    times = ("opens_at", "closes_at", "delete_on", "chapters")
    return {name: value for name, value in survey.definition.items() if name not in times}


@lru_cache(maxsize=len(TEMPLATES))
def _template_text(name: str) -> str:
    folder = resources.files("surveys").joinpath("definitions", "templates")
    return folder.joinpath(f"{name}.json").read_text(encoding="utf-8")


def _line(name: str) -> TemplateLine:
    definition = definition_parse(template_document(name))
    return TemplateLine(
        name=name,
        title=text_in(definition.title),
        # Only the first sentence; the others are for respondents and refer to their page.
        about=re.split(r"(?<=\.) |(?<=。)", text_in(definition.wording["about"]["purpose"]), maxsplit=1)[0],
        languages=tuple(language_of(tag) for tag in definition.languages),
        questions=_count_shown(definition.design),
        epsilon=budget(definition.design).epsilon,
    )


def _count_shown(design: Design) -> int:
    """Return how many questions respondents see: components instead of composite questions, and no arms."""
    components = sum(len(block_components(block)) for block in design.blocks)
    plain = sum(question.computed is None for question in design.questions)
    return plain + components - len(design.arms)
