"""The survey's protocol: how a device draws, disguises and sends answers, and the channel of its reports."""

# Every kind of question is known as soon as one module of this package is imported.
import privacy.survey.kinds as _kinds  # noqa: F401
