"""The models of the database."""

from surveys.models.answers import Batch, Inbox, Receipt
from surveys.models.api_token import ApiToken
from surveys.models.audit_event import AuditEvent
from surveys.models.authenticator_app import AuthenticatorApp
from surveys.models.chapter import Chapter
from surveys.models.draft_revision import DraftRevision
from surveys.models.drawing_key import DrawingKey
from surveys.models.heartbeat import Beat
from surveys.models.job import Job
from surveys.models.ledger import CutPoints, LedgerEntry
from surveys.models.log_in_failures import LogInFailures
from surveys.models.mixer_keys import KeyCopy, MixerKey, SpareKey
from surveys.models.provider_account import ProviderAccount
from surveys.models.run import (
    ItemsetInference,
    ItemsetRow,
    PartCounts,
    RuleInference,
    RuleRow,
    Run,
    RunCounts,
    Verdict,
)
from surveys.models.schema_record import SchemaRecord
from surveys.models.shared_page import SharedPage
from surveys.models.staff_preference import StaffPreference
from surveys.models.staff_session import StaffSession
from surveys.models.survey import Survey, Wave
from surveys.models.version import PublishOverride, Version

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
