"""Django's admin as an application with our site."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class RecordsConfig(AdminConfig):
    """The admin. Accounts are not among its records: they have pages, services and a log."""

    default_site = "surveys.records.RecordsSite"

    def ready(self) -> None:
        """Find what is registered, and take out what Django registers by itself."""
        super().ready()
        from django.contrib import admin
        from django.contrib.auth.models import Group, User

        admin.site.unregister([Group, User])
