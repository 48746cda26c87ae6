"""The addresses of the data export, below ``staff/``."""

from django.urls import path

from surveys.export import views

app_name = "export"

urlpatterns = [
    path("surveys/<slug:slug>/export-data/", views.export_data, name="data"),
]
