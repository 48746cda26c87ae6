"""The addresses of audits, below ``staff/``, under a name of their own."""

from django.urls import path

from surveys.report.audit import risk_page, views

urlpatterns = [
    path("surveys/<slug:slug>/audit/", views.draft_audit, name="draft"),
    path("surveys/<slug:slug>/risk/", risk_page.risk, name="risk"),
    path("runs/<int:run_id>/audit/", views.run_audit, name="run"),
    path("runs/<int:run_id>/audit.json", views.run_audit_json, name="run_json"),
]
