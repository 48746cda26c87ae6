"""Findings of a run as sentences."""

from dataclasses import replace

import pytest

from privacy.printed import CHECKED, Measured
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.report.sentences.findings import (
    itemset_phrase,
    lift_denial_sentence,
    lift_sentence,
    pair_sentence,
    share_sentence,
)

pytestmark = pytest.mark.django_db


def label(index: int, key: str, text: str, option: str, name: str = "") -> ItemLabel:
    return ItemLabel(
        index=index, key=key, short=key, question=key, text=text, option=option, protected=True, name=name
    )


LABELS = Labels(
    items=(
        label(0, "late", "Late?", ""),
        label(1, "often", "How often?", "weekly"),
        label(2, "cheat", "Have you ever cheated in an exam?", "", name="Cheated"),
    )
)


LATE, OFTEN, CHEATED = (itemset_phrase((item,), LABELS) for item in range(3))


def share(value: float, low: float, high: float, *, estimable: bool = True) -> Measured:
    return Measured(
        value=value, low=low, high=high, standard_error=0.01, estimable=estimable, n=500, effective_n=500.0,
        level=0.95, possible=(0.0, 1.0), method="scores", shift=0.0, origin=CHECKED,
    )  # fmt: skip


SOME, FEW = share(0.584, 0.51, 0.66), share(0.13, 0.01, 0.26)


UNKNOWN = share(0.5, 0, 1, estimable=False)


def test_an_interval_without_possible_values_states_no_end() -> None:
    """The sentence said *at least 100*, as if that were certain."""
    text = "Of 100 people, 0 to 100 have “Cheated” (too few to say more)."
    assert share_sentence(CHEATED, share(2.5, 1.1, 3.9)) == text
    assert share_sentence(CHEATED, share(-1.7, -3.0, -0.1)) == text


def test_an_answer_is_named_by_its_short_name_or_its_question() -> None:
    assert itemset_phrase((0, 1), LABELS).words == "“Late?” yes and “How often?” weekly"
    assert itemset_phrase((2, 1), LABELS).people == "with “Cheated” and who answered “How often?” weekly"


def test_sentences_state_both_shares_or_a_lift_with_intervals() -> None:
    assert pair_sentence(LATE, CHEATED, SOME, FEW) == (
        "Of 100 people who answered “Late?” yes, 58 have “Cheated” (51 to 66); of 100 others, 13 (1 to 26)."
    )
    assert pair_sentence(CHEATED, OFTEN, SOME, FEW).startswith(
        "Of 100 people with “Cheated”, 58 answered “How often?” weekly (51 to 66); "
    )
    assert share_sentence(CHEATED, SOME) == "Of 100 people, 58 have “Cheated” (51 to 66)."
    assert lift_sentence(share(1.81, 1.5, 2.2)) == (
        "That is 1.81 times the share among everyone who was asked (1.50 to 2.20)."
    )
    assert lift_sentence(share(-3.0, 0.4, 9.0)) == (
        "That is .40 to 9.00 times the share among everyone who was asked."
    )
    assert "too few answers" in lift_sentence(UNKNOWN)


def test_a_ratio_states_its_range_under_denial() -> None:
    assert lift_denial_sentence(share(1.6, 1.2, 2.1)) == (
        "If up to 25 of 100 people concerned denied one side of this rule, the ratio is .90 to 2.80."
    )
    assert lift_denial_sentence(UNKNOWN) == ""
    # A ratio that is shown only because it could be estimated misses too often.
    assert lift_denial_sentence(replace(share(1.6, 1.2, 2.1), standard_error=None)) == ""


def test_sentences_report_few_answers_and_prefer_the_interval() -> None:
    assert pair_sentence(LATE, CHEATED, UNKNOWN, FEW) == (
        "There are too few answers to say how many people who answered “Late?” yes have “Cheated”."
    )
    for others in (None, UNKNOWN):
        said = pair_sentence(LATE, CHEATED, SOME, others)
        assert said.endswith(
            "58 have “Cheated” (51 to 66); there are too few answers from others to compare."
        )
    outside = pair_sentence(LATE, CHEATED, share(1.2, 0.8, 1.0), share(-0.1, 0.0, 0.1))
    assert outside == (
        "Of 100 people who answered “Late?” yes, at least 80 have “Cheated” (too few to say more); "
        "of 100 others, at most 10 (too few to say more)."
    )
