"""Checks in the draft, when publishing, on the page, and on the command line."""

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from privacy.planning.use import use_of
from privacy.risk.budget import budget
from privacy.risk.prior import independent
from privacy.risk.reidentification import reidentification
from privacy.risk.row_distribution import row_distribution
from privacy.survey.booklets import Booklet, Rotation
from privacy.survey.design import Block, Condition, Design, GroupPolicy
from surveys.authoring.problem_places import place_of
from surveys.authoring.publish import survey_import, survey_publish
from surveys.models import AuditEvent, PublishOverride, Survey
from surveys.policy import MOST_COMPARED
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks import check
from surveys.questionnaire.checks.ceilings import site_ceilings
from surveys.questionnaire.checks.check import check_definition, check_draft, check_rotating, check_use
from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.document import DefinitionError, Finding, Level, plain_finding
from surveys.questionnaire.draft_reading import COMPOSITE, TEMPLATES, draft_read
from surveys.questionnaire.schedule import series_of, waves_of
from surveys.questionnaire.use_words import gap_sentences, item_names
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
from tests.fixtures.planned_drafts import NUMBER, number_part
from tests.fixtures.rotating_drafts import rotating_document
from tests.fixtures.runs import definition
from tests.site.test_plain_pages import for_experts_in
from tests.vectors.designs import opened, shielded
from tests.vectors.designs import yes_no as question

pytestmark = pytest.mark.django_db

BIG = protected("b", *(yes_no(f"q{n}") for n in range(10)))
REASON = "The board asked for all ten in one part."


def test_the_shipped_ceilings_equal_those_used_in_these_tests() -> None:
    assert site_ceilings() == CEILINGS


@pytest.mark.parametrize("name", ["marriage", *(f"templates/{name}" for name in TEMPLATES)])
def test_the_demonstration_and_templates_pass_the_shipped_ceilings(name: str) -> None:
    found = check_definition(definition_parse(shipped_definition(name)), ceilings=CEILINGS)
    assert [(one.code, one.level) for one in found if one.code != "slips"] == [("people_unknown", Level.WARN)]
    # Lists of acts multiply careless answers, whatever they ask.
    composite = name.removeprefix("templates/") in COMPOSITE
    assert any(one.code == "slips" for one in found) == composite


def test_checks_never_refuse_practice_surveys() -> None:
    found = findings_of(BIG, practice=True)
    assert "block_epsilon" in {one.code for one in found}
    assert not any(one.is_refusal for one in found)


def test_refusals_come_before_warnings() -> None:
    found = findings_of(protected("a", yes_no("q", text={"en": "How old are you?"})), BIG)
    assert [one.is_refusal for one in found] == sorted((one.is_refusal for one in found), reverse=True)
    assert len(found) > 1


def test_refused_drafts_cannot_be_published_without_a_reason() -> None:
    survey = survey_import(document_of(BIG), by="ana")
    with pytest.raises(DefinitionError) as refusal:
        survey_publish(survey, by="ana", now=timezone.now(), reason=" … \u200b ", is_readable_seen=True)
    assert "blocks[0]: part “b”" in str(refusal.value)
    assert "written reason" in str(refusal.value)
    survey.refresh_from_db()
    assert survey.state == Survey.State.DRAFT


def test_the_override_reason_is_stored_with_the_version_and_logged() -> None:
    survey = survey_import(document_of(BIG), by="ana")
    version = survey_publish(
        survey, by="ana", now=timezone.now(), reason=f" {REASON} ", is_readable_seen=True
    )
    kept = version.override
    assert (kept.reason, kept.by) == (REASON, "ana")
    assert kept.findings[0]["code"] == "block_epsilon"
    event = AuditEvent.objects.get(action="survey_publish_override")
    assert event.detail["reason"] == REASON


def test_unneeded_publishing_reasons_are_not_stored() -> None:
    survey = survey_import(document_of(protected("b", yes_no("lie"))), by="ana")
    survey_publish(survey, by="ana", now=timezone.now(), reason=REASON, is_readable_seen=True)
    assert not PublishOverride.objects.exists()


