"""The sentences of the label, for respondents and for those who build: defined in one place, said everywhere.

First the promise, over all that is sent and of one answer, whatever the answers have to do with each other.
What rests on guessed shares says "about": if K of 100 have the answers, about N of 100 who send them do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from surveys.questionnaire.aim import promise_texts

LABEL: Final = {
    # What follows `odds_posterior`: nothing for a row that is shown; "_worst" for the most telling one, not
    # shown; "_skip" where the row is a skip.
    "odds_whole_any": _("This is true even if one of your answers reveals another."),
    "odds_whole_times": _(
        "What your device sends is at most {g} times as likely from you as from anyone else."
    ),
    "odds_whole_apart": _("The map is not included."),
    "odds_posterior": _("If about {k} in 100 people have these answers, about {n} in 100 who send them do."),
    "odds_posterior_worst": _(
        "If about {k} in 100 people have the answers that reveal the most, about {n} in 100 who send them do."
    ),
    "odds_posterior_skip": _(
        "If people skip as often as random answers do, about {n} in 100 who send “skipped” did skip."
    ),
    "odds_expected": _("If everyone answers this part the same way, it reveals nothing about you."),
    "odds_direct": _("This limit does not apply to answers that are sent directly."),
    "odds_none": _("fewer than 1"),
    "odds_all": _("more than 99"),
}


def translated(texts: Mapping[str, Any]) -> dict[str, str]:
    """Return sentences by key in the language of now."""
    return {key: str(text) for key, text in texts.items()}


def label_texts() -> dict[str, str]:
    """Return the sentences by key, translated."""
    return promise_texts() | translated(LABEL)
