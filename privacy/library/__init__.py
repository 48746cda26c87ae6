"""Estimators for studies on paper: randomised response, lists and sums that no device disguised.

Errors are those of a sample, by n - 1 where the sources have it; estimates are raw, and may lie outside of
what is possible.

Examples
--------
>>> from privacy.designs import crosswise
>>> print(design_shares({"same": 713, "different": 287}, crosswise(p=.15)).summary())
crosswise(p=0.15), n = 1,000
share: estimate 0.1957, standard error 0.02, 95 % interval 0.1556 to 0.2358
"""

from privacy.paper.anchored_crosswise import anchored_crosswise
from privacy.paper.counted_list import item_sum, list_experiment
from privacy.paper.lie_detector_regression import LieDetectorRegression, lie_detector_regression
from privacy.paper.one_sample import channel_shares, design_shares, repeated_kuk
from privacy.paper.study import ModelTest, PaperStudy, Quantity
from privacy.paper.two_samples import cheaters, extended_crosswise, lie_detector, unrelated_unknown

__all__ = [
    "LieDetectorRegression",
    "ModelTest",
    "PaperStudy",
    "Quantity",
    "anchored_crosswise",
    "channel_shares",
    "cheaters",
    "design_shares",
    "extended_crosswise",
    "item_sum",
    "lie_detector",
    "lie_detector_regression",
    "list_experiment",
    "repeated_kuk",
    "unrelated_unknown",
]
