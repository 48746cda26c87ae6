"""The audit of a survey: what reports reveal about one person, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from privacy.coins import SCALE
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.library.probabilities import Probability, exact
from privacy.library.shown_tables import Tabled, data_frame
from privacy.risk.audit_texts import bounds_text
from privacy.risk.design_audit import audit_design
from privacy.risk.report import Audit
from privacy.survey.design import Design

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


@dataclass(frozen=True, kw_only=True, repr=False)
class SurveyAudit(Tabled):
    """Audit of the information that reports reveal about one person, as a table.

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
        prevalence: Probability | Mapping[str, Any],
        *,
        n: int | None,
        names: Mapping[str, str],
    ) -> SurveyAudit:
        """Audit a design at guessed shares, as fractions; show names instead of keys."""
        shares = {}
        for block in design.blocks:
            for question in block.questions if block.has_coin else ():
                guess = prevalence.get(question.key) if isinstance(prevalence, Mapping) else prevalence
                if guess is None or (question.is_exhaustive and not isinstance(guess, Mapping)):
                    raise PrivacyError("blocks.chance", None, key=question.key, name="prevalence")
                guesses = (
                    [guess.get(option) for option in question.options] if isinstance(guess, Mapping)
                    else [guess] * question.n_items
                )  # fmt: skip
                stated = [exact(share, f"prevalence of {question.key}") for share in guesses]  # type: ignore[arg-type]
                shares[question.key] = rounded = [round(share * SCALE) for share in stated]
                # Three thirds sum to 1, so their rounded shares must too.
                if question.is_exhaustive and sum(stated) == 1:
                    rounded[rounded.index(max(rounded))] += SCALE - sum(rounded)
        return cls(audit=audit_design(design, shares, n=n), names=names)

    @property
    def epsilon(self) -> float:
        """Epsilon for one person, over all blocks that one device can be asked."""
        return self.audit.epsilon

    def to_frame(self) -> DataFrame:
        """Return a row per disguised item: its stated share, and the largest posterior of any report."""
        items, names = self.audit.items, ("worst", "alone", "prevalence")
        columns = {name: [getattr(item, name) for item in items] for name in names}
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
        return f"<audit: epsilon {self.epsilon:.3f} for one person, {counted(len(self.audit.items), 'item')}>"
