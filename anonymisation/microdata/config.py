"""Read the plan of a release, a JSON file with the role of every column, the models and the algorithm."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from anonymisation.microdata.classifications import CLASSIFICATIONS
from anonymisation.microdata.description import Description, description_of
from anonymisation.microdata.expert_matrix import ExpertMatrix, matrix_read
from anonymisation.microdata.hierarchies import hierarchy_of_text
from anonymisation.microdata.text_files import text_of_file
from privacy.errors import PrivacyError
from privacy.numeric_text import number_text
from privacy.sdc.column_rule import ROLES, ColumnRule
from privacy.sdc.hierarchy import (
    Hierarchy,
)
from privacy.sdc.privacy_models import GROUND_DISTANCES
from privacy.sdc.requirements import Requirement
from privacy.sdc.unit import ALIKE, RECORDS
from privacy.sdc.weights import WAYS
from privacy.tables.date_spans import SPANS
from surveys.errors.error import SurveyError

# Possible statements about people: each record is of a different person, or equal records are of one person.
WAYS_TO_COUNT: Final = (RECORDS, ALIKE)
ALGORITHMS: Final = ("tight", "bottom-up", "ilp", "kacluk", "samarati")
# Algorithms that draw groups at random and need a seed.
DRAWN: Final = ("ilp", "kacluk")
# Global recoding chooses among the lowest k-minimal nodes (Samarati), or among all k-minimal nodes.
SEARCHES: Final = ("lowest", "all")
MODELS: Final = {
    "k": "k",
    "l": "distinct_l",
    "entropy_l": "entropy_l",
    "c": "c",
    "recursive_l": "recursive_l",
    "alpha": "alpha",
    "t": "t",
    "beta": "basic_beta",
    "enhanced_beta": "enhanced_beta",
    "delta": "delta",
    "rho1": "rho1",
    "rho2": "rho2",
}
_WHOLE: Final = "a whole number"
_NUMBER: Final = "a number"
_AMOUNT: Final = "0 or more"
_SEED: Final = "a whole number of 0 or more"
_TEXT: Final = "a text"
_TRUTH: Final = "true or false"
_TEXTS: Final = "a list of texts"
_NAMES: Final = "a text, or a list of texts that name a person together"
_MATRIX: Final = "the name of a file, or a table of columns for each sensitive value"
_LEVELS: Final = "a list of ascending numbers for each level, fine levels first"
_TREE: Final = "a file name, a word or a list"

# Expected kind of each entry; a tuple lists the allowed values.
_RELEASE: Final[dict[str, str | tuple[str, ...]]] = {
    **dict.fromkeys(MODELS, _NUMBER),
    **dict.fromkeys(("k", "l", "recursive_l"), _WHOLE),
    "max_suppressed": _AMOUNT,
    "seed": _SEED,
    "respondent": _NAMES,
    **dict.fromkeys(("multi_attribute", "own_values", "by_table"), _TRUTH),
    "algorithm": ALGORITHMS,
    "ground": GROUND_DISTANCES,
    "search": SEARCHES,
    "people": WAYS_TO_COUNT,
    "weights_as": WAYS,
    "utility_matrix": _MATRIX,
}
_COLUMN: Final[dict[str, str | tuple[str, ...]]] = {
    **dict.fromkeys((*MODELS.keys() - {"k"}, "bottom", "top"), _NUMBER),
    "weight": _AMOUNT,
    **dict.fromkeys(("l", "recursive_l"), _WHOLE),
    **dict.fromkeys(("role", "kind", "missing", "tree"), _TEXT),
    **dict.fromkeys(("missing_texts", "beliefs"), _TEXTS),
    "month_first": _TRUTH,
    "as_written": _TRUTH,
    "ends": _LEVELS,
    "hierarchy": _TREE,
}


@dataclass(frozen=True, kw_only=True)
class HierarchyRule:
    """Where a column's hierarchy comes from: a file, a tree in the plan, or a builder."""

    column: str
    builder: str
    file: Path | None = None
    tree: Hierarchy | None = None
    widths: tuple[float, ...] = ()
    ends: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReleaseConfig:
    """Columns, models and algorithm of a plan, valid by construction."""

    rules: tuple[ColumnRule, ...]
    hierarchies: Mapping[str, HierarchyRule]
    requirement: Requirement
    algorithm: str = "tight"
    seed: int | None = None
    max_suppressed: float = 0.0
    weights_as: str = "mean"
    """How sampling weights are published: one of `privacy.sdc.weights.WAYS`."""
    by_table: bool = False
    """Whether the table's utility matrix determines the weights of the loss; by default, they are equal."""
    matrix: ExpertMatrix | None = None
    ground: str = "equal"
    respondent: tuple[str, ...] = ()
    """Columns that distinguish people; several name a person together."""
    people: str = ""
    """`RECORDS` or `ALIKE`; "" if not stated."""
    search: str = "lowest"
    multi_attribute: bool = True
    """Whether a sensitive column's bounds also hold among records that agree in all the other ones."""
    coarsen: bool = False
    """Whether to join classes of an earlier release. If not, they stay, and new people form new classes."""
    own_values: bool = False
    """Whether the weights of each record's loss depend on its own sensitive value."""
    column_weights: Mapping[str, float] = field(default_factory=dict)
    beliefs: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    """Files with attackers' beliefs about sensitive columns."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Kind of each column, from `privacy.tables.values.VALUE_KINDS`."""
    month_first: Mapping[str, bool] = field(default_factory=dict)
    """Whether 3/4/2021 is a day in March, for columns of dates that leave it open."""
    as_written: frozenset[str] = frozenset()
    """Columns in which spellings that differ only in capitals and blanks stay different values."""
    missing_stated: frozenset[str] = frozenset()
    """Columns for which the plan lists the texts that mean "missing"; for other columns they are proposed."""
    own: Mapping[str, Requirement] = field(default_factory=dict)
    """Bounds of sensitive columns that differ from those of the release."""

    @property
    def k(self) -> int:
        """Number of records that a class must have."""
        return self.requirement.k or 1

    @property
    def l_value(self) -> int:
        """Number of distinct sensitive values that a class must have, unless the column overrides it."""
        return int(self.requirement.distinct_l or 1)

    def with_missing(self, texts: Mapping[str, Sequence[str]]) -> ReleaseConfig:
        """Return the configuration with more texts that count as missing in some columns."""
        rules = (
            replace(rule, missing_texts=(*rule.missing_texts, *texts.get(rule.name, ())))
            for rule in self.rules
        )
        return replace(self, rules=tuple(rules))

    def coding_of(self, column: str) -> Iterator[str]:
        """Yield sentences on the bottom and top coding of a column."""
        rule = next(rule for rule in self.rules if rule.name == column)
        for side, limit in (("below", rule.bottom), ("above", rule.top)):
            if limit is not None:
                end = number_text(limit)
                yield f"Numbers {side} {end} in {column} became {end}, before losses were measured."

    def requirement_of(self, column: str) -> Requirement:
        """Return the bounds of a sensitive column."""
        return self.own.get(column, self.requirement)

    def l_of(self, column: str) -> int:
        """Return how many distinct values of a sensitive column a class must have."""
        return int(self.requirement_of(column).distinct_l or 1)

    def asked_of(self, columns: Iterable[str]) -> tuple[str, ...]:
        """Return the names of all models that some column requires, each once."""
        goals = [self.requirement, *map(self.requirement_of, columns)]
        return tuple(dict.fromkeys(name for requirement in goals for name in requirement.models))


