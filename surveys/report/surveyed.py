"""Whom a survey's figures are about, as its researcher stated it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import get_language

from surveys.models import Version
from surveys.questionnaire.languages import text_in


@dataclass(frozen=True, kw_only=True)
class Surveyed:
    """Target population and frame; empty where nobody stated them."""

    population: str
    frame: str


def surveyed_of(version: Version) -> Surveyed:
    """Return what a version states, in the language of the page."""
    about, language = version.wording["about"], get_language() or "en"
    return Surveyed(
        population=text_in(about.get("population", {}), language),
        frame=text_in(about.get("frame", {}), language),
    )
