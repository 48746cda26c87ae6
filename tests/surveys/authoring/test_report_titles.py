from surveys.authoring.report_titles import set_titles, title_fields, written_titles
from surveys.imports.pasted_text import read_paste

TEXT = "1. Have you been hit at home?"


def test_a_written_title_is_kept_in_the_next_reading_and_one_left_as_read_is_not() -> None:
    read = read_paste("Home\n" + TEXT)
    assert written_titles(read, {}, {"title-en": "Home"}) == {}
    titles = written_titles(read, {}, {"title-en": "At  home"})
    again = read_paste("Home\n" + TEXT)
    set_titles(again, titles)
    assert again.title == {"en": "At home"}
    assert written_titles(again, titles, {}) == titles
    set_titles(again, written_titles(again, titles, {"title-en": ""}))
    assert again.title == {}


def test_a_title_in_an_unknown_language_follows_the_language_of_the_text() -> None:
    unknown = read_paste("Ingabe ulala kabi?\nIngabe udabukile?")
    titles = written_titles(unknown, {}, {"title-und": "Ubusuku"})
    stated = read_paste("Ingabe ulala kabi?\nIngabe udabukile?", ("zu",))
    set_titles(stated, titles)
    assert stated.title == {"zu": "Ubusuku"}
    assert [(field.name, field.language, field.text) for field in title_fields(stated)] == [
        ("title-zu", "", "Ubusuku")
    ]
