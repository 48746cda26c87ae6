"""Working drafts: any JSON object is saved, and two tabs do not overwrite each other."""

import json
from typing import Any

import pytest

from surveys.authoring import drafts
from surveys.authoring.drafts import (
    draft_create,
    draft_delete,
    draft_rename,
    draft_save,
    survey_import,
)
from surveys.authoring.import_notes import ImportNote, draft_notes
from surveys.authoring.publish import survey_publish
from surveys.models import Survey, Version
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.templates import duplicate_document
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import NOW, assert_refused, log_events, new_draft, published_survey
from tests.fixtures.saved_drafts import draft_made, draft_resaved, revisions_kept

pytestmark = pytest.mark.django_db

ANA: dict[str, Any] = {"by": "ana", "now": NOW}


def test_new_drafts_get_the_given_address_and_an_event() -> None:
    survey = new_draft("spring-2027")
    survey.refresh_from_db()
    assert (survey.state, survey.revision, survey.saved_by, survey.saved_at) == ("draft", 1, "ana", NOW)
    assert (survey.definition["slug"], survey.title["en"]) == ("spring-2027", "Speaking up at work")
    assert log_events() == [("ana", "draft_create", "spring-2027")]


def test_duplicates_copy_everything_except_the_times() -> None:
    original = new_draft(time_zone="Europe/Berlin", opens_at="2027-01-01T08:00", closes_at="2027-02-01T08:00")
    copy = draft_create(duplicate_document(original), slug="copy", source="survey work", **ANA)
    left_out = {"opens_at", "closes_at"}
    assert copy.definition == {
        **{name: value for name, value in original.definition.items() if name not in left_out},
        "slug": "copy",
    }


@pytest.mark.parametrize("slug", ["", "Work", "a b", "-a", "a" * 51, "ä", "a\n"])
def test_invalid_addresses_are_rejected(slug: str) -> None:
    assert_refused("slug", lambda: new_draft(slug))


@pytest.mark.soak
@pytest.mark.parametrize(
    "document", [{}, {"blocks": 7}, {"title": "text"}, {"title": {"en": 3}}, {"x": [[{"y": None}]]}]
)
def test_any_json_object_is_saved_unchanged(document: dict[str, Any]) -> None:
    survey = new_draft()
    saved = draft_save(survey, document, revision=1, by="bob", now=NOW)
    saved.refresh_from_db()
    assert (saved.definition, saved.revision, saved.saved_by) == (document, 2, "bob")
    assert saved.title == {"en": "Untitled survey"}
    assert draft_read(saved).problems
    assert log_events()[-1] == ("bob", "draft_save", "work")


def test_title_and_practice_follow_the_saved_draft() -> None:
    document = shipped_definition(slug="work", practice=True, title={"en": "Quiet", "zh-hans": "安静"})
    saved = draft_save(new_draft(), document, revision=1, **ANA)
    assert (saved.title["zh-hans"], saved.practice) == ("安静", True)


def test_saving_an_unchanged_draft_logs_no_event() -> None:
    survey = new_draft()
    before = log_events()
    saved = draft_save(survey, shipped_definition(slug="work"), revision=1, **ANA)
    assert (saved.revision, log_events()) == (1, before)


def test_replacing_true_with_one_saves_a_new_revision() -> None:
    survey = draft_create({"practice": True}, slug="work", source="scratch", **ANA)
    saved = draft_save(survey, {"practice": 1, "slug": "work"}, revision=1, **ANA)
    assert saved.revision == 2


@pytest.mark.parametrize("document", [None, [], "text", 3])
def test_drafts_must_be_json_objects(document: object) -> None:
    survey = new_draft()
    with pytest.raises(DefinitionError):
        draft_save(survey, document, revision=1, **ANA)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("a\x00b", "control"),
        ("\ud800", "control"),
        (float("inf"), "not a number"),
        (float("nan"), "not a number"),
    ],
)
def test_unstorable_values_are_rejected_with_their_path(value: Any, says: str) -> None:
    survey = new_draft()
    with pytest.raises(DefinitionError, match=says) as caught:
        draft_save(survey, {"blocks": [{"key": value}]}, revision=1, **ANA)
    assert caught.value.problems[0].path == "blocks[0].key"


def test_deeply_nested_drafts_are_rejected() -> None:
    document: dict[str, Any] = {}
    for _level in range(40):
        document = {"blocks": [document]}
    survey = new_draft()
    with pytest.raises(DefinitionError, match="too deeply"):
        draft_save(survey, document, revision=1, **ANA)


def test_drafts_over_two_million_bytes_are_rejected() -> None:
    survey = new_draft()
    assert_refused("too_large", lambda: draft_save(survey, {"x": "水" * 700_000}, revision=1, **ANA))


@pytest.mark.soak
def test_saving_a_draft_does_not_change_the_open_survey() -> None:
    survey = published_survey()
    version = survey.versions.get()
    changed = {**survey.definition, "title": {"en": "Changed", "zh-hans": "改"}, "blocks": []}
    saved = draft_save(survey, changed, revision=survey.revision, **ANA)
    assert saved.title["en"] == "Speaking up at work"
    assert survey.versions.get() == version
    assert draft_read(saved).problems


