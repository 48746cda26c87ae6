"""What trials plug into the surveys: the words of their refusals. Django finds their commands by itself."""

from __future__ import annotations

from collections.abc import Mapping

from surveys import extension
from trials.refusals import WORDS


class TrialsConfig(extension.Extension):
    """Attacks on the product, and studies with known truth."""

    name = "trials"
    refusals: Mapping[str, tuple[str, str]] = WORDS
