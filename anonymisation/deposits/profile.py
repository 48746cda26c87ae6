"""What is in each column of an uploaded table: examples, spread, doubtful texts, and what it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from anonymisation.deposits.plan import NUMBERS
from privacy.arrays import Whole
from privacy.sdc.table import number_text
from surveys.imports.column_kinds import SPANS, column_as, dates_read, is_ambiguous
from surveys.imports.table import ReadColumn

__all__ = ["profile_of", "sample_of", "telling"]

_BARS: Final = "▁▂▃▄▅▆▇█"
_EXAMPLES: Final = 3
_MOST_BARS: Final = 12
_LOOKED_AT: Final = 20_000
"""Records in which columns that tell another one are looked for."""
_TELLS: Final = 0.95
"""Share of what is unknown of a protected column that another one settles."""
_PEOPLE_EACH: Final = 5
"""Mean number of records of a value; fewer settle everything by chance."""


def profile_of(column: ReadColumn, proposal: Mapping[str, Any]) -> dict[str, Any]:
    """Return examples, bars and doubtful texts of a column; it holds values, and is sealed with them.

    Parameters
    ----------
    column : ReadColumn
    proposal : mapping
        Its kind and what is missing in it, as a deposit has them.
    """
    missing = {"", *proposal["missing_texts"]}
    texts = [text for text in column.values if text not in missing]
    month_first = proposal.get("month_first", False)
    read = column_as(column, proposal["kind"], proposal["missing_texts"], month_first=month_first)
    counts = {text: n for text, n in read.counts.items() if text not in missing}
    glance: dict[str, Any] = {"ambiguous": "", "changed": ""}
    if proposal["kind"] in NUMBERS and counts:
        numbers = np.repeat([float(text) for text in counts], list(counts.values()))
        least, middle, most = (number_text(float(end)) for end in np.quantile(numbers, (0, 0.5, 1)))
        glance |= {"span": [least, middle, most], "bars": _bars(np.histogram(numbers, _MOST_BARS)[0])}
        glance["changed"] = next((text for text in texts if any(sign in text for sign in ", ’'")), "")
    else:
        most_common = sorted(counts.items(), key=lambda item: -item[1])
        in_order = sorted(counts.items()) if proposal["kind"] in SPANS else most_common
        glance["examples"] = [
            [f"{text} = {read.value_labels[text]}" if text in read.value_labels else text, n]
            for text, n in most_common[:_EXAMPLES]
        ]
        glance["bars"] = _bars(np.array([n for _text, n in in_order[:_MOST_BARS]]))
    if proposal["kind"] in SPANS and (ambiguous := is_ambiguous(texts)):
        glance["ambiguous"] = ambiguous
        # With the day first, and with the month first.
        both = [dates_read(texts, month_first=first) or {} for first in (False, True)]
        glance["days"] = [days[ambiguous].isoformat() for days in both]
    return glance


def _bars(counts: np.ndarray[Any, Any]) -> str:
    """Draw counts as characters: a few, beside a sentence that says the same.

    Examples
    --------
    >>> _bars(np.array([1, 4, 8]))
    '▁▄█'
    """
    if not len(counts) or not counts.max():
        return ""
    heights = np.ceil(counts * len(_BARS) / counts.max()).astype(int) - 1
    return "".join(_BARS[max(height, 0)] for height in heights.tolist())


def sample_of(column: ReadColumn) -> Whole:
    """Return the numbers of some thousands of a column's records, evenly over the table."""
    return column.codes[:: max(1, len(column.codes) // _LOOKED_AT)].astype(np.int64)


def telling(codes: Mapping[str, Whole], columns: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the columns that would be published and settle a protected one, with those that they settle.

    Parameters
    ----------
    codes : mapping of str to int64 array, shape (n,)
        Of each column that is published, a number for its value in the same records.
    columns : sequence of mapping
        Name and role of each.

    Notes
    -----
    Goodman and Kruskal's lambda (1954): of the records for which the commonest protected value is a wrong
    guess, the share for which the commonest one beside the other column's value is right.

    Examples
    --------
    >>> alive = np.array([0, 1] * 10)
    >>> roles = [{"name": "alive", "role": "insensitive"}, {"name": "survived", "role": "sensitive"}]
    >>> telling({"alive": alive, "survived": 1 - alive}, roles)
    {'alive': ['survived']}
    """
    settled: dict[str, list[str]] = {}
    for column in columns:
        if column["role"] not in ("quasi_identifier", "insensitive"):
            continue
        beside = codes[column["name"]]
        for protected in (each["name"] for each in columns if each["role"] == "sensitive"):
            if _lambda(beside, codes[protected]) >= _TELLS:
                settled.setdefault(column["name"], []).append(protected)
    return settled


def _lambda(beside: np.ndarray[Any, Any], protected: np.ndarray[Any, Any]) -> float:
    commonest = np.bincount(protected).max()
    pairs, counts = np.unique(beside * (protected.max() + 1) + protected, return_counts=True)
    number = np.unique(pairs // (protected.max() + 1), return_inverse=True)[1]
    if commonest == len(protected) or len(beside) < _PEOPLE_EACH * (number[-1] + 1):
        return 0.0
    best = np.zeros(number[-1] + 1, dtype=np.int64)
    np.maximum.at(best, number, counts)
    return float((best.sum() - commonest) / (len(protected) - commonest))
