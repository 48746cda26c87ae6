"""Columns that no release may publish: free text, time stamps, and values that single people out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE, UNSAFE_TEXT_LENGTH, UNSAFE_WORDS
from privacy.sdc.column_rule import ColumnRule

_TIME_STAMP = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ]\d{1,2}:\d{2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4},? \d{1,2}:\d{2}.*"
)
_DAY = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}")


def refuse_unsafe(rule: ColumnRule, texts: Sequence[str], n: int) -> None:
    """Reject free text, which can name people, and time stamps, which match logs: neither generalises.

    Numbers are neither, but can single people out, too.

    Parameters
    ----------
    rule : ColumnRule
        Rule of the column.
    texts : sequence of str
        Distinct values of the column.
    n : int
        Number of records.

    Raises
    ------
    PrivacyError
        ``time_stamp``, ``free_text``, or ``singles_out`` if most records have a unique value in a column that
        would be published unchanged.

    Examples
    --------
    >>> refuse_unsafe(ColumnRule(name="sex", role="insensitive"), ["F", "M"], 100)
    """
    many = len(texts) >= UNSAFE_LEAST_VALUES and len(texts) > UNSAFE_SHARE * n
    if many and rule.role in ("insensitive", "disguised") and rule.kind == "numeric":
        raise PrivacyError("singles_out", texts[0], rule=rule.name, count=len(texts), n=n)
    if rule.kind == "numeric":
        return
    stamps = [text for text in texts if _TIME_STAMP.fullmatch(text.strip())]
    days = [text for text in texts if _DAY.fullmatch(text.strip())]
    if len(stamps) > UNSAFE_SHARE * len(texts):
        raise PrivacyError("time_stamp.times", stamps[0], rule=rule.name)
    if len(days) > UNSAFE_SHARE * len(texts) and rule.role != "quasi_identifier":
        raise PrivacyError("time_stamp.days", days[0], rule=rule.name)
    longest = max(texts, key=len)
    words = sum(len(text.split()) for text in texts) / len(texts)
    if len(longest) > UNSAFE_TEXT_LENGTH or (many and words >= UNSAFE_WORDS):
        raise PrivacyError("free_text", longest, rule=rule.name, longest=longest[:40])
    if many and rule.role in ("insensitive", "disguised"):
        raise PrivacyError("singles_out", texts[0], rule=rule.name, count=len(texts), n=n)