def test_a_draft_can_be_renamed_until_it_is_published() -> None:
    survey = draft_rename(new_draft(), "play", revision=1, **ANA)
    assert (survey.slug, survey.definition["slug"], survey.revision) == ("play", "play", 2)
    assert log_events()[-1] == ("ana", "draft_rename", "play")
    new_draft("rest")
    assert_refused("taken", lambda: draft_rename(survey, "rest", revision=2, **ANA))
    assert_refused("slug", lambda: draft_rename(survey, "No", revision=2, **ANA))
    assert_refused("revision", lambda: draft_rename(survey, "other", revision=1, **ANA))
    survey_publish(survey, **ANA, is_readable_seen=True)
    assert_refused("published", lambda: draft_rename(survey, "other", revision=2, **ANA))


@pytest.mark.soak
def test_import_losses_are_kept_with_the_draft() -> None:
    notes = ("survey, row 3, column type: note",)
    kept = [ImportNote(text=note) for note in notes]
    survey = draft_create({}, slug="form", source="XLSForm", not_kept=kept, **ANA)
    assert draft_notes(survey) == draft_notes(draft_rename(survey, "play", revision=1, **ANA)) == notes
    draft_delete(survey, by="ana")
    # Another person's survey may have the address of a deleted draft, but not its notes.
    assert draft_notes(survey_import(shipped_definition(slug="play"), by="noor")) == ()
    assert draft_notes(new_draft("form")) == ()


def test_numbers_keep_their_stored_notation_after_browser_saves() -> None:
    survey = new_draft()
    part = {"key": "a", "rows": [[118.0, 5.0], [1, 2]], "protected": True, "title": "A"}
    stored = {**survey.definition, "blocks": [part, {"key": "b", "share": 2.0}]}
    survey = draft_save(survey, stored, revision=1, **ANA)
    # As JavaScript writes it, without fractions in whole numbers, and with the blocks swapped.
    moved = [{"key": "b", "share": 2}, {**part, "rows": [[118, 5], [1, 3]], "title": "B"}]
    saved = draft_save(survey, {**stored, "blocks": moved}, revision=2, **ANA)
    first, second = saved.definition["blocks"]
    assert json.dumps(first) == '{"key": "b", "share": 2.0}'
    assert json.dumps(second["rows"]) == "[[118.0, 5.0], [1, 3]]"
    assert second["title"] == "B"
    # Only numbers keep their stored notation; 1 does not become true.
    changed = draft_save(saved, {**stored, "blocks": [{**part, "protected": 1}]}, revision=3, **ANA)
    assert changed.definition["blocks"][0]["protected"] is not True


def test_saves_within_a_minute_share_a_revision_and_later_ones_do_not() -> None:
    survey = draft_made("one")
    draft_resaved(survey, "one", "two", seconds=20)
    draft_resaved(survey, "one", "two", "three", seconds=40)
    draft_resaved(survey, "one", "two", "three", "four", seconds=61)
    assert revisions_kept(survey) == [(4, ["one", "two", "three", "four"]), (3, ["one", "two", "three"])]


def test_deletions_keep_a_revision_even_within_seconds() -> None:
    survey = draft_made("one", "two")
    draft_resaved(survey, "one", seconds=5)
    draft_resaved(survey, "one", "three", seconds=6, by="ben")
    assert revisions_kept(survey) == [(3, ["one", "three"]), (2, ["one"]), (1, ["one", "two"])]


@pytest.mark.soak
def test_old_revisions_expire_except_the_original_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_REVISIONS", 3)
    survey = draft_made("one", pasted="T\n1. One?")
    for number in range(1, 5):
        draft_resaved(survey, f"q{number}", seconds=90 * number)
    assert survey.draft_revisions.count() == 4
    assert survey.draft_revisions.last().pasted == "T\n1. One?"


def test_imported_surveys_are_unpublished_drafts() -> None:
    survey = survey_import(shipped_definition(slug="work"), by="alice")
    assert (survey.state, survey.practice, survey.title["en"]) == ("draft", False, "Speaking up at work")
    assert not Version.objects.exists()
    assert log_events() == [("alice", "survey_import", "work")]


def test_reimporting_a_draft_can_change_everything() -> None:
    survey_import(shipped_definition(slug="work"), by="alice")
    survey = survey_import(
        shipped_definition(slug="work", practice=True, title={"en": "A", "zh-hans": "一"}), by="bob"
    )
    assert Survey.objects.count() == 1
    assert (survey.practice, survey.title["en"]) == (True, "A")


def test_invalid_definitions_create_no_survey_or_event() -> None:
    with pytest.raises(DefinitionError):
        survey_import(shipped_definition(slug="work", group=None), by="alice")
    assert not Survey.objects.exists()
    assert log_events() == []