def plan_load(path: Path) -> tuple[ReleaseConfig, Description | None]:
    """Read a plan: the configuration of a release and, if the plan has one, the description of the study.

    Raises
    ------
    PrivacyError
        The file cannot be read, or has an unknown or wrong entry; the message names the entry.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
        if not isinstance(document, dict):
            raise ValueError("it is not a JSON object")
    except (OSError, ValueError) as error:
        raise SurveyError("config.file", str(path), path=path, error=error) from error
    study = document.pop("study", None)
    config = config_read(document, folder=path.parent)
    return config, None if study is None else description_of(study)


def config_read(document: Mapping[str, Any], *, folder: Path) -> ReleaseConfig:
    """Read the sections ``release`` and ``columns`` of a plan; file names are relative to `folder`."""
    unknown = sorted(set(document) - {"release", "columns"})
    if unknown:
        raise _unknown(unknown[0], {"release", "columns", "study"})
    release = _section(document, "release")
    columns = _section(document, "columns")
    _kinds(release, _RELEASE, "release")
    columns_read = _columns(columns, release, folder)
    if release.get("k") is None:
        raise SurveyError("config.no_k")
    algorithm, seed = release.get("algorithm", ReleaseConfig.algorithm), release.get("seed")
    if algorithm in DRAWN and not isinstance(seed, int):
        raise _wrong("release.seed", seed, f"a whole number, since {algorithm} draws at random")
    # Copy the entries that are fields of `ReleaseConfig`; missing ones get its defaults.
    fields = {name: value for name, value in release.items() if name in ReleaseConfig.__dataclass_fields__}
    fields |= columns_read
    if isinstance(names := release.get("respondent", []), str):
        names = [names]
    fields["respondent"] = tuple(names)
    return ReleaseConfig(
        requirement=Requirement(**{MODELS[name]: release[name] for name in MODELS if name in release}),
        matrix=_matrix(release, columns_read["column_weights"], algorithm, folder),
        **fields,
    )


def _columns(columns: Mapping[str, Any], release: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Read the entries of all columns as fields of `ReleaseConfig`."""
    rules, hierarchies, weights, own_bounds, beliefs = [], {}, {}, {}, {}
    for name, entry in columns.items():
        if not isinstance(entry, dict):
            raise _wrong(f"columns.{name}", entry, 'an object such as {"role": "sensitive"}')
        _kinds(entry, _COLUMN, f"columns.{name}")
        rules.append(_rule(name, entry))
        if "ends" in entry:
            hierarchies[name] = _ends(name, entry)
        elif "tree" in entry:
            hierarchies[name] = _tree(name, entry)
        elif "hierarchy" in entry:
            hierarchies[name] = _hierarchy(name, entry, folder)
        elif entry.get("kind") in ("month", "quarter"):
            hierarchies[name] = HierarchyRule(column=name, builder="dates")
        if "weight" in entry:
            weights[name] = float(entry["weight"])
        if "beliefs" in entry:
            if entry.get("role") != "sensitive":
                raise SurveyError("config.beliefs", name=name)
            beliefs[name] = tuple(folder / path for path in entry["beliefs"])
        if any(model in entry for model in MODELS):
            own_bounds[name] = _own_bounds(name, entry, release)
    return {
        "rules": tuple(rules),
        "hierarchies": hierarchies,
        "column_weights": weights,
        "own": own_bounds,
        "beliefs": beliefs,
        "kinds": {name: entry["kind"] for name, entry in columns.items() if "kind" in entry},
        "month_first": {
            name: entry["month_first"] for name, entry in columns.items() if "month_first" in entry
        },
        "as_written": frozenset(name for name, entry in columns.items() if entry.get("as_written")),
        "missing_stated": frozenset(name for name, entry in columns.items() if "missing_texts" in entry),
    }


