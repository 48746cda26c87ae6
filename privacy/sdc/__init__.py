"""Publish microdata: measure disclosure risk, generalise, measure the loss, and attack the result.

The names here are for notebooks. Code imports from the module that defines a name.
"""

from privacy.sdc.anonymise import anonymise
from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.generalisation import Space
from privacy.sdc.hierarchy import Hierarchy, flat_hierarchy, prefix_hierarchy
from privacy.sdc.ilp import ilp_l_diversity
from privacy.sdc.information_loss import loss
from privacy.sdc.ka_cluster import ka_cluster
from privacy.sdc.queries import answer
from privacy.sdc.query_language import parse
from privacy.sdc.table import Table
from privacy.sdc.utility_matrix import axis_weights, utility_matrix

__all__ = [
    "ClassMatrix",
    "Classes",
    "ColumnRule",
    "Hierarchy",
    "Space",
    "Table",
    "anonymise",
    "answer",
    "axis_weights",
    "bottom_up",
    "flat_hierarchy",
    "ilp_l_diversity",
    "ka_cluster",
    "loss",
    "parse",
    "prefix_hierarchy",
    "utility_matrix",
]
