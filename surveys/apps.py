"""The Django application of the surveys."""

from django.apps import AppConfig
from django.forms.renderers import TemplatesSetting
from django.utils.translation import gettext_lazy as _


class SurveysConfig(AppConfig):
    """Surveys, their disguised answers, and the runs that mine them."""

    name = "surveys"
    verbose_name = _("Surveys")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals that check new database connections, make them durable, and record log-ins."""
        from django.contrib.auth.signals import user_logged_in
        from django.db.backends.signals import connection_created

        from surveys.accounts.sessions import session_begin
        from surveys.intake.transactions import commit_durably
        from surveys.server.database import keep_private, refuse_newer_connection

        connection_created.connect(refuse_newer_connection, dispatch_uid="surveys.server.database")
        connection_created.connect(commit_durably, dispatch_uid="surveys.intake.transactions")
        connection_created.connect(keep_private, dispatch_uid="surveys.server.database.files")
        user_logged_in.connect(session_begin, dispatch_uid="surveys.accounts.sessions")


class FormRenderer(TemplatesSetting):
    """Render forms and their fields with the project's templates."""

    form_template_name = "partials/form.html"
    field_template_name = "partials/field.html"
