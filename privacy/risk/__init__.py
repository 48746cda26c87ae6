"""What an attacker learns from disguised rows, and what a design promises.

The door is one frozen `Audit`:

- `audit_design(design, prevalence, n=None, waves=1, other_waves=(), rho1=RHO1, exclusive=())` before launch,
  from a design and the prevalences that the researcher states ({question key: ten-thousandths per item});
- `audit_rows(design, prevalence, observed, ...)` after launch, from counted rows (`Observed`).

Both give the same object. ``audit.epsilon`` and ``audit.rho2`` are the bounds for all protected answers
together; ``audit.blocks`` has for each protected block gamma, epsilon, their growth with the number of
questions, the least likely and the likeliest row, what known answers give away, five attackers, the share of
rows recognised as true at 50, 90 and 95 % (``reidentification``), new draws, distortion and leakage in bits;
``audit.lone`` the same bounds for numbers and places, by `audit_channel` (channel_audit.py), and after launch
how many of their rows give the answer away (scale_rows.py), where whoever counted them says so;
``audit.items`` the posterior of each item alone and after the worst row; ``audit.open`` the rows that open
answers single out, ``audit.own`` those that asked questions and open answers do; ``audit.group`` the direct
group and its flag; ``audit.light``, a `StrengthAudit`, what rows of that group tell where they are disguised
too. ``audit.worst_item``, ``audit.worst_block`` and ``audit.recognised`` sum it up. ``audit.to_json()`` is
plain data; ``lines(audit)`` is the audit in sentences, one a `Line` with a translatable template, and
``line.text`` is its English.

The parts can be used alone:

- `budget`, `block_budget`, `amplification` (budget.py): gamma and epsilon of blocks; `question_odds`:
  the odds of one answer to one question;
- `expected_own` (own_combinations.py): rows that asked questions and open answers single out, where each
  person is asked some questions only;
- `truthful_posterior`, `answer_posterior`, `item_posteriors`, `row_odds`, `worst_row_odds` (posterior.py):
  what one row tells;
- `row_distribution` (row_distribution.py): the chances of all rows of a block, by classes; `reidentification`
  and `attackers` read it;
- `known_answers`, `flag_posterior`, `redraw_exposure` (attacks.py); `exclusive_decoys` and
  `impossible_decoys` (impossible.py); `exclusive_prior` (exclusive_prior.py): the chances of true rows where
  answers exclude each other;
- `leakage`, `distortion`, `perfect_privacy` (leakage.py); `design_points`, `frontier`, `optimise`
  (optimisation.py): p, theta and block size under limits of distortion and leakage;
- `worst_property`, `least_property`, `no_breach` (breach.py): rho1-rho2 breaches of any finite channel, with
  source 000's operators (operators.py), and blocks made from a promise (calibration.py);
- planner.py: what a number of respondents can show; `PlannedSurvey` (planned_survey.py) and `figures_of`
  (planning.py): a planned survey's privacy and precision side by side, as ``manage.py plan`` and the
  planner's page show it;
- `shuffled` (shuffling.py): what a row tells among others that are shuffled with it;
- `SampledDesign`, `most_efficient`, `best_split`, `least_variance` (efficiency.py): how many people a design
  needs, and what no design can beat;
- `risk` (design_risk.py): the bounds of a named design, such as ``risk(warner(p=.7), questions=3)``;
- `proposed_light` and `lighter` (light_strength.py): the light strength beside a strong one; `whole_odds` of
  ``design.in_group(direct=True)`` is the one sentence of whoever is lightly disguised;
- `audit_from_json` (stored.py): an audit read back from its plain data.
"""

from privacy.risk.adversaries import Attacker, attackers
from privacy.risk.attacks import flag_posterior, known_answers, redraw_exposure
from privacy.risk.breach import least_property, no_breach, worst_property
from privacy.risk.budget import amplification, block_budget, budget, question_odds
from privacy.risk.calibration import construct_block, largest_block, largest_truth_probability
from privacy.risk.channel_audit import ChannelAudit, audit_channel
from privacy.risk.constrained_prior import ExclusivePrior, exclusive_prior
from privacy.risk.data_audit import audit_rows
from privacy.risk.design_audit import RHO1, audit_design, block_audit
from privacy.risk.design_risk import DesignRisk, risk
from privacy.risk.frontier import DesignPoint, design_points, frontier, optimise
from privacy.risk.impossible_answers import exclusive_decoys, impossible_decoys
from privacy.risk.leakage import Leakage, distortion, leakage, perfect_privacy
from privacy.risk.light_strength import LightProposal, lighter, proposed_light
from privacy.risk.lines import lines
from privacy.risk.observed import Observed, ObservedBlock, OpenCells
from privacy.risk.open_answers import expected_unique
from privacy.risk.own_combinations import OwnCombinations, expected_own
from privacy.risk.planned_survey import PlannedSurvey
from privacy.risk.planning import PlanFigures, figures_of
from privacy.risk.posterior import (
    Prevalence,
    answer_posterior,
    item_posteriors,
    row_odds,
    truthful_posterior,
    worst_row_odds,
)
from privacy.risk.reidentification import LEVELS, Reidentification, reidentification
from privacy.risk.report import Audit, BlockAudit, GroupAudit, ItemAudit, RowAudit, StrengthAudit
from privacy.risk.row_distribution import RowDistribution, row_distribution
from privacy.risk.sentences import Line
from privacy.risk.shuffling import Shuffled, shuffled
from privacy.risk.stored import audit_from_json
from privacy.risk.whole_odds import WholeOdds, whole_odds

__all__ = [
    "LEVELS",
    "RHO1",
    "Attacker",
    "Audit",
    "BlockAudit",
    "ChannelAudit",
    "DesignPoint",
    "DesignRisk",
    "ExclusivePrior",
    "GroupAudit",
    "ItemAudit",
    "Leakage",
    "LightProposal",
    "Line",
    "Observed",
    "ObservedBlock",
    "OpenCells",
    "OwnCombinations",
    "PlanFigures",
    "PlannedSurvey",
    "Prevalence",
    "Reidentification",
    "RowAudit",
    "RowDistribution",
    "Shuffled",
    "StrengthAudit",
    "WholeOdds",
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
    "construct_block",
    "design_points",
    "distortion",
    "exclusive_decoys",
    "exclusive_prior",
    "expected_own",
    "expected_unique",
    "figures_of",
    "flag_posterior",
    "frontier",
    "impossible_decoys",
    "item_posteriors",
    "known_answers",
    "largest_block",
    "largest_truth_probability",
    "leakage",
    "least_property",
    "lighter",
    "lines",
    "no_breach",
    "optimise",
    "perfect_privacy",
    "proposed_light",
    "question_odds",
    "redraw_exposure",
    "reidentification",
    "risk",
    "row_distribution",
    "row_odds",
    "shuffled",
    "truthful_posterior",
    "whole_odds",
    "worst_property",
    "worst_row_odds",
]