def test_waves_of_a_series_add_up_and_exceed_the_ceiling() -> None:
    three = protected("b", *(yes_no(f"q{n}") for n in range(3)))
    # 3 ln 9 = 6.59: the waves that are not published yet count, too.
    first = survey_import(document_of(three, slug="wave-1", series="panel", waves=3), by="ana")
    with pytest.raises(DefinitionError, match=r"wave 2 \(2\.20\), wave 3 \(2\.20\)"):
        survey_publish(first, by="ana", now=timezone.now(), is_readable_seen=True)
    for slug in ("wave-1", "wave-2"):
        survey = survey_import(document_of(three, slug=slug, series="panel", waves=3), by="ana")
        survey_publish(survey, by="ana", now=timezone.now(), reason=REASON, is_readable_seen=True)
        assert series_of(survey) == "panel"
    third = survey_import(document_of(three, slug="wave-3", series="panel", waves=3), by="ana")
    with pytest.raises(DefinitionError, match=r"wave-1 \(2\.20\), wave-2 \(2\.20\)"):
        survey_publish(third, by="ana", now=timezone.now(), is_readable_seen=True)
    others = survey_import(document_of(three, slug="wave-3"), by="ana")
    survey_publish(others, by="ana", now=timezone.now(), is_readable_seen=True)
    assert [wave.slug for wave in waves_of("panel")] == ["wave-1", "wave-2"]


def test_versions_of_a_survey_count_as_one_wave_and_practice_surveys_as_none() -> None:
    small, large = protected("b", yes_no("lie")), protected("b", yes_no("lie"), yes_no("steal"))
    for blocks in ((large,), (small,)):
        survey = survey_import(document_of(*blocks, slug="wave-1", series="panel", waves=2), by="ana")
        version = survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    practice = survey_import(document_of(large, slug="try", series="panel", practice=True), by="ana")
    survey_publish(practice, by="ana", now=timezone.now(), is_readable_seen=True)
    (wave,) = waves_of("panel")
    # The larger version counts, ln(1 + 4), although the smaller one is current.
    assert wave.epsilon == pytest.approx(1.6094379)
    assert budget(version.to_design()).epsilon < wave.epsilon
    assert waves_of("") == ()


def test_the_builder_receives_all_findings(admin_client: Client) -> None:
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
    assert f'<a href="/en/staff/surveys/{survey.slug}/plan">plan the survey' in text
    refused = admin_client.post(address, {"revision": survey.revision, "readable": "on"})
    assert refused.status_code == 422
    assert not survey.versions.exists()
    admin_client.post(address, {"revision": survey.revision, "reason": REASON, "readable": "on"})
    assert survey.versions.get().override.reason == REASON


def test_the_publish_command_requires_a_reason() -> None:
    survey_import(document_of(BIG), by="ana")
    with pytest.raises(CommandError, match="written reason"):
        call_command("publish", "checked", "--readable-seen")
    call_command("publish", "checked", "--readable-seen", "--reason", REASON, stdout=StringIO())
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
def test_invalid_series_known_and_exclusive_values_are_reported_by_path(
    changes: dict[str, object], path: str
) -> None:
    problems = definition_read({**document_of(BIG), **changes}).problems
    assert [problem.path for problem in problems] == [path]


def test_the_documented_finding_codes_match_the_code() -> None:
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
    assert documented <= given | set(check._CODES.values())
    assert len(documented) > 20


TWO = survey_of(protected("b", yes_no("a"), yes_no("c"), p=6000))


def said(aim: Aim | None) -> list[tuple[str, Level]]:
    return [(finding.code, finding.level) for finding in check_use(TWO, aim)]


def test_an_unknown_sample_size_causes_only_a_warning() -> None:
    assert said(None) == [("people_unknown", Level.WARN)]
    assert [finding.remedy for finding in check_use(TWO, None)] == ["plan the survey"]


