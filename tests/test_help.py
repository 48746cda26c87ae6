"""Every script and program of a checkout explains itself, and refuses unknown arguments by name."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def is_program(path: Path) -> bool:
    """Return whether a module can be run."""
    return any(
        isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
    )


PROGRAMS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("benchmarks", "deploy", "docs", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if is_program(path)
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_parse_their_arguments(program: str) -> None:
    """`argparse` gives `--help`, and names unknown arguments."""
    source = (ROOT / program).read_text(encoding="utf-8")
    assert "ArgumentParser(" in source, "also without arguments: argparse.ArgumentParser(...).parse_args()"


@pytest.mark.parametrize(
    "script", [["sh", "check"], ["sh", "test"], ["sh", "run"], [sys.executable, "deploy/materials.py"]]
)
def test_scripts_print_help_and_refuse_unknown_arguments_by_name(script: list[str]) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*script, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)

    helped, refused = run("--help"), run("--no-such-option")
    assert helped.returncode == 0
    assert helped.stdout.startswith("usage: ")
    assert "--help" in helped.stdout
    assert refused.returncode == 2
    assert "--no-such-option" in refused.stdout + refused.stderr


@pytest.mark.parametrize("words", [["check", "HEAD"], ["test", "--soak"]])
def test_scripts_refuse_a_second_argument(words: list[str]) -> None:
    done = subprocess.run(["sh", *words, "extra"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "extra" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such-command"], "Unknown command: 'no-such-command'\nType 'sottovoce help' for usage."),
        (["doctor", "--no-such-option"], "sottovoce doctor: error: unrecognized arguments: --no-such-option"),
    ],
)
def test_commands_refuse_unknown_words_by_name(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "surveys.management", *arguments],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "SOTTOVOCE_HOME": str(tmp_path), "SECRET_KEY": "only for tests " * 4},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stderr.strip().endswith(said)
