"""A survey before its first answer: its layout, precision and power, and its preregistration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mining.family import rule_family
from mining.thresholds import Sides
from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.borrowing import planned_basis
from privacy.levels import normal_quantile
from privacy.library.designs import Chance, ten_thousandths
from privacy.library.frames import Shown, Tabled, data_frame
from privacy.planning.layouts import MEDIUM, PROTECTIONS
from privacy.planning.plan import PlannedDesign, plan_design
from privacy.planning.use import Goal, Use, strong, use_of
from privacy.risk.design_audit import audit_design
from privacy.risk.promise import Promise, promise
from privacy.risk.report import Audit, bounds_text
from privacy.survey.design import Design

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


_LARGEST_ITEMSET = 3
_MOST_WANTED = 2
_MOST_PEOPLE = 10**9


def plan_of(
    design: Design,
    people: int,
    *,
    guesses: Chance | Mapping[str, Chance] | None,
    wanted: Sequence[str],
    protection: str | None,
) -> PlannedDesign:
    """Return a design laid out for so many people, or as it is, with its figures.

    Parameters
    ----------
    design : Design
    people, guesses, wanted, protection
        As for `Survey.plan`.
    """
    validation.whole_number(people, "number of people", low=1, high=_MOST_PEOPLE, code="plan")
    if protection is not None:
        validation.one_of(protection, "protection", allowed=tuple(PROTECTIONS), code="plan")
    goal = Goal(
        people=people,
        wanted=_wanted(design, wanted),
        shares=_shares(design, guesses),
        strength=protection or MEDIUM,
    )
    if protection is None:
        whole = strong(design)
        return PlannedDesign(design=whole, aim=goal, use=use_of(whole, goal), promise=promise(whole))
    made = plan_design(design, goal)
    if made is None:
        raise PrivacyError("plan.ceiling", protection)
    return made


def _wanted(design: Design, wanted: Sequence[str]) -> tuple[str, ...]:
    keys = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    if len(set(keys)) > _MOST_WANTED:
        raise PrivacyError("plan.wanted", len(keys), most=_MOST_WANTED)
    numbers = {question.key for question in design.questions if question.has_mean}
    for key in keys:
        if key not in numbers:
            design.item(key)
    return tuple(dict.fromkeys(keys))


def _shares(design: Design, guesses: Chance | Mapping[str, Chance] | None) -> dict[str, int]:
    if guesses is None:
        return {}
    if not isinstance(guesses, Mapping):
        guesses = {item.key: guesses for item in design.items}
    shares = {
        design.item(key).key: ten_thousandths(guess, f"guess of {key}") for key, guess in guesses.items()
    }
    for key, share in shares.items():
        validation.whole_number(share, f"guess of {key}", low=1, high=SCALE - 1, code="plan")
    return shares


@dataclass(frozen=True, kw_only=True, repr=False)
class Plan(Shown):
    """A survey as it is planned, with the figures that the plan page shows for it.

    Parameters
    ----------
    survey : Survey
        With its blocks and probabilities.
    planned : PlannedDesign
    """

    survey: Any
    planned: PlannedDesign

    @property
    def use(self) -> Use:
        """Precision of every share and mean, power and smallest difference of the wanted pair."""
        return self.planned.use

    @property
    def promise(self) -> Promise | None:
        """The largest odds that one answer, and everything one person sends, give an attacker."""
        return self.planned.promise

    @property
    def power(self) -> float | None:
        """Probability of finding 30 points between the wanted two, or the most that their guesses allow."""
        return self.use.power

    @property
    def detectable_difference(self) -> float | None:
        """The smallest difference that is found 8 times in 10; None where the guesses allow none so large."""
        return self.use.difference

    @property
    def prediction(self) -> str | None:
        """How ``supports(borrow=True)`` will predict pairs, "shrunk" or "pooled" (docs/borrowing.md)."""
        return planned_basis(self.planned.design, self.planned.aim.people)

    @property
    def people_needed(self) -> int:
        """The fewest people with whom every question can be shown, within 25 points."""
        return self.use.people_needed

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return a row for each share and each mean: guess, half-width, interval, and people asked.

        The half-width of a mean is in the unit of its answers. A mean has no guess.
        """
        use, wider = self.use, normal_quantile(level) / normal_quantile(0.95)
        design, people = self.planned.design, self.planned.aim.people
        asked = {
            question.key: people * float(design.drawn_together([number]))
            for number, question in enumerate(design.questions)
        }
        rows = []
        for key, half in use.half_widths.items():
            item = design.item(key)
            question = design.questions[item.question]
            share = self.planned.aim.shares_of(question)[item.option]
            rows.append(
                (share, wider * half, share - wider * half, share + wider * half, asked[question.key])
            )
        rows += [
            (float("nan"), wider * half * use.ranges[key], float("nan"), float("nan"), asked[key])
            for key, half in use.numbers.items()
        ]
        names = ("share", "half_width", "low", "high", "asked")
        columns = {name: [row[position] for row in rows] for position, name in enumerate(names)}
        keys = [*use.half_widths, *use.numbers]
        return data_frame(columns, index=[self.survey.names.get(key, key) for key in keys], name="item")

    def summary(self) -> str:
        """Return the plan in a few lines."""
        lines = [f"n = {self.planned.aim.people:,}, {self._promised()}", str(self.to_frame().round(3))]
        if self.power is not None:
            found = self.detectable_difference
            least = "none that the guesses allow" if found is None else f"{found:.3f}"
            lines.append(f"Smallest difference found 8 times in 10: {least}")
        if not self.use.is_useful:
            lines.append(f"Every question can be shown with {self.people_needed:,} people.")
        return "\n".join(lines)

    def _promised(self) -> str:
        if self.promise is None:
            return "nothing is disguised"
        return (
            f"odds at most {float(self.promise.answer):.3g} by one answer, "
            f"{float(self.promise.everything):.3g} by everything"
        )

    def preregistration(self) -> str:
        """Return what to write down before the first answer, as Markdown."""
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
                f"One person's reports: {self._promised()}.",
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
        return f"<plan: {self._promised()}, n = {self.planned.aim.people:,}>"


