"""Words of home life that mean the same, in Chinese and English: they hold for every user.

A tenant's own table (`synonyms`) names what a team calls things; whatever it holds, 我住在哪里 is answered by
我搬到上海了, and "do I have a pet?" by the cat. Few groups, of words that mean little else.
"""

from __future__ import annotations

from typing import Final

from shared.language.synonyms import make_synonyms

EVERYDAY: Final = make_synonyms(
    tuple(phrase.strip() for phrase in line.split("|"))
    for line in """
住 | 居住 | 住在 | 搬到 | 搬回 | 搬去 | 搬家 | 定居 | live in | moved to | moved back | reside
过敏 | 过敏原 | allergic | allergy
上班 | 任职 | 就职 | 入职 | 跳槽 | 新工作 | work for | employed | new job
太太 | 老婆 | 妻子 | 媳妇 | wife
老公 | 丈夫 | husband
爸爸 | 父亲 | 老爸 | father | dad
妈妈 | 母亲 | 老妈 | mother | mum | mom
宠物 | 养猫 | 养狗 | pet
医生 | 大夫 | doctor | physician
领导 | 经理 | 老板 | boss | manager
忌口 | 不吃 | 不能吃 | avoid eating
欠 | 欠钱 | 借钱 | 借给 | owe | borrowed
比赛 | 马拉松 | 半马 | 赛跑 | race | marathon
健身 | 锻炼 | 健身房 | workout | gym
网络 | 宽带 | 无线网 | internet | broadband | wifi
房租 | 租金 | rent
旅行 | 旅游 | 出游 | trip | travel
做饭 | 下厨 | 烧菜 | cook
聚会 | 聚餐 | party | get-together
生病 | 不舒服 | 难受 | sick | unwell
失眠 | 睡不着 | insomnia | sleepless
抽烟 | 吸烟 | 戒烟 | smoke | cigarettes
喝酒 | 饮酒 | 戒酒 | alcohol | drinking
小名 | 昵称 | 外号 | nickname
礼物 | 生日礼物 | gift | birthday present
""".strip().splitlines()
)
