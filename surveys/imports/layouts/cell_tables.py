"""Tables of several notations, written with tabs between their cells, as a copied sheet has them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.runs import runs_of

_BARS: Final = re.compile(r"\s*\|(?P<cells>.+)\|\s*")
_RULE: Final = re.compile(r"\s*\|?(?:\s*:?-{1,60}:?\s*\|)+(?:\s*:?-{1,60}:?\s*)?")
_LEAST_ROWS: Final = 3


def write_tabs(lines: Sequence[str]) -> list[str]:
    """Write tables between bars with tabs between the cells.

    They have a rule, as in Markdown, or at least three rows with as many cells.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_tabs(["| | never | often |", "|---|---|---|", "| I vote. |  | x |"])
    ['\\tnever\\toften', '|---|---|---|', 'I vote.\\t\\tx']
    """
    found = [*lines]
    for run in runs_of(lines, lambda above, below: bool(_BARS.fullmatch(above) and _BARS.fullmatch(below))):
        rows = lines[run.start : run.stop]
        n_bars = {row.count("|") for row in rows}
        if any(map(_RULE.fullmatch, rows)) or (len(rows) >= _LEAST_ROWS and len(n_bars) == 1):
            found[run.start : run.stop] = [*map(_with_tabs, rows)]
    return found


def _with_tabs(row: str) -> str:
    bars = None if _RULE.fullmatch(row) else _BARS.fullmatch(row)
    return "\t".join(map(str.strip, bars["cells"].split("|"))) if bars else row
