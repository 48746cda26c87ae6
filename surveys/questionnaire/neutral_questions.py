"""Ready-made neutral questions: harmless yes/no questions for people who are not asked the follow-ups.

They concern weather, rooms, colours and everyday objects. None concerns health, money, family, faith,
politics, work, food or drink, and no answer is embarrassing.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

NEUTRAL_QUESTIONS: Final = (
    {"en": "Do you like the colour green?", "zh-hans": "你喜欢绿色吗？"},
    {"en": "Is there a clock in the room where you are?", "zh-hans": "你现在所在的房间里有钟吗？"},
    {"en": "Did you see a cat this week?", "zh-hans": "这个星期你见过猫吗？"},
    {"en": "Do you prefer stairs to a lift?", "zh-hans": "比起电梯，你更愿意走楼梯吗？"},
    {"en": "Did it rain yesterday where you were?", "zh-hans": "昨天你那里下雨了吗？"},
    {"en": "Do you own an umbrella?", "zh-hans": "你有雨伞吗？"},
    {"en": "Do you like the sound of rain?", "zh-hans": "你喜欢听雨声吗？"},
    {"en": "Is your favourite season summer?", "zh-hans": "你最喜欢的季节是夏天吗？"},
    {"en": "Can you see a tree from your window?", "zh-hans": "从你的窗户能看到树吗？"},
    {"en": "Did you write anything by hand today?", "zh-hans": "今天你用手写过字吗？"},
    {"en": "Do you like board games?", "zh-hans": "你喜欢玩棋牌桌游吗？"},
    {"en": "Did you listen to music yesterday?", "zh-hans": "昨天你听音乐了吗？"},
    {"en": "Do you sing when you are alone?", "zh-hans": "独自一人的时候你会唱歌吗？"},
    {"en": "Have you ever been on a boat?", "zh-hans": "你坐过船吗？"},
    {"en": "Do you like looking at the stars?", "zh-hans": "你喜欢看星星吗？"},
    {"en": "Is there a plant in your home?", "zh-hans": "你家里有植物吗？"},
    {"en": "Did you look at a map this month?", "zh-hans": "这个月你看过地图吗？"},
    {"en": "Do you prefer the mountains to the sea?", "zh-hans": "比起大海，你更喜欢山吗？"},
    {"en": "Do you own a red jacket?", "zh-hans": "你有红色的外套吗？"},
    {"en": "Have you seen snow this year?", "zh-hans": "今年你见过雪吗？"},
    {"en": "Do you like puzzles?", "zh-hans": "你喜欢猜谜或拼图吗？"},
    {"en": "Did you take a photo this week?", "zh-hans": "这个星期你拍过照片吗？"},
    {"en": "Is your phone cover black?", "zh-hans": "你的手机壳是黑色的吗？"},
    {"en": "Do you know how to ride a bicycle?", "zh-hans": "你会骑自行车吗？"},
    {"en": "Did you hear birds this morning?", "zh-hans": "今天早上你听到鸟叫了吗？"},
    {"en": "Do you like the smell of books?", "zh-hans": "你喜欢书的气味吗？"},
    {"en": "Is there a mirror near your front door?", "zh-hans": "你家门口附近有镜子吗？"},
    {"en": "Do you fold your clothes the same day they dry?", "zh-hans": "衣服晾干的当天你就会叠好吗？"},
    {"en": "Have you ever built a kite?", "zh-hans": "你做过风筝吗？"},
    {"en": "Do you read more on paper than on screens?", "zh-hans": "比起看屏幕，你看纸质书报更多吗？"},
    {"en": "Did you see the moon last night?", "zh-hans": "昨天晚上你看到月亮了吗？"},
    {"en": "Do you like windy days?", "zh-hans": "你喜欢刮风的日子吗？"},
    {"en": "Is the door of your home painted white?", "zh-hans": "你家的门是白色的吗？"},
    {"en": "Do you keep old postcards?", "zh-hans": "你会保存旧明信片吗？"},
    {"en": "Can you whistle?", "zh-hans": "你会吹口哨吗？"},
    {"en": "Do you usually sit by the window on a bus?", "zh-hans": "坐公交车时你一般坐在窗边吗？"},
    {"en": "Did you pass a bridge this week?", "zh-hans": "这个星期你走过桥吗？"},
    {"en": "Do you like films in black and white?", "zh-hans": "你喜欢黑白电影吗？"},
    {"en": "Is there a calendar on one of your walls?", "zh-hans": "你家墙上挂着日历吗？"},
)
"""By language; at most 39 components of a composite question depend on another one."""


def neutral_questions(
    followers: int = len(NEUTRAL_QUESTIONS), languages: Collection[str] = tuple(NEUTRAL_QUESTIONS[0])
) -> list[dict[str, Any]] | None:
    """Return as many entries of the member ``neutral``; None if a language has no ready-made texts.

    Parameters
    ----------
    followers : int, at most 39
        Number of components that depend on another component.
    languages : collection of str
        Languages of the survey; by default all that have ready-made texts.

    Examples
    --------
    >>> neutral_questions(1, ["en"]), neutral_questions(1, ["en", "fr"])
    ([{'text': {'en': 'Do you like the colour green?'}}], None)
    """
    if not all(language in NEUTRAL_QUESTIONS[0] for language in languages):
        return None
    texts = NEUTRAL_QUESTIONS[:followers]
    return [{"text": {language: text[language] for language in languages}} for text in texts]
