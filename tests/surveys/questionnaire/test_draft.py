"""Problems of a draft: missing texts, placeholders, another address, and what practice still needs."""

from typing import Any

import pytest
from django.test import Client

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create, draft_save
from surveys.authoring.publish import survey_publish
from surveys.models import Survey
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft import draft_read, live_gaps_sentence, problems_of_live
from surveys.questionnaire.templates import scratch_document, template_document
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import NOW, new_draft, published_survey
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


ANA: dict[str, Any] = {"by": "ana", "now": NOW}


def paths(survey: Survey) -> set[str]:
    return {problem.path for problem in draft_read(survey).problems}


def test_drafts_from_scratch_list_their_missing_texts() -> None:
    document = scratch_document(title="Sleep", languages=["en", "zh-hans"])
    survey = draft_create(document, slug="sleep", source="scratch", **ANA)
    assert survey.title == {"en": "Sleep"}
    assert {"title.zh-hans", "about.ethics.en", "about.ethics.zh-hans", "about.help.en"} <= paths(survey)
    assert not any("missing" in problem.message for problem in draft_read(survey).problems)


def test_template_placeholders_prevent_publication() -> None:
    survey = draft_create(template_document("health"), slug="mine", source="template health", **ANA)
    left = ("researcher", "ethics", "contact", "retention", "population", "frame")
    assert paths(survey) == {f"about.{name}.{tag}" for name in left for tag in ("en", "zh-hans")}
    with pytest.raises(DefinitionError, match="placeholder of the template"):
        survey_publish(survey, **ANA, is_readable_seen=True)
    document = survey.definition
    for name in left:
        document["about"][name] = {"en": "Written.", "zh-hans": "已填写。"}
    survey = draft_save(survey, dict(document), revision=survey.revision, **ANA)
    assert draft_save(survey, dict(document), revision=survey.revision, **ANA).revision == survey.revision
    survey_publish(survey, **ANA, is_readable_seen=True)


def test_a_practice_draft_says_what_it_lacks_for_real_answers(client: Client) -> None:
    """The builder said "No problems left", and the page that publishes named five."""
    document = template_document("health") | {"practice": True}
    survey = draft_create(document, slug="mine", source="template health", **ANA)
    assert paths(survey) == set()
    gaps = problems_of_live(survey)
    assert {gap.path for gap in gaps} >= {"about.researcher.en", "about.ethics.en"}
    assert problems_of_live(survey, {**survey.definition, "practice": False}) == ()
    said = live_gaps_sentence(len(gaps))
    assert said.startswith(f"Enough for practice. Before real answers, there are {len(gaps)} problems")
    assert live_gaps_sentence(0) == ""
    survey.owner = member("ana", Role.RESEARCHER)
    survey.save()
    client.force_login(survey.owner)
    for page in ("", "publish", "build/"):
        shown = client.get(f"/en/staff/surveys/mine/{page}").content.decode()
        assert said in shown, page
        assert "The draft is complete" not in shown


def test_practice_is_fixed_at_publishing() -> None:
    survey = published_survey()
    saved = draft_save(survey, {**survey.definition, "practice": True}, revision=survey.revision, **ANA)
    assert saved.practice is False
    assert paths(saved) == {"practice"}
    with pytest.raises(DefinitionError, match="practice"):
        survey_publish(saved, **ANA, is_readable_seen=True)


def test_a_different_address_in_the_document_is_a_problem() -> None:
    survey = new_draft()
    saved = draft_save(survey, {**survey.definition, "slug": "other"}, revision=1, **ANA)
    assert (saved.slug, paths(saved)) == ("work", {"slug"})


def test_practice_drafts_still_reject_invalid_texts() -> None:
    about = shipped_definition()["about"]
    survey = new_draft(practice=True, about={**about, "contact": {"en": "\x07", "tlh": "nuqneH"}})
    assert paths(survey) == {"about.contact.en", "about.contact.tlh"}
