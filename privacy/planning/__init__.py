"""What a design costs before anybody answers: errors, power, proposals, and frontiers of designs.

- `figures_of` a `PlannedSurvey`: what it protects, and how precise it is;
- `design_points`, `frontier`, `optimise`: designs of one question that no other is better than;
- `proposed_light`, `lighter`: how lightly the direct group can be disguised;
- `construct_block`, `largest_block`, `largest_truth_probability`: from a promise rho1 to rho2 to a part.
"""

from privacy.planning.calibration import construct_block, largest_block, largest_truth_probability
from privacy.planning.frontier import DesignPoint, design_points, frontier, optimise
from privacy.planning.light_strength import LightProposal, lighter, proposed_light
from privacy.planning.planned_survey import PlannedSurvey
from privacy.planning.planning import PlanFigures, figures_of

__all__ = [
    "DesignPoint",
    "LightProposal",
    "PlanFigures",
    "PlannedSurvey",
    "construct_block",
    "design_points",
    "figures_of",
    "frontier",
    "largest_block",
    "largest_truth_probability",
    "lighter",
    "optimise",
    "proposed_light",
]
