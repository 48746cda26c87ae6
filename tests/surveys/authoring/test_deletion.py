"""Deleting a survey deletes everything of it and nothing else, and restores the triggers."""

import io
import secrets
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, models, transaction
from django.test import Client
from django.utils import timezone

from mining.thresholds import Thresholds
from surveys.accounts.roles import Role, roles_keep
from surveys.authoring import deletion, retention, scheduled_times
from surveys.authoring.deletion import belongings_of, dependants, survey_delete
from surveys.authoring.lifecycle import survey_close
from surveys.errors.error import SurveyError
from surveys.extension import models_here
from surveys.intake import mix as mixer
from surveys.intake import receipts
from surveys.jobs.home_files import directory_of
from surveys.models import AuditEvent, Batch, Job, Receipt, RuleRow, Run, Survey, Verdict, Version
from surveys.report.rules.verdicts import verdict_give
from tests.fixtures.runs import alice, answered_version, mined_run, open_version, published, requested_run

pytestmark = pytest.mark.django_db

FEW = Thresholds(support=0.2, max_size=2)


def judged(slug: str) -> Version:
    """Return a closed survey with answers, a receipt, a run and a verdict."""
    version = answered_version(slug=slug)
    Receipt.objects.create(survey=version.survey, key=slug.encode().ljust(16, b"\0"), digest=b"\1" * 32)
    run = mined_run(version, FEW)
    rule = run.rules.earliest("pk")
    verdict_give(rule=rule, opinion="accepted", note="", by=alice(), now=timezone.now())
    return version


def counts() -> dict[str, int]:
    return {model.__name__: model._base_manager.count() for model, _path in dependants()}


@pytest.mark.django_db(transaction=True)
def test_deletion_removes_one_survey_completely_and_no_other() -> None:
    kept = judged("kept")
    before, others = counts(), belongings_of(kept.survey)
    version = judged("gone")
    directory = directory_of(version.survey_id, version.to_design())
    assert directory.exists()
    events = AuditEvent.objects.count()
    ours = belongings_of(version.survey)
    deleted = survey_delete(version.survey, by="ada")
    assert not Survey.objects.filter(slug="gone").exists()
    assert counts() == before
    assert (belongings_of(kept.survey), deleted) == (others, ours)
    assert {"Batch", "Version", "Receipt", "Run", "RuleRow", "RuleInference", "Verdict"} <= set(deleted)
    # The other survey's run and audit remain.
    assert (Run.objects.count(), Job.objects.count()) == (1, 2)
    assert not directory.exists()
    assert directory_of(kept.survey_id, kept.to_design()).exists()
    # The audit log keeps all events, and has one more.
    assert AuditEvent.objects.count() == events + 1
    event = AuditEvent.objects.latest("pk")
    assert (event.actor, event.action, event.target) == ("ada", "survey_delete", "gone")


