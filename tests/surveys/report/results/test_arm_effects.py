"""Did it help? The compare page of a survey with an experiment: sentence, table, files, refusals."""

import csv
import io
import json
import math
import random
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import scipy
from django.test import Client
from django.utils import timezone

from benchmarks.simulation import study_design
from privacy.coins import Coins
from privacy.estimation.arm_effects import ArmEffects, GroupSums, arm_effects
from privacy.estimation.composed_parts import Side
from privacy.printed import CHECKED
from privacy.survey.arms import draw_arms, invited_draw
from privacy.survey.design import STRENGTH
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.grouping import draw_group
from privacy.survey.layout import Layout
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.intake.codes import receipt_key
from surveys.intake.keys import mixer_ready
from surveys.models import Run
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arm_groups import ArmGroup, choices_of_arms
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.questionnaire.ready_parts import ready_parts
from surveys.report.opened_run import with_results
from surveys.report.results.arm_effects import ArmText, arms_of
from surveys.report.results.choice import item_choice
from surveys.report.results.outcomes import COLUMNS
from surveys.respondent.invitations import invitations_make, invited_by_arm
from surveys.respondent.survey_access import survey_access
from surveys.runs.arm_results import ArmResults, arm_results
from surveys.runs.comparisons import compare_sides
from tests.conftest import SOAK
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import closed, stored
from tests.fixtures.pages import open_page
from tests.fixtures.runs import SINGLES, alice, find_run, mined_run
from tests.fixtures.scenes import scene

pytestmark = pytest.mark.django_db


def definition(**changes: Any) -> dict[str, Any]:
    arm = {
        "key": "told",
        "kind": "arm",
        "options": [{"key": key, "share": 5000} for key in ("short", "long")],
    }
    return document_of(
        unprotected("told", arm),
        protected("b", yes_no("copied"), yes_no("late"), p=6000),
        **{"slug": "experiment", **changes},
    )


def in_english(value: Any) -> Any:
    if isinstance(value, list):
        return [in_english(inner) for inner in value]
    if isinstance(value, dict):
        return {key: in_english(inner) for key, inner in value.items() if key != "zh-hans"}
    return value


def nothing_more(_arm: int, _rng: random.Random) -> dict[str, Any]:
    return {}


@scene(find_run)
def run_of(
    n: int = 800,
    *,
    shy: float = 0.3,
    hidden: float = 0.0,
    lost: float = 0.0,
    more: Any = nothing_more,
    wanted: tuple[str, ...] = ("copied",),
    expected: Mapping[str, str] = MappingProxyType({}),
    **changes: Any,
) -> Run:
    """Mine a survey in which people deny copying, `shy` of them in the short arm, `hidden` if direct."""
    assert mixer_ready()
    survey = survey_import(definition(**changes), by="alice")
    decided = definition(**changes).get("invited")
    if decided:
        survey = survey_access(survey, by_invitation=True, by="alice")
    survey.aim = Aim(people=n, wanted=wanted, expected={"copied": "deny", **expected}).to_json()
    survey.save()
    version = survey_publish(
        survey, by="alice", now=timezone.now(), reason="Made for a test.", is_readable_seen=True
    )
    design, rng = version.to_design(), random.Random(5)
    layout, words = Layout(design), iter(lambda: rng.getrandbits(32), None)
    # Codes decide the arms, so random ones would fail the test of dropouts once in some hundred runs.
    below = random.Random(6).randrange
    codes = iter(invitations_make(survey, number=3 * n, by="alice", random_below=below) if decided else ())
    rows = []
    while len(rows) < n:
        coins, number = Coins(words), None
        if decided:
            digest = receipt_key(next(codes), survey=survey.slug)
            number = invited_draw(digest, survey=survey.slug, decision=decided)
        arm, *_ = draw_arms(design, coins, place=number)
        direct = design.group.policy == "assigned" and draw_group(design, coins)
        copied = int(rng.random() < (0.6 if arm else 0.6 - shy) - hidden * direct)
        if arm == 0 and rng.random() < lost:
            continue
        answers = {
            "told": {"told": arm},
            "b": {"copied": copied, "late": rng.getrandbits(1)},
            **more(arm, rng),
        }
        answers = {block.key: answers[block.key] for block in design.blocks if block.key in answers}
        drawn = draw_questions(design, coins) if design.rotates else None
        if drawn is not None:
            answers["b"] = {design.blocks[-1].questions[at].key: answers["b"]["copied"] for at in drawn[-1]}
        rows.append(layout.pack(disguise(design, answers, direct=direct, coins=coins, drawn=drawn)))
    for start in range(0, n, 500):
        stored(version, rows[start : start + 500])
    return mined_run(closed(version), SINGLES)


