"""Codes are created and revoked; only digests are stored, and nothing links codes to each other."""

import secrets
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from privacy.survey.arms import invited_arms
from privacy.survey.turns import turns_of
from surveys.accounts.roles import Role
from surveys.authoring.deletion import survey_delete
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.intake.codes import ALPHABET, code_in_groups, is_code, receipt_key
from surveys.models import AuditEvent, Receipt, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.findings import Level
from surveys.respondent.invitations import (
    MOST_AT_ONCE,
    count_codes,
    invitation_status,
    invitations_make,
    invitations_repeat,
    invitations_replace,
    invitations_revoke,
    invited_by_arm,
)
from surveys.respondent.survey_access import survey_access
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import published, shipped_definition, survey_of
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def events(action: str) -> list[Any]:
    return list(AuditEvent.objects.filter(action=action).values_list("actor", "target", "detail"))


def refused(code: str, call: Any) -> None:
    before = (AuditEvent.objects.count(), Receipt.objects.count())
    with pytest.raises(SurveyError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.message
    assert caught.value.remedy
    assert (AuditEvent.objects.count(), Receipt.objects.count()) == before


def test_codes_of_published_surveys_are_stored_only_as_digests() -> None:
    version = invited()
    codes = codes_of(version, 30)
    assert len(set(codes)) == 30
    assert all(is_code(code) for code in codes)
    kept = list(Receipt.objects.values_list("survey", "key", "digest"))
    assert {bytes(key) for _, key, _ in kept} == {receipt_key(code, survey="work") for code in codes}
    assert {(survey, digest) for survey, _, digest in kept} == {(version.survey_id, None)}
    assert events("invitations_make") == [("alice", "work", {"codes": 30})]


def test_digests_are_stored_in_a_different_order_than_codes() -> None:
    version, written = invited(), []

    def watch(execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
        if sql.startswith('INSERT INTO "surveys_receipt"'):
            # PostgreSQL gets one list per column, with wrapped values.
            flat = (value for part in params for value in (part if isinstance(part, list) else [part]))
            plain = (getattr(value, "obj", value) for value in flat)
            written.extend(bytes(value) for value in plain if isinstance(value, bytes | memoryview))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        codes = codes_of(version, 40)
    assert len(written) == 40
    assert written == sorted(written) != [receipt_key(code, survey="work") for code in codes]


@pytest.mark.soak
def test_codes_come_from_the_random_generator() -> None:
    numbers = count()
    version = invited()
    (code,) = invitations_make(
        survey_of(version), number=1, by="alice", random_below=lambda below: next(numbers) % below
    )
    assert code[:18] == ALPHABET[:18]


@pytest.mark.soak
def test_at_most_10000_codes_can_be_created_at_once(settings: Settings) -> None:
    version = invited()
    assert MOST_AT_ONCE == 10_000
    for number in (0, -1, 10_001):
        refused("number", lambda number=number: codes_of(version, number))
    settings.SUBMISSION_CAP = 12
    codes_of(version, 12)
    refused("full", lambda: codes_of(version))


def test_drafts_closed_surveys_and_open_links_cannot_get_codes() -> None:
    draft = survey_import(shipped_definition(slug="draft"), by="alice")
    survey_access(draft, by_invitation=True, by="alice")
    closed = invited(slug="closed")
    survey_close(survey_of(closed), by="alice", now=timezone.now())
    opened = published(shipped_definition(slug="open"))
    for code, survey in (("draft", draft), ("closed", closed.survey), ("open_link", opened.survey)):
        refused(code, lambda survey=survey: invitations_make(survey, number=1, by="alice"))
        refused(code, lambda survey=survey: invitations_revoke(survey, texts=None, by="alice"))


@pytest.mark.soak
def test_scheduled_surveys_can_get_codes() -> None:
    opens = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    version = invited(opens_at=opens)
    assert survey_of(version).state == Survey.State.PLANNED
    assert codes_of(version)


def test_revocation_keeps_used_codes_and_reveals_no_count() -> None:
    version = invited()
    codes = codes_of(version, 5)
    spent = receipt_key(codes[0], survey="work")
    Receipt.objects.filter(key=spent).update(digest=secrets.token_bytes(32))
    survey = survey_of(version)
    typed = [code_in_groups(codes[0]).lower(), codes[1]]
    assert invitations_revoke(survey, texts=typed, by="bob") is None
    assert Receipt.objects.count() == 4
    invitations_revoke(survey, texts=None, by="bob")
    assert [bytes(key) for key in Receipt.objects.values_list("key", flat=True)] == [spent]
    assert events("invitations_revoke") == [
        ("bob", "work", {"which": "all"}),
        ("bob", "work", {"which": "named", "named": 2}),
    ]


def test_revoking_one_code_never_changes_the_shown_count() -> None:
    said = set()
    for slug, is_used in (("used", True), ("unused", False)):
        # 105 is shown as 110 and 104 as 100.
        version = invited(slug=slug)
        codes = codes_of(version, 105)
        if is_used:
            key = receipt_key(codes[0], survey=slug)
            Receipt.objects.filter(key=key).update(digest=secrets.token_bytes(32))
        invitations_revoke(survey_of(version), texts=[codes[0]], by="bob")
        invitations = invitation_status(survey_of(version))
        said.add((invitations.n_made, invitations.n_used, invitations.n_unused))
        assert count_codes(survey_of(version)) == 105
    assert said == {("≈ 110", "≈ 0", "≈ 110")}


def test_codes_of_a_deleted_survey_do_not_count_for_its_successor() -> None:
    version = invited()
    codes_of(version, 5)
    Receipt.objects.all().delete()
    survey_close(survey_of(version), by="alice", now=timezone.now(), at_once=True)
    survey_delete(survey_of(version), by="alice")
    again = invited()
    codes_of(again, 3)
    assert count_codes(survey_of(again)) == 3


def test_one_misspelt_code_blocks_the_whole_revocation() -> None:
    version = invited()
    codes = codes_of(version, 2)
    refused("code", lambda: invitations_revoke(survey_of(version), texts=[codes[0], "12345"], by="bob"))


def test_codes_cannot_be_revoked_through_another_survey() -> None:
    first, second = invited(slug="one"), invited(slug="two")
    (code,) = codes_of(first)
    invitations_revoke(survey_of(second), texts=[code], by="bob")
    assert Receipt.objects.count() == 1


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


@pytest.mark.soak
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


@pytest.mark.soak
def test_surveys_without_arms_log_no_arms(client: Client) -> None:
    version = invited()
    codes_of(version, 10)
    assert AuditEvent.objects.get(action="invitations_make").detail == {"codes": 10}
    assert invited_by_arm(version.survey) == {}


@pytest.mark.soak
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


# Codes of a series whose parts take turns.


def turning(slug: str, wave: int, *parts: str) -> Survey:
    """Publish a wave, by invitation, in which each of the parts is asked in one of two waves."""
    blocks = [protected(key, yes_no(f"{key}-lie"), refusal=2500) for key in parts or ("debt", "drugs")]
    turns = {"series": "diary", "waves": 2, "each_wave": "rotate", "wave": wave}
    survey = draft(document_of(*blocks, slug=slug, **turns))
    survey_publish(survey, by="alice", now=timezone.now(), reason="A test.", is_readable_seen=True)
    survey.refresh_from_db()
    return survey


def turns_by(survey: Survey, code: str) -> Any:
    version = survey.versions.get()
    return turns_of(version.to_design().rotations[0], person=code, series="diary")


def test_the_codes_of_an_earlier_wave_go_on() -> None:
    first, second = turning("one", 1), turning("two", 2)
    codes = invitations_make(first, number=5, by="alice")
    typed = [code_in_groups(code).lower() for code in codes]
    assert invitations_repeat(second, texts=[*typed, typed[0]], by="alice") == codes
    assert invitations_repeat(second, texts=typed[:2], by="alice") == codes[:2]
    keys = {bytes(receipt.key) for receipt in Receipt.objects.filter(survey=second, digest=None)}
    assert keys == {receipt_key(code, survey="two") for code in codes}
    assert count_codes(second) == 5
    # No key is the same in both waves, so the database does not link them.
    assert not keys & {bytes(receipt.key) for receipt in Receipt.objects.filter(survey=first)}


@pytest.mark.soak
def test_a_repeated_code_that_was_used_stays_used() -> None:
    survey = turning("one", 1)
    (code,) = invitations_make(survey, number=1, by="alice")
    Receipt.objects.filter(survey=survey).update(digest=b"x" * 32)
    invitations_repeat(survey, texts=[code], by="alice")
    assert Receipt.objects.get(survey=survey).digest is not None


@pytest.mark.soak
def test_a_replaced_code_asks_the_same_parts_in_the_same_waves() -> None:
    """The attack: a new code that would ask some parts a second time."""
    survey = turning("one", 1)
    codes = invitations_make(survey, number=20, by="alice")
    fresh = invitations_make(survey, number=20, by="alice")
    # The attack finds what it must find: fresh codes do ask some people twice.
    assert any(turns_by(survey, one) != turns_by(survey, two) for one, two in zip(codes, fresh, strict=True))
    replaced = invitations_replace(survey, texts=codes, by="alice")
    assert [turns_by(survey, code) for code in replaced] == [turns_by(survey, code) for code in codes]
    assert not set(replaced) & set(codes)
    keys = {bytes(receipt.key) for receipt in Receipt.objects.filter(survey=survey, digest=None)}
    assert keys == {receipt_key(code, survey="one") for code in (*replaced, *fresh)}
    assert count_codes(survey) == 40
    assert events("invitations_make")[0][2] == {"codes": 0, "replaced": 20}


def test_replacing_a_used_code_gives_no_second_answer_and_reveals_nothing() -> None:
    survey = turning("one", 1)
    used, unused = invitations_make(survey, number=2, by="alice")
    Receipt.objects.filter(key=receipt_key(used, survey="one")).update(digest=b"x" * 32)
    first, second = invitations_replace(survey, texts=[used, unused], by="alice")
    keys = {bytes(receipt.key) for receipt in Receipt.objects.filter(survey=survey, digest=None)}
    assert keys == {receipt_key(second, survey="one")}
    assert is_code(first)


def test_only_codes_of_surveys_whose_parts_take_turns_are_repeated_or_replaced() -> None:
    plain = survey_of(invited())
    (code,) = invitations_make(plain, number=1, by="alice")
    for call in (invitations_repeat, invitations_replace):
        refused("turns", lambda call=call: call(plain, texts=[code], by="alice"))
    survey = turning("one", 1)
    for call in (invitations_repeat, invitations_replace):
        refused("code", lambda call=call: call(survey, texts=["no code"], by="alice"))
        refused("number", lambda call=call: call(survey, texts=[], by="alice"))


def test_codes_with_turns_that_are_too_rare_to_find_again_are_not_replaced(monkeypatch: Any) -> None:
    survey = turning("one", 1, *(f"part-{number}" for number in range(4)))
    codes = invitations_make(survey, number=3, by="alice")
    monkeypatch.setattr("surveys.respondent.invitations.MOST_TRIES", 17)
    # C(4, 2) = 6 ways: two codes need 12 tries on average, three 18.
    invitations_replace(survey, texts=codes[:2], by="alice")
    refused("turns", lambda: invitations_replace(survey, texts=codes, by="alice"))
    monkeypatch.setattr("surveys.respondent.invitations.MOST_TRIES", 5)
    refused("turns", lambda: invitations_replace(survey, texts=codes[:1], by="alice"))


def test_the_page_repeats_and_replaces_codes(client: Client) -> None:
    survey = turning("one", 1)
    Survey.objects.update(owner=member("ana", Role.RESEARCHER))
    client.force_login(member("ana", Role.RESEARCHER))
    page = "/en/staff/surveys/one/invitations/"
    said = client.get(page).content.decode()
    assert "Each person needs the same code in every wave" in said
    assert "To replace lost codes, enter them below." in said
    assert "Lost codes can only be withdrawn" not in said
    (code,) = invitations_make(survey, number=1, by="ana")
    values = {"language": "en", "form": "sheet", "people": "replace", "codes": code}
    made = client.post(f"{page}make", values)
    assert made.status_code == 200
    assert "Keep it: the next survey needs the same code." in made.content.decode()
    assert code_in_groups(code) not in made.content.decode()
    assert client.post(f"{page}make", values | {"codes": ""}).status_code == 422
    wrong = client.post(f"{page}make", values | {"codes": "no code"})
    assert "is not an invitation code" in wrong.content.decode()
    whom = client.post(f"{page}make", {**values, "people": "", "number": 1})
    assert "Choose for whom these codes are." in whom.content.decode()
    none = client.post(f"{page}make", {**values, "people": "", "codes": ""})
    assert "Enter the number of codes." in none.content.decode()
