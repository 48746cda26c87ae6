"""The first draft of a new survey, by the chosen source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.exchange.foreign.limesurvey import limesurvey_read
from surveys.exchange.foreign.surveyjs import surveyjs_read
from surveys.exchange.xlsform.reader import xlsform_read
from surveys.questionnaire.catalogue import duplicate_document, scratch_document, template_document
from surveys.questionnaire.document import MOST_BYTES, document_parse
from surveys.questionnaire.problems import DefinitionError

FOREIGN: Final = {"surveyjs": surveyjs_read, "limesurvey": limesurvey_read}
"""Readers of other programs' files, by the source that a form or a command names."""


@dataclass(frozen=True, kw_only=True)
class Start:
    """A document to make a draft of.

    Parameters
    ----------
    document : dict
    source : str
        Where it came from, for the audit log.
    not_kept : tuple of str
        What an import could not keep, in words.
    to_protect : int
        How many questions an import made, all open, of which somebody has to choose those to protect.
    """

    document: dict[str, Any]
    source: str
    not_kept: tuple[str, ...] = ()
    to_protect: int = 0


def start_of(values: Mapping[str, Any]) -> Start:
    """Return the document that the values of a valid `NewForm` ask for.

    Raises
    ------
    DefinitionError
        The file that was given cannot be read.
    """
    source = values["source"]
    if source == "template":
        name = values["template"]
        return Start(document=for_practice(template_document(name)), source=f"template {name}")
    if source == "duplicate":
        survey = values["survey"]
        return Start(document=duplicate_document(survey), source=f"survey {survey.slug}")
    if source == "definition":
        return Start(document=_definition(values["file"].read(MOST_BYTES + 1)), source="definition file")
    if source == "xlsform":
        form = xlsform_read(values["file"].read(MOST_BYTES + 1))
        return Start(document=form.document, source="XLSForm", not_kept=form.not_kept)
    if source in FOREIGN:
        foreign = FOREIGN[source](values["file"].read(MOST_BYTES + 1), name=_("the file"))
        return Start(
            document=foreign.document,
            source=source,
            not_kept=foreign.not_kept,
            to_protect=foreign.open_questions,
        )
    language = get_language() or "en"
    document = scratch_document(title=values["title"], languages=[language])
    return Start(document=for_practice(document), source="scratch")


def for_practice(document: dict[str, Any]) -> dict[str, Any]:
    """Return a new draft as a practice survey, which does not count until it is made live."""
    return document | {"practice": True}


def protect_prompt(count: int) -> str:
    """Return the advice to protect questions, after an import of so many open ones."""
    return ngettext(
        "%(count)s question was imported and is open: its answers would be stored as they are. Protect it if "
        "people may not tell.",
        "%(count)s questions were imported, and all are open: their answers would be stored as they are. "
        "Protect those that people may not tell.",
        count,
    ) % {"count": count}


def _definition(raw: bytes) -> dict[str, Any]:
    document = document_parse(raw, name=_("the file"))
    if isinstance(document, dict) and "sotto" in document:
        return document
    raise DefinitionError.at("sotto", "document.definition", value=shown(document))
