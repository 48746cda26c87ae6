"""Verdicts on rules: add one, and read the history, the newest ones and their numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, OuterRef, QuerySet, Subquery

from surveys.errors.error import SurveyError
from surveys.models import RuleRow, Run, Verdict
from surveys.models.audit_event import audit_event_record
from surveys.runs.shown_of_run import shown_rules

WITHOUT_VERDICT: Final = "none"
"""The filter for rules without a verdict."""


def with_verdict(rules: QuerySet[RuleRow], opinion: str) -> QuerySet[RuleRow]:
    """Return the rules whose newest verdict is this one; "none" selects rules without a verdict."""
    if opinion == WITHOUT_VERDICT:
        return rules.filter(verdicts__isnull=True)
    newest = Verdict.objects.filter(rule=OuterRef("pk")).order_by("-pk").values("opinion")[:1]
    return rules.annotate(newest_opinion=Subquery(newest)).filter(newest_opinion=opinion)


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
        Number of the newest verdict that `by` saw when deciding, 0 for none; None if it is unknown.

    Returns
    -------
    tuple of Verdict
        Verdicts that others gave in the meantime, newest first. They are kept, and the page should show them
        to `by`.

    Raises
    ------
    SurveyError
        ``opinion``: unknown; ``note_length``: too long; ``reason``: a rejection without a note.
    """
    note = _validate_note(opinion, note)
    with transaction.atomic():
        if rule.number is not None:
            _store_rule(rule)
        by_others = rule.verdicts.exclude(by=by.get_username())
        meanwhile = () if seen is None else tuple(by_others.filter(pk__gt=seen))
        verdict = Verdict(rule=rule, opinion=opinion, note=note, by=by.get_username(), at=now)
        verdict.save()
        audit_event_record(
            actor=by.get_username(),
            action="verdict_give",
            target=f"{rule.run.survey.slug} run {rule.run_id} rule {rule.key}",
            detail={"opinion": opinion, "verdict": verdict.pk},
        )
    return meanwhile


def _store_rule(rule: RuleRow) -> None:
    """Store a rule that was computed from counts, because a verdict belongs to a row."""
    sides = ("run_id", "antecedent", "consequent")
    row, is_new = RuleRow.objects.get_or_create(
        **{name: getattr(rule, name) for name in sides},
        defaults={
            field.attname: getattr(rule, field.attname)
            for field in RuleRow._meta.concrete_fields
            if not field.primary_key and field.attname not in sides
        },
    )
    rule.pk = row.pk
    if is_new:
        rule.inference.rule = rule
        rule.inference.save(force_insert=True)


def history_of(rule: RuleRow) -> tuple[Verdict, ...]:
    """Return all verdicts on a rule, newest first."""
    return tuple(Verdict.objects.filter(rule=rule.pk))


def newest_verdicts(rules: Sequence[int]) -> Mapping[int, Verdict]:
    """Return the newest verdict on each of these rules; rules without a verdict are left out."""
    newest = Verdict.objects.filter(pk__in=_newest(RuleRow.objects.filter(pk__in=rules)))
    return {verdict.rule_id: verdict for verdict in newest}


def opinions_of(run: Run) -> dict[str, int]:
    """Count the rules of a run by their newest verdict."""
    newest = _newest(shown_rules(run).filter(verdicts__isnull=False).distinct())
    counts = (
        Verdict.objects.filter(pk__in=newest).order_by().values_list("opinion").annotate(rules=Count("pk"))
    )
    return dict.fromkeys(OPINIONS, 0) | dict(counts)


def verdicts_of(by: User, runs: Collection[int], *, most: int) -> list[Verdict]:
    """Return one person's newest verdicts on rules of some runs, one per rule, newest first."""
    verdicts = Verdict.objects.filter(by=by.get_username(), rule__run__in=runs).select_related("rule")
    latest: dict[int, Verdict] = {}
    for verdict in verdicts[: most * 4]:
        latest.setdefault(verdict.rule_id, verdict)
    return list(latest.values())[:most]


def _newest(rules: QuerySet[RuleRow]) -> QuerySet[RuleRow, Any]:
    """Return a subquery of the key of each rule's newest verdict."""
    newest = Verdict.objects.filter(rule=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    return rules.annotate(newest_verdict=Subquery(newest)).values("newest_verdict")


def _validate_note(opinion: str, note: str) -> str:
    if opinion not in OPINIONS:
        raise SurveyError("opinion", opinion, opinion=opinion)
    note = note.strip()
    if len(note) > LONGEST_NOTE:
        raise SurveyError("note_length", len(note), length=len(note), most=LONGEST_NOTE)
    if opinion == Verdict.Opinion.REJECTED and not note:
        raise SurveyError("reason", note)
    return note
