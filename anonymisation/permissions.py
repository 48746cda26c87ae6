"""Access to releases, like `surveys.accounts.permissions` for surveys: all code gets releases from here.

===================  ===========================  =====================================
function             allows                       access to
===================  ===========================  =====================================
``…_for_builder``    researchers; administrators  releases of their tables and of surveys
                                                  whose rows they may take; all
``…_for_questions``  researchers; administrators  releases that are open for questions
===================  ===========================  =====================================
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from anonymisation.models import Release
from surveys.accounts.permissions import Visitor, get_builder, may_read_reports
from surveys.accounts.roles import Role, roles_of


def get_releases_for_builder(user: Visitor) -> QuerySet[Release]:
    """Return the releases that `user` may edit: of their tables and surveys, or all for an administrator.

    A release of a survey shows its rows, so its survey's owner has it, if they may read reports.
    """
    builder = get_builder(user)
    releases = Release.objects.select_related("job", "survey", "owner").order_by("-pk")
    if Role.ADMINISTRATOR in roles_of(builder):
        return releases
    is_owned = Q(survey=None, owner=builder)
    return releases.filter(is_owned | Q(survey__owner=builder) if may_read_reports(builder) else is_owned)


def get_release_for_builder(user: Visitor, release_id: int) -> Release:
    """Return the release with this number, if `user` may edit it."""
    return get_object_or_404(get_releases_for_builder(user), pk=release_id)


def get_releases_for_questions(user: Visitor) -> QuerySet[Release]:
    """Return the releases of all owners that have files and are open for questions."""
    get_builder(user)
    releases = Release.objects.select_related("survey", "owner").order_by("-pk")
    return releases.filter(opened_at__isnull=False, files__isnull=False)


def get_release_for_questions(user: Visitor, release_id: int) -> Release:
    """Return the release with this number, if `user` may query it."""
    return get_object_or_404(get_releases_for_questions(user), pk=release_id)
