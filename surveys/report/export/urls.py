"""The addresses of documents and exports, below ``staff/``."""

from __future__ import annotations

from django.urls import path

from surveys.report.export.documents import documents
from surveys.report.export.export_page import export_data, rows

urlpatterns = [
    path("surveys/<slug:slug>/export-data/", export_data, name="data"),
    path("runs/<int:run_id>/rows.<str:kind>", rows, name="rows"),
    path("surveys/<slug:slug>/documents/", documents, name="documents"),
]
