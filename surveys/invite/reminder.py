"""A text for everybody who was invited, whether they have answered or not: nobody looks up who has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import override

from surveys.models import Survey
from surveys.questionnaire.languages import Language, text_in
from surveys.questionnaire.schedule import local_text
from surveys.respondent.addresses import Address, addresses_of


@dataclass(frozen=True, kw_only=True)
class Reminder:
    """The text in one language of the survey.

    Parameters
    ----------
    language : Language
        Of the survey.
    text_language : str
        Tag of the language that the text is in: the same, unless Sotto does not speak it.
    text : str
    """

    language: Language
    text_language: str
    text: str

    @property
    def is_translated(self) -> bool:
        """Whether the text is in the survey's language."""
        return self.text_language == self.language.tag


def reminders(survey: Survey, *, absolute: Callable[[str], str]) -> tuple[Reminder, ...]:
    """Return the reminder in each language of a published survey.

    Parameters
    ----------
    survey : Survey
    absolute : callable
        Makes a whole address of a path.
    """
    version = survey.versions.order_by("-number")[0]
    return tuple(
        _reminder(survey, address, absolute(address.path))
        for address in addresses_of(survey.slug, version.wording)
    )


def _reminder(survey: Survey, address: Address, whole: str) -> Reminder:
    with override(address.page_language):
        parts = [
            _("We have invited you to the survey “%(title)s”.")
            % {"title": text_in(survey.title, address.language.tag)},
            _(
                "If you have answered: thank you. This message goes to everybody, since we do not look up "
                "who has."
            ),
            _(
                "If you have not and would like to: open the address in your invitation, or open %(address)s "
                "and type your code. Each code can be used once."
            )
            % {"address": whole},
        ]
        if survey.closes_at is not None:
            parts.append(
                _("The survey closes at %(time)s (%(zone)s).")
                % {
                    "time": local_text(survey.closes_at, survey.time_zone).replace("T", " "),
                    "zone": survey.time_zone,
                }
            )
    return Reminder(language=address.language, text_language=address.page_language, text="\n\n".join(parts))
