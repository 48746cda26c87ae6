"""What the columns of an uploaded table contain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from anonymisation.releases.columns import reading_chosen
from anonymisation.releases.plan import NUMBERS
from privacy.numeric_text import number_text
from privacy.tables.columns import ReadColumn
from privacy.tables.date_spans import SPANS
from privacy.tables.dates import dates_read, is_ambiguous

_EXAMPLES: Final = 3


def profile_of(column: ReadColumn, proposal: Mapping[str, Any]) -> dict[str, Any]:
    """Return examples and ambiguous texts of a column. They contain values, so they are sealed.

    Parameters
    ----------
    column : ReadColumn
    proposal : mapping
        The column's kind and missing texts, as stored in a release.
    """
    missing = {"", *proposal["missing_texts"]}
    texts = [text for text in column.values if text not in missing]
    reading = reading_chosen(column, proposal)
    read = reading.applied(column)
    counts = {text: n for text, n in read.counts.items() if text not in missing}
    glance: dict[str, Any] = {"ambiguous": "", "changed": ""}
    if proposal["kind"] in NUMBERS and counts:
        numbers = np.repeat([float(text) for text in counts], list(counts.values()))
        least, middle, most = (number_text(float(f"{end:.12g}")) for end in np.quantile(numbers, (0, 0.5, 1)))
        glance["span"] = [least, middle, most]
        glance["changed"] = next((text for text in texts if any(sign in text for sign in ", ’'")), "")
    else:
        most_common = sorted(counts.items(), key=lambda item: -item[1])
        glance["examples"] = [
            [f"{text} = {read.value_labels[text]}" if text in read.value_labels else text, n]
            for text, n in most_common[:_EXAMPLES]
        ]
        joined = next(iter(reading.spellings.items()), None)
        glance["joined"] = list(joined) if joined is not None else []
        glance["spellings"] = _two_spellings(counts)
    if proposal["kind"] in SPANS and (ambiguous := is_ambiguous(texts)):
        glance["ambiguous"] = ambiguous
        # Read the date with the day first, then with the month first.
        both = [dates_read(texts, month_first=first) or {} for first in (False, True)]
        glance["days"] = [days[ambiguous].isoformat() for days in both]
    return glance


def _two_spellings(texts: Iterable[str]) -> list[str]:
    """Return the first two texts that differ only in capitals and blanks.

    Examples
    --------
    >>> _two_spellings(["flu", "cold", "Flu"]), _two_spellings(["flu", "cold"])
    (['flu', 'Flu'], [])
    """
    first: dict[str, str] = {}
    for text in texts:
        other = first.setdefault(" ".join(text.casefold().split()), text)
        if other != text:
            return [other, text]
    return []
