"""What trials plug into the surveys: pages, a kind of job, words. Django finds their commands by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from surveys import extension
from trials.refusals import WORDS


class TrialsConfig(extension.Extension):
    """Studies with known truth, and the papers' experiments."""

    name = "trials"
    verbose_name = _("Experiments")
    pages = {"experiments": "trials.experiments.views"}
    menu = (extension.MenuEntry(page="experiments:papers", label=_("Experiments"), opens_to="has_role"),)
    refusals: Mapping[str, tuple[str, str]] = WORDS
    actions = {
        "experiment_request": _("ran the experiment of a paper"),
        "experiment_cancel": _("cancelled the experiment of a paper"),
    }

    def ready(self) -> None:
        """Refuse to start without the application that is attacked too."""
        if not apps.is_installed("releases"):
            raise ImproperlyConfigured(
                "SOTTO_APPS names trials without releases, which they attack too; write releases,trials."
            )

    def works(self) -> Mapping[str, Callable[..., Any]]:
        """Return what runs an experiment."""
        from trials.experiments.running import experiment_run
        from trials.models import JOB_KIND

        return {JOB_KIND: experiment_run}