def page(client: Client, run: Run, query: str = "") -> str:
    client.force_login(alice())
    return open_page(client, f"/en/staff/runs/{run.pk}/compare/{query}")


@pytest.mark.soak
def test_the_plain_sentence_and_the_recorded_expectation_come_first(client: Client) -> None:
    html = page(client, run_of())
    assert html.index("Did it help?") < html.index("arms-groups")
    assert "With “long”" in html
    assert re.search(r"answered .{1,60} is \d+\.\d points higher than with", html)
    assert "Expectation recorded in advance: people would rather deny it." in html
    assert "All questions together: p &lt; .0001" in html
    assert "More people dropped out of one group" not in html
    address = f"/en/staff/runs/{Run.objects.get().pk}"
    results = client.get(f"{address}/results/").content.decode()
    assert f'<a href="{address}/compare/#comparison">Did it help?</a>' in results


@pytest.mark.soak
def test_shares_match_the_comparison_of_one_arm_with_the_others() -> None:
    run = run_of()
    found = arm_results(run, "told")
    items = {item.key: item.index for item in run.design.items}
    one = compare_sides(run, Side(items=(items["told=long"],)), Side(items=(items["copied"],)))
    assert found.effects.shares[1, 0] == pytest.approx(one.having.value)
    assert found.effects.shares[0, 0] == pytest.approx(one.others.value)
    assert found.effects.errors[1, 0] == pytest.approx(one.having.standard_error)
    low, high = found.effects.interval(1, 0)
    assert low < 0.3 < high


@pytest.mark.soak
def test_unequal_dropout_between_groups_is_reported(client: Client) -> None:
    assert "More people dropped out of one group than the other" in page(client, run_of(lost=0.3))


def test_invited_experiments_show_responses_by_group(client: Client) -> None:
    run = run_of(practice=False, invited="told")
    made = invited_by_arm(run.survey)
    rows = arm_results(run, "told").rows
    assert sum(made.values()) == 2_400
    html = page(client, run)
    assert "The invitation codes assigned people to groups" in html
    table = html[html.index('id="arms-responses"') :]
    rate = f"{100 * rows[1] / made['long']:.1f}"
    assert (
        f'<td class="num">{made["long"]:,}</td><td class="num">{rows[1]}</td><td class="num">{rate}</td>'
        in table
    )
    assert "More people dropped out of one group" not in html
    text = b"".join(client.get(f"/en/staff/runs/{run.pk}/compare/comparison.csv?by=arms/told"))
    first, *_, last = csv.DictReader(io.StringIO(text.decode().lstrip("\ufeff")))
    assert (first["invited"], first["response_difference"]) == (str(made["short"]), "")
    low, high = float(last["response_low"]), float(last["response_high"])
    assert low < float(last["response_difference"]) < high
    # A planted fault: people drop out of one arm, which invitations determine.
    assert "More people dropped out of one group" in page(
        client, run_of(lost=0.4, practice=False, invited="told", slug="other")
    )


@pytest.mark.soak
def test_without_a_difference_the_page_claims_none(client: Client) -> None:
    html = page(client, run_of(shy=0.0))
    assert re.search(r"A difference of more than \d+ points in the share of people who answered", html)
    assert "between “long” and “short” is ruled out." in html
    assert re.search(
        r"With “long”, the difference is between \d+\.\d points less and \d+\.\d points more\.", html
    )