def test_deletion_restores_the_triggers_even_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    version, other = judged("gone"), judged("kept")

    def refused() -> None:
        for model in (Batch, Version, Verdict):
            with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
                model.objects.all()._raw_delete("default")

    def fail(**_event: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(deletion, "audit_event_record", fail)
        with pytest.raises(RuntimeError):
            survey_delete(version.survey, by="ada")
    assert Survey.objects.filter(slug="gone").exists()
    refused()
    survey_delete(version.survey, by="ada")
    refused()
    assert belongings_of(other.survey)["Batch"] == 2


@pytest.mark.soak
def test_receipts_are_deleted_in_batches_and_deletion_can_resume(monkeypatch: pytest.MonkeyPatch) -> None:
    version, other = judged("gone"), judged("kept")
    # Both surveys have the same keys; the last receipt is an unused invitation.
    Receipt.objects.bulk_create(
        Receipt(survey=survey, key=bytes([number]) * 16, digest=b"\1" * 32 if number < 10 else None)
        for survey in (version.survey, other.survey)
        for number in range(1, 11)
    )
    others = Receipt.objects.filter(survey=other.survey).count()
    monkeypatch.setattr(receipts, "ROWS_AT_ONCE", 3)
    left: list[int] = []

    def break_off_in_the_third(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("DELETE FROM surveys_receipt"):
            left.append(Receipt.objects.filter(survey=version.survey).count())
            if len(left) == 3:
                raise RuntimeError
        return execute(sql, params, many, context)

    with connection.execute_wrapper(break_off_in_the_third), pytest.raises(RuntimeError):
        survey_delete(version.survey, by="ada")
    assert left == [11, 8, 5]
    assert belongings_of(version.survey)["Batch"] == 2
    survey_delete(version.survey, by="ada")
    assert not Survey.objects.filter(slug="gone").exists()
    assert Receipt.objects.count() == Receipt.objects.filter(survey=other.survey).count() == others


def test_unfinished_surveys_and_surveys_with_active_runs_are_kept() -> None:
    for survey in (published("draft").survey, open_version(slug="open").survey):
        with pytest.raises(SurveyError) as refusal:
            survey_delete(survey, by="ada")
        assert refusal.value.code == "not_over"
    closing = published("closing").survey
    survey_close(closing, by="alice", now=timezone.now())
    with pytest.raises(SurveyError) as refusal:
        survey_delete(closing, by="ada")
    assert refusal.value.code == "not_over"
    version = answered_version()
    requested_run(version, FEW)
    with pytest.raises(SurveyError) as refusal:
        survey_delete(version.survey, by="ada")
    assert refusal.value.code == "unfinished"
    assert Survey.objects.count() == 4
    assert not AuditEvent.objects.filter(action="survey_delete").exists()


def test_a_run_that_is_requested_during_deletion_is_deleted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    version = answered_version(slug="gone")

    def meanwhile(survey: int) -> None:
        receipts_delete(survey)
        requested_run(version)

    receipts_delete = deletion.receipts_delete
    monkeypatch.setattr(deletion, "receipts_delete", meanwhile)
    survey_delete(version.survey, by="ada")
    assert (Survey.objects.count(), Run.objects.count(), Job.objects.count()) == (0, 0, 0)


def test_a_sweeper_goes_on_after_another_has_deleted_a_survey() -> None:
    gone = answered_version(slug="gone").survey
    Survey.objects.filter(pk=gone.pk).update(delete_at=timezone.now())
    survey_delete(gone, by="ada")
    now = timezone.now()
    assert not retention._try_delete(gone, now)
    assert not scheduled_times._try_service(survey_close, gone, now=now)
    mixer._settle(gone, now, None, secrets.SystemRandom())


def test_all_dependent_tables_are_found_in_deletion_order() -> None:
    found = [model for model, _path in dependants()]
    for model in models_here():
        parents = {
            field.related_model
            for field in model._meta.concrete_fields
            if isinstance(field, models.ForeignKey)
        }
        hangs = parents & {Survey, *found}
        assert (model in found) == bool(hangs), model
        for parent in hangs - {Survey, model}:
            assert found.index(parent) < found.index(model)
    assert RuleRow in found


@pytest.mark.django_db(transaction=True)
def test_triggers_are_disabled_only_inside_a_transaction() -> None:
    with pytest.raises(RuntimeError), deletion._deleting_allowed([]):
        pass  # pragma: no cover


def test_the_command_deletes_only_when_confirmed() -> None:
    judged("gone")
    out = io.StringIO()
    with pytest.raises(CommandError) as looked:
        call_command("delete_survey", "gone", stdout=out)
    assert looked.value.returncode == 2
    assert "2 Batch" in out.getvalue()
    assert Survey.objects.filter(slug="gone").exists()
    call_command("delete_survey", "gone", "--really", stdout=out)
    assert "backups made before still hold it" in out.getvalue()
    with pytest.raises(CommandError) as refused:
        call_command("delete_survey", "gone", "--really", stdout=out)
    assert refused.value.returncode == 1
    published("open")
    with pytest.raises(CommandError, match="not closed for good") as refused:
        call_command("delete_survey", "open", "--really", stdout=out)
    assert refused.value.returncode == 1


@pytest.fixture
def ada(client: Client) -> Client:
    user = User.objects.create(username="ada", is_staff=True)
    roles_keep(user, [Role.ADMINISTRATOR])
    client.force_login(user)
    return client
