"""Sentences to fill stores with: zh and en, seeded, about ordinary things, of some 40 characters."""

from __future__ import annotations

import random

_ZH = {
    "who": ["我", "我们组", "老张", "小李", "妈妈", "客户", "同事阿梅", "房东", "教练", "医生"],
    "when": ["昨天", "上周五", "5月6号", "月底", "今天下午", "三天前", "明年春天", "周末", "早上", "去年"],
    "did": ["在杭州买了", "决定换掉", "谈到了", "忘记带", "推荐了", "取消了", "预订了", "修好了", "整理了"],
    "what": [
        "一台旧相机", "靠窗的座位", "二十万的方案", "蓝色雨伞", "那本园艺书", "周三的会议", "海边的旅馆",
        "厨房的水管", "季度报表", "搬家的日程", "咖啡机", "登山鞋", "体检报告", "孩子的画", "一把吉他",
    ],
    "and": ["觉得很满意", "但是还没付款", "打算再看看", "所以要告诉财务", "心情好多了", "可惜下雨了"],
}  # fmt: skip
_EN = {
    "who": ["I", "our team", "my sister", "Marco", "the landlord", "Ines", "the client", "my coach"],
    "when": ["yesterday", "last Friday", "on 6 May", "in March", "this morning", "two weeks ago", "at night"],
    "did": ["bought", "cancelled", "repaired", "recommended", "booked", "painted", "forgot", "sold"],
    "what": [
        "a used camera", "the window seat", "a budget of 20,000", "the blue umbrella", "that gardening book",
        "Wednesday's meeting", "a hotel by the sea", "the kitchen pipe", "the quarterly report",
        "the coffee machine", "a guitar", "the health check", "an old bicycle", "the moving van",
    ],
    "and": ["and felt better", "but has not paid yet", "to save time", "because it rained", "for the trip"],
}  # fmt: skip


def make_sentences(count: int, *, seed: int) -> list[str]:
    """Return sentences, every other one Chinese; each holds a number of its own."""
    chosen = random.Random(seed)
    made = []
    for number in range(count):
        words = _ZH if number % 2 else _EN
        parts = [chosen.choice(words[part]) for part in ("when", "who", "did", "what", "and")]
        made.append(("" if number % 2 else " ").join([*parts, str(chosen.randrange(10_000))]))
    return made


def make_queries(count: int, *, seed: int) -> list[str]:
    """Return questions that some of the sentences answer."""
    chosen = random.Random(seed)
    return [
        f"{chosen.choice(_ZH['who'])}什么时候{chosen.choice(_ZH['did'])}{chosen.choice(_ZH['what'])}？"
        if number % 2
        else f"When did {chosen.choice(_EN['who'])} talk about {chosen.choice(_EN['what'])}?"
        for number in range(count)
    ]
