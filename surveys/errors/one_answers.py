"""Messages of errors about several questions that are sent as one answer."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

from surveys.extension import Refusal

WORDS: Final[dict[str, Refusal]] = {
    "one_answer.gone": (
        _("This part no longer has these questions, or they cannot be sent as one answer."),
        _("Reload the page and try again."),
        409,
    ),
    "one_answer.halves": (
        _("Two halves need at least %(least)s questions without numbers, and %(value)s are chosen."),
        _("Choose more questions, or send one answer."),
    ),
    "one_answer.least": (
        _("“At least %(value)s” cannot be true of %(most)s questions."),
        _("Use a number from 1 to %(most)s."),
    ),
    "one_answer.many": (
        _("%(value)s questions are too many for one answer."),
        _("Choose at most %(most)s, or make several answers of them."),
    ),
    "one_answer.open": (
        _("This part is stored as answered, so each answer is sent."),
        _("Protect the part first."),
        409,
    ),
    "one_answer.unclear": (
        _("It is unclear which answers to %(value)s count."),
        _("Choose other questions, or use “Points and levels” and state the points of each answer."),
    ),
    "one_answer.unready": (
        _("The draft has parts that cannot be read."),
        _("Fix the problems that the builder lists, then try again."),
        409,
    ),
}
