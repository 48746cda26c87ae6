"""The addresses of staff pages, below ``staff/``."""

from django.urls import path

from surveys.report.export import api_description, downloads
from surveys.report.results import compare, paper, printed, regression, results, scale_pages, survey_quality
from surveys.report.rules import itemset_answer, itemsets, review, rule, rule_tests, run_pages
from surveys.report.shared import addresses
from surveys.report.survey_list import request_view, survey_files, survey_view, surveys

urlpatterns = [
    path("", surveys.surveys, name="surveys"),
    path("openapi.json", api_description.api_description, name="api_description"),
    path("surveys.json", survey_files.surveys_json, name="surveys_json"),
    path("surveys/<slug:slug>/runs.json", survey_files.runs_json, name="runs_json"),
    path("surveys/<slug:slug>/", survey_view.survey, name="survey"),
    path("surveys/<slug:slug>/mine", request_view.mine, name="mine"),
    path("runs/<int:run_id>/", run_pages.run, name="run"),
    path("runs/<int:run_id>/results/", results.results, name="results"),
    path("runs/<int:run_id>/itemsets/", itemsets.itemsets, name="itemsets"),
    path("runs/<int:run_id>/tests/", rule_tests.rule_tests, name="rule_tests"),
    path("runs/<int:run_id>/report/", printed.print_report, name="printed"),
    path("runs/<int:run_id>/paper/", paper.paper, name="paper"),
    path("runs/<int:run_id>/share/", addresses.share, name="share"),
    path("surveys/<slug:slug>/shared/<int:shared_id>/end", addresses.share_end, name="share_end"),
    path("runs/<int:run_id>/rules/<int:rule_id>/", rule.rule, name="rule"),
    path("review/", review.review, name="review"),
    path("runs/<int:run_id>/rules/<int:rule_id>/verdicts/", review.rule_verdicts, name="rule_verdicts"),
    path("runs/<int:run_id>/compare/", compare.compare, name="compare"),
    path("runs/<int:run_id>/compare/comparison.<str:ending>", compare.compare_file, name="compare_file"),
    path(
        "runs/<int:run_id>/numbers/<str:question>/", scale_pages.scale_page, {"kind": "number"}, name="number"
    ),
    path(
        "runs/<int:run_id>/numbers/<str:question>/<str:file>",
        scale_pages.scale_file,
        {"kind": "number"},
        name="number_file",
    ),
    path("runs/<int:run_id>/places/<str:question>/", scale_pages.scale_page, {"kind": "place"}, name="place"),
    path(
        "runs/<int:run_id>/places/<str:question>/<str:file>",
        scale_pages.scale_file,
        {"kind": "place"},
        name="place_file",
    ),
    path("runs/<int:run_id>/regression/", regression.regression, name="regression"),
    path("runs/<int:run_id>/practice/", survey_quality.survey_quality_page, name="practice"),
    path("runs/<int:run_id>/weights.csv", survey_quality.weights_csv, name="weights_csv"),
    path("runs/<int:run_id>/about/", run_pages.about, name="about"),
    path("runs/<int:run_id>/progress", run_pages.progress, name="progress"),
    path("runs/<int:run_id>/answer", itemset_answer.answer, name="answer"),
    path("runs/<int:run_id>/cancel", run_pages.cancel, name="cancel"),
    path("runs/<int:run_id>/rules.<str:ending>", downloads.rules, name="rules_file"),
    path("runs/<int:run_id>/itemsets.csv", downloads.itemsets_csv, name="itemsets_csv"),
]
