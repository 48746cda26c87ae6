"""The shell people meet: respondents, researchers, the database and the worker."""

from surveys.celery import app as celery_app

__all__ = ("celery_app",)
