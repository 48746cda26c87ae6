"""The addresses of audits, below ``staff/``."""

from django.urls import path

from surveys.report.audit import views

app_name = "audit"

urlpatterns = [
    path("surveys/<slug:slug>/audit/", views.draft_audit, name="draft"),
    path("runs/<int:run_id>/audit/", views.run_audit, name="run"),
    path("runs/<int:run_id>/audit.json", views.run_audit_json, name="run_json"),
]
