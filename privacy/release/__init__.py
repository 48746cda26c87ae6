"""Publishing microdata: what a table discloses, how to generalise it, what it costs, how it is attacked."""

from privacy.release.attacks import background_knowledge, homogeneous, link
from privacy.release.bayes import beliefs, disclosures, rho_breach
from privacy.release.blocking import in_blocks
from privacy.release.bottom_up import bottom_up
from privacy.release.classes import Classes, ClassMatrix
from privacy.release.column_rule import ColumnRule
from privacy.release.errors import ReleaseError
from privacy.release.frontier import entropy_frontier, join_until, most_diverse
from privacy.release.hierarchy import Hierarchy, flat_hierarchy, interval_hierarchy, prefix_hierarchy
from privacy.release.ilp import ilp_l_diversity
from privacy.release.information import column_information, leakage
from privacy.release.kacluk import kacluk
from privacy.release.lattice import Lattice
from privacy.release.metrics import loss
from privacy.release.query import answer, parse
from privacy.release.releases import Snapshot, cross, differencing, order_test
from privacy.release.risk import risk, unicity
from privacy.release.singling import singling_sets
from privacy.release.space import Space
from privacy.release.table import Table
from privacy.release.tight import tight
from privacy.release.utility_matrix import axis_weights, expert_matrix, utility_matrix, value_weights
from privacy.release.verdicts import Requirement, measure_models, verify

__all__ = [
    "ClassMatrix",
    "Classes",
    "ColumnRule",
    "Hierarchy",
    "Lattice",
    "ReleaseError",
    "Requirement",
    "Snapshot",
    "Space",
    "Table",
    "answer",
    "axis_weights",
    "background_knowledge",
    "beliefs",
    "bottom_up",
    "column_information",
    "cross",
    "differencing",
    "disclosures",
    "entropy_frontier",
    "expert_matrix",
    "flat_hierarchy",
    "homogeneous",
    "ilp_l_diversity",
    "in_blocks",
    "interval_hierarchy",
    "join_until",
    "kacluk",
    "leakage",
    "link",
    "loss",
    "measure_models",
    "most_diverse",
    "order_test",
    "parse",
    "prefix_hierarchy",
    "rho_breach",
    "risk",
    "singling_sets",
    "tight",
    "unicity",
    "utility_matrix",
    "value_weights",
    "verify",
]
