"""What a draft says, read for its survey, and what is in the way of publishing it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from surveys.errors.error import shown
from surveys.models import Survey
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import INVITED
from surveys.questionnaire.definition import UNDISGUISED, Definition, Reading, definition_read
from surveys.questionnaire.problems import Problem


def draft_read(survey: Survey, document: object = None) -> Reading:
    """Return what the survey's draft, or another document for it, says, and what is in the way of publishing.

    Beside what `definition_read` finds: the address and the kind of a published survey stay as they are, and
    what a template leaves to be written has to be written.
    """
    document = survey.definition if document is None else document
    reading = definition_read(document)
    stated = document if isinstance(document, dict) else {}
    problems = [*reading.problems, *_placeholders(stated.get("about"))]
    if isinstance(stated.get("slug"), str) and stated["slug"] != survey.slug:
        problems.append(
            Problem(
                path="slug",
                message=_("%(stated)s is not this survey's address, %(slug)s")
                % {"stated": shown(stated["slug"]), "slug": survey.slug},
                remedy=_("write %(slug)s, or rename the survey") % {"slug": survey.slug},
            )
        )
    if survey.state != Survey.State.DRAFT and stated.get("practice") not in (None, survey.practice):
        problems.append(
            Problem(
                path="practice",
                message=_("the survey was published with practice = %(practice)s")
                % {"practice": shown(survey.practice)},
                remedy=_("duplicate it: practice answers never become real ones, nor the other way round"),
            )
        )
    if reading.definition is not None:
        problems += [*_undisguised(reading.definition), *_invited(survey, reading.definition)]
    if len(problems) == len(reading.problems):
        return replace(reading, designed=reading.definition)
    return Reading(
        definition=None, problems=tuple(problems), blocks=reading.blocks, designed=reading.definition
    )


def _undisguised(definition: Definition) -> Iterator[Problem]:
    """Find a live survey that sends answers undisguised and does not say why."""
    if (
        definition.design.sends_undisguised
        and not definition.practice
        and UNDISGUISED not in definition.wording["about"]
    ):
        yield Problem(
            path=f"about.{UNDISGUISED}",
            message=_("some people's answers are sent undisguised, and nobody is told why"),
            remedy=_("disguise them lightly instead; or write why, for respondents and for every report"),
        )


def _invited(survey: Survey, definition: Definition) -> Iterator[Problem]:
    """Find invitations that decide over too few people, or otherwise than those that may be handed out."""
    design, people = definition.design, Aim.people_of(survey.aim)
    least = min(design.invited_shares.values(), default=SCALE)
    if design.invited and not definition.practice and least * people < LEAST_PROTECTED * SCALE:
        yield Problem(
            path=INVITED,
            message=_(
                "of %(people)s people who are expected to answer, %(count)s would be in the smallest group, "
                "and whoever has the list of codes knows who they are"
            )
            % {"people": people, "count": least * people // SCALE},
            remedy=_("let devices draw it, or choose shares and people that give each group %(least)s")
            % {"least": LEAST_PROTECTED},
        )
    last = survey.versions.order_by("-number").first() if survey.by_invitation else None
    before = last and last.to_design()
    if before and (before.invited, before.invited_shares) != (design.invited, design.invited_shares):
        yield Problem(
            path=INVITED,
            message=_("invitations may be on their way, and what they decide was settled by publishing"),
            remedy=_("leave it as it was published, or duplicate the survey"),
        )


def _placeholders(about: object) -> Iterator[Problem]:
    """Find what a template left to be written: texts in brackets, "[Write your name.]"."""
    for name, texts in about.items() if isinstance(about, dict) else ():
        for language, text in texts.items() if isinstance(texts, dict) else ():
            if isinstance(text, str) and text.strip().startswith("[") and text.strip().endswith("]"):
                yield Problem(
                    path=f"about.{name}.{language}",
                    message=_("%(text)s is still what the template left to you") % {"text": shown(text)},
                    remedy=_("write your own text, without the brackets"),
                )
