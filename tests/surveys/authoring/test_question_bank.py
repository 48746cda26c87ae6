"""A question of an earlier survey comes into a draft as it was, in a part of its own."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.access.roles import Role
from surveys.authoring.publish import survey_import
from surveys.authoring.question_bank import question_taken
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.definition import definition_parse
from tests.cast.devices import shipped_definition
from tests.cast.runs import published
from tests.cast.staff import member


def test_it_comes_with_its_options_and_protection_and_with_keys_of_its_own() -> None:
    draft = shipped_definition("workplace")
    source = draft["blocks"][1]
    taken = question_taken(draft, draft, block=1, question=0)
    new = taken["blocks"][-1]
    asked = source["questions"][0]
    assert (new["key"], new["questions"][0]["key"]) == (f"{source['key']}-2", f"{asked['key']}-2")
    assert new["questions"][0] | {"key": asked["key"]} == asked
    assert new["truth_probability"] == source["truth_probability"]
    # Nothing of the draft changed, and what came can be published.
    assert taken["blocks"][:-1] == draft["blocks"]
    assert len(definition_parse(taken).design.blocks) == len(draft["blocks"]) + 1


@pytest.mark.parametrize("name", ["workplace", "everyday", "marriage"])
def test_every_question_of_the_shipped_surveys_can_be_taken_and_published(name: str) -> None:
    source = shipped_definition(name)
    draft = shipped_definition("workplace")
    places = [(b, q) for b, block in enumerate(source["blocks"]) for q in range(len(block["questions"]))]
    for block, question in places:
        definition_parse(question_taken(draft, source, block=block, question=question))


def test_texts_come_in_the_languages_of_the_draft() -> None:
    draft = {"languages": ["en", "fr"], "blocks": []}
    (block,) = question_taken(draft, shipped_definition(), block=0, question=0)["blocks"]
    (question,) = block["questions"]
    assert list(question["text"]) == ["en", "fr"]
    assert question["text"]["en"]
    assert {question["text"]["fr"], question["options"][0]["text"]["fr"], block["title"]["fr"]} == {""}


def test_neither_a_row_of_a_table_nor_rows_near_the_true_one_come_alone() -> None:
    source = shipped_definition()
    block = source["blocks"][1]
    block["questions"][0]["look"] = "matrix"
    block |= {"mechanism": "near_truth", "radius": 1, "asked_if": {"question": "leads", "options": ["yes"]}}
    (new,) = question_taken({"languages": ["en"]}, source, block=1, question=0)["blocks"]
    assert set(new) == {"key", "title", "protected", "truth_probability", "questions"}
    assert "look" not in new["questions"][0]


def sent(client: Client, survey: Survey, **changes: Any) -> Any:
    fields = {"source": "work", "block": 1, "question": 0, "revision": survey.revision, **changes}
    return client.post(reverse("authoring:question_bank", args=[survey.slug]), fields)


@pytest.fixture
def draft() -> Survey:
    survey_import(shipped_definition(slug="work"), by="alice")
    return survey_import({**shipped_definition("marriage"), "slug": "new"}, by="alice")


@pytest.mark.django_db
def test_it_is_found_by_its_words_and_taken_with_one_press(admin_client: Client, draft: Survey) -> None:
    page = reverse("authoring:question_bank", args=["new"])
    text = shipped_definition()["blocks"][1]["questions"][0]["text"]
    for words in (text["en"][:25].upper(), text["zh-hans"][:5]):
        assert text["en"] in admin_client.get(page, {"q": words}).content.decode()
    # No table: on a phone its last column, with the buttons, would be out of sight.
    listed = admin_client.get(page).content.decode()
    assert "<table" not in listed
    assert listed.count('name="question"') == listed.count('class="pick-name"') > 3
    assert "has these words" in admin_client.get(page, {"q": "no such words"}).content.decode()
    answer = sent(admin_client, draft)
    assert answer["Location"] == reverse("authoring:builder", args=["new"])
    before = len(draft.definition["blocks"])
    draft.refresh_from_db()
    assert draft.definition["blocks"][before]["questions"][0]["text"] == text
    assert AuditEvent.objects.filter(action="draft_save", target="new").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"block": 99}, 409),
        ({"question": 99}, 409),
        ({"revision": 99}, 409),
        ({"block": -1}, 422),
        ({"source": "nobody-has-it"}, 404),
    ],
)
def test_what_is_not_there_is_refused_and_the_draft_stays(
    admin_client: Client, draft: Survey, changes: dict[str, Any], status: int
) -> None:
    before = draft.definition
    assert sent(admin_client, draft, **changes).status_code == status
    draft.refresh_from_db()
    assert draft.definition == before


@pytest.mark.django_db
def test_questions_of_surveys_of_others_are_neither_shown_nor_taken(client: Client) -> None:
    hers = published(slug="hers").survey
    mine = published(slug="mine").survey
    bela = member("bela", Role.RESEARCHER)
    Survey.objects.filter(pk=mine.pk).update(owner=bela)
    Survey.objects.filter(pk=hers.pk).update(owner=User.objects.create_user("other"))
    client.force_login(bela)
    page = client.get(reverse("authoring:question_bank", args=["mine"])).content.decode()
    assert "You have no other survey with questions yet." in page
    assert sent(client, mine, source="hers").status_code == 404


@pytest.mark.django_db
def test_a_draft_that_lacks_what_makes_a_question_shows_none_of_it(
    admin_client: Client, draft: Survey
) -> None:
    broken = {"blocks": [3, {"questions": 4}, {"questions": [None, {"kind": "single", "text": 5}]}]}
    Survey.objects.filter(slug="work").update(definition=broken)
    page = admin_client.get(reverse("authoring:question_bank", args=["new"]))
    assert "You have no other survey with questions yet." in page.content.decode()
    assert sent(admin_client, draft).status_code == 409