@pytest.mark.soak
def test_strengths_and_their_cross_with_arms_are_compared_too(client: Client) -> None:
    run = run_of(group={"policy": "assigned", "direct_share": 4000, "light": True})
    assert list(choices_of_arms(run.design)) == ["told", "group", "told × group"]
    crossed = arm_results(run, "told × group")
    assert sum(crossed.rows) == 800
    assert [round(group.share, 2) for group in crossed.groups] == [0.3, 0.2, 0.3, 0.2]
    html = page(client, run, "?by=arms/group")
    assert "the strong disguise" in html
    text = arms_of(with_results(run), "group")
    effects = text.results.effects
    answers = {choice.key: outcome for outcome, choice in enumerate(text.choices)}
    assert [name for name, _added, _error in text.added_denials] == [
        text.choices[outcome].name for outcome in answers.values()
    ]
    for outcome, (_name, added, error) in zip(answers.values(), text.added_denials, strict=True):
        low, high = effects.interval(1, outcome)
        gap = -float(effects.differences[0, outcome])
        points = [f"{100 * each:.1f}".replace("-", "\N{MINUS SIGN}") for each in (gap, -high, -low)]
        assert added == f"{points[0]} points ({points[1]} to {points[2]})"
        assert error == f"{100 * effects.difference_errors[0, outcome]:.1f} points"
        assert added in html
    assert "This says nothing about denial that is common to both" in html
    assert "denial that is common" not in page(client, run, "?by=arms/told")
    assert arms_of(with_results(run), "told").added_denials == []


@pytest.mark.soak
def test_arms_named_like_a_strength_are_not_confused_with_it(client: Client) -> None:
    told, both = definition()["blocks"]
    told["questions"][0]["options"] = [{"key": "strong", "share": 5000}, {"key": "plain", "share": 5000}]
    group = {"policy": "assigned", "direct_share": 4000, "light": True}
    run = run_of(820, blocks=[told, both], group=group)
    html = page(client, run, "?by=arms/told%20%C3%97%20group")
    assert "“strong”, the strong disguise" in html
    assert "the strong disguise, the strong disguise" not in html


def undisguised(why: str) -> dict[str, Any]:
    return {**definition()["about"], "undisguised": {"en": why}}


def test_direct_and_disguised_answers_are_compared_as_an_experiment(client: Client) -> None:
    run = run_of(
        1_500,
        shy=0.0,
        hidden=0.3,
        group={"policy": "assigned", "direct_share": 5000},
        about=undisguised("To see whether protection helps."),
    )
    found = arm_results(run, "group")
    assert [group.name for group in found.groups] == ["strong", "direct"]
    assert abs(found.effects.differences[0, 0] + 0.3) < 5 * found.effects.difference_errors[0, 0]
    assert found.effects.adjusted[0] < 1e-4
    html = page(client, run, "?by=arms/group")
    assert "With no disguise" in html
    assert "This is expected if people deny it when they feel watched." in html


@pytest.mark.soak
def test_without_a_light_disguise_direct_answers_are_not_compared(client: Client) -> None:
    """Five blocks allow no light strength, so all rows have the same disguise."""
    told, both = definition()["blocks"]
    more = [protected(f"p{each}", yes_no(f"p{each}"), p=5000) for each in range(5)]

    def answers(_arm: int, rng: random.Random) -> dict[str, Any]:
        return {part["key"]: {part["key"]: rng.getrandbits(1)} for part in more}

    run = run_of(
        400,
        more=answers,
        group={"policy": "assigned", "direct_share": 5000},
        about=undisguised("To see whether protection helps."),
        blocks=[told, *more, both],
    )
    assert "no result can separate the two groups" in page(client, run, "?by=arms/group")
    assert "arms-groups" in page(client, run, "?by=arms/told")


def test_groups_of_fewer_than_100_are_hidden(client: Client) -> None:
    assert "One of the groups has too few people." in page(client, run_of(180))


