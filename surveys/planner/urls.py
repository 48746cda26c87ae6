"""The addresses of the planner, below ``staff/``."""

from django.urls import path

from surveys.planner import models_page, promise_page, search_page, views

urlpatterns = [
    path("planner/", views.planner, name="planner"),
    path("planner/promise/", promise_page.promise, name="promise"),
    path("planner/models/", models_page.models, name="models"),
    path("planner/figures", views.figures, name="figures"),
    path("planner/search/", search_page.search_begin, name="search_begin"),
    path("planner/search/<int:search_id>/", search_page.search, name="search"),
    path("planner/search/<int:search_id>/progress", search_page.search_progress, name="search_progress"),
    path("planner/search/<int:search_id>/cancel", search_page.search_cancel, name="search_cancel"),
    path("planner/search/<int:search_id>/take", search_page.search_take, name="search_take"),
    path("surveys/<slug:slug>/planner/search/", search_page.survey_search_begin, name="survey_search_begin"),
    path("surveys/<slug:slug>/planner/", views.survey_planner, name="survey"),
    path("surveys/<slug:slug>/planner/take", views.take, name="take"),
    path("surveys/<slug:slug>/made-up/", views.made_up, name="made_up"),
]
