"""The Django application of the surveys."""

from typing import Any

from django.apps import AppConfig
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SurveysConfig(AppConfig):
    """Surveys, their disguised answers, and the runs that mine them."""

    name = "surveys"
    verbose_name = _("Surveys")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect signals of the database, log-ins and earlier drafts; use our own sentences for fields."""
        from django.contrib.auth.signals import user_logged_in
        from django.db.backends.signals import connection_created
        from django.db.models.signals import post_init, post_migrate, pre_migrate, pre_save

        from surveys.accounts.sessions import session_begin
        from surveys.errors.field_sentences import use_own_sentences
        from surveys.intake.durable_commits import commit_durably
        from surveys.models import Survey
        from surveys.questionnaire.multi_drafts import note_stored
        from surveys.server.private_files import keep_private
        from surveys.server.state import refuse_connection, refuse_to_migrate

        use_own_sentences()
        connection_created.connect(refuse_connection, dispatch_uid="surveys.server.state")
        connection_created.connect(commit_durably, dispatch_uid="surveys.intake.durable_commits")
        connection_created.connect(keep_private, dispatch_uid="surveys.server.private_files")
        pre_migrate.connect(refuse_to_migrate, sender=self, dispatch_uid="surveys.server.state")
        post_migrate.connect(record_schema, sender=self, dispatch_uid="surveys.server.state")
        post_init.connect(convert_draft, sender=Survey, dispatch_uid="surveys.questionnaire.multi_drafts")
        pre_save.connect(note_stored, sender=Survey, dispatch_uid="surveys.questionnaire.multi_drafts")
        user_logged_in.connect(session_begin, dispatch_uid="surveys.accounts.sessions")


def convert_draft(*, instance: Any, **_: Any) -> None:
    """Convert a draft of an earlier version when it is read; only then load what this needs."""
    from surveys.questionnaire.multi_drafts import needs_conversion, set_converted

    if needs_conversion(instance):
        from surveys.questionnaire.multi_conversion import converted

        result = converted(instance.definition)
        aim = result.aim(instance.aim)
        set_converted(instance, definition=result.document, aim=aim, notes=result.notes)


def record_schema(*, using: str, **_: Any) -> None:
    """Record the schema and this program when `migrate` has finished."""
    from surveys.management.__main__ import installed_program
    from surveys.server.state import schema_record

    schema_record(using=using, program=installed_program(), now=timezone.now())
