"""Rules from elsewhere, tested in the rows behind a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mining.significance import adjusted
from privacy.estimation.patterns import MOST_ITEMS
from privacy.survey.design import Block, Design, GroupPolicy, Question
from surveys.figures.brought_rules import rules_named, rules_tested
from surveys.figures.rule_list import rule_list
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import ItemLabel, Labels, labels_of, unpack_items
from tests.cast.runs import LOOSE, answered, mined

pytestmark = pytest.mark.django_db(transaction=True)


def named(run: Run, text: str) -> tuple[tuple[object, ...], list[tuple[int, str]]]:
    design = run.version.to_design()
    rules, others = rules_named(rule_list(text).rules, labels_of(run.version, design), design)
    return rules, [(line, error.code) for line, error in others]


def test_a_rule_that_is_brought_has_the_figures_of_the_run_and_its_list_is_the_family() -> None:
    run = mined(answered())
    rows = {
        (unpack_items(row.antecedent), unpack_items(row.consequent)): row
        for row in RuleRow.objects.filter(run=run).select_related("inference")
    }
    assert len(rows) > 20
    for rule in list(rows)[:5]:
        # A rule that is brought alone is one that was named in advance: it has the run's own intervals.
        (one,) = rules_tested(run, [rule]).rules
        assert one.measures is not None
        for name in ("confidence", "lift"):
            measured = getattr(one.measures, name)
            assert (measured.value, measured.low, measured.high) == pytest.approx(
                tuple(getattr(rows[rule], f"{name}{end}") for end in ("", "_low", "_high")), rel=1e-9
            )
    found = rules_tested(run, list(rows))
    assert [one.rule for one in found.rules] == list(rows)
    for one in found.rules:
        assert one.p_value == pytest.approx(rows[one.rule].inference.p_value, rel=1e-9, abs=1e-12)
        assert one.measures is not None
        assert one.measures.lift.low <= rows[one.rule].lift_low
        assert one.measures.lift.high >= rows[one.rule].lift_high
    # The other way round a rule has the same lift: it is the same hypothesis, and counts once.
    pairs = {frozenset(one.rule): one.p_value for one in found.rules}
    assert found.family == len(pairs) < len(rows)
    assert found.level == pytest.approx(1 - 0.05 / len(pairs))
    by_pair = dict(zip(pairs, adjusted(list(pairs.values()), len(pairs), "by"), strict=True))
    assert [one.p_adjusted for one in found.rules] == pytest.approx(
        [by_pair[frozenset(one.rule)] for one in found.rules], rel=1e-9
    )
    # Late people cheat in these answers, and nothing ties drinking to being late.
    keys = {item.key: item.index for item in run.version.to_design().items}
    late, cheat, drink = ((keys[key],) for key in ("late", "cheat", "drink"))
    planted = rules_tested(run, [(late, cheat), (late, drink)])
    assert [one.holds for one in planted.rules] == [True, False]
    assert planted.family == 2


def test_a_run_without_a_correction_lends_the_list_none() -> None:
    run = mined(answered(), replace(LOOSE, correction="none"))
    keys = {item.key: item.index for item in run.version.to_design().items}
    late, cheat, drink = ((keys[key],) for key in ("late", "cheat", "drink"))
    found = rules_tested(run, [(late, cheat), (late, drink)])
    assert found.correction == "by"
    raw = [one.p_value for one in found.rules]
    assert [one.p_adjusted for one in found.rules] == pytest.approx(adjusted(raw, 2, "by").tolist())


def test_names_are_found_as_the_page_and_as_other_programs_write_them() -> None:
    run = mined(answered())
    keys = {item.key: item.index for item in run.version.to_design().items}
    late, old, cheat = keys["late"], keys["age=old"], keys["cheat"]
    rule = (tuple(sorted((late, old))), (cheat,))
    text = "late & age=old => cheat\nLATE & age: 40 or older => cheat\nlate=yes & age=old => cheat=TRUE\n"
    assert named(run, text) == ((rule,), [])
    wrong = "late => cheat\nlate\nlate => late\nage=old => age=young\nlate => elsewhere\nlate=no => cheat\n"
    assert named(run, wrong) == (
        (((late,), (cheat,)),),
        [
            (2, "rule_list"),
            (3, "rule_list"),
            (4, "excluded_options"),
            (5, "rule_list"),
            (6, "rule_list"),
        ],
    )


def test_a_rule_of_more_answers_than_a_table_of_patterns_holds_is_refused() -> None:
    keys = [f"q{number}" for number in range(MOST_ITEMS + 1)]
    ask = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in keys)
    block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None, questions=ask)
    design = Design(blocks=(block,), group=GroupPolicy(), use="live")
    labels = Labels(
        items=tuple(
            ItemLabel(
                index=item.index,
                key=item.key,
                short=item.key,
                question="",
                text="",
                option="",
                protected=True,
            )
            for item in design.items
        )
    )
    text = f"{' & '.join(keys[1:-1])} => q0\n{' & '.join(keys[1:])} => q0"
    rules, others = rules_named(rule_list(text).rules, labels, design)
    assert [len(before) + len(after) for before, after in rules] == [MOST_ITEMS]
    assert [(line, error.case) for line, error in others] == [(2, "rule_list.long")]
