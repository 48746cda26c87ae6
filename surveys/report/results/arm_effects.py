"""Did it help? All disguised answers by the arms of an experiment, in words and as records."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from privacy.estimation.added_denial import added_denial
from privacy.estimation.forged_shift import score_range, share_shift
from privacy.estimation.margins import Margin
from privacy.estimation.response_rates import rate_difference, response_test
from privacy.forged import NEVER
from privacy.p_values import PValue
from privacy.policy import DRAW_TEST_SIZE, USEFUL_DIFFERENCE
from privacy.printed import Measured, Origin
from privacy.survey.design import STRENGTH, Design
from surveys.errors.error import in_sentences
from surveys.formats.figures import known_error
from surveys.formats.interval_chart import differences_svg
from surveys.formats.joints import answer_text, list_text, series_text
from surveys.formats.numbers import count_text, number, percent_text
from surveys.formats.p_values import about_p_values, p_text
from surveys.questionnaire.aim import EXPECTATIONS, EXPECTATIONS_OF_NUMBERS, Aim
from surveys.questionnaire.labels import Labels
from surveys.report.opened_run import OpenedRun
from surveys.report.results.choice import Choice
from surveys.report.results.choices import choices_of
from surveys.report.results.outcomes import COLUMNS, Cell, OutcomeRow, gap_interval
from surveys.report.sentences.verdict import forged_words, interim_words
from surveys.respondent.invitations import invited_by_arm
from surveys.runs.arm_results import ArmResults, arm_results
from surveys.runs.opening_figures import stored_arms
from surveys.runs.p_values import methods_in_files
from surveys.runs.releasable_rows import releasable_design
from surveys.runs.run_figures import origin_of
from surveys.runs.withheld import withheld_of

LEVEL: Final = 0.95
_SAYS_NOTHING: Final = 1.0
"""Width of a difference’s interval from which it does not say whether there is one."""


@dataclass(frozen=True, kw_only=True)
class ArmText:
    """An experiment: all disguised answers by randomly drawn groups.

    Attributes
    ----------
    results : ArmResults
    choices : tuple of Choice
        The outcomes, in the order of `results`.
    labels : Labels
    keys : tuple of str
        Keys of the survey's questions, by number.
    design : Design
        Of the released rows.
    origin : Origin
        What is known about the rows.
    forged : int
        Number of rows that no device sent.
    expected : mapping of str to str
        Expectations recorded in advance, by question.
    wanted : tuple of str
        Keys of the items that the survey was planned for.
    invited : tuple of int
        Number of people invited to each group; empty if invitations do not decide the group.
    """

    results: ArmResults
    choices: tuple[Choice, ...]
    labels: Labels
    keys: tuple[str, ...]
    expected: Mapping[str, str]
    wanted: tuple[str, ...]
    design: Design
    origin: Origin
    forged: int
    invited: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        """The title, which names what divides the people."""
        return _("Did it help? By %(by)s") % {"by": division_name(self.results.by)}

    @property
    def sentence(self) -> str:
        """One sentence on the clearest difference, among the planned answers if there are any."""
        group, outcome = self._choose()
        effects, choice = self.results.effects, self.choices[outcome]
        value = float(effects.differences[group - 1, outcome])
        low, high = effects.interval(group, outcome, level=1 - (1 - LEVEL) / self._n_comparisons)
        is_clear = not low <= 0 <= high
        words = {"group": self._group(group), "first": self._group(0), "answer": choice.quantity}
        if not is_clear and not choice.is_mean and high - low >= _SAYS_NOTHING:
            template = _("There are too few answers to compare %(answer)s between %(group)s and %(first)s.")
        elif is_clear:
            template = (
                _("With %(group)s, %(answer)s is %(gap)s higher than with %(first)s (%(low)s to %(high)s).")
                if value > 0
                else _(
                    "With %(group)s, %(answer)s is %(gap)s lower than with %(first)s (%(low)s to %(high)s)."
                )
            )
            near, far = sorted((abs(low), abs(high)))
            at_least = _("at least %(low)s") % {"low": choice.gap_text(near)}
            words |= {"gap": choice.gap_text(abs(value)) if abs(value) <= 1 else at_least}
            words |= {"low": choice.gap_text(near, unit=False), "high": choice.gap_text(far, unit=False)}
        else:
            largest = max(abs(low), abs(high))
            template = (
                _(
                    "A difference of more than %(largest)s in %(answer)s between %(group)s and %(first)s is "
                    "ruled out. With %(group)s, the difference is between %(low)s and %(high)s."
                )
                if largest < USEFUL_DIFFERENCE and not self.forged and self.origin.look != "interim"
                else _(
                    "It is too uncertain to say whether %(answer)s differs between %(group)s and %(first)s. "
                    "With %(group)s, the difference is between %(low)s and %(high)s."
                )
            )
            words["largest"] = choice.largest_gap_text(largest)
            words |= {"low": _more_or_less(choice, low), "high": _more_or_less(choice, high)}
        note = _("The range is corrected for the %(count)s comparisons that were made.")
        footnote = note % {"count": count_text(self._n_comparisons)} if self._n_comparisons > 1 else ""
        doubts = self._doubts if is_clear else ()
        meaning = "" if doubts else self._meaning(outcome, value, is_clear=is_clear)
        return in_sentences(template % words, footnote, *doubts, meaning)

    @property
    def _doubts(self) -> list[str]:
        """Why a difference that the interval shows is no finding."""
        flips = self.flips
        is_explained = self.forged and (flips is None or 0 <= flips <= self.forged)
        return [
            *([forged_words()] if is_explained else []),
            *([interim_words()] if self.origin.look == "interim" else []),
        ]

    def _meaning(self, outcome: int, value: float, *, is_clear: bool) -> str:
        """Relate the result to the expectation that was recorded before the first answer."""
        expected = self._expected_of(outcome)
        if expected is None:
            return _("No expectation was recorded in advance.")
        if self.results.by == STRENGTH and is_clear and expected != "neither":
            # The first group has the strong disguise. If fewer admit it under the light one, people deny it.
            if (value < 0) != (expected == "deny"):
                return _("This is the opposite of the recorded expectation.")
            words = {"deny": "less", "claim": "more"} if self.choices[outcome].is_mean else {}
            return {
                "deny": _("This is expected if people deny it when they feel watched."),
                "claim": _("This is expected if people claim it when they feel watched."),
                "less": _("This is expected if people report less when they feel watched."),
                "more": _("This is expected if people report more when they feel watched."),
            }[words.get(expected, expected)]
        return _("Expectation recorded in advance: %(expected)s.") % {"expected": self._expectation(outcome)}

    @property
    def added_denials(self) -> list[tuple[str, str, str]]:
        """The denial that the weaker protection adds: each answer, with its interval and its error.

        Empty unless the groups are two strengths of the disguise.
        """
        if self.results.by != STRENGTH:
            return []
        found = []
        for outcome, choice in self._outcomes:
            _strong, weak = self._cells(outcome)
            if choice.is_mean or weak.difference is None:
                continue
            added = added_denial(weak.difference)
            known = known_error(added.standard_error) if added.estimable else None
            error = "–" if known is None else choice.gap_text(known)
            found.append((choice.name, gap_interval(choice, added), error))
        return found

    @property
    def joint(self) -> str:
        """The joint test of all questions, as a sentence."""
        test = self.results.effects.joint
        if test.p_value is None:
            return _("Too few people answered to test all questions together.")
        template = _("All questions together: p %(p)s (F test, %(degrees)s and %(rest)s degrees of freedom).")
        rest = number(test.rest, 0) if math.isfinite(test.rest) else "∞"
        return template % {"p": p_text(self._joint_test), "degrees": test.degrees, "rest": rest}

    @property
    def groups(self) -> list[tuple[str, int, str, str]]:
        """Each group with its number of people, its share, and the share of the design."""
        total = sum(self.results.rows)
        return [
            (self._group(position), people, f"{100 * people / total:.1f}", f"{100 * group.share:.1f}")
            for position, (group, people) in enumerate(
                zip(self.results.groups, self.results.rows, strict=True)
            )
        ]

    @property
    def _n(self) -> int:
        return sum(self.results.rows)

    @property
    def _joint_test(self) -> PValue:
        return self.results.effects.joint_test(n=self._n, origin=self.origin)

    @property
    def _drawn_test(self) -> PValue:
        return PValue(
            value=self.results.share_p_value, test="drawn shares", n=self._n, estimable=True,
            adjustment="none", family=1, origin=self.origin,
        )  # fmt: skip

    @property
    def _response_test(self) -> PValue:
        """The test of equal response rates if people were invited, else of the shares of the design."""
        if not self.invited:
            return self._drawn_test
        return PValue(
            value=response_test(self.results.rows, self.invited), test="response rates",
            n=sum(self.invited), estimable=True, adjustment="none", family=1, origin=self.origin,
        )  # fmt: skip

    @property
    def _response_p(self) -> float:
        return self._response_test.value

    @property
    def about_p(self) -> str:
        """How the p-values were made."""
        tests = [self._test(outcome) for outcome, _choice in self._outcomes]
        return about_p_values([*tests, self._joint_test, self._response_test])

    @property
    def p_methods(self) -> dict[str, str]:
        """How the p-values of its records were made, by column."""
        (outcome, _choice), *_others = self._outcomes
        tests = {
            "p_value": self._test(outcome, adjusted=False),
            "p_holm": self._test(outcome),
            "joint_p_value": self._joint_test,
            "drawn_share_p_value": self._drawn_test,
        }
        return methods_in_files(tests | ({"response_p_value": self._response_test} if self.invited else {}))

    @property
    def is_uneven(self) -> bool:
        """Whether the sizes of the groups contradict the random draw."""
        return self._response_p < DRAW_TEST_SIZE

    @property
    def share_p(self) -> str:
        """P-value of the test behind `is_uneven`."""
        return p_text(self._response_test)

    @property
    def responses(self) -> list[tuple[str, int, int, str, str]]:
        """Each group with its invitations, answers, response rate, and difference from the first group."""
        template = _("%(points)s points (%(low)s to %(high)s)")
        lines = []
        for position, (replies, n_sent) in enumerate(zip(self.results.rows, self.invited, strict=False)):
            rate = self._response(position)
            points, low, high = map(percent_text, (rate.value, rate.low, rate.high))
            gap = template % {"points": points, "low": low, "high": high} if position else "–"
            lines.append((self._group(position), n_sent, replies, f"{100 * replies / n_sent:.1f}", gap))
        return lines

    def _response(self, position: int) -> Measured:
        """Return how much a group's response rate exceeds the first group's."""
        rows, invitations = self.results.rows, self.invited
        return rate_difference((rows[0], rows[position]), (invitations[0], invitations[position]))

    @property
    def rows(self) -> list[OutcomeRow]:
        """The tested answers: all except anchors."""
        return [
            OutcomeRow(
                name=choice.name,
                p=p_text(self._test(outcome)),
                expected=self._expectation(outcome),
                cells=self._cells(outcome),
            )
            for outcome, choice in self._outcomes
        ]

    def _cells(self, outcome: int) -> tuple[Cell, ...]:
        effects = self.results.effects
        return tuple(
            Cell(
                choice=self.choices[outcome],
                group=self._group(group),
                value=effects.share(
                    group,
                    outcome,
                    n=self.results.rows[group],
                    shift=self.shift(group, outcome),
                    origin=self.origin,
                ),
                difference=effects.difference(
                    group,
                    outcome,
                    n=self.results.rows[group],
                    # Forged rows move a difference most if all are in one group.
                    shift=max((self.shift(0, outcome), self.shift(group, outcome)), key=_unknown_last),
                    origin=self.origin,
                )
                if group
                else None,
            )
            for group in range(len(self.results.groups))
        )

    def shift(self, group: int, outcome: int) -> float | None:
        """Return how far forged rows in a group could have moved a share; None for a mean."""
        items = self.results.outcomes[outcome].items
        if not self.forged or not items:
            return None if self.forged else 0.0
        share = float(self.results.effects.shares[group, outcome])
        n = int(self.results.effects.sizes[group, outcome])
        return share_shift(self.design, items, value=share, n=n, rows=self.forged)

    @property
    def anchors(self) -> list[str]:
        """How many people of each group said yes to each anchor question."""
        templates = {
            "nobody": _("False “yes” to “%(question)s”, which applies to no one: %(shares)s."),
            "everybody": _("“Yes” to “%(question)s”, which applies to everyone: %(shares)s."),
        }
        return [
            templates[true_of]
            % {
                "question": self.choices[outcome].group.rstrip("."),
                "shares": series_text(f"{cell.group} {cell.text}" for cell in self._cells(outcome)),
            }
            for outcome, true_of in self.results.anchors.items()
        ]

    @property
    def _outcomes(self) -> list[tuple[int, Choice]]:
        """The tested outcomes: all except anchors."""
        return [pair for pair in enumerate(self.choices) if pair[0] not in self.results.anchors]

    @property
    def has_means(self) -> bool:
        """Whether the averages of numbers are among the outcomes."""
        return any(choice.is_mean for choice in self.choices)

    @property
    def reference(self) -> str:
        """The group that the others are compared with."""
        return self._group(0)

    @property
    def left_out(self) -> str:
        """Name the questions that too few of a group were asked."""
        return list_text(self.keys[number] for number in self.results.left_out)

    @property
    def weights_text(self) -> str:
        """State the design effects of the weights."""
        effects = [
            effect
            for group in range(len(self.results.groups))
            for outcome in range(len(self.choices))
            if (effect := self.results.design_effect(group, outcome)) is not None
        ]
        if not effects:
            return ""
        template = _(
            "Weighted to the shares that you entered. The variances are %(low)s to %(high)s times"
            " those without weights."
        )
        return template % {"low": number(min(effects), 2), "high": number(max(effects), 2)}

    @property
    def understanding(self) -> list[tuple[str, list[str]]]:
        """Comprehension and trust: each answer, with its share in each group."""
        return [
            (self.labels.items[item].short, [_share_of(*pair) for pair in counts] if counts else few)
            for few in [[_("too few to show")] * len(self.results.groups)]
            for item, counts in self.results.understanding.items()
        ]

    def drawing(self) -> SafeString:
        """Draw the differences with their intervals, one below the other."""
        several = len(self.results.groups) > 2
        rows = [
            cell.choice.gap_row(
                answer_text(row.name, cell.group) if several else row.name,
                cell.difference_text,
                cell.difference,
            )
            for row in self.rows
            for cell in row.cells
            if cell.difference is not None
        ]
        title = _("Differences from %(first)s") % {"first": self._group(0)}
        return differences_svg(rows, title=title)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield a record for each answer in each group, then for comprehension and trust."""
        cells = [self._cells(outcome) for outcome in range(len(self.choices))]
        for group in range(len(self.results.groups)):
            for outcome, outcome_cells in enumerate(cells):
                yield (
                    self._group_record(group)
                    | self._outcome_record(outcome, group)
                    | outcome_cells[group].record()
                )
        for item, counts in self.results.understanding.items():
            # `counts` is None if too few people answered.
            for group, (yes, n) in enumerate(counts or ()):
                share = yes / n if n else None
                yield self._group_record(group) | {
                    "role": "understanding",
                    "outcome": self.labels.items[item].key,
                    "outcome_label": self.labels.items[item].short,
                    "share": share,
                    "standard_error": None if share is None else math.sqrt(share * (1 - share) / n),
                    "weighted": False,
                }

    def _group_record(self, group: int) -> dict[str, Any]:
        """Return the part of a record about its group."""
        arm, people = self.results.groups[group], self.results.rows[group]
        return dict.fromkeys(COLUMNS) | {
            "by": self.results.by,
            "by_label": division_name(self.results.by),
            "group": arm.name,
            "people": people,
            "group_share": people / sum(self.results.rows),
            "drawn_share": arm.share,
        }

    def _outcome_record(self, outcome: int, group: int) -> dict[str, Any]:
        """Return the part of a record about tests and response rates."""
        results, effects, test_index = self.results, self.results.effects, self._question_index(outcome)
        joint = effects.joint
        record = {
            "role": "check" if outcome in results.anchors else "answer",
            "p_value": None if test_index is None else effects.p_values[test_index],
            "p_holm": None if test_index is None else effects.adjusted[test_index],
            "weighted": results.unweighted is not None,
            "design_effect": results.design_effect(group, outcome),
            "expected": self._expected_of(outcome),
            "joint_statistic": joint.statistic,
            "joint_degrees": joint.degrees,
            "joint_rest_degrees": joint.rest if math.isfinite(joint.rest) else None,
            "joint_p_value": joint.p_value,
            "drawn_share_p_value": results.share_p_value,
        }
        if self.invited:
            rate = self._response(group) if group else None
            names = {"response_difference": "value", "response_low": "low", "response_high": "high"}
            record |= {name: None if rate is None else getattr(rate, end) for name, end in names.items()}
            record |= {
                "invited": self.invited[group],
                "response_rate": results.rows[group] / self.invited[group],
                "response_p_value": self._response_p,
            }
        return record

    @property
    def flips(self) -> int | None:
        """How many forged rows change the verdict of the sentence; None if unknown.

        It is unknown with weights, which forged rows would change, and for means, whose number of rows with
        each score is not stored.
        """
        group, outcome = self._choose()
        results = self.results
        if results.unweighted is not None or not results.outcomes[outcome].items:
            return None
        items = results.outcomes[outcome].items
        first, second = (
            score_range(self.design, items, direct=results.groups[each].direct) for each in (0, group)
        )
        level = 1 - (1 - LEVEL) / self._n_comparisons
        found = results.effects.flips(group, outcome, scores=(first, second), level=level)
        return NEVER if found is None else found

    def _choose(self) -> tuple[int, int]:
        """Return the group (other than the first) and the answer that the sentence is about."""
        effects, errors = self.results.effects, self.results.effects.difference_errors
        # Ignore differences without variance.
        sizes = np.divide(abs(effects.differences), errors, out=np.zeros_like(errors), where=errors > 0)
        return max(
            itertools.product(range(1, len(self.results.groups)), self._candidates),
            key=lambda pair: float(sizes[pair[0] - 1, pair[1]]),
        )

    @property
    def _candidates(self) -> list[int]:
        """The outcomes that the sentence chooses from."""
        every = [outcome for outcome, _ in self._outcomes]
        return [outcome for outcome, choice in self._outcomes if choice.key in self.wanted] or every

    @property
    def _n_comparisons(self) -> int:
        """Number of comparisons that the sentence chooses from."""
        return (len(self.results.groups) - 1) * len(self._candidates)

    def _question_index(self, outcome: int) -> int | None:
        """Return the index of an answer's question among the tested ones; None for an anchor."""
        numbers = [number for number, _ in self.results.questions]
        question = self.results.numbers[outcome]
        return numbers.index(question) if question in numbers else None

    def _test(self, outcome: int, *, adjusted: bool = True) -> PValue:
        """Return the test of an answer's question, adjusted over the questions unless stated."""
        effects, place = self.results.effects, self._question_index(outcome)
        values = effects.adjusted if adjusted else effects.p_values
        return PValue(
            value=math.nan if place is None else values[place], test="groups alike", n=self._n,
            estimable=place is not None, adjustment="Holm" if adjusted else "none",
            family=self._family if adjusted else 1, origin=self.origin,
        )  # fmt: skip

    @property
    def _family(self) -> int:
        """Number of questions that the adjustment allows for: tested, or withheld without a test."""
        results = self.results
        known = {*results.left_out, *results.numbers}
        withheld = [
            number
            for number, question in enumerate(self.design.questions)
            if self.design.blocks[self.design.block_of(number)].protected
            and not question.is_map
            and number not in known
        ]
        return len(results.effects.p_values) + len(withheld)

    def _expected_of(self, outcome: int) -> str | None:
        return self.expected.get(self.keys[self.results.numbers[outcome]])

    def _expectation(self, outcome: int) -> str:
        """Name the recorded expectation, if any."""
        expected = self._expected_of(outcome)
        words = EXPECTATIONS_OF_NUMBERS if self.choices[outcome].is_mean else EXPECTATIONS
        return str(words[expected]) if expected else ""

    def _group(self, position: int) -> str:
        names = {
            "strong": _("the strong disguise"),
            "light": _("the light disguise"),
            "direct": _("no disguise"),
        }
        group = self.results.groups[position]
        *arms, last = group.name.split(", ")
        # The strength comes last. `direct` distinguishes it from an arm with the same key.
        division = f"“{last}”" if group.direct is None else names[last]
        return list_text([*(f"“{arm}”" for arm in arms), division])


