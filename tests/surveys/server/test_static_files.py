import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from surveys.server.static_files import ManifestStorage, imports_first
from tests.fixtures.collected_static import collect


def test_modules_import_each_other_by_digest_names(tmp_path: Path, settings: Settings) -> None:
    served = collect(
        tmp_path,
        settings,
        law='import { draw } from "./coins.js";\ndraw();\n',
        coins="export const draw = 1;\n",
    )
    name = served["coins is served as"]
    assert re.fullmatch(r"coins\.[0-9a-f]{12}\.js", name)
    assert f'"./{name}"' in served["law"]


def test_type_imports_in_comments_are_unchanged(tmp_path: Path, settings: Settings) -> None:
    one = '/** @typedef {import("./other.js").Design} Design */\nexport const a = 1;\n'
    other = '/** @typedef {import("./one.js").Layout} Layout */\nimport { a } from "./one.js";\na();\n'
    served = collect(tmp_path, settings, one=one, other=other)
    assert served["one"] == one
    assert 'import("./one.js").Layout' in served["other"]
    assert f'from "./{served["one is served as"]}"' in served["other"]


def test_the_remaining_django_checks_pass() -> None:
    call_command("check")


@pytest.mark.soak
def test_every_file_of_the_application_can_be_collected(tmp_path: Path, settings: Settings) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "surveys.server.static_files.ManifestStorage"},
    }
    settings.STATIC_ROOT = tmp_path
    call_command("collectstatic", interactive=False, verbosity=0)
    paths = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    assert "surveys/js/coins.js" in paths


def test_uncollected_files_keep_their_plain_names(tmp_path: Path, settings: Settings) -> None:
    settings.STATIC_ROOT = tmp_path
    assert ManifestStorage().url("surveys/js/coins.js") == "/static/surveys/js/coins.js"


def test_a_missing_file_is_an_error_once_others_were_collected(tmp_path: Path, settings: Settings) -> None:
    collect(tmp_path, settings, coins="export const draw = 1;\n")
    with pytest.raises(ValueError, match=r"Missing staticfiles manifest entry for 'other\.js'"):
        ManifestStorage().url("other.js")


def test_long_import_chains_get_digest_names(tmp_path: Path, settings: Settings) -> None:
    # Each file imports the next one in alphabetical order, so every pass resolves only one.
    chain = "abcdefghij"
    texts = {one: f'import "./{other}.js";\n' for one, other in pairwise(chain)}
    served = collect(tmp_path, settings, **texts, j="export const j = 1;\n")
    for one, other in pairwise(chain):
        assert served[f"{other} is served as"] in served[one]


def test_modules_follow_those_that_they_import_even_in_a_cycle() -> None:
    sources = {
        "a/one.js": 'import "../b/two.js";',
        "a/three.js": 'import "./one.js"; import "./four.js";',
        "a/four.js": '/** {import("./three.js").Type} */',
        "b/two.js": 'import "./missing.js";',
    }
    ordered = imports_first(sources, [*sources, "c.css"])
    assert sorted(ordered) == sorted([*sources, "c.css"])
    assert ordered.index("b/two.js") < ordered.index("a/one.js") < ordered.index("a/three.js")
    assert ordered.index("a/four.js") < ordered.index("a/three.js")
