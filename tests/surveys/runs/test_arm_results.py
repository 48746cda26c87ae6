"""Shares and means of arms, against the formula of one coin applied to counts that the test chooses."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Part, Side
from privacy.estimation.margins import margin_of
from privacy.estimation.withheld import Evidence, Withheld
from privacy.scales.decoded_numbers import MEAN
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from privacy.survey.layout import Layout, Record
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.questionnaire.arm_groups import ArmGroup
from surveys.runs import arm_results as arm_results_module
from surveys.runs.arm_results import ArmResults, arm_results
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.runs import in_ledger, requested_run
from tests.surveys.runs.test_regression import DESIGN, rows_of, table
from tests.vectors.designs import choice, live, opened, shielded
from tests.vectors.designs import yes_no as yes_or_no
from tests.vectors.scale_designs import KEEP, open_number, scale_block

pytestmark = pytest.mark.django_db

P, Q = 0.6, 0.5
ARM = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in ("short", "long")]}
OLD = {"key": "old", "kind": "yes_no", "text": {"en": "Old?"}}


def run_of(*rows: tuple[int, int, int, int, int], **changes: Any) -> Run:
    """Request a run of rows that are stated as sent: how many, old, arm, copied, late."""
    document = document_of(
        unprotected("you", OLD),
        unprotected("told", ARM),
        protected("b", yes_no("copied"), yes_no("late"), p=6000),
        **changes,
    )
    version = published(document)
    layout = Layout(version.to_design())
    packed = []
    for count, old, arm, copied, late in rows:
        answers = ((old,), (arm,), (copied, late))
        packed += [layout.pack(Record(direct=False, refused=(False,) * 3, answers=answers))] * count
    for start in range(0, len(packed), 500):
        stored(version, packed[start : start + 500])
    run = requested_run(closed(version))
    # As if the job had checked the reports.
    run.summary = {"withheld": None}
    in_ledger(run)
    return run


def share(yes: float, n: float) -> tuple[float, float]:
    """Return the estimate and its standard error: (m - (1 - p) q) / p for m of n reports."""
    seen = yes / n
    return (seen - (1 - P) * Q) / P, math.sqrt(seen * (1 - seen) / n) / P


# Of 300 and 400 people, 120 and 240 sent "copied", and 150 and 200 "late"; each is old in half of the rows.
ROWS = (
    *((30, old, 0, 1, late) for old in (0, 1) for late in (0, 1)),
    *((45, old, 0, 0, late) for old in (0, 1) for late in (0, 1)),
    *((60, old, 1, 1, late) for old in (0, 1) for late in (0, 1)),
    *((40, old, 1, 0, late) for old in (0, 1) for late in (0, 1)),
)


def test_each_arm_has_the_share_of_its_reports() -> None:
    run = run_of(*ROWS)
    found = arm_results(run, "told")
    assert (found.by, found.rows, found.left_out, found.unweighted) == ("told", (300, 400), (), None)
    assert [group.name for group in found.groups] == ["short", "long"]
    assert found.share_p_value == pytest.approx(math.erfc(100 / math.sqrt(700) / math.sqrt(2)))
    keys = [run.design.items[side.items[0]].key for side in found.outcomes]
    assert keys == ["copied", "late"]
    assert found.questions == ((found.numbers[0], (0,)), (found.numbers[1], (1,)))
    expected = [[share(120, 300), share(150, 300)], [share(240, 400), share(200, 400)]]
    for group, outcomes in enumerate(expected):
        for outcome, (value, error) in enumerate(outcomes):
            assert found.effects.shares[group, outcome] == pytest.approx(value)
            assert found.effects.errors[group, outcome] == pytest.approx(error, rel=0.01)
    assert found.effects.differences[0] == pytest.approx([0.2 / P, 0], abs=1e-12)
    assert found.design_effect(0, 0) is None
    assert (found.anchors, found.understanding) == ({}, {})


def test_stored_results_come_back_as_they_were() -> None:
    run = run_of(*ROWS)
    found = arm_results(run, "told")
    record = found.to_json()
    assert record["asked"] == [2, 3]
    again = ArmResults.from_json(run.design, "told", record)
    assert again.to_json().keys() == record.keys()
    for name in ("by", "groups", "rows", "share_p_value", "outcomes", "numbers", "questions", "left_out"):
        assert getattr(again, name) == getattr(found, name)
    assert again.effects.shares.tolist() == found.effects.shares.tolist()
    assert again.effects.joint == found.effects.joint


def test_known_shares_weight_the_rows_inside_each_arm() -> None:
    """All who sent "copied" in the long arm are young, who are a quarter of the population."""
    rows = (
        *((60, old, 0, copied, 0) for old in (0, 1) for copied in (0, 1)),
        *((60, 0, 1, 1, late) for late in (0, 1)),
        *((60, 1, 1, 0, late) for late in (0, 1)),
    )
    run = run_of(*rows)
    found = arm_results(run, "told", (margin_of("old", {"yes": 0.75, "no": 0.25}, run.design),))
    assert found.unweighted is not None
    assert found.unweighted.shares[:, 0] == pytest.approx([share(1, 2)[0]] * 2)
    assert found.effects.shares[:, 0] == pytest.approx([share(1, 2)[0], share(1, 4)[0]])
    ratio = found.effects.errors[0, 0] / found.unweighted.errors[0, 0]
    assert found.design_effect(0, 0) == pytest.approx(ratio**2)


def test_an_arm_of_fewer_than_100_people_has_no_figure() -> None:
    assert arm_results(run_of((100, 0, 0, 1, 1), (100, 1, 1, 0, 1)), "told").rows == (100, 100)
    with pytest.raises(SurveyError) as refused:
        arm_results(run_of((99, 0, 0, 1, 1), (150, 1, 1, 0, 1), slug="small"), "told")
    assert refused.value.code == "too_few"
    with pytest.raises(SurveyError) as refused:
        arm_results(run_of((99, 0, 0, 1, 1), (150, 1, 1, 0, 1), slug="none"), "nothing")
    assert refused.value.code == "arms"


def test_stored_counts_of_understanding_come_back_by_group() -> None:
    run = run_of(*ROWS)
    record = arm_results(run, "told").to_json()
    record["understanding"] = {"3": [[90, 100], [80, 110]], "5": None}
    found = ArmResults.from_json(run.design, "told", record).understanding
    assert found == {3: ((90, 100), (80, 110)), 5: None}


def test_groups_of_one_strength_count_only_its_rows() -> None:
    counts: Any = {(0, 7): (3, 4)}
    for direct, expected in ((None, [3, 4]), (True, [3, 0]), (False, [0, 4])):
        group = ArmGroup(name="a", items=(7,), direct=direct, share=0.5)
        found = arm_results_module._stratum_counts(counts, arm_results_module._columns(group, 0), group)
        assert found.tolist() == expected


def test_each_group_weights_the_reports_with_its_items_and_strength() -> None:
    """Without margins, the code of a report is whether it has the group's item; direct codes come last."""
    groups = tuple(ArmGroup(name="a", items=(7,), direct=direct, share=0.5) for direct in (None, True, False))
    rows: Any = None
    factors = arm_results_module._group_factors(rows, groups, ())
    assert [factor.items for factor in factors] == [(7,)] * 3
    assert [factor.split for factor in factors] == [2] * 3
    assert [factor.scores.tolist() for factor in factors] == [[[0, 1, 0, 1]], [[0, 0, 0, 1]], [[0, 1, 0, 0]]]