def _unknown_last(shift: float | None) -> float:
    return math.inf if shift is None else shift


def division_name(by: str) -> str:
    """Return the name of what divides the people."""
    return " × ".join(_("strength of the disguise") if key == STRENGTH else key for key in by.split(" × "))


def _more_or_less(choice: Choice, share: float) -> str:
    """Format a difference with its direction."""
    template = _("%(gap)s less") if share < 0 else _("%(gap)s more")
    return template % {"gap": choice.gap_text(abs(share))}


def _share_of(yes: int, n: int) -> str:
    return _("%(share)s%% of %(n)s") % {"share": percent_text(yes / n), "n": count_text(n)} if n else "–"


def arms_of(open_run: OpenedRun, by: str, margins: tuple[Margin, ...] = ()) -> ArmText:
    """Return the results of a run by arms.

    Raises
    ------
    PrivacyError
        As `surveys.runs.arm_results.arm_results`.
    """
    run = open_run.run
    aim = Aim.from_json(run.version.aim)
    choices = {choice.side: choice for choice in choices_of(run, open_run.labels)}
    results = arm_results(run, by, margins) if margins else stored_arms(run, by)
    counts = invited_by_arm(run.survey) if by == run.version.design.get("invited") else {}
    invitees = tuple(counts.get(group.name, 0) for group in results.groups)
    # Answers can outnumber invitations if some arrived without an invitation.
    is_valid = all(0 < most >= answers for answers, most in zip(results.rows, invitees, strict=True))
    return ArmText(
        results=results,
        invited=invitees if is_valid else (),
        choices=tuple(choices[side] for side in results.outcomes),
        labels=open_run.labels,
        keys=tuple(question.key for question in run.design.questions),
        expected=aim.expected if aim else {},
        wanted=aim.wanted if aim else (),
        design=releasable_design(run.version),
        origin=origin_of(run),
        forged=withheld_of(run).rows,
    )
