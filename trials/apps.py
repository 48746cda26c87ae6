"""What trials plug into the surveys: the words of their refusals. Django finds their commands by itself."""

from __future__ import annotations

from collections.abc import Mapping

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured

from surveys import extension
from trials.refusals import WORDS


class TrialsConfig(extension.Extension):
    """Attacks on the product, and studies with known truth."""

    name = "trials"
    refusals: Mapping[str, tuple[str, str]] = WORDS

    def ready(self) -> None:
        """Refuse to start without the application that is attacked too."""
        if not apps.is_installed("releases"):
            raise ImproperlyConfigured(
                "SOTTO_APPS names trials without releases, which they attack too; write releases,trials."
            )
