"""Verdicts on rules: giving one, and reading who said what."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, OuterRef, QuerySet, Subquery

from surveys.errors.error import SurveyError
from surveys.models import RuleRow, Run, Verdict
from surveys.models.staff import audit_event_record

LONGEST_NOTE: Final = 2_000
OPINIONS: Final = tuple(Verdict.Opinion.values)


def verdict_give(
    *, rule: RuleRow, opinion: str, note: str, by: User, now: datetime, seen: int | None = None
) -> tuple[Verdict, ...]:
    """Add a verdict to a rule's history.

    Parameters
    ----------
    rule : RuleRow
    opinion, note : str
    by : User
    now : datetime
    seen : int or None
        Number of the newest verdict that `by` saw when deciding, 0 for none; None if nobody kept it.

    Returns
    -------
    tuple of Verdict
        What others said meanwhile, newest first: nothing of it is lost, and `by` should be told.

    Raises
    ------
    SurveyError
        ``opinion``, ``note_length``, ``reason``: a rejection without a note.
    """
    note = _checked(opinion, note)
    with transaction.atomic():
        meanwhile = () if seen is None else tuple(rule.verdicts.filter(pk__gt=seen))
        verdict = Verdict(rule=rule, opinion=opinion, note=note, by=by.get_username(), at=now)
        verdict.save()
        audit_event_record(
            actor=by.get_username(),
            action="verdict_give",
            target=f"{rule.run.survey.slug} run {rule.run_id} rule {rule.pk}",
            detail={"opinion": opinion, "verdict": verdict.pk},
        )
    return meanwhile


def history_of(rule: RuleRow) -> tuple[Verdict, ...]:
    """Return everything said of a rule, newest first."""
    return tuple(rule.verdicts.all())


def newest_verdicts(rules: Sequence[int]) -> Mapping[int, Verdict]:
    """Return the verdict that counts for each of these rules; rules without one are left out."""
    newest = Verdict.objects.filter(pk__in=_newest(RuleRow.objects.filter(pk__in=rules)))
    return {verdict.rule_id: verdict for verdict in newest}


def opinions_of(run: Run) -> dict[str, int]:
    """Return how many rules of a run have which newest verdict."""
    newest = _newest(RuleRow.objects.filter(run=run, verdicts__isnull=False).distinct())
    counted = (
        Verdict.objects.filter(pk__in=newest).order_by().values_list("opinion").annotate(rules=Count("pk"))
    )
    return dict.fromkeys(OPINIONS, 0) | dict(counted)


def verdicts_of(by: User, runs: Collection[int], *, most: int) -> list[Verdict]:
    """Return the newest verdicts of one person on rules of some runs, one a rule, the newest first."""
    given = Verdict.objects.filter(by=by.get_username(), rule__run__in=runs).select_related("rule")
    latest: dict[int, Verdict] = {}
    for verdict in given[: most * 4]:
        latest.setdefault(verdict.rule_id, verdict)
    return list(latest.values())[:most]


def _newest(rules: QuerySet[RuleRow]) -> QuerySet[RuleRow, Any]:
    """Return the number of the newest verdict of each rule, for a query to be filtered by."""
    newest = Verdict.objects.filter(rule=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    return rules.annotate(newest_verdict=Subquery(newest)).values("newest_verdict")


def _checked(opinion: str, note: str) -> str:
    if opinion not in OPINIONS:
        raise SurveyError("opinion", opinion, opinion=opinion)
    note = note.strip()
    if len(note) > LONGEST_NOTE:
        raise SurveyError("note_length", len(note), length=len(note), most=LONGEST_NOTE)
    if opinion == Verdict.Opinion.REJECTED and not note:
        raise SurveyError("reason", note)
    return note
