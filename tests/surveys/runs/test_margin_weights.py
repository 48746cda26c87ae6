"""Did it help? with weights, means of numbers, and rotating questions."""

import csv
import io
import json
import random
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from django.test import Client

from privacy.estimation.composed_parts import Part, Side
from privacy.estimation.margins import margin_of
from privacy.estimation.withheld import NOTHING
from privacy.scales.decoded_numbers import MEAN
from privacy.survey.block import SKIPPED
from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.questionnaire.ready_parts import ready_parts
from surveys.report.opened_run import OpenedRun
from surveys.report.results.arm_effects import arms_of
from surveys.report.results.stated_margins import margins_of
from surveys.runs.arm_results import arm_results
from surveys.runs.comparisons import compare_sides
from surveys.runs.margin_weights import cell_weights
from surveys.runs.releasable_rows import releasable_rows
from surveys.runs.snapshot import batches_of
from tests.fixtures.api_clients import asked, program_of
from tests.fixtures.checked_surveys import protected, unprotected, yes_no
from tests.fixtures.scenes import scene
from tests.fixtures.staff import member
from tests.surveys.report.results.test_arm_effects import definition, in_english, page, run_of
from tests.surveys.runs.test_regression import DESIGN, rows_of, table

pytestmark = pytest.mark.django_db
HALVES = {"city": {"no": 0.5, "yes": 0.5}}
MARGINS = quote("city:no=0.5,yes=0.5")


def in_city(share: float = 0.7, hours: tuple[int, int] = (2, 5)) -> Any:
    def answers(arm: int, rng: random.Random) -> dict[str, Any]:
        skipped = rng.random() < 0.2
        return {
            # One in twenty leaves it empty, and has no weight.
            "you": {} if rng.random() < 0.05 else {"city": int(rng.random() < share)},
            "work": SKIPPED if skipped else {"hours": min(max(hours[arm] + rng.randint(-2, 2), 0), 7)},
        }

    return answers


def numbers(**more: Any) -> list[dict[str, Any]]:
    """Return blocks for the arm, the city, a skippable number, and two questions."""
    told, both = definition()["blocks"]
    city = {key: value for key, value in yes_no("city").items() if key not in ("unrelated", "prevalence")}
    number = {
        "key": "hours",
        "kind": "number",
        "text": {"en": "How many hours?"},
        "number": {"mechanism": "keep", "epsilon": 3, "low": 0, "high": 7, "bin": 1},
    }
    work = protected("work", number, refusal=2000)
    del work["truth_probability"]
    return [told, unprotected("you", city), work, both | more]


def run_with(n: int = 900, *, more: Any = None, **changes: Any) -> Run:
    return run_of(n, more=more or in_city(), blocks=numbers(), **changes)


@scene(lambda pk: Run.objects.get(pk=pk))
def usual() -> Run:
    return run_with()


def number_of(run: Run, key: str) -> int:
    return next(at for at, question in enumerate(run.design.questions) if question.key == key)


@pytest.mark.soak
def test_weighted_shares_and_means_match_the_weighted_comparison() -> None:
    run = usual()
    margins = margins_of(HALVES, run.design)
    found = arm_results(run, "told", margins)
    arm = Side(items=(run.design.item("told=long").index,))
    assert len(found.outcomes) == 3
    assert sum(found.rows) == 900
    for place, outcome in enumerate(found.outcomes):
        one = compare_sides(run, arm, outcome, margins)
        assert found.effects.shares[:, place] == pytest.approx([one.others.value, one.having.value])
        errors = [one.others.standard_error, one.having.standard_error]
        assert found.effects.errors[:, place] == pytest.approx(errors)
        plain = compare_sides(run, arm, outcome)
        assert found.unweighted is not None
        assert found.unweighted.shares[:, place] == pytest.approx([plain.others.value, plain.having.value])
        assert found.unweighted.errors[1, place] == pytest.approx(plain.having.standard_error)
    # Unequal weights make estimates less precise: 7 in 10 people live in a city, and the target is 5.
    effect = found.design_effect(1, 1)
    assert effect is not None
    assert 1.05 < effect < 1.4


