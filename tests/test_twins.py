"""Every module has a test: one of the same name, one that imports it, or one that reaches it from outside.

And every test in a product's folder has its module: `tests/mining/test_rules.py` tests `mining/rules.py`.
Tests of several modules or of pages together are in `tests/site`, `tests/anonymisation/site` or a folder of
their own.
"""

import re
from pathlib import PurePosixPath

from tests.reach import LAYERS, files, imported, is_test, texts, twin

WITHOUT_MODULE = {
    "tests/privacy/estimation/test_at_least_one.py": "one statistic in composed parts, tests and comparisons",
    "tests/privacy/estimation/test_scale_items.py": "bands and regions in itemsets and rules, by enumeration",
    "tests/privacy/estimation/test_scale_skips.py": "skips of numbers and places in supports, by enumeration",
}
"""Tests in a folder of the product that follow one subject through several of its modules."""

FOUND_BY_DJANGO = {"urls.py", "apps.py", "asgi.py", "wsgi.py"}

WHOLE = {
    "privacy/catalogue",
    "surveys/errors/fields.py",
    "surveys/errors/one_answers.py",
    "surveys/errors/pages.py",
    "surveys/errors/sheets.py",
    "surveys/errors/programs.py",
    "anonymisation/refusals.py",
}
"""Modules that hold only texts; one file tests all modules of a folder."""

