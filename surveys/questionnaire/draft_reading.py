"""Start drafts from a template or a copy, read them, and list the problems that prevent publishing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.budget import budget
from privacy.survey.composed_block import block_components
from privacy.survey.design import Design
from surveys.errors.error import short_json
from surveys.models import Survey
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import EXPLANATIONS, INVITED, ODDS, WORDINGS, is_arm
from surveys.questionnaire.composites import COMPONENTS, COMPUTED, NEUTRAL, SOURCE
from surveys.questionnaire.definition import (
    ABOUT,
    FORMAT,
    UNDISGUISED,
    Definition,
    Reading,
    definition_parse,
    definition_read,
)
from surveys.questionnaire.document import Node, Problems, is_blank
from surveys.questionnaire.languages import Language, language_of, tags_of, text_in
from surveys.questionnaire.multi import converted
from surveys.questionnaire.stems import STEMS

_MISSING: Final = "…"
_OPTIONAL: Final = ("title", "help")


def with_texts(document: dict[str, Any]) -> dict[str, Any]:
    """Fill in missing texts of a draft's title, questions, options and arms.

    Titles and explanations are filled in only where they have a text in another language. Texts about the
    survey stay as they are.
    """
    languages = tags_of(document) or ["en"]
    about = document.get("about")
    return {
        **document,
        "title": filled_text(document.get("title"), languages),
        "about": {name: {} for name in ABOUT} | about if isinstance(about, dict) else about,
        "blocks": _fill_texts(document.get("blocks"), languages),
        **({STEMS: _fill_texts(document[STEMS], languages, "text")} if STEMS in document else {}),
        **_explanations(document.get(EXPLANATIONS), languages),
    }


def filled_text(texts: object, languages: list[str]) -> dict[str, str]:
    """Fill in a text in each of these languages.

    Examples
    --------
    >>> filled_text({"en": "Work", "zh-hans": " "}, ["en", "zh-hans"]), filled_text(None, ["en"])
    ({'en': 'Work', 'zh-hans': 'Work'}, {'en': '…'})
    """
    mapping = texts if isinstance(texts, dict) else {}
    nonempty = {tag: text for tag, text in mapping.items() if isinstance(text, str) and text.strip()}
    instead = next((nonempty[tag] for tag in languages if tag in nonempty), _MISSING)
    return {tag: nonempty.get(tag, instead) for tag in languages}


def _fill_texts(content: Any, languages: list[str], required: str = "") -> Any:
    """Fill in the texts in a part of a document, adding the `required` one to each list entry."""
    if isinstance(content, list):
        return [_fill_texts(entry, languages, required) for entry in content]
    if not isinstance(content, dict) or is_arm(content):
        return content
    result = {required: None, **content} if required else dict(content)
    for name, value in result.items():
        if name == "text" or (name in _OPTIONAL and value and not is_blank(value)):
            result[name] = filled_text(value, languages)
        elif name in ("questions", "options") and isinstance(value, list):
            result[name] = _fill_texts(value, languages, "text")
        elif name == COMPUTED and isinstance(value, dict):
            lists = (COMPONENTS, *(member for member in (NEUTRAL,) if member in value))
            result[name] = value | {
                member: _fill_texts(value.get(member), languages, "text") for member in lists
            }
            if value.get(SOURCE):
                result[name][SOURCE] = filled_text(value[SOURCE], languages)
        elif name == WORDINGS and isinstance(value, dict) and isinstance(value.get("texts"), dict):
            texts = {option: filled_text(text, languages) for option, text in value["texts"].items()}
            result[name] = {**value, "texts": texts}
    return {
        name: value
        for name, value in result.items()
        if name not in (*_OPTIONAL, WORDINGS) or (value and not is_blank(value))
    }


def _explanations(entry: Any, languages: list[str]) -> dict[str, Any]:
    """Fill in the texts for the arms of an experiment; each must contain the odds exactly once."""
    if not isinstance(entry, dict) or not isinstance(entry.get("texts"), dict):
        return {}
    texts = {option: filled_text(text, languages) for option, text in entry["texts"].items()}
    for text in texts.values():
        text |= {tag: f"{wording} {ODDS}" for tag, wording in text.items() if wording.count(ODDS) != 1}
    return {EXPLANATIONS: {**entry, "texts": texts}}


def draft_read(survey: Survey, document: object = None) -> Reading:
    """Parse the survey's draft, or another document for it, and list what prevents publishing.

    In addition to `definition_read`, this checks that a published survey keeps its address and its kind
    (practice or real), and that no placeholder of a template is left. Tick-all questions of earlier versions
    are read as lists. Practice surveys need no texts: missing
    ones are filled in.
    """
    document = converted(survey.definition if document is None else document).document
    if isinstance(document, dict) and document.get("practice") is True:
        document = with_texts(document)
    reading = definition_read(document)
    problems = Problems(list(reading.problems))
    root = Node(value=document if isinstance(document, dict) else {}, path="", problems=problems)
    slug, practice = root.at("slug"), root.at("practice")
    if practice.value is not True:
        about = root.at("about")
        _check_placeholders(about, about.value if isinstance(about.value, dict) else ())
        for block in root.at("blocks").objects():
            _check_placeholders(block, ("help",))
    if isinstance(slug.value, str) and slug.value != survey.slug:
        slug.wrong(
            _("%(stated)s is not this survey's address, %(slug)s"),
            _("write %(slug)s, or rename the survey"),
            stated=short_json(slug.value),
            slug=survey.slug,
        )
    if survey.state != Survey.State.DRAFT and practice.value not in (None, survey.practice):
        practice.wrong(
            _("the survey was published with practice = %(practice)s"),
            _("duplicate it on the page “New survey”: a practice survey stays one, and so does a real one"),
            practice=short_json(survey.practice),
        )
    if reading.definition is not None:
        _check_undisguised(reading.definition, root.at("about").at(UNDISGUISED))
        _check_invited(survey, reading.definition, root.at(INVITED))
    if len(problems.entries) == len(reading.problems):
        return replace(reading, designed=reading.definition)
    return Reading(
        definition=None, problems=tuple(problems.entries), blocks=reading.blocks, designed=reading.definition
    )


def _check_undisguised(definition: Definition, node: Node) -> None:
    """Note a missing reason in a live survey that sends answers undisguised."""
    if definition.design.sends_undisguised and not definition.practice and node.value is None:
        node.wrong(
            _("some respondents' answers are sent undisguised, and the survey does not say why"),
            _(
                "disguise them lightly instead, or write the reason, which respondents and every "
                "report will show"
            ),
        )


def _check_invited(survey: Survey, definition: Definition, node: Node) -> None:
    """Note invitations that allot too few people to a group, or that contradict those already handed out."""
    design, people = definition.design, Aim.people_of(survey.aim)
    least = min(design.invited_shares.values(), default=SCALE)
    is_live = design.invited and not definition.practice
    # Without a number, `check_use` warns.
    if is_live and people is not None and least * people < LEAST_PROTECTED * SCALE:
        node.wrong(
            _(
                "of %(people)s people who are expected to answer, %(count)s would be in the "
                "smallest group, and anyone with the list of codes knows who they are"
            ),
            _("let devices draw it, or choose shares and people that give each group %(least)s"),
            people=people,
            count=least * people // SCALE,
            least=LEAST_PROTECTED,
        )
    last = survey.versions.order_by("-number").first() if survey.by_invitation else None
    before = last and last.to_design()
    if before and (before.invited, before.invited_shares) != (design.invited, design.invited_shares):
        node.wrong(
            _("invitations may already have been sent, and publishing fixed the terms they contain"),
            _("leave it as it was published, or duplicate the survey"),
        )


def _check_placeholders(part: Node, names: Iterable[str]) -> None:
    """Note members whose texts are still a template's placeholder in brackets: "[Write your name.]"."""
    for name in names:
        texts = part.value.get(name)
        for language, text in texts.items() if isinstance(texts, dict) else ():
            if isinstance(text, str) and text.strip().startswith("[") and text.strip().endswith("]"):
                part.at(name).at(language).wrong(
                    _("%(text)s is still the placeholder of the template"),
                    _("write your own text, without the brackets"),
                    text=short_json(text),
                )


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
