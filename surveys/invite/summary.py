"""Summary of a survey's invitations."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.formats import number_format

from surveys.invite.codes import codes_made
from surveys.models import Receipt, Survey
from surveys.rows.disclosure import rounded_count, shown_count


@dataclass(frozen=True, kw_only=True)
class InvitationStatus:
    """Access to a survey, and the numbers of its codes.

    Parameters
    ----------
    slug, title, state : str
    by_invitation : bool
    can_choose : bool
        Whether this can still be changed.
    can_make : bool
        Whether codes can be made and revoked.
    made, used, unused : str
        Numbers that may be shown: rounded to tens while answers can arrive. `made` includes revoked codes;
        otherwise someone who revokes one could learn from the change whether it was used. `unused` is the
        difference of the two displayed numbers; the true difference, rounded, would narrow both down.
    rounded : bool
    decides : bool
        Whether a code selects its holder's group in an experiment.
    """

    slug: str
    title: str
    state: str
    by_invitation: bool
    can_choose: bool
    can_make: bool
    made: str
    used: str
    unused: str
    rounded: bool
    decides: bool


def invitation_status(survey: Survey) -> InvitationStatus:
    """Return the summary of a survey's invitations."""
    made = used = 0
    if survey.by_invitation:
        made, used = codes_made(survey), Receipt.objects.filter(survey=survey, digest__isnull=False).count()
    version = survey.versions.order_by("-number").first() if survey.by_invitation else None
    rounded = not (survey.practice or survey.settled)
    unused = rounded_count(made) - rounded_count(used) if rounded else made - used
    state = Survey.State(survey.state)
    return InvitationStatus(
        slug=survey.slug,
        title=survey.title_text,
        state=survey.state,
        by_invitation=survey.by_invitation,
        can_choose=state is Survey.State.DRAFT,
        can_make=survey.by_invitation and state in (Survey.State.PLANNED, Survey.State.OPEN),
        made=shown_count(made, rounded=rounded),
        used=shown_count(used, rounded=rounded),
        unused=("≈ " if rounded else "") + number_format(unused, use_l10n=True, force_grouping=True),
        rounded=rounded,
        decides=bool(version and version.design.get("invited")),
    )
