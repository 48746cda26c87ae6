"""A survey before anybody answers: its ceiling for a person, its precision, and what to write down first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mining.family import rule_family
from mining.frames.questions import ten_thousandths
from mining.thresholds import Sides
from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.levels import normal_quantile
from privacy.library.frames import data_frame
from privacy.library.response_design import Chance
from privacy.library.shown import Shown, Tabled
from privacy.planning.precision import AskedItem, half_width, people_for_half_width
from privacy.risk.budget import budget
from privacy.risk.design_audit import audit_design
from privacy.risk.figures import bounds_text
from privacy.risk.report import Audit
from privacy.survey.design import Design

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

__all__ = ["Plan", "SurveyAudit", "plan_of"]

_WANTED_HALF_WIDTH = 0.05
_LARGEST_ITEMSET = 3


def plan_of(design: Design, epsilon: float) -> tuple[Design, int]:
    """Return a design with the largest p for which one person's reports stay below a ceiling, and that p.

    Parameters
    ----------
    design : Design
    epsilon : float, above 0
        Of all blocks together; numbers and places keep their own.

    Raises
    ------
    PrivacyError
        ``plan``: no p is small enough; the design has two groups, or nothing but numbers.

    Notes
    -----
    The sum of epsilons over the blocks that one device can be asked grows with p; p is bisected in
    ten-thousandths, the same in each block.
    """
    ceiling = validation.real_number(epsilon, "epsilon", low=0, high=1e6, open_ends=True, code="plan")
    if design.group.policy != "protected":
        raise PrivacyError("plan.groups", design.group.policy)
    if not any(block.protected and not block.is_scale for block in design.blocks):
        raise PrivacyError("plan.nothing", 0)

    def of(chance: int) -> Design:
        blocks = (
            replace(block, truth_probability=chance) if block.protected and not block.is_scale else block
            for block in design.blocks
        )
        return replace(design, blocks=tuple(blocks), mechanism=0)

    low, high = 1, SCALE
    if (least := budget(of(low)).epsilon) > ceiling:
        raise PrivacyError("plan.ceiling", ceiling, least=least)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if budget(of(middle)).epsilon <= ceiling else (low, middle)
    return of(low), low


@dataclass(frozen=True, kw_only=True, repr=False)
class Plan(Shown):
    """A survey as it is planned.

    Parameters
    ----------
    survey : Survey
        With its p.
    truth_probability : int, ten-thousandths
        p of every block.
    epsilon, ceiling : float
        Of one person, all blocks together; what was allowed.
    n : int
    prevalence : int, ten-thousandths
        Guess of the share of each item.
    """

    survey: Any
    truth_probability: int
    epsilon: float
    ceiling: float
    n: int
    prevalence: int

    @property
    def p(self) -> float:
        """Chance that a block is reported as it is."""
        return self.truth_probability / SCALE

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return a row per disguised item: guessed share, its interval, people for ±5 points at 95 %."""
        design, share = self.survey.design, self.prevalence / SCALE
        wider = normal_quantile(level) / normal_quantile(0.95)
        rows = []
        for item in design.items:
            block, question = design.blocks[item.block], design.questions[item.question]
            if not block.protected or block.is_scale:
                continue
            skipped = Fraction(block.refusal or 0, SCALE)
            item_asked = AskedItem(
                truth=float(block.truth),
                decoy=float(question.decoy_shares[item.option] * (1 - skipped)),
                share=share,
                share_asked=design.drawn_together([item.question]),
            )
            half = wider * half_width(item_asked, self.n)
            people = people_for_half_width(item_asked, _WANTED_HALF_WIDTH)
            rows.append((item.key, share, half, share - half, share + half, people))
        names = ("share", "half_width", "low", "high", "people_for_5_points")
        columns = {name: [row[position] for row in rows] for position, name in enumerate(names, 1)}
        return data_frame(columns, index=[row[0] for row in rows], name="item")

    def summary(self) -> str:
        """Return the plan in a few lines."""
        return (
            f"p = {self.p:g} in every block: epsilon {self.epsilon:.3f} of {self.ceiling:g} for one person\n"
            f"n = {self.n:,}, guessed share {self.prevalence / SCALE:g}\n{self.to_frame().round(3)}"
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
                f"One person's reports multiply odds by at most e^{self.epsilon:.3f}.",
                f"Sample: {self.n:,} people. Stopping: at this number, without a look before.",
                "Shares: means of unbiased scores, 95 % intervals by empirical likelihood, never clipped.",
                f"Rules of at most {_LARGEST_ITEMSET} items: a family of {family.total:,} hypotheses "
                '"lift above 1", Benjamini and Yekutieli\'s correction at .05.',
                "Expected precision:",
                "",
                self.to_frame().round(4).to_string(),
            ]
        )

    def __repr__(self) -> str:
        return f"<plan: p = {self.p:g}, epsilon {self.epsilon:.3f} for one person, n = {self.n:,}>"


@dataclass(frozen=True, kw_only=True, repr=False)
class SurveyAudit(Tabled):
    """What reports reveal about one person: the audit of the product, as a table.

    Parameters
    ----------
    audit : Audit
    """

    audit: Audit

    @classmethod
    def of(cls, design: Design, prevalence: Chance | Mapping[str, Any], *, n: int | None) -> SurveyAudit:
        """Audit a design at guessed shares, in fractions."""
        shares = {}
        for block in design.blocks:
            for question in block.questions if block.protected and not block.is_scale else ():
                own = prevalence.get(question.key) if isinstance(prevalence, Mapping) else prevalence
                if own is None or (question.kind == "single" and not isinstance(own, Mapping)):
                    raise PrivacyError("blocks.chance", None, key=question.key, name="prevalence")
                stated = (
                    [own.get(option) for option in question.options] if isinstance(own, Mapping)
                    else [own] * question.n_items
                )  # fmt: skip
                shares[question.key] = [
                    ten_thousandths(share, f"prevalence of {question.key}")  # type: ignore[arg-type]
                    for share in stated
                ]
        return cls(audit=audit_design(design, shares, n=n))

    @property
    def epsilon(self) -> float:
        """Of one person: all blocks that one device can be asked, together."""
        return self.audit.epsilon

    def to_frame(self) -> DataFrame:
        """Return a row per disguised item: its stated share, and the largest posterior of any report."""
        items = self.audit.items
        columns = {
            "worst": [item.worst for item in items],
            "alone": [item.alone for item in items],
            "prevalence": [item.prevalence for item in items],
        }
        return data_frame(columns, index=[item.key for item in items], name="item")

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
