"""Ready-made acts of a placebo index: harmless, and hardly anyone has done them.

What such an index counts are careless answers. No act concerns health, money, family, faith, politics,
work or crime, and none is embarrassing.
"""

from __future__ import annotations

from typing import Any, Final

PLACEBO_ACTS: Final = (
    {"en": "Have you ever ridden a camel through a snowstorm?", "zh-hans": "你在暴风雪里骑过骆驼吗？"},
    {"en": "Have you ever owned a lighthouse?", "zh-hans": "你拥有过一座灯塔吗？"},
    {"en": "Have you ever played the harp in a stadium?", "zh-hans": "你在体育场里弹过竖琴吗？"},
    {"en": "Have you ever crossed a desert on skates?", "zh-hans": "你穿着溜冰鞋穿越过沙漠吗？"},
    {"en": "Have you ever named a star after a cloud?", "zh-hans": "你用一朵云的名字给星星起过名字吗？"},
    {"en": "Have you ever built a violin out of ice?", "zh-hans": "你用冰做过小提琴吗？"},
    {"en": "Have you ever spent a night inside a volcano?", "zh-hans": "你在火山里面过过夜吗？"},
    {"en": "Have you ever taught a penguin to dance?", "zh-hans": "你教过企鹅跳舞吗？"},
    {"en": "Have you ever painted a whole mountain blue?", "zh-hans": "你把整座山涂成过蓝色吗？"},
    {"en": "Have you ever juggled seven pineapples?", "zh-hans": "你同时抛接过七个菠萝吗？"},
    {"en": "Have you ever written with the feather of an eagle?", "zh-hans": "你用老鹰的羽毛写过字吗？"},
    {"en": "Have you ever walked on the floor of an ocean?", "zh-hans": "你在海底走过路吗？"},
    {"en": "Have you ever knitted a carpet for an elephant?", "zh-hans": "你给大象织过地毯吗？"},
    {"en": "Have you ever steered an airship?", "zh-hans": "你驾驶过飞艇吗？"},
    {"en": "Have you ever found a meteorite in your shoe?", "zh-hans": "你在自己的鞋里发现过陨石吗？"},
    {"en": "Have you ever played chess under water?", "zh-hans": "你在水下下过棋吗？"},
    {"en": "Have you ever slept in a treehouse on an iceberg?", "zh-hans": "你在冰山上的树屋里睡过觉吗？"},
    {"en": "Have you ever trained owls to carry parcels?", "zh-hans": "你训练过猫头鹰送包裹吗？"},
    {"en": "Have you ever drawn a map of the Moon by hand?", "zh-hans": "你亲手画过月球地图吗？"},
    {"en": "Have you ever climbed a tower of ten thousand steps?", "zh-hans": "你爬过有一万级台阶的塔吗？"},
    {"en": "Have you ever rowed a bathtub across a lake?", "zh-hans": "你坐着浴缸划过一个湖吗？"},
    {"en": "Have you ever carved a chair out of a single pumpkin?", "zh-hans": "你用一整个南瓜刻过椅子吗？"},
    {"en": "Have you ever had a comet named after you?", "zh-hans": "有彗星用你的名字命名过吗？"},
    {"en": "Have you ever counted every tree of a forest?", "zh-hans": "你数完过一片森林里的每一棵树吗？"},
    {"en": "Have you ever flown a kite among flamingos?", "zh-hans": "你在一群火烈鸟中间放过风筝吗？"},
    {"en": "Have you ever stood on both poles in one year?", "zh-hans": "你同一年里到过南北两极吗？"},
    {"en": "Have you ever rebuilt a castle out of sugar?", "zh-hans": "你用糖重建过一座城堡吗？"},
    {"en": "Have you ever driven a wooden train to the sea?", "zh-hans": "你开着木头火车去过海边吗？"},
    {"en": "Have you ever sewn a flag larger than a lake?", "zh-hans": "你缝过比湖面还大的旗子吗？"},
    {
        "en": "Have you ever caught a hundred snowflakes with chopsticks?",
        "zh-hans": "你用筷子夹住过一百片雪花吗？",
    },
    {"en": "Have you ever read a book aloud to a whale?", "zh-hans": "你给鲸鱼朗读过书吗？"},
    {"en": "Have you ever grown a square watermelon on a roof?", "zh-hans": "你在屋顶上种出过方形的西瓜吗？"},
    {"en": "Have you ever tuned the bells of a cathedral?", "zh-hans": "你给大教堂的钟调过音吗？"},
    {"en": "Have you ever crossed an ocean in a balloon?", "zh-hans": "你坐热气球飞越过大洋吗？"},
    {"en": "Have you ever found a shell on top of a glacier?", "zh-hans": "你在冰川顶上捡到过贝壳吗？"},
    {"en": "Have you ever conducted a thousand flutes?", "zh-hans": "你指挥过一千支长笛的乐队吗？"},
    {"en": "Have you ever walked backwards through a whole city?", "zh-hans": "你倒着走穿过一整座城市吗？"},
    {"en": "Have you ever made a kite of a thousand stamps?", "zh-hans": "你用一千张邮票做过风筝吗？"},
    {"en": "Have you ever raced against an ostrich?", "zh-hans": "你和鸵鸟赛过跑吗？"},
    {"en": "Have you ever opened a door with a key of glass?", "zh-hans": "你用玻璃钥匙开过门吗？"},
)
"""By language: one for each of 40 components."""


PLACEBO_NAMES: Final = {"en": "placebo index", "zh-hans": "对照指数"}
"""What a placebo index is called behind the name of its index."""


def placebo_acts() -> list[dict[str, Any]]:
    """Return the texts of all acts, for the builder.

    Examples
    --------
    >>> placebo_acts()[1]["text"]["en"]
    'Have you ever owned a lighthouse?'
    """
    return [{"text": dict(text)} for text in PLACEBO_ACTS]
