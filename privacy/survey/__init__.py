"""The survey's protocol: how a device draws, disguises and sends answers, and the channel of its reports."""

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
