"""Plan a survey before its first answer: write its questions, build its design, and predict its precision.

A plan has layout, precision and power, and writes the preregistration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from mining.family import rule_family
from mining.frames.plan_changes import PlanChange, changes_of
from mining.frames.planned_composites import composite_lines, slips_of
from mining.thresholds import Sides
from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.planned_pairs import planned_basis
from privacy.levels import normal_quantile
from privacy.library.probabilities import Probability, exact
from privacy.library.shown_tables import Shown, data_frame
from privacy.planning.design_forms import DesignDraft, design_draft
from privacy.planning.plan import PlannedDesign
from privacy.planning.power import NEVER_ENOUGH
from privacy.planning.protection import MEDIUM, PROTECTIONS
from privacy.planning.use import Goal, Use, strong, times_half_width, use_of
from privacy.risk.amplification import promise
from privacy.risk.promise import Figures, Promise
from privacy.survey.design import Design
from privacy.survey.rotation import MOST_WAVES
from privacy.tables.missing_texts import is_missing_word

if TYPE_CHECKING:
    import numpy as np

    from privacy.library.frames import DataFrame


_LARGEST_ITEMSET = 3
_MOST_WANTED = 2
Guesses: TypeAlias = Probability | Mapping[str, Probability | Mapping[str, Probability]] | None
"""A share for all items, or shares by item, or by question and answer."""

_MOST_PEOPLE = 10**9


def plan_of(
    design: Design,
    people: int,
    *,
    guesses: Guesses,
    wanted: Sequence[str],
    protection: str | None,
    waves: int = 1,
    names: Mapping[str, str],
) -> tuple[PlannedDesign, DesignDraft | None]:
    """Lay out a design for this many people, or keep it, and compute its figures.

    Parameters
    ----------
    design : Design
    people, guesses, wanted, protection, waves
        As for `Survey.plan`.
    names : mapping of str to str
        Key -> name, if they differ.

    Returns
    -------
    PlannedDesign
    DesignDraft or None
        What was laid out; None if the design was kept.
    """
    validation.whole_number(people, "number of people", low=1, high=_MOST_PEOPLE, code="plan")
    validation.whole_number(waves, "number of waves", low=1, high=MOST_WAVES, code="plan")
    if protection is not None:
        validation.one_of(protection, "protection", allowed=tuple(PROTECTIONS), code="plan")
    goal = Goal(
        people=people,
        wanted=_wanted_keys(design, wanted),
        shares=_shares(design, guesses),
        strength=protection or MEDIUM,
        waves=waves,
    )
    draft = None
    if protection is None:
        whole = strong(design)
        plan = PlannedDesign(design=whole, aim=goal, use=use_of(whole, goal), promise=promise(whole))
    else:
        items = (f"{each.key}={option}" for each in design.questions for option in each.options)
        apart = [key for key in items if is_missing_word(names.get(key, key).partition("=")[2])]
        draft = design_draft(design, goal, names, apart=apart)
        if draft.plan is None:
            raise PrivacyError("plan.ceiling", protection)
        plan = draft.plan
    return plan.in_all_waves(), draft


def _wanted_keys(design: Design, names: Sequence[str]) -> tuple[str, ...]:
    keys = (names,) if isinstance(names, str) else tuple(names)
    if len(set(keys)) > _MOST_WANTED:
        raise PrivacyError("plan.wanted", len(keys), most=_MOST_WANTED)
    numbers = {question.key for question in design.questions if question.has_mean}
    for key in keys:
        if key not in numbers:
            design.item(key)
    return tuple(dict.fromkeys(keys))


def times_of(design: Design, keys: Sequence[str]) -> tuple[str, str]:
    """Return the keys of two yes/no questions that ask one thing for two times.

    Parameters
    ----------
    design : Design
    keys : sequence of str

    Raises
    ------
    PrivacyError
        ``plan.times``: not two different disguised yes/no questions. ``unknown_item``.
    """
    items = [design.item(key) for key in keys]
    asked = {item.question for item in items}
    if (
        len(keys) != 2
        or len(asked) != 2
        or not all(design.questions[number].is_binary for number in asked)
        or not all(design.blocks[item.block].protected for item in items)
    ):
        raise PrivacyError("plan.times", ", ".join(map(str, keys)))
    return keys[0], keys[1]


def _shares(design: Design, guesses: Guesses) -> dict[str, int]:
    if guesses is None:
        return {}
    if not isinstance(guesses, Mapping):
        guesses = {item.key: guesses for item in design.items}
    by_item: dict[str, Probability] = {}
    for key, guess in guesses.items():
        if isinstance(guess, Mapping):
            # By the answers of one question.
            by_item |= {f"{key}={option}": share for option, share in guess.items()}
        else:
            by_item[key] = guess
    shares = {
        design.item(key).key: round(exact(guess, f"guess of {key}") * SCALE) for key, guess in by_item.items()
    }
    for key, share in shares.items():
        validation.whole_number(share, f"guess of {key}", low=1, high=SCALE - 1, code="plan")
    return shares


def _odds_text(figures: Figures) -> str:
    skip = "" if figures.skip is None else f"{float(figures.skip):.3g} by a skip, "
    shared = "" if figures.shared is None else f"{float(figures.shared):.3g} by a shared filter, "
    every = f"{float(figures.everything):.3g} by everything"
    return f"{float(figures.answer):.3g} by one answer, {skip}{shared}{every}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Plan(Shown):
    """A planned survey, with the same figures as the plan page.

    Parameters
    ----------
    survey : Survey
        The survey with its blocks and probabilities.
    planned : PlannedDesign
    draft : DesignDraft or None
        What was laid out; None if the survey's blocks were kept.
    times : tuple of str, or None
        Keys of the questions that ask one thing for two times, then and now.
    """

    survey: Any
    planned: PlannedDesign
    draft: DesignDraft | None = None
    times: tuple[str, str] | None = None

    @property
    def use(self) -> Use:
        """Precision of every share and mean; power and smallest detectable difference of the wanted pair."""
        return self.planned.use

    @property
    def promise(self) -> Promise | None:
        """The largest odds for an attacker from one answer, and from everything one person sends."""
        return self.planned.promise

    @property
    def power(self) -> float | None:
        """Power to detect 30 points between the two wanted items, or the most that their guesses allow."""
        return self.use.power

    @property
    def detectable_difference(self) -> float | None:
        """Smallest difference detected 8 times in 10; None if the guesses rule out one that large."""
        return self.use.difference

    @property
    def slips(self) -> dict[str, float]:
        """Share of people without points whom careless answers count, by composite question.

        One in a hundred answers to components is assumed to be careless. Without questions whose bias is
        unknown.
        """
        return slips_of(self.planned.design, self.survey.names)

    @property
    def prediction(self) -> str | None:
        """How ``supports(borrow=True)`` will predict pairs, "shrunk" or "pooled" (docs/borrowing.md)."""
        return planned_basis(self.planned.design, self.planned.aim.people)

    @property
    def people_needed(self) -> int:
        """Fewest people with whom the survey could be published, see `privacy.planning.shortfalls`.

        Each question is estimated within 25 points, and the difference of a wanted pair is found 3 times in
        10. The number is 10**12 if none is enough.
        """
        return self.use.people_needed

    @property
    def change_half_width(self) -> float | None:
        """Half-width of the net change of ``times``, or of two wanted items in one block; else None.

        Unrelated answers are assumed. If several blocks disguise ``times``, their errors add up.
        """
        if self.times is None:
            return self.use.change
        return times_half_width(self.planned.design, self.planned.aim, self.times)

    @cached_property
    def changes(self) -> tuple[PlanChange[Plan], ...]:
        """At most three changes that let the survey be published, as the plan page proposes them.

        If nothing stops it, they make the wanted figures more exact. Empty if `protection` is None, because
        then nothing is laid out. The library knows no texts, so it never proposes to store an answer openly,
        and only people know which questions ask one thing for two times (``times`` of `Survey.plan`).
        """
        return changes_of(self, self.draft, self.times)

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return a row for each share and each mean: guess, half-width, interval, and people asked.

        The half-width of a mean is in the unit of its answers. A mean has no guess.
        """
        use, wider = self.use, normal_quantile(level) / normal_quantile(0.95)
        design, people = self.planned.design, self.planned.aim.people
        n_asked = {
            question.key: people * float(design.drawn_together([number]))
            for number, question in enumerate(design.questions)
        }
        rows = []
        for key, half in use.half_widths.items():
            item = design.item(key)
            question = design.questions[item.question]
            share = self.planned.aim.shares_of(question)[item.option]
            rows.append(
                (share, wider * half, share - wider * half, share + wider * half, n_asked[question.key])
            )
        rows += [
            (float("nan"), wider * half * use.ranges[key], float("nan"), float("nan"), n_asked[key])
            for key, half in use.numbers.items()
        ]
        names = ("share", "half_width", "low", "high", "asked")
        columns = {name: [row[position] for row in rows] for position, name in enumerate(names)}
        keys = [*use.half_widths, *use.numbers]
        return data_frame(columns, index=[self.survey.names.get(key, key) for key in keys], name="item")

    def simulate(
        self, analysis: Callable[[Any], Any], people: Any = None, *, rng: np.random.Generator, **options: Any
    ) -> DataFrame:
        """Return what an analysis would report of the planned survey, by `mining.frames.simulation.simulate`.

        Parameters
        ----------
        analysis : callable
            Returns what will be reported of `Reports`, such as
            ``lambda reports: reports.compare("cheat", by="drugs")``.
        people : DataFrame or callable, optional
            True answers of a population. By default answers are independent, with the guesses of the plan,
            so that nothing is related to anything.
        rng : numpy.random.Generator
        **options
            ``surveys``, ``against``, ``level`` and ``progress`` of `simulate`.
        """
        # Imported here because simulations read plans.
        from mining.frames.simulation import guessed_people, simulate

        drawn = guessed_people(self) if people is None else people
        return simulate(self.survey, drawn, analysis, n=self.planned.aim.people, rng=rng, **options)

    def summary(self) -> str:
        """Return the plan in a few lines."""
        lines = [f"n = {self.planned.aim.people:,}, {self._promise_text()}", str(self.to_frame().round(3))]
        lines += composite_lines(self.planned.design, self.survey.names)
        if self.power is not None:
            found = self.detectable_difference
            least = "none that the guesses allow" if found is None else f"{found:.3f}"
            lines.append(f"Smallest difference found 8 times in 10: {least}")
        if self.change_half_width is not None:
            half = f"{self.change_half_width:.3f}"
            lines.append(f"Net change of the same people, if both ask one thing for two times: ±{half}")
        if not self.use.is_useful:
            lines.append(
                "Every question can be shown, and the wanted ones compared, "
                f"with {self.people_needed:,} people."
                if self.people_needed < NEVER_ENOUGH
                else "No number of people is enough to compare the wanted items."
            )
        return "\n".join(lines)

    def _promise_text(self) -> str:
        if self.promise is None:
            return "nothing is disguised"
        waves = self.promise.waves
        total = "" if waves is None else f"; in all {waves.count} waves {_odds_text(waves)}"
        return f"odds at most {_odds_text(self.promise)}{total}"

    def preregistration(self) -> str:
        """Return a preregistration as Markdown."""
        design = self.survey.design
        family = rule_family(design, Sides(), _LARGEST_ITEMSET, ordered=False)
        blocks = [
            f"- block `{block.key}`: {', '.join(question.key for question in block.questions)}; "
            + (f"p = {float(block.truth):g}" if block.protected else "asked openly")
            for block in design.blocks
        ]
        return "\n".join(
            [
                "# Pre-registration",
                f"Design `{design.design_id}`; questions of a block share one coin.",
                *blocks,
                *(f"- {line}" for line in composite_lines(design, self.survey.names)),
                f"One person's reports: {self._promise_text()}.",
                f"Sample: {self.planned.aim.people:,} people. Stop at this number, and do not look before.",
                "Shares: means of unbiased scores, 95% intervals by empirical likelihood, never clipped.",
                f"Rules of at most {_LARGEST_ITEMSET} items: a family of {family.total:,} hypotheses "
                '"lift above 1", Benjamini and Yekutieli\'s correction at .05.',
                "Expected precision:",
                "",
                self.to_frame().round(4).to_string(),
            ]
        )

    def __repr__(self) -> str:
        return f"<plan: {self._promise_text()}, n = {self.planned.aim.people:,}>"
