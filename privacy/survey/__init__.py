"""What a device does to answers, and the law of what it sends."""

from privacy.survey.booklets import Rotation
from privacy.survey.design import (
    SKIPPED,
    Block,
    Condition,
    Conditions,
    Design,
    GroupPolicy,
    Item,
    Question,
    default_refusal,
)

__all__ = [
    "SKIPPED",
    "Block",
    "Condition",
    "Conditions",
    "Design",
    "GroupPolicy",
    "Item",
    "Question",
    "Rotation",
    "default_refusal",
]
