"""The Django application."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SurveysConfig(AppConfig):
    """Surveys, their disguised answers, and the runs that mine them."""

    name = "surveys"
    verbose_name = _("Surveys")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have every connection to the database looked at."""
        from django.db.backends.signals import connection_created

        from surveys.newer_database import look

        connection_created.connect(look, dispatch_uid="surveys.newer_database")
