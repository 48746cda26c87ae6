"""Lock-out: stop password guessing.

Failed attempts are counted per name and address, per name, per address, and over all addresses. After too
many of them, even the right password is refused for a while. Counts are forgotten after the same time without
a failure. Many failures over all addresses do not lock out anyone who has not failed, but they reduce the
limit of each address. Unknown names are treated like existing ones, so a lock-out does not reveal which names
exist.

Attempts from a device on which the same name has logged in before count only for this device, so strangers
cannot lock out its owner.

Codes of the second step count like passwords. They also count for the name, from all addresses and in all
sessions: ten wrong codes in a row stop guessing for a day. Only someone with the password gets that far.

An attempt is counted before its password is checked, and uncounted if the password was right. So parallel
attempts cannot exceed the limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet

from surveys.accounts.log_in_digests import log_in_digest, name_digest
from surveys.accounts.visitor_address import address_part
from surveys.models import LogInFailures
from surveys.policy import (
    CODES_LOCKED_OUT_HOURS,
    FLOOD,
    LOCKED_OUT_MINUTES,
    MOST_OF_ADDRESS,
    MOST_OF_CODES,
    MOST_OF_NAME,
    MOST_OF_NAME_AT_ADDRESS,
)

LOCKED_OUT_FOR: Final = timedelta(minutes=LOCKED_OUT_MINUTES)
CODES_LOCKED_OUT_FOR: Final = timedelta(hours=CODES_LOCKED_OUT_HOURS)
# Upper limit of a count; the column holds at most 32,767.
_LAST_NUMBER: Final = 30_000


class LockedOut(Exception):
    """Too many log-ins have failed."""

    def __init__(self, until: datetime, *, now: datetime) -> None:
        super().__init__(f"until {until:%H:%M}")
        self.until = until
        self.seconds = max(1, math.ceil((until - now).total_seconds()))
        self.minutes = math.ceil(self.seconds / 60)


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A counted attempt, whose password may be checked.

    Attributes
    ----------
    keys : dict of str to int
        Digests under which it counts, each with its limit.
    is_last : bool
        Whether the next attempt is locked out if this one fails.
    """

    keys: dict[str, int]
    name: str
    is_last: bool


def attempt_count(
    *, name: str, address: str, now: datetime, device: str = "", is_code: bool = False
) -> Attempt:
    """Count an attempt to log in.

    Parameters
    ----------
    name, address : str
    device : str
        A device on which this name has logged in before, or "".
    is_code : bool
        Whether this is the second step, after a correct password.

    Raises
    ------
    LockedOut
        Too many attempts have failed; this one is not counted.
    """
    of_name, of_address = name_digest(name), log_in_digest("address", address_part(address))
    if device:
        most = {log_in_digest("both", of_name, log_in_digest("device", device)): MOST_OF_NAME_AT_ADDRESS}
    else:
        most = {
            log_in_digest("both", of_name, of_address): MOST_OF_NAME_AT_ADDRESS,
            of_address: MOST_OF_ADDRESS,
            of_name: MOST_OF_NAME,
            _total_key(): FLOOD,
        }
    of_codes = log_in_digest("codes", of_name)
    if is_code:
        most[of_codes] = MOST_OF_CODES
    without_name = {of_address, _total_key()}
    # Refuse locked-out attempts without writing.
    _refuse(LogInFailures.objects.filter(key__in=most, until__gt=now), of_address, now=now)
    with transaction.atomic():
        _forget_old(now)
        new = [
            LogInFailures(key=key, name="" if key in without_name else of_name, most=limit, until=now)
            for key, limit in most.items()
        ]
        LogInFailures.objects.bulk_create(new, ignore_conflicts=True)
        # Lock in the order of keys, so that parallel attempts cannot deadlock.
        rows = list(LogInFailures.objects.select_for_update().filter(key__in=most).order_by("key"))
        _refuse(rows, of_address, now=now)
        for row in rows:
            row.failures = min(row.failures + 1, _LAST_NUMBER)
            row.until = now + (CODES_LOCKED_OUT_FOR if row.key == of_codes else LOCKED_OUT_FOR)
        LogInFailures.objects.bulk_create(
            rows, update_conflicts=True, update_fields=["failures", "until"], unique_fields=["key"]
        )
    return Attempt(keys=most, name=of_name, is_last=bool(_counts_at_limit(rows, of_address)))


