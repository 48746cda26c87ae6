"""Generated benchmark pages match their data files."""

import csv
import json
import re
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import efficiency
from benchmarks.mondrian import mondrian
from benchmarks.release import compare, people
from benchmarks.release_data import released_by
from benchmarks.release_questions import KINDS, drawn, truth
from benchmarks.report import write
from privacy.sdc.generalisation import Space
from privacy.sdc.information_loss import loss
from privacy.sdc.k_member import k_member
from privacy.sdc.published_labels import Domain
from privacy.sdc.queries import answer
from privacy.sdc.query_rows import QueryRows
from privacy.sdc.table import Table
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.runs import definition
from tests.fixtures.tables import table_of, tree_of

EVIDENCE = Path(__file__).resolve().parents[1] / "docs" / "evidence"


@pytest.mark.parametrize("name", ["benchmarks.md", "benchmarks-growth.svg"])
def test_the_benchmark_page_and_charts_match_the_data(name: str, tmp_path: Path) -> None:
    write(json.loads((EVIDENCE / "benchmarks.json").read_text(encoding="utf-8")), tmp_path)
    remedy = "python -m benchmarks.report --again writes it from docs/evidence/benchmarks.json"
    assert (tmp_path / name).read_text(encoding="utf-8") == (EVIDENCE / name).read_text(encoding="utf-8"), (
        remedy
    )


def test_the_reference_mondrian_puts_every_record_into_a_class_of_k() -> None:
    """Our algorithm must lose less than the reference; the packages on the page lose four times as much."""
    table, trees = people(400, 1)
    classes = mondrian(table, 5)
    assert len(classes.number) == 400
    assert classes.sizes.min() >= 5
    space = Space.of(table, trees)
    assert loss(space, k_member(space, 5)).ncp < loss(space, classes).ncp < 0.3


def test_the_releases_page_starts_with_the_reference_mondrian() -> None:
    table, trees = people(60, 1)
    assert "| Mondrian, widest span |" in compare("people", table, trees, None, 5, 2)[0]
    page = (EVIDENCE / "releases.md").read_text(encoding="utf-8")
    with (EVIDENCE / "release-loss.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ratios = {}
    for name, lines in groupby(rows, key=itemgetter("table")):
        first = next(lines)
        assert first["tool"] == "Mondrian, widest span", name
        ratios[name] = float(first["ratio"])
    claim = r"loses (\S+) to (\S+) times what `tight` loses \((\S+) times on Adult"
    ((low, high, adult),) = re.findall(claim, " ".join(page.split()))
    assert (f"{min(ratios.values()):.1f}", f"{max(ratios.values()):.1f}") == (low, high)
    assert f"{ratios['Adult']:.1f}" == adult


@cache
def skewed() -> tuple[Table, Table, dict[str, Domain], dict[str, Any]]:
    """Return a table of skewed numbers and categories, its release, and the generator's state after them."""
    rng = np.random.default_rng(11)
    income = np.rint(np.exp(rng.normal(7, 1, 600)) / 50).astype(int) * 50
    region = rng.zipf(1.7, 600).clip(max=12)
    rows = [(str(a), f"r{b}", "s") for a, b in zip(income.tolist(), region.tolist(), strict=True)]
    table = table_of(["income", "region", "said"], rows, sensitive=["said"], numeric=["income"])
    trees = tree_of(table, {})
    return table, *released_by(table, trees, k_member(Space.of(table, trees), 6)), rng.bit_generator.state


def held_ranges(kind: str) -> float:
    """Return the coverage of likely ranges on the skewed table; some queries match no record."""
    table, released, domains, state = skewed()
    rng = np.random.default_rng()
    rng.bit_generator.state = state
    held = []
    for _ in range(80):
        query = drawn(table, kind, rng)
        true, (found,) = truth(table, query), answer(released, query, domains)
        if true is not None and found.lower != found.upper:
            held.append(found.likely_lower - 1e-9 <= true <= found.likely_upper + 1e-9)
    assert len(held) > 40
    return float(np.mean(held))


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_likely_ranges_contain_the_truth_for_skewed_records(kind: str) -> None:
    """The seed is fixed, so there are no false alarms; docs/evidence/releases.md has ten tables."""
    assert held_ranges(kind) >= 0.95


def test_ranges_that_ignore_skewed_classes_have_too_little_coverage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QueryRows, "squares", property(lambda rows: np.zeros(len(rows.counts))))
    assert held_ranges("count") < 0.9


