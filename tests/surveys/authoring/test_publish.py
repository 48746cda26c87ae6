"""The steps in the life of a survey, with an audit event for each."""

from datetime import timedelta
from typing import Any

import pytest

from surveys.authoring.drafts import draft_create, draft_delete, draft_rename, draft_save, survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import AuditEvent, Survey, Version
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft import draft_read
from tests.fixtures.devices import shipped_definition, survey_of
from tests.fixtures.drafts import NOW, assert_refused, log_events

pytestmark = pytest.mark.django_db

NEW: dict[str, Any] = {"source": "scratch", "by": "alice", "now": NOW}


def definition(**changes: Any) -> dict[str, Any]:
    return shipped_definition(slug="work", **changes)


def other_definition() -> dict[str, Any]:
    document = definition()
    document["blocks"][1]["truth_probability"] = 4000
    document["title"]["en"] = "Said aloud"
    return document


@pytest.mark.soak
def test_publishing_freezes_design_and_wording_and_opens_the_survey() -> None:
    survey = survey_import(definition(), by="alice")
    version = survey_publish(survey, by="bob", now=NOW, is_readable_seen=True)
    survey.refresh_from_db()
    assert (survey.state, survey.opened_at) == ("open", NOW)
    assert (version.number, version.published_at) == (1, NOW)
    assert version.to_design().design_id == version.design_id
    assert version.wording["title"]["en"] == "Speaking up at work"
    assert log_events()[-1] == ("bob", "survey_publish", "work")
    assert AuditEvent.objects.order_by("pk").last().detail == {  # type: ignore[union-attr]  # there is one
        "version": 1,
        "design_id": version.design_id,
        "wording_id": version.wording_id,
        "schedule": {"time_zone": "UTC", "opens_at": None, "closes_at": None, "delete_at": None},
    }


@pytest.mark.soak
def test_publishing_changes_to_an_open_survey_creates_a_new_version() -> None:
    first = survey_publish(
        survey_import(definition(), by="alice"), by="alice", now=NOW, is_readable_seen=True
    )
    survey = survey_import(other_definition(), by="alice")
    assert (survey.state, survey.title["en"]) == ("open", "Speaking up at work")
    assert Version.objects.count() == 1, "respondents see nothing of it yet"
    second = survey_publish(survey, by="alice", now=NOW + timedelta(days=1), is_readable_seen=True)
    assert second.number == 2
    assert second.design_id != first.design_id
    survey.refresh_from_db()
    assert (survey.title["en"], survey.opened_at) == ("Said aloud", NOW)
    first.refresh_from_db()
    assert first.wording["title"]["en"] == "Speaking up at work"


def test_unchanged_definitions_cannot_be_published_again() -> None:
    survey = survey_import(definition(), by="alice")
    survey_publish(survey, by="alice", now=NOW, is_readable_seen=True)
    assert_refused("unchanged", lambda: survey_publish(survey, by="alice", now=NOW, is_readable_seen=True))


def test_practice_is_fixed_at_publishing_in_both_directions() -> None:
    for practice in (True, False):
        document = shipped_definition(slug=f"s{practice}".lower(), practice=practice)
        survey_publish(survey_import(document, by="alice"), by="alice", now=NOW, is_readable_seen=True)
        assert_refused(
            "practice",
            lambda turned={**document, "practice": not practice}: survey_import(turned, by="alice"),
        )


def test_closed_surveys_accept_sealed_answers_for_48_hours() -> None:
    version = survey_publish(
        survey_import(definition(), by="alice"), by="alice", now=NOW, is_readable_seen=True
    )
    survey = survey_close(survey_of(version), by="bob", now=NOW)
    assert (survey.state, survey.closed_at, survey.accepts_until) == (
        "closed",
        NOW,
        NOW + timedelta(hours=48),
    )
    assert not survey.settled
    assert log_events()[-1] == ("bob", "survey_close", "work")