@pytest.mark.soak
def test_a_simulated_difference_of_three_hours_is_found(client: Client) -> None:
    run = usual()
    found = arm_results(run, "told")
    place = found.outcomes.index(Side(parts=(Part(question=number_of(run, "hours"), target=MEAN),)))
    gap, error = 7 * found.effects.differences[0, place], 7 * found.effects.difference_errors[0, place]
    # The range cuts some values, so the difference from 2 to 5 is only 2.8 on average.
    assert abs(gap - 2.8) < 5 * error < 2
    html = page(client, run)
    assert "hours: on average" in html
    assert "Averages are shown as a percentage of the number’s range." in html
    opened = OpenedRun(run, labels_of(run.version, run.design))
    record = next(each for each in list(arms_of(opened, "told").records())[-3:] if each["mean"])
    assert record["difference"] == pytest.approx(gap)
    assert record["standard_error"] == pytest.approx(7 * found.effects.errors[1, place])
    assert record["mean"] == pytest.approx(7 * found.effects.shares[1, place])
    assert record["share"] is None
    assert f'<td class="num">{gap:.1f} (' in html


def test_a_number_sentence_states_whether_people_report_less_as_expected(client: Client) -> None:
    told, _city, work, _both = numbers()
    work["questions"][0]["number"]["epsilon"] = 1.5

    def more(_arm: int, rng: random.Random) -> dict[str, Any]:
        return {"work": {"hours": 2 + rng.getrandbits(1)}}

    run = run_of(
        900,
        more=more,
        blocks=[told, work],
        wanted=(),
        expected={"hours": "deny"},
        group={"policy": "assigned", "direct_share": 5000, "light": True},
    )
    results = arm_results(run, "group")
    opened = OpenedRun(run, labels_of(run.version, run.design))
    text = arms_of(opened, "group")
    assert [answer.expected for answer in text.rows] == ["people would rather say less"]
    # Change the figures so that lightly disguised people report two hours less.
    effects = replace(results.effects, differences=results.effects.differences - 2 / 7, adjusted=(1e-6,))
    said = replace(text, results=replace(results, effects=effects)).sentence
    assert said.endswith("This is expected if people report less when they feel watched.")
    effects = replace(effects, differences=results.effects.differences + 2 / 7)
    said = replace(text, results=replace(results, effects=effects)).sentence
    assert said.endswith("This is the opposite of the recorded expectation.")


def test_differences_in_averages_state_their_direction(client: Client) -> None:
    # Copying is equal in both arms, so the sentence is about the hours.
    run = run_of(700, shy=0.0, more=in_city(hours=(6, 1)), blocks=numbers(), wanted=())
    html = page(client, run)
    assert "With “long”, “How many hours?” on average is" in html
    assert "lower than with “short”" in html
    alike = run_of(700, more=in_city(hours=(3, 3)), blocks=numbers()[:3], wanted=(), slug="alike")
    html = page(client, alike)
    assert "in “How many hours?” on average between “long” and “short” is ruled out." in html
    assert "No difference" not in html


@pytest.mark.soak
def test_rotating_questions_are_estimated_from_respondents_who_drew_them(client: Client) -> None:
    told, both = definition()["blocks"]
    third = yes_no("lent")
    both["questions"].append(third)
    blocks = [told, both | {"questions_per_person": 1}]

    def more(_arm: int, rng: random.Random) -> dict[str, Any]:
        return {}

    run = run_of(1_800, more=more, blocks=blocks)
    found = arm_results(run, "told")
    arm, rows = (
        run.design.item("told=long").index,
        releasable_rows(run.version, batches_of(run), withheld=NOTHING),
    )
    for place, outcome in enumerate(found.outcomes):
        (item,) = outcome.items
        drew = (arm, run.design.asked_column(run.design.items[item].question))
        counts = rows.count_cache.need([drew, (arm, item)])
        n, shown = sum(counts[drew]), sum(counts[arm, item])
        assert 200 < n < 400
        assert found.effects.shares[1, place] == pytest.approx((shown / n - 0.4 / 2) / 0.6)
        assert found.effects.errors[1, place] == pytest.approx((shown / n * (1 - shown / n) / n) ** 0.5 / 0.6)
    assert abs(found.effects.differences[0, 0] - 0.3) < 5 * found.effects.difference_errors[0, 0]
    # With 1,800 people, each arm has 900 and each question 300; with 450, each question has 75, too few.
    few = run_of(450, more=more, blocks=blocks, slug="few")
    with pytest.raises(SurveyError) as refused:
        arm_results(few, "told")
    assert refused.value.code == "too_few"


