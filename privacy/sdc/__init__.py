"""Publishing microdata: what a table discloses, how to generalise it, what it costs, how it is attacked."""

from privacy.errors import PrivacyError
from privacy.sdc.anonymise import Report, anonymise
from privacy.sdc.attacks import background_knowledge, homogeneous, link
from privacy.sdc.bayes_beliefs import beliefs, disclosures, rho_breach
from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.classes import Classes, ClassMatrix, in_blocks
from privacy.sdc.diversity_frontier import (
    Protected,
    entropy_frontier,
    join_until_all,
    most_diverse,
)
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.hierarchy import (
    Hierarchy,
    ends_hierarchy,
    flat_hierarchy,
    interval_hierarchy,
    prefix_hierarchy,
)
from privacy.sdc.k_member import k_member
from privacy.sdc.lattice import Lattice
from privacy.sdc.models import leakage
from privacy.sdc.queries import ColumnError, answer, column_error
from privacy.sdc.query_language import parse
from privacy.sdc.requirements import Requirement, measure_models, verify
from privacy.sdc.risk import loss, risk, singling_sets, unicity
from privacy.sdc.sequential_release import Snapshot, cross, differencing, order_test
from privacy.sdc.table import ColumnRule, Table
from privacy.sdc.utility_matrix import (
    axis_weights,
    expert_matrix,
    ilp_l_diversity,
    ka_cluster,
    utility_matrix,
    value_weights,
)

__all__ = [
    "ClassMatrix",
    "Classes",
    "ColumnError",
    "ColumnRule",
    "Hierarchy",
    "Lattice",
    "PrivacyError",
    "Protected",
    "Report",
    "Requirement",
    "Snapshot",
    "Space",
    "Table",
    "anonymise",
    "answer",
    "axis_weights",
    "background_knowledge",
    "beliefs",
    "bottom_up",
    "column_error",
    "cross",
    "differencing",
    "disclosures",
    "ends_hierarchy",
    "entropy_frontier",
    "expert_matrix",
    "flat_hierarchy",
    "homogeneous",
    "ilp_l_diversity",
    "in_blocks",
    "interval_hierarchy",
    "join_until_all",
    "k_member",
    "ka_cluster",
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
    "unicity",
    "utility_matrix",
    "value_weights",
    "verify",
]
