"""Addresses of deposits, below ``staff/``."""

from django.urls import path

from surveys.deposits import matrix_pages, question_pages, views

urlpatterns = [
    path("deposits/", views.begin, name="begin"),
    path("deposits/<int:deposit_id>/", views.deposit, name="deposit"),
    path("deposits/<int:deposit_id>/columns/", views.columns, name="columns"),
    path("deposits/<int:deposit_id>/groups/", views.trees, name="trees"),
    path("deposits/<int:deposit_id>/bounds/", views.bounds, name="bounds"),
    path("deposits/<int:deposit_id>/matrix/", matrix_pages.matrix, name="matrix"),
    path("deposits/<int:deposit_id>/matrix.csv", matrix_pages.matrix_csv, name="matrix_csv"),
    path("deposits/<int:deposit_id>/progress", views.progress, name="progress"),
    path("deposits/<int:deposit_id>/cancel", views.cancel, name="cancel"),
    path("deposits/<int:deposit_id>/erase", views.erase, name="erase"),
    path("deposits/<int:made_id>/deposit.zip", views.files, name="files"),
    path("deposits/<int:made_id>/report.zip", views.report, name="report"),
    path("deposits/<int:made_id>/ask/", question_pages.ask, name="ask"),
    path("deposits/<int:made_id>/questions/", question_pages.questions, name="questions"),
    path("deposits/<int:made_id>/questions/open", question_pages.open_for_questions, name="open"),
    path("deposits/<int:made_id>/questions/shut", question_pages.shut_for_questions, name="shut"),
]
