"""What the database keeps."""

from surveys.models.answers import Batch, Inbox, Receipt
from surveys.models.audit_event import AuditEvent
from surveys.models.beat import Beat
from surveys.models.inference import ItemsetInference, RuleInference
from surveys.models.log_in_failures import LogInFailures
from surveys.models.publish_override import PublishOverride
from surveys.models.run import ItemsetRow, Job, RuleRow, Run
from surveys.models.survey import Survey
from surveys.models.verdict import Verdict
from surveys.models.version import Version
from surveys.models.wave import Wave

__all__ = [
    "AuditEvent",
    "Batch",
    "Beat",
    "Inbox",
    "ItemsetInference",
    "ItemsetRow",
    "Job",
    "LogInFailures",
    "PublishOverride",
    "Receipt",
    "RuleInference",
    "RuleRow",
    "Run",
    "Survey",
    "Verdict",
    "Version",
    "Wave",
]
