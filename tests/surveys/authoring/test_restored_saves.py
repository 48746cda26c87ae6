"""The text and the notes of a draft are those of the saves that led to it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from surveys.authoring.drafts import draft_create, draft_save
from surveys.authoring.history import draft_restore
from surveys.authoring.import_notes import ImportNote, draft_notes
from surveys.authoring.restored_saves import Lineage, save_with_text
from tests.fixtures.saved_drafts import NOON


@given(st.lists(st.integers(min_value=0, max_value=9), max_size=9))
def test_a_lineage_has_each_save_that_led_to_the_draft(restored: list[int]) -> None:
    """Each number is the save to restore next; 0, or one that does not exist yet, is a plain save."""
    behind = [set[int](), {1}]
    saves = {}
    for revision, to in enumerate(restored, start=2):
        is_restored = 0 < to < revision
        saves |= {revision: to} if is_restored else {}
        behind.append({revision} | behind[to if is_restored else revision - 1])
    newest = len(behind) - 1
    lineage = Lineage.of(newest, saves)
    assert {revision for revision in range(1, newest + 1) if revision in lineage} == behind[newest]


@pytest.mark.django_db
def test_a_restored_draft_has_the_text_and_the_notes_of_its_own_import(admin_client: Client) -> None:
    """Both used to be those of the last import."""
    who: dict[str, Any] = {"by": "ana", "now": NOON}
    texts = ("One\n1. Do you?", "Two\n1. Did you?")
    kept = [[ImportNote(text=f"note {number}")] for number in (1, 2)]
    survey = draft_create({}, slug="kept", source="text", pasted=texts[0], not_kept=kept[0], **who)
    survey = draft_save(survey, {"a": 1}, revision=1, pasted=texts[1], not_kept=kept[1], **who)
    for to, revision, number in ((1, 2, 1), (2, 3, 2), (3, 4, 1)):
        survey = draft_restore(survey, to, revision=revision, by="ana", now=NOON + timedelta(hours=revision))
        assert draft_notes(survey) == (f"note {number}",)
        save = save_with_text(survey)
        assert save is not None
        assert save.pasted == texts[number - 1]
    page = admin_client.get(reverse("authoring:back_to_text", args=["kept"])).content.decode()
    assert texts[0] in page


@pytest.mark.django_db
def test_a_draft_restored_from_before_its_text_has_none() -> None:
    who: dict[str, Any] = {"by": "ana", "now": NOON}
    survey = draft_create({}, slug="kept", source="scratch", **who)
    survey = draft_save(survey, {"a": 1}, revision=1, pasted="One\n1. Do you?", **who)
    assert save_with_text(draft_restore(survey, 1, revision=2, **who)) is None


@pytest.mark.django_db
def test_a_restored_save_of_a_deleted_draft_at_the_same_address_does_not_count() -> None:
    who: dict[str, Any] = {"by": "ana", "now": NOON}
    survey = draft_create({}, slug="kept", source="scratch", **who)
    survey = draft_save(survey, {"a": 1}, revision=1, pasted="One\n1. Do you?", **who)
    draft_restore(survey, 1, revision=2, **who).delete()
    survey = draft_create({}, slug="kept", source="scratch", **who)
    survey = draft_save(survey, {"a": 1}, revision=1, pasted="Two\n1. Did you?", **who)
    survey = draft_save(survey, {"a": 2}, revision=2, **who)
    save = save_with_text(survey)
    assert save is not None
    assert save.pasted == "Two\n1. Did you?"
