"""Check XML against a schema by libxml2, which most systems have and Sottovoce does not require."""

from __future__ import annotations

import ctypes
import ctypes.util
from pathlib import Path

import pytest

BESIDE = next(
    (
        folder
        for parent in Path(__file__).resolve().parents
        if (folder := parent / "shared" / "data").is_dir()
    ),
    Path("shared") / "data",
)
"""Data beside a checkout, where there are any."""


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
