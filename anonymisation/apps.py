"""Extend `surveys` with the pages, jobs, refusals and audit events of releases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from anonymisation.refusals import WORDS
from surveys import extension

ACTIONS = {
    "release_ask": _("queried a release"),
    "release_begin": _("started to publish a table"),
    "release_cancel": _("cancelled a release"),
    "release_columns": _("chose roles for the columns of a table"),
    "release_download": _("downloaded a release"),
    "release_erase": _("deleted a table or a release"),
    "release_finish": _("created a release"),
    "release_matrix": _("saved or removed an expert’s matrix for a table"),
    "release_open": _("turned on queries of a release"),
    "release_request": _("requested a release"),
    "release_sent": _("uploaded a large table"),
    "release_shut": _("turned off queries of a release"),
    "release_study": _("described the study of a table"),
    "release_trees": _("edited value groups for a table"),
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
