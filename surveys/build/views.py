"""The pages of those who build surveys.

Templates and what they are given (names of addresses in brackets, all in the namespace ``build``):

``build/new.html`` [new]
    ``form`` (`surveys.build.forms.NewForm`): fields ``source`` (scratch, template, duplicate, definition,
    xlsform), ``slug``, ``title``, ``template``, ``survey`` (the one to duplicate), ``file``;
    ``templates``: list of ``TemplateLine(name, title, about, languages, blocks, questions, epsilon)``;
    ``surveys``: list of (slug, title) that can be duplicated;
    ``problems``: what is wrong with an uploaded file, each with ``path`` (or "sheet, row, column"),
    ``message``, ``remedy``. POST (multipart) leads to the builder, or shows the page again with status 422.
``build/builder.html`` [builder]
    ``survey`` (the row), ``languages`` (list of ``Language(tag, name, direction)`` to choose from),
    ``time_zones`` (list of names), ``data`` for ``json_script``: ``{"draft": <as GET …/build/draft>,
    "urls": {"draft", "save", "check", "rename", "preview", "publish", "survey", "export_json",
    "export_xlsx"}, "csrf": "<token>"}``. Read ``data.csrf`` for the header ``X-CSRFToken``.
``build/publish.html`` [publish]
    ``survey``, ``problems``, ``changes`` (list of ``Change(kind, path, text)``, kind "design", "wording" or
    "schedule"), ``number`` (the version it would become), ``is_first``, ``schedule`` (opens, closes, zone),
    ``revision`` (hidden field; a draft that was changed meanwhile is not published), ``budget``. POST leads
    to the survey's page, or shows the page again with status 409 or 422 and ``refusal`` (message, remedy).
``build/close.html`` [close]
    ``survey``, ``form`` with ``at_once`` (checkbox) and ``confirm`` (type the survey's slug; needed for
    ``at_once`` unless practice), ``refusal``. POST leads to the survey's page.
``build/delete.html`` [delete]
    ``survey``, ``refusal``. POST leads to the list of surveys. Never-published drafts only.
``build/export.html`` [export]
    ``survey``, ``not_kept``: what XLSForm cannot say; links to [export_json] and [export_xlsx].
``build/unready.html`` [preview]
    ``problems``: why the draft cannot be shown yet (in the preview's frame); else the respondent's page.
``partials/survey_build.html``
    ``build`` = `surveys.build.standing.survey_standing(survey)`.

The preview: ``…/build/preview/?language=zh-hans`` (the survey's first language by default). It shows what was
saved last; load the frame again after a save. Its answers can be tried and never leave the page.
"""
