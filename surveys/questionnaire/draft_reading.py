"""Read a draft for its survey, and list the problems that prevent publishing it."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from surveys.errors.error import shown
from surveys.models import Survey
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import INVITED
from surveys.questionnaire.definition import UNDISGUISED, Definition, Reading, definition_read
from surveys.questionnaire.missing_texts import with_texts
from surveys.questionnaire.node import Node
from surveys.questionnaire.problems import Problems


def draft_read(survey: Survey, document: object = None) -> Reading:
    """Parse the survey's draft, or another document for it, and list what prevents publishing.

    In addition to `definition_read`, this checks that the address and kind of a published survey are
    unchanged, and that placeholders of a template are replaced. Practice needs no texts: missing ones are
    filled in.
    """
    document = survey.definition if document is None else document
    if isinstance(document, dict) and document.get("practice") is True:
        document = with_texts(document)
    reading = definition_read(document)
    problems = Problems(list(reading.problems))
    stated = Node(value=document if isinstance(document, dict) else {}, path="", problems=problems)
    slug, practice = stated.at("slug"), stated.at("practice")
    if practice.value is not True:
        _check_placeholders(stated.at("about"))
    if isinstance(slug.value, str) and slug.value != survey.slug:
        slug.wrong(
            _("%(stated)s is not this survey's address, %(slug)s"),
            _("write %(slug)s, or rename the survey"),
            stated=shown(slug.value),
            slug=survey.slug,
        )
    if survey.state != Survey.State.DRAFT and practice.value not in (None, survey.practice):
        practice.wrong(
            _("the survey was published with practice = %(practice)s"),
            _("duplicate it: practice answers never become real ones, nor the other way round"),
            practice=shown(survey.practice),
        )
    if reading.definition is not None:
        _check_undisguised(reading.definition, stated.at("about").at(UNDISGUISED))
        _check_invited(survey, reading.definition, stated.at(INVITED))
    if len(problems.listed) == len(reading.problems):
        return replace(reading, designed=reading.definition)
    return Reading(
        definition=None, problems=tuple(problems.listed), blocks=reading.blocks, designed=reading.definition
    )


def _check_undisguised(definition: Definition, stated: Node) -> None:
    """Note a live survey that sends answers undisguised without stating a reason."""
    if definition.design.sends_undisguised and not definition.practice and stated.value is None:
        stated.wrong(
            _("some people's answers are sent undisguised, and nobody is told why"),
            _("disguise them lightly instead; or write why, for respondents and for every report"),
        )


def _check_invited(survey: Survey, definition: Definition, stated: Node) -> None:
    """Note invitations that decide over too few people, or otherwise than those already handed out."""
    design, people = definition.design, Aim.people_of(survey.aim)
    least = min(design.invited_shares.values(), default=SCALE)
    if design.invited and not definition.practice and least * people < LEAST_PROTECTED * SCALE:
        stated.wrong(
            _(
                "of %(people)s people who are expected to answer, %(count)s would be in the smallest group, "
                "and whoever has the list of codes knows who they are"
            ),
            _("let devices draw it, or choose shares and people that give each group %(least)s"),
            people=people,
            count=least * people // SCALE,
            least=LEAST_PROTECTED,
        )
    last = survey.versions.order_by("-number").first() if survey.by_invitation else None
    before = last and last.to_design()
    if before and (before.invited, before.invited_shares) != (design.invited, design.invited_shares):
        stated.wrong(
            _("invitations may be on their way, and what they decide was settled by publishing"),
            _("leave it as it was published, or duplicate the survey"),
        )


def _check_placeholders(about: Node) -> None:
    """Note placeholders that a template left in its texts, in brackets: "[Write your name.]"."""
    for name, texts in about.value.items() if isinstance(about.value, dict) else ():
        for language, text in texts.items() if isinstance(texts, dict) else ():
            if isinstance(text, str) and text.strip().startswith("[") and text.strip().endswith("]"):
                about.at(name).at(language).wrong(
                    _("%(text)s is still what the template left to you"),
                    _("write your own text, without the brackets"),
                    text=shown(text),
                )
