"""Check that respondents can read the promise, and how to skip, in each language of a survey."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from surveys.questionnaire.definition import Definition
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.own_sentences import languages_without_promise


def check_promise_language(definition: Definition) -> Iterator[Finding]:
    """Demand the sentences on the promise, on skips and on sending in languages that Sottovoce lacks.

    Someone who reads questions in one language and the promise in another does not know what they agree to.

    Parameters
    ----------
    definition : Definition
    """
    for name in languages_without_promise(definition.wording, definition.languages):
        yield Finding(
            level=Level.REFUSE,
            code="no_promise",
            path="languages",
            message=_(
                "respondents who read %(name)s find the promise, the skips or the last button in English: no "
                "one consents to what they cannot read"
            )
            % {"name": name},
            remedy=_("upload the sheet of sentences for this language, or remove the language"),
        )
