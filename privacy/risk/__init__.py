"""Privacy risk: an adversary's knowledge after seeing disguised rows, and the bounds of a design.

The main result is one frozen `Audit`: `audit_design` returns it before launch, from a design and the
prevalences that the researcher states ({question key: ten-thousandths per item}), `audit_rows` after launch,
from counted rows (`Observed`). ``audit.epsilon`` and ``audit.rho2`` bound all protected answers together;
``audit.blocks``, ``audit.lone``, ``audit.items``, ``audit.open``, ``audit.own`` and ``audit.group`` describe
protected blocks, numbers and places, items, unique open answers, and the direct group; ``audit.light``, a
`StrengthAudit`, describes the rows of that group if they are disguised too.
``audit.to_json()`` is plain data; `audit_from_json` reads it back.

The parts can be used alone, each from the module that defines it:

- bounds, and the promise that follows from them: `budget`;
- one row: `beliefs`; all rows: `row_distribution`; rows that are alone: `open_answers`;
- breaches, rho1 to rho2: `breaches`;
- a survey: `design_audit`, `data_audit`; numbers, places and any other channel: `report`.
"""

from privacy.risk.data_audit import Observed, ObservedBlock, audit_rows
from privacy.risk.design_audit import audit_design
from privacy.risk.design_risk import risk
from privacy.risk.report import Audit, audit_from_json

__all__ = ["Audit", "Observed", "ObservedBlock", "audit_design", "audit_from_json", "audit_rows", "risk"]
