"""A printed page for the wall of a workshop or clinic: what happens to an answer, who does not learn it.

Its sentences are only about answers that every device disguises. A survey in which some devices send true
answers has no poster, because a wall cannot say to whom which sentence applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from surveys.accounts.permissions import get_survey_for_builder, staff_page
from surveys.formats.qr_code import qr_code
from surveys.models import Survey, Version
from surveys.questionnaire.about_texts import about_in
from surveys.questionnaire.languages import Language, text_in
from surveys.questionnaire.promise_words import stated_in_words, stated_promises
from surveys.respondent.complete_disguise import disguises_all_sensitive_answers
from surveys.respondent.letters import contact_sentences
from surveys.respondent.speaking import speaking
from surveys.respondent.survey_addresses import Address, absolute_address, addresses_of
from surveys.respondent.survey_digests import survey_digest


@dataclass(frozen=True, kw_only=True)
class PosterPart:
    """A heading with its sentences."""

    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Poster:
    """A poster in one language of the survey.

    Attributes
    ----------
    language : Language
        Language of the survey.
    text_language : str
        Tag of the language of the sentences: the same unless Sottovoce is not translated into it.
    title : str
        Title of the survey.
    address : str
    picture : SafeString or None
        The address as a QR code; None if a code is needed, too.
    parts : tuple of PosterPart
    """

    language: Language
    text_language: str
    title: str
    address: str
    picture: SafeString | None
    parts: tuple[PosterPart, ...]


def posters(survey: Survey, *, absolute: Callable[[str], str]) -> tuple[Poster, ...]:
    """Return the posters of a published survey, beginning with its first language.

    Parameters
    ----------
    survey : Survey
    absolute : callable
        Makes a complete address from a path.

    Returns
    -------
    tuple of Poster
        Empty if some devices may send true answers to sensitive questions.
    """
    version = _newest(survey)
    if not disguises_all_sensitive_answers(version.to_design()):
        return ()
    return tuple(
        _poster(version, address, absolute(address.path))
        for address in addresses_of(survey.slug, version.wording)
    )


def has_poster(survey: Survey) -> bool:
    """Return whether every device disguises all sensitive answers of a published survey."""
    return disguises_all_sensitive_answers(_newest(survey).to_design())


def _newest(survey: Survey) -> Version:
    return survey.versions.select_related("survey").order_by("-number")[0]


def _poster(version: Version, address: Address, path: str) -> Poster:
    survey, tag = version.survey, address.language.tag
    whole = f"{path}#d={survey_digest(version)}"
    with speaking(version.wording, tag):
        parts = (
            PosterPart(heading=_("What happens to your answers?"), sentences=tuple(_fate(version))),
            PosterPart(heading=_("Who does not learn them?"), sentences=tuple(_strangers(version))),
            PosterPart(heading=_("Where can you ask?"), sentences=tuple(_contacts(version, tag))),
        )
    return Poster(
        language=address.language,
        text_language=address.page_language,
        title=text_in(survey.title, tag),
        address=whole,
        picture=None if survey.by_invitation else qr_code(whole),
        # A heading without a sentence would look like a mistake.
        parts=tuple(part for part in parts if part.sentences),
    )


def _fate(version: Version) -> Iterator[str]:
    yield _("Your own phone or computer disguises your answers to sensitive questions before it sends them.")
    yield _("It sends your true answer or a made-up one. Chance decides, and no one can see which.")
    yield _("One answer proves nothing. Many answers together show how common something is.")
    if any(not block.protected for block in version.to_design().blocks):
        yield _("Questions marked “Stored as answered” are not disguised. You can leave them empty.")
    yield _("Taking part is your choice. You can stop at any time before you send.")
    yield _("After you send, no one can find or delete your answers.")


def _strangers(version: Version) -> Iterator[str]:
    yield _(
        "No one learns your true answers to sensitive questions: not the people who run this survey, not "
        "anyone at this place, not the server’s owner."
    )
    yield _("Even someone with all stored data cannot be sure what you answered.")
    yield from stated_in_words(stated_promises(version))
    yield _(
        "This does not protect you from someone who watches your screen or has spied on your phone. Answer "
        "where you are alone."
    )


def _contacts(version: Version, tag: str) -> Iterator[str]:
    about = about_in(version.wording, tag)
    yield from contact_sentences(about)
    if "ethics" in about:
        yield _("Approved by: %(ethics)s") % about
    if version.survey.by_invitation:
        yield _("You need an invitation code to take part.")


@staff_page
@require_safe
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the posters, to print one page for each language."""
    survey = get_survey_for_builder(request.user, slug)
    can_answer = survey.state in (Survey.State.PLANNED, Survey.State.OPEN)
    context = {
        "survey": survey,
        "can_answer": can_answer,
        "posters": posters(survey, absolute=partial(absolute_address, request)) if can_answer else (),
    }
    return render(request, "invite/poster.html", context)