@pytest.mark.parametrize(
    ("people", "found"),
    [
        # 1.96 / (2 .6 sqrt n) is 10 points for 267 people and 25 for 43; below 100, nothing is shown.
        (267, []),
        (266, [("share_imprecise", Level.WARN)]),
        (100, [("share_imprecise", Level.WARN)]),
        (99, [("too_few_asked", Level.REFUSE), ("share_imprecise", Level.WARN)]),
        (42, [("too_few_asked", Level.REFUSE), ("share_imprecise", Level.REFUSE)]),
    ],
)
def test_the_precision_of_a_starred_share_is_checked_at_both_limits(
    people: int, found: list[tuple[str, Level]]
) -> None:
    assert said(Aim(people=people, wanted=("a",))) == found
    assert said(Aim(people=people)) == found


def test_the_power_for_a_starred_difference_is_checked_at_both_limits() -> None:
    even = {"a": 5000, "c": 5000}
    codes = {n: said(Aim(people=n, wanted=("a", "c"), shares=even)) for n in (60, 80, 230, 250)}
    few = [("too_few_asked", Level.REFUSE)]
    assert codes[250] == []
    assert codes[230] == [("difference_missed", Level.WARN)]
    assert codes[80] == [*few, ("difference_missed", Level.WARN)]
    assert codes[60] == [*few, ("difference_missed", Level.REFUSE)]
    # Without guesses, 20% are assumed: at 145 people the power is .302, at 600 it is .805.
    assumed = {n: said(Aim(people=n, wanted=("a", "c"))) for n in (130, 150, 580, 600)}
    assert assumed[130] == [("difference_missed", Level.REFUSE)]
    assert assumed[150] == assumed[580] == [("difference_missed", Level.WARN)]
    assert assumed[600] == []


def test_questions_with_the_same_problem_share_one_finding() -> None:
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


def test_too_few_respondents_for_a_place_are_refused() -> None:
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


def test_uninformative_questions_need_a_reason_even_if_not_starred() -> None:
    mixed = survey_of(protected("b", yes_no("a"), p=8000), protected("d", yes_no("c"), p=500))
    for wanted in ("a", "c"):
        (finding,) = check_use(mixed, Aim(people=400, wanted=(wanted,)))
        assert (finding.code, finding.level) == ("share_imprecise", Level.REFUSE)
        assert finding.path == "blocks[1].questions[0]"


