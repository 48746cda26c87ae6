"""Labels of stored and sent values do not depend on names in the code, so later releases can read them."""

import ast
import time

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from surveys.accounts.known_devices import COOKIE, device_of
from surveys.accounts.log_in_digests import name_digest
from surveys.accounts.second_factor import recovery_digest
from surveys.intake.codes import receipt_key
from surveys.intake.sealed_boxes import PrivateKey, open_box
from surveys.jobs.dispatch import Task
from surveys.jobs.key_mark import key_mark
from surveys.models.authenticator_app import AuthenticatorApp
from surveys.runs.signature import sign_statement, signing_key
from tests.architecture import nodes
from tests.reach import APPS, CORE
from tests.test_architecture import modules, named

NAMES_OF_CODE = {"__name__", "__qualname__", "__module__"}
# Modules that use names of code, and why: never for anything that outlives the process or its cache.
USES = {
    "privacy/compilation.py": "names of numba's compiled code in its own cache",
    "surveys/migrations/_by_vendor.py": "Django's own description of a migration",
    "surveys/imports/files/reader_process.py": "the function that a child process of the same program calls",
}


@pytest.fixture(autouse=True)
def _one_secret_key(settings: Settings) -> None:
    settings.SECRET_KEY = "a secret key that only tests use, 0123456789"


def test_the_secret_key_mark_in_backups_is_unchanged() -> None:
    assert key_mark() == "1fc7ffa12cd9b396"


def test_login_digests_are_unchanged() -> None:
    assert name_digest("ana") == "64991a723a1d9fcd07f531a72119ca608f0da8be3b29442aee79c7351261a79d"
    assert recovery_digest(User(pk=7), "abcd-efgh-jkmn") == "SgP1_Z2X9rhlrNaZ"


def test_devices_known_to_earlier_releases_stay_known(monkeypatch: pytest.MonkeyPatch) -> None:
    cookie = (
        "WyJmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZiIsIjY0OTkxYTcyM2ExZDlmY2QwN2Y1MzFhNzIxMTljYTYwOGYwZGE4YmUz"
        "YjI5NDQyYWVlNzljNzM1MTI2MWE3OWQiXQ:1r31eq:mpE7ktWc5SpaLkdA4qj1v84bDK7L7b0nUGTDmW7Qt00"
    )
    monkeypatch.setattr(time, "time", lambda: 1_700_000_060.0)
    assert device_of({COOKIE: cookie}, name="ana") == "f" * 32


def test_values_sealed_by_earlier_releases_can_be_opened() -> None:
    app = AuthenticatorApp(user_id=7, key="n7bmZB963LHT+huDe3IrvbYmLEBJcAdkR5tQLsbxxgZQSh3fvQPfyA==")
    assert app.bin_key == b"a secret"
    box = (
        "d45c93367f40eb675022ff478cbf989ecc625f8be0c89dcca36a1bd7c5209c10"
        "cd6a6fe2b2bfc4b712b4ef40fde94f569ef9e3c531"
    )
    assert open_box(bytes.fromhex(box), key=PrivateKey.of(bytes(range(32))), design_id="ab" * 32) == b"a row"


def test_the_snapshot_signing_key_and_signatures_are_unchanged() -> None:
    assert signing_key() == "6e10513464de3c128cf7dbb85affab4694e74f499c47c317cbb7d56edc47f899"
    assert sign_statement({"sotto": "x"})["signature"] == (
        "b43054e1ae903fc3d201d75ec4c09b76d93f3c5b59f34345aa542189a991aeed"
        "23239cd4a355ff0f0f5617056d753b2a0346d6b3ead71afc15d8fcde9980ec00"
    )


def test_digests_of_codes_are_unchanged() -> None:
    code = receipt_key("1111111111111111112B", survey="sleep")
    assert code.hex() == "f65157fed2901bc665f49c38e210d41fc2c79a365b9618788f4a06ce70cef460"


def test_tasks_have_fixed_names() -> None:
    assert {task.value for task in Task} == {
        "sottovoce.ping",
        "sottovoce.run_job",
        "sottovoce.count_part",
        "sottovoce.keep_columns",
        "sottovoce.keep_map",
    }


def test_names_of_code_are_never_stored_or_sent() -> None:
    """`__name__` of a class or function remains allowed: messages and log lines use it."""
    wrong = {}
    for path in modules(*CORE, *APPS, "sottovoce", "deploy"):
        names = [node for node in nodes(path) if isinstance(node, ast.Name) and node.id in NAMES_OF_CODE]
        harmless = {
            id(inner)
            for node in nodes(path)
            for inner in (
                node.args
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "logging.getLogger"
                else [node.left]
                if isinstance(node, ast.Compare) and ast.unparse(node) == "__name__ == '__main__'"
                else ()
            )
        }
        attributes = [
            node
            for node in nodes(path)
            if isinstance(node, ast.Attribute) and node.attr in NAMES_OF_CODE - {"__name__"}
        ]
        found = [node.lineno for node in [*names, *attributes] if id(node) not in harmless]
        if found and named(path) not in USES:
            wrong[named(path)] = found
    assert wrong == {}
