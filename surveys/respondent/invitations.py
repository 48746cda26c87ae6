"""Create and revoke invitation codes. Only one response contains them; the database stores their digests.

No list records which codes were created together, when, or for whom. Otherwise a code known to belong to an
office would reveal how many people of that office answered.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from privacy.survey.arms import invited_arms
from privacy.survey.rotation import Rotation
from privacy.survey.turns import n_turns, turns_of
from surveys.errors.error import SurveyError
from surveys.formats.numbers import count_text
from surveys.formats.shown_counts import rounded_count, shown_count
from surveys.intake.codes import code_new, read_code, receipt_key
from surveys.models import AuditEvent, Receipt, Survey, Version
from surveys.models.audit_event import audit_event_record
from surveys.models.survey import lock_survey
from surveys.questionnaire.turns import TURN
from surveys.runs.received_answers import received_count

MOST_AT_ONCE: Final = 10_000
_ROWS_AT_ONCE: Final = 1_000
MOST_TRIES: Final = 100_000
"""Largest expected number of codes to try for those that replace lost ones: a few seconds."""


@transaction.atomic
def invitations_make(
    survey: Survey, *, number: int, by: str, random_below: Callable[[int], int] = secrets.randbelow
) -> tuple[str, ...]:
    """Create codes and store their digests.

    Parameters
    ----------
    survey : Survey
    number : int
        1..10,000.
    by : str
        The person who creates them, for the audit log.
    random_below : callable
        ``random_below(n)`` draws from 0..n-1.

    Returns
    -------
    tuple of str
        The codes in the form that is sent; they cannot be retrieved again.

    Raises
    ------
    SurveyError
        ``open_link``, ``draft``, ``closed``, ``number``, or ``full``: there would be more codes than the
        server accepts answers.
    """
    survey = lock_survey(survey)
    _check(survey)
    _check_number(survey, number)
    codes = tuple(code_new(random_below) for _number in range(number))
    _store(survey, codes, by=by)
    return codes


def _check_number(survey: Survey, number: int) -> None:
    if not 1 <= number <= MOST_AT_ONCE:
        raise SurveyError("number.codes", number=number, most=MOST_AT_ONCE)
    if count_codes(survey) + number > settings.SUBMISSION_CAP:
        raise SurveyError("full.codes", slug=survey.slug)


def _store(survey: Survey, codes: Iterable[str], *, by: str, **more: Any) -> None:
    """Store the digests of new codes, and log their number."""
    # Sort by digest, so that the stored order does not show the order in which codes are printed.
    keys = sorted(receipt_key(code, survey=survey.slug) for code in codes)
    Receipt.objects.bulk_create(
        [Receipt(survey=survey, key=key, digest=None) for key in keys], batch_size=_ROWS_AT_ONCE
    )
    version = survey.versions.order_by("-number").first()
    arms = invited_arms(version.to_design(), keys, survey=survey.slug) if version else {}
    detail = {"codes": len(keys), **({"arms": arms} if arms else {}), **more}
    audit_event_record(actor=by, action="invitations_make", target=survey.slug, detail=detail)


def turn_taking_version(survey: Survey) -> Version | None:
    """Return the newest version of a survey whose parts take turns over a series; None for other surveys."""
    version = survey.versions.order_by("-number").first()
    return version if version is not None and TURN in version.wording else None


@transaction.atomic
def invitations_repeat(survey: Survey, *, texts: Iterable[str], by: str) -> tuple[str, ...]:
    """Accept the codes of an earlier wave, so that each person's parts take turns as the code decides.

    Parameters
    ----------
    survey : Survey
        Its parts take turns.
    texts : iterable of str
        Codes as typed.
    by : str
        The person who gives them, for the audit log.

    Returns
    -------
    tuple of str
        The codes in the form that is sent. Those that the survey already knows stay used or unused.

    Raises
    ------
    SurveyError
        As for `invitations_make`; ``turns``: its parts take no turns; ``code``: a text is not a code.
    """
    survey = lock_survey(survey)
    _check(survey)
    _turn_of_wave(survey)
    codes = tuple(dict.fromkeys(_read(text) for text in texts))
    _check_number(survey, len(codes))
    known = _known_keys(survey, codes)
    _store(survey, (code for code in codes if _key(survey, code) not in known), by=by, repeated=True)
    return codes


def _key(survey: Survey, code: str) -> bytes:
    return receipt_key(code, survey=survey.slug)


def _known_keys(survey: Survey, codes: Sequence[str], **which: Any) -> set[bytes]:
    """Return the digests of the codes that the survey knows, among those that `which` selects."""
    receipts = Receipt.objects.filter(survey=survey, **which)
    keys = [_key(survey, code) for code in codes]
    found: set[bytes] = set()
    for start in range(0, len(keys), _ROWS_AT_ONCE):
        some = receipts.filter(key__in=keys[start : start + _ROWS_AT_ONCE])
        found.update(bytes(key) for key in some.values_list("key", flat=True))
    return found


@transaction.atomic
def invitations_replace(
    survey: Survey,
    *,
    texts: Iterable[str],
    by: str,
    random_below: Callable[[int], int] = secrets.randbelow,
) -> tuple[str, ...]:
    """Replace lost codes by new ones that decide the same turns, so that no one is asked a part twice.

    A used code stays used, and the new one does not work. Neither the result nor the audit log says which.

    Parameters
    ----------
    survey : Survey
        Its parts take turns.
    texts : iterable of str
        Codes as typed.
    by : str
        The person who replaces them, for the audit log.
    random_below : callable
        As for `invitations_make`.

    Returns
    -------
    tuple of str
        The new codes, in the order of the lost ones.

    Raises
    ------
    SurveyError
        As for `invitations_repeat`; ``turns``: parts take turns in so many ways that finding codes with
        the same turns would take too long.
    """
    survey = lock_survey(survey)
    _check(survey)
    rotation, series = _turn_of_wave(survey)
    lost = tuple(dict.fromkeys(_read(text) for text in texts))
    _check_number(survey, len(lost))
    most = MOST_TRIES // n_turns(rotation)
    if len(lost) > most:
        raise SurveyError("turns.many" if most else "turns.rare", most=most)
    unused = _known_keys(survey, lost, digest=None)
    codes: list[str] = []
    works: list[str] = []
    for code in lost:
        wanted = turns_of(rotation, person=code, series=series)
        new = code_new(random_below)
        while turns_of(rotation, person=new, series=series) != wanted:
            new = code_new(random_below)
        codes.append(new)
        if _key(survey, code) in unused:
            works.append(new)
    Receipt.objects.filter(survey=survey, digest=None, key__in=unused).delete()
    keys = sorted(_key(survey, code) for code in works)
    Receipt.objects.bulk_create([Receipt(survey=survey, key=key, digest=None) for key in keys])
    # The number of codes that work would reveal how many were used.
    detail = {"codes": 0, "replaced": len(lost)}
    audit_event_record(actor=by, action="invitations_make", target=survey.slug, detail=detail)
    return tuple(codes)


def _turn_of_wave(survey: Survey) -> tuple[Rotation, str]:
    """Return what decides a person's turns besides the code: the rotation, and the name of the series."""
    version = turn_taking_version(survey)
    if version is None:
        raise SurveyError("turns.none", slug=survey.slug)
    return version.to_design().rotations[0], version.wording[TURN]["series"]


