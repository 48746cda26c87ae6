"""Addresses of respondents. The one that takes sealed bodies speaks no language; see `surveys.urls`."""

from django.urls import path

from surveys.respond.views import page

app_name = "respond"

urlpatterns = [path("s/<slug:slug>/", page, name="page")]
