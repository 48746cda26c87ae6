"""The line in which commands print what a release changes about an attacker's beliefs."""

from __future__ import annotations

from privacy.counted_nouns import counted
from privacy.sdc.bayes_beliefs import BeliefAudit


def belief_line(name: str, audit: BeliefAudit, *, unit: str = "record") -> str:
    """Return the line that a command prints about an audit; `unit` is the thing that it counts."""
    return (
        f"beliefs about {name}: {counted(audit.people, unit)}, {audit.breached} breached ({audit.rho1:g} to "
        f"{audit.rho2:g}), {audit.certain} nearly certain, {audit.excluded} nearly excluded; mean belief in "
        f"the true value {audit.truth_before:.3f} before and {audit.truth_after:.3f} after, strongest belief "
        f"{audit.strongest_before:.3f} and {audit.strongest_after:.3f}; largest change "
        f"{audit.largest_change:.3f}"
    )