def count_codes(survey: Survey) -> int:
    """Return how many codes were ever created for a survey, including revoked ones.

    The remaining codes are never counted: when a single code is revoked, a change of the rounded count could
    reveal whether that code was used.
    """
    return sum(detail["codes"] for detail in _make_details(survey))


def invited_by_arm(survey: Survey) -> Counter[str]:
    """Return how many codes were ever created, by the arm or strength that they select."""
    return sum((Counter(detail.get("arms", {})) for detail in _make_details(survey)), Counter())


def _make_details(survey: Survey) -> QuerySet[AuditEvent, dict[str, Any]]:
    """Return the details of the audit events about creating codes."""
    events = AuditEvent.objects.filter(target=survey.slug)
    # The address may have belonged to a deleted survey before.
    deleted = events.filter(action="survey_delete").order_by("-pk").values_list("pk", flat=True).first()
    creations = events.filter(action="invitations_make", pk__gt=deleted or 0)
    return creations.values_list("detail", flat=True)


@transaction.atomic
def invitations_revoke(survey: Survey, *, texts: Iterable[str] | None, by: str) -> None:
    """Revoke unused codes; used codes do not change.

    Neither the result nor the audit log says how many codes were revoked, because that number would reveal
    how many were used and, for a single code, whether it was.

    Parameters
    ----------
    survey : Survey
    texts : iterable of str or None
        Codes as typed; None for all unused codes.
    by : str
        The person who revokes them, for the audit log.

    Raises
    ------
    SurveyError
        ``open_link``, ``draft``, ``closed``, or ``code``: one of the texts is not a code.
    """
    survey, slug = lock_survey(survey), survey.slug
    _check(survey)
    receipts = Receipt.objects.filter(survey=survey, digest=None)
    detail: dict[str, object] = {"which": "all"}
    if texts is not None:
        keys = [receipt_key(_read(text), survey=slug) for text in texts]
        receipts = receipts.filter(key__in=keys)
        detail = {"which": "named", "named": len(keys)}
    receipts.delete()
    audit_event_record(actor=by, action="invitations_revoke", target=slug, detail=detail)


