"""The addresses of the interface for programs, below ``api/v1/``; they carry no language."""

from django.urls import path, re_path

from surveys.api import deposits, figures, openapi, views
from surveys.api.door import nothing

urlpatterns = [
    path("openapi.json", openapi.openapi, name="openapi"),
    path("me", views.me, name="me"),
    path("surveys", views.surveys, name="surveys"),
    path("surveys/<slug:slug>", views.survey, name="survey"),
    path("surveys/<slug:slug>/versions", views.versions, name="versions"),
    path("surveys/<slug:slug>/versions/<int:number>", views.version, name="version"),
    path("surveys/<slug:slug>/runs", views.runs, name="runs"),
    path("runs/<int:run_id>", views.run, name="run"),
    path("runs/<int:run_id>/prevalences", figures.prevalences, name="prevalences"),
    path("runs/<int:run_id>/itemsets", figures.itemsets, name="itemsets"),
    path("runs/<int:run_id>/rules", figures.rules, name="rules"),
    path("runs/<int:run_id>/numbers/<str:question>", figures.number, name="number"),
    path("runs/<int:run_id>/places/<str:question>", figures.place, name="place"),
    path("runs/<int:run_id>/audit", figures.audit, name="audit"),
    path("runs/<int:run_id>/label", figures.label, name="label"),
    path("deposits", deposits.deposits, name="deposits"),
    path("deposits/<int:made_id>", deposits.deposit, name="deposit"),
    path("deposits/<int:made_id>/answer", deposits.answer, name="deposit_answer"),
    re_path("^.*$", nothing, name="nothing"),
]