def test_a_question_asked_of_fewer_than_100_people_needs_a_reason() -> None:
    parts = [protected("b", yes_no("a"), p=6000), protected("d", yes_no("c"), p=6000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    found = list(check_use(turning, Aim(people=199)))
    assert [finding.code for finding in found] == ["too_few_asked", "share_imprecise"]
    assert "about 99 people" in found[0].message
    assert [finding.code for finding in check_use(turning, Aim(people=200))] == ["share_imprecise"]


def test_a_number_less_precise_than_a_quarter_of_its_range_needs_a_reason() -> None:
    for people, codes in ((100, []), (2000, [])):
        made = survey_of(number_part())
        found = [finding.code for finding in check_use(made, Aim(people=people))]
        assert found == codes
    weak = number_part()
    weak["questions"] = [NUMBER | {"number": NUMBER["number"] | {"epsilon": 0.1}}]
    made = survey_of(weak, protected("b", yes_no("a"), p=600), protected("c", yes_no("c"), p=900))
    shares, number = check_use(made, Aim(people=400))
    assert (number.code, number.level) == ("share_imprecise", Level.REFUSE)
    # Shares are in points, from the least width to the largest; a number is in its own unit.
    assert shares.message.endswith("“Did you ever c?” will be known only within ±54.5 to ±81.7 points")
    assert re.fullmatch(r"“How many hours\?” will be known only within ±\d+", number.message)
    gaps = gap_sentences(use_of(made.design, Aim(people=400)), item_names(made))
    assert gaps == [f"{each.message}." for each in (shares, number)]


def test_questions_never_asked_together_cannot_be_compared() -> None:
    parts = [protected("b", yes_no("a"), p=6000), protected("d", yes_no("c"), p=6000)]
    turning = survey_of(*parts, rotations=[{"blocks": ["b", "d"], "parts_per_person": 1}])
    (finding,) = check_use(turning, Aim(people=100_000, wanted=("a", "c")))
    assert (finding.code, finding.level) == ("difference_missed", Level.REFUSE)


def test_surveys_without_disguises_need_no_sample_size() -> None:
    plain = {"key": "job", "kind": "yes_no", "text": {"en": "Have you a job?"}}
    assert not list(check_use(survey_of(unprotected("o", plain)), None))


def test_the_remedy_gives_the_smallest_sufficient_number_of_people() -> None:
    (finding,) = check_use(TWO, Aim(people=100, wanted=("a",)))
    assert "expect 267 answers" in finding.remedy
    assert use_of(TWO.design, Aim(people=266, wanted=("a",))).half_widths["a"] > 0.10
    assert use_of(TWO.design, Aim(people=267, wanted=("a",))).half_widths["a"] <= 0.10


def test_a_starred_number_is_checked_like_a_starred_share() -> None:
    weak = number_part()
    weak["questions"] = [NUMBER | {"number": NUMBER["number"] | {"epsilon": 1}}]
    made = survey_of(weak, protected("b", yes_no("a"), p=6000))
    # A number without a star only needs to be within a quarter of its range.
    assert [each.path for each in check_use(made, Aim(people=300, wanted=("a",)))] == []
    (finding,) = check_use(made, Aim(people=300, wanted=("hours",)))
    assert (finding.code, finding.level, finding.path) == (
        "share_imprecise",
        Level.WARN,
        "blocks[0].questions[0]",
    )


def test_publishing_an_uninformative_survey_stores_the_reason() -> None:
    survey = survey_import(document_of(protected("b", yes_no("a"), p=500)), by="ana")
    survey.aim = Aim(people=100).to_json()
    survey.save()
    with pytest.raises(DefinitionError, match="known only within"):
        survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True)
    version = survey_publish(
        survey, by="ana", now=timezone.now(), reason="To try the wording in the field.", is_readable_seen=True
    )
    assert [one["code"] for one in version.override.findings] == ["share_imprecise"]
    assert Aim.from_json(version.aim) == Aim(people=100)


def test_surveys_imported_without_an_aim_publish_with_only_a_warning() -> None:
    survey = survey_import(document_of(protected("b", yes_no("a"), p=500)), by="ana")
    assert survey_publish(survey, by="ana", now=timezone.now(), is_readable_seen=True).aim is None


def findings() -> Iterator[dict[str, str]]:
    bold = document_of(protected("a", *(yes_no(f"q{n}") for n in range(9)), p=9000), slug="bold")
    for document in (bold, definition("light", light=True)):
        survey = survey_import(document, by="alice")
        checked = draft_read(survey).definition
        assert checked is not None
        yield from (one.to_json() for one in check_draft(survey, checked))


def test_plain_findings_keep_level_and_place_and_drop_greek_letters() -> None:
    given = list(findings())
    assert any(for_experts_in(f"{one['message']} {one['remedy']}") for one in given)
    for one in given:
        plain = plain_finding(one)
        assert for_experts_in(f"{plain['message']} {plain['remedy']}") == [], one["code"]
        assert {**plain, "message": "", "remedy": ""} == {**one, "message": "", "remedy": ""}


def test_plain_findings_are_left_unchanged() -> None:
    one = {"code": "people_unknown", "message": "nobody said how many", "remedy": "say how many people"}
    assert plain_finding(one) == one


@pytest.mark.parametrize("remedy", ["set p to at most 60%", "its θ", "把 p 设为至多 60%"])
def test_a_remedy_alone_can_be_made_plain(remedy: str) -> None:
    plain = plain_finding({"code": "question_odds", "message": "one answer tells much", "remedy": remedy})
    assert plain["remedy"].startswith("choose a stronger protection")


P = 5439  # e^3 with four questions: p / (1 - p) = (e^3 - 1) / 16


def part(
    total: int,
    asked: int | None,
    *,
    key: str = "b",
    p: int = P,
    theta: int = 5000,
    booklets: tuple[Booklet, ...] | None = None,
    asked_if: Condition | None = None,
) -> Block:
    block = shielded(key, p, *(question(f"{key}{n}", theta) for n in range(total)), asked_if=asked_if)
    return replace(block, questions_per_person=asked, booklets=booklets)


def design_of(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> Design:
    return Design(blocks=blocks, group=GroupPolicy(), use="live", rotations=rotations)


def found_in(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> dict[str, Finding]:
    findings = list(check_rotating(design_of(*blocks, rotations=rotations), {"b": "Lying"}, people=1000))
    assert all(one.level is Level.WARN for one in findings)
    return {one.code: one for one in findings}


def test_designs_without_rotation_have_no_rotation_findings() -> None:
    assert found_in(part(10, None)) == {}


def test_four_of_ten_balanced_questions_cause_no_finding() -> None:
    # Any two of ten questions are in two of fifteen sets, so 133 of 1,000 people are asked both.
    assert {one.code for one in found_in(part(10, 4)).values()} == set()


def test_unique_question_sets_are_reported_with_a_limit() -> None:
    found = found_in(part(20, 5))["own_combination"]
    assert "of 1,000 people, about 938 would have" in found.message
    assert "up to 434 combinations" in found.remedy
    opened_too = found_in(opened("you", *(question(f"o{n}") for n in range(6))), part(10, 4))
    assert "of 1,000 people, about 928" in opened_too["own_combination"].message


def test_the_ceiling_counts_the_most_revealing_rotating_blocks() -> None:
    definition = definition_parse(rotating_document())
    # The ten questions have ε 3.00, and two of the three short parts ε .69 each.
    assert round(budget(definition.design).epsilon, 2) == 4.39
    (survey,) = [
        one for one in check_definition(definition, ceilings=CEILINGS) if one.code == "survey_epsilon"
    ]
    assert "(“ten” 3.00, “home” 0.69, “work” 0.69) can together reveal up to ε 4.39" in survey.message


def test_findings_locate_problems_in_the_builders_own_words() -> None:
    document = rotating_document()
    document["blocks"].insert(
        0, unprotected("you", {"key": "city", "kind": "yes_no", "text": {"en": "City?"}})
    )
    document["blocks"][2]["asked_if"] = {"question": "city", "options": ["yes"]}
    found = {one.code: one.path for one in check_definition(definition_parse(document), ceilings=CEILINGS)}
    assert found["rotation_routed"] == "rotations[0]"
    assert place_of(found["rotation_routed"], document)


def test_balanced_pairs_need_no_more_booklets() -> None:
    """A projective plane of seven points: three questions each, and any two in one of seven sets."""
    lines = tuple(sorted(tuple(sorted((start + step) % 7 for step in (0, 1, 3))) for start in range(7)))
    found = found_in(part(7, 3, booklets=lines))
    assert {"own_combination", "few_together"}.isdisjoint(found)
    assert "28 of the 35 sets of three" in found["never_together"].message
    assert set(itertools.chain.from_iterable(lines)) == set(range(7))


def test_unlikely_expected_prevalences_trigger_a_warning_naming_the_worst() -> None:
    # With ten items of prevalence .1 and p = theta = 1/2, 73.6% of true rows are recognised.
    asked = [yes_no(f"q{n}", prevalence=1000) for n in range(9)] + [yes_no("rare", prevalence=800)]
    (found,) = [one for one in findings_of(protected("b", *asked)) if one.code == "far_from_expected"]
    assert found.level is Level.WARN
    assert found.path == "blocks[0].questions[9]"
    block = survey_of(protected("b", *asked)).design.blocks[0]
    prevalence = {question["key"]: question["prevalence"] for question in asked}
    share = reidentification(row_distribution(independent(block, prevalence))).truthful[-1]
    assert f"{100 * share:.0f} of 100" in found.message
    assert "rare" in found.message


def test_the_suggested_p_is_the_largest_that_passes() -> None:
    asked = [yes_no(f"q{n}", prevalence=500) for n in range(6)]
    (found,) = [one for one in findings_of(protected("b", *asked, p=3000)) if one.code == "far_from_expected"]
    share = float(re.fullmatch(r"set p to at most (.*)%, or ask fewer .*", found.remedy)[1])  # type: ignore[index]
    for p, passes in ((round(100 * share), True), (round(100 * share) + 1, False)):
        codes = [one.code for one in findings_of(protected("b", *asked, p=p))]
        assert ("far_from_expected" not in codes) is passes
    (one,) = [one for one in findings_of(protected("b", asked[0], p=9990)) if one.code == "far_from_expected"]
    assert "because random answers to q0 are not as common as" in one.message


def choose(key: str, options: int) -> dict[str, object]:
    return {
        "key": key,
        "kind": "single",
        "text": {"en": "Which?"},
        "options": [{"key": f"o{n}", "text": {"en": str(n)}} for n in range(options)],
    }


def test_open_questions_that_make_many_respondents_unique_trigger_a_warning() -> None:
    you = unprotected("you", choose("a", 20), choose("b", 20), choose("c", 10))
    (found,) = findings_of(you, protected("b1", yes_no("lie")), aim=Aim(people=1000))
    # 1000 (1 - 1/4000)^999 = 779.
    assert (found.code, found.level) == ("unique_open", Level.WARN)
    assert "(“Which?”) have 4,000 combinations" in found.message
    assert "of 1,000 people, about 779" in found.message
    assert "answers directly" not in found.message
    # 1000 (1 - 1/C)^999 is at most 50 up to C = 333.
    assert "up to 333 combinations" in found.remedy
    (found,) = findings_of(
        you, protected("b1", yes_no("lie")), group={"policy": "choice"}, aim=Aim(people=1000)
    )
    assert "answers directly" in found.message


def test_a_few_coarse_open_questions_pass() -> None:
    you = unprotected("you", choose("a", 5), choose("b", 5))
    assert findings_of(you, protected("b1", yes_no("lie"))) == []


def test_too_many_random_answers_are_reported_and_not_compared() -> None:
    """The limit comes first: with one more question, nothing is compared, however unlikely."""

    asked = [yes_no(f"q{n}", prevalence=1000) for n in range(MOST_COMPARED + 1)]
    blocks = [protected(f"b{n}", *asked[n : n + 10]) for n in range(0, MOST_COMPARED + 1, 10)]

    codes = [one.code for one in findings_of(*blocks[:-1])]
    assert codes.count("far_from_expected") == MOST_COMPARED / 10
    assert "not_compared" not in codes
    found = findings_of(*blocks)
    assert "far_from_expected" not in [one.code for one in found]
    (told,) = [one for one in found if one.code == "not_compared"]
    assert (told.level, told.path) == (Level.WARN, "")
    assert (
        f"draws {MOST_COMPARED + 1} independently, and at most {MOST_COMPARED} can be compared"
        in told.message
    )


def test_a_single_choice_counts_once_and_a_multiple_choice_per_option() -> None:
    def codes(kind: str) -> list[str]:
        shares = [1000] * 10
        asked = [
            {**choose(f"q{n}", 10), "kind": kind, "prevalence": shares, "unrelated": shares}
            for n in range(MOST_COMPARED // 10 + 1)
        ]
        return [one.code for one in findings_of(protected("b", *asked, p=1000))]

    assert "not_compared" not in codes("single")
    assert "not_compared" in codes("multi")
