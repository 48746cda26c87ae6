"""Privacy risk: what an adversary learns from disguised rows, and what a design bounds.

The door is one frozen `Audit`: `audit_design` gives it before launch, from a design and the prevalences that
the researcher states ({question key: ten-thousandths per item}), `audit_rows` after launch, from counted rows
(`Observed`). ``audit.epsilon`` and ``audit.rho2`` are the bounds for all protected answers together,
``audit.blocks``, ``audit.lone``, ``audit.items``, ``audit.open``, ``audit.own`` and ``audit.group`` those of
protected parts, of numbers and places, of items, of what open answers single out, and of the direct group;
``audit.light``, a `StrengthAudit`, what rows of that group tell where they are disguised too.
``audit.to_json()`` is plain data, `audit_from_json` reads it back, ``lines(audit)`` says it in sentences.

The parts can be used alone; each is described where it is defined:

- bounds: `budget`, `block_budget`, `amplification`, `question_odds`, `skip_odds`, `promise`; `risk` of
  a named design;
- one row: `answer_posterior`, `row_odds`;
- all rows: `row_distribution`, read by `reidentification` and `attackers`; `shuffled` among others;
- what is known beside: `known_answers`, `flag_posterior`, `redraw_exposure`, `exclusive_prior`,
  `exclusive_decoys`, `impossible_decoys`, `expected_own`;
- in bits: `leakage`, `distortion`, `perfect_privacy`, `audit_channel` of any finite channel;
- breaches, rho1 to rho2: `no_breach`; `privacy.planning` constructs a
  part from such a promise.
"""

from privacy.risk.adversaries import Attacker, attackers, flag_posterior, known_answers, redraw_exposure
from privacy.risk.breach import no_breach
from privacy.risk.budget import amplification, block_budget, budget, question_odds, skip_odds
from privacy.risk.channel_audit import ChannelAudit, audit_channel
from privacy.risk.constrained_prior import ExclusivePrior, exclusive_prior
from privacy.risk.data_audit import audit_rows
from privacy.risk.design_audit import RHO1, audit_design, block_audit
from privacy.risk.design_risk import DesignRisk, risk
from privacy.risk.impossible_answers import exclusive_decoys, impossible_decoys
from privacy.risk.leakage import Leakage, distortion, leakage, perfect_privacy
from privacy.risk.lines import lines
from privacy.risk.observed import Observed, ObservedBlock, OpenCells
from privacy.risk.open_answers import OwnCombinations, expected_own, expected_unique
from privacy.risk.posterior import (
    Prevalence,
    answer_posterior,
    row_odds,
)
from privacy.risk.promise import Promise, promise
from privacy.risk.reidentification import LEVELS, Reidentification, reidentification
from privacy.risk.report import (
    Audit,
    BlockAudit,
    GroupAudit,
    ItemAudit,
    RowAudit,
    StrengthAudit,
    audit_from_json,
)
from privacy.risk.row_distribution import RowDistribution, row_distribution
from privacy.risk.sentences import Line
from privacy.risk.shuffling import Shuffled, shuffled

__all__ = [
    "LEVELS",
    "RHO1",
    "Attacker",
    "Audit",
    "BlockAudit",
    "ChannelAudit",
    "DesignRisk",
    "ExclusivePrior",
    "GroupAudit",
    "ItemAudit",
    "Leakage",
    "Line",
    "Observed",
    "ObservedBlock",
    "OpenCells",
    "OwnCombinations",
    "Prevalence",
    "Promise",
    "Reidentification",
    "RowAudit",
    "RowDistribution",
    "Shuffled",
    "StrengthAudit",
    "amplification",
    "answer_posterior",
    "attackers",
    "audit_channel",
    "audit_design",
    "audit_from_json",
    "audit_rows",
    "block_audit",
    "block_budget",
    "budget",
    "distortion",
    "exclusive_decoys",
    "exclusive_prior",
    "expected_own",
    "expected_unique",
    "flag_posterior",
    "impossible_decoys",
    "known_answers",
    "leakage",
    "lines",
    "no_breach",
    "perfect_privacy",
    "promise",
    "question_odds",
    "redraw_exposure",
    "reidentification",
    "risk",
    "row_distribution",
    "row_odds",
    "shuffled",
    "skip_odds",
]