@pytest.mark.parametrize("share", [0.15, 0.985], ids=["few", "all but few"])
def test_a_question_with_too_few_asked_or_unasked_people_is_omitted_and_named(
    client: Client, share: float
) -> None:
    told, both = definition()["blocks"]
    city = {key: value for key, value in yes_no("city").items() if key not in ("unrelated", "prevalence")}
    rare = protected("rare", yes_no("stole"), asked_if={"question": "city", "options": ["yes"]})

    def more(_arm: int, rng: random.Random) -> dict[str, Any]:
        lives = int(rng.random() < share)
        return {"you": {"city": lives}} | ({"rare": {"stole": rng.getrandbits(1)}} if lives else {})

    strengths = {"policy": "assigned", "direct_share": 4000, "light": True}
    run = run_of(900, more=more, blocks=[told, unprotected("you", city), both, rare], group=strengths)
    found = arm_results(run, "told")
    assert [run.design.questions[number].key for number in found.left_out] == ["stole"]
    html = page(client, run)
    assert (
        "Left out because a group has too few people who were asked this, or too few who were not: stole."
        in html
    )


def test_weights_from_the_page_are_kept_in_files_and_links(client: Client) -> None:
    run = usual()
    plain, html = page(client, run), page(client, run, f"?by=arms/told&margins={MARGINS}")
    assert "Weighted to the shares" not in plain
    assert "Weighted to the shares that you entered. The variances are 1." in html
    address = f"/en/staff/runs/{run.pk}/compare/comparison"
    assert f"{address}.csv?by=arms%2Ftold&amp;margins=city" in html
    text = b"".join(client.get(f"{address}.csv?by=arms/told&margins={MARGINS}")).decode().lstrip("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["weighted"] for row in rows} == {"1"}
    assert float(rows[0]["design_effect"]) > 1
    file = json.loads(client.get(f"{address}.json?by=arms/told&margins={MARGINS}").content)
    found = arm_results(run, "told", margins_of(HALVES, run.design))
    assert [each["difference"] for each in file["outcomes"]][-2:] == found.effects.differences[0, 1:].tolist()
    program = program_of(member("ana", Role.REVIEWER))
    said = asked(program, f"runs/{run.pk}/compare/comparison.json?by=arms/told&margins={MARGINS}")
    assert said["outcomes"] == file["outcomes"]
    for wrong, code in (
        ("nonsense", "margins_file"),
        ("city:no=1", "margin_option"),
        ("city:no=0.4,yes=0.4", "shares"),
    ):
        refused = program.get(f"{address}.json?by=arms/told&margins={quote(wrong)}")
        assert (refused.status_code, refused.json()["code"]) == (422, code)


def test_invalid_population_shares_are_refused_at_their_field(client: Client) -> None:
    run = usual()
    for margins, words in (
        ("city:no=1", "has no population share"),
        ("city:no=0.5,yes=0.4", "add up to 0.9"),
        ("copied:no=0.5,yes=0.5", "protected"),
        ("nonsense", "must have 3 cells"),
    ):
        html = page(client, run, f"?by=arms/told&margins={quote(margins)}")
        assert words in html
        assert "arms-groups" not in html
        address = f"/en/staff/runs/{run.pk}/compare/comparison.json?by=arms/told&margins={quote(margins)}"
        assert client.get(address).status_code == 422


def test_a_weight_cell_too_small_within_one_arm_is_refused(client: Client) -> None:
    """150 people in a cell are enough, but two weightings could reveal the 75 in one arm."""
    run = run_with(900, more=in_city(share=0.17))
    html = page(client, run, f"?by=arms/told&margins={MARGINS}")
    assert "arms-groups" not in html
    with pytest.raises(SurveyError) as refused:
        arm_results(run, "told", margins_of(HALVES, run.design))
    assert refused.value.code == "small_cell"
    arm, copied = (Side(items=(run.design.item(key).index,)) for key in ("told=long", "copied"))
    assert 800 < compare_sides(run, arm, copied, margins_of(HALVES, run.design)).n < 900


def test_an_empty_cell_has_no_weight_and_the_others_match_the_shares() -> None:
    shares = {"nurse": {"no": 0.7, "yes": 0.3}, "age": {"young": 0.6, "middle|old": 0.4}}
    margins = [margin_of(question, of_question, DESIGN) for question, of_question in shares.items()]
    sizes = np.array([[0, 500], [0, 300], [0, 200], [0, 0]])
    # All nurses are young, so their share is .3, and those of the others are .3 and .4.
    weights = cell_weights(rows_of(table(100)[0]), sizes, margins)
    assert weights == pytest.approx(np.array([[300 / 500, 400 / 300], [300 / 200, 0]]))


def test_rotating_questions_need_enough_respondents_in_each_weight_cell() -> None:
    """Each cell has 200 people of a group, but only about 100 of them drew a question."""
    told, both = definition()["blocks"]
    _told, city, *_rest = numbers()
    open_part = protected("all", yes_no("lent"), p=6000)

    def more(arm: int, rng: random.Random) -> dict[str, Any]:
        return {"you": {"city": rng.getrandbits(1)}, "all": {"lent": rng.getrandbits(1)}}

    turns = both | {"questions_per_person": 1}
    run = run_of(780, more=more, blocks=[told, city, open_part, turns])
    plain = arm_results(run, "told")
    assert plain.left_out == ()
    found = arm_results(run, "told", margins_of(HALVES, run.design))
    assert [run.design.questions[number].key for number in found.left_out] == ["copied", "late"]
    assert len(found.outcomes) == 1


def test_weighting_by_arm_changes_no_effect() -> None:
    run = usual()
    found = arm_results(run, "told", margins_of({"told": {"short": 0.2, "long": 0.8}}, run.design))
    assert found.unweighted is not None
    assert found.effects.shares == pytest.approx(found.unweighted.shares)
    assert found.effects.errors == pytest.approx(found.unweighted.errors)


def test_anchors_are_shown_by_group_without_a_test(client: Client) -> None:
    anchors = [anchor | {"truth_probability": 6000} for anchor in in_english(ready_parts()["anchors"])]

    def more(_arm: int, rng: random.Random) -> dict[str, Any]:
        # One in ten in each arm says yes to a statement that is never true.
        return {
            "anchor-nobody": {"anchor-nobody": int(rng.random() < 0.1)},
            "anchor-everybody": {"anchor-everybody": 1},
        }

    told, both = definition()["blocks"]
    run = run_of(900, more=more, blocks=[told, both, *anchors])
    found = arm_results(run, "told")
    assert list(found.anchors.values()) == ["nobody", "everybody"]
    assert len(found.effects.p_values) == 2
    assert found.effects.joint.degrees == 2
    plain = arm_results(run_of(900, blocks=[told, both], slug="plain"), "told")
    assert plain.effects.joint.degrees == 2
    html = page(client, run)
    assert "False “yes” to “I was born on 30 February”, which applies to no one: “short” " in html
    assert "It does not judge people’s other answers." in html
    table = html[html.rindex("comparison-title") : html.index("False “yes”")]
    assert "anchor-nobody" not in table
    address = f"/en/staff/runs/{run.pk}/compare/comparison.json?by=arms/told"
    rows = json.loads(client.get(address).content)["outcomes"]
    (nobody, _other) = (row for row in rows if row["outcome"] == "anchor-nobody")
    assert nobody["p_value"] is None
    assert nobody["share"] == pytest.approx(found.effects.shares[0, 2])
