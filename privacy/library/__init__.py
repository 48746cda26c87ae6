"""Named designs on columns of a DataFrame, and studies on paper: for people without a server.

Standard errors of studies on paper are sample errors that divide by n - 1 if the cited source does. Estimates
are not clipped, so they may lie outside the possible range.

Examples
--------
>>> from privacy.library import crosswise, design_shares
>>> print(design_shares({"same": 713, "different": 287}, crosswise(p=.15)).summary())
crosswise(p=0.15), n = 1,000
share: estimate 0.1957, standard error 0.02, 95% interval 0.1569 to 0.2369
"""

from privacy.library.careless import anchored_crosswise
from privacy.library.cross_table import CrossTab, crosstab
from privacy.library.designs import (
    ResponseDesign,
    crosswise,
    forced_levels,
    forced_response,
    generalised_rr,
    grouping,
    kuk,
    mangat,
    triangular,
    truthful,
    unrelated_question,
    warner,
)
from privacy.library.lie_detector_regression import LieDetectorRegression, lie_detector_regression
from privacy.library.one_sample import channel_shares, design_shares, repeated_kuk
from privacy.library.shares import Figure, distribution, prevalence
from privacy.library.strata import stratified
from privacy.library.study import ModelTest, PaperStudy, Quantity
from privacy.library.two_samples import (
    cheaters,
    extended_crosswise,
    item_sum,
    lie_detector,
    list_experiment,
    unrelated_unknown,
)

__all__ = [
    "CrossTab",
    "Figure",
    "LieDetectorRegression",
    "ModelTest",
    "PaperStudy",
    "Quantity",
    "ResponseDesign",
    "anchored_crosswise",
    "channel_shares",
    "cheaters",
    "crosstab",
    "crosswise",
    "design_shares",
    "distribution",
    "extended_crosswise",
    "forced_levels",
    "forced_response",
    "generalised_rr",
    "grouping",
    "item_sum",
    "kuk",
    "lie_detector",
    "lie_detector_regression",
    "list_experiment",
    "mangat",
    "prevalence",
    "repeated_kuk",
    "stratified",
    "triangular",
    "truthful",
    "unrelated_question",
    "unrelated_unknown",
    "warner",
]
