"""The DDI codebook is valid, and contains questions, universes, categories and the disguise."""

import ctypes
import ctypes.util
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mining.thresholds import Thresholds
from privacy.survey.design import Block, Condition, Conditions, Design, GroupPolicy, Question
from privacy.survey.rotation import Rotation
from surveys.models import Run
from surveys.report.export.ddi import NAMESPACE, universes
from tests.fixtures.exports import everything, records, unpacked
from tests.fixtures.runs import mined_run

BESIDE = next(
    (
        folder
        for parent in Path(__file__).resolve().parents
        if (folder := parent / "shared" / "data").is_dir()
    ),
    Path("shared") / "data",
)
"""Folder with data next to the checkout, if it exists."""


def schema_faults(document: bytes, schema: Path) -> list[str]:
    """Return a document's schema errors; the test is skipped without libxml2."""
    name = ctypes.util.find_library("xml2")
    if name is None:
        pytest.skip("there is no libxml2 to check XML by")
    library = ctypes.CDLL(name)
    for function in (
        "xmlSchemaNewParserCtxt", "xmlSchemaParse", "xmlSchemaNewValidCtxt", "xmlReadMemory",
    ):  # fmt: skip
        getattr(library, function).restype = ctypes.c_void_p
    faults: list[str] = []

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
    def heard(_context: int, error: int) -> None:
        # struct _xmlError: int domain, int code, char *message.
        message = ctypes.cast(error + 8, ctypes.POINTER(ctypes.c_char_p))[0]
        faults.append(message.decode().strip())

    parser = ctypes.c_void_p(library.xmlSchemaNewParserCtxt(str(schema).encode()))
    library.xmlSchemaSetParserStructuredErrors(parser, heard, None)
    rules = ctypes.c_void_p(library.xmlSchemaParse(parser))
    assert rules.value, faults
    tree = ctypes.c_void_p(library.xmlReadMemory(document, len(document), b"document.xml", None, 0))
    assert tree.value, "it is not XML"
    faults.clear()
    check = ctypes.c_void_p(library.xmlSchemaNewValidCtxt(rules))
    library.xmlSchemaSetValidStructuredErrors(check, heard, None)
    verdict = library.xmlSchemaValidateDoc(check, tree)
    assert bool(verdict) == bool(faults)
    return faults


SCHEMA = BESIDE / "ddi" / "codebook.xsd"
NAMES = {"ddi": NAMESPACE}


def codebook(where: Path) -> tuple[bytes, Path, Run]:
    run = mined_run(everything(), Thresholds(support=0.1, max_size=1))
    folder = unpacked(run, where)
    return (folder / "codebook.xml").read_bytes(), folder, run


@pytest.mark.django_db
def test_the_codebook_is_valid_and_the_schema_rejects_invalid_files(tmp_path: Path) -> None:
    if not SCHEMA.is_file():
        pytest.skip("the schema of DDI Codebook is not beside this checkout")
    text, _folder, _run = codebook(tmp_path)
    assert schema_faults(text, SCHEMA) == []
    assert schema_faults(text.replace(b"<labl", b"<label").replace(b"</labl", b"</label"), SCHEMA) != []


@pytest.mark.django_db
def test_the_codebook_has_questions_universes_categories_disguise_and_digests(tmp_path: Path) -> None:
    text, folder, run = codebook(tmp_path)
    root = ET.fromstring(text)
    variables = {variable.get("name"): variable for variable in root.iterfind(".//ddi:var", NAMES)}
    assert set(variables) == {line["column"] for line in records(folder / "codebook.csv")}
    often = variables["often"]
    assert often.findtext("ddi:qstn/ddi:qstnLit", namespaces=NAMES) == "How often?"
    assert often.findtext("ddi:universe", namespaces=NAMES) == (
        "Those who answered yes to the question works."
    )
    assert [value.text for value in often.iterfind("ddi:catgry/ddi:catValu", NAMES)] == [
        "never", "some", "much",
    ]  # fmt: skip
    processing = {part.get("ID"): part.text or "" for part in root.iterfind(".//ddi:dataProcessing", NAMES)}
    assert "15 in 100 are “skipped”" in processing[often.get("methrefs")]
    assert variables["age"].get("methrefs") is None
    digests = {part.get("type"): part.text or "" for part in root.iterfind(".//ddi:version", NAMES)}
    assert digests["design"].endswith(run.design_id)
    assert digests["wording"].endswith(run.version.wording_id)
    assert digests["snapshot"].endswith(run.snapshot_digest)
    assert "computed directly" in (root.findtext(".//ddi:disclaimer", namespaces=NAMES) or "")
    assert root.findtext(".//ddi:caseQnty", namespaces=NAMES) == str(run.n)


def test_universes_describe_the_drawn_questions_and_parts() -> None:
    def block(key: str, **changes: Any) -> Block:
        questions = tuple(
            Question(key=f"{key}{number}", kind="yes_no", options=(), unrelated=(5_000,))
            for number in range(3)
        )
        return Block(
            key=key,
            protected=True,
            truth_probability=6_000,
            **{"questions": questions, "asked_if": None, **changes},
        )

    you = Block(
        key="you", protected=False, truth_probability=10_000,
        questions=(Question(key="works", kind="yes_no", options=(), unrelated=()),),
    )  # fmt: skip
    a = block("a", questions_per_person=2, asked_if=Condition(question="works", options=("yes",)))
    blocks = (you, a, block("b"), block("c"), block("d"))
    design = Design(
        blocks=blocks, group=GroupPolicy(), use="live",
        rotations=(Rotation(blocks=("b", "c", "d"), parts_per_person=1),),
    )  # fmt: skip
    assert list(universes(design, you)) == []
    assert list(universes(design, a)) == [
        "Those who answered yes to the question works.",
        "Each device drew 2 of the 3 questions of part a before any answer; each question with chance 2/3. "
        "The row shows which ones.",
    ]
    both = Conditions(
        joined="all",
        terms=(
            Condition(question="works", options=("yes",)),
            Condition(question="age", options=("mid", "old")),
        ),
    )
    assert list(universes(design, block("e", asked_if=both))) == [
        "Those who answered yes to the question works, and mid or old to the question age."
    ]
    assert list(universes(design, blocks[2])) == [
        "Each device drew before any answer which parts it asks; part b with chance 1/3."
    ]
