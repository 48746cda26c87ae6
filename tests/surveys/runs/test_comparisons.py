"""Comparisons keep the floors of disclosure: enough disguised rows, and enough people of each open answer."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Part, Side
from privacy.estimation.margins import margin_of
from privacy.estimation.withheld import Evidence, Withheld
from privacy.forged import NEVER
from privacy.scales.decoded_numbers import MEAN
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from surveys.errors.error import SurveyError
from surveys.models import RuleRow, Run
from surveys.policy import LEAST_PROFILE, LEAST_PROTECTED
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs import comparisons
from surveys.runs.comparisons import (
    change_of_people,
    compare_sides,
    compared_rules,
    others_of,
    share_among_all,
)
from surveys.runs.releasable_rows import ReleasableRows, rows_of_run
from tests.attack.test_open_answers import EVERYTHING, answer, survey
from tests.fixtures.devices import closed
from tests.fixtures.runs import PAIRS, answered_version, mined_run
from tests.vectors.designs import live, opened, shielded, yes_no
from tests.vectors.scale_designs import KEEP, PLACES, open_number, scale_block

pytestmark = pytest.mark.django_db

MAP = live(PLACES["utility-optimised"].blocks[0], scale_block("wage", KEEP))


def side(run: Run, key: str) -> Side:
    return Side(items=(run.design.item(key).index,))


def with_floor(rows: ReleasableRows, least: int) -> ReleasableRows:
    return replace(rows, disclosure=replace(rows.disclosure, least_protected=least))


def test_shares_of_both_groups_are_those_of_the_rows() -> None:
    run = mined_run(answered_version(800, n_direct=0), PAIRS)
    found = compare_sides(run, side(run, "late"), side(run, "cheat"))
    assert (found.n, found.n_direct, found.n_protected) == (800, 0, 800)
    # Of late people 60% cheat, of others 15%; the answers of 800 people are within six errors of it.
    for one, truth in ((found.having, 0.6), (found.others, 0.15)):
        assert one.standard_error is not None
        assert abs(one.value - truth) < 6 * one.standard_error
    assert found.difference.value == pytest.approx(found.having.value - found.others.value, abs=1e-9)
    assert found.denial is not None
    rows = rows_of_run(run)
    pairs = [(side(run, "late"), side(run, "cheat")), (side(run, "cheat"), side(run, "late"))]
    (again, turned) = compared_rules(run, pairs, level=0.95, rows=rows)
    assert again is not None
    assert again.having == found.having
    assert turned is not None
    assert turned.having.value != found.having.value


@pytest.mark.parametrize("n", [LEAST_PROTECTED, LEAST_PROTECTED - 1])
@pytest.mark.parametrize("n_direct", [0, 60])
def test_every_figure_needs_a_hundred_answers(n: int, n_direct: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # A run of fewer answers is refused, so these rows are read as if the limit had been lower then.
    run = mined_run(answered_version(LEAST_PROTECTED, n_direct=n_direct, slug="hundred"), PAIRS)
    monkeypatch.setattr(
        comparisons, "rows_of_run", lambda run: with_floor(rows_of_run(run), 2 * LEAST_PROTECTED - n)
    )
    late, cheat = side(run, "late"), side(run, "cheat")
    for figure in (
        lambda: compare_sides(run, late, cheat),
        lambda: share_among_all(run, cheat),
        lambda: change_of_people(run, late, cheat),
    ):
        if n == LEAST_PROTECTED:
            figure()
        else:
            with pytest.raises(SurveyError) as refused:
                figure()
            assert refused.value.case == "too_few.patterns"
            assert str(LEAST_PROTECTED + 1) in str(refused.value)


def test_the_floor_is_that_of_the_rows_given() -> None:
    run = mined_run(answered_version(400, n_direct=0, slug="given"), PAIRS)
    late, cheat, rows = side(run, "late"), side(run, "cheat"), rows_of_run(run)
    assert compare_sides(run, late, cheat, rows=with_floor(rows, 400)).n == 400
    with pytest.raises(SurveyError):
        compare_sides(run, late, cheat, rows=with_floor(rows, 401))
    assert list(compared_rules(run, [(late, cheat)], level=0.95, rows=with_floor(rows, 401))) == [None]


@pytest.mark.parametrize(("few", "shown"), [(LEAST_PROFILE, True), (LEAST_PROFILE - 1, False), (0, True)])
def test_a_cross_of_open_answers_needs_ten_people_or_none(few: int, shown: bool) -> None:
    version = survey(f"cross{few}")
    answer(version, (60, 60, 60 - few, few))
    run = mined_run(closed(version), EVERYTHING, anew=True)
    old, night, late = (side(run, key) for key in ("old", "night", "late"))
    both = Side(items=(*old.items, *night.items))
    if shown:
        assert compare_sides(run, both, late).n == 180
        assert share_among_all(run, Side(items=(*both.items, *late.items))).n == 180
    else:
        for figure in (
            lambda: compare_sides(run, both, late),
            lambda: compare_sides(run, old, night),
            lambda: share_among_all(run, Side(items=(*both.items, *late.items))),
        ):
            with pytest.raises(SurveyError) as refused:
                figure()
            assert refused.value.code == "profile"
    # One open question alone is published anyway.
    assert compare_sides(run, old, late).n == 180


def test_a_practice_survey_has_no_floor() -> None:
    version = survey("practised", practice=True)
    answer(version, (3, 2, 2, 1))
    run = mined_run(version, EVERYTHING, anew=True)
    assert compare_sides(run, side(run, "old"), side(run, "late")).n == 8
    assert share_among_all(run, side(run, "late")).n == 8


def test_a_question_with_itself_is_no_comparison() -> None:
    run = mined_run(answered_version(400, n_direct=0, slug="itself"), PAIRS)
    late, cheat = side(run, "late"), side(run, "cheat")
    with pytest.raises(PrivacyError):
        compare_sides(run, late, late)
    rules = compared_rules(run, [(late, late), (late, cheat)], level=0.95, rows=rows_of_run(run))
    assert [found is None for found in rules] == [True, False]
    assert list(compared_rules(run, [], level=0.95, rows=rows_of_run(run))) == []


def test_the_share_of_others_belongs_to_the_rule() -> None:
    run = mined_run(answered_version(800, n_direct=0, slug="rule"), PAIRS)
    row = RuleRow.objects.filter(run=run).first()
    assert row is not None
    found = others_of(run, row)
    assert found is not None
    before, after = (Side(items=unpack_items(packed)) for packed in (row.antecedent, row.consequent))
    assert found.value == pytest.approx(compare_sides(run, before, after).others.value, abs=1e-12)


def in_region(*parts: tuple[int, int, int, int]) -> Side:
    return Side(parts=(Part(question=0, target=parts),))


@pytest.mark.parametrize(
    ("share", "both", "everybody", "case"),
    [
        (0.010, 0.01, 0.01, None),
        (0.009, 0.009, 0.5, "too_few.inside"),
        (0.5, 0.009, 0.5, "too_few.inside"),
        (0.5, 0.009, 0.009, "too_few.inside"),
        (0.990, 0.5, 0.5, None),
        (0.991, 0.5, 0.5, "too_few.outside"),
        (1.0, 0.5, 0.5, None),
    ],
)
def test_exact_places_need_ten_people_inside_and_outside_or_none(
    share: float, both: float, everybody: float, case: str | None
) -> None:
    """Of 1,000 people; the outcome is protected, so its own share reveals no one."""
    found: Any = SimpleNamespace(share=share, both=both, everybody=everybody, n=1000)
    outside = in_region((0, 0, 1, 1))
    if case is None:
        comparisons._check_people(found, outside, Side(), MAP)
        return
    with pytest.raises(SurveyError) as refused:
        comparisons._check_people(found, outside, Side(), MAP)
    assert refused.value.case == case


def test_places_in_sensitive_areas_and_means_single_out_no_one() -> None:
    found: Any = SimpleNamespace(share=0.5, both=0.001, everybody=0.001, n=1000)
    disguise = MAP.questions[0].disguise
    assert disguise is not None
    sensitive = next(box for level in disguise.levels for box in level.rectangles)  # type: ignore[union-attr]
    comparisons._check_people(found, in_region(sensitive), Side(), MAP)
    mean = Side(parts=(Part(question=1, target=MEAN),))
    comparisons._check_people(found, in_region((0, 0, 1, 1)), mean, MAP)
    few: Any = SimpleNamespace(share=0.991, both=0.5, everybody=0.5, n=1000)
    with pytest.raises(SurveyError):
        comparisons._check_people(few, in_region((0, 0, 1, 1)), mean, MAP)
    rare: Any = SimpleNamespace(share=0.5, both=0.5, everybody=0.995, n=1000)
    with pytest.raises(SurveyError):
        comparisons._check_people(rare, Side(items=(0,)), in_region((0, 0, 1, 1)), MAP)


def test_the_item_of_a_range_is_the_one_that_declares_it() -> None:
    hours = as_answered(NumberRange(low=0, high=9))
    declared = open_number("hours", replace(hours, spans=((0, 4), (9, 9))), "low", "top")
    design = live(declared, shielded("a", 5000, yes_no("late", 5000)))
    targets = ((0, 4), (9, 9), (0, 3), MEAN)
    items = [comparisons._declared_item(Part(question=0, target=target), design) for target in targets]
    assert items == [0, 1, None, None]


def test_weights_lower_the_effective_number_of_rows() -> None:
    """With rows of weight .25 for a and .75 for b people it is (.25 a + .75 b)^2 / (.0625 a + .5625 b)."""
    run = mined_run(answered_version(800, n_direct=0), PAIRS)
    rows = rows_of_run(run)
    counted = rows.count_cache.need([(), (0,)])
    young, everyone = (sum(counted[columns]) for columns in ((0,), ()))
    old = everyone - young
    # Each group counts in proportion to its share in the population over its number of people.
    first, second = 0.25 / young, 0.75 / old
    margin = margin_of("age", {"young": 0.25, "old": 0.75}, run.design)
    found = compare_sides(run, side(run, "late"), side(run, "cheat"), (margin,))
    assert found.effective_n == pytest.approx(1 / (young * first**2 + old * second**2))
    assert compare_sides(run, side(run, "late"), side(run, "cheat")).effective_n == 800


HOURS = as_answered(NumberRange(low=0, high=9))
OPEN = live(
    open_number("hours", replace(HOURS, spans=((0, 4),)), "low"),
    open_number("pay", HOURS),
    opened("o", yes_no("old")),
    shielded("a", 5000, yes_no("late", 5000)),
)
LOW, OLD, LATE = range(3)


def open_rows(n_direct: int = 0, n_protected: int = 100, *, large: bool = True) -> Any:
    """Return rows that note which crosses they are asked about."""
    asked: list[object] = []
    return SimpleNamespace(
        design=OPEN,
        disclosure=SimpleNamespace(least_cross=10),
        matrix=SimpleNamespace(n_direct=n_direct, n_protected=n_protected),
        asked=asked,
        has_large_crosses=lambda items, *, beside, numbers: asked.append((items, beside, numbers)) or large,
        small_cross=lambda: SurveyError("profile", least=10),
    )


def ranged(question: int, target: Any) -> Side:
    return Side(parts=(Part(question=question, target=target),))


def test_crosses_are_checked_by_item_and_by_number() -> None:
    late = Side(items=(LATE,))
    for by, outcome, asked in (
        (ranged(0, (0, 4)), late, ((LOW, LATE), [], [])),
        (ranged(0, (0, 3)), late, ((LATE,), [], [0])),
        (Side(items=(OLD,)), ranged(1, MEAN), ((OLD,), [], [1])),
        (ranged(0, MEAN), ranged(1, MEAN), ((), [], [0, 1])),
    ):
        rows = open_rows()
        comparisons._check_crosses(rows, by, outcome, ())
        assert rows.asked == [asked]
        with pytest.raises(SurveyError) as refused:
            comparisons._check_crosses(open_rows(large=False), by, outcome, ())
        assert refused.value.case == "profile"


def test_an_undeclared_range_is_compared_only_with_disguised_answers_of_one_group() -> None:
    late, old, undeclared = Side(items=(LATE,)), Side(items=(OLD,)), ranged(0, (0, 3))
    for rows in (open_rows(100, 0), open_rows(0, 100)):
        comparisons._check_crosses(rows, undeclared, late, ())
    for rows, by, outcome in (
        (open_rows(1, 1), undeclared, late),
        (open_rows(), undeclared, old),
        (open_rows(), undeclared, ranged(1, MEAN)),
        (open_rows(), ranged(0, (0, 4)), ranged(1, (2, 3))),
    ):
        with pytest.raises(SurveyError) as refused:
            comparisons._check_crosses(rows, by, outcome, ())
        assert refused.value.case == "profile.range"
        assert "10" in str(refused.value)
        assert rows.asked == []


def test_a_withheld_question_is_refused_before_anything_is_computed() -> None:
    run = mined_run(answered_version(), PAIRS)
    late, cheat, drink = (side(run, key) for key in ("late", "cheat", "drink"))
    keys = tuple(question.key for question in run.design.questions)
    run.summary |= {"withheld": Withheld(questions={1: Evidence(rows=4, n=800)}, keys=keys).to_json()}
    for figure in (
        lambda: compare_sides(run, late, cheat),
        lambda: compare_sides(run, cheat, late),
        lambda: share_among_all(run, late),
    ):
        with pytest.raises(PrivacyError) as refused:
            figure()
        assert refused.value.code == "forged"
    assert compare_sides(run, cheat, drink).n == share_among_all(run, drink).n == 800


@pytest.mark.parametrize("check", ["check_ranges", "_check_people"])
def test_both_sides_are_checked_for_ranges_and_places(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = mined_run(answered_version(), PAIRS)
    late, cheat = side(run, "late"), side(run, "cheat")
    checked: list[list[Side]] = []
    monkeypatch.setattr(
        comparisons, check, lambda *given: checked.append([each for each in given if isinstance(each, Side)])
    )
    compare_sides(run, late, cheat)
    assert checked == [[late, cheat]]
    share_among_all(run, late)
    assert checked[1:] == ([[late, Side()]] if check == "check_ranges" else [])


def test_a_difference_that_no_forged_row_turns_never_flips(monkeypatch: pytest.MonkeyPatch) -> None:
    run = mined_run(answered_version(), PAIRS)
    late, cheat = side(run, "late"), side(run, "cheat")
    for found, flips in ((None, NEVER), (5, 5)):
        monkeypatch.setattr(comparisons, "difference_flips", lambda _rows, found=found: found)
        assert comparisons._comparison.__wrapped__(run, late, cheat, (), 0.95).flips == flips  # type: ignore[attr-defined]


def test_exactly_ten_people_outside_a_place_may_be_told_apart() -> None:
    """Of 160 people, a share of .0625 is outside."""
    found: Any = SimpleNamespace(share=0.9375, both=0.5, everybody=0.5, n=160)
    comparisons._check_people(found, in_region((0, 0, 1, 1)), Side(), MAP)
    found.n = 159
    with pytest.raises(SurveyError):
        comparisons._check_people(found, in_region((0, 0, 1, 1)), Side(), MAP)