def test_files_contain_each_answer_of_each_group_and_unknown_groups_are_refused(client: Client) -> None:
    run = run_of()
    address = f"/en/staff/runs/{run.pk}/compare/comparison"
    assert "“arms/nothing” cannot be chosen here." in page(client, run, "?by=arms/nothing")
    assert client.get(f"{address}.csv?by=arms/nothing").status_code == 422
    text = b"".join(client.get(f"{address}.csv?by=arms/told")).decode().lstrip("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["group"], row["outcome"]) for row in rows] == [
        ("short", "copied"),
        ("short", "late"),
        ("long", "copied"),
        ("long", "late"),
    ]
    assert set(COLUMNS) <= set(rows[0])
    assert rows[0]["difference"] == ""
    assert rows[2]["expected"] == "deny"
    arms = json.loads(client.get(f"{address}.json?by=arms/told").content)["outcomes"]
    assert arms[2]["difference"] == pytest.approx(float(rows[2]["difference"]))


@pytest.mark.soak
def test_comprehension_and_trust_are_shown_by_arm(client: Client) -> None:
    parts = in_english(ready_parts())
    blocks = definition()["blocks"]

    def more(arm: int, rng: random.Random) -> dict[str, Any]:
        return {
            "understood": {"understood": 1 if rng.random() < (0.8 if arm else 0.4) else 0},
            "trust-item": {"trust-item": rng.randrange(4)},
            "trust": {"trust": rng.randrange(3)},
        }

    run = run_of(more=more, blocks=[blocks[0], *parts["before"], blocks[1], *parts["after"]])
    results = arm_results(run, "told")
    (short, _), (long, n) = results.understanding[run.design.item("understood=nothing").index] or (
        (0, 0),
        (0, 0),
    )
    assert long / n == pytest.approx(0.8, abs=0.1)
    assert short < long
    html = page(client, run)
    assert "Understanding and trust" in html
    file = client.get(f"/en/staff/runs/{run.pk}/compare/comparison.json?by=arms/told").json()["outcomes"]
    (of_long,) = (each for each in file if (each["group"], each["outcome"]) == ("long", "understood=nothing"))
    assert (of_long["role"], of_long["share"]) == ("understanding", long / n)
    # The arm of the statement does not split the respondents.
    assert list(choices_of_arms(run.design)) == ["told"]


PLANS: tuple[tuple[tuple[int, ...], tuple[float, ...], int, float], ...] = (
    ((150, 150), (0.5, 0.5), 1, 0.3),
    ((150, 150), (0.5, 0.5), 5, 0.3),
    ((150, 150), (0.5, 0.5), 10, 0.3),
    ((100, 100, 100, 100), (0.5, 0.5, 0.5, 0.5), 5, 0.2),
    ((300, 100), (0.5, 0.8), 5, 0.1),
    ((300, 100), (0.4, 1.0), 5, 0.03),
    ((120, 120, 120), (0.7, 0.7, 0.7), 2, 0.05),
)
"""People and p of each group, questions, and the share of each answer in the first group."""

SURVEYS = 715 if SOAK else 50
"""Surveys for each of 14 settings: 700 in ./test, 10,000 with --soak."""


def drawn(plan: int, gap: float, rng: np.random.Generator) -> ArmEffects:
    """Return the figures of one survey, in which later groups give the first answer more often by `gap`."""
    sizes, truths, questions, share = PLANS[plan]
    groups = []
    for number, (n, p) in enumerate(zip(sizes, truths, strict=True)):
        shares = np.full((questions, 1), share)
        shares[0] += gap * (number > 0)
        true = rng.random((questions, n)) < shares
        sent = np.where(rng.random((questions, n)) < p, true, rng.random((questions, n)) < 0.5)
        direct = np.full(n, p > truths[0])
        groups.append(GroupSums.of(np.ones((questions, n)), (sent - (1 - p) / 2) / p, direct=direct))
    return arm_effects(groups, [[number] for number in range(questions)])


