"""What the page of a survey carries: design, wording in one language, stated prevalences, sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language

from surveys.client import FILES, client
from surveys.models import Survey
from surveys.respond.texts import respondent_texts


@dataclass(frozen=True, kw_only=True)
class RespondentPage:
    """One open survey, ready to be shown.

    Parameters
    ----------
    title : str
        The survey's title in the language of the page.
    about : dict of str to str
        Who asks, why, and what becomes of the answers, by the keys of the definition; empty ones left out.
    practice : bool
        Whether answers are for trying only and promised nothing.
    design : dict
        The design of the newest version, as the browser disguises by it.
    client_digest : str
        SHA-256 of the scripts that this page runs, for comparison with another source.
    data : dict
        What the page's scripts read: survey, design, wording, prevalence and sentences.
    """

    title: str
    about: dict[str, str]
    practice: bool
    design: dict[str, Any]
    client_digest: str
    data: dict[str, Any]

    @property
    def policy(self) -> str:
        """Who is disguised: "protected" (everybody), "choice" or "assigned"."""
        return str(self.design["group"]["policy"])

    @property
    def scripts(self) -> tuple[str, ...]:
        """What the page's script imports, to be fetched at once instead of one import after another."""
        return tuple(name for name in FILES if not name.endswith("/closed.js"))

    @property
    def direct_share(self) -> str:
        """Devices of 100 that draw to answer directly, under *assigned*; else nothing."""
        share = self.design["group"]["direct_share"]
        return "" if share is None else f"{share / 100:g}"

    @property
    def has_protected(self) -> bool:
        """Whether any block is disguised."""
        return any(block["protected"] for block in self.design["blocks"])

    @property
    def has_open(self) -> bool:
        """Whether any block is sent as it is."""
        return not all(block["protected"] for block in self.design["blocks"])


def survey_by_slug(slug: str) -> Survey | None:
    """Return the survey a respondent's address names, or None."""
    return Survey.objects.filter(slug=slug).first()


def respondent_page(survey: Survey) -> RespondentPage:
    """Return the page of the newest version of a survey that is open."""
    version = survey.versions.order_by("-number")[0]
    return _page(
        design=version.design,
        wording=version.wording,
        practice=survey.practice,
        language=get_language() or "en",
        sending={"survey": survey.slug, "design_id": version.design_id, "submit": reverse("submit")},
    )


def preview_page(
    *, survey: str, design: dict[str, Any], wording: dict[str, Any], practice: bool, language: str
) -> RespondentPage:
    """Return the page of a design that nobody has published: it knows no address that it could send to.

    What the page keeps on the device it keeps under a name that no survey can have.
    """
    return _page(
        design=design,
        wording=wording,
        practice=practice,
        language=language,
        sending={"survey": f"preview:{survey}", "preview": True},
    )


def _page(
    *,
    design: dict[str, Any],
    wording: dict[str, Any],
    practice: bool,
    language: str,
    sending: dict[str, Any],
) -> RespondentPage:
    about = wording["about"]
    return RespondentPage(
        title=text_in(wording["title"], language),
        about={key: text for key in about if (text := text_in(about[key], language))},
        practice=practice,
        design=design,
        client_digest=_client_digest(),
        data={
            **sending,
            "design": design,
            "wording": [_block(block, language) for block in wording["blocks"]],
            "prevalence": _prevalence(wording),
            "texts": respondent_texts(),
        },
    )


@lru_cache(maxsize=1)
def _client_digest() -> str:
    # The scripts change with an upgrade only, and that starts the server anew.
    return client().digest


def text_in(texts: Mapping[str, str] | None, language: str) -> str:
    """Return the text in a language, else in the first language there is, else nothing.

    Examples
    --------
    >>> text_in({"en": "Work", "fr": "Travail"}, "fr")
    'Travail'
    >>> text_in({"en": "Work", "fr": "Travail"}, "zh-hans")
    'Work'
    >>> text_in(None, "en")
    ''
    """
    if not texts:
        return ""
    return texts.get(language) or next(iter(texts.values()))


def _block(block: dict[str, Any], language: str) -> dict[str, Any]:
    return {
        "title": text_in(block.get("title"), language),
        "help": text_in(block.get("help"), language),
        "questions": [
            {
                "text": text_in(question["text"], language),
                "help": text_in(question.get("help"), language),
                "options": [text_in(option["text"], language) for option in question.get("options") or ()],
            }
            for question in block["questions"]
        ],
    }


def _prevalence(wording: dict[str, Any]) -> dict[str, list[int]]:
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    return {question["key"]: question["prevalence"] for question in questions if question.get("prevalence")}
