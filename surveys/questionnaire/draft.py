"""Read a draft, and list the problems that prevent publishing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.coins import SCALE
from surveys.errors.error import short_json
from surveys.formats.numbers import count_text
from surveys.models import Survey
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import INVITED
from surveys.questionnaire.definition import (
    UNDISGUISED,
    Definition,
    Reading,
    definition_read,
)
from surveys.questionnaire.document import Node, Problem, Problems
from surveys.questionnaire.filled_texts import with_texts
from surveys.questionnaire.multi_conversion import converted


def draft_read(survey: Survey, document: object = None) -> Reading:
    """Parse the survey's draft, or another document for it, and list what prevents publishing.

    In addition to `definition_read`, this checks that a published survey keeps its address and its kind
    (practice or real), and that no placeholder of a template is left. Tick-all questions of earlier versions
    are read as lists. Practice surveys need no texts: missing
    ones are filled in.
    """
    document = converted(survey.definition if document is None else document).document
    if isinstance(document, dict) and document.get("practice") is True:
        document = with_texts(document)
    reading = definition_read(document)
    problems = Problems(list(reading.problems))
    root = Node(value=document if isinstance(document, dict) else {}, path="", problems=problems)
    slug, practice = root.at("slug"), root.at("practice")
    if practice.value is not True:
        about = root.at("about")
        _check_placeholders(about, about.value if isinstance(about.value, dict) else ())
        for block in root.at("blocks").objects():
            _check_placeholders(block, ("help",))
    if isinstance(slug.value, str) and slug.value != survey.slug:
        slug.wrong(
            _("%(stated)s is not this survey's address, %(slug)s"),
            _("write %(slug)s, or rename the survey"),
            stated=short_json(slug.value),
            slug=survey.slug,
        )
    if survey.state != Survey.State.DRAFT and practice.value not in (None, survey.practice):
        practice.wrong(
            _("the survey was published with practice = %(practice)s"),
            _("duplicate it on the page “New survey”: a practice survey stays one, and so does a real one"),
            practice=short_json(survey.practice),
        )
    if reading.definition is not None:
        _check_undisguised(reading.definition, root.at("about").at(UNDISGUISED))
        _check_invited(survey, reading.definition, root.at(INVITED))
    if len(problems.entries) == len(reading.problems):
        return replace(reading, designed=reading.definition)
    return Reading(
        definition=None, problems=tuple(problems.entries), blocks=reading.blocks, designed=reading.definition
    )


def problems_of_live(survey: Survey, document: object = None) -> tuple[Problem, ...]:
    """Return what keeps a practice draft from asking for real answers; empty for a live one.

    Parameters
    ----------
    survey : Survey
    document : optional
        Read instead of the survey's draft, as by `draft_read`.
    """
    document = survey.definition if document is None else document
    if not isinstance(document, dict) or document.get("practice") is not True:
        return ()
    # A published survey cannot change its kind; its copy can.
    copy = Survey(slug=survey.slug, definition={**document, "practice": False}, aim=survey.aim)
    return tuple(draft_read(copy).problems)


def live_gaps_sentence(count: int) -> str:
    """Say that a draft can be published for practice, and how much it lacks for real answers; empty for 0.

    Parameters
    ----------
    count : int
        Number of `problems_of_live`.
    """
    if not count:
        return ""
    return ngettext(
        "Enough for practice. Before real answers, there is %(count)s problem to fix.",
        "Enough for practice. Before real answers, there are %(count)s problems to fix.",
        count,
    ) % {"count": count_text(count)}


def _check_undisguised(definition: Definition, node: Node) -> None:
    """Note a missing reason in a live survey that sends answers undisguised."""
    if definition.design.sends_undisguised and not definition.practice and node.value is None:
        node.wrong(
            _("some respondents' answers are sent undisguised, and the survey does not say why"),
            _(
                "disguise them lightly instead, or write the reason, which respondents and every "
                "report will show"
            ),
        )


def _check_invited(survey: Survey, definition: Definition, node: Node) -> None:
    """Note invitations that allot too few people to a group, or that contradict those already handed out."""
    design, people = definition.design, Aim.people_of(survey.aim)
    least = min(design.invited_shares.values(), default=SCALE)
    is_live = design.invited and not definition.practice
    # Without a number, `check_use` warns.
    if is_live and people is not None and least * people < LEAST_PROTECTED * SCALE:
        node.wrong(
            _(
                "of %(people)s people who are expected to answer, %(count)s would be in the "
                "smallest group, and anyone with the list of codes knows who they are"
            ),
            _("let devices draw it, or choose shares and people that give each group %(least)s"),
            people=people,
            count=least * people // SCALE,
            least=LEAST_PROTECTED,
        )
    last = survey.versions.order_by("-number").first() if survey.by_invitation else None
    before = last and last.to_design()
    if before and (before.invited, before.invited_shares) != (design.invited, design.invited_shares):
        node.wrong(
            _("invitations may already have been sent, and publishing fixed the terms they contain"),
            _("leave it as it was published, or duplicate the survey"),
        )


def _check_placeholders(part: Node, names: Iterable[str]) -> None:
    """Note members whose texts are still a template's placeholder in brackets: "[Write your name.]"."""
    for name in names:
        texts = part.value.get(name)
        for language, text in texts.items() if isinstance(texts, dict) else ():
            if isinstance(text, str) and text.strip().startswith("[") and text.strip().endswith("]"):
                part.at(name).at(language).wrong(
                    _("%(text)s is still the placeholder of the template"),
                    _("write your own text, without the brackets"),
                    text=short_json(text),
                )
