"""The models of the database."""

from surveys.models.answers import Batch, DrawingKey, Inbox, MixerKey, Receipt
from surveys.models.audit_event import AuditEvent
from surveys.models.beat import Beat
from surveys.models.draft_revision import DraftRevision
from surveys.models.inference import ItemsetInference, RuleInference
from surveys.models.log_in import (
    ApiToken,
    AuthenticatorApp,
    LogInFailures,
    ProviderAccount,
    StaffPreference,
    StaffSession,
)
from surveys.models.run import ItemsetRow, Job, PartCounts, RuleRow, Run, Verdict
from surveys.models.shared_page import SharedPage
from surveys.models.survey import Survey, Wave
from surveys.models.version import PublishOverride, Version

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
