"""Terms in Simplified Chinese: an entry never uses a word that means something else than its English term."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

HERE = Path(__file__).parent
CATALOGUES = sorted((HERE.parents[1] / "locale" / "zh_Hans" / "LC_MESSAGES").glob("*.po"))
GLOSSARY = HERE / "glossary_zh_hans.tsv"

Entry = tuple[str, str]


def read_glossary(text: str) -> list[tuple[re.Pattern[str], tuple[str, ...], str]]:
    """Return the English pattern, the forbidden words and the right term of each line."""
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [
        (re.compile(english, re.IGNORECASE), tuple(wrong.split("|")), right) for english, wrong, right in rows
    ]


def wrong_terms(entries: list[Entry]) -> list[str]:
    """Return what the glossary forbids in entries of an English and a Chinese text."""
    rows = read_glossary(GLOSSARY.read_text(encoding="utf-8"))
    return [
        f"{english!r} says {word}; write {right}: {chinese}"
        for english, chinese in entries
        for pattern, words, right in rows
        if pattern.search(english)
        for word in words
        if word in chinese
    ]


def entries_of(catalogue: Path) -> list[Entry]:
    with catalogue.open("rb") as file:
        messages = [message for message in read_po(file, locale="zh_Hans") if message.id]
    return [
        (
            message.id if isinstance(message.id, str) else " ".join(message.id),
            message.string if isinstance(message.string, str) else " ".join(message.string),
        )
        for message in messages
    ]


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_no_entry_uses_a_forbidden_word(catalogue: Path) -> None:
    entries = entries_of(catalogue)
    assert len(entries) > (5000 if catalogue.stem == "django" else 150)
    assert wrong_terms(entries) == []


WRONG = [
    ("which rows are random", "哪些行是抽取的"),
    ("The digest of this survey:", "这份问卷的摘要："),
    ("Lightly disguised", "弱打乱"),
    ("sent by another disguise", "用另一种伪装发送"),
    ("Practice survey", "演练问卷"),
    ("Reload the page", "重新载入页面"),
    ("Strong protection", "强打乱"),
    ("Withdraw the codes", "撤回邀请码"),
    ("Codes that were withdrawn", "撤回的邀请码"),
    ("Withdraw your answer", "收回你的回答"),
    ("A token for programs", "程序令牌"),
    ("Create a survey", "建立问卷"),
    ("Compare by", "比较依据"),
    ("someone who suspects you, 50:50", "对你半信半疑的人"),
    ("This survey is closed", "本调查已关闭"),
    ("This device has no room", "本设备没有空间"),
    ("the police get all data", "警察拿到全部数据"),
    ("What respondents read", "作答者读到的说明"),
    ("choose another role for the line", "请为这一行选择其他作用"),
    ("to show the odds", "要显示机会"),
    ("depends on an open question", "取决于公开的问题"),
    ("Do you work nights? [open]", "你上夜班吗？[公开]"),
    ("Missing answers", "缺答"),
    ("chance decides", "由机会决定"),
    ("protects less than recommended", "保护低于推荐"),
    ("make several surveys", "做成几份调查"),
    ("the points of its answers", "选项的分值"),
    ("Everything you send, taken together: at most 95%.", "全部放在一起看，不超过 95%。他始终不能确定。"),
]


@pytest.mark.soak
@pytest.mark.parametrize(("english", "chinese"), WRONG)
def test_a_wrong_term_is_found(english: str, chinese: str) -> None:
    assert wrong_terms([(english, chinese)])


def test_each_line_of_the_glossary_finds_a_wrong_term_that_no_other_finds() -> None:
    rows = read_glossary(GLOSSARY.read_text(encoding="utf-8"))
    found = {
        lines[0]
        for english, chinese in WRONG
        if len(
            lines := [
                number
                for number, (pattern, words, _right) in enumerate(rows)
                if pattern.search(english) and any(word in chinese for word in words)
            ]
        )
        == 1
    }
    assert found == set(range(len(rows)))


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Abstract", "摘要"),
        ("the form shuffles the options", "表单会打乱选项的顺序"),
        ("New survey", "新建问卷"),
        ("odds ratio", "优势比"),
        ("this has no effect", "这不起作用"),
        ("No one can ever be sure: it never leaves the phone", "谁也不能确定：它永远不会离开手机"),
    ],
)
def test_the_same_word_for_another_term_is_allowed(english: str, chinese: str) -> None:
    assert wrong_terms([(english, chinese)]) == []


def test_every_line_of_the_glossary_has_three_columns_and_a_term() -> None:
    rows = read_glossary(GLOSSARY.read_text(encoding="utf-8"))
    assert all(pattern.pattern and all(words) and right for pattern, words, right in rows)
