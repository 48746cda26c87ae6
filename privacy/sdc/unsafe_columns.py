"""Columns that cannot be released in any role but that of an identifier: time stamps, free text, names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.errors import ReleaseError

__all__ = ["refuse_unfit"]

_TIME_STAMP = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ]\d{1,2}:\d{2}.*|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4},? \d{1,2}:\d{2}.*"
)
_DAY = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}")
_LONG_TEXT: Final = 120
_SHARE: Final = 0.5
_FEWEST_TO_JUDGE: Final = 20


def refuse_unfit(rule: ColumnRule, texts: Sequence[str], n: int) -> None:
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
    ReleaseError
        ``time_stamp``, ``free_text``, or ``singles_out`` when most records have a value of their own in a
        column that would be published as it is.

    Examples
    --------
    >>> refuse_unfit(ColumnRule(name="sex", role="insensitive"), ["F", "M"], 100)
    """
    stamps = [text for text in texts if _TIME_STAMP.fullmatch(text.strip())]
    days = [text for text in texts if _DAY.fullmatch(text.strip())]
    if len(stamps) > _SHARE * len(texts):
        raise ReleaseError(
            "time_stamp",
            f"column {rule.name!r} holds time stamps such as {stamps[0]!r}",
            stamps[0],
            'give it the role "identifier" (it is then left out) or cut it to years beforehand',
        )
    if len(days) > _SHARE * len(texts) and rule.role != "quasi_identifier":
        raise ReleaseError(
            "time_stamp",
            f"column {rule.name!r} holds days such as {days[0]!r}",
            days[0],
            'give it the role "quasi_identifier" with a hierarchy, or "identifier"',
        )
    longest = max(texts, key=len)
    many = len(texts) >= _FEWEST_TO_JUDGE and len(texts) > _SHARE * n
    words = sum(len(text.split()) for text in texts) / len(texts)
    if len(longest) > _LONG_TEXT or (many and words >= 3):
        raise ReleaseError(
            "free_text",
            f"column {rule.name!r} holds free text such as {longest[:40]!r}",
            longest,
            'give it the role "identifier" (it is then left out) or code it into categories',
        )
    if many and rule.role in ("insensitive", "disguised"):
        raise ReleaseError(
            "singles_out",
            f"column {rule.name!r} has {len(texts)} distinct values in {n} records and would name its owner",
            texts[0],
            'give it the role "identifier" or "quasi_identifier"',
        )