def test_the_last_option_of_a_single_choice_is_not_tested() -> None:
    design = live(
        opened("o", yes_or_no("old")),
        shielded("b", 5000, choice("mood", 2000, 3000, 5000), yes_or_no("late", 5000)),
        scale_block("pay", KEEP),
    )
    outcomes, tests = arm_results_module._outcomes(design, [1, 2, 3])
    assert outcomes == (
        *(Side(items=(item,)) for item in (1, 2, 3, 4)),
        Side(parts=(Part(question=3, target=MEAN),)),
    )
    assert tests == ((1, (0, 1)), (2, (3,)), (3, (4,)))


def test_a_mean_is_over_all_who_answered() -> None:
    """Codes 0 to 3 are answers from 0 to 3, and the last code is a missing one, in both groups."""
    design = live(
        open_number("hours", as_answered(NumberRange(low=0, high=3))),
        shielded("a", 5000, yes_or_no("late", 5000)),
    )
    found = arm_results_module._mean_factor(Side(parts=(Part(question=0, target=MEAN),)), design)
    assert found.scores[1].tolist() == [1, 1, 1, 1, 0] * 2


def test_the_share_of_an_arm_is_among_the_arms_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(*ROWS)
    record = arm_results(run, "told").to_json()
    groups = arm_results_module.choices_of_arms(run.design)["told"]
    fewer = {"told": tuple(replace(group, share=0.2) for group in groups)}
    monkeypatch.setattr(arm_results_module, "choices_of_arms", lambda _design: fewer)
    found = ArmResults.from_json(run.design, "told", record)
    assert found.share_p_value == pytest.approx(math.erfc(100 / math.sqrt(700) / math.sqrt(2)))


