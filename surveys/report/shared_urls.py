"""The addresses for whoever has one, below ``shared/``: no log-in, and no form."""

from django.urls import path

from surveys.authoring.phone_preview import shared_preview
from surveys.report import shared_pages

urlpatterns = [
    path("<str:secret>/", shared_pages.results, name="results"),
    path("<str:secret>/report/", shared_pages.printed, name="printed"),
    path("<str:secret>/risk/", shared_pages.risk, name="risk"),
    path("<str:secret>/preview/", shared_preview, name="preview"),
    path("<str:secret>/pictures/<str:question>.svg", shared_pages.picture, name="picture"),
]
