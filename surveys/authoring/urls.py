"""URLs of the builder, below ``staff/``."""

from django.urls import path

from surveys.authoring import (
    api,
    deletion_pages,
    draft_files,
    history,
    import_report,
    made_up_people,
    new_draft,
    one_answer,
    plan_page,
    preview,
    publish_pages,
    readable,
    sentence_sheet,
    text_page,
    translations,
    views,
)

urlpatterns = [
    path("surveys/new", new_draft.new, name="new"),
    path("surveys/new/import", import_report.import_report, name="import_report"),
    path("surveys/<slug:slug>/build/", views.builder, name="builder"),
    path("surveys/<slug:slug>/build/draft", api.draft, name="draft"),
    path("surveys/<slug:slug>/build/save", api.save, name="save"),
    path("surveys/<slug:slug>/build/check", api.check, name="check"),
    path("surveys/<slug:slug>/build/rename", api.rename, name="rename"),
    path("surveys/<slug:slug>/build/one-answer", one_answer.one_answer, name="one_answer"),
    path("surveys/<slug:slug>/build/preview/", preview.preview, name="preview"),
    path("surveys/<slug:slug>/build/delete", views.delete, name="delete"),
    path("surveys/<slug:slug>/build/export/", translations.export, name="export"),
    path("surveys/<slug:slug>/build/export.json", draft_files.export_json, name="export_json"),
    path("surveys/<slug:slug>/build/design.json", draft_files.export_design, name="export_design"),
    path("surveys/<slug:slug>/build/texts.xlsx", translations.texts, name="texts"),
    path("surveys/<slug:slug>/build/sentences/<slug:tag>/", sentence_sheet.sentence_sheet, name="sentences"),
    path(
        "surveys/<slug:slug>/build/sentences/<slug:tag>.xlsx",
        sentence_sheet.sentence_file,
        name="sentence_file",
    ),
    path("surveys/<slug:slug>/build/text", text_page.back_to_text, name="back_to_text"),
    path("surveys/<slug:slug>/build/saves", history.history, name="history"),
    path("surveys/<slug:slug>/build/readable", readable.readable, name="readable"),
    path("surveys/<slug:slug>/plan", plan_page.plan_survey, name="plan"),
    path("surveys/<slug:slug>/made-up/", made_up_people.made_up, name="made_up"),
    path("surveys/<slug:slug>/publish", publish_pages.publish, name="publish"),
    path("surveys/<slug:slug>/make-live", publish_pages.make_live, name="make_live"),
    path("surveys/<slug:slug>/close", views.close, name="close"),
    path("surveys/<slug:slug>/delete", deletion_pages.delete_survey, name="delete_survey"),
]