def test_withheld_questions_are_left_out_and_none_is_shown_without_the_others() -> None:
    forged = Evidence(rows=4, n=700)

    def found(more: int, *questions: int, pairs: tuple[tuple[int, int], ...] = ()) -> ArmResults:
        # Results of the same rows are computed once in a process, so each call has some more rows.
        run = run_of(*ROWS, (more, 0, 0, 0, 0), slug=f"more-{more}")
        keys = tuple(question.key for question in run.design.questions)
        assert keys == ("old", "told", "copied", "late")
        withheld = Withheld(
            questions=dict.fromkeys(questions, forged), pairs=dict.fromkeys(pairs, forged), keys=keys
        )
        run.summary = {"withheld": withheld.to_json()}
        return arm_results(run, "told")

    one = found(1, 2)
    assert (set(one.numbers), one.left_out) == ({3}, ())
    assert one.effects.joint.p_value is not None
    both = found(2, pairs=((2, 3),))
    assert (set(both.numbers), both.effects.joint.p_value) == ({2, 3}, None)
    with pytest.raises(PrivacyError) as refused:
        found(3, 2, 3)
    assert refused.value.code == "forged"


def test_strengths_are_no_arms_of_rows_that_were_all_disguised_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(*ROWS, (4, 0, 0, 0, 0))
    groups = arm_results_module.choices_of_arms(run.design)["told"]
    assert run.design.group.policy == "protected"
    strengths = tuple(
        replace(group, direct=direct) for group, direct in zip(groups, (None, True), strict=True)
    )
    monkeypatch.setattr(arm_results_module, "choices_of_arms", lambda _design: {"told": strengths})
    with pytest.raises(SurveyError) as refused:
        arm_results(run, "told")
    assert refused.value.case == "arms.merged"


@pytest.mark.parametrize(("direct", "are_large"), [(True, False), (False, True), (None, True)])
def test_weight_cells_are_those_of_the_strength_that_forms_the_arm(
    monkeypatch: pytest.MonkeyPatch, direct: bool | None, are_large: bool
) -> None:
    """The first cell has 5 lightly disguised rows, too few alone, and 500 others."""
    monkeypatch.setattr(arm_results_module, "cell_sizes", lambda *_: np.array([[5, 500], [500, 500]]))
    margin = margin_of("nurse", {"yes": 0.5, "no": 0.5}, DESIGN)
    arm = ArmGroup(name="", items=(), direct=direct, share=1)
    rows = rows_of(table(100)[0])
    assert arm_results_module._large_cells(rows, (arm,), 0, (margin,)) is are_large
