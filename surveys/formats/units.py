"""What the columns of a rules file count in."""

from __future__ import annotations

from typing import Final

from mining.interest import INTEREST

KEYS: Final = ("antecedent", "consequent", "redundant_by")
TEXTS: Final = (*KEYS, "antecedent_label", "consequent_label", "error_is")
WHOLE: Final = ("n", "flips")
TRUTHS: Final = ("few_rows", "passes", "maximal")
_SHARES: Final = ("support", "confidence", "true_support", "true_confidence", "p_", "error")


def unit_of(name: str) -> str:
    """Say what a column counts in; a further measure by its formula.

    >>> unit_of("support_low"), unit_of("lift"), unit_of("n"), unit_of("antecedent"), unit_of("coverage")
    ('share', 'ratio', 'rows', 'keys joined by &', 'P(A)')
    """
    if name in TEXTS:
        return "keys joined by &" if name in KEYS else "text"
    if name in WHOLE:
        return "rows"
    if name in TRUTHS:
        return "true or false"
    if name in INTEREST:
        return INTEREST[name]
    if name.startswith(_SHARES):
        return "share"
    return "difference of shares" if "leverage" in name else "ratio"
