"""The Django application."""

from django.apps import AppConfig


class SurveysConfig(AppConfig):
    """Surveys, their disguised answers, and the runs that mine them."""

    name = "surveys"
    default_auto_field = "django.db.models.BigAutoField"
