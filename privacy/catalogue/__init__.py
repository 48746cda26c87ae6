"""Messages and remedies of the core's errors, in English.

A case is a code, or a code and what tells it from others of that code after a dot: ``range.bins``. Programs
read the code, people the words; what stands in ``%(...)s`` is given where the refusal is raised. Texts that
pages show are marked for the translators by ``_``.
"""

from __future__ import annotations

from typing import Final

from privacy.catalogue import estimation, survey, tables

_: Final = str

PARTS: Final = (estimation, survey, tables)

WORDS: Final = {case: words for part in PARTS for case, words in part.WORDS.items()}

ADVICE: Final = {
    "skip": _("use ten-thousandths from %(low)s to %(high)s, or leave it out if the block cannot be skipped"),
    "decoy": _(
        "use ten-thousandths from %(low)s to %(high)s: a random answer that is never or always "
        '"yes" would reveal true answers'
    ),
    "share": _("use a number above 0 and at most 1"),
}
"""Remedies that replace that of a case which is said of many values."""
