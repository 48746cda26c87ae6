"""Extend `surveys` with the pages, jobs, refusals and audit events of releases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from anonymisation.refusals import WORDS
from surveys import extension
from surveys.extension import EventKind

ACTIONS = {
    "release_ask": EventKind(_("queried a release"), _("%(who)s queried %(release)s.")),
    "release_begin": EventKind(
        _("started to publish a table"), _("%(who)s started to publish a table as %(release)s.")
    ),
    "release_cancel": EventKind(_("cancelled a release"), _("%(who)s cancelled %(release)s.")),
    "release_columns": EventKind(
        _("chose roles for the columns of a table"), _("%(who)s chose roles for the columns of %(release)s.")
    ),
    "release_download": EventKind(_("downloaded a release"), _("%(who)s downloaded %(release)s.")),
    "release_erase": EventKind(
        _("deleted a table or a release"), _("%(who)s deleted %(release)s or its table.")
    ),
    "release_finish": EventKind(_("created a release"), _("%(who)s created %(release)s.")),
    "release_matrix": EventKind(
        _("saved or removed an expert’s matrix for a table"),
        _("%(who)s saved or removed an expert’s matrix for %(release)s."),
    ),
    "release_open": EventKind(
        _("turned on queries of a release"), _("%(who)s turned on queries of %(release)s.")
    ),
    "release_request": EventKind(_("requested a release"), _("%(who)s requested %(release)s.")),
    "release_sent": EventKind(
        _("uploaded a large table"), _("%(who)s uploaded a large table for %(release)s.")
    ),
    "release_shut": EventKind(
        _("turned off queries of a release"), _("%(who)s turned off queries of %(release)s.")
    ),
    "release_study": EventKind(
        _("described the study of a table"), _("%(who)s described the study of %(release)s.")
    ),
    "release_trees": EventKind(
        _("edited value groups for a table"), _("%(who)s edited value groups for %(release)s.")
    ),
}


class ReleasesConfig(extension.Extension):
    """Publishes records as tables, and answers queries of published tables."""

    name = "anonymisation"
    verbose_name = _("Publish records")
    pages = {"releases": "anonymisation.releases.views"}
    menu = (extension.MenuEntry(page="releases:begin", label=_("Publish records"), opens_to="builds"),)
    refusals = WORDS
    actions = ACTIONS
    steps_by_clock = frozenset({"releases"})

    def works(self) -> Mapping[str, Callable[..., Any]]:
        """Return the jobs: one creates a release, one reads a large table."""
        from anonymisation.models import JOB_KIND, READ_KIND
        from anonymisation.releases.file_parts import parts_read
        from anonymisation.releases.jobs import release_job

        return {JOB_KIND: release_job, READ_KIND: parts_read}

    def sweeper_steps(self) -> Mapping[str, Callable[[], object]]:
        """Return the step that deletes expired tables."""
        from anonymisation.releases.deletion import releases_step

        return {"releases": releases_step}

    def doctor_checks(self) -> tuple[Callable[..., Any], ...]:
        """Return the check that records are deleted in time."""
        from anonymisation.releases.deletion import CHECKS

        return CHECKS