@dataclass(frozen=True, kw_only=True, repr=False)
class SurveyAudit(Tabled):
    """What reports reveal about one person: the audit of the product, as a table.

    Parameters
    ----------
    audit : Audit
    names : mapping of str to str
        Key -> name, if they differ.
    """

    audit: Audit
    names: Mapping[str, str]

    @classmethod
    def of(
        cls,
        design: Design,
        prevalence: Chance | Mapping[str, Any],
        *,
        n: int | None,
        names: Mapping[str, str],
    ) -> SurveyAudit:
        """Audit a design at guessed shares, in fractions; names are shown in place of keys."""
        shares = {}
        for block in design.blocks:
            for question in block.questions if block.has_coin else ():
                own = prevalence.get(question.key) if isinstance(prevalence, Mapping) else prevalence
                if own is None or (question.is_exhaustive and not isinstance(own, Mapping)):
                    raise PrivacyError("blocks.chance", None, key=question.key, name="prevalence")
                stated = (
                    [own.get(option) for option in question.options] if isinstance(own, Mapping)
                    else [own] * question.n_items
                )  # fmt: skip
                shares[question.key] = [
                    ten_thousandths(share, f"prevalence of {question.key}")  # type: ignore[arg-type]
                    for share in stated
                ]
        return cls(audit=audit_design(design, shares, n=n), names=names)

    @property
    def epsilon(self) -> float:
        """For one person: all blocks that one device can be asked, together."""
        return self.audit.epsilon

    def to_frame(self) -> DataFrame:
        """Return a row per disguised item: its stated share, and the largest posterior of any report."""
        items = self.audit.items
        columns = {
            "worst": [item.worst for item in items],
            "alone": [item.alone for item in items],
            "prevalence": [item.prevalence for item in items],
        }
        return data_frame(columns, index=[self.names.get(item.key, item.key) for item in items], name="item")

    def summary(self) -> str:
        """Return the bounds for one person, and the table of items."""
        if not (self.audit.blocks or self.audit.lone):
            return "No question is disguised."
        lines = bounds_text(self.audit.epsilon, self.audit.rho2)
        if self.audit.items:
            lines.append(self.to_frame().round(3).to_string())
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<audit: epsilon {self.epsilon:.3f} for one person, {len(self.audit.items)} items>"
