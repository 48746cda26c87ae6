"""Invitations that determine an arm are counted when created, and refused if an arm is too small."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from privacy.survey.grouping import invited_arms
from surveys.accounts.roles import Role
from surveys.authoring.publish import survey_import, survey_publish
from surveys.errors.error import SurveyError
from surveys.intake.codes import receipt_key
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.check import check_use
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError, Level
from surveys.questionnaire.draft_reading import draft_read
from surveys.respondent.invitations import count_codes, invitations_revoke, invited_by_arm, survey_access
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import survey_of
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def arms_definition(*shares: int, **changes: Any) -> dict[str, Any]:
    arms = zip(("short", "long"), shares or (5000, 5000), strict=True)
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": share} for key, share in arms]}
    parts = (unprotected("told", arm), protected("b", yes_no("copied"), p=6000))
    return document_of(*parts, **{"slug": "experiment", "invited": "told", "practice": False, **changes})


def by_strength(share: int, **more: Any) -> dict[str, Any]:
    group = {"policy": "assigned", "direct_share": share, "light": True}
    return document_of(protected("b", yes_no("copied"), p=6000), invited="group", group=group, **more)


def problems(document: dict[str, Any]) -> list[str]:
    with pytest.raises(DefinitionError) as refused:
        definition_parse(document)
    return [f"{problem.path}: {problem.message}; {problem.remedy}" for problem in refused.value.problems]


def test_invited_arms_change_the_mechanism_and_digest_only_when_set() -> None:
    drawn, decided = (definition_parse(arms_definition(**more)).design for more in ({"invited": ""}, {}))
    assert (decided.invited, decided.mechanism) == ("told", 6)
    assert decided.to_json()["invited"] == "told"
    assert "invited" not in drawn.to_json()
    assert decided.design_id != drawn.design_id
    strength = definition_parse(by_strength(3000)).design
    assert (strength.mechanism, strength.invited_shares) == (6, {"light": 3000, "strong": 7000})


@pytest.mark.parametrize("invited_by", ["copied", "group", "nothing", ["told"], 7, None])
def test_invitations_may_decide_only_arms_or_strength(invited_by: Any) -> None:
    (found,) = problems(arms_definition(invited=invited_by))
    assert found.startswith("invited: invitations cannot decide ")


@pytest.mark.parametrize(("share", "is_refused"), [(999, True), (1000, False), (9000, False), (9001, True)])
def test_each_strength_needs_five_of_fifty_rows(share: int, is_refused: bool) -> None:
    if is_refused:
        assert (
            "invited: fewer than 5 of 50 rows would have the rarer strength, whose share is 999"
            in problems(by_strength(share))[0]
        )
    else:
        assert definition_parse(by_strength(share)).design.invited == "group"


def test_invitations_cannot_decide_direct_answers_and_no_arm_is_named_group() -> None:
    group = {"policy": "assigned", "direct_share": 3000}
    assert problems(arms_definition(invited="group", group=group))[0].startswith("invited: ")
    document = arms_definition(invited="group")
    document["blocks"][0]["questions"][0]["key"] = "group"
    assert "an assignment question has the key 'group'" in problems(document)[0]


def draft(document: dict[str, Any], *, people: int = 1_000) -> Survey:
    survey = survey_import(document, by="alice")
    survey.aim = Aim(people=people).to_json()
    survey.save()
    return survey_access(survey, by_invitation=True, by="alice")


@pytest.mark.parametrize(
    ("people", "shares", "is_refused"), [(200, (), False), (199, (), True), (999, (1000, 9000), True)]
)
def test_each_arm_needs_100_expected_respondents(
    people: int, shares: tuple[int, ...], is_refused: bool
) -> None:
    found = draft_read(draft(arms_definition(*shares), people=people)).problems
    assert [problem.path for problem in found] == ["invited"] * is_refused
    assert not is_refused or f"of {people} people who are expected to answer, 99 would be" in found[0].message
    # Practice surveys have no respondents to protect.
    assert not draft_read(draft(arms_definition(slug="try", practice=True), people=100)).problems


def test_surveys_with_invited_arms_require_invitations() -> None:
    survey = survey_import(arms_definition(), by="alice")
    with pytest.raises(SurveyError) as refused:
        survey_publish(survey, by="alice", now=timezone.now(), reason="A test.", is_readable_seen=True)
    assert (refused.value.code, refused.value.case) == ("open_link", "open_link.arms")


def test_publication_fixes_what_invitations_decide() -> None:
    version = invited(arms_definition())
    for document in (arms_definition(4000, 6000), arms_definition(invited="")):
        (found,) = draft_read(version.survey, document).problems
        assert (found.path, "publishing fixed the terms" in found.message) == ("invited", True)
    other = arms_definition()
    other["blocks"][1]["truth_probability"] = 5000
    assert not draft_read(version.survey, other).problems


def test_invited_counts_ignore_revocations() -> None:
    version = invited(arms_definition())
    codes = codes_of(version, 60)
    made = invited_by_arm(version.survey)
    digests = [receipt_key(code, survey="experiment") for code in codes]
    assert made == invited_arms(version.to_design(), digests, survey="experiment")
    assert min(made.values()) > 5
    invitations_revoke(survey_of(version), texts=codes[:20], by="alice")
    codes_of(version, 40)
    assert count_codes(version.survey) == sum(invited_by_arm(version.survey).values()) == 100
    assert set(AuditEvent.objects.filter(action="invitations_make")[0].detail) == {"codes", "arms"}


def test_surveys_without_arms_log_no_arms(client: Client) -> None:
    version = invited()
    codes_of(version, 10)
    assert AuditEvent.objects.get(action="invitations_make").detail == {"codes": 10}
    assert invited_by_arm(version.survey) == {}


def test_the_page_advises_handing_out_codes_in_random_order(client: Client) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    warned = [
        "Hand out codes in random order."
        in client.get(f"/en/staff/surveys/{slug}/invitations/").content.decode()
        for slug in (invited(arms_definition()).survey.slug, invited().survey.slug)
    ]
    assert warned == [True, False]


def test_groups_of_invited_people_without_a_stated_number_cause_a_warning() -> None:
    design = definition_parse(arms_definition())
    found = [(finding.code, finding.level) for finding in check_use(design, None)]
    assert found == [("people_unknown", Level.WARN)] * 2
    assert "smallest group" in list(check_use(design, Aim(people=0)))[1].message
    assert "smallest group" not in "".join(finding.message for finding in check_use(design, Aim(people=400)))
