"""The addresses of files to take away, below ``staff/``."""

from django.urls import path

from surveys.export import document_views, views

urlpatterns = [
    path("surveys/<slug:slug>/export-data/", views.export_data, name="data"),
    path("surveys/<slug:slug>/documents/", document_views.documents, name="documents"),
]
