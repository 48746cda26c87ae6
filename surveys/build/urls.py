"""The addresses of the builder, below ``staff/``.

surveys/new                        new
surveys/<slug>/build/              builder
surveys/<slug>/build/draft         draft        GET, JSON
surveys/<slug>/build/save          save         POST, JSON
surveys/<slug>/build/check         check        POST, JSON
surveys/<slug>/build/rename        rename       POST, JSON
surveys/<slug>/build/preview/      preview
surveys/<slug>/build/delete        delete
surveys/<slug>/build/export/       export
surveys/<slug>/build/export.json   export_json
surveys/<slug>/build/export.xlsx   export_xlsx
surveys/<slug>/publish             publish
surveys/<slug>/close               close
"""

app_name = "build"
