"""Tick-all questions of earlier versions as a kind of question: `surveys.questionnaire.multi_conversion`."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy

from surveys.questionnaire.document import Node
from surveys.questionnaire.exclusive_wordings import means_none
from surveys.questionnaire.kinds import MATRIX, NO_RATING, NONE, RATING, StatedKind


class StatedMulti(StatedKind):
    """A choice of any number of options, in definitions of versions that were published with one."""

    looks = ()
    refused_looks = {
        RATING: NO_RATING,
        MATRIX: (
            gettext_lazy("a question with several answers cannot be a row of a table"),
            gettext_lazy("ask each option as a question with yes or no, or leave the look out"),
        ),
    }

    def _wording(self, node: Node, options: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the texts, and the key of an option that means none of the others.

        The page offers "none of these" itself. With such an option, the page uses it instead of its own.
        """
        none = next((option["key"] for option in options if means_none(option["text"])), None)
        return super()._wording(node, options) | ({} if none is None else {NONE: none})
