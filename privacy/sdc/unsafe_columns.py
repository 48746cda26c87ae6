"""Columns that cannot be released in any role but that of an identifier: time stamps, free text, names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from privacy.errors import PrivacyError
from privacy.sdc.column_rule import ColumnRule

__all__ = ["refuse_unsafe"]

_TIME_STAMP = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ]\d{1,2}:\d{2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4},? \d{1,2}:\d{2}.*"
)
_DAY = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}")
_LONG_TEXT: Final = 120
_SHARE: Final = 0.5
_FEWEST_TO_JUDGE: Final = 20


def refuse_unsafe(rule: ColumnRule, texts: Sequence[str], n: int) -> None:
    """Free text names people, a time stamp finds the log line beside it: neither can be generalised.

    Parameters
    ----------
    rule : ColumnRule
        Of the column.
    texts : sequence of str
        Its distinct values.
    n : int
        Its records.

    Raises
    ------
    PrivacyError
        ``time_stamp``, ``free_text``, or ``singles_out`` when most records have a value of their own in a
        column that would be published as it is.

    Examples
    --------
    >>> refuse_unsafe(ColumnRule(name="sex", role="insensitive"), ["F", "M"], 100)
    """
    stamps = [text for text in texts if _TIME_STAMP.fullmatch(text.strip())]
    days = [text for text in texts if _DAY.fullmatch(text.strip())]
    if len(stamps) > _SHARE * len(texts):
        raise PrivacyError("time_stamp.times", stamps[0], rule=rule.name)
    if len(days) > _SHARE * len(texts) and rule.role != "quasi_identifier":
        raise PrivacyError("time_stamp.days", days[0], rule=rule.name)
    longest = max(texts, key=len)
    many = len(texts) >= _FEWEST_TO_JUDGE and len(texts) > _SHARE * n
    words = sum(len(text.split()) for text in texts) / len(texts)
    if len(longest) > _LONG_TEXT or (many and words >= 3):
        raise PrivacyError("free_text", longest, rule=rule.name, longest=longest[:40])
    if many and rule.role in ("insensitive", "disguised"):
        raise PrivacyError("singles_out", texts[0], rule=rule.name, count=len(texts), n=n)
