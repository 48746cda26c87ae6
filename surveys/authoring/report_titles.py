"""The title in the import report: a field for each language, whose texts later readings of a text keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.lines.text_languages import UNKNOWN
from surveys.questionnaire.languages import language_of

_FIELD: Final = "title-"
_MOST: Final = 200


@dataclass(frozen=True, kw_only=True)
class TitleField:
    """The field of a title in one language; ``language`` is empty if there is only one."""

    name: str
    tag: str
    language: str
    text: str


def title_fields(survey: Questionnaire) -> list[TitleField]:
    """Return the fields of a report for the title of its survey."""
    several = len(survey.languages) > 1
    return [
        TitleField(
            name=f"{_FIELD}{tag}",
            tag="" if tag.startswith(UNKNOWN) else tag,
            language=_language_name(tag) if several else "",
            text=survey.title.get(tag, ""),
        )
        for tag in survey.languages
    ]


def _language_name(tag: str) -> str:
    """Return the name of a language of two; an unknown one is called by its side of the sign between them."""
    if not tag.startswith(UNKNOWN):
        return language_of(tag).name
    return _("the language left of |") if tag == UNKNOWN else _("the language right of |")


def written_titles(
    survey: Questionnaire, before: Mapping[str, str], answers: Mapping[str, str]
) -> dict[str, str]:
    """Return the titles that a person wrote in a report, by language, earlier ones included.

    A title that is left as it was read stays the one of the text.

    >>> written_titles(Questionnaire(languages=("en",), title={"en": "Work"}), {}, {"title-en": " Our work "})
    {'en': 'Our work'}
    """
    found = dict(before)
    for tag in survey.languages:
        written = " ".join(answers.get(f"{_FIELD}{tag}", survey.title.get(tag, ""))[:_MOST].split())
        if written != survey.title.get(tag, ""):
            found[tag] = written
    return found


def set_titles(survey: Questionnaire, titles: Mapping[str, str]) -> None:
    """Give a questionnaire these titles; an empty one removes a title."""
    for tag, text in titles.items():
        own = survey.languages[0 if tag == UNKNOWN else -1] if tag.startswith(UNKNOWN) else tag
        if own in survey.languages:
            survey.title = {name: old for name, old in survey.title.items() if name != own}
            survey.title |= {own: text} if text else {}
