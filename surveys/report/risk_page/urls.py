"""The addresses of the risk page and of the audits, below ``staff/``."""

from __future__ import annotations

from django.urls import path

from surveys.report.risk_page.audits import draft_audit, run_audit, run_audit_json
from surveys.report.risk_page.risk_view import risk

urlpatterns = [
    path("surveys/<slug:slug>/audit/", draft_audit, name="draft"),
    path("surveys/<slug:slug>/risk/", risk, name="risk"),
    path("runs/<int:run_id>/audit/", run_audit, name="run"),
    path("runs/<int:run_id>/audit.json", run_audit_json, name="run_json"),
]
