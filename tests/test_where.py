"""The search for the module of a subject."""

from typing import Final

import pytest

from tests.where import Index, described, main, modules_of_the_product, words


def test_forms_of_a_word_agree_and_common_words_do_not_count() -> None:
    assert words("mixing the batches") == words("a mixed batch")
    assert words("the of a") == set()


def test_a_module_in_python_is_described_by_its_sentence_and_its_definitions() -> None:
    source = (
        '"""Seal rows. And more.\n\nLong."""\n\nclass Box:\n    """A box."""\n\n    def open(self): ...\n'
    )
    assert described("a/seal.py", source)[:3] == ("a/seal.py", "Seal rows.", "Box A box.")
    assert described("a/empty.py", "")[:3] == ("a/empty.py", "", "")


def test_a_module_is_described_by_its_other_texts_too() -> None:
    source = (
        '"""Seal rows. And more.\n\nLong."""\n\nclass Box:\n    """A box.\n\n    Wooden."""\n\n'
        'help = "Repair" " it"\n\ndef page(request):\n'
        '    _("Your parcel")\n    return render(request, "home.html", {})\n'
    )
    more = described("a/seal.py", source)[4]
    assert words("long wooden parcel repair home") <= words(more)
    assert "translate" not in more


def test_a_module_in_javascript_without_a_comment_has_only_names() -> None:
    assert described("a/b.js", "export async function draw() {}\nconst own = 1;") == (
        "a/b.js",
        "",
        "draw own",
        "",
        "",
    )


def test_names_count_more_than_sentences_and_rare_words_more_than_frequent_ones() -> None:
    modules = [
        ("page.py", "A page.", "coins", "", ""),
        ("coin.py", "A page.", "", "", ""),
        ("rare.py", "Page of ledgers.", "", "", ""),
        ("none.py", "Nothing.", "", "", "page"),
    ]
    index = Index(modules)
    assert [path for path, *_ in index.ranked("coin")] == ["coin.py", "page.py"]
    assert index.ranked("page ledger")[0][0] == "rare.py"
    assert index.ranked("page")[-1][0] == "none.py"
    assert index.ranked("unknown") == []


def test_everyday_words_find_the_words_of_the_program_but_these_first() -> None:
    index = Index([("migrate.py", "", "", "", ""), ("upgrade.py", "", "", "", "")])
    assert [path for path, *_ in index.ranked("upgrade")] == ["upgrade.py", "migrate.py"]


PHRASES: Final = {
    "front page": "surveys/respondent/home.py",
    "upgrade": "docs/operators.md#9-upgrade",
    "wall poster": "surveys/respondent/poster.py",
    "undo a change": "surveys/authoring/pressed_changes.py",
    "disk is full": "surveys/server/disk_space.py",
    "bar chart": "surveys/formats/interval_chart.py",
    "fake answers": "surveys/runs/forged_rows.py",
    "public link to results": "docs/results.md#report-and-share",
    "time zone": "surveys/questionnaire/local_time.py",
    "spreadsheet upload": "surveys/imports/files/uploaded_tables.py",
    "mail about problems": "surveys/server/alerts.py",
    "dropdown menu": "surveys/accounts/staff_menu.py",
    "reminder letter": "surveys/respondent/letters.py",
    "welcome screen": "surveys/static/surveys/js/intro.js",
    "change my password": "surveys/accounts/own_account.py",
    "crash page": "surveys/server/error_pages.py",
    "confidence interval": "privacy/estimation/intervals.py",
    "save a draft": "surveys/authoring/drafts.py",
    "progress bar": "surveys/runs/progress.py",
    "missing translation": "surveys/authoring/translations.py",
}


def test_everyday_phrases_find_their_module_on_the_first_screen(capsys: pytest.CaptureFixture[str]) -> None:
    missing = {}
    for phrase, place in PHRASES.items():
        main(phrase.split())
        found = capsys.readouterr().out.splitlines()[::2]
        if place not in found:
            missing[phrase] = found
    assert missing == {}


def test_options_are_refused_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (["--banana"], "--banana is not an option"), ([], "no word is given"):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line == f"{said}. Write words for a subject, such as: python -m tests.where front page"


def test_first_sentences_tell_modules_apart() -> None:
    """A search for a module's first sentence finds it among the first three of more than a thousand."""
    modules = modules_of_the_product()
    index = Index(modules)
    rivals = {}
    for module in modules:
        path, sentence, *_more = module
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