@pytest.mark.soak
def test_closing_at_once_or_in_practice_ends_acceptance() -> None:
    for slug, practice, at_once in (("live", False, True), ("try", True, False)):
        document = shipped_definition(slug=slug, practice=practice)
        version = survey_publish(
            survey_import(document, by="alice"), by="alice", now=NOW, is_readable_seen=True
        )
        survey = survey_close(survey_of(version), by="alice", now=NOW, at_once=at_once)
        assert (survey.accepts_until, survey.settled) == (NOW, True)


def test_the_48_hour_grace_period_can_be_shortened_but_not_restarted() -> None:
    version = survey_publish(
        survey_import(definition(), by="alice"), by="alice", now=NOW, is_readable_seen=True
    )
    survey = survey_close(survey_of(version), by="alice", now=NOW)
    later = NOW + timedelta(hours=5)
    assert_refused("closed", lambda: survey_close(survey, by="alice", now=later))
    survey = survey_close(survey, by="alice", now=later, at_once=True)
    assert (survey.closed_at, survey.accepts_until, survey.settled) == (NOW, later, True)
    assert_refused("closed", lambda: survey_close(survey, by="alice", now=later, at_once=True))


def test_a_draft_cannot_be_closed() -> None:
    survey = survey_import(definition(), by="alice")
    assert_refused("draft", lambda: survey_close(survey, by="alice", now=NOW))


def test_closed_surveys_cannot_be_imported_or_published_again() -> None:
    version = survey_publish(
        survey_import(definition(), by="alice"), by="alice", now=NOW, is_readable_seen=True
    )
    survey = survey_close(survey_of(version), by="alice", now=NOW)
    assert_refused("closed", lambda: survey_import(other_definition(), by="alice"))
    assert_refused("closed", lambda: survey_publish(survey, by="alice", now=NOW, is_readable_seen=True))


@pytest.mark.parametrize("step", ["import", "save", "rename", "delete", "create", "publish", "close"])
def test_actions_roll_back_if_their_audit_event_fails(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = survey_import(definition(), by="alice")
    if step == "close":
        survey_publish(survey, by="alice", now=NOW, is_readable_seen=True)
    before = (list(Survey.objects.values()), Version.objects.count())

    def fail(_event: AuditEvent) -> None:
        raise RuntimeError("the log is full")

    monkeypatch.setattr(AuditEvent, "save", fail)
    steps: dict[str, Any] = {
        "import": lambda: survey_import(other_definition(), by="alice"),
        "save": lambda: draft_save(survey, {}, revision=1, by="alice", now=NOW),
        "rename": lambda: draft_rename(survey, "other", revision=1, by="alice", now=NOW),
        "delete": lambda: draft_delete(survey, by="alice"),
        "create": lambda: draft_create({}, slug="other", source="scratch", by="alice", now=NOW),
        "publish": lambda: survey_publish(survey, by="alice", now=NOW, is_readable_seen=True),
        "close": lambda: survey_close(survey, by="alice", now=NOW),
    }
    with pytest.raises(RuntimeError):
        steps[step]()
    assert (list(Survey.objects.values()), Version.objects.count()) == before


def test_only_practice_surveys_can_be_published_with_missing_texts() -> None:
    document = definition()
    for block in document["blocks"]:
        block["title"] = {}
        for question in block["questions"]:
            question["text"].pop("zh-hans", None)
            for option in question.get("options", ()):
                option["text"] = {}
    document["about"] = {"purpose": {"en": "[Write what it is for.]"}}
    with pytest.raises(DefinitionError):
        survey_publish(draft_create(document, slug="live", **NEW), by="alice", now=NOW, is_readable_seen=True)
    practice = draft_create(document | {"practice": True}, slug="try", **NEW)
    version = survey_publish(practice, by="alice", now=NOW, is_readable_seen=True)
    first, *_ = version.wording["blocks"]
    question, *_ = first["questions"]
    # A part needs no title, and an option needs a text.
    assert "title" not in first
    assert set(first["questions"][0]["options"][0]["text"].values()) == {"Answer 1", "选项 1"}
    assert (
        question["text"]["zh-hans"]
        == question["text"]["en"]
        == document["blocks"][0]["questions"][0]["text"]["en"]
    )
    assert version.wording["about"]["contact"] == {}
    assert draft_read(version.survey).definition is not None
