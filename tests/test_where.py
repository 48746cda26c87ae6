"""The search for the module of a subject."""

import pytest

from tests.where import Index, described, main, modules_of_the_product, words


def test_forms_of_a_word_agree_and_common_words_do_not_count() -> None:
    assert words("mixing the batches") == words("a mixed batch")
    assert words("the of a") == set()


def test_a_module_in_python_is_described_by_its_sentence_and_its_definitions() -> None:
    source = (
        '"""Seal rows. And more.\n\nLong."""\n\nclass Box:\n    """A box."""\n\n    def open(self): ...\n'
    )
    assert described("a/seal.py", source) == ("a/seal.py", "Seal rows.", "Box A box.")
    assert described("a/empty.py", "") == ("a/empty.py", "", "")


def test_a_module_in_javascript_without_a_comment_has_only_names() -> None:
    assert described("a/b.js", "export async function draw() {}\nconst own = 1;") == (
        "a/b.js",
        "",
        "draw own",
    )


def test_names_count_more_than_sentences_and_rare_words_more_than_frequent_ones() -> None:
    modules = [
        ("page.py", "A page.", "coins"),
        ("coin.py", "A page.", ""),
        ("rare.py", "Page of ledgers.", ""),
        ("none.py", "Nothing.", ""),
    ]
    index = Index(modules)
    assert [path for path, *_ in index.ranked("coin")] == ["coin.py", "page.py"]
    assert index.ranked("page ledger")[0][0] == "rare.py"
    assert index.ranked("unknown") == []


def test_first_sentences_tell_modules_apart() -> None:
    """A search for a module's first sentence finds it among the first three of more than a thousand."""
    modules = modules_of_the_product()
    index = Index(modules)
    rivals = {}
    for module in modules:
        path, sentence, _ = module
        found = [name for name, *_ in index.ranked(sentence)[:3]]
        if path not in found:
            rivals[path] = found
    assert len(modules) > 1000
    assert rivals == {}


def test_the_command_prints_each_module_with_its_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    main(["inbox", "batches", "shuffled"])
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 20
    assert "surveys/intake/mix.py" in said[::2][:2]
    assert all(line.startswith("    ") for line in said[1::2])


@pytest.mark.parametrize("wanted", ["qqqq", "of the", "的"])
def test_words_that_are_in_no_module_are_refused(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([wanted])
    assert f"with these words: {wanted!r}" in capsys.readouterr().err