def text_of(effects: ArmEffects, by: str = "told") -> ArmText:
    """Return the text for one survey's figures."""
    groups, questions = effects.shares.shape
    labels = tuple(
        ItemLabel(
            index=at,
            key=f"q{at}",
            short=f"q{at}",
            question=f"q{at}",
            text="",
            option="",
            protected=True,
            name=f"q{at}",
        )
        for at in range(questions)
    )
    choices = tuple(item_choice(label) for label in labels)
    results = ArmResults(
        by=by,
        groups=tuple(
            ArmGroup(name=f"g{at}", share=1 / groups, items=(), direct=None) for at in range(groups)
        ),
        rows=(100,) * groups,
        share_p_value=1.0,
        outcomes=tuple(choice.side for choice in choices),
        numbers=tuple(range(questions)),
        questions=tuple((at, (at,)) for at in range(questions)),
        anchors={},
        left_out=(),
        effects=effects,
        unweighted=None,
        understanding={},
    )
    keys = tuple(label.key for label in labels)
    return ArmText(
        results=results,
        choices=choices,
        labels=Labels(items=labels),
        keys=keys,
        expected=dict.fromkeys(keys, "deny"),
        wanted=(),
        design=study_design([questions], truth_probability=5000, unrelated=5000),
        origin=CHECKED,
        forged=0,
    )


def end(effects: ArmEffects, group: int, outcome: int, alpha: float) -> float:
    """Return the half-width of a difference's interval, by a separate computation of Welch's t at alpha."""
    sizes = effects.sizes[[0, group], outcome]
    variances = effects.errors[[0, group], outcome] ** 2 * sizes / (sizes - 1)
    total = variances.sum()
    degrees = total**2 / (variances**2 / (sizes - 1)).sum() if total else np.inf
    return float(scipy.special.stdtrit(degrees, 1 - alpha / 2) * np.sqrt(total))


def verdict(said: str) -> str:
    """Return the claim of a sentence."""
    (found,) = re.findall(r"too uncertain|ruled out|higher|lower", said)
    return str(found)


def printed(points: float) -> str:
    return f"{abs(100 * points):.1f}"


@pytest.mark.soak
@pytest.mark.parametrize("gap", [0.0, 0.15])
@pytest.mark.parametrize("plan", range(len(PLANS)))
def test_sentences_agree_with_their_interval_and_the_table(plan: int, gap: float) -> None:
    rng, claims = np.random.default_rng([plan, round(100 * gap)]), 0
    for _ in range(SURVEYS):
        effects = drawn(plan, gap, rng)
        said = text_of(effects).sentence
        group, outcome = int(re.findall("“g([1-9])”", said)[0]), int(re.findall(r"“q(\d+)”", said)[0])
        value = effects.differences[group - 1, outcome]
        half = end(effects, group, outcome, 0.05 / effects.differences.size)
        low, high = value - half, value + half
        is_small = max(-low, high) < 0.3
        none = "ruled out" if is_small else "too uncertain"
        claim = "higher" if low > 0 else "lower" if high < 0 else none
        assert verdict(said) == claim
        claims += claim != none
        if claim == none:
            largest = f"more than {math.ceil(100 * max(-low, high))} points"
            assert (largest in said) == is_small
            assert f"between {printed(low)} points less and {printed(high)} points more." in said
        else:
            near, far = sorted((abs(low), abs(high)))
            assert f"{printed(value)} points {claim}" in said
            assert f"({printed(near)} to {printed(far)})" in said
            # With two groups, the table tests the same differences by Holm, so it also has a significant one.
            assert len(effects.shares) > 2 or min(effects.adjusted) < 0.05
    # Claims are false in at most 5% of surveys, so in at most 81 of 715, except with probability 1e-6.
    assert gap or claims <= scipy.stats.binom.isf(1e-6, SURVEYS, 0.06)
    assert claims or not gap


def test_expectations_are_judged_only_when_a_difference_is_found() -> None:
    rng, seen = np.random.default_rng(8), set()
    for gap in (-0.25, 0.0, 0.25):
        for _ in range(40):
            said = text_of(drawn(0, gap, rng), STRENGTH).sentence
            meaning = re.findall("This is the opposite|This is expected|Expectation recorded", said)
            seen.add((verdict(said), *meaning))
    assert seen == {
        ("lower", "This is expected"),
        ("higher", "This is the opposite"),
        ("ruled out", "Expectation recorded"),
        ("too uncertain", "Expectation recorded"),
    }
