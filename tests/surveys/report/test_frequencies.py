"""Shares and rules in frequencies, in the words of the questionnaire."""

from __future__ import annotations

from surveys.models import RuleRow
from surveys.questionnaire.labels import ItemLabel, Labels
from surveys.report.frequencies import itemset_words, sentences_of

LABELS = Labels(
    items=tuple(
        ItemLabel(index=index, key=key, short=key, question=key, text=text, option=option, protected=True)
        for index, (key, text, option) in enumerate(
            [("late", "Late?", ""), ("often", "How often?", "weekly")]
        )
    )
)


def said_of(row: RuleRow) -> list[str]:
    return sentences_of(row, LABELS)


def test_an_itemset_is_said_by_its_questions_and_answers() -> None:
    assert itemset_words((0, 1), LABELS) == "“Late?” yes and “How often?” weekly"


def rule(**figures: float | None) -> RuleRow:
    shown = {
        "support": 0.132, "support_low": 0.116, "support_high": 0.148, "confidence": 0.584,
        "confidence_low": 0.51, "confidence_high": 0.66, "lift": 1.81, "lift_low": 1.5, "lift_high": 2.2,
    }  # fmt: skip
    return RuleRow(antecedent=",0,", consequent=",1,", **{**shown, **figures})


def test_a_rule_is_said_in_frequencies() -> None:
    assert said_of(rule()) == [
        "Of 100 people who answered “Late?” yes, about 58 also answered “How often?” weekly (51 to 66).",
        "That is 1.81 times the share among all who were asked (1.50 to 2.20).",
        "About 13 of 100 people gave both answers (12 to 15).",
    ]


def test_what_cannot_be_told_and_what_lies_outside_is_said() -> None:
    said = said_of(rule(confidence=1.2, confidence_low=0.8, confidence_high=1.0, lift_low=None))
    assert said[0] == (
        "Of 100 people who answered “Late?” yes, 80 to 100 also answered “How often?” weekly; "
        "the estimate, 120, lies outside."
    )
    assert "cannot be told" in said[1]
    assert "it is not cut" in said[-1]
    assert "cannot be told" in said_of(rule(confidence_low=None))[0]
    below = said_of(rule(lift=-3.0, lift_low=0.4, lift_high=9.0))[1]
    assert below == (
        "That is .40 to 9.00 times the share among all who were asked; the estimate, −3.00, lies outside."
    )
