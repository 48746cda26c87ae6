"""Privacy risk: an adversary's knowledge after seeing disguised rows, and the bounds of a design.

The main result is one frozen `Audit`: `audit_design` returns it before launch, from a design and the
prevalences that the researcher states ({question key: ten-thousandths per item}), `audit_rows` after launch,
from counted rows (`Observed`). ``audit.epsilon`` and ``audit.rho2`` bound all protected answers together;
``audit.blocks``, ``audit.lone``, ``audit.items``, ``audit.open``, ``audit.own`` and ``audit.group`` describe
protected blocks, numbers and places, items, unique open answers, and the direct group; ``audit.light``, a
`StrengthAudit`, describes the rows of that group if they are disguised too.
``audit.to_json()`` is plain data; `audit_from_json` reads it back.

The parts can be used alone, each from the module that defines it:

- bounds: `budget`, `promise`; `design_risk` of a named design;
- one row: `posterior`;
- all rows: `row_distribution`, read by `reidentification` and `adversaries`;
- side knowledge: `adversaries`, `constrained_prior`, `impossible_answers`, `open_answers`;
- in bits: `leakage`; numbers and places: `channel_audit`;
- breaches, rho1 to rho2: `breach`; `privacy.planning` constructs a part from such a promise.
"""

from privacy.risk.data_audit import audit_rows
from privacy.risk.design_audit import audit_design
from privacy.risk.design_risk import risk
from privacy.risk.posterior import Observed, ObservedBlock
from privacy.risk.report import Audit, audit_from_json

__all__ = [
    "Audit",
    "Observed",
    "ObservedBlock",
    "audit_design",
    "audit_from_json",
    "audit_rows",
    "risk",
]
