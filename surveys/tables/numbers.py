"""Numbers as people write them: thousands apart, decimal points and commas, one way for a whole column."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from privacy.sdc.table import finite_number, number_text

__all__ = ["numbers_read"]

_BLANK: Final = r"[ '’\u00a0\u2009\u202f]"
# A point before decimals, a comma between thousands; then the other way round.
_WAYS: Final = tuple(
    (
        re.compile(rf"[+-]?(?:[1-9]\d{{0,2}}(?:(?:{thousands}|{_BLANK})\d{{3}})+|\d+)(?:{decimals}\d+)?"),
        str.maketrans(dict.fromkeys(f" '’\xa0\u2009\u202f{thousands[-1]}") | {decimals[-1]: "."}),
    )
    for thousands, decimals in ((",", r"\."), (r"\.", ","))
)


def numbers_read(texts: Iterable[str]) -> dict[str, str] | None:
    """Return the different texts of a column as plain numbers; None where one of them is no number.

    Parameters
    ----------
    texts : iterable of str
        Without those that stand for a missing value.

    Notes
    -----
    What Python reads is taken so. Else a comma or a blank is between thousands and a point before decimals;
    where that does not fit every text, a point is between thousands and a comma before decimals.

    Examples
    --------
    >>> numbers_read(["12", "1,234.5"]), numbers_read(["1.234,5", "0,5"])
    ({'12': '12', '1,234.5': '1234.5'}, {'1.234,5': '1234.5', '0,5': '0.5'})
    >>> numbers_read(["30.0"]), numbers_read(["12", "many"])
    ({'30.0': '30'}, None)
    """
    different = list(dict.fromkeys(texts))
    plain = [finite_number(text) for text in different]
    if all(number is not None for number in plain):
        return {text: number_text(number or 0.0) for text, number in zip(different, plain, strict=True)}
    for pattern, signs in _WAYS:
        if all(pattern.fullmatch(text) for text in different):
            return {text: number_text(float(text.translate(signs))) for text in different}
    return None
