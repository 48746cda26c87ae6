"""Names and formulas of the further measures of a rule; `mining.interest` computes them.

They stand alone so that what only names the measures, a table or a heading, loads nothing that computes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["INTEREST"]

INTEREST: Final[Mapping[str, str]] = {
    "coverage": "P(A)",
    "added_value": "P(B|A) - P(B)",
    "certainty": "(P(B|A) - P(B)) / (1 - P(B)), below 0 divided by P(B)",
    "zhang": "leverage / max(P(AB)(1-P(A)), P(A)(P(B)-P(AB)))",
    "jaccard": "P(AB) / P(A or B)",
    "cosine": "P(AB) / sqrt(P(A)P(B))",
    "kulczynski": "(P(B|A) + P(A|B)) / 2",
    "all_confidence": "min(P(B|A), P(A|B))",
    "max_confidence": "max(P(B|A), P(A|B))",
    "imbalance": "|P(A) - P(B)| / P(A or B)",
    "phi": "leverage / sqrt(P(A)(1-P(A))P(B)(1-P(B)))",
    "kappa": "2 leverage / (P(A)(1-P(B)) + P(B)(1-P(A)))",
    "odds_ratio": "P(AB)P(no A, no B) / (P(A no B)P(B no A))",
    "yule_q": "(odds ratio - 1) / (odds ratio + 1)",
    "yule_y": "the same of the root of the odds ratio",
    "j_measure": "P(AB) ln(P(B|A)/P(B)) + P(A no B) ln(P(no B|A)/P(no B))",
    "rule_power": "P(AB) P(B|A)",
    "relative_risk": "P(B|A) / P(B|no A)",
    "gini": "P(A)(P(B|A)^2 + P(no B|A)^2) + P(no A)(...) - P(B)^2 - P(no B)^2",
    "collective_strength": "(P(AB)+P(neither)) / expected * (1 - expected) / (1 - observed)",
}
"""Names, as the report and the files use them, and formulas."""
