"""Staff pages in Chinese have no Latin blank or sign next to Chinese characters."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from tests.fixtures.chinese_signs import blocks_of, faults_in
from tests.fixtures.devices import shipped_definition
from tests.fixtures.invitations import invited
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import PAIRS, answered_version, audited_run, mined_run
from tests.fixtures.staff import browser_of
from tests.site.test_look_everywhere import analysed

FIRST: Final = "/zh-hans/staff/"
_LINK: Final = re.compile(r'<(?:a|iframe) [^>]*(?:href|src)="([^"#]*)')


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("<p>先看。 再发。</p>", "a blank after a full-width sign"),
        ("<b>下一步：</b> <a>规划</a>", "a blank after a full-width sign"),
        ("<p>甲 ，乙</p>", "a blank before a full-width sign"),
        ("<dt>改正办法: 删去</dt>", "a half-width sign after a Chinese character"),
        ("<p>水平 5%; 共 3 条</p>", "a half-width sign after a Chinese character"),
        ("<p>研究者, 审阅者</p>", "a half-width sign after a Chinese character"),
        ("<strong>方法.</strong> 问了 300 人。", "a Latin full stop"),
        ('<img alt="比例: 5 人">', "a half-width sign after a Chinese character"),
        ("<p>每 100 人有 不到 1 人</p>", "a blank between Chinese words"),
        ("<li>多少元？(只有送过礼才问)</li>", "half-width brackets around Chinese words"),
    ],
)
def test_a_latin_joint_is_found(page: str, fault: str) -> None:
    assert [found.partition(":")[0] for found in faults_in(page)] == [fault]


@pytest.mark.parametrize(
    "page",
    [
        "<p>每 100 人有 28 人（26 至 31），p = 0.03。</p><p>再发。</p>",
        '<p>状态：<code>甲: 乙</code></p><p lang="en">“是”. Yes.</p>',
        "<p>用 <b>API</b> 读取 rows.csv, rules.json</p>",
        "<script>a = '甲: 乙';</script><td>1.</td>",
    ],
)
def test_chinese_signs_and_other_languages_are_no_fault(page: str) -> None:
    assert faults_in(page) == []


def _everything() -> None:
    """Create surveys, a draft with a plan, invitations and analyses, all with Chinese texts."""
    draft = draft_create(shipped_definition(), slug="plan", source="scratch", by="ana", now=timezone.now())
    draft.aim = Aim(people=400).to_json()
    draft.save(update_fields=["aim"])
    invited(slug="invited")
    audited_run(mined_run(answered_version(600, n_direct=60, slug="answered")))
    audited_run(mined_run(rotating(600), PAIRS))
    analysed()


def _links(page: str, here: str) -> Iterator[str]:
    for link in map(unescape, _LINK.findall(page)):
        address = urlsplit(here).path + link if link.startswith("?") else link
        if address.startswith("/zh-hans/") and not re.search(r"/(?:admin|log-out)/", address):
            yield address


def _shape(address: str) -> str:
    return re.sub(r"\d+", "1", re.sub(r"=[^&]*", "", address))


PASTED: Final = """睡眠与送礼

1. 您是否给上级送过礼？
A. 是  B. 否（跳至第 3 题）
2. 礼物值多少元？
A. 500 以下  B. 500 以上

过去两周，您有多少时候受到以下问题的困扰？
| | 完全没有 | 好几天 | 几乎每天 |
| 1. 提不起劲 | 0 | 1 | 2 |
| 2. 心情低落 | 0 | 1 | 2 |
| 3. 能够集中精力（反向计分） | 0 | 1 | 2 |

总分 3 分及以上：需要帮助
"""


@pytest.mark.django_db
@pytest.mark.usefixtures("read_here")
def test_the_import_report_of_a_score_and_a_skip_has_no_latin_joints() -> None:
    client = browser_of("chen", *Role)
    page = client.post("/zh-hans/staff/surveys/new", {"pasted": PASTED, "make": ""}).content.decode()
    assert "3 分起为“是”；反向计分：“能够集中精力”" in page
    assert "只有“您是否给上级送过礼？”回答“是”时才问" in page
    assert faults_in(page) == []


@pytest.mark.soak
@pytest.mark.django_db
def test_no_staff_page_has_latin_joints() -> None:
    _everything()
    Survey.objects.update(owner=None)
    client: Client = browser_of("chen", *Role)
    ahead, seen, faults, opened = [FIRST, "/zh-hans/"], Counter[str](), dict[str, str](), 0
    while ahead:
        here = ahead.pop()
        response = client.get(here, follow=True)
        if response.status_code != 200 or not response["Content-Type"].startswith("text/html"):
            continue
        page = response.content.decode()
        if not any(re.search("[一-鿿]", text) for text in blocks_of(page)):
            continue
        opened += 1
        faults |= dict.fromkeys(faults_in(page), here)
        for link in _links(page, here):
            seen[_shape(link)] += 1
            if seen[_shape(link)] == 1:
                ahead.append(link)
    assert opened > 60
    assert faults == {}
