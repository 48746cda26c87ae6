"""Did it help? The arms of an experiment in words, a forest plot with its table, and files."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.response_rates import rate_difference, response_test
from privacy.policy import DRAW_TEST_SIZE
from privacy.survey.design import STRENGTH
from surveys.charts.intervals import IntervalRow, differences_svg
from surveys.estimates.arm_effects import ArmResults
from surveys.formats.figures import MINUS, number, p_text
from surveys.questionnaire.aim import EXPECTATIONS, EXPECTATIONS_OF_NUMBERS
from surveys.questionnaire.labels import Labels
from surveys.report.comparison_form import Choice
from surveys.report.comparison_words import gap_text
from surveys.report.frequencies import typed

LEVEL: Final = 0.95

COLUMNS: Final = (
    "by", "group", "people", "drawn_share", "role", "outcome", "outcome_label", "share", "mean", "low",
    "high", "standard_error", "difference", "difference_low", "difference_high", "p_value", "p_holm",
    "expected", "joint_statistic", "joint_degrees", "joint_rest_degrees", "joint_p_value",
    "drawn_share_p_value", "weighted", "design_effect", "invited", "response_rate", "response_difference",
    "response_low", "response_high", "response_p_value",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ArmAnswer:
    """One answer, or the average of a number, in all groups.

    Attributes
    ----------
    name, p : str
    expected : str
        What was written down beforehand; nothing where nothing was.
    groups : tuple of (str, str, str)
        Group, its share or average, and the difference to the first group.
    """

    name: str
    p: str
    expected: str
    groups: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, kw_only=True)
class ArmText:
    """An experiment as pages tell it.

    Attributes
    ----------
    results : ArmResults
    choices : tuple of Choice
        Of the outcomes, in their order.
    labels : Labels
    keys : tuple of str
        Of the survey's questions, by number.
    expected : mapping of str to str
        What was written down beforehand, by question.
    wanted : tuple of str
        Keys of the items that are most wanted.
    invited : tuple of int
        How many were invited to each group, where invitations decide it; else nothing.
    """

    results: ArmResults
    choices: tuple[Choice, ...]
    labels: Labels
    keys: tuple[str, ...]
    expected: Mapping[str, str]
    wanted: tuple[str, ...]
    invited: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        """What is compared by what."""
        return _("By %(by)s") % {"by": self.name_of(self.results.by)}

    @staticmethod
    def name_of(by: str) -> str:
        """Return what a division of the people is called."""
        return " × ".join(
            _("strength of the disguise") if key == STRENGTH else key for key in by.split(" × ")
        )

    @property
    def sentence(self) -> str:
        """The answer that is most wanted, or else the one that differs most, in one plain sentence."""
        group, outcome = self._chosen()
        effects = self.results.effects
        value = float(effects.differences[group - 1, outcome])
        low, high = effects.interval(group, outcome, level=1 - (1 - LEVEL) / self._possible)
        is_clear = not low <= 0 <= high
        is_mean = self.choices[outcome].is_mean
        words = {
            "group": self._group(group),
            "first": self._group(0),
            "answer": self.choices[outcome].words,
            "points": self._gap(outcome, abs(value)),
        }
        if not is_clear:
            words |= {"low": self._more_or_less(outcome, low), "high": self._more_or_less(outcome, high)}
            said = (
                _(
                    "No difference in %(answer)s was found between %(group)s and %(first)s. With "
                    "%(group)s, the difference is between %(low)s and %(high)s."
                )
                if is_mean
                else _(
                    "No difference in the answer %(answer)s was found between %(group)s and "
                    "%(first)s. With %(group)s, the difference is between %(low)s and %(high)s."
                )
            )
        elif value > 0:
            words |= {"low": self._gap(outcome, low), "high": self._gap(outcome, high)}
            said = (
                _(
                    "With %(group)s, %(answer)s is %(points)s higher than with %(first)s (%(low)s"
                    " to %(high)s)."
                )
                if is_mean
                else _(
                    "With %(group)s, the share of people who answered %(answer)s is %(points)s "
                    "points higher than with %(first)s (%(low)s to %(high)s)."
                )
            )
        else:
            words |= {"low": self._gap(outcome, -high), "high": self._gap(outcome, -low)}
            said = (
                _("With %(group)s, %(answer)s is %(points)s lower than with %(first)s (%(low)s to %(high)s).")
                if is_mean
                else _(
                    "With %(group)s, the share of people who answered %(answer)s is %(points)s "
                    "points lower than with %(first)s (%(low)s to %(high)s)."
                )
            )
        chosen = (
            _("The range is corrected for the %(count)s comparisons that were made.")
            % {"count": self._possible}
            if self._possible > 1
            else ""
        )
        return " ".join(
            filter(None, [said % words, chosen, self._meaning(outcome, value, is_clear=is_clear)])
        )

    def _meaning(self, outcome: int, value: float, *, is_clear: bool) -> str:
        """Say what was expected, where it was written down before the first answer."""
        expected = self._expected_of(outcome)
        if expected is None:
            return _("No expectation was recorded in advance.")
        if self.results.by == STRENGTH and is_clear and expected != "neither":
            # The strong disguise is the first group: less of it under the light one is hiding.
            as_expected = (value < 0) == (expected == "deny")
            words = {"deny": "less", "claim": "more"} if self.choices[outcome].is_mean else {}
            return (
                {
                    "deny": _("This is expected if people deny it when they feel watched."),
                    "claim": _("This is expected if people claim it when they feel watched."),
                    "less": _("This is expected if people report less when they feel watched."),
                    "more": _("This is expected if people report more when they feel watched."),
                }[words.get(expected, expected)]
                if as_expected
                else _("This is the opposite of the recorded expectation.")
            )
        return _("Expectation recorded in advance: %(expected)s.") % {"expected": self._expectation(outcome)}

    @property
    def joint(self) -> str:
        """One test of all questions."""
        test = self.results.effects.joint
        if test.p_value is None:
            return _("Too few people answered to test all questions together.")
        said = _("All questions together: p %(p)s (F test, %(degrees)s and %(rest)s degrees of freedom).")
        rest = number(test.rest, 0) if math.isfinite(test.rest) else "∞"
        return said % {"p": p_text(test.p_value), "degrees": test.degrees, "rest": rest}

    @property
    def groups(self) -> list[tuple[str, int, str, str]]:
        """Each group, how many people it has, their share, and the drawn share."""
        total = sum(self.results.rows)
        return [
            (self._group(position), people, f"{100 * people / total:.1f}", f"{100 * group.drawn:.1f}")
            for position, (group, people) in enumerate(
                zip(self.results.groups, self.results.rows, strict=True)
            )
        ]

    @property
    def _stayed_p(self) -> float:
        """The p-value of "as many stayed of each group": of those invited, or else of those drawn."""
        return response_test(self.results.rows, self.invited) if self.invited else self.results.share_p_value

    @property
    def is_uneven(self) -> bool:
        """Whether the groups are of other sizes than chance makes."""
        return self._stayed_p < DRAW_TEST_SIZE

    @property
    def share_p(self) -> str:
        """The p-value of that."""
        return p_text(self._stayed_p)

    @property
    def responses(self) -> list[tuple[str, int, int, str, str]]:
        """Each group, how many were invited and answered, the rate, and its difference to the first group."""
        people = zip(self.results.rows, self.invited, strict=False)
        return [
            (
                self._group(position),
                invited,
                answered,
                f"{100 * answered / invited:.1f}",
                _("%(points)s points (%(low)s to %(high)s)")
                % dict(zip(("points", "low", "high"), map(_points, self._response(position)), strict=True))
                if position
                else "–",
            )
            for position, (answered, invited) in enumerate(people)
        ]

    def _response(self, position: int) -> tuple[float, float, float]:
        """By how much the response rate of a group exceeds that of the first, with both ends."""
        rows, invited = self.results.rows, self.invited
        return rate_difference((rows[0], rows[position]), (invited[0], invited[position]))

    @property
    def answers(self) -> list[ArmAnswer]:
        """Each answer in each group, and the differences to the first."""
        return [
            ArmAnswer(
                name=choice.name,
                p=p_text(self._p_of(outcome)),
                expected=self._expectation(outcome),
                groups=tuple(
                    (
                        self._group(group),
                        self._value(group, outcome),
                        self._difference(group, outcome) if group else "–",
                    )
                    for group in range(len(self.results.groups))
                ),
            )
            for outcome, choice in self._compared
        ]

    @property
    def anchors(self) -> list[str]:
        """How many of each group said yes to what everybody knows."""
        said = {
            "nobody": _("False “yes” to “%(question)s”, which applies to no one: %(shares)s."),
            "everybody": _("“Yes” to “%(question)s”, which applies to everyone: %(shares)s."),
        }
        return [
            said[true_of]
            % {
                "question": self.choices[outcome].group.rstrip("."),
                "shares": "; ".join(
                    f"{self._group(group)} {self._value(group, outcome)}"
                    for group in range(len(self.results.groups))
                ),
            }
            for outcome, true_of in self.results.anchors.items()
        ]

    @property
    def _compared(self) -> list[tuple[int, Choice]]:
        """The outcomes that are tested: all but anchors."""
        return [pair for pair in enumerate(self.choices) if pair[0] not in self.results.anchors]

    @property
    def has_means(self) -> bool:
        """Whether the averages of numbers are among the outcomes."""
        return any(choice.is_mean for choice in self.choices)

    @property
    def left_out(self) -> str:
        """Name the questions that too few of a group were asked."""
        return ", ".join(self.keys[number] for number in self.results.left_out)

    @property
    def weighted(self) -> str:
        """Say what the weights cost."""
        effects = [
            effect
            for group in range(len(self.results.groups))
            for outcome in range(len(self.choices))
            if (effect := self.results.design_effect(group, outcome)) is not None
        ]
        if not effects:
            return ""
        said = _(
            "Weighted to the shares that you entered. The variances are %(low)s to %(high)s times"
            " those without weights."
        )
        return said % {"low": number(min(effects), 2), "high": number(max(effects), 2)}

    @property
    def understanding(self) -> list[tuple[str, list[str]]]:
        """Comprehension and trust: each answer, with its share in each group."""
        return [
            (self.labels.items[item].short, [_share_of(*pair) for pair in own] if own else few)
            for few in [[_("too few to show")] * len(self.results.groups)]
            for item, own in self.results.understanding.items()
        ]

    @property
    def first(self) -> str:
        """The group that the others are compared with."""
        return self._group(0)

    def drawing(self) -> SafeString:
        """Draw the differences with their intervals, one below the other."""
        several = len(self.results.groups) > 2
        rows = []
        for outcome, choice in self._compared:
            for group in range(1, len(self.results.groups)):
                value, low, high = self._gaps(group, outcome)
                rows.append(
                    IntervalRow(
                        name=f"{choice.name} – {self._group(group)}" if several else choice.name,
                        text=self._difference(group, outcome),
                        value=value,
                        low=low,
                        high=high,
                    )
                )
        title = _("Differences from %(first)s") % {"first": self.first}
        return differences_svg(rows, title=title, unit=_("points more"))

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a record of each answer in each group, by `COLUMNS`; then what they understand, and trust."""
        yield from self._estimated()
        for item, counted in self.results.understanding.items():
            # Of too few nothing is told.
            for arm, people, (yes, n) in zip(
                self.results.groups, self.results.rows, counted or (), strict=False
            ):
                share = yes / n if n else None
                yield dict.fromkeys(COLUMNS) | {
                    "by": self.results.by,
                    "group": arm.name,
                    "people": people,
                    "drawn_share": arm.drawn,
                    "role": "understanding",
                    "outcome": self.labels.items[item].key,
                    "outcome_label": self.labels.items[item].short,
                    "share": share,
                    "standard_error": None if share is None else math.sqrt(share * (1 - share) / n),
                    "weighted": False,
                }

    def _estimated(self) -> Iterator[dict[str, Any]]:
        results, effects = self.results, self.results.effects
        for group, (arm, people) in enumerate(zip(results.groups, results.rows, strict=True)):
            responded = self._response(group) if self.invited and group else (None, None, None)
            for outcome, choice in enumerate(self.choices):
                low, high = map(choice.value, effects.share_interval(group, outcome))
                value = choice.value(float(effects.shares[group, outcome]))
                gaps = [choice.gap(end) for end in self._gaps(group, outcome)] if group else [None] * 3
                tested = self._question_of(outcome)
                yield {
                    "by": results.by,
                    "group": arm.name,
                    "people": people,
                    "drawn_share": arm.drawn,
                    "role": "check" if outcome in results.anchors else "answer",
                    "outcome": choice.key,
                    "outcome_label": choice.name,
                    "share": None if choice.is_mean else value,
                    "mean": value if choice.is_mean else None,
                    "low": low,
                    "high": high,
                    "standard_error": choice.gap(float(effects.errors[group, outcome])),
                    "difference": gaps[0],
                    "difference_low": gaps[1],
                    "difference_high": gaps[2],
                    "p_value": None if tested is None else effects.p_values[tested],
                    "p_holm": None if tested is None else effects.adjusted[tested],
                    "expected": self._expected_of(outcome),
                    "joint_statistic": effects.joint.statistic,
                    "joint_degrees": effects.joint.degrees,
                    "joint_rest_degrees": effects.joint.rest if math.isfinite(effects.joint.rest) else None,
                    "joint_p_value": effects.joint.p_value,
                    "drawn_share_p_value": results.share_p_value,
                    "weighted": results.unweighted is not None,
                    "design_effect": results.design_effect(group, outcome),
                    "invited": self.invited[group] if self.invited else None,
                    "response_rate": people / self.invited[group] if self.invited else None,
                    **dict(zip(COLUMNS[-4:-1], responded, strict=True)),
                    "response_p_value": self._stayed_p if self.invited else None,
                }

    def _chosen(self) -> tuple[int, int]:
        """Return the further group and the answer that the sentence is about."""
        effects, errors = self.results.effects, self.results.effects.difference_errors
        # Where nothing varies there is nothing to tell.
        sizes = np.divide(abs(effects.differences), errors, out=np.zeros_like(errors), where=errors > 0)
        return max(
            itertools.product(range(1, len(self.results.groups)), self._wanted),
            key=lambda pair: float(sizes[pair[0] - 1, pair[1]]),
        )

    @property
    def _wanted(self) -> list[int]:
        """The outcomes that the sentence chooses from."""
        every = [outcome for outcome, _ in self._compared]
        return [outcome for outcome, choice in self._compared if choice.key in self.wanted] or every

    @property
    def _possible(self) -> int:
        """How many comparisons the sentence could have named."""
        return (len(self.results.groups) - 1) * len(self._wanted)

    def _question_of(self, outcome: int) -> int | None:
        """Return which of the tested questions an answer belongs to; None of an anchor."""
        numbers = [number for number, _ in self.results.questions]
        number = self.results.numbers[outcome]
        return numbers.index(number) if number in numbers else None

    def _p_of(self, outcome: int) -> float:
        tested = self._question_of(outcome)
        return 1.0 if tested is None else self.results.effects.adjusted[tested]

    def _expected_of(self, outcome: int) -> str | None:
        return self.expected.get(self.keys[self.results.numbers[outcome]])

    def _expectation(self, outcome: int) -> str:
        """Say what was written down beforehand; nothing where nothing was."""
        expected = self._expected_of(outcome)
        words = EXPECTATIONS_OF_NUMBERS if self.choices[outcome].is_mean else EXPECTATIONS
        return str(words[expected]) if expected else ""

    def _value(self, group: int, outcome: int) -> str:
        """Write the share or the mean of a group, with both ends."""
        effects, choice = self.results.effects, self.choices[outcome]
        ends = (float(effects.shares[group, outcome]), *effects.share_interval(group, outcome))
        if choice.channel is None:
            said = _("%(value)s%% (%(low)s to %(high)s)")
            texts = [_of_hundred(end) for end in ends]
        else:
            said = _("%(value)s (%(low)s to %(high)s)")
            texts = [typed(choice.value(end), choice.channel) for end in ends]
        return said % dict(zip(("value", "low", "high"), texts, strict=True))

    def _gaps(self, group: int, outcome: int) -> tuple[float, float, float]:
        """Return a difference to the first group, with both ends, as shares."""
        effects = self.results.effects
        return float(effects.differences[group - 1, outcome]), *effects.interval(group, outcome)

    def _difference(self, group: int, outcome: int) -> str:
        """Write a difference to the first group, with both ends."""
        value, low, high = (self._gap(outcome, end) for end in self._gaps(group, outcome))
        said = _("%(value)s (%(low)s to %(high)s)")
        if not self.choices[outcome].is_mean:
            said = _("%(points)s points (%(low)s to %(high)s)")
        return said % {"value": value, "points": value, "low": low, "high": high}

    def _gap(self, outcome: int, share: float) -> str:
        choice = self.choices[outcome]
        return _points(share) if choice.channel is None else gap_text(choice, choice.channel, share)

    def _more_or_less(self, outcome: int, share: float) -> str:
        """Say a difference with its direction."""
        if self.choices[outcome].is_mean:
            said = _("%(points)s less") if share < 0 else _("%(points)s more")
        else:
            said = _("%(points)s points less") if share < 0 else _("%(points)s points more")
        return said % {"points": self._gap(outcome, abs(share))}

    def _group(self, position: int) -> str:
        names = {
            "strong": _("the strong disguise"),
            "light": _("the light disguise"),
            "direct": _("no disguise"),
        }
        own = self.results.groups[position]
        *arms, last = own.name.split(", ")
        # A division by strength comes last; an arm may have the key of one.
        said = f"“{last}”" if own.direct is None else names[last]
        return ", ".join([*(f"“{arm}”" for arm in arms), said])


def _points(share: float) -> str:
    """Write a difference in points, with a minus that is one.

    Examples
    --------
    >>> _points(-.0412), _points(.0004)
    ('−4.1', '0.0')
    """
    text = f"{abs(100 * share):.1f}"
    return f"{MINUS}{text}" if share < 0 and float(text) else text


def _share_of(yes: int, n: int) -> str:
    return _("%(share)s%% of %(n)s") % {"share": _of_hundred(yes / n), "n": n} if n else "–"


def _of_hundred(share: float) -> str:
    return number(100 * float(share), 1) or "0"