def _section(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = document.get(name)
    if not isinstance(section, dict) or not section:
        raise SurveyError("config.section", name=name)
    return section


def _rule(name: str, entry: Mapping[str, Any]) -> ColumnRule:
    if "role" not in entry:
        raise PrivacyError("no_role", name, roles=", ".join(ROLES))
    options = {key: entry[key] for key in ("role", "kind", "missing", "bottom", "top") if key in entry}
    if entry.get("kind") in SPANS:
        options["kind"] = "numeric" if entry["kind"] == "year" else "categorical"
    if entry["role"] == "weight":
        options["kind"] = "numeric"
    if "ends" in entry:
        # Its numbers are generalised by the tree of intervals, even with local recoding.
        options["kind"] = "categorical"
    if "missing_texts" in entry:
        options["missing_texts"] = tuple(entry["missing_texts"])
    return ColumnRule(name=name, **options)


def _own_bounds(name: str, entry: Mapping[str, Any], release: Mapping[str, Any]) -> Requirement:
    """Return the bounds of one sensitive column; its own bounds override those of the release."""
    if entry.get("role") != "sensitive":
        model = next(model for model in MODELS if model in entry)
        raise SurveyError("config.own", model, name=name)
    return Requirement(
        **{
            bound: entry.get(model, release.get(model))
            for model, bound in MODELS.items()
            if model in entry or model in release
        }
    )


def _hierarchy(name: str, entry: Mapping[str, Any], folder: Path) -> HierarchyRule:
    spec = entry["hierarchy"]
    if spec in ("flat", "prefix", *CLASSIFICATIONS):
        return HierarchyRule(column=name, builder=spec)
    if isinstance(spec, str):
        return HierarchyRule(column=name, builder="file", file=folder / spec)
    if (
        isinstance(spec, list)
        and spec
        and all(isinstance(width, int | float) and not isinstance(width, bool) for width in spec)
    ):
        return HierarchyRule(column=name, builder="intervals", widths=tuple(map(float, spec)))
    names = 'a file name, "flat", "prefix" or a list of interval widths'
    raise _wrong(f"columns.{name}.hierarchy", spec, names)


def _tree(name: str, entry: Mapping[str, Any]) -> HierarchyRule:
    """Return the tree that the plan contains as indented text."""
    if "hierarchy" in entry:
        raise SurveyError("config.tree", name=name)
    return HierarchyRule(column=name, builder="file", tree=hierarchy_of_text(name, entry["tree"]))


def _ends(name: str, entry: Mapping[str, Any]) -> HierarchyRule:
    """Return the intervals between the given ends; each level uses some ends of the finer one."""
    levels = tuple(tuple(map(float, level)) for level in entry["ends"])
    if entry.get("role") != "quasi_identifier" or "hierarchy" in entry or "tree" in entry:
        raise SurveyError("config.ends", name=name)
    for fine, coarse in pairwise(levels):
        for end in coarse:
            if end not in fine:
                raise SurveyError("config.ends_inside", end, name=name)
    return HierarchyRule(column=name, builder="intervals", ends=levels)


def _matrix(
    release: Mapping[str, Any], weights: Mapping[str, float], algorithm: str, folder: Path
) -> ExpertMatrix | None:
    """Return the expert's matrix; refuse it if column weights would make it ineffective."""
    setting = release.get("utility_matrix")
    if not setting:
        return None
    if weights and not release.get("own_values") and algorithm != "ilp":
        raise SurveyError("config.matrix", next(iter(weights)))
    return (
        matrix_read(text_of_file(folder / setting, "matrix.file"))
        if isinstance(setting, str)
        else ExpertMatrix(rows=setting)
    )


def _kinds(section: Mapping[str, Any], kinds: Mapping[str, str | tuple[str, ...]], where: str) -> None:
    """Refuse unknown entries and entries of the wrong kind, naming their place."""
    for key, value in section.items():
        if key not in kinds:
            raise _unknown(f"{where}.{key}", kinds)
        kind, number = kinds[key], _is_number(value)
        if isinstance(kind, tuple):
            _one_of(f"{where}.{key}", value, kind)
            continue
        fits = {
            _WHOLE: number and isinstance(value, int),
            _NUMBER: number,
            _AMOUNT: number and value >= 0,
            _SEED: number and isinstance(value, int) and value >= 0,
            _TEXT: isinstance(value, str),
            _TRUTH: isinstance(value, bool),
            _TEXTS: _are_texts(value),
            _NAMES: isinstance(value, str) or (_are_texts(value) and len(value) > 0),
            _MATRIX: isinstance(value, str)
            or (isinstance(value, dict) and all(isinstance(row, dict) for row in value.values())),
            _LEVELS: isinstance(value, list) and bool(value) and all(map(_ascending, value)),
            # Trees are checked with their columns, so that error messages can name the column.
            _TREE: True,
        }
        if not fits[kind]:
            raise _wrong(f"{where}.{key}", value, kind)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _ascending(level: object) -> bool:
    return (
        isinstance(level, list)
        and bool(level)
        and all(map(_is_number, level))
        and all(before < end for before, end in pairwise(level))
    )


def _one_of(where: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise _wrong(where, value, f"one of {', '.join(allowed)}")


def _wrong(where: str, value: object, expectation: str) -> SurveyError:
    return SurveyError("config.value", value, where=where, wanted=expectation)


def _unknown(where: str, names: Iterable[str]) -> SurveyError:
    return SurveyError("config.unknown", where, known=", ".join(sorted(names)))
