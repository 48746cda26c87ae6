"""Older encodings: found out where one reads like a language, asked about where several do."""

from __future__ import annotations

import pytest

from surveys.errors.error import SurveyError
from surveys.tables.encodings import older_encoding
from surveys.tables.reading import table_read

TEXTS = {
    "cp1251": "возраст;пол\n31;мужской\n20;женский\n",
    "cp1250": "wiek;płeć;miasto\n31;żeńska;Łódź\n20;męska;Kraków\n",
    "cp1252": "Straße;Größe\nMüllerweg;1,75\nAllée;1,80\n",
    "cp1254": "yaş;cinsiyet;şehir\n31;kadın;İstanbul\n20;erkek;Muğla\n",
    "big5": "年齡;性別\n31;女性\n20;男性\n",
    "shift_jis": "年齢;性別\n31;女性\n20;おとこ\n",
    "cp949": "나이;성별;지역\n31;여성;서울특별시\n20;남성;부산광역시\n20;남성;대구광역시\n",
    "gb18030": "年龄;性别\n31;女性\n20;男性\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_a_table_in_an_older_encoding_is_read(encoding: str) -> None:
    text = TEXTS[encoding]
    assert older_encoding(text.encode(encoding)) == encoding
    table = table_read("people.csv", text.encode(encoding))
    assert [";".join(table.header), *(";".join(row) for row in table.rows())] == text.split("\n")[:-1]


def test_a_table_that_several_encodings_fit_is_asked_about_with_three_words() -> None:
    raw = "나이;성별\n31;여성\n20;남성\n".encode("cp949")
    with pytest.raises(SurveyError, match="EUC-KR: 나이, 성별, 여성") as caught:
        table_read("people.csv", raw)
    assert caught.value.case == "table_file.encoding"
    assert "UTF-8" in str(caught.value.remedy)
