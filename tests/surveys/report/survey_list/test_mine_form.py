from urllib.parse import parse_qsl

import pytest

from mining.thresholds import Sides, Thresholds
from surveys.report.rules.rule_filters import RuleFilterForm
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.survey_list.mine_form import MineForm, items_of_questions
from tests.fixtures.runs import published

pytestmark = pytest.mark.django_db
GIVEN = {
    "support": "0.05", "confidence": "0", "lift": "", "max_size": "3",
    "antecedent": ["age", "late", "cheat", "drink"], "consequent": ["age", "late", "cheat", "drink"],
}  # fmt: skip


@pytest.mark.soak
def test_the_form_yields_thresholds_and_reports_field_errors() -> None:
    version = published()

    def form(**changes: object) -> MineForm:
        return MineForm([version], {**GIVEN, "version": version.pk, **changes})

    filled = form(lift="1.1", consequent=["late", "drink"])
    assert filled.is_valid(), filled.errors
    assert filled.thresholds() == Thresholds(support=0.05, lift=1.1, sides=Sides(consequent=(2, 4)))
    # Selecting all questions is the same as no restriction.
    every = form()
    assert every.is_valid()
    assert every.thresholds().sides == Sides()
    for field, value in (
        ("support", "0"), ("support", "1.5"), ("support", "much"), ("support", ""), ("support", "nan"),
        ("confidence", "-0.1"), ("confidence", "2"), ("lift", "-1"), ("max_size", "0"), ("max_size", "21"),
        ("version", "99999"), ("consequent", ["nobody"]),
    ):  # fmt: skip
        refused = form(**{field: value})
        assert not refused.is_valid()
        assert list(refused.errors) == [field]


@pytest.mark.soak
def test_a_question_selects_all_its_items() -> None:
    design = published().to_design()
    assert items_of_questions(design, ["age"]) == (0, 1)
    assert items_of_questions(design, ["age", "drink"]) == (0, 1, 4)
    assert items_of_questions(design, []) is None


def test_a_run_form_offers_exactly_its_options_and_version() -> None:
    sides = {"antecedent", "consequent"}
    assert (
        set(MineForm.base_fields) - {"version", "chapter"}
        == {"support", "confidence", "lift", "max_size"} | sides
    )


def filtered(given: dict[str, str]) -> RuleFilterForm:
    return RuleFilterForm(given, items=[(0, "a")], longest=3)


@pytest.mark.soak
@pytest.mark.parametrize(
    "given",
    [
        {"item": "nobody"}, {"item": "77"}, {"side": "inside"}, {"length": "0"}, {"length": "x"},
        {"lift_from": "much"}, {"lift_from": "nan"}, {"lift_from": "1e999"}, {"sort": "run__job__message"},
        {"sort": "-pk"}, {"page": "-3"}, {"page": "1e9"}, {"holds": "perhaps"}, {"redundant": "1"},
        {"maximal": "0"}, {"verdict": "guilty"}, {"size": "1000000"}, {"size": "0"},
        {"text": "x" * 300}, {"text": "\0"}, {"sort": "-cosine"}, {"fence": "high"},
    ],
)  # fmt: skip
def test_an_unreadable_filter_falls_back_to_the_default_and_is_reported(given: dict[str, str]) -> None:
    form = filtered(given)
    assert form.query() == RuleQuery()
    assert len(form.complaints()) == 1


def test_a_filter_survives_a_round_trip_through_the_url() -> None:
    given = {
        "text": "late", "item": "0", "side": "consequent", "length": "2", "holds": "yes", "redundant": "no",
        "maximal": "no", "verdict": "accepted", "sort": "-lift", "page": "3", "size": "25",
        "support_from": "0.1", "lift_to": "1", "flips_to": "7",
    }  # fmt: skip
    form = filtered(given)
    query = form.query()
    assert query == RuleQuery(
        text="late", item=0, side="consequent", length=2, holds="yes", redundant="no", maximal="no",
        verdict="accepted", sort="-lift", page=3, size=25,
        limits=(("support_from", 0.1), ("lift_to", 1.0), ("flips_to", 7.0)),
    )  # fmt: skip
    assert form.complaints() == []
    assert filtered(dict(parse_qsl(query.address()[1:]))).query() == query
    assert filtered({}).query() == RuleQuery()
