"""The models of the database."""

from surveys.models.answers import Batch, DrawingKey, Inbox, MixerKey, Receipt
from surveys.models.run import (
    ItemsetInference,
    ItemsetRow,
    Job,
    PartCounts,
    RuleInference,
    RuleRow,
    Run,
    Verdict,
)
from surveys.models.staff import (
    ApiToken,
    AuditEvent,
    AuthenticatorApp,
    Beat,
    LogInFailures,
    ProviderAccount,
    StaffPreference,
    StaffSession,
)
from surveys.models.survey import DraftRevision, PublishOverride, SharedPage, Survey, Version, Wave

__all__ = [
    "ApiToken",
    "AuditEvent",
    "AuthenticatorApp",
    "Batch",
    "Beat",
    "DraftRevision",
    "DrawingKey",
    "Inbox",
    "ItemsetInference",
    "ItemsetRow",
    "Job",
    "LogInFailures",
    "MixerKey",
    "PartCounts",
    "ProviderAccount",
    "PublishOverride",
    "Receipt",
    "RuleInference",
    "RuleRow",
    "Run",
    "SharedPage",
    "StaffPreference",
    "StaffSession",
    "Survey",
    "Verdict",
    "Version",
    "Wave",
]