def test_the_efficiency_table_contains_only_valid_designs() -> None:
    with (EVIDENCE / "efficiency.csv").open(encoding="utf-8", newline="") as file:
        _head, *rows = csv.reader(file)
    assert len(rows) == len(efficiency.QUESTIONS) * len(efficiency.EPSILONS)
    for row in rows:
        asked = int(row[5])
        best = efficiency.sampled_designs(int(row[0]), float(row[1]), sizes=efficiency.SIZES)[0]
        assert (best.asked, f"{best.mean_variance(efficiency.SIZES):.4g}") == (asked, row[4])
        question = {"kind": "yes_no", "unrelated": [5_000], "prevalence": [3_000], "text": {"en": "?"}}
        part: dict[str, Any] = {
            "key": "part", "protected": True, "truth_probability": int(best.part.truth * 10_000),
            "title": {"en": "Part"},
            "questions": [{**question, "key": f"q{number}"} for number in range(best.questions)],
        }  # fmt: skip
        if asked < best.questions:
            part["questions_per_person"] = asked
        definition_parse(definition() | {"blocks": [part], "group": {"policy": "protected"}})


def test_code_mutants_run_the_mirrored_test_then_its_folder_then_all_that_reach_the_file() -> None:
    from benchmarks.code_mutants import LAYERS, mutants_of, stages_of
    from tests.reach import texts

    changed = [mutant.of("x = 2 * y") for mutant in mutants_of("x.py", "x = 2 * y")]
    assert changed == ["x = 2 / y", "x = 3 * y"]
    sources = texts("privacy", "mining", "surveys", "tests", ends=(".py",))
    assert all(any(path.startswith(layer) for path in sources) for layer in LAYERS)
    mirrored, folder, others = stages_of("privacy/estimation/empirical_likelihood.py", sources)
    assert mirrored == [
        "privacy/estimation/empirical_likelihood.py",
        "tests/privacy/estimation/test_empirical_likelihood.py",
    ]
    assert folder == ["tests/privacy/estimation"]
    assert others
    assert not any(path.startswith("tests/privacy/estimation/test") for path in others)
    # A module whose test has another name.
    mirrored, *_ = stages_of("mining/inference.py", sources)
    assert "tests/surveys/runs/test_mining_job.py" in mirrored


def test_code_mutants_leave_refusals_alone_and_change_operators_only() -> None:
    from benchmarks.code_mutants import mutants_by_function

    source = """
def shown(names, é=1 + 1):
    if len(names) ** 2 <= é:
        raise ValueError(1 + 1)
    names.sort(reverse=True)
    return not names or names[0] * 2 == "a + b"
"""
    (mutants,) = mutants_by_function("x.py", source).values()
    before = source.splitlines()
    after = [
        next(line for line, was in zip(mutant.of(source).splitlines(), before, strict=True) if line != was)
        for mutant in mutants
    ]
    assert {line.strip() for line in after} == {
        "if len(names) ** 2 < é:",
        "if len(names) ** 3 <= é:",
        "if len(names) * 2 <= é:",
        "if not (len(names) ** 2 <= é):",
        "names.sort(reverse=False)",
        "pass",
        'return not names and names[0] * 2 == "a + b"',
        'return not names or names[0] * 2 != "a + b"',
        'return not names or names[0] * 3 == "a + b"',
        'return not names or names[0] / 2 == "a + b"',
    }


def test_code_mutants_change_nothing_that_no_test_could_notice() -> None:
    """Edges next to a tolerance or between equal values, flags for speed, and locks change no result."""
    from benchmarks.code_mutants import mutants_by_function

    source = """
_CLOSE: Final = 1e-9
_NEAR = 0.01

def settled(step, size):
    table = np.asarray(step, copy=False)
    table.flags.writeable = False
    size = step if step > size else size
    slack = size * _CLOSE
    limit = size + slack
    return step <= limit or step < 1e-12 + size or step < _NEAR
"""
    (mutants,) = mutants_by_function("x.py", source).values()
    choice, *others = (mutant for mutant in mutants)
    assert "step if not (step > size) else size" in choice.of(source)
    changed = [mutant.of(source).splitlines()[-1].strip() for mutant in others]
    assert set(changed) == {
        # Two mutants change the limit and the slack.
        "return step <= limit or step < 1e-12 + size or step < _NEAR",
        "return step <= limit and step < 1e-12 + size or step < _NEAR",
        "return step <= limit or step < 1.000000000001 + size or step < _NEAR",
        "return step <= limit or step < 1e-12 - size or step < _NEAR",
        "return step <= limit or step < 1e-12 + size or step <= _NEAR",
    }
