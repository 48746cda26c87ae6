"""Lists of rules as other programs write them."""

from __future__ import annotations

import pytest

from surveys.errors.error import SurveyError
from surveys.figures.rule_list import MOST_CHARACTERS, MOST_RULES, rule_list

OWN = "antecedent,consequent,lift,survey\nlate & age=old,cheat,1.4,habits\n"
ARULES = '"rules","support","lift"\n"{late,age=old} => {cheat}",0.1,1.4\n'
# write.table(): blanks between cells, and names of rows that have no column.
ARULES_TABLE = '"rules" "support"\n"1" "{late,age=old} => {cheat}" 0.1\n'
ARULES_FRAME = "LHS;RHS;support\n{late,age=old};{cheat};0.1\n"
MLXTEND = (
    ",antecedents,consequents,support\n\"0\",\"frozenset({'late', 'age=old'})\",frozenset({'cheat'}),0.1\n"
)


@pytest.mark.parametrize(
    "text",
    [
        OWN,
        OWN.replace(",", "\t"),
        OWN.replace("\n", "\r\n"),
        "\ufeff" + OWN,
        ARULES,
        ARULES_TABLE,
        ARULES_FRAME,
        MLXTEND,
        "\nlate & age=old => cheat",
        "\n{late, age=old} → {cheat}\n\n",
    ],
)
def test_every_way_of_writing_a_rule_says_the_same(text: str) -> None:
    (rule,) = rule_list(text).rules
    assert (rule.antecedent, rule.consequent) == (("late", "age=old"), ("cheat",))
    assert rule.line == 2


def test_a_table_says_whose_answers_suggested_its_rules() -> None:
    assert rule_list(OWN).surveys == {"habits"}
    assert rule_list(ARULES).surveys == frozenset()


def test_what_has_no_two_sides_has_an_empty_one() -> None:
    rules = rule_list("late\nlate =>\n=> cheat\n").rules
    assert [(rule.antecedent, rule.consequent) for rule in rules] == [
        (("late",), ()),
        (("late",), ()),
        ((), ("cheat",)),
    ]


def test_a_name_that_a_spreadsheet_would_compute_comes_back() -> None:
    assert rule_list("antecedent,consequent\n'=late,cheat\n").rules[0].antecedent == ("=late",)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "rule_list.empty"),
        (" \n\n", "rule_list.empty"),
        ("antecedent,consequent\n", "rule_list.empty"),
        ("a => b\n" * (MOST_RULES + 1), "rule_list.many"),
        ("a" * (MOST_CHARACTERS + 1), "rule_list.large"),
    ],
)
def test_a_list_that_cannot_be_tested_is_refused(text: str, code: str) -> None:
    with pytest.raises(SurveyError) as caught:
        rule_list(text)
    assert caught.value.case == code
