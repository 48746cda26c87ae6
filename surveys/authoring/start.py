"""The first draft of a new survey, by the chosen source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.questionnaire.document import MOST_BYTES, DefinitionError, document_parse
from surveys.questionnaire.draft_reading import duplicate_document, scratch_document, template_document


def start_of(values: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the document that the values of a valid `NewForm` ask for, and its origin for the audit log.

    An XLSForm is read by `surveys.authoring.import_report`.

    Raises
    ------
    DefinitionError
        The file that was given cannot be read.
    """
    source = values["source"]
    if source == "template":
        name = values["template"]
        return for_practice(template_document(name)), f"template {name}"
    if source == "duplicate":
        survey = values["survey"]
        return duplicate_document(survey), f"survey {survey.slug}"
    if source == "definition":
        return _definition(values["file"].read(MOST_BYTES + 1)), "definition file"
    language = get_language() or "en"
    document = scratch_document(title=values["title"], languages=[language])
    return for_practice(document), "scratch"


def for_practice(document: dict[str, Any]) -> dict[str, Any]:
    """Return a new draft as a practice survey, which does not count until it is made live."""
    return document | {"practice": True}


def _definition(raw: bytes) -> dict[str, Any]:
    document = document_parse(raw, name=_("the file"))
    if isinstance(document, dict) and "sotto" in document:
        return document
    raise DefinitionError.at("sotto", "document.definition", value=shown(document))
