"""The addresses of staff pages, below ``staff/``."""

from django.urls import path

from surveys.report import (
    downloads,
    estimators_page,
    own_rules_page,
    print_page,
    regression_page,
    results_page,
    rule_page,
    sharing,
    survey_quality_page,
    tests_page,
    verdict_views,
    views,
)
from surveys.report.scales import own_rule_page
from surveys.report.scales import views as scale_views

urlpatterns = [
    path("", views.surveys, name="surveys"),
    path("surveys/<slug:slug>/", views.survey, name="survey"),
    path("surveys/<slug:slug>/mine", views.mine, name="mine"),
    path("runs/<int:run_id>/", views.run, name="run"),
    path("runs/<int:run_id>/results/", results_page.results, name="results"),
    path("runs/<int:run_id>/pictures/", views.pictures, name="pictures"),
    path("runs/<int:run_id>/itemsets/", views.itemsets, name="itemsets"),
    path("runs/<int:run_id>/tests/", tests_page.rule_tests, name="rule_tests"),
    path("runs/<int:run_id>/tests.csv", tests_page.rule_tests_csv, name="rule_tests_csv"),
    path("runs/<int:run_id>/brought/", own_rules_page.brought_rules, name="brought_rules"),
    path("runs/<int:run_id>/report/", print_page.printed, name="printed"),
    path("runs/<int:run_id>/share/", sharing.share, name="share"),
    path("surveys/<slug:slug>/shared/<int:shared_id>/end", sharing.share_end, name="share_end"),
    path("runs/<int:run_id>/rules/<int:rule_id>/", rule_page.rule, name="rule"),
    path(
        "runs/<int:run_id>/rules/<int:rule_id>/verdicts/",
        verdict_views.rule_verdicts,
        name="rule_verdicts",
    ),
    path("runs/<int:run_id>/join/", own_rule_page.join, name="join"),
    path("runs/<int:run_id>/join/rule.csv", own_rule_page.join_csv, name="join_csv"),
    path("runs/<int:run_id>/join/rule.json", own_rule_page.join_json, name="join_json"),
    path("runs/<int:run_id>/numbers/<str:question>/", scale_views.number, name="number"),
    path(
        "runs/<int:run_id>/numbers/<str:question>/histogram.csv",
        scale_views.number_csv_file,
        name="number_csv",
    ),
    path(
        "runs/<int:run_id>/numbers/<str:question>/figures.json",
        scale_views.number_json_file,
        name="number_json",
    ),
    path(
        "runs/<int:run_id>/numbers/<str:question>/histogram.svg",
        scale_views.number_svg_file,
        name="number_svg",
    ),
    path("runs/<int:run_id>/places/<str:question>/", scale_views.location, name="place"),
    path("runs/<int:run_id>/places/<str:question>/cells.csv", scale_views.place_csv_file, name="place_csv"),
    path(
        "runs/<int:run_id>/places/<str:question>/regions.csv",
        scale_views.regions_csv_file,
        name="regions_csv",
    ),
    path(
        "runs/<int:run_id>/places/<str:question>/map.geojson",
        scale_views.place_geojson_file,
        name="place_geojson",
    ),
    path("runs/<int:run_id>/places/<str:question>/map.svg", scale_views.place_svg_file, name="place_svg"),
    path("runs/<int:run_id>/estimators/", estimators_page.estimators, name="estimators"),
    path("runs/<int:run_id>/regression/", regression_page.regression, name="regression"),
    path("runs/<int:run_id>/practice/", survey_quality_page.survey_quality_page, name="practice"),
    path("runs/<int:run_id>/weights.csv", survey_quality_page.weights_csv, name="weights_csv"),
    path("runs/<int:run_id>/about/", views.about, name="about"),
    path("runs/<int:run_id>/progress", views.progress, name="progress"),
    path("runs/<int:run_id>/cancel", views.cancel, name="cancel"),
    path("runs/<int:run_id>/rules.csv", downloads.rules_csv, name="rules_csv"),
    path("runs/<int:run_id>/rules.json", downloads.rules_json, name="rules_json"),
    path("runs/<int:run_id>/rules.parquet", downloads.rules_parquet, name="rules_parquet"),
    path("runs/<int:run_id>/rules.svg", downloads.rules_svg, name="rules_svg"),
    path("runs/<int:run_id>/itemsets.csv", downloads.itemsets_csv, name="itemsets_csv"),
    path("runs/<int:run_id>/supports.svg", downloads.supports_svg, name="supports_svg"),
]
