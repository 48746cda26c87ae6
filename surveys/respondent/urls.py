"""Addresses of respondents. The one that takes sealed bodies speaks no language; see `surveys.urls`."""

from django.urls import path

from surveys.respondent.views import page

urlpatterns = [
    path("s/<slug:slug>/", page, name="page"),
    # In a language that the survey has and Sotto's own sentences have not.
    path("s/<slug:slug>/<slug:language>/", page, name="page_in"),
]