def attempt_fail(attempt: Attempt, *, now: datetime) -> None:
    """Keep the count of an attempt whose password was wrong, and prolong it."""
    counts = LogInFailures.objects.filter(key__in=attempt.keys)
    # The count for codes already lasts longer.
    counts.filter(until__lt=now + LOCKED_OUT_FOR).update(until=now + LOCKED_OUT_FOR)


def attempt_take_back(attempt: Attempt) -> None:
    """Uncount an attempt whose password was right but whose code is still to be checked.

    Earlier failures stay. Otherwise someone with the right password could reset the count again and again,
    and guess codes without limit.
    """
    LogInFailures.objects.filter(key__in=attempt.keys, failures__gt=0).update(failures=F("failures") - 1)


def attempt_succeed(attempt: Attempt) -> None:
    """Uncount an attempt whose password was right, and delete the failures of its name.

    The address keeps its other failures. Otherwise anyone with an account could reset them and guess other
    people's passwords without limit.
    """
    with transaction.atomic():
        LogInFailures.objects.filter(key__in=attempt.keys, name="", failures__gt=0).update(
            failures=F("failures") - 1
        )
        LogInFailures.objects.filter(key__in=attempt.keys).exclude(name="").delete()


def names_locked_out(*, now: datetime) -> dict[str, datetime]:
    """Return until when names are locked out, from at least one address, by digest of the name."""
    rows = _blocking_counts(now).exclude(name="").values("name").annotate(last=Max("until"))
    return {row["name"]: row["last"] for row in rows}


def has_locked_logins(*, now: datetime) -> bool:
    """Return whether any name or address is locked out."""
    return _blocking_counts(now).exists()


def failures_forget(name: str | None = None) -> int:
    """Lift the lock-out of one account, or of everyone; return the number of deleted counts."""
    rows = (
        LogInFailures.objects.all() if name is None else LogInFailures.objects.filter(name=name_digest(name))
    )
    return rows.delete()[0]


def _total_key() -> str:
    return log_in_digest("everywhere")


def _counts_at_limit(rows: Iterable[LogInFailures], of_address: str) -> list[LogInFailures]:
    """Return the counts that have reached their limits."""
    counts = {row.key: row for row in rows}
    everywhere = counts.pop(_total_key(), None)
    is_flood = everywhere is not None and everywhere.failures >= everywhere.most
    few = {of_address: MOST_OF_NAME_AT_ADDRESS} if is_flood else {}
    return [row for key, row in counts.items() if row.failures >= few.get(key, row.most)]


def _refuse(rows: Iterable[LogInFailures], of_address: str, *, now: datetime) -> None:
    blocking = _counts_at_limit(rows, of_address)
    if blocking:
        raise LockedOut(max(row.until for row in blocking), now=now)


def _forget_old(now: datetime) -> None:
    # Skip counts that another attempt has locked; it will delete them itself.
    old = LogInFailures.objects.select_for_update(skip_locked=True).filter(until__lte=now)
    LogInFailures.objects.filter(key__in=list(old.values_list("key", flat=True))).delete()


def _blocking_counts(now: datetime) -> QuerySet[LogInFailures]:
    """Return all counts that `_counts_at_limit` would select for any attempt."""
    counts = LogInFailures.objects.filter(until__gt=now)
    full = Q(failures__gte=F("most"))
    if counts.filter(full, key=_total_key()).exists():
        # Only counts of addresses have no name.
        full |= Q(name="", failures__gte=MOST_OF_NAME_AT_ADDRESS)
    return counts.filter(full).exclude(key=_total_key())
