"""Did it help? Shares by the arms of an experiment in words, a forest plot with its table, and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.response_rates import rate_difference, response_test
from privacy.policy import DRAW_TEST_SIZE, SIGNIFICANCE_LEVEL
from privacy.survey.design import STRENGTH
from surveys.charts.intervals import IntervalRow, differences_svg
from surveys.figures.arm_effects import ArmResults
from surveys.formats.figures import MINUS, number, p_text
from surveys.questionnaire.aim import EXPECTATIONS
from surveys.questionnaire.labels import Labels
from surveys.report.frequencies import item_words

__all__ = ["COLUMNS", "ArmRow", "ArmText"]

COLUMNS: Final = (
    "by", "group", "people", "drawn_share", "outcome", "outcome_label", "share", "standard_error",
    "difference", "difference_low", "difference_high", "p_value", "p_holm", "expected",
    "joint_statistic", "joint_degrees", "joint_p_value", "drawn_share_p_value",
    "invited", "response_rate", "response_difference", "response_low", "response_high", "response_p_value",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ArmRow:
    """One answer in one further group, beside the first."""

    name: str
    group: str
    first: str
    share: str
    difference: str
    ends: str
    p: str
    expected: str


@dataclass(frozen=True, kw_only=True)
class ArmText:
    """An experiment as pages tell it.

    Attributes
    ----------
    results : ArmResults
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
        low, high = effects.interval(group, outcome)
        words = {
            "group": self._group(group),
            "first": self._group(0),
            "answer": item_words(self.labels.items[self.results.outcomes[outcome]]),
            "points": _points(abs(value)),
            "low": _points(low),
            "high": _points(high),
        }
        if self._p_of(outcome) >= SIGNIFICANCE_LEVEL:
            words |= {"low": _more_or_less(low), "high": _more_or_less(high)}
            said = _(
                "No difference can be told between %(group)s and %(first)s in the answer %(answer)s: with "
                "%(group)s it lies between %(low)s and %(high)s."
            )
        elif value > 0:
            said = _(
                "With %(group)s %(points)s points more gave the answer %(answer)s than with %(first)s "
                "(%(low)s to %(high)s)."
            )
        else:
            words |= {"low": _points(-high), "high": _points(-low)}
            said = _(
                "With %(group)s %(points)s points fewer gave the answer %(answer)s than with %(first)s "
                "(%(low)s to %(high)s)."
            )
        return " ".join([said % words, self._meaning(outcome, value)])

    def _meaning(self, outcome: int, value: float) -> str:
        """Say what was expected, where it was written down before the first answer."""
        expected = self._expected_of(outcome)
        if expected is None:
            return _("What to expect was not written down beforehand.")
        if self.results.by == STRENGTH and self._p_of(outcome) < SIGNIFICANCE_LEVEL and expected != "neither":
            # The strong disguise is the first group: less of it under the light one is hiding.
            as_expected = (value < 0) == (expected == "deny")
            return (
                {
                    "deny": _("It is what one expects if people deny it when they feel seen."),
                    "claim": _("It is what one expects if people claim it when they feel seen."),
                }[expected]
                if as_expected
                else _("It is the opposite of what was written down beforehand.")
            )
        return _("Written down beforehand: %(expected)s.") % {"expected": EXPECTATIONS[expected]}

    @property
    def joint(self) -> str:
        """One test of all questions."""
        effects = self.results.effects
        return _("All questions together: p %(p)s (Wald’s test, %(degrees)s degrees of freedom).") % {
            "p": p_text(effects.p_value),
            "degrees": effects.degrees,
        }

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
    def rows(self) -> list[ArmRow]:
        """Each answer in each further group beside the first."""
        effects = self.results.effects
        return [
            ArmRow(
                name=self.labels.items[item].short,
                group=self._group(group),
                first=_of_hundred(effects.shares[0, outcome]),
                share=_of_hundred(effects.shares[group, outcome]),
                difference=_points(float(effects.differences[group - 1, outcome])),
                ends=_("%(low)s to %(high)s") % self._ends(group, outcome),
                p=p_text(self._p_of(outcome)),
                expected=self._expectation(outcome),
            )
            for outcome, item in enumerate(self.results.outcomes)
            for group in range(1, len(self.results.groups))
        ]

    @property
    def understanding(self) -> list[tuple[str, list[str]]]:
        """Comprehension and trust: each answer, with its share in each group."""
        return [
            (self.labels.items[item].short, [_share_of(*pair) for pair in own] if own else few)
            for few in [[_("too few to tell")] * len(self.results.groups)]
            for item, own in self.results.understanding.items()
        ]

    @property
    def first(self) -> str:
        """The group that the others are compared with."""
        return self._group(0)

    def drawing(self, *, paper: bool = False) -> SafeString:
        """Draw the differences with their intervals, one below the other."""
        effects = self.results.effects
        several = len(self.results.groups) > 2
        rows = []
        for outcome, item in enumerate(self.results.outcomes):
            for group in range(1, len(self.results.groups)):
                value, (low, high) = (
                    float(effects.differences[group - 1, outcome]),
                    effects.interval(group, outcome),
                )
                name = self.labels.items[item].short
                rows.append(
                    IntervalRow(
                        name=f"{name} – {self._group(group)}" if several else name,
                        text=_("%(points)s points (%(low)s to %(high)s)")
                        % {"points": _points(value), **self._ends(group, outcome)},
                        value=value,
                        low=low,
                        high=high,
                    )
                )
        title = _("Differences to %(first)s") % {"first": self.first}
        return differences_svg(rows, title=title, unit=_("points more"), paper=paper)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a record of each answer in each group, by `COLUMNS`."""
        results, effects = self.results, self.results.effects
        for group, (arm, people) in enumerate(zip(results.groups, results.rows, strict=True)):
            responded = self._response(group) if self.invited and group else (None, None, None)
            for outcome, item in enumerate(results.outcomes):
                low, high = effects.interval(group, outcome) if group else (None, None)
                tested = self._question_of(outcome)
                yield {
                    "by": results.by,
                    "group": arm.name,
                    "people": people,
                    "drawn_share": arm.drawn,
                    "outcome": self.labels.items[item].key,
                    "outcome_label": self.labels.items[item].short,
                    "share": float(effects.shares[group, outcome]),
                    "standard_error": float(effects.errors[group, outcome]),
                    "difference": float(effects.differences[group - 1, outcome]) if group else None,
                    "difference_low": low,
                    "difference_high": high,
                    "p_value": effects.p_values[tested],
                    "p_holm": effects.adjusted[tested],
                    "expected": self._expected_of(outcome),
                    "joint_statistic": effects.statistic,
                    "joint_degrees": effects.degrees,
                    "joint_p_value": effects.p_value,
                    "drawn_share_p_value": results.share_p_value,
                    "invited": self.invited[group] if self.invited else None,
                    "response_rate": people / self.invited[group] if self.invited else None,
                    **dict(zip(COLUMNS[-4:-1], responded, strict=True)),
                    "response_p_value": self._stayed_p if self.invited else None,
                }

    def _chosen(self) -> tuple[int, int]:
        """Return the further group and the answer that the sentence is about."""
        effects, results = self.results.effects, self.results
        keys = [self.labels.items[item].key for item in results.outcomes]
        wanted = [keys.index(key) for key in self.wanted if key in keys] or list(range(len(keys)))
        sizes = abs(effects.differences) / effects.difference_errors
        return max(
            ((group, outcome) for group in range(1, len(results.groups)) for outcome in wanted),
            key=lambda pair: float(sizes[pair[0] - 1, pair[1]]),
        )

    def _question_of(self, outcome: int) -> int:
        """Return which of the tested questions an answer belongs to."""
        ends = [own[-1] if own else -1 for _, own in self.results.questions]
        return next(
            (position for position, (_, own) in enumerate(self.results.questions) if outcome in own),
            # The last option of a choice is not tested by itself.
            max(position for position, end in enumerate(ends) if end < outcome) if min(ends) < outcome else 0,
        )

    def _p_of(self, outcome: int) -> float:
        return self.results.effects.adjusted[self._question_of(outcome)]

    def _expected_of(self, outcome: int) -> str | None:
        number = self.results.questions[self._question_of(outcome)][0]
        return self.expected.get(self.keys[number])

    def _expectation(self, outcome: int) -> str:
        expected = self._expected_of(outcome)
        return _("not written down") if expected is None else str(EXPECTATIONS[expected])

    def _ends(self, group: int, outcome: int) -> dict[str, str]:
        low, high = self.results.effects.interval(group, outcome)
        return {"low": _points(low), "high": _points(high)}

    def _group(self, position: int) -> str:
        names = {"strong": _("the strong disguise"), "light": _("the light disguise")}
        own = self.results.groups[position]
        parts = own.name.split(", ")
        return ", ".join(
            names[part] if own.direct is not None and part in names else f"“{part}”" for part in parts
        )


def _points(share: float) -> str:
    """Write a difference in points, with a minus that is one.

    Examples
    --------
    >>> _points(-.0412), _points(.0004)
    ('−4.1', '0.0')
    """
    text = f"{abs(100 * share):.1f}"
    return f"{MINUS}{text}" if share < 0 and float(text) else text


def _more_or_less(share: float) -> str:
    """Say a difference in points with its direction.

    Examples
    --------
    >>> _more_or_less(-.03), _more_or_less(.05)
    ('3.0 points less', '5.0 points more')
    """
    said = _("%(points)s points less") if share < 0 else _("%(points)s points more")
    return said % {"points": _points(abs(share))}


def _share_of(yes: int, n: int) -> str:
    return _("%(share)s %% of %(n)s") % {"share": _of_hundred(yes / n), "n": n} if n else "–"


def _of_hundred(share: float) -> str:
    return number(100 * float(share), 1) or "0"
