"""The addresses of the planner, below ``staff/``."""

from django.urls import path

from surveys.planner import promise_page, views

app_name = "planner"

urlpatterns = [
    path("planner/", views.planner, name="planner"),
    path("planner/promise/", promise_page.promise, name="promise"),
    path("planner/figures", views.figures, name="figures"),
    path("surveys/<slug:slug>/planner/", views.survey_planner, name="survey"),
    path("surveys/<slug:slug>/planner/take", views.take, name="take"),
    path("surveys/<slug:slug>/made-up/", views.made_up, name="made_up"),
]
