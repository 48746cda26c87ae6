"""Encodings are detected from texts in the languages that use them; ambiguous ones are refused."""

import io

import pytest

from privacy.errors import PrivacyError
from privacy.tables.encodings import (
    _CANDIDATES,
    _by_lead,
    _exclude_misfits,
    _japanese,
    _of_set,
    _words,
    encoding_of,
    older_encoding,
)

TEXTS = {
    "gb18030": "年龄,性别,民族,受教育程度\n三十一,男,汉族,大学本科\n二十九,女,回族,高中毕业\n",
    "big5": "年齡,性別,婚姻狀況,教育程度\n三十一,男,已婚,大學畢業\n二十九,女,未婚,高中畢業\n",
    "shift_jis": "年齢,性別,さいごの学歴\n三十一,男性,だいがくを卒業した\n二十九,女性,こうこう卒業\n",
    "cp949": "나이,성별,최종 학력,결혼 여부\n서른하나,남자,대학교 졸업,기혼\n스물아홉,여자,고등학교,미혼\n",
    "cp1251": "возраст,пол,образование\nтридцать один,мужской,высшее\nдвадцать девять,женский,среднее\n",
    "cp1252": "âge,sexe,niveau d’études\ntrente,féminin,université\nvingt,masculin,lycée à Besançon\n",
    "cp1250": "jméno,vzdělání\nJiří,učňovské škola\nLuděk,základní škola\nJan,ještě ne\nŠtěpán,žák\n",
    "cp1254": "yaş,eğitim\nkırk,lise ışığı\notuz,ilköğretim\nyirmi beş,yükseköğretim\nşehir,dağ\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_texts_are_read_in_the_encoding_of_their_language(encoding: str) -> None:
    raw = TEXTS[encoding].encode(encoding)
    assert raw.decode(older_encoding(raw)) == TEXTS[encoding]
    assert raw.decode(encoding_of(io.BytesIO(raw))) == TEXTS[encoding]


@pytest.mark.parametrize("encoding", TEXTS)
def test_text_after_a_long_ascii_part_is_detected(encoding: str) -> None:
    """The part before is longer than one piece, so detection starts later, at the beginning of a line."""
    raw = b"1,2,3\n" * 200_000 + TEXTS[encoding].encode(encoding) * 3
    assert raw.decode(encoding_of(io.BytesIO(raw))) == raw.decode(encoding)


def test_a_long_ascii_part_of_a_line_does_not_hide_the_encoding() -> None:
    raw = b"x" * 70_000 + TEXTS["gb18030"].encode("gb18030")
    assert encoding_of(io.BytesIO(raw)) == "gb18030"


def test_long_files_of_long_lines_are_cut_at_lines() -> None:
    """The sample of 64 KiB ends within a character of two bytes."""
    raw = ("x" + TEXTS["gb18030"] * 2_000).encode("gb18030")
    assert len(raw) > 1 << 16
    assert encoding_of(io.BytesIO(raw)) == "gb18030"


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (b"age,sex\n31,f\n", "utf-8"),
        (b"", "utf-8"),
        ("âge,Größe\n".encode(), "utf-8"),
        ("âge\n".encode("utf-8-sig"), "utf-8-sig"),
        ("âge\n".encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + "age".encode("utf-16-be"), "utf-16"),
        ("age,sex\n31,f\n".encode("utf-16-le"), "utf-16-le"),
        ("age,sex\n31,f\n".encode("utf-16-be"), "utf-16-be"),
        # Zero bytes are as many in odd places as in even ones.
        ("aĀbĀ".encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_marks_zero_bytes_and_valid_utf_8_decide(raw: bytes, encoding: str) -> None:
    assert encoding_of(io.BytesIO(raw)) == encoding


def test_utf_8_is_checked_to_its_last_byte() -> None:
    cut = "größe\n".encode() * 100 + "é".encode()[:1]
    assert encoding_of(io.BytesIO(cut)) != "utf-8"
    late = b"x" * (1 << 20) + "é".encode()
    assert encoding_of(io.BytesIO(late[:-2] + "é".encode())) == "utf-8"


def test_what_fits_nothing_is_western_and_what_fits_several_is_refused() -> None:
    assert older_encoding(b"\x81\x8d\x8f\x90\x9d") == "cp1252"
    polish = "wiek,płeć,wykształcenie\ntrzydzieści,mężczyzna;wyższe\ndwadzieścia,płeć,średnie źle\n"
    with pytest.raises(PrivacyError) as refused:
        older_encoding(polish.encode("cp1250"))
    assert refused.value.case == "table_file.encoding"
    # Three different words in each encoding, of which only those with other characters than ASCII.
    examples = (
        "Windows-1252: p³eæ, wykszta³cenie, trzydzieœci; Windows-1250: płeć, wykształcenie, trzydzieści"
    )
    assert refused.value.fields["examples"] == examples
    # The first word is whole, although it begins with a letter of ASCII.
    with pytest.raises(PrivacyError) as refused:
        encoding_of(io.BytesIO(b"1,2,3\n" * 20_000 + polish.encode("cp1250")))
    assert refused.value.fields["examples"] == examples


def test_typical_characters_are_recognised_by_letter_and_bytes() -> None:
    french = _of_set(frozenset("é"))
    assert [french(sign, b"") for sign in "éÉe"] == [1.0, 1.0, 0.0]
    chinese, taiwanese = _by_lead(0xB0, 0xD7), _by_lead(0xA4, 0xC6)
    cases = {
        b"\xb0\xa1": (1.0, 1.0),
        b"\xb0\xa0": (0.1, 1.0),
        b"\xa4\x40": (0.1, 1.0),
        b"\xd8\xa1": (0.1, 0.1),
    }
    cases |= {b"\xa2\xa1": (1.0, 1.0), b"\xb0": (0.1, 0.1), b"\xa4\x3f": (0.1, 0.1)}
    assert {raw: (chinese("x", raw), taiwanese("x", raw)) for raw in cases} == cases
    signs = {("あ", b"\x82\xa0"): 1.0, ("。", b"\x81\x42"): 1.0, ("漢", b"\x8a\xbf"): 0.9}
    signs |= {("弌", b"\x98\xa7"): 0.1, ("ｱ", b"\xb1"): 0.1, ("x", b"\x8a"): 0.1}
    assert {given: _japanese(*given) for given in signs} == signs


def test_examples_are_different_words_with_characters_beyond_ascii() -> None:
    assert _words("Jürgen, plain; Jürgen\n'naïve' , \x7f") == ["Jürgen", "naïve"]
    assert _words("é" * 40) == ["é" * 30]


HANGUL, OTHER_HANGUL, HANJA = b"\xb0\xa1", b"\x81\x41", b"\xca\xa1"
"""Characters in cp949: the second byte of the second is below 0xA1, and the third is Chinese."""


@pytest.mark.parametrize(
    ("raw", "excluded"),
    [
        (HANGUL * 20, {"gb18030", "shift_jis", "big5"}),
        (HANGUL * 19, set()),
        (HANGUL * 19 + OTHER_HANGUL, {"gb18030", "shift_jis"}),
        # One Chinese character in 20 does not exclude Korean, and one in 19 does.
        (HANGUL * 19 + HANJA, {"gb18030", "shift_jis", "big5"}),
        (HANGUL * 18 + HANJA, {"cp949"}),
    ],
)
def test_chinese_and_korean_are_distinguished_by_their_bytes(raw: bytes, excluded: set[str]) -> None:
    names = {each.encoding for each in _CANDIDATES}
    assert names - {each.encoding for each in _exclude_misfits(raw, [*_CANDIDATES])} == excluded
