"""A table as archives are given it: Chinese heads, dates of three ways, missing codes, people twice."""

from __future__ import annotations

import random

from tests.cast.host_files import csv_of

HEADER = [
    "患者编号",
    "您的出生日期",
    "性别",
    "所在地区",
    "月收入（元）",
    "诊断疾病",
    "是否存活",
    "现状",
    "备注码",
]
PEOPLE = 240
TWICE = 12
DISEASES = ("流感", "肺炎", "糖尿病", "高血压", "抑郁")


def messy_rows(*, seed: int = 5) -> list[list[str]]:
    rng = random.Random(seed)
    rows = []
    for number in range(PEOPLE):
        year, month, day = rng.randint(1940, 2004), rng.randint(1, 12), rng.randint(1, 28)
        dead = rng.random() < 0.2
        rows.append(
            [
                f"P{number:05}",
                rng.choice(
                    [f"{year}-{month:02}-{day:02}", f"{year}年{month}月{day}日", f"{day}/{month}/{year}"]
                ),
                rng.choice(["男", "女"]),
                rng.choice(["北京市", "上海市", "广东省", "四川省", "浙江省", "NA"]),
                f"{rng.randint(20, 400) * 100:,}" if rng.random() > 0.1 else rng.choice(("-9", "refused")),
                rng.choice(DISEASES) if rng.random() > 0.25 else rng.choice(("refused", "不详", "999")),
                "否" if dead else "是",
                "死亡" if dead else "在世",
                rng.choice(["1", "2", "3"]),
            ]
        )
    # One date has a day above 12: it says that the day is first.
    rows[0][1] = "25/4/1975"
    rows += [list(row) for row in rows[:TWICE]]
    rng.shuffle(rows)
    return rows


def messy_table(*, encoding: str = "gb18030") -> bytes:
    return csv_of(HEADER, messy_rows(), sign=";").decode().encode(encoding)
