"""Columns that cannot be released in any role but that of an identifier: time stamps, free text, names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE, UNSAFE_TEXT_LENGTH, UNSAFE_WORDS
from privacy.sdc.column_rule import ColumnRule

__all__ = ["refuse_unsafe"]

_TIME_STAMP = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ]\d{1,2}:\d{2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4},? \d{1,2}:\d{2}.*"
)
_DAY = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}")


def refuse_unsafe(rule: ColumnRule, texts: Sequence[str], n: int) -> None:
    """Refuse free text, which names people, and time stamps, which match log lines: neither generalises.

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
    if len(stamps) > UNSAFE_SHARE * len(texts):
        raise PrivacyError("time_stamp.times", stamps[0], rule=rule.name)
    if len(days) > UNSAFE_SHARE * len(texts) and rule.role != "quasi_identifier":
        raise PrivacyError("time_stamp.days", days[0], rule=rule.name)
    longest = max(texts, key=len)
    many = len(texts) >= UNSAFE_LEAST_VALUES and len(texts) > UNSAFE_SHARE * n
    words = sum(len(text.split()) for text in texts) / len(texts)
    if len(longest) > UNSAFE_TEXT_LENGTH or (many and words >= UNSAFE_WORDS):
        raise PrivacyError("free_text", longest, rule=rule.name, longest=longest[:40])
    if many and rule.role in ("insensitive", "disguised"):
        raise PrivacyError("singles_out", texts[0], rule=rule.name, count=len(texts), n=n)
