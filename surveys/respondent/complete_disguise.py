"""Check whether a design disguises all sensitive answers, so that letters and posters may say so."""

from __future__ import annotations

from privacy.risk.budget import block_budget
from privacy.survey.design import Design


def disguises_all_sensitive_answers(design: Design) -> bool:
    """Return whether all protected answers are disguised, in both groups and everywhere on a map."""
    bounds = [block_budget(block) for block in design.blocks if block.protected]
    return bool(bounds) and not design.sends_undisguised and not any(bound.exact_outside for bound in bounds)
