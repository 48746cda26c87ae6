"""The addresses of number and place questions in a run's report."""

from django.urls import path

from surveys.report.scales import own_rule_page, views

urlpatterns = [
    path("runs/<int:run_id>/join/", own_rule_page.join, name="join"),
    path("runs/<int:run_id>/join/rule.csv", own_rule_page.join_csv, name="join_csv"),
    path("runs/<int:run_id>/join/rule.json", own_rule_page.join_json, name="join_json"),
    path("runs/<int:run_id>/numbers/<str:question>/", views.number, name="number"),
    path("runs/<int:run_id>/numbers/<str:question>/histogram.csv", views.number_csv_file, name="number_csv"),
    path("runs/<int:run_id>/numbers/<str:question>/figures.json", views.number_json_file, name="number_json"),
    path("runs/<int:run_id>/numbers/<str:question>/histogram.svg", views.number_svg_file, name="number_svg"),
    path("runs/<int:run_id>/places/<str:question>/", views.place, name="place"),
    path("runs/<int:run_id>/places/<str:question>/cells.csv", views.place_csv_file, name="place_csv"),
    path("runs/<int:run_id>/places/<str:question>/regions.csv", views.regions_csv_file, name="regions_csv"),
    path(
        "runs/<int:run_id>/places/<str:question>/map.geojson", views.place_geojson_file, name="place_geojson"
    ),
    path("runs/<int:run_id>/places/<str:question>/map.svg", views.place_svg_file, name="place_svg"),
]
