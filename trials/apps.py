"""What trials plug into the surveys: words. Django finds their commands by itself."""

from __future__ import annotations

from collections.abc import Mapping

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from surveys import extension
from trials.refusals import WORDS


class TrialsConfig(extension.Extension):
    """Studies with known truth, and the papers' experiments."""

    name = "trials"
    verbose_name = _("Experiments")
    refusals: Mapping[str, tuple[str, str]] = WORDS

    def ready(self) -> None:
        """Refuse to start without the application that is studied too."""
        if not apps.is_installed("releases"):
            raise ImproperlyConfigured(
                "SOTTO_APPS names trials without releases, which they study too; write releases,trials."
            )
