"""The name of a survey in addresses: the field that asks for it, its check, and unused names."""

from __future__ import annotations

import itertools
import re
import secrets
from typing import Any, Final

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy

from surveys.errors.error import SurveyError, short_json
from surveys.models import Survey
from surveys.questionnaire.definition import SLUG
from surveys.questionnaire.survey_title import stated_title

MOST_SLUG: Final = 50
_PLAIN: Final = "23456789bcdfghjkmnpqrstvwxz"
"""Characters that are hard to confuse; they lack vowels, so they form no words."""
NEUTRAL: Final = re.compile(rf"survey(?:-[{_PLAIN}]{{4}})?(?:-[0-9]+)?(?:-live)?", re.ASCII)
"""Addresses that do not reveal a subject."""


class AddressField(forms.RegexField):
    """The name of a survey in addresses."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=gettext_lazy("Address"),
            regex=rf"^{SLUG.pattern}$",
            max_length=MOST_SLUG,
            error_messages={
                "invalid": gettext_lazy(
                    "Use lower-case letters, digits and hyphens. Start and end with a letter or digit."
                )
            },
            **options,
        )


def free_slug(slug: str) -> str:
    """Return an unused name for addresses: the wanted one, or the same followed by a number.

    Names are cut to 50 characters.
    """
    slugs = set(Survey.objects.values_list("slug", flat=True))
    endings = itertools.chain([""], (f"-{number}" for number in itertools.count(2)))
    names = (slug[: MOST_SLUG - len(ending)].rstrip("-") + ending for ending in endings)
    return next(name for name in names if name not in slugs)


def titled_slug(title: object) -> str:
    """Return an unused name for addresses, made from a survey's English title."""
    return free_slug(slugify((stated_title(title) or {}).get("en", ""))[:MOST_SLUG].strip("-") or "survey")


def neutral_slug() -> str:
    """Return an unused name for addresses that does not reveal the subject of a survey."""
    return free_slug("survey-" + "".join(secrets.choice(_PLAIN) for _character in range(4)))


def check_slug(slug: str) -> None:
    """Refuse a name that cannot be in addresses, or that another survey has.

    Raises
    ------
    SurveyError
        ``slug``, ``taken``.
    """
    if SLUG.fullmatch(slug) is None:
        raise SurveyError("slug", slug=short_json(slug))
    if Survey.objects.filter(slug=slug).exists():
        raise taken_error(slug)


def taken_error(slug: str) -> SurveyError:
    """Return the error that another survey has this name."""
    return SurveyError("taken.survey", slug=slug)
