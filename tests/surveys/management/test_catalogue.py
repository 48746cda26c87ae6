import gettext
import os
from pathlib import Path

from surveys.management.catalogue import compile_catalogues

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'


def test_translations_are_compiled_once_and_again_after_a_change(tmp_path: Path) -> None:
    source = tmp_path / "locale/zh_Hans/LC_MESSAGES/django.po"
    source.parent.mkdir(parents=True)
    source.write_text(f'{HEADER}\nmsgid "Save"\nmsgstr "保存"\n', encoding="utf-8")
    compile_catalogues(tmp_path)
    compiled = source.with_suffix(".mo")
    with compiled.open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Save") == "保存"
    compiled.write_bytes(b"kept")
    compile_catalogues(tmp_path)
    assert compiled.read_bytes() == b"kept"
    os.utime(source, ns=(compiled.stat().st_mtime_ns + 1, compiled.stat().st_mtime_ns + 1))
    compile_catalogues(tmp_path)
    assert compiled.read_bytes() != b"kept"
    assert [path.name for path in sorted(source.parent.iterdir())] == ["django.mo", "django.po"]


def test_missing_catalogues_are_not_compiled(tmp_path: Path) -> None:
    compile_catalogues(tmp_path)
    assert list(tmp_path.iterdir()) == []
