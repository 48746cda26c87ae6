"""The models of the database."""

from surveys.models.answers import Batch, DrawingKey, Inbox, Receipt
from surveys.models.audit_event import AuditEvent
from surveys.models.chapter import Chapter
from surveys.models.heartbeat import Beat
from surveys.models.ledger import CutPoints, LedgerEntry
from surveys.models.mixer_keys import KeyCopy, MixerKey, SpareKey
from surveys.models.run import (
    ItemsetInference,
    ItemsetRow,
    Job,
    PartCounts,
    RuleInference,
    RuleRow,
    Run,
    RunCounts,
    Verdict,
)
from surveys.models.schema_record import SchemaRecord
from surveys.models.staff import (
    ApiToken,
    AuthenticatorApp,
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
    "Chapter",
    "CutPoints",
    "DraftRevision",
    "DrawingKey",
    "Inbox",
    "ItemsetInference",
    "ItemsetRow",
    "Job",
    "KeyCopy",
    "LedgerEntry",
    "LogInFailures",
    "MixerKey",
    "PartCounts",
    "ProviderAccount",
    "PublishOverride",
    "Receipt",
    "RuleInference",
    "RuleRow",
    "Run",
    "RunCounts",
    "SchemaRecord",
    "SharedPage",
    "SpareKey",
    "StaffPreference",
    "StaffSession",
    "Survey",
    "Verdict",
    "Version",
    "Wave",
]
