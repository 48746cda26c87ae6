"""The application of releases: what it plugs into `surveys`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from anonymisation.refusals import STATUS, WORDS
from surveys import extension

ACTIONS = {
    "deposit_ask": _("asked a release a question"),
    "deposit_begin": _("started to publish a table"),
    "deposit_cancel": _("cancelled a release"),
    "deposit_columns": _("chose roles for the columns of a table"),
    "deposit_download": _("downloaded a release"),
    "deposit_erase": _("deleted a table or a release"),
    "deposit_finish": _("created a release"),
    "deposit_matrix": _("saved or removed an expert’s matrix for a table"),
    "deposit_open": _("turned queries of a release on"),
    "deposit_request": _("requested a release"),
    "deposit_sent": _("uploaded a large table"),
    "deposit_shut": _("turned queries of a release off"),
    "deposit_study": _("described the study of a table"),
    "deposit_trees": _("edited value groups for a table"),
}


class ReleasesConfig(extension.Extension):
    """Records published as tables, and questions answered from them."""

    name = "anonymisation"
    verbose_name = _("Publish records")
    pages = {"deposits": "anonymisation.releases.views"}
    menu = (extension.MenuEntry(page="deposits:begin", label=_("Publish records"), opens_to="builds"),)
    refusals = WORDS
    statuses = STATUS
    actions = ACTIONS
    timed_loggers = frozenset({"anonymisation"})
    steps_by_clock = frozenset({"deposits"})

    def works(self) -> Mapping[str, Callable[..., Any]]:
        """Return what makes a deposit, and what reads a large table."""
        from anonymisation.models import JOB_KIND, READ_KIND
        from anonymisation.releases.jobs import deposit_make, parts_read

        return {JOB_KIND: deposit_make, READ_KIND: parts_read}

    def sweeper_steps(self) -> Mapping[str, Callable[[], object]]:
        """Return what deletes tables whose day is over."""
        from anonymisation.releases.erasing import deposits_step

        return {"deposits": deposits_step}

    def doctor_checks(self) -> tuple[Callable[..., Any], ...]:
        """Return the check that records go on their day."""
        from anonymisation.checks import CHECKS

        return CHECKS
