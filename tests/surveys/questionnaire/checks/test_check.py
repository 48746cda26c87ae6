"""Checks where it is decided: by the draft, at publishing, on the page, on the command line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from privacy.planning.use import use_of
from privacy.risk.budget import budget
from surveys.authoring.publish import survey_import, survey_publish
from surveys.models import AuditEvent, PublishOverride, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks import check
from surveys.questionnaire.checks.ceilings import site_ceilings
from surveys.questionnaire.checks.check import check_definition, check_draft, check_use
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.document import DefinitionError, Finding, Level, plain_finding
from surveys.questionnaire.draft_reading import TEMPLATES, draft_read
from surveys.questionnaire.schedule import series_of, waves_of
from tests.fixtures.checked_surveys import (
    CEILINGS,
    document_of,
    findings_of,
    protected,
    survey_of,
    unprotected,
    yes_no,
)
from tests.fixtures.devices import shipped_definition
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.runs import definition
from tests.surveys.questionnaire.test_plan import NUMBER, number_part
from tests.surveys.test_plain_pages import for_experts_in

pytestmark = pytest.mark.django_db

BIG = protected("b", *(yes_no(f"q{n}") for n in range(10)))
REASON = "The board asked for all ten in one part."


def test_the_ceilings_that_ship_are_those_of_these_tests() -> None:
    assert site_ceilings() == CEILINGS


@pytest.mark.parametrize("name", ["marriage", *(f"templates/{name}" for name in TEMPLATES)])
def test_the_demonstration_and_the_templates_need_no_reason_with_the_ceilings_that_ship(name: str) -> None:
    found = check_definition(definition_parse(shipped_definition(name)), ceilings=CEILINGS)
    assert [(one.code, one.level) for one in found] == [("people_unknown", Level.WARN)]


def test_practice_answers_are_nobodys_and_nothing_is_refused_there() -> None:
    found = findings_of(BIG, practice=True)
    assert "block_epsilon" in {one.code for one in found}
    assert not any(one.is_refusal for one in found)


def test_refusals_come_before_warnings() -> None:
    found = findings_of(protected("a", yes_no("q", text={"en": "How old are you?"})), BIG)
    assert [one.is_refusal for one in found] == sorted((one.is_refusal for one in found), reverse=True)
    assert len(found) > 1


def test_what_is_refused_is_not_published_without_a_reason() -> None:
    survey = survey_import(document_of(BIG), by="ana")
    with pytest.raises(DefinitionError) as refusal:
        survey_publish(survey, by="ana", now=timezone.now(), reason=" … \u200b ")
    assert "blocks[0]: part “b”" in str(refusal.value)
    assert "written reason" in str(refusal.value)
    survey.refresh_from_db()
    assert survey.state == Survey.State.DRAFT


def test_a_reason_is_kept_with_the_version_and_logged() -> None:
    survey = survey_import(document_of(BIG), by="ana")
    version = survey_publish(survey, by="ana", now=timezone.now(), reason=f" {REASON} ")
    kept = version.override
    assert (kept.reason, kept.by) == (REASON, "ana")
    assert kept.findings[0]["code"] == "block_epsilon"
    event = AuditEvent.objects.get(action="survey_publish_override")
    assert event.detail["reason"] == REASON


def test_a_reason_that_nobody_asked_for_is_not_kept() -> None:
    survey = survey_import(document_of(protected("b", yes_no("lie"))), by="ana")
    survey_publish(survey, by="ana", now=timezone.now(), reason=REASON)
    assert not PublishOverride.objects.exists()


def test_the_waves_of_a_series_add_up_and_the_one_above_the_ceiling_is_refused() -> None:
    three = protected("b", *(yes_no(f"q{n}") for n in range(3)))
    for slug in ("wave-1", "wave-2"):
        survey = survey_import(document_of(three, slug=slug, series="panel"), by="ana")
        survey_publish(survey, by="ana", now=timezone.now())
        assert series_of(survey) == "panel"
    # 3 ln 9 = 6.59.
    third = survey_import(document_of(three, slug="wave-3", series="panel"), by="ana")
    with pytest.raises(DefinitionError, match=r"wave-1 \(2\.20\), wave-2 \(2\.20\)"):
        survey_publish(third, by="ana", now=timezone.now())
    others = survey_import(document_of(three, slug="wave-3"), by="ana")
    survey_publish(others, by="ana", now=timezone.now())
    assert [wave.slug for wave in waves_of("panel")] == ["wave-1", "wave-2"]


def test_a_survey_is_one_wave_however_many_versions_it_has_and_practice_is_none() -> None:
    small, large = protected("b", yes_no("lie")), protected("b", yes_no("lie"), yes_no("steal"))
    for blocks in ((large,), (small,)):
        survey = survey_import(document_of(*blocks, slug="wave-1", series="panel"), by="ana")
        version = survey_publish(survey, by="ana", now=timezone.now())
    practice = survey_import(document_of(large, slug="try", series="panel", practice=True), by="ana")
    survey_publish(practice, by="ana", now=timezone.now())
    (wave,) = waves_of("panel")
    # ln(1 + 4) of the larger version, though the smaller one is asked now.
    assert wave.epsilon == pytest.approx(1.6094379)
    assert budget(version.to_design()).epsilon < wave.epsilon
    assert waves_of("") == ()


def test_the_builder_is_told_what_the_checks_found(admin_client: Client) -> None:
    survey = survey_import(document_of(BIG), by="ana")
    body = admin_client.get(f"/en/staff/surveys/{survey.slug}/build/draft").json()
    assert body["problems"] == []
    found = [one for one in body["findings"] if one["level"] == "refuse"]
    assert [one["path"] for one in found] == ["blocks[0]", ""]
    reading = definition_read(survey.definition)
    assert reading.definition is not None
    assert body["findings"] == [one.to_json() for one in check_draft(survey, reading.definition)]


def test_the_page_asks_for_a_reason_and_publishes_with_one(admin_client: Client) -> None:
    survey = survey_import(document_of(BIG), by="ana")
    address = f"/en/staff/surveys/{survey.slug}/publish"
    text = admin_client.get(address).content.decode()
    assert 'name="reason"' in text
    assert "6.93" in text
    refused = admin_client.post(address, {"revision": survey.revision})
    assert refused.status_code == 422
    assert not survey.versions.exists()
    admin_client.post(address, {"revision": survey.revision, "reason": REASON})
    assert survey.versions.get().override.reason == REASON


def test_the_command_refuses_and_takes_a_reason() -> None:
    survey_import(document_of(BIG), by="ana")
    with pytest.raises(CommandError, match="written reason"):
        call_command("publish", "checked")
    call_command("publish", "checked", "--reason", REASON, stdout=StringIO())
    assert PublishOverride.objects.get().by == "command line"


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"series": "Not a name"}, "series"),
        ({"series": 3}, "series"),
        ({"blocks": [protected("b", yes_no("q", known="yes"))]}, "blocks[0].questions[0].known"),
        ({"blocks": [protected("b", yes_no("q"), yes_no("r"), exclusive=[["q"]])]}, "blocks[0].exclusive[0]"),
        (
            {"blocks": [protected("b", yes_no("q"), yes_no("r"), exclusive=[["q", "x"]])]},
            "blocks[0].exclusive[0]",
        ),
        (
            {"blocks": [protected("b", yes_no("q"), yes_no("r"), exclusive=[["q", "q"]])]},
            "blocks[0].exclusive[0]",
        ),
        (
            {"blocks": [protected("b", yes_no("q"), yes_no("r"), exclusive=[["q", ["r"]]])]},
            "blocks[0].exclusive[0]",
        ),
        ({"blocks": [protected("b", yes_no("q"), exclusive="q")]}, "blocks[0].exclusive"),
        (
            {"blocks": [protected("b", *map(yes_no, "abcde"), exclusive=[list("abcde")] * 5)]},
            "blocks[0].exclusive",
        ),
    ],
)
def test_marks_that_cannot_be_read_are_named(changes: dict[str, object], path: str) -> None:
    problems = definition_read({**document_of(BIG), **changes}).problems
    assert [problem.path for problem in problems] == [path]


def test_the_documented_codes_are_those_that_are_given() -> None:
    folder = Path(check.__file__).parent
    documented = set(re.findall(r"``([a-z_]+)``", (Finding.__doc__ or "").split("path : str")[0]))
    given = {
        node.value
        for path in folder.glob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for node in [*call.args, *(keyword.value for keyword in call.keywords)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert documented <= given
    assert len(documented) > 20


TWO = survey_of(protected("b", yes_no("a"), yes_no("c"), p=6000))


def said(aim: Aim | None) -> list[tuple[str, Level]]:
    return [(finding.code, finding.level) for finding in check_use(TWO, aim)]


def test_where_nobody_said_how_many_it_is_asked_and_nothing_is_refused() -> None:
    assert said(None) == [("people_unknown", Level.WARN)]


@pytest.mark.parametrize(
    ("people", "found"),
    [
        # 1.96 / (2 .6 sqrt n): 10 points at 267 people, 25 at 43; below 100 nothing is shown.
        (267, []),
        (266, [("share_imprecise", Level.WARN)]),
        (100, [("share_imprecise", Level.WARN)]),
        (99, [("too_few_asked", Level.REFUSE), ("share_imprecise", Level.WARN)]),
        (42, [("too_few_asked", Level.REFUSE), ("share_imprecise", Level.REFUSE)]),
    ],
)
def test_a_wanted_share_is_judged_at_both_edges(people: int, found: list[tuple[str, Level]]) -> None:
    assert said(Aim(people=people, wanted=("a",))) == found
    assert said(Aim(people=people)) == found


def test_a_wanted_difference_is_judged_at_both_edges() -> None:
    codes = {n: said(Aim(people=n, wanted=("a", "c"))) for n in (60, 80, 230, 250)}
    few = [("too_few_asked", Level.REFUSE)]
    assert codes[250] == []
    assert codes[230] == [("difference_missed", Level.WARN)]
    assert codes[80] == [*few, ("difference_missed", Level.WARN)]
    assert codes[60] == [*few, ("difference_missed", Level.REFUSE)]


def test_questions_with_the_same_fault_are_one_finding() -> None:
    many = survey_of(*(protected(f"b{key}", yes_no(key), p=5000) for key in "abcde"))
    few, wide = check_use(many, Aim(people=60))
    assert few.message == (
        "about 60 people will be asked “Did you ever a?”, “Did you ever b?”, “Did you ever c?” and 2 more; "
        "fewer than 100 is too few to show anything"
    )
    assert wide.message.startswith("“Did you ever a?”, “Did you ever b?”, “Did you ever c?” and 2 more will")
    assert (few.path, wide.path) == ("blocks[0].questions[0]",) * 2
    mixed = [protected("f", yes_no("f")), protected("g", yes_no("g"), yes_no("h"), questions_per_person=1)]
    assert next(check_use(survey_of(*mixed), Aim(people=60))).message.startswith("about 30–60 people")


def test_a_place_below_the_floor_is_a_finding() -> None:
    shown = everyday_definition()
    (place,) = [part for part in shown["blocks"] if part["questions"][0]["kind"] == "place"]
    for document in (shown, shown | {"blocks": [place]}):
        definition = definition_parse(document)
        few = next(check_use(definition, Aim(people=50)))
        assert (few.code, few.level) == ("too_few_asked", Level.REFUSE)
        assert "too_few_asked" not in [each.code for each in check_use(definition, Aim(people=100))]
    assert place["questions"][0]["text"]["en"] in few.message
    assert not use_of(definition.design, Aim(people=50)).is_useful
    assert use_of(definition.design, Aim(people=100)).is_useful


def test_a_question_that_can_find_nothing_needs_a_reason_though_it_is_not_starred() -> None:
    mixed = survey_of(protected("b", yes_no("a"), p=8000), protected("d", yes_no("c"), p=500))
    for wanted in ("a", "c"):
        (finding,) = check_use(mixed, Aim(people=400, wanted=(wanted,)))
        assert (finding.code, finding.level) == ("share_imprecise", Level.REFUSE)
        assert finding.path == "blocks[1].questions[0]"


def test_a_question_that_fewer_than_a_hundred_are_asked_needs_a_reason() -> None:
    parts = [protected("b", yes_no("a"), p=6000), protected("d", yes_no("c"), p=6000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    found = list(check_use(turning, Aim(people=199)))
    assert [finding.code for finding in found] == ["too_few_asked", "share_imprecise"]
    assert "about 99 people" in found[0].message
    assert [finding.code for finding in check_use(turning, Aim(people=200))] == ["share_imprecise"]


def test_a_number_known_within_more_than_a_quarter_of_its_range_needs_a_reason() -> None:
    for people, codes in ((100, []), (2000, [])):
        made = survey_of(number_part())
        found = [finding.code for finding in check_use(made, Aim(people=people))]
        assert found == codes
    weak = number_part()
    weak["questions"] = [NUMBER | {"number": NUMBER["number"] | {"epsilon": 0.1}}]
    (finding,) = check_use(survey_of(weak), Aim(people=400))
    assert (finding.code, finding.level) == ("share_imprecise", Level.REFUSE)


def test_two_questions_that_nobody_is_asked_both_of_find_nothing() -> None:
    parts = [protected("b", yes_no("a"), p=6000), protected("d", yes_no("c"), p=6000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    (finding,) = check_use(turning, Aim(people=100_000, wanted=("a", "c")))
    assert (finding.code, finding.level) == ("difference_missed", Level.REFUSE)


def test_where_nothing_is_disguised_nothing_is_asked() -> None:
    plain = {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}
    assert not list(check_use(survey_of(unprotected("o", plain)), None))


def test_the_remedy_names_so_many_people_as_are_enough() -> None:
    (finding,) = check_use(TWO, Aim(people=100, wanted=("a",)))
    assert "expect 267 answers" in finding.remedy
    assert use_of(TWO.design, Aim(people=266, wanted=("a",))).half_widths["a"] > 0.10
    assert use_of(TWO.design, Aim(people=267, wanted=("a",))).half_widths["a"] <= 0.10


def test_a_starred_number_has_the_rank_of_a_starred_share() -> None:
    weak = number_part()
    weak["questions"] = [NUMBER | {"number": NUMBER["number"] | {"epsilon": 1}}]
    made = survey_of(weak, protected("b", yes_no("a"), p=6000))
    # Where no one stars the number, it is enough that it is within a quarter of its range.
    assert [each.path for each in check_use(made, Aim(people=300, wanted=("a",)))] == []
    (finding,) = check_use(made, Aim(people=300, wanted=("hours",)))
    assert (finding.code, finding.level, finding.path) == (
        "share_imprecise",
        Level.WARN,
        "blocks[0].questions[0]",
    )


def test_a_live_survey_that_finds_nothing_takes_a_reason_which_is_kept() -> None:
    survey = survey_import(document_of(protected("b", yes_no("a"), p=500)), by="ana")
    survey.aim = Aim(people=100).to_json()
    survey.save()
    with pytest.raises(DefinitionError, match="known only within"):
        survey_publish(survey, by="ana", now=timezone.now())
    version = survey_publish(survey, by="ana", now=timezone.now(), reason="To try the wording in the field.")
    assert [one["code"] for one in version.override.findings] == ["share_imprecise"]
    assert Aim.from_json(version.aim) == Aim(people=100)


def test_a_survey_of_a_program_is_published_with_a_warning_alone() -> None:
    survey = survey_import(document_of(protected("b", yes_no("a"), p=500)), by="ana")
    assert survey_publish(survey, by="ana", now=timezone.now()).aim is None


def findings() -> Iterator[dict[str, str]]:
    bold = document_of(protected("a", *(yes_no(f"q{n}") for n in range(9)), p=9000), slug="bold")
    for document in (bold, definition("light", light=True)):
        survey = survey_import(document, by="alice")
        checked = draft_read(survey).definition
        assert checked is not None
        yield from (one.to_json() for one in check_draft(survey, checked))


def test_each_finding_stays_with_its_weight_and_place_and_loses_its_greek_letters() -> None:
    given = list(findings())
    assert any(for_experts_in(f"{one['message']} {one['remedy']}") for one in given)
    for one in given:
        plain = plain_finding(one)
        assert for_experts_in(f"{plain['message']} {plain['remedy']}") == [], one["code"]
        assert {**plain, "message": "", "remedy": ""} == {**one, "message": "", "remedy": ""}


def test_what_is_plain_already_stays_as_it_is() -> None:
    one = {"code": "people_unknown", "message": "nobody said how many", "remedy": "say how many people"}
    assert plain_finding(one) == one


@pytest.mark.parametrize("remedy", ["set p to at most 60%", "its θ", "把 p 设为至多 60%"])
def test_a_remedy_alone_can_be_for_experts(remedy: str) -> None:
    plain = plain_finding({"code": "question_odds", "message": "one answer tells much", "remedy": remedy})
    assert plain["remedy"].startswith("choose a stronger protection")
