"""The addresses of staff pages, below ``staff/``."""

from django.urls import path

from surveys.report import (
    comparison_page,
    downloads,
    paper_page,
    print_page,
    regression_page,
    results_page,
    review,
    rule_page,
    sharing,
    survey_quality_page,
    tests_page,
    views,
)
from surveys.report.scales import views as scale_views

urlpatterns = [
    path("", views.surveys, name="surveys"),
    path("surveys.json", downloads.surveys_json, name="surveys_json"),
    path("surveys/<slug:slug>/runs.json", downloads.runs_json, name="runs_json"),
    path("surveys/<slug:slug>/", views.survey, name="survey"),
    path("surveys/<slug:slug>/mine", views.mine, name="mine"),
    path("runs/<int:run_id>/", views.run, name="run"),
    path("runs/<int:run_id>/results/", results_page.results, name="results"),
    path("runs/<int:run_id>/itemsets/", views.itemsets, name="itemsets"),
    path("runs/<int:run_id>/tests/", tests_page.rule_tests, name="rule_tests"),
    path("runs/<int:run_id>/report/", print_page.printed, name="printed"),
    path("runs/<int:run_id>/paper/", paper_page.paper, name="paper"),
    path("runs/<int:run_id>/share/", sharing.share, name="share"),
    path("surveys/<slug:slug>/shared/<int:shared_id>/end", sharing.share_end, name="share_end"),
    path("runs/<int:run_id>/rules/<int:rule_id>/", rule_page.rule, name="rule"),
    path("review/", review.review, name="review"),
    path("runs/<int:run_id>/rules/<int:rule_id>/verdicts/", review.rule_verdicts, name="rule_verdicts"),
    path("runs/<int:run_id>/compare/", comparison_page.compare, name="compare"),
    path(
        "runs/<int:run_id>/compare/comparison.<str:ending>",
        comparison_page.compare_file,
        name="compare_file",
    ),
    path(
        "runs/<int:run_id>/numbers/<str:question>/", scale_views.scale_page, {"kind": "number"}, name="number"
    ),
    path(
        "runs/<int:run_id>/numbers/<str:question>/<str:file>",
        scale_views.scale_file,
        {"kind": "number"},
        name="number_file",
    ),
    path("runs/<int:run_id>/places/<str:question>/", scale_views.scale_page, {"kind": "place"}, name="place"),
    path(
        "runs/<int:run_id>/places/<str:question>/<str:file>",
        scale_views.scale_file,
        {"kind": "place"},
        name="place_file",
    ),
    path("runs/<int:run_id>/regression/", regression_page.regression, name="regression"),
    path("runs/<int:run_id>/practice/", survey_quality_page.survey_quality_page, name="practice"),
    path("runs/<int:run_id>/weights.csv", survey_quality_page.weights_csv, name="weights_csv"),
    path("runs/<int:run_id>/about/", views.about, name="about"),
    path("runs/<int:run_id>/progress", views.progress, name="progress"),
    path("runs/<int:run_id>/cancel", views.cancel, name="cancel"),
    path("runs/<int:run_id>/rules.<str:ending>", downloads.rules, name="rules_file"),
    path("runs/<int:run_id>/itemsets.csv", downloads.itemsets_csv, name="itemsets_csv"),
]
