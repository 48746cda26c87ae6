"""Texts about a survey as respondents read them: its purpose, contact and others, with their headings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from surveys.models import Version
from surveys.questionnaire.languages import text_in


def about_names() -> dict[str, str]:
    """Return the heading of each text about the survey."""
    return {
        "researcher": _("Researcher"),
        "purpose": _("Purpose"),
        "ethics": _("Ethics reference"),
        "contact": _("Contact"),
        "retention": _("How long answers are kept"),
        "age_limit": _("Who may answer"),
        "help": _("If these questions weigh on you"),
        "population": _("Target population"),
        "frame": _("Frame"),
        "undisguised": _("Why some answers are sent undisguised"),
    }


def about_texts(version: Version, language: str | None = None) -> dict[str, str]:
    """Return the texts about a survey, such as its purpose, in a language; by default the page's."""
    return {name: text_in(texts, language) for name, texts in version.wording.get("about", {}).items()}


def about_in(wording: Mapping[str, Any], language: str) -> dict[str, str]:
    """Return the texts about the survey (researcher, purpose, ...) by key, without empty ones."""
    about = wording.get("about", {})
    return {key: text for key in about if (text := text_in(about[key], language))}
