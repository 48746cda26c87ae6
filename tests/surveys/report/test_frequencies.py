"""Findings in sentences, with short names or the words of the questionnaire."""

from __future__ import annotations

from privacy.estimation.estimates import Measured
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.report.frequencies import itemset_phrase, lift_sentence, pair_sentence, share_sentence


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
    return Measured(value=value, low=low, high=high, standard_error=0.01, estimable=estimable)


SOME, FEW = share(0.584, 0.51, 0.66), share(0.13, 0.01, 0.26)
UNKNOWN = share(0.5, 0, 1, estimable=False)


def test_an_answer_is_named_by_its_short_name_or_by_its_question() -> None:
    assert itemset_phrase((0, 1), LABELS).words == "“Late?” yes and “How often?” weekly"
    assert itemset_phrase((2, 1), LABELS).people == "with “Cheated” and who answered “How often?” weekly"


def test_a_pair_is_stated_with_both_shares() -> None:
    assert pair_sentence(LATE, CHEATED, SOME, FEW) == (
        "Of 100 people who answered “Late?” yes, 58 have “Cheated” (51 to 66); of 100 others, 13 (1 to 26)."
    )
    assert pair_sentence(CHEATED, OFTEN, SOME, FEW).startswith(
        "Of 100 people with “Cheated”, 58 answered “How often?” weekly (51 to 66); "
    )
    assert share_sentence(CHEATED, SOME) == "Of 100 people, 58 have “Cheated” (51 to 66)."


def test_too_few_answers_are_said_and_an_estimate_outside_its_interval_gives_way_to_it() -> None:
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
        "Of 100 people who answered “Late?” yes, 80 to 100 have “Cheated”; of 100 others, 0 to 10."
    )


def test_a_lift_is_stated_with_its_interval() -> None:
    assert lift_sentence(share(1.81, 1.5, 2.2)) == (
        "That is 1.81 times the share among everyone who was asked (1.50 to 2.20)."
    )
    assert lift_sentence(share(-3.0, 0.4, 9.0)) == (
        "That is .40 to 9.00 times the share among everyone who was asked."
    )
    assert "too few answers" in lift_sentence(UNKNOWN)
