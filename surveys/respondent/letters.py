"""Letters that invite people to a survey, in each of its languages: texts for respondents.

The reminder goes to everyone, whether or not they have answered, because no one checks who has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.formats.dates import moment_text
from surveys.formats.qr_code import qr_code
from surveys.models import Survey, Version
from surveys.questionnaire.about_texts import about_in
from surveys.questionnaire.languages import Language, has_catalogue, text_in
from surveys.questionnaire.local_time import wall_time
from surveys.questionnaire.promise_words import stated_in_words, stated_promises
from surveys.questionnaire.turns import TURN
from surveys.respondent.complete_disguise import disguises_all_sensitive_answers
from surveys.respondent.speaking import speaking
from surveys.respondent.survey_addresses import Address, addresses_of
from surveys.respondent.survey_digests import survey_digest


@dataclass(frozen=True, kw_only=True)
class Letters:
    """Letters in one language of the survey.

    Parameters
    ----------
    language : Language
        Language of the survey.
    text_language : str
        Tag of the language of the texts: the same unless Sottovoce is not translated into it.
    address : str
        Complete address, including the survey's digest.
    picture : SafeString
        The address as a QR code.
    first, reminder : str
    is_signed : bool
        Whether the letter says who asks, and where people can ask. A practice survey may state neither.
    """

    language: Language
    text_language: str
    address: str
    picture: SafeString
    first: str
    reminder: str
    is_signed: bool

    @property
    def is_translated(self) -> bool:
        """Whether the texts are in the survey's language."""
        return has_catalogue(self.language.tag) or self.text_language == self.language.tag


def letters(survey: Survey, *, absolute: Callable[[str], str]) -> tuple[Letters, ...]:
    """Return the letters of a published survey, beginning with its first language.

    Parameters
    ----------
    survey : Survey
    absolute : callable
        Makes a complete address from a path.
    """
    version = survey.versions.select_related("survey").order_by("-number")[0]
    digest = survey_digest(version)
    return tuple(
        _letters(survey, version, address, f"{absolute(address.path)}#d={digest}")
        for address in addresses_of(survey.slug, version.wording)
    )


def _letters(survey: Survey, version: Version, address: Address, whole: str) -> Letters:
    with speaking(version.wording, address.language.tag):
        values = {"title": text_in(survey.title, address.language.tag), "address": whole}
        first = "\n\n".join(_first(survey, version, address, values))
        reminder = "\n\n".join(_reminder(survey, values))
    about = about_in(version.wording, address.language.tag)
    return Letters(
        is_signed={"researcher", "contact"} <= about.keys(),
        language=address.language,
        text_language=address.page_language,
        address=whole,
        picture=qr_code(whole),
        first=first,
        reminder=reminder,
    )


def _first(survey: Survey, version: Version, address: Address, values: dict[str, Any]) -> Iterator[str]:
    about = about_in(version.wording, address.language.tag)
    yield _("You are invited to answer “%(title)s”.") % values
    if "purpose" in about:
        yield about["purpose"]
    if disguises_all_sensitive_answers(version.to_design()):
        yield _(
            "Your phone or computer disguises your answers to sensitive questions before sending them. So no "
            "one can be sure that an answer is yours: your device may have made it up."
        )
        yield from stated_in_words(stated_promises(version))
    if survey.by_invitation:
        yield (
            _("Open %(address)s and enter this code. It works once.")
            if TURN not in version.wording
            else _(
                "Open %(address)s and enter this code. It works once in each survey of this series. Keep it: "
                "the next survey needs the same code."
            )
        ) % values
        yield _("[put the code here]")
    else:
        yield _("Open %(address)s to answer.") % values
    yield _(
        "The part after “d=” identifies this survey. Your device will not open any other survey"
        " from this address."
    )
    yield from _closes(survey)
    yield from contact_sentences(about)


def contact_sentences(about: Mapping[str, str]) -> Iterator[str]:
    """Yield who asks and where to ask, as far as a survey states it; a practice survey may state neither."""
    if "researcher" in about:
        yield _("Researcher: %(researcher)s") % about
    if "contact" in about:
        yield _("Questions about this survey: %(contact)s") % about


def _reminder(survey: Survey, values: dict[str, Any]) -> Iterator[str]:
    yield _("We invited you to the survey “%(title)s”.") % values
    yield _(
        "If you have already answered, thank you. We send this message to everyone, because we "
        "do not check who has answered."
    )
    if survey.by_invitation:
        yield (
            _(
                "If you have not, you still can: open the address in your invitation, or open "
                "%(address)s and enter your code. Each code works once."
            )
            % values
        )
    else:
        yield _("If you have not, you still can: open %(address)s.") % values
    yield from _closes(survey)


def _closes(survey: Survey) -> Iterator[str]:
    if survey.closes_at is not None:
        yield _("The survey closes at %(time)s (%(zone)s).") % {
            "time": moment_text(wall_time(survey.closes_at, survey.time_zone)),
            "zone": survey.time_zone,
        }