REACHED = {
    "tests/surveys/runs/test_shared_run.py": {"surveys/runs/fan_out.py"},
    "tests/surveys/authoring/test_changes.py": {
        "surveys/questionnaire/policy_words.py",
        "surveys/authoring/disguise_facts.py",
        "surveys/authoring/place_facts.py",
    },
    "tests/surveys/report/export/test_disguise_laws.py": {
        "surveys/report/export/number_law.py",
        "surveys/report/export/place_law.py",
        "surveys/report/export/scale_law.py",
    },
    "tests/surveys/questionnaire/test_multi_conversion.py": {"surveys/questionnaire/stated_multi.py"},
    "tests/surveys/questionnaire/test_kinds.py": {
        "surveys/questionnaire/stated_place.py",
        "surveys/authoring/publish.py",
    },
    "tests/privacy/risk/test_design_audit.py": {"privacy/risk/design_risk.py"},
    "tests/surveys/embed/test_frame.py": {"surveys/embed/frame_folder.py", "surveys/embed/frame_texts.py"},
    "tests/site/test_error_pages.py": {"surveys/accounts/staff_menu.py"},
    "tests/surveys/accounts/test_views.py": {
        "surveys/accounts/form_page.py",
        "surveys/accounts/people_forms.py",
    },
    "tests/surveys/report/results/test_related_figures.py": {"surveys/report/results/related_records.py"},
    "tests/surveys/runs/test_margin_weights.py": {"surveys/runs/margin_weights.py"},
    "tests/surveys/server/test_schema_of_migrations.py": {"surveys/server/schema_spelling.py"},
    "tests/surveys/server/test_state.py": {"surveys/models/schema_record.py"},
    "tests/site/test_counts.py": {"surveys/formats/separators/zh_Hans/formats.py"},
    "tests/surveys/imports/roles/test_structure.py": {
        "surveys/imports/roles/mark_shapes.py",
        "surveys/imports/roles/outline.py",
        "surveys/imports/roles/question_kinds.py",
        "surveys/imports/tables/header_tables.py",
    },
    "tests/privacy/sdc/test_search_kernels.py": {"privacy/sdc/classes_numba.py"},
    "tests/anonymisation/microdata/test_files.py": {
        "anonymisation/microdata/citation.py",
        "anonymisation/microdata/files.py",
        "anonymisation/microdata/methods_text.py",
        "anonymisation/microdata/report.py",
    },
    "tests/anonymisation/microdata/test_attackers.py": {"anonymisation/microdata/text_lines.py"},
    "tests/anonymisation/microdata/test_construction.py": {
        "anonymisation/microdata/build.py",
        "anonymisation/releases/own_attacks.py",
    },
    "tests/surveys/accounts/test_tokens.py": {
        "surveys/report/export/data_package.py",
        "surveys/report/survey_list/survey_files.py",
    },
    "tests/anonymisation/releases/test_group_trees.py": {
        "anonymisation/releases/steps.py",
        "anonymisation/microdata/hierarchies.py",
    },
    "tests/anonymisation/releases/test_same_people.py": {"anonymisation/releases/uploaded_ledger.py"},
    "tests/anonymisation/releases/test_drafts.py": {"anonymisation/releases/steps.py"},
    "tests/anonymisation/releases/test_views.py": {
        "anonymisation/releases/drafts.py",
        "anonymisation/releases/deletion.py",
        "anonymisation/releases/typed_texts.py",
        "anonymisation/releases/jobs.py",
        "anonymisation/releases/source_forms.py",
        "anonymisation/releases/plan.py",
        "anonymisation/releases/problems.py",
        "anonymisation/releases/progress.py",
        "anonymisation/releases/step_links.py",
        "anonymisation/releases/steps.py",
        "anonymisation/releases/views.py",
        "anonymisation/permissions.py",
        "anonymisation/models.py",
    },
    "tests/anonymisation/releases/test_release_queries.py": {
        "anonymisation/releases/views.py",
        "anonymisation/releases/query_records.py",
        "anonymisation/releases/release_queries.py",
    },
    "tests/privacy/estimation/test_shapes.py": {
        "privacy/estimation/required_counts.py",
        "privacy/estimation/design_index.py",
    },
    "tests/surveys/accounts/test_second_factor.py": {
        "surveys/accounts/permissions.py",
        "surveys/accounts/second_factor.py",
    },
    "tests/surveys/accounts/test_openid.py": {"surveys/accounts/views.py"},
    "tests/surveys/accounts/test_sessions.py": {"surveys/models/staff_session.py"},
    "tests/surveys/accounts/test_lock_out.py": {
        "surveys/accounts/visitor_address.py",
        "surveys/models/log_in_failures.py",
    },
    "tests/surveys/accounts/test_own_account.py": {
        "surveys/accounts/return_path.py",
        "surveys/accounts/token_pages.py",
        "surveys/accounts/way_pages.py",
        "surveys/models/staff_preference.py",
    },
    "tests/surveys/questionnaire/test_series.py": {"surveys/questionnaire/series_checks.py"},
    "tests/surveys/embed/test_file_page.py": {"surveys/accounts/permissions.py"},
    "tests/surveys/report/export/test_board_documents.py": {
        "surveys/questionnaire/about_texts.py",
        "surveys/report/export/board_documents.py",
        "surveys/report/export/documents.py",
    },
    "tests/site/test_measures.py": {"surveys/report/export/api_description.py"},
    "tests/surveys/report/export/test_rule_columns.py": {"surveys/report/export/downloads.py"},
    "tests/surveys/report/export/test_labelled_files.py": {
        "surveys/report/export/codebook.py",
        "surveys/report/export/labelled_files.py",
    },
    "tests/surveys/respondent/test_letters.py": {"surveys/respondent/complete_disguise.py"},
    "tests/surveys/respondent/test_client_program.py": {"surveys/respondent/small_style.py"},
    "tests/surveys/respondent/test_texts.py": {
        "surveys/respondent/first_texts.py",
        "surveys/respondent/scale_texts.py",
        "surveys/respondent/texts.py",
    },
    "tests/surveys/runs/test_shown_of_run.py": {"surveys/runs/shown_of_run.py"},
    "tests/mining/columns/test_counting.py": {
        "mining/columns/counting_numba.py",
        "mining/columns/counting.py",
        "mining/columns/counting_numpy.py",
    },
    "tests/mining/columns/test_bitmatrix.py": {"mining/columns/turning_numba.py"},
    "tests/mining/frames/test_comparisons.py": {"mining/frames/arms.py"},
    "tests/mining/frames/test_plan.py": {"mining/frames/survey_design.py"},
    "tests/mining/frames/test_reports.py": {"privacy/regression/report_channels.py"},
    "tests/surveys/jobs/test_heartbeats.py": {"surveys/tasks.py", "surveys/worker.py"},
    "tests/privacy/estimation/test_events.py": {
        "privacy/estimation/block_patterns.py",
        "privacy/estimation/events.py",
    },
    "tests/privacy/estimation/test_intervals.py": {"privacy/estimation/rule_tables.py"},
    "tests/privacy/estimation/test_margin_cells.py": {"privacy/estimation/margin_cells.py"},
    "tests/privacy/sdc/test_queries.py": {"privacy/sdc/published_labels.py"},
    "tests/privacy/risk/test_promise.py": {"privacy/risk/prevalences.py"},
    "tests/surveys/accounts/test_people.py": {
        "surveys/accounts/permissions.py",
        "surveys/accounts/people.py",
    },
    "tests/surveys/accounts/test_audit_log.py": {"surveys/accounts/audit_log.py"},
    "tests/surveys/runs/test_mining_job.py": {
        "mining/inference.py",
        "surveys/runs/mining_job.py",
        "surveys/models/job.py",
        "surveys/models/run.py",
    },
    "tests/surveys/authoring/test_api.py": {
        "surveys/authoring/builder_texts.py",
        "surveys/models/draft_revision.py",
    },
    "tests/surveys/authoring/test_publish.py": {
        "surveys/authoring/lifecycle.py",
        "surveys/authoring/published_state.py",
    },
    "tests/surveys/authoring/test_views.py": {
        "surveys/authoring/closing_page.py",
        "surveys/authoring/draft_files.py",
        "surveys/authoring/translations.py",
        "surveys/authoring/views.py",
        "surveys/authoring/drafts.py",
    },
    "tests/surveys/report/export/test_data_package.py": {
        "surveys/report/export/codebook.py",
        "surveys/report/export/data_package.py",
        "surveys/report/export/board_documents.py",
        "surveys/report/export/export_page.py",
    },
    "tests/surveys/respondent/test_invitation_views.py": {"surveys/respondent/invitation_views.py"},
    "tests/surveys/intake/test_keys.py": {"surveys/models/mixer_keys.py"},
    "tests/surveys/models/test_written_once.py": {
        "surveys/models/drawing_key.py",
        "surveys/models/ledger.py",
        "surveys/models/survey.py",
        "surveys/models/version.py",
    },
    "tests/surveys/questionnaire/checks/test_check.py": {
        "surveys/questionnaire/checks/content.py",
    },
    "tests/surveys/questionnaire/test_definition.py": {
        "surveys/questionnaire/definition.py",
        "surveys/questionnaire/document.py",
        "surveys/questionnaire/parsed_document.py",
        "surveys/questionnaire/stated_block.py",
    },
    "tests/surveys/questionnaire/test_labels.py": {"surveys/questionnaire/labels.py"},
    "tests/anonymisation/management/commands/test_release.py": {
        "anonymisation/microdata/files.py",
        "anonymisation/microdata/checks.py",
        "anonymisation/microdata/publication.py",
        "anonymisation/microdata/construction.py",
        "anonymisation/microdata/text_files.py",
        "anonymisation/microdata/report.py",
    },
    "tests/operations/test_wheel.py": {"surveys/management/__main__.py"},
    "tests/surveys/report/results/test_results.py": {
        "surveys/runs/planned_sides.py",
        "surveys/templatetags/figures.py",
    },
    "tests/surveys/report/risk_page/test_audits.py": {"surveys/report/risk_page/risk_view.py"},
    "tests/surveys/report/results/test_numbers.py": {
        "surveys/report/results/numbers.py",
        "surveys/report/sentences/scale_disguises.py",
        "surveys/templatetags/figures.py",
    },
    "tests/surveys/report/results/test_scale_pages.py": {
        "surveys/report/results/number_files.py",
        "surveys/report/results/place_files.py",
    },
    "tests/surveys/test_tasks.py": {"surveys/runs/after_run.py"},
    "tests/surveys/report/results/test_compare.py": {
        "surveys/report/results/choices.py",
        "surveys/report/results/place_choices.py",
        "surveys/report/results/compare.py",
        "surveys/report/results/comparison_text.py",
    },
    "tests/surveys/report/sentences/test_forged.py": {"surveys/report/results/forged_differences.py"},
    "tests/surveys/report/risk_page/test_risk_view.py": {"surveys/report/risk_page/unique_people.py"},
    "tests/surveys/report/rules/test_itemsets.py": {"surveys/report/rules/filter_form.py"},
    "tests/surveys/report/survey_list/test_next_step.py": {
        "surveys/report/survey_list/request_view.py",
        "surveys/report/survey_list/survey_view.py",
        "surveys/report/survey_list/surveys.py",
    },
    "tests/surveys/report/rules/test_rule.py": {
        "surveys/report/rules/selection_words.py",
        "surveys/templatetags/figures.py",
    },
    "tests/surveys/runs/test_weighted_itemsets.py": {"surveys/report/results/survey_quality.py"},
    "tests/surveys/report/shared/test_addresses.py": {
        "surveys/report/shared/map_picture.py",
        "surveys/report/shared/shared_run.py",
        "surveys/models/shared_page.py",
        "surveys/report/shared/shared_views.py",
    },
    "tests/surveys/respondent/test_views.py": {"surveys/respondent/client_documents.py"},
    "tests/surveys/respondent/test_client_documents.py": {
        "surveys/respondent/views.py",
        "surveys/respondent/client_documents.py",
        "surveys/templatetags/components.py",
    },
    "tests/surveys/authoring/test_import_report.py": {"surveys/authoring/imported_draft.py"},
    "tests/surveys/report/survey_list/test_overview.py": {"surveys/templatetags/design_facts.py"},
    "tests/site/test_report_pages.py": {
        "surveys/report/place_among_runs.py",
        "surveys/report/rules/rule_tests.py",
        "surveys/report/rules/run_pages.py",
        "surveys/report/shared/addresses.py",
        "surveys/templatetags/rule_measures.py",
        "surveys/templatetags/run_facts.py",
    },
    "tests/surveys/intake/test_client_origins.py": {"surveys/environment.py"},
}
"""Test file -> modules that it reaches through a URL, a command, or another module."""


