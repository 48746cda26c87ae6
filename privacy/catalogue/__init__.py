"""Messages and remedies of the core's errors, in English.

A case is a code, or a code with a suffix that distinguishes several cases of it: ``range.bins``. Programs
read the code, people read the words. The code that raises an error supplies the values for ``%(...)s``. ``_``
marks texts that pages show, for translators.
"""

from __future__ import annotations

from typing import Final

from privacy.catalogue import composites, estimation, library, microdata, records, survey

_: Final = str

PARTS: Final = (composites, estimation, library, microdata, records, survey)

WORDS: Final = {case: words for part in PARTS for case, words in part.WORDS.items()}

ADVICE: Final = {
    "skip": _("use ten-thousandths from %(low)s to %(high)s, or leave it out if the block cannot be skipped"),
    "decoy": _(
        "use ten-thousandths from %(low)s to %(high)s: a random answer that is never or always "
        '"yes" would reveal true answers'
    ),
    "person": _(
        "leave the column out and pass it as respondent (several in a list), or pass records_are_people=True "
        "if each record belongs to a different person"
    ),
    "share": _("use a number above 0 and at most 1"),
}
"""Remedies for particular values; each replaces the remedy of a case that many values share."""