def _check(survey: Survey) -> None:
    if not survey.by_invitation:
        raise SurveyError("open_link.codes", slug=survey.slug)
    if survey.state == Survey.State.DRAFT:
        raise SurveyError("draft.codes", slug=survey.slug)
    if survey.state == Survey.State.CLOSED:
        raise SurveyError("closed.codes", slug=survey.slug)


def _read(text: str) -> str:
    code = read_code(text)
    if code is None:
        raise SurveyError("code.text", text=repr(text[:40]))
    return code


@dataclass(frozen=True, kw_only=True)
class InvitationStatus:
    """Access to a survey, and the numbers of its codes.

    Parameters
    ----------
    survey : Survey
    can_make : bool
        Whether codes can be created and revoked.
    n_made, n_used, n_unused : str
        Numbers to display, rounded to tens while answers can arrive. `n_made` includes revoked codes.
        Otherwise someone who revokes a code could learn from the change whether it was used. `n_unused` is
        the difference of the two displayed numbers, because the rounded true difference would reveal more
        about both.
    rounded : bool
    decides : bool
        Whether a code selects its holder's group in an experiment.
    takes_turns : bool
        Whether a code decides which parts its holder is asked in which wave of a series.
    """

    survey: Survey
    can_make: bool
    n_made: str
    n_used: str
    n_unused: str
    rounded: bool
    decides: bool
    takes_turns: bool


def invitation_status(survey: Survey) -> InvitationStatus:
    """Return the summary of a survey's invitations."""
    made = used = 0
    if survey.by_invitation:
        made, used = count_codes(survey), received_count(survey)
    version = survey.versions.order_by("-number").first() if survey.by_invitation else None
    rounded = not (survey.practice or survey.settled)
    unused = rounded_count(made) - rounded_count(used) if rounded else made - used
    return InvitationStatus(
        survey=survey,
        can_make=survey.by_invitation and survey.state in (Survey.State.PLANNED, Survey.State.OPEN),
        n_made=shown_count(made, rounded=rounded),
        n_used=shown_count(used, rounded=rounded),
        n_unused=("≈ " if rounded else "") + count_text(unused),
        rounded=rounded,
        decides=bool(version and version.design.get("invited")),
        takes_turns=bool(version and TURN in version.wording),
    )
