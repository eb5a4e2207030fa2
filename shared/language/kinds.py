"""Kinds and what is of them: a question for several things of a kind also looks for these. Pure.

"What pets do I have?" and 我养过哪些宠物 ask for the dog that was named; no row says "pet". Only everyday
kinds with members that mean little else. A member weighs less than a word of the question, and only where it
stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from shared.language.terms import QueryTerm, index_terms

WEIGHT: Final = 0.5
"""What a member weighs, where a word of the query weighs 1 (docs/decisions/0010)."""

MOST_ADDED: Final = 24

_TABLE: Final = """
child, kid: kid, child, son, daughter, baby, toddler
孩子, 子女: 儿子, 女儿, 宝宝, 大宝, 小宝
parent: mother, father, mom, mum, dad
父母, 双亲: 父亲, 母亲, 爸爸, 妈妈, 爸妈, 老爸, 老妈
sibling: brother, sister
手足, 兄妹: 哥哥, 弟弟, 姐姐, 妹妹
grandparent: grandmother, grandfather, grandma, grandpa
祖辈, 长辈: 爷爷, 奶奶, 外公, 外婆, 姥姥, 姥爷
family, relative: husband, wife, son, daughter, mother, father, mom, dad, brother, sister, aunt, uncle
家人, 亲人, 亲戚: 丈夫, 妻子, 老公, 老婆, 儿子, 女儿, 爸爸, 妈妈, 哥哥, 弟弟, 姐姐, 妹妹, 叔叔, 阿姨, 舅舅
spouse: husband, wife, boyfriend, girlfriend, fiance, fiancee
配偶, 伴侣: 丈夫, 妻子, 老公, 老婆, 男友, 女友
pet, animal: dog, puppy, cat, kitten, rabbit, hamster, turtle, parrot, fish, horse
宠物, 动物: 小狗, 狗狗, 小猫, 猫咪, 兔子, 仓鼠, 乌龟, 鹦鹉, 金鱼
movie, film: movie, film, cinema, documentary
电影, 影片: 电影, 影片, 影院, 大片
book: novel, book, biography, memoir, paperback
书籍, 图书: 小说, 传记, 散文, 诗集
instrument: piano, guitar, violin, cello, drums, flute, ukulele
乐器: 钢琴, 吉他, 提琴, 架子鼓, 长笛, 古筝, 二胡
sport, exercise, workout: run, swim, gym, yoga, football, soccer, basketball, tennis, badminton, cycling
运动, 健身: 跑步, 游泳, 瑜伽, 足球, 篮球, 网球, 羽球, 骑行, 健走
hobby, pastime: painting, reading, hiking, cooking, gardening, photography, fishing, knitting
爱好, 兴趣: 画画, 阅读, 徒步, 做饭, 园艺, 摄影, 钓鱼, 编织
dessert, sweet: cake, cookie, pie, pudding, chocolate, brownie, cupcake
甜点, 甜品: 蛋糕, 饼干, 布丁, 巧克力, 泡芙, 雪糕
fruit: apple, banana, orange, grape, strawberry, mango, peach, melon
水果: 苹果, 香蕉, 橙子, 葡萄, 草莓, 芒果, 桃子, 西瓜
vegetable: tomato, potato, carrot, cabbage, spinach, broccoli, onion
蔬菜: 番茄, 土豆, 胡萝卜, 白菜, 菠菜, 西兰花, 洋葱
drink, beverage: coffee, tea, juice, beer, wine, milk
饮料, 饮品: 咖啡, 奶茶, 果汁, 啤酒, 红酒, 牛奶
meal: breakfast, lunch, dinner, brunch, supper
三餐, 饭菜: 早餐, 午餐, 晚餐, 早饭, 午饭, 晚饭
vehicle: car, truck, motorcycle, bicycle, van
车辆, 车子: 汽车, 轿车, 摩托车, 单车, 货车
furniture: sofa, desk, chair, bed, bookshelf, wardrobe
家具: 沙发, 书桌, 椅子, 书架, 衣柜
appliance: fridge, oven, microwave, vacuum, dishwasher
家电, 电器: 冰箱, 烤箱, 微波炉, 洗衣机, 空调
clothes, clothing: shirt, dress, jacket, coat, trousers, skirt, sweater
衣服, 衣物: 衬衫, 裙子, 外套, 大衣, 裤子, 毛衣
jewelry: necklace, ring, bracelet, earrings
首饰: 项链, 戒指, 手链, 耳环
flower, plant: rose, tulip, lily, orchid, sunflower, cactus
植物, 花卉: 玫瑰, 郁金香, 百合, 兰花, 向日葵, 绿萝
illness, disease: flu, fever, diabetes, asthma, migraine, infection
疾病, 病症: 感冒, 发烧, 糖尿病, 哮喘, 偏头痛, 炎症
medicine, medication: pill, tablet, antibiotic, ibuprofen, insulin, vitamin
药物, 药品: 药片, 胶囊, 抗生素, 布洛芬, 胰岛素, 维生素
art, artwork: painting, drawing, sculpture, pottery, sketch
艺术, 画作: 绘画, 素描, 雕塑, 陶艺, 书法
language: english, chinese, french, spanish, german, japanese, korean
语言, 外语: 英语, 中文, 法语, 西班牙语, 德语, 日语, 韩语
"""


def kind_terms(terms: Sequence[QueryTerm]) -> list[QueryTerm]:
    """Return what is of the kinds that a query asks for, at most 24; the query's own terms left out."""
    held = {term.term for term in terms}
    added = (member for term in terms for member in _members().get(term.term, ()))
    wanted = dict.fromkeys(member for member in added if member not in held)
    return [QueryTerm(member, weight=WEIGHT) for member in [*wanted][:MOST_ADDED]]


@lru_cache(maxsize=1)
def _members() -> Mapping[str, tuple[str, ...]]:
    """Return the terms of each kind's members by the kind's own term."""
    members: dict[str, tuple[str, ...]] = {}
    for line in _TABLE.strip().splitlines():
        kinds, _, things = line.partition(":")
        terms = tuple(dict.fromkeys(term for thing in things.split(",") for term in index_terms(thing)))
        for kind in kinds.split(","):
            for term in index_terms(kind):
                members[term] = members.get(term, ()) + terms
    return members