def test_every_module_has_a_test() -> None:
    sources = texts(*LAYERS, "tests", ends=(".py",))
    tests = [path for path in sources if is_test(path)]
    imports = set().union(*(imported(sources[path]) for path in tests))
    words = set(re.findall(r"[\w-]+", "\n".join(sources[path] for path in tests)))
    reached = set().union(*REACHED.values())
    without = [
        path
        for path in sources
        if not path.startswith("tests/")
        and not path.endswith(("__init__.py", *FOUND_BY_DJANGO))
        and not any(path == layer or path.startswith(f"{layer}/") for layer in WHOLE)
        and twin(path) not in sources
        and path.removesuffix(".py").replace("/", ".") not in imports
        and not ("/commands/" in path and path.rsplit("/", 1)[1].removesuffix(".py") in words)
        and path not in reached
    ]
    missing = {path: twin(path) for path in without}
    assert missing == {}, "write these tests, or list a test that reaches the module in REACHED"


def test_listed_test_files_and_the_modules_they_reach_exist() -> None:
    there = texts(*LAYERS, "tests", ends=(".py",))
    modules = set().union(*REACHED.values())
    assert sorted({*REACHED, *modules} - there.keys()) == []


def module_of(test: str) -> tuple[str, ...]:
    """Return the paths of the modules that a test file can be about: a module, or a package.

    >>> module_of("tests/mining/columns/test_counting.py")
    ('mining/columns/counting.py', 'mining/columns/counting/__init__.py', 'mining/columns/__counting__.py')
    """
    path = PurePosixPath(test.removeprefix("tests/"))
    folder, name = path.parent, path.stem.removeprefix("test_")
    package = f"{folder}/__init__.py" if folder.name == name else f"{folder}/{name}/__init__.py"
    return f"{folder}/{name}.py", package, f"{folder}/__{name}__.py"


def without_module(paths: list[str]) -> list[str]:
    """Return the test files in a folder of the product that test no module of the same path."""
    there = {path.replace("-", "_") for path in paths}
    folders = {str(PurePosixPath(path).parent) for path in paths if path.endswith(".py")} - {"tests"}
    return [
        path
        for path in sorted(paths)
        if is_test(path)
        and str(PurePosixPath(path).parent).removeprefix("tests/") in folders
        and there.isdisjoint(module_of(path))
    ]


def test_every_test_in_a_folder_of_the_product_has_its_module() -> None:
    paths = files()
    assert without_module(paths) == sorted(WITHOUT_MODULE), "move it to its module, or to tests/site"
    assert len(WITHOUT_MODULE) <= 15
    planted = "tests/mining/test_going_together.py"
    assert planted in without_module([*paths, planted])
